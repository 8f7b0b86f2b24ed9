//! The commands `train` and `datagen`.

use std::fs;

use santorini::eval::network::{Network, Networks};
use santorini::rules::Position;

use super::{run_in, self_play, write};
use crate::program::{Program, Signal, santorini_in, signal, wait_until};

#[test]
fn the_command_writes_a_network_and_its_learning_curve() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&self_play(), 1000, &path("data"));
    let words = "train --epochs 2 --curve curve.svg --out net data";
    let (done, told) = run_in(&folder, words);
    assert!(done, "{told}");
    let network = fs::read(path("net")).unwrap();
    assert!(Network::<5>::from_bytes(&network).is_ok());
    let curve = fs::read_to_string(path("curve.svg")).unwrap();
    assert!(curve.starts_with("<svg") && curve.contains("validation"));
}

#[test]
fn interrupted_commands_report_it_and_keep_complete_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&self_play(), 1000, &path("data"));
    let interrupted_at = |line: &str, words: &str| {
        let program = Program::start(santorini_in(folder.path(), words));
        while !program.line().contains(line) {}
        signal(program.id(), Signal::SIGINT);
        let ended = program.end();
        assert_eq!(ended.code, Some(130), "{ended:?}");
        ended.errors.join("\n")
    };
    let words = "train --epochs 100000 --batch 50 --curve curve.svg --out net data";
    let told = interrupted_at("epoch   2 ", words);
    assert!(told.contains("of 100000 epochs"), "{told}");
    let network = fs::read(path("net")).unwrap();
    assert!(Network::<5>::from_bytes(&network).is_ok());
    assert!(path("curve.svg").exists());

    // The network of the next run does not replace it.
    interrupted_at("epoch   2 ", words);
    assert!(fs::read(path("net")).unwrap() == network);
    let unfinished = fs::read(path("net.unfinished")).unwrap();
    assert!(Network::<5>::from_bytes(&unfinished).is_ok());

    // Incomplete data is reported.
    let words = "datagen --records 100000000 --nodes 150 --eval tuned --threads 1 more";
    let program = Program::start(santorini_in(folder.path(), words));
    wait_until("some positions", || {
        path("more")
            .metadata()
            .is_ok_and(|found| found.len() > 1000)
    });
    signal(program.id(), Signal::SIGINT);
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
    assert!(fs::read(path("net")).unwrap() == network);
}

#[test]
fn a_network_for_6x6_is_trained_and_plays_only_there() {
    let folder = tempfile::tempdir().unwrap();
    let santorini = |arguments: &str| run_in(&folder, arguments);
    let options = "--eval tuned --records 1000 --nodes 100 --threads 2";
    let (done, error) = santorini(&format!("datagen --board 6 {options} data6"));
    assert!(done, "{error}");
    let (done, error) = santorini("train --epochs 1 --out net6 data6");
    assert!(done, "{error}");

    // No card weights were learned.
    let bytes = fs::read(folder.path().join("net6")).unwrap();
    let network = Network::<6>::from_bytes(&bytes).unwrap();
    assert_eq!(network.to_bytes(), bytes);
    let text = "010100/100004/010120/111400/113100/000003 f6c5 a3b5 12";
    let plain: Position<6> = text.parse().unwrap();
    let carded: Position<6> = format!("{text} Pan Apollo").parse().unwrap();
    assert_eq!(network.evaluate(&plain), network.evaluate(&carded));

    let (done, error) = santorini("train --epochs 1 --start net6 --out again6 data6");
    assert!(done, "{error}");
    let again = fs::read(folder.path().join("again6")).unwrap();
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
