//! Data generation and training through commands: results are reproducible, interrupted
//! work resumes, and trained networks evaluate positions.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::eval::network::{Network, Networks};
use santorini::eval::{EvalKind, Weights};
use santorini::jobs::NEVER;
use santorini::rules::{Card, Position};
use santorini::shard::Shard;
use santorini::train::datagen::{DatagenOptions, DatagenProgress, generate};
use santorini::train::labels::LabelOptions;
use santorini::train::merge::merge_data;
use santorini::train::model::Model;
use santorini::train::pairs::{mean_curve, train_pairs};
use santorini::train::samples;
use santorini::train::self_play::SelfPlay;
use santorini::train::start::{StartError, start, start_pairs};
use santorini::train::trainer::{Epoch, TrainOptions, train};

use crate::program::{Program, SANTORINI, run, santorini, wait_until};

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

#[test]
fn data_is_the_same_for_any_threads_and_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let pieces = folder.path().join("pieces");
    let games = SelfPlay {
        cards: true,
        ..self_play()
    };
    let progress = generate::<5>(&games, &options(3000, 2), &whole, &NEVER, |_| {}).unwrap();
    assert!(progress.records >= 3000 && progress.is_whole);

    let stop = AtomicBool::new(false);
    let progress = generate::<5>(&games, &options(3000, 1), &pieces, &stop, |progress| {
        stop.store(progress.records > 0, Ordering::Relaxed);
    });
    assert!(!progress.unwrap().is_whole);
    let first = std::fs::read(&pieces).unwrap();
    generate::<5>(&games, &options(3000, 1), &pieces, &NEVER, |_| {}).unwrap();
    let (whole, pieces) = (
        std::fs::read(whole).unwrap(),
        std::fs::read(pieces).unwrap(),
    );
    let first = without_end_mark(&first);
    assert!(first.len() < whole.len() && whole.starts_with(first));
    assert_eq!(whole, pieces);
}

/// A file of training data up to its end mark: a number and a checksum.
fn without_end_mark(file: &[u8]) -> &[u8] {
    &file[..file.len() - 12]
}

#[test]
fn merged_shares_equal_the_data_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let make = |records, shard: &str, name: &str| {
        let games = SelfPlay {
            shard: shard.parse().unwrap(),
            ..self_play()
        };
        write(&games, records, &path(name))
    };
    let whole = make(9000, "1/1", "whole");
    // The second share ends before the others.
    make(4500, "1/3", "one");
    make(800, "2/3", "two");
    make(4500, "3/3", "three");
    let shares = ["three", "one", "two"].map(path);
    let merged = merge_data::<5>(&shares, &path("merged")).unwrap();
    let [whole_file, merged_file] =
        ["whole", "merged"].map(|name| std::fs::read(path(name)).unwrap());
    assert!(merged_file.len() > 20_000 && whole_file.starts_with(without_end_mark(&merged_file)));
    assert!(merged.records < whole.records);
    assert_eq!(merged.shortest, "2/3");
    assert!(merged.left_out["3/3"] > 0 && !merged.left_out.contains_key("2/3"));
    // It resumes as data of one machine.
    make(9000, "1/1", "merged");
    assert_eq!(std::fs::read(path("merged")).unwrap(), whole_file);

    // The error names a damaged share; no file is left behind.
    std::fs::remove_file(path("merged")).unwrap();
    let damaged = path("damaged");
    let mut bytes = std::fs::read(&shares[1]).unwrap();
    bytes[500..900].fill(0xff);
    std::fs::write(&damaged, bytes).unwrap();
    let [damaged, merged] = [&damaged, &path("merged")].map(|path| path.display().to_string());
    let [two, three] = [0, 2].map(|share| shares[share].display().to_string());
    let output = run(
        &["datagen", "merge", "--out", &merged, &damaged, &two, &three],
        "",
    );
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains(&format!("{damaged}: damaged training data")),
        "{errors}"
    );
    let left = std::fs::read_dir(folder.path()).unwrap();
    let names = left.map(|it| it.unwrap().file_name().into_string().unwrap());
    assert!(
        names
            .into_iter()
            .all(|name| name != "merged" && !name.ends_with("unfinished"))
    );

    let refused = |paths: &[&str]| {
        let paths: Vec<_> = paths.iter().map(|name| path(name)).collect();
        merge_data::<5>(&paths, &path("no"))
            .unwrap_err()
            .to_string()
    };
    assert!(refused(&["one", "two"]).contains("share 1/3: all 3 shares are needed, not 2"));
    assert!(refused(&["one", "two", "one"]).contains("one: share 1/3 is given twice"));
    assert!(refused(&["whole", "two", "one"]).contains("whole: not a share"));
    assert!(!path("no").exists());
}

#[test]
fn training_lowers_the_loss_and_repeats_for_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    write(&self_play(), 6000, &path);
    let samples = samples::load::<5>(&path).unwrap();
    let unknown = samples.iter().filter(|sample| sample.wins.is_none());
    assert!(
        unknown.count() > 1000,
        "there are positions without a result"
    );
    let run = |threads| {
        let mut losses: Vec<Epoch> = Vec::new();
        let options = TrainOptions {
            epochs: 3,
            batch: 64,
            learning_rate: 4e-3,
            threads,
            ..TrainOptions::default()
        };
        let first = start(&samples, None, Some(64), 1).unwrap();
        let model = train(&samples, first, &options, &NEVER, |epoch| {
            losses.push(*epoch);
        })
        .unwrap();
        (model.quantise(), losses)
    };
    let (network, losses) = run(1);
    assert_eq!((network.clone(), losses.clone()), run(2));
    assert!(losses[2].training < losses[0].training - 0.01, "{losses:?}");
    let bytes = network.to_bytes();
    assert_eq!(Network::<5>::from_bytes(&bytes), Ok(network.clone()));
    assert!(Network::<5>::from_bytes(&bytes[1..]).is_err());
    assert!(Network::<5>::from_bytes(&bytes[..bytes.len() - 1]).is_err());

    let again = Model::from_network(&network);
    assert_eq!(again.quantise(), network);

    let higher: Position<5> = "00000/01200/02100/00000/00000 b3c2 a1e5 12"
        .parse()
        .unwrap();
    let (value, opposite) = (
        network.evaluate(&higher),
        network.evaluate(&higher.with_players_swapped()),
    );
    assert!(
        value > opposite,
        "standing on level 2 is good: {value}, {opposite}"
    );
}

#[test]
fn training_with_cards_starts_from_a_base_network() {
    let folder = tempfile::tempdir().unwrap();
    let data = |name, cards| {
        let path = folder.path().join(name);
        let games = SelfPlay {
            cards,
            ..self_play()
        };
        write(&games, 1000, &path);
        samples::load::<5>(&path).unwrap()
    };
    let (plain, carded) = (data("base", false), data("cards", true));
    let options = TrainOptions {
        epochs: 4,
        ..TrainOptions::default()
    };
    let first = start(&plain, None, Some(64), 1).unwrap();
    let trained = train(&plain, first, &options, &NEVER, |_| ());
    let base = trained.unwrap().quantise();
    let first = start(&carded, Some(&base), None, 1).unwrap();
    let position: Position<5> = "00000/01200/02100/00000/00000 b3c2 a1e5 12"
        .parse()
        .unwrap();
    let with_cards: Position<5> = "00000/01200/02100/00000/00000 b3c2 a1e5 12 Pan Apollo"
        .parse()
        .unwrap();
    let known = base.evaluate(&position);
    assert_eq!(base.evaluate(&with_cards), known);
    assert_eq!(first.quantise().evaluate(&with_cards), known);
    let trained = train(&carded, first, &options, &NEVER, |_| ());
    let cards = trained.unwrap().quantise();
    // A single position may keep its value by chance.
    let values = ["Pan Apollo", "Atlas Demeter", "Minotaur Artemis"].map(|pair| {
        let text = format!("00000/01200/02100/00000/00000 b3c2 a1e5 12 {pair}");
        cards.evaluate(&text.parse::<Position<5>>().unwrap())
    });
    assert_ne!(values, [known; 3]);

    let error = |samples: &[_], from, hidden| start(samples, from, hidden, 1).err();
    let back = error(&plain, Some(&cards), None);
    assert_eq!(back, Some(StartError::CardsToBase));
    let mixed = error(&[plain, carded.clone()].concat(), None, None);
    assert_eq!(mixed, Some(StartError::Mixed));
    assert_eq!(error(&[], None, None), Some(StartError::Empty));
    assert_eq!(
        error(&carded, None, Some(100)),
        Some(StartError::HiddenUnits(100))
    );
    let narrower = error(&carded, Some(&cards), Some(32));
    let (found, wanted) = (64, 32);
    assert_eq!(narrower, Some(StartError::Narrower { found, wanted }));
}

#[test]
fn a_pair_of_cards_learns_from_its_games_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let data = |name: &str, cards| {
        let games = SelfPlay {
            cards,
            ..self_play()
        };
        write(&games, 2000, &path(name));
        samples::load::<5>(&path(name)).unwrap()
    };
    let (plain, carded) = (data("base", false), data("cards", true));
    let position: Position<5> = "00000/01200/02100/00000/00000 b3c2 a1e5 12 Pan Apollo"
        .parse()
        .unwrap();
    let all = Networks::embedded().for_position(&position).clone();
    let options = TrainOptions {
        epochs: 4,
        batch: 16,
        ..TrainOptions::default()
    };
    let run = |positions: &[_], threads| {
        let options = TrainOptions { threads, ..options };
        let mut curves = Vec::new();
        let from = start_pairs(positions, all.clone()).unwrap();
        let network = train_pairs(positions, from, &options, &NEVER, |curve| {
            curves.push(curve);
        });
        (network.unwrap(), curves)
    };
    let (network, curves) = run(&carded, 1);
    assert_eq!((network.clone(), curves.clone()), run(&carded, 2));
    let positions: usize = curves.iter().map(|curve| curve.positions).sum();
    assert_eq!(positions, carded.len());
    let pairs = curves.len();
    let mean = mean_curve(&curves);
    assert!(mean[3].training < mean[0].training, "{mean:?}");
    assert_ne!(network.evaluate(&position), all.evaluate(&position));

    let others = carded
        .iter()
        .filter(|it| !it.has_cards([Card::Apollo, Card::Pan]));
    let others: Vec<_> = others.copied().collect();
    let (network, curves) = run(&others, 2);
    assert_eq!(curves.len(), pairs - 1);
    assert_eq!(network.evaluate(&position), all.evaluate(&position));

    // A network without cards gives the same values until a pair has learned.
    let text = position.to_string().replace(" Pan Apollo", "");
    let without = Networks::embedded().for_position(&text.parse::<Position<5>>().unwrap());
    let from = start_pairs(&others, without.clone()).unwrap();
    assert!(!from.has_pairs());
    let learned = train_pairs(&others, from, &options, &NEVER, |_| {}).unwrap();
    assert!(learned.has_pairs());
    assert_eq!(learned.evaluate(&position), without.evaluate(&position));

    assert_eq!(
        start_pairs(&plain, all.clone()),
        Err(StartError::PairsOfBase)
    );
    let joint = start(&carded, Some(&network), None, 1).err();
    assert_eq!(joint, Some(StartError::Pairs));

    std::fs::write(path("all"), all.to_bytes()).unwrap();
    let words = "train --pairs --start all --epochs 1 --curve curve.svg --out net cards";
    let (done, told) = santorini_in(&folder, words);
    assert!(done, "{told}");
    // A line for all positions precedes those of the pairs.
    let lines = told.matches(" positions, score scale ").count();
    assert_eq!(lines, 1 + pairs, "{told}");
    assert!(
        told.contains(&format!("these {pairs} pairs: training ")),
        "{told}"
    );
    let network = Network::<5>::from_bytes(&std::fs::read(path("net")).unwrap());
    assert!(network.unwrap().has_pairs());
}

#[test]
fn a_widened_network_answers_much_as_before() {
    let network = Networks::embedded();
    let position: Position<5> = "01010/10000/01012/11140/11310 e2c5 a3b5 12"
        .parse()
        .unwrap();
    let network = network.for_position(&position);
    let hidden = 3 * network.hidden_units() / 2;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let wider = Model::from_network(network)
        .widened(hidden, &mut rng)
        .quantise();
    assert_eq!(wider.hidden_units(), hidden);
    let (before, after) = (network.evaluate(&position), wider.evaluate(&position));
    assert!((before - after).abs() < 25, "{before} {after}");
}

#[test]
fn the_command_writes_a_network_and_its_learning_curve() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&self_play(), 1000, &path("data"));
    let words = "train --epochs 2 --curve curve.svg --out net data";
    let (done, told) = santorini_in(&folder, words);
    assert!(done, "{told}");
    let network = std::fs::read(path("net")).unwrap();
    assert!(Network::<5>::from_bytes(&network).is_ok());
    let curve = std::fs::read_to_string(path("curve.svg")).unwrap();
    assert!(curve.starts_with("<svg") && curve.contains("validation"));
}

#[test]
fn interrupted_commands_report_it_and_keep_complete_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&self_play(), 1000, &path("data"));
    let interrupted_at = |line: &str, words: &str| {
        let mut command = santorini(&words.split_whitespace().collect::<Vec<_>>());
        command.current_dir(folder.path());
        let program = Program::start(command);
        while !program.line().contains(line) {}
        let id = Pid::from_raw(program.id() as i32);
        kill(id, Signal::SIGINT).unwrap();
        let ended = program.end();
        assert_eq!(ended.code, Some(130), "{ended:?}");
        ended.errors.join("\n")
    };
    let words = "train --epochs 100000 --batch 50 --curve curve.svg --out net data";
    let told = interrupted_at("epoch   2 ", words);
    assert!(told.contains("of 100000 epochs"), "{told}");
    let network = std::fs::read(path("net")).unwrap();
    assert!(Network::<5>::from_bytes(&network).is_ok());
    assert!(path("curve.svg").exists());

    // Incomplete data is reported.
    let words = "datagen --records 100000000 --nodes 150 --eval tuned --threads 1 more";
    let mut command = santorini(&words.split_whitespace().collect::<Vec<_>>());
    command.current_dir(folder.path());
    let program = Program::start(command);
    wait_until("some positions", || {
        path("more")
            .metadata()
            .is_ok_and(|found| found.len() > 1000)
    });
    kill(Pid::from_raw(program.id() as i32), Signal::SIGINT).unwrap();
    let ended = program.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let told = ended.errors.join("\n");
    assert!(
        told.contains("of 100000000 positions; the same command resumes more"),
        "{told}"
    );

    // A network that has learned nothing replaces no file. Batches of one position make
    // the first epoch long.
    let words = "train --epochs 2 --batch 1 --hidden 1024 --out net data";
    let told = interrupted_at("score scale", words);
    assert!(told.contains("no network is written"), "{told}");
    assert!(std::fs::read(path("net")).unwrap() == network);
}

#[test]
fn a_network_for_6x6_is_trained_and_plays_only_there() {
    let folder = tempfile::tempdir().unwrap();
    let santorini = |arguments: &str| santorini_in(&folder, arguments);
    let options = "--eval tuned --records 1000 --nodes 100 --threads 2";
    let (done, error) = santorini(&format!("datagen --board 6 {options} data6"));
    assert!(done, "{error}");
    let (done, error) = santorini("train --epochs 1 --out net6 data6");
    assert!(done, "{error}");

    // No card weights were learned.
    let bytes = std::fs::read(folder.path().join("net6")).unwrap();
    let network = Network::<6>::from_bytes(&bytes).unwrap();
    assert_eq!(network.to_bytes(), bytes);
    let text = "010100/100004/010120/111400/113100/000003 f6c5 a3b5 12";
    let plain: Position<6> = text.parse().unwrap();
    let carded: Position<6> = format!("{text} Pan Apollo").parse().unwrap();
    assert_eq!(network.evaluate(&plain), network.evaluate(&carded));

    let (done, error) = santorini("train --epochs 1 --start net6 --out again6 data6");
    assert!(done, "{error}");
    let again = std::fs::read(folder.path().join("again6")).unwrap();
    assert!(again.len() == bytes.len() && again != bytes);

    let error = Network::<5>::from_bytes(&bytes).unwrap_err().to_string();
    assert!(error.contains("6x6") && error.contains("5x5"), "{error}");
    let networks = Networks::embedded().with_file(&bytes).unwrap();
    assert_eq!(networks.for_position(&plain), &network);
    assert_eq!(networks.for_position(&carded), &network);
    let embedded = Networks::embedded();
    let small: Position<5> = "01010/10000/01012/11140/11310 e2c5 a3b5 12"
        .parse()
        .unwrap();
    let for_small = networks.for_position(&small);
    assert_eq!(for_small, embedded.for_position(&small));
    assert_ne!(networks, embedded);

    // Data of the two board sizes cannot be mixed.
    let (done, error) = santorini(&format!("datagen {options} data6"));
    assert!(!done && error.contains("data6"), "{error}");
    let (done, error) = santorini(&format!("datagen {options} data5"));
    assert!(done, "{error}");
    let (done, error) = santorini("train --epochs 1 --out net data6 data5");
    assert!(
        !done && error.contains("data5: training data of 5x5"),
        "{error}"
    );
}

#[test]
fn recorded_games_of_any_player_become_training_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let random = format!("{SANTORINI} fake-player random");
    let play = |output: &str, more: &[&str]| {
        let words = [&["tournament", "--rounds", "20", "--output", output], more].concat();
        let words = [&words[..], &[&random, &random]].concat();
        let ended = santorini(&words).current_dir(folder.path()).output();
        assert!(ended.unwrap().status.success());
    };
    play("games", &["--openings", "3"]);
    let words = "datagen games --eval tuned --nodes 100 games";
    for (name, threads) in [("one", 1), ("two", 2)] {
        let words = format!("{words} --threads {threads} --out {name}");
        let (done, told) = santorini_in(&folder, &words);
        assert!(done && told.contains(" of 40 games in "), "{told}");
    }
    let whole = std::fs::read(path("one")).unwrap();
    assert_eq!(std::fs::read(path("two")).unwrap(), whole);
    let known = samples::load::<5>(&path("one")).unwrap();
    assert!(known.len() > 100, "{}", known.len());
    assert!(known.iter().any(|it| it.wins.is_some()));

    // A truncated file is completed, but only from the same games.
    std::fs::write(path("two"), &whole[..whole.len() - 40]).unwrap();
    let (done, told) = santorini_in(&folder, &format!("{words} --out two"));
    assert!(done, "{told}");
    assert_eq!(std::fs::read(path("two")).unwrap(), whole);
    play("others", &["--seed", "2", "--openings", "3"]);
    let (done, told) = santorini_in(&folder, &format!("{words} others --out two"));
    assert!(!done && told.contains("of 80 games"), "{told}");
    let (done, told) = santorini_in(&folder, "train --epochs 1 --out net one");
    assert!(done, "{told}");

    play("carded", &["--cards", "Pan", "Atlas"]);
    let (done, told) = santorini_in(&folder, &format!("{words} carded --out three"));
    assert!(
        !done && told.contains("carded, game 1 is with cards"),
        "{told}"
    );
    std::fs::write(path("empty"), "").unwrap();
    let (done, told) = santorini_in(&folder, "datagen games empty --out three");
    assert!(!done && told.contains("there is no game"), "{told}");
    assert!(!path("three").exists());
}

/// Runs the program in a folder. Returns whether it succeeded, and its standard output
/// followed by its standard error.
fn santorini_in(folder: &tempfile::TempDir, arguments: &str) -> (bool, String) {
    let output = santorini(&arguments.split_whitespace().collect::<Vec<_>>())
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(told).unwrap())
}
