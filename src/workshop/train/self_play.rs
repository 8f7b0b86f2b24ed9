//! Self-play: games of the engine against itself, to learn from.
//!
//! Games start from random placements and a few random turns; if that is wanted,
//! from the one of several that is nearest to even. The engine plays them with a
//! fixed number of nodes a turn, so they are the same on every machine.

use std::iter;
use std::sync::atomic::AtomicBool;

use rand_xoshiro::Xoshiro256PlusPlus;

use super::datagen::GameSource;
use super::labels::{Block, LabelOptions, Labeller};
use super::merge::shard_settings;
use super::opening::{opening, random_pair};
use crate::eval::network::features::FeatureSet;
use crate::rules::Position;
use crate::shard::Shard;

/// Which games are played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// How the recorded positions are scored.
    pub labels: LabelOptions,
    /// The most random turns at the start of a game.
    pub random_turns: u32,
    /// How many openings are drawn for each game: the one nearest to even is played.
    pub candidates: u32,
    /// Whether each game has a random pair of cards.
    pub cards: bool,
    /// Which blocks of games are played: all, or those of one machine.
    pub shard: Shard,
}

/// The games of one block of the file.
const GAMES_A_BLOCK: u64 = 32;

/// A candidate for an opening is searched with the nodes of a turn, divided by this.
/// Fewer nodes hardly tell which is even (eval/network/TRIED.md).
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
        // So many that no number of one overflows.
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
            let start = self.opening(&mut labeller, &mut rng, stop);
            let next = |position: &Position<N>, best| Some(position.play(best));
            labeller.game(start, &mut rng, stop, &mut block, next);
        }
        block
    }
}

impl SelfPlay {
    /// Where a game starts: of random openings with the same cards the one nearest to
    /// even, as short searches see them.
    fn opening<const N: usize>(
        &self,
        labeller: &mut Labeller<N>,
        rng: &mut Xoshiro256PlusPlus,
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
    use rand::SeedableRng;

    use super::*;
    use crate::eval::{EvalKind, Weights};

    #[test]
    fn of_many_candidates_openings_are_nearer_to_even() {
        let stop = AtomicBool::new(false);
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
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
            let scores = (0..50).map(|_| {
                let position = play.opening(&mut labeller, &mut rng, &stop);
                labeller.score(&position, 2000, &stop).abs().min(1000)
            });
            scores.sum::<i32>() / 50
        };
        let (one, eight) = (spread(1), spread(8));
        assert!(eight < 2 * one / 3, "{one} {eight}");
    }
}
