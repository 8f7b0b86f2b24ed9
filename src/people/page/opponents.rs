//! Turns and placements of opponents: the engine at a level, or a program.

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::analysis::refuse_ended;
use super::backend::{PageBackend, Programs, cards_or_none, check_size};
use super::message::{OpponentChoice, PlacementTask};
use crate::at_size;
use crate::levels::{Handicap, Level, LevelElo, LevelPlayer};
use crate::printable::excerpt;
use crate::rules::{AnyPosition, Cards, Placement, Position, Setup, parse_square, square_text};

/// Why a program cannot be the opponent on a board of 6x6.
const FIVE_ONLY: &str = "player programs play on boards of 5x5 only";

/// The levels with descriptions, their Elo above the first level, and its error.
pub(super) fn levels() -> Value {
    let levels = Level::all().map(|level| {
        let LevelElo { elo, error } = level.elo();
        let [elo, error] = [elo, error].map(|it| it.round() as u32);
        json!({ "level": level.number(), "about": level.about(), "elo": elo, "error": error })
    });
    Value::Array(levels.collect())
}

/// An opponent's turn.
///
/// # Errors
/// If the game is over, there is no such opponent, or a program fails.
pub(super) fn turn(
    backend: &PageBackend,
    position: &AnyPosition,
    who: OpponentChoice,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Value, String> {
    let text = match (who, position) {
        (OpponentChoice::Level(level), position) => {
            let handicap = handicap(level, seed)?;
            at_size!(position, position => level_turn(backend, handicap, position, stop))
        }
        (OpponentChoice::Program(number), AnyPosition::Five(position)) => {
            refuse_ended(position)?;
            let turn = programs(backend)?.turn(number, position, stop)?;
            Ok(turn.text::<5>().to_string())
        }
        (OpponentChoice::Program(_), AnyPosition::Six(_)) => Err(FIVE_ONLY.into()),
    }?;
    Ok(json!({ "turn": text }))
}

fn level_turn<const N: usize>(
    backend: &PageBackend,
    handicap: Handicap,
    position: &Position<N>,
    stop: &AtomicBool,
) -> Result<String, String> {
    refuse_ended(position)?;
    let mut player = LevelPlayer::new(handicap, backend.options.engine);
    let turn = player.turn(position, Some(backend.options.time), stop);
    let turn = turn.ok_or("no turn found in time")?;
    Ok(turn.text::<N>().to_string())
}

fn handicap(level: u64, seed: u64) -> Result<Handicap, String> {
    let [lowest, highest] = [Level::LOWEST, Level::HIGHEST].map(Level::number);
    let known = u8::try_from(level).ok().and_then(Level::new);
    let level = known.ok_or_else(|| {
        format!("there is no level {level}; the levels are {lowest} to {highest}")
    })?;
    Ok(Handicap {
        strength: level.strength(),
        seed,
    })
}

fn programs(backend: &PageBackend) -> Result<&dyn Programs, String> {
    let none = "there is no program to play against; add one with --against CMD";
    backend.programs.as_deref().ok_or_else(|| none.into())
}

/// An opponent's placement.
///
/// # Errors
/// As [`turn`], or if the request is invalid.
pub(super) fn place(
    backend: &PageBackend,
    task: &PlacementTask,
    stop: &AtomicBool,
) -> Result<Value, String> {
    check_size(task.size)?;
    let squares = match (task.who, task.size) {
        (OpponentChoice::Level(level), 5) => level_placement::<5>(backend, level, task, stop)?,
        (OpponentChoice::Level(level), _) => level_placement::<6>(backend, level, task, stop)?,
        (OpponentChoice::Program(number), 5) => {
            let (cards, first) = setup::<5>(task)?;
            names::<5>(programs(backend)?.place(number, cards, first, stop)?)
        }
        (OpponentChoice::Program(_), _) => return Err(FIVE_ONLY.into()),
    };
    Ok(json!({ "squares": squares }))
}

/// The cards of the opponent and of the other player, and the workers that stand already.
fn setup<const N: usize>(task: &PlacementTask) -> Result<(Cards, Option<Placement>), String> {
    let mut cards = cards_or_none(task.cards)?;
    if task.first.is_some() {
        cards.reverse();
    }
    let first = task.first.as_ref().map(placement::<N>).transpose()?;
    Ok((cards, first))
}

fn level_placement<const N: usize>(
    backend: &PageBackend,
    level: u64,
    task: &PlacementTask,
    stop: &AtomicBool,
) -> Result<[String; 2], String> {
    let (cards, first) = setup::<N>(task)?;
    let handicap = handicap(level, task.seed)?;
    let mut player = LevelPlayer::<N>::new(handicap, backend.options.engine);
    let setup = Setup::new(cards, first);
    Ok(names::<N>(player.place(
        &setup,
        Some(backend.options.time),
        stop,
    )))
}

pub(super) fn names<const N: usize>(placement: Placement) -> [String; 2] {
    placement.map(square_text::<N>)
}

/// Parses the spaces of a player's workers.
///
/// # Errors
/// If they are not two spaces of the board.
pub(super) fn placement<const N: usize>(names: &[String; 2]) -> Result<Placement, String> {
    let square = |name: &String| {
        parse_square::<N>(name).ok_or_else(|| {
            format!(
                "{:?} is not a space of a board of {N}x{N}",
                excerpt(name, 10)
            )
        })
    };
    let [a, b] = [square(&names[0])?, square(&names[1])?];
    if a == b {
        return Err("two workers cannot share a space".into());
    }
    Ok([a, b])
}

#[cfg(test)]
mod tests {
    use super::super::view::{look, parse_position};
    use super::*;
    use crate::jobs::NEVER;
    use crate::rules::Card;

    fn placed(
        backend: &PageBackend,
        size: usize,
        cards: Option<[Card; 2]>,
        first: Option<[String; 2]>,
        who: OpponentChoice,
    ) -> Result<Value, String> {
        let task = PlacementTask {
            size,
            cards,
            first,
            who,
            seed: 1,
        };
        place(backend, &task, &NEVER)
    }

    #[test]
    fn all_levels_make_legal_turns_on_both_boards() {
        let backend = PageBackend::for_tests();
        for text in [
            "00000/00000/00000/00000/00000 c2c4 b3d3 0",
            "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0 Pan Atlas",
        ] {
            let position = parse_position(text).unwrap();
            for level in Level::all().map(Level::number) {
                let made = turn(
                    &backend,
                    &position,
                    OpponentChoice::Level(level.into()),
                    1,
                    &NEVER,
                )
                .unwrap();
                assert!(look(&position, made["turn"].as_str()).is_ok(), "{made}");
            }
        }
        for size in [5, 6] {
            let who = OpponentChoice::Level(Level::HIGHEST.number().into());
            let first = placed(&backend, size, None, None, who).unwrap();
            let first: [String; 2] = serde_json::from_value(first["squares"].clone()).unwrap();
            let second = placed(&backend, size, None, Some(first.clone()), who).unwrap();
            let second: [String; 2] = serde_json::from_value(second["squares"].clone()).unwrap();
            assert!(first.iter().all(|square| !second.contains(square)));
        }
    }

    #[test]
    fn impossible_requests_are_refused() {
        let backend = PageBackend::for_tests();
        let start = parse_position("00000/00000/00000/00000/00000 c2c4 b3d3 0").unwrap();
        let won = parse_position("00000/00300/00000/00000/00000 c2c4 b3d3 0").unwrap();
        let six = "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0";
        let six = parse_position(six).unwrap();
        for (position, who, words) in [
            (start, OpponentChoice::Level(0), "the levels are 1 to "),
            (start, OpponentChoice::Level(100), "the levels are 1 to "),
            (
                start,
                OpponentChoice::Program(0),
                "there is no program to play against",
            ),
            (six, OpponentChoice::Program(0), "5x5 only"),
            (won, OpponentChoice::Level(1), "the game is over"),
        ] {
            let error = turn(&backend, &position, who, 1, &NEVER).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        let who = OpponentChoice::Level(1);
        let at = |squares: [&str; 2]| squares.map(str::to_string);
        for (size, cards, first, words) in [
            (4, None, None, "the sizes are 5 and 6"),
            (5, Some([Card::Pan; 2]), None, "must differ"),
            (5, None, Some(at(["a1", "a1"])), "share"),
            (5, None, Some(at(["f6", "a1"])), "not a space"),
            (
                5,
                None,
                Some(at(["a1", "x".repeat(100_000).as_str()])),
                "not a space",
            ),
        ] {
            let error = placed(&backend, size, cards, first, who).unwrap_err();
            assert!(error.contains(words) && error.len() < 200, "{error}");
        }
    }
}
