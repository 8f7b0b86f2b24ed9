//! Corrupted files of all kinds: each is read as the program reads it, and the content is
//! used. Nothing may panic.
//!
//! | what | where |
//! |---|---|
//! | the kinds, reading corrupted files of each | `mod.rs` (here) |
//! | fragments that are inserted often | `fragments.rs` |
//! | networks and training data | `learning.rs` |
//! | records of tournaments and servers | `records.rs` |
//! | Q-tables | `q_tables.rs` |

mod fragments;
mod learning;
pub mod q_tables;
mod records;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::openings::{OpeningNumber, Openings};
use santorini::protocol::exchange::write_board;
use santorini::rules::{Position, Turn};
use santorini::train::params::file::ParamsFile;

use super::mutator::Mutator;
use super::{on_each_core, peak_memory};
pub use fragments::{BYTES, TEXT};
use learning::{networks, training_data, use_network, use_training_data};
use records::{resume_server, served, tournament, use_records};

/// A kind of file.
struct Kind {
    name: &'static str,
    likely: &'static [&'static [u8]],
    /// Some valid files.
    good: fn(&Path) -> Vec<Vec<u8>>,
    /// Reads and uses a file, given as bytes and as a path. Returns whether it was
    /// accepted.
    read: fn(&[u8], &Path) -> bool,
    /// Updates the checksum.
    repair: fn(&mut Vec<u8>),
}

const KINDS: [Kind; 7] = [
    Kind {
        name: "network",
        likely: BYTES,
        good: |_| networks(),
        read: |bytes, _| {
            use_network::<5>(bytes, START)
                | use_network::<5>(bytes, CARDS)
                | use_network::<6>(bytes, START_6X6)
        },
        repair: |_| {},
    },
    Kind {
        name: "training data",
        likely: BYTES,
        good: training_data,
        read: |_, path| use_training_data::<5>(path) | use_training_data::<6>(path),
        repair: |_| {},
    },
    Kind {
        name: "records of a tournament",
        likely: TEXT,
        good: |_| vec![tournament()],
        read: use_records,
        repair: |_| {},
    },
    Kind {
        name: "records of a server",
        likely: TEXT,
        good: |_| vec![served()],
        read: |bytes, path| resume_server(path) | use_records(bytes, path),
        repair: |_| {},
    },
    Kind {
        name: "Q-table",
        likely: BYTES,
        good: q_tables::good,
        read: |_, path| q_tables::read(path),
        repair: q_tables::update_checksum,
    },
    Kind {
        name: "openings",
        likely: TEXT,
        good: |_| vec![openings()],
        read: |bytes, _| {
            let openings = std::str::from_utf8(bytes).map(|text| Openings::from_lines(text, 1));
            let openings = openings.ok().and_then(Result::ok);
            openings.is_some_and(|openings| {
                openings
                    .board(OpeningNumber::of_one_game(3), [None; 2])
                    .is_some()
            })
        },
        repair: |_| {},
    },
    Kind {
        name: "search parameters",
        likely: TEXT,
        good: |_| {
            vec![b"# mine\npairs 7\nrun --x 'a b'\nclimb_value 3000.5\nreduction_base -50\n".into()]
        },
        read: |bytes, _| {
            let file = std::str::from_utf8(bytes).map(str::parse::<ParamsFile>);
            let file = file.ok().and_then(Result::ok);
            file.is_some_and(|file| {
                file.params(santorini::search::Params::DEFAULT);
                file.to_string().parse::<ParamsFile>().is_ok()
            })
        },
        repair: |_| {},
    },
];

const START: &str = "00000/00010/00000/00000/00000 b3d3 c2c4 1";
const START_6X6: &str = "000000/000010/000004/000000/000000/000000 b3d3 c2c4 5";
const CARDS: &str = "00000/00010/00000/00000/00000 b3d3 c2c4 1 Pan Apollo";

/// The turns and boards of a random game from a board.
fn random_game<const N: usize>(start: &str) -> (Vec<Turn>, Vec<Position<N>>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut positions: Vec<Position<N>> = vec![start.parse().unwrap()];
    let mut turns = Vec::new();
    while let Some(turn) = positions[turns.len()].random_turn(&mut rng) {
        turns.push(turn);
        if turn.wins() {
            break;
        }
        positions.push(positions[turns.len() - 1].play(turn));
    }
    (turns, positions)
}

fn openings() -> Vec<u8> {
    let board = write_board(&START.parse::<Position<5>>().unwrap());
    format!("# two\n{START}\n\n{board}\n{CARDS}\n").into_bytes()
}

/// The number of files tried of a kind, and the results.
#[derive(Debug, Default)]
struct Tally {
    inputs: u64,
    taken: u64,
    slowest: Duration,
}

/// Prints the file if reading it panics.
struct PrintOnPanic<'a>(&'a Kind, &'a [u8]);

impl Drop for PrintOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}: {:?}", self.0.name, String::from_utf8_lossy(self.1));
            println!("{:?}", self.1);
        }
    }
}

fn read(kind: &Kind, bytes: &[u8], path: &Path, tally: &mut Tally) -> bool {
    let _print = PrintOnPanic(kind, bytes);
    fs::write(path, bytes).unwrap();
    let start = Instant::now();
    let taken = (kind.read)(bytes, path);
    tally.slowest = tally.slowest.max(start.elapsed());
    tally.inputs += 1;
    tally.taken += u64::from(taken);
    taken
}

/// Reads this many corrupted files.
fn run(kind: &Kind, seed: u64, inputs: u64) -> Tally {
    // Files in memory are created much faster than on disk.
    let memory = Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    let folder = folder.unwrap();
    let path = folder.path().join("file");
    let mut tally = Tally::default();
    let good = (kind.good)(folder.path());
    for bytes in &good {
        assert!(
            read(kind, bytes, &path, &mut tally),
            "{} is good",
            kind.name
        );
    }
    let mut mutator = Mutator::new(seed, kind.likely);
    for _ in 0..inputs {
        let mut bytes = mutator.pick(&good).clone();
        let length = bytes.len();
        let other = mutator.pick(&good);
        mutator.corrupt(&mut bytes, other);
        // In files with fixed positions more are valid if nothing moves.
        if mutator.once_in(2) {
            bytes.resize(length, 0);
        }
        if mutator.once_in(2) {
            (kind.repair)(&mut bytes);
        }
        read(kind, &bytes, &path, &mut tally);
    }
    tally
}

/// Reads this many corrupted files of each kind, on all cores.
pub fn corrupt(inputs: u64) {
    for kind in &KINDS {
        let start = Instant::now();
        let tallies = on_each_core(inputs, |seed, inputs| run(kind, seed, inputs));
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{}: {seconds:.1} s, at most {} MiB",
            kind.name,
            peak_memory()
        );
        println!("{tallies:?}");
    }
}
