//! Matrices of a few rows.

/// Inverts a symmetric positive definite matrix in place by Gauss-Jordan elimination, which
/// needs no pivoting for such a matrix. Returns whether all pivots are at least
/// `least_pivot`; otherwise rounding errors may have spoiled the result.
pub(super) fn invert<R: AsMut<[f64]> + Clone>(matrix: &mut [R], least_pivot: f64) -> bool {
    let mut is_definite = true;
    for k in 0..matrix.len() {
        let row = matrix[k].as_mut();
        let pivot = std::mem::replace(&mut row[k], 1.0);
        is_definite &= pivot >= least_pivot;
        row.iter_mut().for_each(|value| *value /= pivot);
        let mut row = matrix[k].clone();
        for (i, other) in matrix.iter_mut().enumerate() {
            if i != k {
                let other = other.as_mut();
                let factor = std::mem::take(&mut other[k]);
                for (value, from) in other.iter_mut().zip(row.as_mut()) {
                    *value -= factor * *from;
                }
            }
        }
    }
    is_definite
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = [[4.0, 1.0, -2.0], [1.0, 3.0, 0.5], [-2.0, 0.5, 5.0]];
        let mut inverse = matrix;
        assert!(invert(&mut inverse, 1e-9));
        for (i, row) in matrix.iter().enumerate() {
            for j in 0..3 {
                let product: f64 = row.iter().zip(&inverse).map(|(a, b)| a * b[j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn singular_and_indefinite_matrices_and_nan_are_noticed() {
        for wrong in [
            [1.0, 1.0, 1.0, 1.0],
            [0.0; 4],
            [1.0, 2.0, 2.0, 1.0],
            [f64::NAN; 4],
        ] {
            let [a, b, c, d] = wrong;
            assert!(!invert(&mut [[a, b], [c, d]], 1e-9), "{wrong:?}");
        }
    }
}
