//! Whole games solved, and held against forward search.

use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::embed::embedded;
use super::file::SolvedFile;
use super::game::SmallGame;
use super::probe::Oracle;
use super::prover::Prover;
use super::random::random_state;
use super::run::{SolveOptions, solve_into};
use super::shape::squares_of;
use super::state::SmallState;
use super::value::ExactValue;
use crate::jobs::Jobs;
use crate::rules::Card;

static NEVER: AtomicBool = AtomicBool::new(false);

fn jobs() -> Jobs<'static> {
    Jobs {
        threads: 2,
        stop: &NEVER,
    }
}

const ALL: SolveOptions = SolveOptions {
    memory: 1 << 30,
    keep: u64::MAX,
    check: 1,
    force: false,
};

fn game(shape: &str, workers: usize, cards: Option<[Card; 2]>) -> SmallGame {
    SmallGame::new(shape.parse().unwrap(), workers, cards)
}

/// Solves a game, checks all its states by their turns and some by a forward
/// search, and gives the value of the best placement for the first player.
fn solve(game: &SmallGame, options: &SolveOptions, states: u32) -> ExactValue {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    solve_into(&path, game, options, jobs(), |_| {}).unwrap();
    let mut oracle = Oracle::new(SolvedFile::open(&path).unwrap(), jobs()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut prover = Prover::<5>::new(16);
    for _ in 0..states {
        let state = random_state(game, &mut rng);
        let position = embedded::<5>(game, &state);
        let value = oracle.value(&state).unwrap().unwrap();
        let proved = prover.value(&position, 100, 1_000_000);
        assert_eq!(proved, Some(value), "{} on {game}", state.text(game));
    }
    placements_value(game, &mut oracle)
}

fn placements_value(game: &SmallGame, oracle: &mut Oracle) -> ExactValue {
    let crews: Vec<u16> = (0..=game.shape.all())
        .filter(|set| squares_of(*set).count() == game.workers)
        .collect();
    let of_first = |&first: &u16, oracle: &mut Oracle| {
        let free = crews.iter().filter(|&&second| first & second == 0);
        let values = free.map(|&second| {
            let state = SmallState::start([first, second]);
            oracle.value(&state).unwrap().unwrap()
        });
        values.min().unwrap()
    };
    crews
        .iter()
        .map(|first| of_first(first, oracle))
        .max()
        .unwrap()
}

#[test]
fn small_games_are_solved() {
    for (shape, workers) in [("2x2", 1), ("2x3", 1), ("3x2", 1), ("2x3", 2), ("2x4", 1)] {
        let value = solve(&game(shape, workers, None), &ALL, 200);
        println!("{shape} {workers}: {value}");
        assert!(!value.wins(), "{shape} {workers}: {value}");
    }
}

#[test]
#[ignore]
fn three() {
    let t = std::time::Instant::now();
    println!(
        "3x3 1: {} {:?}",
        solve(&game("3x3", 1, None), &ALL, 200),
        t.elapsed()
    );
    let t = std::time::Instant::now();
    println!(
        "3x3 2: {} {:?}",
        solve(
            &game("3x3", 2, None),
            &SolveOptions { check: 0, ..ALL },
            200
        ),
        t.elapsed()
    );
}

#[test]
fn games_with_cards_are_solved() {
    for cards in Card::pairs() {
        let value = solve(&game("2x3", 1, Some(cards)), &ALL, 30);
        println!("{cards:?}: {value}");
    }
}
