//! The confidence interval of a win rate, for games without draws.

use super::normal::Z95;

/// The 95% confidence interval of the probability of a win; `None` without games.
///
/// This is the score interval of E. Wilson (Journal of the American Statistical
/// Association 22, 1927). Unlike the mean with its standard error it stays within
/// 0 to 1, and it is not empty when all games were won.
pub fn win_interval(wins: u64, games: u64) -> Option<[f64; 2]> {
    if games == 0 {
        return None;
    }
    let n = games as f64;
    let share = wins as f64 / n;
    let z2 = Z95 * Z95;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // Exact, because rounding would leave 1e-17.
    let low = if wins == 0 { 0.0 } else { middle - half };
    let high = if wins == games { 1.0 } else { middle + half };
    Some([low.max(0.0), high.min(1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R. Newcombe, "Two-sided confidence intervals for the single
    /// proportion", Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn published_intervals() {
        for (wins, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let [l, h] = win_interval(wins, games).unwrap();
            assert!((l - low).abs() < 6e-5 && (h - high).abs() < 6e-5, "{l} {h}");
            let [mirrored_l, mirrored_h] = win_interval(games - wins, games).unwrap();
            assert!((l + mirrored_h - 1.0).abs() < 1e-12 && (h + mirrored_l - 1.0).abs() < 1e-12);
        }
        for games in 1..200 {
            assert_eq!(win_interval(0, games).unwrap()[0], 0.0);
            assert_eq!(win_interval(games, games).unwrap()[1], 1.0);
        }
        assert_eq!(win_interval(0, 0), None);
    }
}
