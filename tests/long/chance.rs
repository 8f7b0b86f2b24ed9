//! To measure the chance of winning that a score is worth, which reviews show:
//!
//! ```text
//! cargo test --release --test long -- --ignored --nocapture chance
//! ```
//!
//! The program plays itself from about even boards. A logistic curve is fitted to
//! the scores of its searches and the results of the games.

use std::sync::atomic::AtomicBool;

use santorini::arena::{Action, PlayedGame};
use santorini::jobs::{Jobs, default_threads};
use santorini::openings::WinShare;
use santorini::openings::balanced::{MARGIN, RandomStart, Start};
use santorini::review::win_share;
use santorini::rules::Position;
use santorini::search::{Engine, EngineOptions, Limits, is_proved};

const GAMES: u64 = 400;
/// The nodes of a turn.
const NODES: u64 = 20_000;

static NEVER: AtomicBool = AtomicBool::new(false);

/// The scores of a game's searches that proved nothing, and whether who moved won.
fn results<const N: usize>(start: Position<N>) -> Vec<(i32, bool)> {
    let mut engine = Engine::new(EngineOptions {
        hash_mib: 16,
        ..EngineOptions::default()
    });
    let mut scores = Vec::new();
    let game = PlayedGame::play(start, |mover, position| {
        let report = engine.best(position, &Limits::nodes(NODES));
        if !is_proved(report.score()) {
            scores.push((report.score(), mover));
        }
        Action::of_search(&report)
    });
    let scores = scores.into_iter();
    scores
        .map(|(score, mover)| (score, game.winner == mover))
        .collect()
}

fn measure<const N: usize>(name: &str, cards: bool) {
    let start = Start::<N>::Random(RandomStart {
        cards,
        turns: 2,
        margin: MARGIN,
    });
    let jobs = Jobs {
        threads: default_threads(),
        stop: &NEVER,
    };
    let mut all = Vec::new();
    let play = |number| (number, results(start.board(1, number, &NEVER)));
    let done: Result<(), ()> = jobs.run(0..GAMES, play, |_, (_, game)| {
        all.extend(game);
        Ok(())
    });
    assert_eq!(done, Ok(()));
    let WinShare { to_move, level } = WinShare::fit(&all).expect("scores say something");
    let used = win_share(&start.board(1, 0, &NEVER));
    println!(
        "{name}: {GAMES} games, {} scores: {level:.3} a level ({:.3} is used), {to_move:+.3} for the mover",
        all.len(),
        used.level
    );
    for low in [-400, -300, -200, -150, -100, -50, 0, 50, 100, 150, 200, 300] {
        let inside = all
            .iter()
            .filter(|(score, _)| (low..low + 50).contains(score));
        let (mut games, mut wins) = (0, 0);
        inside.for_each(|&(_, won)| {
            games += 1;
            wins += u32::from(won);
        });
        let expected = 100.0 * used.of(low + 25);
        let share = 100.0 * f64::from(wins) / f64::from(games.max(1));
        println!(
            "  {low:>5} to {:>4}: {games:>5} boards, won {share:>3.0}%, expected {expected:>3.0}%",
            low + 50
        );
    }
    let ratio = level / used.level;
    assert!((0.85..1.15).contains(&ratio), "{name}: {ratio}");
}

#[test]
#[ignore = "many games"]
fn chance_of_a_score() {
    measure::<5>("5x5", false);
    measure::<5>("5x5 with cards", true);
    measure::<6>("6x6", false);
}
