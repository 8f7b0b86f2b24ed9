//! Networks: trained, widened, with cards, and for single pairs of cards.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::eval::network::{Network, Networks};
use santorini::jobs::NEVER;
use santorini::rules::{Card, Position};
use santorini::train::model::Model;
use santorini::train::pairs::{mean_curve, train_pairs};
use santorini::train::self_play::SelfPlay;
use santorini::train::start::{StartError, start, start_pairs};
use santorini::train::trainer::{Epoch, TrainOptions, train};

use super::{positions, run_in, self_play, write};

/// The player to move stands on level 2.
const BOARD: &str = "00000/01200/02100/00000/00000 b3c2 a1e5 12";

#[test]
fn training_lowers_the_loss_and_repeats_for_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    write(&self_play(), 6000, &path);
    let samples = positions(&path);
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

    let higher: Position<5> = BOARD.parse().unwrap();
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
        positions(&path)
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
    let position: Position<5> = BOARD.parse().unwrap();
    let with_cards: Position<5> = format!("{BOARD} Pan Apollo").parse().unwrap();
    let known = base.evaluate(&position);
    assert_eq!(base.evaluate(&with_cards), known);
    assert_eq!(first.quantise().evaluate(&with_cards), known);
    let trained = train(&carded, first, &options, &NEVER, |_| ());
    let cards = trained.unwrap().quantise();
    // A single position may keep its value by chance.
    let values = ["Pan Apollo", "Atlas Demeter", "Minotaur Artemis"].map(|pair| {
        let text = format!("{BOARD} {pair}");
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
        positions(&path(name))
    };
    let (plain, carded) = (data("base", false), data("cards", true));
    let position: Position<5> = format!("{BOARD} Pan Apollo").parse().unwrap();
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
    let base: Position<5> = BOARD.parse().unwrap();
    let without = Networks::embedded().for_position(&base);
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
    let (done, told) = run_in(&folder, words);
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
