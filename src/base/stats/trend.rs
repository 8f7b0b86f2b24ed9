//! A test for a trend in win rates.

/// The rise of win rates from the first group of games to the last, in standard deviations
/// of chance. Each group has its games won and all games. 0 without games, or if all games
/// were won or all lost.
///
/// This is the statistic z of the test of W. Cochran (Biometrics 10, 1954) and P. Armitage
/// (Biometrics 11, 1955), with equal steps between the groups.
pub fn trend(groups: &[[u64; 2]]) -> f64 {
    let each = || {
        (0u32..)
            .map(f64::from)
            .zip(groups.iter().map(|group| group.map(|it| it as f64)))
    };
    let [won, games] = each().fold([0.0; 2], |sum, (_, [won, games])| {
        [sum[0] + won, sum[1] + games]
    });
    let rate = won / games;
    let middle = each().map(|(at, [_, games])| at * games).sum::<f64>() / games;
    let rise: f64 = each().map(|(at, [won, _])| (at - middle) * won).sum();
    let spread: f64 = each()
        .map(|(at, [_, games])| games * (at - middle).powi(2))
        .sum();
    let variance = rate * (1.0 - rate) * spread;
    if variance > 0.0 {
        rise / variance.sqrt()
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smokers of J. Fleiss, "Statistical Methods for Rates and Proportions" (1981), in
    /// the manual of R for `prop.trend.test`: chi-squared, the square of z, is 8.2249.
    #[test]
    fn a_published_trend() {
        let mut smokers = [[83, 86], [90, 93], [129, 136], [70, 82]];
        let falls = trend(&smokers);
        assert!(falls < 0.0 && (falls * falls - 8.2249).abs() < 5e-5);
        smokers.reverse();
        assert!((trend(&smokers) + falls).abs() < 1e-12);
    }

    #[test]
    fn without_chance_there_is_no_trend() {
        for groups in [
            vec![],
            vec![[0, 0]],
            vec![[0, 9], [0, 9]],
            vec![[9, 9], [5, 5]],
        ] {
            assert_eq!(trend(&groups), 0.0, "{groups:?}");
        }
        assert_eq!(trend(&[[3, 9]]), 0.0);
    }
}
