//! Labels positions of games with search scores and the result.
//!
//! A position is recorded if it is quiet: neither player can win at once. A game ends when a
//! search proves its outcome; that position is not recorded. Some quiet leaves of each search
//! are recorded too, each with the score of its own search.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;

use super::data::Record;
use super::leaves::search_with_leaves;
use crate::eval::network::features::FeatureSet;
use crate::eval::{EvalKind, Weights};
use crate::fnv::Fnv;
use crate::rules::{Position, Turn};
use crate::search::{Engine, EngineOptions, Limits, WIN, is_proved};
use crate::seeds::{SeededRng, seeded};

/// The options of labelling.
#[derive(Clone, Debug)]
pub struct LabelOptions {
    /// The evaluation of each search.
    pub eval: EvalKind,
    /// The nodes of each search.
    pub nodes: u64,
    /// The mean number of leaves recorded for each search.
    pub leaves: f64,
    /// The seed of all random choices.
    pub seed: u64,
}

impl LabelOptions {
    /// The name of the evaluation. A network is named by its checksum, since its file may
    /// be replaced later.
    pub fn eval_text<const N: usize>(&self, features: FeatureSet) -> String {
        let weights = [("tuned", Weights::TUNED), ("paper", Weights::PAPER)];
        match self.eval {
            EvalKind::Network(networks) => {
                let network = networks.for_features::<N>(features);
                format!("network:{:016x}", Fnv::of(&network.to_unchecked_bytes()))
            }
            EvalKind::Weighted(found) => match weights.iter().find(|(_, it)| *it == found) {
                Some((name, _)) => name.to_string(),
                None => format!("{found:?}"),
            },
        }
    }

    /// The random number generator of a block of games.
    pub fn block_rng(&self, index: u64) -> SeededRng {
        seeded(self.seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// The transposition table in MiB: plenty for a few thousand nodes.
const HASH_MIB: usize = 1;

/// Records, each with the symmetric key of its position.
pub type Block = Vec<(u64, Record)>;

/// Searches the positions of games.
pub struct Labeller<'a, const N: usize> {
    options: &'a LabelOptions,
    engine: Engine<N>,
}

impl<'a, const N: usize> Labeller<'a, N> {
    /// A labeller with its own engine on one thread.
    pub fn new(options: &'a LabelOptions) -> Self {
        let engine = EngineOptions {
            hash_mib: HASH_MIB,
            threads: 1,
            eval: options.eval,
            ..EngineOptions::default()
        };
        Self {
            options,
            engine: Engine::new(engine),
        }
    }

    /// The score of a position, by a separate search with this many nodes.
    pub fn score(&mut self, position: &Position<N>, nodes: u64, stop: &AtomicBool) -> i32 {
        self.engine.clear();
        let limits = Limits::nodes(nodes);
        let report = self.engine.search(position, &limits, stop, &mut |_| {});
        report.score()
    }

    /// Appends the records of a game. `next` takes the best turn of a position and returns
    /// the position that follows it; `None` ends a game whose result is unknown.
    pub fn game(
        &mut self,
        start: Position<N>,
        rng: &mut SeededRng,
        stop: &AtomicBool,
        block: &mut Block,
        mut next: impl FnMut(&Position<N>, Turn) -> Option<Position<N>>,
    ) {
        let limits = Limits::nodes(self.options.nodes);
        let mut position = start;
        self.engine.clear();
        let mut records: Vec<(Option<u64>, Record)> = Vec::new();
        // Whether the player to move wins, and the number of turns left.
        let end = loop {
            if stop.load(Ordering::Relaxed) {
                break None;
            }
            let (report, leaves) = search_with_leaves(
                &mut self.engine,
                self.options.eval,
                &position,
                &limits,
                stochastic_round(self.options.leaves, rng),
                rng,
                stop,
            );
            let score = report.score();
            let Some(turn) = report.turn().filter(|_| !is_proved(score)) else {
                break Some((score > 0, (WIN - score.abs()) as usize));
            };
            let key = is_quiet(&position).then(|| position.symmetric_key());
            records.push((key, Record::new(&position, score)));
            for leaf in leaves {
                block.extend(self.leaf(&leaf, &limits, stop));
            }
            match next(&position, turn) {
                Some(after) => position = after,
                None => break None,
            }
        };
        let length = records.len();
        for (index, (key, record)) in records.into_iter().enumerate() {
            let plies = length - index;
            let record = match end {
                Some((mover_wins, turns_left)) => {
                    let wins = mover_wins == plies.is_multiple_of(2);
                    record.with_result(wins, plies + turns_left)
                }
                None => record,
            };
            block.extend(key.map(|key| (key, record)));
        }
    }

    /// The record of a leaf, if it is quiet. Its result is known only if its search proves
    /// it.
    fn leaf(
        &mut self,
        position: &Position<N>,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Option<(u64, Record)> {
        if !is_quiet(position) {
            return None;
        }
        let report = self.engine.search(position, limits, stop, &mut |_| {});
        let score = report.score();
        let mut record = Record::new(position, score);
        if is_proved(score) {
            record = record.with_result(score > 0, (WIN - score.abs()) as usize);
        }
        Some((position.symmetric_key(), record))
    }
}

/// Rounds `average` up or down at random, so that the mean stays the same.
fn stochastic_round(average: f64, rng: &mut SeededRng) -> usize {
    let more = average.fract() > 0.0 && rng.random_bool(average.fract());
    average as usize + usize::from(more)
}

/// Whether neither player can win at once. Only the opponent is checked: if the mover can
/// win at once, the position is proved or was never evaluated.
fn is_quiet<const N: usize>(position: &Position<N>) -> bool {
    !position.with_players_swapped().has_win()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stochastic_rounding_keeps_the_mean() {
        let mut rng = seeded(4);
        let mut sum =
            |average| -> usize { (0..4000).map(|_| stochastic_round(average, &mut rng)).sum() };
        assert_eq!([sum(0.0), sum(3.0)], [0, 12_000]);
        // The standard deviation is 23.
        assert!((480..720).contains(&sum(0.15)));
        assert!((8480..8720).contains(&sum(2.15)));
    }
}
