//! Measures the chance of winning at a score, which reviews show:
//!
//! ```text
//! cargo test --release --test long -- --ignored --nocapture chance
//! ```
//!
//! The engine plays itself from about even boards. Logistic curves are fitted to the scores
//! of its searches and the results of the games.

use santorini::arena::{Action, PlayedGame};
use santorini::jobs::{Jobs, NEVER, default_threads};
use santorini::openings::WinShare;
use santorini::openings::balanced::{MARGIN, RandomStart, Start};
use santorini::review::chance;
use santorini::rules::{Position, Square};
use santorini::search::{Engine, EngineOptions, Limits, is_proved};

const GAMES: u64 = 1000;
/// Nodes per turn.
const NODES: u64 = 10_000;
/// The number of parts of the games that are also fitted separately, for the standard error
/// of the fit.
const PARTS: usize = 20;

/// An unproved score of a search.
#[derive(Clone, Copy)]
struct Scored {
    score: i32,
    /// The mean level of the spaces.
    built: f64,
    /// The chance of winning that reviews show.
    chance: f64,
    /// Whether the mover won.
    won: bool,
}

/// The mean levels that separate the phases of a game.
const PHASES: [f64; 6] = [0.0, 0.2, 0.4, 0.7, 1.0, 4.0];

/// The unproved scores of a game.
fn results<const N: usize>(start: Position<N>) -> Vec<Scored> {
    let mut engine = Engine::new(EngineOptions {
        hash_mib: 16,
        ..EngineOptions::default()
    });
    let mut scores = Vec::new();
    let game = PlayedGame::play(start, |mover, position| {
        let report = engine.best(position, &Limits::nodes(NODES));
        if !is_proved(report.score()) {
            let levels = (0..N * N).map(|square| f64::from(position.level(Square::new(square))));
            let built = levels.sum::<f64>() / (N * N) as f64;
            let chance = chance(position, report.score());
            scores.push((report.score(), built, chance, mover));
        }
        Action::of_search(&report)
    });
    let scores = scores.into_iter();
    let result = |(score, built, chance, mover)| Scored {
        score,
        built,
        chance,
        won: game.winner == mover,
    };
    scores.map(result).collect()
}

/// The log-odds of a win that a level adds.
fn level_of(scored: &[Scored]) -> f64 {
    let pairs: Vec<(i32, bool)> = scored.iter().map(|it| (it.score, it.won)).collect();
    WinShare::fit(&pairs).map_or(f64::NAN, |share| share.level)
}

/// The true log-odds of a win, as a share of those that reviews show.
fn share_of_shown(scored: &[Scored]) -> f64 {
    let odds = |it: &Scored| (100.0 * (it.chance / (1.0 - it.chance)).ln()).round() as i32;
    let pairs: Vec<(i32, bool)> = scored.iter().map(|it| (odds(it), it.won)).collect();
    WinShare::fit(&pairs).map_or(f64::NAN, |share| share.level)
}

/// Plays games and prints the fitted curves. Returns [`share_of_shown`] of all scores.
fn measure<const N: usize>(name: &str, cards: bool) -> f64 {
    let start = Start::<N>::Random(RandomStart {
        cards,
        turns: 2,
        margin: MARGIN,
    });
    let jobs = Jobs::unstoppable(default_threads());
    let mut all = Vec::new();
    let mut parts = vec![Vec::new(); PARTS];
    let play = |number| results(start.board(1, number, &NEVER));
    let done: Result<(), ()> = jobs.run(0..GAMES, play, |number, game| {
        parts[number as usize % PARTS].extend_from_slice(&game);
        all.extend(game);
        Ok(())
    });
    assert_eq!(done, Ok(()));
    println!(
        "{name}: {GAMES} games, {} scores: {:.3} +- {:.3} a level",
        all.len(),
        level_of(&all),
        1.96 * standard_error(parts.iter().map(|part| level_of(part)).collect()),
    );
    for low in [-400, -300, -200, -150, -100, -50, 0, 50, 100, 150, 200, 300] {
        let inside = all.iter().filter(|it| (low..low + 50).contains(&it.score));
        let (mut games, mut wins, mut expected) = (0, 0, 0.0);
        inside.for_each(|it| {
            games += 1;
            wins += u32::from(it.won);
            expected += it.chance;
        });
        let [share, expected] =
            [f64::from(wins), expected].map(|sum| 100.0 * sum / f64::from(games.max(1)));
        println!(
            "  {low:>5} to {:>4}: {games:>5} boards, won {share:>3.0}%, expected {expected:>3.0}%",
            low + 50
        );
    }
    for phase in PHASES.windows(2) {
        let inside = |it: &&Scored| (phase[0]..phase[1]).contains(&it.built);
        let inside: Vec<Scored> = all.iter().filter(inside).copied().collect();
        println!(
            "  built {:.1} to {:.1}: {:>6} boards, {:.3} a level, {:.2} of what is shown",
            phase[0],
            phase[1],
            inside.len(),
            level_of(&inside),
            share_of_shown(&inside)
        );
    }
    share_of_shown(&all)
}

/// The standard error of the mean of the parts.
fn standard_error(parts: Vec<f64>) -> f64 {
    let count = parts.len() as f64;
    let mean = parts.iter().sum::<f64>() / count;
    let squares: f64 = parts.iter().map(|part| (part - mean).powi(2)).sum();
    (squares / (count - 1.0) / count).sqrt()
}

#[test]
#[ignore = "many games"]
fn chance_of_a_score() {
    let shares = [
        measure::<5>("5x5", false),
        measure::<5>("5x5 with cards", true),
        measure::<6>("6x6", false),
    ];
    let is_right = |share: &f64| (0.85..1.15).contains(share);
    assert!(shares.iter().all(is_right), "{shares:?}");
}
