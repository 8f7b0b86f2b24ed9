//! The optimiser Adam (D. Kingma and J. Ba, 2015).

pub const MEAN_DECAY: f32 = 0.9;
pub const SQUARE_DECAY: f32 = 0.999;
/// Added to the root of the mean square, which may be nothing.
pub const LEAST_ROOT: f32 = 1e-8;

/// The moving means of some weights' gradients and of their squares.
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    /// For so many weights.
    pub fn new(weights: usize) -> Self {
        Self {
            mean: vec![0.0; weights],
            square: vec![0.0; weights],
        }
    }

    /// Changes the weights by a step; `steps` are all steps with this one.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, steps: i32) {
        let (rate, square) = corrected(rate, steps);
        step(
            weights,
            gradient,
            &mut self.mean,
            &mut self.square,
            rate,
            square,
        );
    }
}

/// The rate of a step, and what the mean square is multiplied by: the moving
/// means begin at nothing, and after few steps are still too small.
pub fn corrected(rate: f32, steps: i32) -> (f32, f32) {
    let correction = |decay: f32| 1.0 / (1.0 - decay.powi(steps));
    (rate * correction(MEAN_DECAY), correction(SQUARE_DECAY))
}

// Measured together with the passes of `learner/cpu.rs`.
for_widest_vectors! {
    fn step(
        weights: &mut [f32],
        gradient: &[f32],
        mean: &mut [f32],
        square: &mut [f32],
        rate: f32,
        square_correction: f32,
    ) {
        let moments = mean.iter_mut().zip(square);
        for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - MEAN_DECAY) * (gradient - *mean);
            *square += (1.0 - SQUARE_DECAY) * (gradient * gradient - *square);
            *weight -= rate * *mean / ((*square * square_correction).sqrt() + LEAST_ROOT);
        }
    }
}
