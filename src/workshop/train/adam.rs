//! The optimiser Adam (D. Kingma and J. Ba, 2015).

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

/// The moving means of some weights' gradients and of their squares.
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    /// A fresh optimiser for this many weights.
    pub(super) fn new(weights: usize) -> Self {
        Self {
            mean: vec![0.0; weights],
            square: vec![0.0; weights],
        }
    }

    /// Takes a step; `steps` counts all steps, this one included.
    pub(super) fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, steps: i32) {
        let correction = |decay: f32| 1.0 / (1.0 - decay.powi(steps));
        let rate = rate * correction(MEAN_DECAY);
        let square = correction(SQUARE_DECAY);
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

// Measured in `learner.rs`.
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
            *weight -= rate * *mean / ((*square * square_correction).sqrt() + 1e-8);
        }
    }
}
