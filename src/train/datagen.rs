//! Self-play for training data.
//!
//! Games start from random placements and a few random turns; if that is wanted,
//! from the one of several that is nearest to even. The engine plays them with a
//! fixed number of nodes a turn, so they are the same on every machine. A position
//! is recorded if it is quiet: neither player can win at once, and no win is
//! proved. A game ends as soon as the search proves its outcome. Some leaves of
//! each search are recorded too, with the score of a search of their own.
//! Positions equal up to symmetry are recorded once.

use std::collections::HashSet;
use std::io;
use std::iter;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::data::{DataHeader, DataWriter, Record};
use super::leaves::search_with_leaves;
use super::merge::shard_settings;
use super::opening::{opening, random_pair};
use crate::eval::network::features::FeatureSet;
use crate::eval::{EvalKind, Weights};
use crate::fnv::Fnv;
use crate::jobs::Jobs;
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, WIN, is_proved};
use crate::shard::Shard;

/// What to generate.
#[derive(Clone, Debug)]
pub struct DatagenOptions {
    pub eval: EvalKind,
    /// Nodes a turn.
    pub nodes: u64,
    /// The least number of records wanted.
    pub records: u64,
    /// The most random turns at the start of a game.
    pub random_turns: u32,
    /// How many openings are drawn for each game: the one nearest to even is played.
    pub candidates: u32,
    /// The mean number of leaves recorded for each search.
    pub leaves: f64,
    /// Whether each game has a random pair of cards.
    pub cards: bool,
    pub seed: u64,
    pub threads: usize,
    /// Which blocks of games are played: all, or those of one machine.
    pub shard: Shard,
    /// Whether a file that exists is overwritten rather than resumed.
    pub overwrite: bool,
}

impl DatagenOptions {
    /// All that the records depend on, as options.
    fn settings<const N: usize>(&self) -> String {
        let Self {
            nodes,
            random_turns,
            candidates,
            leaves,
            seed,
            ..
        } = self;
        let cards = if self.cards { " --cards" } else { "" };
        let eval = self.eval_text::<N>();
        let settings = format!(
            "--board {N} --nodes {nodes} --random-turns {random_turns} --candidates {candidates} \
             --leaves {leaves}{cards} --seed {seed} --eval {eval}"
        );
        shard_settings(settings, self.shard)
    }

    /// The name of the evaluation. For a network it is the checksum, since a
    /// file name may stand for another network later.
    fn eval_text<const N: usize>(&self) -> String {
        let weights = [("tuned", Weights::TUNED), ("paper", Weights::PAPER)];
        match self.eval {
            EvalKind::Network(networks) => {
                let features = match self.cards {
                    true => FeatureSet::Cards,
                    false => FeatureSet::Base,
                };
                let network = networks.for_features::<N>(features);
                format!("network:{:016x}", Fnv::of(&network.to_bytes()))
            }
            EvalKind::Weighted(found) => match weights.iter().find(|(_, it)| *it == found) {
                Some((name, _)) => name.to_string(),
                None => format!("{found:?}"),
            },
        }
    }
}

/// The games of one block of the file.
const GAMES_A_BLOCK: u64 = 32;

/// A candidate for an opening is searched with the nodes of a turn, divided by this.
/// Fewer nodes hardly tell which is even (eval/network/TRIED.md).
const CANDIDATE_SHARE: u64 = 2;

/// The transposition table in MiB: plenty for a few thousand nodes.
const HASH_MIB: usize = 1;

/// The progress of a generation.
#[derive(Clone, Copy, Default, Debug)]
pub struct DatagenProgress {
    pub records: u64,
    pub games: u64,
    pub duplicates: u64,
}

/// The records of a block, each with its position's symmetric key.
type Block = Vec<(u64, Record)>;

/// Generates records of `N`x`N` boards into a file until there are enough or
/// `stop` is set. Resumes an earlier run with the same options. The records do
/// not depend on the number of threads.
///
/// # Errors
/// If the file cannot be read or written, or belongs to a run with other
/// options.
pub fn generate<const N: usize>(
    options: &DatagenOptions,
    path: &Path,
    stop: &AtomicBool,
    mut report: impl FnMut(&DatagenProgress),
) -> io::Result<DatagenProgress> {
    let header = DataHeader {
        size: N,
        settings: Some(options.settings::<N>()),
    };
    let (mut writer, blocks) = if options.overwrite {
        (DataWriter::overwrite(path, &header)?, Vec::new())
    } else {
        DataWriter::resume(path, &header)?
    };
    let mut seen = HashSet::new();
    let mut done = DatagenProgress::default();
    for block in &blocks {
        for record in block {
            seen.insert(record.position::<N>()?.symmetric_key());
        }
        done.records += block.len() as u64;
        done.games += GAMES_A_BLOCK;
    }
    let first_block = blocks.len() as u64;
    drop(blocks);
    report(&done);
    if done.records >= options.records {
        return Ok(done);
    }
    let jobs = Jobs {
        threads: options.threads.max(1),
        stop,
    };
    let play = |index| {
        let block = SelfPlay::<N>::new(options).block(options.shard.nth(index), stop);
        // A block played while stopping is not whole.
        (!jobs.is_stopped()).then_some(block)
    };
    // So many blocks that no number of one overflows.
    let end = u64::MAX / options.shard.parts()[1];
    let ended = jobs.run(first_block..end, play, |_, block: Option<Block>| {
        let mut block = block.ok_or(End::Done)?;
        let before = block.len();
        block.retain(|(key, _)| seen.insert(*key));
        done.duplicates += (before - block.len()) as u64;
        done.records += block.len() as u64;
        done.games += GAMES_A_BLOCK;
        report(&done);
        let records: Vec<Record> = block.into_iter().map(|(_, record)| record).collect();
        writer.write(&records).map_err(End::Failed)?;
        if done.records >= options.records {
            return Err(End::Done);
        }
        Ok(())
    });
    match ended {
        Err(End::Failed(error)) => Err(error),
        Ok(()) | Err(End::Done) => Ok(done),
    }
}

/// Why no more blocks are played.
enum End {
    /// There are enough records, or the work is to stop.
    Done,
    Failed(io::Error),
}

/// Plays the games of a block, the engine against itself.
struct SelfPlay<'a, const N: usize> {
    options: &'a DatagenOptions,
    engine: Engine<N>,
}

impl<'a, const N: usize> SelfPlay<'a, N> {
    fn new(options: &'a DatagenOptions) -> Self {
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

    /// Plays the games of a block. Its random numbers depend only on the seed and
    /// the number of the block.
    fn block(&mut self, index: u64, stop: &AtomicBool) -> Block {
        let seed = self.options.seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut block = Block::new();
        for _ in 0..GAMES_A_BLOCK {
            self.game(&mut rng, stop, &mut block);
        }
        block
    }

    /// Plays a game and appends its records.
    fn game(&mut self, rng: &mut Xoshiro256PlusPlus, stop: &AtomicBool, block: &mut Block) {
        let limits = Limits::nodes(self.options.nodes);
        let mut position = self.opening(rng, stop);
        self.engine.clear();
        let mut records: Vec<(Option<u64>, Record)> = Vec::new();
        // Whether the player to move wins at the end, and in how many turns.
        let (mover_wins, turns_left) = loop {
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
                break (score > 0, (WIN - score.abs()) as usize);
            };
            let key = is_quiet(&position).then(|| position.symmetric_key());
            records.push((key, Record::new(&position, score)));
            for leaf in leaves {
                block.extend(self.leaf(&leaf, &limits, stop));
            }
            position = position.play(turn);
        };
        let length = records.len();
        for (index, (key, record)) in records.into_iter().enumerate() {
            let plies = length - index;
            let wins = mover_wins == plies.is_multiple_of(2);
            if let Some(key) = key {
                block.push((key, record.with_result(wins, plies + turns_left)));
            }
        }
    }

    /// Where a game starts: of random openings with the same cards the one nearest to
    /// even, as short searches see them.
    fn opening(&mut self, rng: &mut Xoshiro256PlusPlus, stop: &AtomicBool) -> Position<N> {
        let DatagenOptions {
            random_turns,
            candidates,
            ..
        } = *self.options;
        let cards = match self.options.cards {
            true => random_pair(rng),
            false => [None; 2],
        };
        let first = opening(random_turns, cards, rng);
        if candidates <= 1 {
            return first;
        }
        let limits = Limits::nodes((self.options.nodes / CANDIDATE_SHARE).max(1));
        let others = (1..candidates).map(|_| opening(random_turns, cards, rng));
        iter::once(first)
            .chain(others)
            .min_by_key(|position| {
                self.engine.clear();
                let report = self.engine.search(position, &limits, stop, &mut |_| {});
                report.score().abs()
            })
            .expect("there is a first opening")
    }

    /// The record of a leaf, if it is quiet. The result is known only if its own
    /// search proves it.
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
fn stochastic_round(average: f64, rng: &mut Xoshiro256PlusPlus) -> usize {
    let more = average.fract() > 0.0 && rng.random_bool(average.fract());
    average as usize + usize::from(more)
}

/// Whether neither player can win at once. The mover cannot: the search would
/// have proved it.
fn is_quiet<const N: usize>(position: &Position<N>) -> bool {
    !position.with_players_swapped().has_win()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_candidates_openings_are_nearer_to_even() {
        let stop = AtomicBool::new(false);
        let spread = |candidates| -> i32 {
            let options = DatagenOptions {
                eval: EvalKind::Weighted(Weights::TUNED),
                nodes: 800,
                records: 0,
                random_turns: 6,
                candidates,
                leaves: 0.0,
                cards: true,
                seed: 1,
                threads: 1,
                shard: Shard::WHOLE,
                overwrite: false,
            };
            let mut play = SelfPlay::<5>::new(&options);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
            let scores = (0..50).map(|_| {
                let position = play.opening(&mut rng, &stop);
                play.engine.clear();
                let report = play.engine.best(&position, &Limits::nodes(2000));
                report.score().abs().min(1000)
            });
            scores.sum::<i32>() / 50
        };
        let (one, eight) = (spread(1), spread(8));
        assert!(eight < 2 * one / 3, "{one} {eight}");
    }

    #[test]
    fn stochastic_rounding_keeps_the_mean() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut sum =
            |average| -> usize { (0..4000).map(|_| stochastic_round(average, &mut rng)).sum() };
        assert_eq!([sum(0.0), sum(3.0)], [0, 12_000]);
        // The standard deviation is 23.
        assert!((480..720).contains(&sum(0.15)));
        assert!((8480..8720).contains(&sum(2.15)));
    }
}
