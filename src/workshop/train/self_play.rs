//! Self-play: games of the engine against itself for training.
//!
//! Games start from random placements and a few random turns or, optionally, from the most
//! even of several such openings. The engine searches a fixed number of nodes per turn, so
//! the games are the same on every machine.

use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};

use super::datagen::GameSource;
use super::labels::{Block, LabelOptions, Labeller};
use super::merge::shard_settings;
use super::opening::opening;
use crate::eval::network::features::FeatureSet;
use crate::openings::balanced::random_pair;
use crate::rules::Position;
use crate::seeds::SeededRng;
use crate::shard::Shard;

/// The options of self-play.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// How the recorded positions are scored.
    pub labels: LabelOptions,
    /// The maximum number of random turns at the start of a game.
    pub random_turns: u32,
    /// The number of random openings per game. The most even one is played.
    pub candidates: u32,
    /// Whether each game has a random pair of cards.
    pub cards: bool,
    /// The share of the blocks to play: all, or one machine's.
    pub shard: Shard,
}

/// The number of games in a block of the file.
const GAMES_A_BLOCK: u64 = 32;

/// Candidate openings are searched with the nodes of a turn divided by this. With fewer
/// nodes, searches barely tell which openings are even (eval/network/TRIED.md).
const CANDIDATE_SHARE: u64 = 2;

impl<const N: usize> GameSource<N> for SelfPlay {
    fn settings(&self) -> String {
        let Self {
            labels,
            random_turns,
            candidates,
            ..
        } = self;
        let LabelOptions {
            nodes,
            leaves,
            seed,
            ..
        } = labels;
        let (cards, features) = match self.cards {
            true => (" --cards", FeatureSet::Cards),
            false => ("", FeatureSet::Base),
        };
        let eval = labels.eval_text::<N>(features);
        let settings = format!(
            "--board {N} --nodes {nodes} --random-turns {random_turns} --candidates {candidates} \
             --leaves {leaves}{cards} --seed {seed} --eval {eval}"
        );
        shard_settings(settings, self.shard)
    }

    fn blocks(&self) -> u64 {
        // The most for which no block number overflows.
        u64::MAX / self.shard.parts()[1]
    }

    fn games(&self, _: u64) -> u64 {
        GAMES_A_BLOCK
    }

    /// Plays the games of a block. Its random numbers depend only on the seed and
    /// the number of the block.
    fn block(&self, index: u64, stop: &AtomicBool) -> Block {
        let mut labeller = Labeller::<N>::new(&self.labels);
        let mut rng = self.labels.block_rng(self.shard.nth(index));
        let mut block = Block::new();
        for _ in 0..GAMES_A_BLOCK {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let start = self.opening(&mut labeller, &mut rng, stop);
            let next = |position: &Position<N>, best| Some(position.play(best));
            labeller.game(start, &mut rng, stop, &mut block, next);
        }
        block
    }
}

impl SelfPlay {
    /// The start of a game: the most even of several random openings with the same cards,
    /// judged by short searches.
    fn opening<const N: usize>(
        &self,
        labeller: &mut Labeller<N>,
        rng: &mut SeededRng,
        stop: &AtomicBool,
    ) -> Position<N> {
        let cards = match self.cards {
            true => random_pair(rng),
            false => [None; 2],
        };
        let first = opening(self.random_turns, cards, rng);
        if self.candidates <= 1 {
            return first;
        }
        let nodes = (self.labels.nodes / CANDIDATE_SHARE).max(1);
        let others = (1..self.candidates).map(|_| opening(self.random_turns, cards, rng));
        iter::once(first)
            .chain(others)
            .min_by_key(|position| labeller.score(position, nodes, stop).abs())
            .expect("there is a first opening")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::jobs::NEVER;
    use crate::seeds::seeded;

    #[test]
    fn more_candidates_give_more_even_openings() {
        let spread = |candidates| -> i32 {
            let play = SelfPlay {
                labels: LabelOptions {
                    eval: EvalKind::Weighted(Weights::TUNED),
                    nodes: 800,
                    leaves: 0.0,
                    seed: 1,
                },
                random_turns: 6,
                candidates,
                cards: true,
                shard: Shard::WHOLE,
            };
            let mut labeller = Labeller::<5>::new(&play.labels);
            let mut rng = seeded(2);
            let scores = (0..50).map(|_| {
                let position = play.opening(&mut labeller, &mut rng, &NEVER);
                labeller.score(&position, 2000, &NEVER).abs().min(1000)
            });
            scores.sum::<i32>() / 50
        };
        let (one, eight) = (spread(1), spread(8));
        assert!(eight < 2 * one / 3, "{one} {eight}");
    }
}
