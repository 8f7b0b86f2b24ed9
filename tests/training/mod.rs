//! Training data and training: results are reproducible, interrupted work resumes, and
//! trained networks evaluate positions.
//!
//! | tested | where |
//! |---|---|
//! | training data: made, resumed, merged, from recorded games | `data.rs` |
//! | networks: trained, widened, with cards and for pairs of cards | `networks.rs` |
//! | the commands | `commands.rs` |

mod commands;
mod data;
mod networks;

use std::path::Path;

use santorini::eval::{EvalKind, Weights};
use santorini::jobs::NEVER;
use santorini::shard::Shard;
use santorini::train::data::DataReader;
use santorini::train::datagen::{DatagenOptions, DatagenProgress, generate};
use santorini::train::labels::LabelOptions;
use santorini::train::samples::{self, ScoredPosition};
use santorini::train::self_play::SelfPlay;
use tempfile::TempDir;

use crate::program::{errors, santorini_in, stdout};

fn options(records: u64, threads: usize) -> DatagenOptions {
    DatagenOptions {
        records,
        threads,
        overwrite: false,
    }
}

fn self_play() -> SelfPlay {
    SelfPlay {
        labels: LabelOptions {
            eval: EvalKind::Weighted(Weights::TUNED),
            nodes: 150,
            leaves: 1.5,
            seed: 5,
        },
        random_turns: 8,
        candidates: 2,
        cards: false,
        shard: Shard::WHOLE,
    }
}

/// Writes at least this many records of games.
fn write(games: &SelfPlay, records: u64, path: &Path) -> DatagenProgress {
    generate::<5>(games, &options(records, 2), path, &NEVER, |_| {}).unwrap()
}

/// All positions of a file.
fn positions(path: &Path) -> Vec<ScoredPosition<5>> {
    samples::read(&mut DataReader::open(path).unwrap()).unwrap()
}

/// Runs the program in a folder. Returns whether it succeeded, and its standard output
/// followed by its standard error.
fn run_in(folder: &TempDir, arguments: &str) -> (bool, String) {
    let output = santorini_in(folder.path(), arguments).output().unwrap();
    (output.status.success(), stdout(&output) + &errors(&output))
}
