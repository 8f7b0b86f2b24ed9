//! Tests of the search through its public interface: proofs are correct, results are
//! reproducible, limits hold.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::eval::{EvalKind, Weights};
use santorini::jobs::NEVER;
use santorini::rules::{Card, Position, Square};
use santorini::search::{Engine, EngineOptions, Limits, PROVED, Report, WIN, is_proved};

fn engine<const N: usize>(eval: EvalKind) -> Engine<N> {
    Engine::new(EngineOptions {
        hash_mib: 8,
        threads: 1,
        eval,
        ..EngineOptions::default()
    })
}

fn search<const N: usize>(
    engine: &mut Engine<N>,
    position: &Position<N>,
    limits: Limits,
) -> Report {
    engine.best(position, &limits)
}

/// A position after some random turns, with the game not over.
fn random_position<const N: usize>(
    rng: &mut Xoshiro256PlusPlus,
    cards: [Option<Card>; 2],
    turns: u32,
) -> Position<N> {
    loop {
        let squares = rand::seq::index::sample(rng, N * N, 4);
        let squares: Vec<Square> = squares.into_iter().map(Square::new).collect();
        let workers = [[squares[0], squares[1]], [squares[2], squares[3]]];
        let mut position = Position::start(workers, cards).unwrap();
        for _ in 0..turns {
            let quiet: Vec<_> = position
                .turns()
                .into_iter()
                .filter(|turn| turn.builds())
                .collect();
            if quiet.is_empty() {
                break;
            }
            position = position.play(quiet[rng.random_range(0..quiet.len())]);
        }
        if position.turn() == turns && position.has_turn() {
            return position;
        }
    }
}

/// Whether the mover can force a win within `plies`, by exhaustive search.
fn can_win<const N: usize>(position: &Position<N>, plies: i32) -> bool {
    let turns = position.turns();
    plies >= 1
        && turns
            .iter()
            .any(|&turn| turn.wins() || must_lose(&position.play(turn), plies - 1))
}

/// Whether the mover loses within `plies` with any play, by exhaustive search.
fn must_lose<const N: usize>(position: &Position<N>, plies: i32) -> bool {
    let turns = position.turns();
    turns.is_empty()
        || plies >= 2
            && turns
                .iter()
                .all(|&turn| !turn.wins() && can_win(&position.play(turn), plies - 1))
}

/// Compares proofs up to three plies with an exhaustive search.
fn check_proofs<const N: usize>(positions: impl Iterator<Item = Position<N>>) -> u32 {
    let mut engine = engine::<N>(EvalKind::default());
    let mut proofs = 0;
    for position in positions {
        engine.clear();
        let score = search(&mut engine, &position, Limits::depth(4)).score();
        let (wins, loses) = (can_win(&position, 3), must_lose(&position, 2));
        assert!(
            !wins || score >= PROVED,
            "a win in 3 was not found: {position}, {score}"
        );
        assert!(
            !loses || score <= -PROVED,
            "a loss in 2 was not found: {position}, {score}"
        );
        if score >= WIN - 3 {
            assert!(wins, "a false win in 3: {position}");
        }
        if score <= 2 - WIN {
            assert!(loses, "a false loss in 2: {position}");
        }
        proofs += u32::from(is_proved(score));
    }
    proofs
}

#[test]
fn proofs_agree_with_an_exhaustive_search() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let none = [None, None];
    let positions = (0..400).map(|index| random_position::<5>(&mut rng, none, 16 + index % 20));
    assert!(
        check_proofs(positions) > 50,
        "the positions must be worth proving"
    );
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    check_proofs((0..50).map(|index| random_position::<6>(&mut rng, none, 30 + index % 20)));
}

#[test]
fn proofs_with_cards_agree_with_an_exhaustive_search() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    // Artemis and Prometheus have too many turns for an exhaustive search of three plies.
    // Their powers are tested with the rules.
    let cards = [
        Card::Apollo,
        Card::Atlas,
        Card::Hephastus,
        Card::Minotaur,
        Card::Pan,
    ];
    let positions = (0..120).map(|index| {
        let own = cards[index % 5];
        let other = cards[(index + 1 + index / 5 % 4) % 5];
        random_position::<5>(&mut rng, [Some(own), Some(other)], 24 + index as u32 % 12)
    });
    check_proofs(positions.collect::<Vec<_>>().into_iter());
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    for eval in [EvalKind::default(), EvalKind::Weighted(Weights::PAPER)] {
        let position = random_position::<5>(&mut rng, [None, None], 8);
        let mut first = engine(eval);
        let reports: Vec<Report> = [Limits::depth(7), Limits::nodes(20_000)]
            .into_iter()
            .map(|limits| {
                first.clear();
                search(&mut first, &position, limits)
            })
            .collect();
        for (limits, report) in [Limits::depth(7), Limits::nodes(20_000)]
            .into_iter()
            .zip(reports)
        {
            let again = search(&mut engine(eval), &position, limits);
            assert_eq!((again.nodes, again.lines), (report.nodes, report.lines));
        }
    }
}

#[test]
fn a_search_ends_in_time_and_when_it_is_stopped() {
    let position: Position<5> = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
    let start = Instant::now();
    let report = search(
        &mut engine(EvalKind::default()),
        &position,
        Limits::time(Duration::from_millis(50)),
    );
    assert!(report.turn().is_some() && start.elapsed() < Duration::from_secs(5));
    let stopped = AtomicBool::new(true);
    let report = engine::<5>(EvalKind::default()).search(
        &position,
        &Limits::default(),
        &stopped,
        &mut |_| {},
    );
    assert!(
        position
            .turns()
            .contains(&report.turn().expect("some legal turn"))
    );
}

#[test]
fn the_best_line_can_be_played() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    let none = [[None; 2]; 8].into_iter();
    let pairs = Card::pairs().map(|pair| pair.map(Some));
    let mut engine = engine::<5>(EvalKind::Weighted(Weights::TUNED));
    for cards in pairs.chain(none) {
        for turns in [6, 12, 18] {
            let start = random_position::<5>(&mut rng, cards, turns);
            let report = search(&mut engine, &start, Limits::nodes(5000));
            let mut position = start;
            for &turn in &report.lines[0].turns {
                let text = turn.text::<5>();
                assert!(position.turns().contains(&turn), "{text} after {start}");
                position = position.play(turn);
            }
        }
    }
}

#[test]
fn a_stopped_search_says_which_reply_it_expects() {
    let position: Position<5> = "00000/00000/00000/00000/00000 b2d4 b4d2 2".parse().unwrap();
    for nodes in (5000..60_000).step_by(1000) {
        let mut engine = engine(EvalKind::default());
        let report = search(&mut engine, &position, Limits::nodes(nodes));
        assert!(report.lines[0].turns.len() > 1, "{nodes}");
    }
}

#[test]
fn several_lines_are_different_turns_in_order() {
    let position: Position<5> = "00100/01200/00110/01000/00010 b3d3 c2c4 8".parse().unwrap();
    let mut engine = engine::<5>(EvalKind::default());
    let report = engine.search_lines(&position, 4, &Limits::depth(5), &NEVER, &mut |_| {});
    let mut turns: Vec<_> = report.lines.iter().map(|line| line.turns[0]).collect();
    assert_eq!(turns.len(), 4);
    assert!(report.lines.is_sorted_by_key(|line| -line.score));
    turns.sort();
    turns.dedup();
    assert_eq!(turns.len(), 4);
}
