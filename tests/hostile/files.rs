//! Corrupted files of all kinds: each is read like the program reads it, and the content
//! is used. Nothing may panic.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::draw::AnySource;
use santorini::eval::Evaluator;
use santorini::eval::network::features::FeatureSet;
use santorini::eval::network::{Network, NetworkEvaluator, NetworkWeights, Rows};
use santorini::lab::agent::Agent;
use santorini::lab::qlearning::{self, Learning, QLearning, Trainer};
use santorini::openings::{OpeningNumber, Openings};
use santorini::protocol::exchange::write_board;
use santorini::record::{Entry, GameRecord, Reader, RecordFile};
use santorini::rules::{Card, Position, Turn};
use santorini::server;
use santorini::tournament::{Results, Settings, TournamentSummary};
use santorini::train::data::{DataHeader, DataReader, DataWriter, Record};
use santorini::train::params::file::ParamsFile;
use santorini::train::samples::{self, ScoredPosition};
use santorini::train::targets::targets;
use serde_json::{Value, json};

use super::mutator::Mutator;
use super::{on_each_core, peak_memory};

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

pub const BYTES: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\x01",
    b"\x7f",
    b"\x80",
    b"\0\0\0\0",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\0\0\0\x80",
    b"\x01\0\0\0",
    b"\0\0\x10\0",
    b"\x01\0\x10\0",
    b"\0\0\x80\x3f",
    b"\0\0\xc0\x7f",
    b"\x20\0",
    b"\xff\x7f",
];

pub const TEXT: &[&[u8]] = &[
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b"\"",
    b"\\",
    b"\n",
    b" ",
    b"#",
    b"/",
    b"0",
    b"4",
    b"5",
    b"-1",
    b"1e999",
    b"1e18",
    b"0.5",
    b"-0.0",
    b"NaN",
    b"inf",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"18446744073709551615",
    b"18446744073709551616",
    b"null",
    b"true",
    b"\"\\ud800\"",
    b"\xff",
    b"\0",
    b"\r\n",
    b"a1",
    b"e5",
    b"f6",
    b"c3-c4+b4",
    b"Pan",
    b"\"Atlas\"",
    b"\"turn\":",
    b"\"start\":",
    b"\"turns\":[",
    b"\"game\":",
    b"\"winner\":",
    b"\"seconds\":[",
];

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
        read: |bytes, path| go_on_serving(path) | use_records(bytes, path),
        repair: |_| {},
    },
    Kind {
        name: "Q-table",
        likely: BYTES,
        good: q_tables,
        read: |_, path| use_q_table(path),
        repair: sum_again,
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
        name: "numbers of the search",
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

/// Networks with few and with many hidden units, with small weights and with weights that
/// saturate all hidden units.
fn networks() -> Vec<Vec<u8>> {
    fn network<const N: usize>(
        features: FeatureSet,
        hidden: usize,
        weight: fn(usize) -> i16,
    ) -> Vec<u8> {
        let rows = |count: usize| {
            let weights: Vec<i16> = (0..count * hidden).map(weight).collect();
            Rows::of(hidden, weights.into_iter())
        };
        let weights = NetworkWeights {
            features,
            rows: rows(features.rows::<N>()),
            changes: Cow::default(),
            output: rows(2 * features.output_layers()),
            output_bias: vec![7; features.output_layers()],
        };
        Network::<N>::new(weights).to_bytes()
    }
    let small = |index: usize| (index % 17) as i16 - 8;
    vec![
        network::<5>(FeatureSet::Base, 32, small),
        network::<5>(FeatureSet::Cards, 32, small),
        with_pairs(&network::<5>(FeatureSet::Cards, 32, small)),
        network::<6>(FeatureSet::Base, 32, small),
        network::<5>(FeatureSet::Base, 288, |_| 127),
    ]
}

/// The same network with weights for the card pair of [`CARDS`].
fn with_pairs(bytes: &[u8]) -> Vec<u8> {
    let pair = [Card::Pan, Card::Apollo];
    let network = Network::<5>::from_bytes(bytes).unwrap();
    let mut weights = network.weights().clone();
    weights.rows = weights.rows.chosen((0..weights.rows.count()).rev());
    let other = Network::<5>::new(weights).of_pair(pair);
    let network = network.with_pair(pair, &other);
    assert!(network.weights().changes.iter().any(|&change| change != 0));
    network.to_bytes()
}

fn use_network<const N: usize>(bytes: &[u8], start: &str) -> bool {
    let Ok(network) = Network::<N>::from_bytes(bytes) else {
        return false;
    };
    let (turns, positions) = random_game::<N>(start);
    let mut evaluator = NetworkEvaluator::new(&network, positions[0].cards());
    evaluator.reset(&positions[0]);
    assert!(positions.len() > 4);
    for (turn, position) in turns.iter().zip(&positions[1..]).take(4) {
        evaluator.push(*turn, position);
        assert_eq!(evaluator.evaluate(position), network.evaluate(position));
    }
    assert_eq!(network.to_bytes(), bytes);
    true
}

/// The path of a file to create and read.
fn made(folder: &Path) -> PathBuf {
    folder.join("made")
}

fn training_data(folder: &Path) -> Vec<Vec<u8>> {
    fn data<const N: usize>(path: &Path, starts: &[&str]) -> Vec<u8> {
        let settings = "--nodes 500".into();
        let header = DataHeader { size: N, settings };
        let mut writer = DataWriter::overwrite(path, &header).unwrap();
        for start in starts {
            let (_, positions) = random_game::<N>(start);
            let records = positions.iter().enumerate().map(|(index, position)| {
                let left = positions.len() - index;
                Record::new(position, 30).with_result(left.is_multiple_of(2), left)
            });
            writer.write(&records.take(5).collect::<Vec<_>>()).unwrap();
        }
        writer.end().unwrap();
        drop(writer);
        let bytes = fs::read(path).unwrap();
        fs::remove_file(path).unwrap();
        bytes
    }
    let path = made(folder);
    vec![
        data::<5>(&path, &[START, CARDS]),
        data::<6>(&path, &[START_6X6]),
    ]
}

fn use_training_data<const N: usize>(path: &Path) -> bool {
    let Ok(mut reader) = DataReader::open(path) else {
        return false;
    };
    while let Ok(Some(block)) = reader.block() {
        let _ = block.iter().map(ScoredPosition::<N>::of).count();
    }
    // Resuming may truncate the file.
    let settings = "--nodes 500".into();
    let header = DataHeader { size: N, settings };
    let _ = DataWriter::resume(path, &header);
    let Ok(samples) = samples::load::<N>(path) else {
        return false;
    };
    let symmetries = samples::symmetries::<N>();
    for (sample, target) in samples.iter().zip(targets(&samples, 0.7)) {
        assert!((0.0..=1.0).contains(&target), "{target}");
        sample.sample(sample.features(), &symmetries[3], target);
    }
    true
}

fn lines(values: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let lines = values.into_iter().map(|value| format!("{value}\n"));
    lines.collect::<String>().into_bytes()
}

/// Settings and two games, one of them with cards.
fn tournament() -> Vec<u8> {
    let game = |number: u64, start: &str| {
        let (turns, positions) = random_game::<5>(start);
        let texts: Vec<String> = turns
            .iter()
            .map(|turn| turn.text::<5>().to_string())
            .collect();
        let seconds = vec![0.25; texts.len()];
        json!({"game": number, "pair": 0, "players": ["a", "b"], "start": write_board(&positions[0]),
            "turns": texts, "seconds": seconds, "setup_seconds": [0.5, 1.0], "winner": number % 2,
            "ending": "win", "why": "x", "more": {"a": [1]}})
    };
    let mut with_cards = game(1, CARDS);
    with_cards["cards"] = json!(["Pan", "Apollo"]);
    let player = |name: &str| json!({"name": name, "command": format!("./{name} 'x y'")});
    let settings = json!({"players": [player("a"), player("b")], "rounds": 3, "time": 0.5, "grace": 0.1,
        "cards": "none", "openings": {"random": 2}, "seed": 1, "reuse": true, "shard": "1/1",
        "sprt": {"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}});
    lines([json!({"tournament": settings}), game(0, START), with_cards])
}

/// The header and a game of a server's results file.
fn served() -> Vec<u8> {
    let answers = [
        "1 1", "4 4", "5 5", "0 5", "1 1 2", "2 2", "1 4 3", "3 2", "1 2 2", "3 2", "1 5 3", "4 2",
        "1 3 2", "4 2", "1 4 3", "4 2", "1 4 2",
    ];
    let field = json!({"bots": ["ann", "bob"], "rounds": 1});
    let game = json!({"game": 0, "round": 0, "players": ["ann", "bob"], "start": null, "turns": [],
        "seconds": [], "winner": 0, "ending": "win", "answers": answers});
    lines([json!({"tournament": field}), game])
}

fn go_on_serving(path: &Path) -> bool {
    let Ok((file, Some(entries))) = RecordFile::resume(path) else {
        return false;
    };
    let resumed = server::ResultsFile::of_file(file, entries, path);
    resumed.is_ok_and(|(_, resumed)| resumed.is_some())
}

fn use_records(bytes: &[u8], path: &Path) -> bool {
    let mut reader = Reader::new(bytes, path);
    let entries: Vec<Entry> = reader.by_ref().map_while(Result::ok).collect();
    let settings = Settings::from_entries(&entries).ok();
    let names = ["a", "b", "ann", "bob"].map(str::to_owned).to_vec();
    let mut results = Results::new(settings.as_ref().map_or(names, Settings::names));
    let mut source = AnySource::default();
    let mut used = 0;
    for entry in &entries {
        if let Entry::Game(record) = entry {
            use_record(record);
            used += u32::from(results.add(record).is_ok());
            let value = serde_json::to_value(record).unwrap();
            let boards = source.add(&value);
            let scenes = boards.map(|boards| boards.scenes).unwrap_or_default();
            scenes
                .iter()
                .take(1)
                .for_each(|scene| drop(scene.svg(Default::default())));
        }
    }
    if let Some(settings) = &settings {
        let summary = TournamentSummary::of(settings, &results);
        serde_json::to_string(&summary).unwrap();
    }
    if let Ok((mut file, again)) = RecordFile::resume(path) {
        assert!(again == Some(entries));
        file.append(&json!({"tournament": 1})).unwrap();
    }
    used > 0
}

fn use_record(record: &GameRecord) {
    let replayed = record.replay::<5>().is_ok() || record.replay::<6>().is_ok();
    let again: GameRecord = serde_json::from_value(serde_json::to_value(record).unwrap()).unwrap();
    assert_eq!(
        again.replay::<5>().is_ok() || again.replay::<6>().is_ok(),
        replayed
    );
    assert!(record.player_of(1) != record.player_of(0));
    let _ = (record.size(), record.points(0), record.points(1));
}

fn q_tables(folder: &Path) -> Vec<Vec<u8>> {
    let learning = Learning {
        episodes: 2,
        ..Learning::default()
    };
    let mut trainer = Trainer::new(learning, 1);
    (0..2).for_each(|_| {
        trainer.episode();
    });
    let path = made(folder);
    qlearning::save(&trainer.into_table(), &path).unwrap();
    vec![fs::read(&path).unwrap()]
}

/// FNV-1a, the checksum of a Q-table.
#[allow(clippy::ptr_arg)] // One of the functions of a `Kind`.
fn sum_again(bytes: &mut Vec<u8>) {
    if let Some((body, sum)) = bytes.split_last_chunk_mut::<8>() {
        let add = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        *sum = body.iter().fold(0xcbf2_9ce4_8422_2325, add).to_le_bytes();
    }
}

fn use_q_table(path: &Path) -> bool {
    let Ok(table) = qlearning::load(path) else {
        return false;
    };
    let rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let table = Arc::new(table);
    let mut agent = QLearning { table, rng };
    let first = agent.place(None).unwrap();
    let second = agent.place(Some(first)).unwrap();
    let position = Position::start([first, second], [None; 2]).unwrap();
    assert!(position.turns().contains(&agent.turn(&position).unwrap()));
    true
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

/// Reports a file that caused a panic.
struct Tell<'a>(&'a Kind, &'a [u8]);

impl Drop for Tell<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}: {:?}", self.0.name, String::from_utf8_lossy(self.1));
            println!("{:?}", self.1);
        }
    }
}

fn read(kind: &Kind, bytes: &[u8], path: &Path, tally: &mut Tally) -> bool {
    let _tell = Tell(kind, bytes);
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
        mutator.spoil(&mut bytes, other);
        // In files with fixed positions more are valid if nothing has moved.
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
pub fn spoil(inputs: u64) {
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
