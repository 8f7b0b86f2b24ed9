//! Finds the numbers that win most, by pairs of tries that differ in all
//! numbers at once.
//!
//! The method is SPSA (J. Spall, "Implementation of the simultaneous
//! perturbation algorithm", IEEE Transactions on Aerospace and Electronic
//! Systems 34, 1998): each step moves all numbers a little up or down at
//! random, compares the two points so made, and goes towards the better one.
//! The mean of the second half of all steps is the result, which takes out
//! most of the chance in single steps.

use rand::{RngExt, SeedableRng};

use super::agent::Rng;

/// By which part of its reach a number goes at the last step if one point is
/// better than the other by 1.
const RATE: f64 = 0.02;

/// The exponents and the offset (a share of all steps) of Spall's gain
/// sequences.
const RATE_EXPONENT: f64 = 0.602;
const REACH_EXPONENT: f64 = 0.101;
const OFFSET: f64 = 0.1;

/// A search for the best point with `D` coordinates.
pub struct Spsa<const D: usize> {
    /// How far each coordinate is moved up and down at the last step; it
    /// begins about twice as far.
    reach: [f64; D],
    steps: u32,
    rng: Rng,
    step: u32,
    point: [f64; D],
    /// The sum of the points of the second half of the steps, and how many.
    sum: [f64; D],
    summed: u32,
}

impl<const D: usize> Spsa<D> {
    /// A search of so many steps that begins at a point.
    pub fn new(start: [f64; D], reach: [f64; D], steps: u32, seed: u64) -> Self {
        Self {
            reach,
            steps,
            rng: Rng::seed_from_u64(seed),
            step: 0,
            point: start,
            sum: [0.0; D],
            summed: 0,
        }
    }

    /// Steps done.
    pub const fn done(&self) -> u32 {
        self.step
    }

    /// Where the last step has led.
    pub const fn current(&self) -> [f64; D] {
        self.point
    }

    /// The mean over the second half of the steps, or the current point
    /// before that.
    pub fn result(&self) -> [f64; D] {
        match self.summed {
            0 => self.point,
            count => self.sum.map(|sum| sum / f64::from(count)),
        }
    }

    /// Does one step. `better` says by how much the first of two points is
    /// better than the second; without its answer nothing changes, and the
    /// step returns false.
    pub fn step(&mut self, better: impl FnOnce([[f64; D]; 2]) -> Option<f64>) -> bool {
        let (step, all) = (f64::from(self.step), f64::from(self.steps));
        let offset = OFFSET * all;
        let reach_scale = (all / (step + 1.0)).powf(REACH_EXPONENT);
        let rate = RATE * ((offset + all) / (offset + step + 1.0)).powf(RATE_EXPONENT);
        let signs = [(); D].map(|()| if self.rng.random() { 1.0 } else { -1.0 });
        let moved = |direction: f64| {
            std::array::from_fn(|i| {
                self.point[i] + direction * signs[i] * self.reach[i] * reach_scale
            })
        };
        let Some(better) = better([moved(1.0), moved(-1.0)]) else {
            return false;
        };
        for (i, value) in self.point.iter_mut().enumerate() {
            *value += rate * better * self.reach[i] / reach_scale * signs[i];
        }
        self.step += 1;
        if 2 * self.step > self.steps {
            self.summed += 1;
            (self.sum.iter_mut().zip(self.point)).for_each(|(sum, value)| *sum += value);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEST: [f64; 3] = [10.0, -50.0, 400.0];
    const REACH: [f64; 3] = [2.0, 10.0, 50.0];

    /// Plays 16 games by chance, won the more often the nearer to the best
    /// point, and says how many more the first has won.
    fn games(points: [[f64; 3]; 2], rng: &mut Rng) -> f64 {
        let strength = points.map(|point| -distance(point).powi(2));
        let wins = 1.0 / (1.0 + (0.05 * (strength[1] - strength[0])).exp());
        let game = |_| if rng.random_bool(wins) { 1.0 } else { -1.0 };
        (0..16).map(game).sum()
    }

    /// How far from the best point, in reaches.
    fn distance(point: [f64; 3]) -> f64 {
        let part = |i: usize| ((point[i] - BEST[i]) / REACH[i]).powi(2);
        (0..3).map(part).sum::<f64>().sqrt()
    }

    #[test]
    fn the_best_point_is_found_in_spite_of_chance() {
        let start = [20.0, 0.0, 100.0];
        assert!(distance(start) > 9.0);
        let mut found = Vec::new();
        for seed in 0..20 {
            let mut rng = Rng::seed_from_u64(100 + seed);
            let mut search = Spsa::new(start, REACH, 1000, seed);
            while search.done() < 1000 {
                assert!(search.step(|points| Some(games(points, &mut rng))));
            }
            found.push(distance(search.result()));
        }
        let worst = found.iter().copied().fold(0.0, f64::max);
        assert!(worst < 1.0, "{found:?}");
    }

    #[test]
    fn a_step_without_an_answer_changes_nothing() {
        let mut search = Spsa::new([1.0, 2.0], [1.0, 1.0], 10, 1);
        assert!(!search.step(|_| None));
        assert_eq!((search.done(), search.current()), (0, [1.0, 2.0]));
        assert_eq!(search.result(), [1.0, 2.0]);
    }

    #[test]
    fn the_result_is_the_mean_of_the_second_half() {
        let mut search = Spsa::new([0.0], [1.0], 4, 1);
        let mut points = Vec::new();
        for _ in 0..4 {
            assert!(search.step(|[a, b]| Some(a[0] - b[0])));
            points.push(search.current()[0]);
        }
        // The better one is always the greater one.
        assert!(points.is_sorted() && points[0] > 0.0);
        assert_eq!(search.result(), [(points[2] + points[3]) / 2.0]);
    }
}
