//! The standard normal distribution.

/// Half the width of a 95% confidence interval in standard deviations: the
/// 97.5% quantile.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is below `x`.
///
/// The series of G. Marsaglia, "Evaluating the Normal Distribution", Journal
/// of Statistical Software 11 (2004); its error is below 1e-15.
pub(super) fn cumulative(x: f64) -> f64 {
    // Beyond this the result differs from 0 or 1 by less than the error of the series.
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    loop {
        odd += 2.0;
        term *= x * x / odd;
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
    }
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    0.5 + sum * density
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_table_values() {
        for (x, below) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (Z95, 0.975),
            (3.0, 0.998_650_101_968_370),
        ] {
            assert!((cumulative(x) - below).abs() < 1e-13, "{x}");
            assert!((cumulative(-x) - (1.0 - below)).abs() < 1e-13, "-{x}");
        }
        assert_eq!([cumulative(-40.0), cumulative(40.0)], [0.0, 1.0]);
        assert!(cumulative(f64::INFINITY) == 1.0);
    }
}
