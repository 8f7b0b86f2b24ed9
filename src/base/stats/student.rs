//! Student's t distribution, for the mean of a few numbers.

use super::normal::Z95;

/// The 97.5% quantiles for 1 to 30 degrees of freedom (W. Gosset, "The Probable
/// Error of a Mean", Biometrika 6, 1908; these values are R's `qt(0.975, 1:30)`).
const QUANTILES: [f64; 30] = [
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010,
    2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687,
    2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
];

/// Half the width of a 95% confidence interval of a mean, in standard errors, if the
/// deviation is estimated from `count` numbers. Infinite for one number.
pub fn t95(count: usize) -> f64 {
    match count {
        0 | 1 => f64::INFINITY,
        2..=31 => QUANTILES[count - 2],
        // The first term of the expansion of E. Cornish and R. Fisher (1937).
        _ => Z95 * (1.0 + (Z95 * Z95 + 1.0) / (4.0 * (count - 1) as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_approach_the_normal_distribution() {
        assert_eq!(t95(1), f64::INFINITY);
        let all: Vec<f64> = (1..200).map(t95).collect();
        assert!(all.is_sorted_by(|a, b| a > b));
        // Published: 2.0211 for 40 degrees of freedom, 1.9840 for 100.
        assert!((t95(41) - 2.0211).abs() < 2e-3 && (t95(101) - 1.9840).abs() < 1e-3);
        assert!((t95(1_000_000) - Z95).abs() < 1e-5);
    }
}
