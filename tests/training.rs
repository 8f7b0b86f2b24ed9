//! Data generation and training from outside: they repeat, go on where they
//! stopped, and what comes out evaluates positions.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use santorini::eval::network::Network;
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
    let progress = generate(&options(3000, 2), &whole, &never, |_| {}).unwrap();
    assert!(progress.records >= 3000);

    let stop = AtomicBool::new(false);
    generate(&options(3000, 1), &pieces, &stop, |progress| {
        stop.store(progress.records > 0, Ordering::Relaxed);
    })
    .unwrap();
    let first = std::fs::read(&pieces).unwrap();
    generate(&options(3000, 1), &pieces, &never, |_| {}).unwrap();
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
    generate(&options(6000, 2), &path, &AtomicBool::new(false), |_| {}).unwrap();
    let samples = samples::load(&path).unwrap();
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
        generate(&options, &path, &AtomicBool::new(false), |_| {}).unwrap();
        samples::load(&path).unwrap()
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
    generate(&options(1000, 2), &path("data"), &never, |_| {}).unwrap();
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
