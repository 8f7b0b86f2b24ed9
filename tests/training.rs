//! Data generation and training from outside: they repeat, go on where they
//! stopped, and what comes out evaluates positions.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use santorini::eval::network::{Network, Networks};
use santorini::eval::{EvalKind, Weights};
use santorini::rules::Position;
use santorini::train::datagen::{DatagenOptions, generate};
use santorini::train::model::Model;
use santorini::train::samples;
use santorini::train::trainer::{Epoch, TrainOptions, train};

fn options(records: u64, threads: usize) -> DatagenOptions {
    DatagenOptions {
        eval: EvalKind::Weighted(Weights::TUNED),
        nodes: 150,
        records,
        random_turns: 8,
        leaves: 1.5,
        card_tenths: 3,
        seed: 5,
        threads,
    }
}

#[test]
fn data_is_the_same_for_any_threads_and_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let pieces = folder.path().join("pieces");
    let never = AtomicBool::new(false);
    let progress = generate::<5>(&options(3000, 2), &whole, &never, |_| {}).unwrap();
    assert!(progress.records >= 3000);

    let stop = AtomicBool::new(false);
    generate::<5>(&options(3000, 1), &pieces, &stop, |progress| {
        stop.store(progress.records > 0, Ordering::Relaxed);
    })
    .unwrap();
    let first = std::fs::read(&pieces).unwrap();
    generate::<5>(&options(3000, 1), &pieces, &never, |_| {}).unwrap();
    let (whole, pieces) = (
        std::fs::read(whole).unwrap(),
        std::fs::read(pieces).unwrap(),
    );
    assert!(first.len() < whole.len() && whole.starts_with(&first));
    assert_eq!(whole, pieces);
}

#[test]
fn training_lowers_the_loss_and_repeats_for_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    generate::<5>(&options(6000, 2), &path, &AtomicBool::new(false), |_| {}).unwrap();
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
        let model = train(samples.clone(), None, &options, |epoch| {
            losses.push(*epoch);
            true
        });
        (model.quantise(), losses)
    };
    let (network, losses) = run(1);
    assert_eq!((network.clone(), losses.clone()), run(2));
    assert!(losses[2].training < losses[0].training - 0.01, "{losses:?}");
    let bytes = network.to_bytes();
    assert_eq!(Network::<5>::from_bytes(&bytes), Ok(network.clone()));
    assert!(Network::<5>::from_bytes(&bytes[1..]).is_err());
    assert!(Network::<5>::from_bytes(&bytes[..bytes.len() - 1]).is_err());

    let again = Model::of(&network);
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
fn cards_are_learned_on_top_of_the_base_game_and_leave_it_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let data = |name, card_tenths| {
        let path = folder.path().join(name);
        let options = DatagenOptions {
            card_tenths,
            ..options(2000, 2)
        };
        generate::<5>(&options, &path, &AtomicBool::new(false), |_| {}).unwrap();
        samples::load::<5>(&path).unwrap()
    };
    let options = TrainOptions {
        epochs: 1,
        ..TrainOptions::default()
    };
    let base = train(data("base", 0), None, &options, |_| true);
    let cards = train(data("cards", 10), Some(base.clone()), &options, |_| true);
    let [base, cards] = [base, cards].map(|model| model.quantise());

    let position: Position<5> = "00000/01200/02100/00000/00000 b3c2 a1e5 12"
        .parse()
        .unwrap();
    assert_eq!(base.evaluate(&position), cards.evaluate(&position));
    let with_cards: Position<5> = "00000/01200/02100/00000/00000 b3c2 a1e5 12 Pan Apollo"
        .parse()
        .unwrap();
    assert_eq!(base.evaluate(&with_cards), base.evaluate(&position));
    assert_ne!(cards.evaluate(&with_cards), base.evaluate(&with_cards));
}

#[test]
fn the_command_writes_a_network_and_its_learning_curve() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let never = AtomicBool::new(false);
    generate::<5>(&options(1000, 2), &path("data"), &never, |_| {}).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_santorini"))
        .current_dir(folder.path())
        .args([
            "train",
            "--epochs",
            "2",
            "--curve",
            "curve.svg",
            "--out",
            "net",
            "data",
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let network = std::fs::read(path("net")).unwrap();
    assert!(Network::<5>::from_bytes(&network).is_ok());
    let curve = std::fs::read_to_string(path("curve.svg")).unwrap();
    assert!(curve.starts_with("<svg") && curve.contains("validation"));
}

#[test]
fn a_network_of_the_larger_board_is_learned_and_plays_on_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let santorini = |arguments: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_santorini"))
            .current_dir(folder.path())
            .args(arguments.split_whitespace())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        (output.status.success(), error)
    };
    let options = "--eval tuned --records 1000 --nodes 100 --threads 2";
    let (done, error) = santorini(&format!("datagen --board 6 {options} data6"));
    assert!(done, "{error}");
    let (done, error) = santorini("train --epochs 1 --out net6 data6");
    assert!(done, "{error}");

    // Nothing with cards was learned, so the file has no rows of them.
    let bytes = std::fs::read(folder.path().join("net6")).unwrap();
    assert!(bytes.len() < 300_000, "{}", bytes.len());
    let network = Network::<6>::from_bytes(&bytes).unwrap();
    assert_eq!(network.to_bytes(), bytes);
    let text = "010100/100004/010120/111400/113100/000003 f6c5 a3b5 12";
    let plain: Position<6> = text.parse().unwrap();
    let carded: Position<6> = format!("{text} Pan Apollo").parse().unwrap();
    assert_eq!(network.evaluate(&plain), network.evaluate(&carded));

    // Nor is anything of cards in what is learned on top of it.
    let (done, error) = santorini("train --epochs 1 --start net6 --out again6 data6");
    assert!(done, "{error}");
    let again = std::fs::read(folder.path().join("again6")).unwrap();
    assert!(again.len() == bytes.len() && again != bytes);

    let error = Network::<5>::from_bytes(&bytes).unwrap_err().to_string();
    assert!(error.contains("6x6") && error.contains("5x5"), "{error}");
    let networks = Networks::embedded().with_file(&bytes).unwrap();
    assert_eq!(networks.for_board::<6>(), &network);
    let embedded = Networks::embedded();
    assert_eq!(networks.for_board::<5>(), embedded.for_board::<5>());
    assert_ne!(networks, embedded);

    // Data of the two sizes do not mix.
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
