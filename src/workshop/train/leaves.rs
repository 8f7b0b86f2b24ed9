//! Leaves: positions that a search evaluates.
//!
//! Most leaves never occur in games between good players, because they follow a mistake.
//! The search refutes the mistake only if it evaluates them correctly. So a network must
//! learn from leaves too.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use rand::{RngExt, SeedableRng};

use crate::eval::network::NetworkEvaluator;
use crate::eval::{EvalKind, Evaluator, Weighted};
use crate::rules::{Position, Turn};
use crate::search::{Engine, Limits, Report};
use crate::seeds::SeededRng;

/// Searches a position. Also returns `count` leaves, sampled uniformly from all evaluated
/// positions.
pub(super) fn search_with_leaves<const N: usize>(
    engine: &mut Engine<N>,
    eval: EvalKind,
    root: &Position<N>,
    limits: &Limits,
    count: usize,
    rng: &mut SeededRng,
    stop: &AtomicBool,
) -> (Report, Vec<Position<N>>) {
    let leaves = Mutex::new(Reservoir::new(count, SeededRng::from_rng(rng)));
    let progress = &mut |_: &Report| {};
    let report = match eval {
        EvalKind::Network(networks) => {
            let network = || {
                let network = networks.for_position(root);
                SamplingEvaluator {
                    evaluator: NetworkEvaluator::new(network, root.cards()),
                    leaves: &leaves,
                }
            };
            engine.search_with(root, 1, limits, stop, network, progress)
        }
        EvalKind::Weighted(weights) => {
            let weighted = || SamplingEvaluator {
                evaluator: Weighted(weights),
                leaves: &leaves,
            };
            engine.search_with(root, 1, limits, stop, weighted, progress)
        }
    };
    let leaves = leaves.into_inner().expect("no search has panicked");
    (report, leaves.kept)
}

/// An evaluator that adds its positions to a reservoir sample.
struct SamplingEvaluator<'a, const N: usize, E> {
    evaluator: E,
    leaves: &'a Mutex<Reservoir<N>>,
}

impl<const N: usize, E: Evaluator<N>> Evaluator<N> for SamplingEvaluator<'_, N, E> {
    fn reset(&mut self, root: &Position<N>) {
        self.evaluator.reset(root);
    }

    fn push(&mut self, turn: Turn, after: &Position<N>) {
        self.evaluator.push(turn, after);
    }

    fn pop(&mut self) {
        self.evaluator.pop();
    }

    fn evaluate(&mut self, position: &Position<N>) -> i32 {
        let mut leaves = self.leaves.lock().expect("no search has panicked");
        leaves.offer(position);
        drop(leaves);
        self.evaluator.evaluate(position)
    }
}

/// A uniform sample of a stream of unknown length (algorithm R; J. Vitter,
/// 1985).
struct Reservoir<const N: usize> {
    size: usize,
    offered: usize,
    kept: Vec<Position<N>>,
    rng: SeededRng,
}

impl<const N: usize> Reservoir<N> {
    fn new(size: usize, rng: SeededRng) -> Self {
        Self {
            size,
            offered: 0,
            kept: Vec::with_capacity(size),
            rng,
        }
    }

    fn offer(&mut self, position: &Position<N>) {
        self.offered += 1;
        if self.kept.len() < self.size {
            self.kept.push(*position);
        } else {
            let place = self.rng.random_range(0..self.offered);
            if let Some(kept) = self.kept.get_mut(place) {
                *kept = *position;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::NEVER;
    use crate::seeds::seeded;

    #[test]
    fn a_reservoir_samples_uniformly() {
        let start: Position<5> = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        let stream: Vec<Position<5>> = start.turns().iter().map(|&it| start.play(it)).collect();
        let stream = &stream[..10];
        let mut kept = vec![0; stream.len()];
        for seed in 0..2000 {
            let mut reservoir = Reservoir::new(3, seeded(seed));
            stream.iter().for_each(|it| reservoir.offer(it));
            assert_eq!(reservoir.kept.len(), 3);
            for position in &reservoir.kept {
                kept[stream.iter().position(|it| it == position).unwrap()] += 1;
            }
        }
        // 600 each; the standard deviation is 20.
        assert!(kept.iter().all(|n| (500..700).contains(n)), "{kept:?}");
    }

    #[test]
    fn sampling_does_not_change_the_search() {
        let root: Position<5> = "00000/00000/00010/20000/00000 b2b4 a3c3 3".parse().unwrap();
        let limits = Limits::nodes(3000);
        let engine = || Engine::<5>::new(crate::search::EngineOptions::default());
        let plain = engine().search(&root, &limits, &NEVER, &mut |_| {});
        let rng = &mut seeded(1);
        let eval = EvalKind::default();
        let (report, leaves) =
            search_with_leaves(&mut engine(), eval, &root, &limits, 8, rng, &NEVER);
        assert_eq!((report.lines, report.nodes), (plain.lines, plain.nodes));
        assert_eq!(leaves.len(), 8);
        assert!(leaves.iter().all(|leaf| leaf.turn() >= root.turn()));
        assert!(leaves.iter().any(|leaf| leaf.turn() > root.turn() + 2));
    }
}
