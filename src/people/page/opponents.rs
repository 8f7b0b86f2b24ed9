//! Turns and placements of an opponent: the engine at a level, or a program.

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::desk::{Desk, Programs, cards_for};
use super::message::Who;
use crate::at_size;
use crate::draw::{Scene, Seat};
use crate::levels::{Handicap, Level, LevelPlayer};
use crate::rules::{
    AnyPosition, Card, Cards, Placement, Position, Setup, Turn, parse_square, square_text,
};

/// The levels with a few words about each, and their Elo above the first.
pub fn levels() -> Value {
    let levels = Level::all().map(
        |level| json!({ "level": level.number(), "about": level.about(), "elo": level.elo() }),
    );
    Value::Array(levels.collect())
}

/// The turn that an opponent makes.
///
/// # Errors
/// If the game is over, there is no such opponent, or it does something wrong.
pub fn turn(
    desk: &Desk,
    position: &AnyPosition,
    who: Who,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Value, String> {
    let text = match (who, position) {
        (Who::Level(level), position) => {
            let handicap = handicap(level, seed)?;
            at_size!(position, position => {
                check_goes_on(position)?;
                let mut player = LevelPlayer::new(handicap, desk.options.engine());
                text_of(player.turn(position, Some(desk.options.time), stop), position)
            })
        }
        (Who::Program(number), AnyPosition::Five(position)) => {
            check_goes_on(position)?;
            let turn = programs(desk)?.turn(number, position, stop)?;
            Ok(turn.text::<5>().to_string())
        }
        (Who::Program(_), AnyPosition::Six(_)) => {
            Err("player programs play on boards of 5x5 only".into())
        }
    }?;
    Ok(json!({ "turn": text }))
}

fn text_of<const N: usize>(turn: Option<Turn>, _: &Position<N>) -> Result<String, String> {
    let turn = turn.ok_or("no turn was found in this time")?;
    Ok(turn.text::<N>().to_string())
}

fn check_goes_on<const N: usize>(position: &Position<N>) -> Result<(), String> {
    match Scene::new(position).winner() {
        Some(_) => Err("the game is over".into()),
        None => Ok(()),
    }
}

fn handicap(level: u8, seed: u64) -> Result<Handicap, String> {
    let [lowest, highest] = [Level::LOWEST, Level::HIGHEST].map(Level::number);
    let level = Level::new(level).ok_or_else(|| {
        format!("there is no level {level}; the levels are {lowest} to {highest}")
    })?;
    Ok(Handicap {
        strength: level.strength(),
        seed,
    })
}

fn programs(desk: &Desk) -> Result<&dyn Programs, String> {
    let none = "no program may be played against; who serves the page names one with --against";
    desk.programs.as_deref().ok_or_else(|| none.into())
}

/// A placement that is asked for: on a board of this many rows, with the cards of
/// the first and the second player, behind the first player if it stands.
pub struct Placing<'a> {
    pub size: usize,
    pub cards: Option<[Card; 2]>,
    pub first: Option<&'a [String; 2]>,
}

/// Where an opponent places its workers.
///
/// # Errors
/// As [`turn`], or if the set-up is none.
pub fn place(
    desk: &Desk,
    task: &Placing,
    who: Who,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Value, String> {
    if let Some([a, b]) = task.cards
        && a == b
    {
        return Err(format!("both players have {a}; their cards must differ"));
    }
    let seat = task.first.map_or(Seat::First, |_| Seat::Second);
    let cards = cards_for(seat, task.cards);
    let squares = match (who, task.size) {
        (Who::Level(level), 5) => {
            let handicap = handicap(level, seed)?;
            names::<5>(choose::<5>(desk, handicap, &setup::<5>(cards, task)?, stop))
        }
        (Who::Level(level), 6) => {
            let handicap = handicap(level, seed)?;
            names::<6>(choose::<6>(desk, handicap, &setup::<6>(cards, task)?, stop))
        }
        (Who::Program(number), 5) => {
            let first = placement::<5>(task.first)?;
            names::<5>(programs(desk)?.place(number, cards, first, stop)?)
        }
        (Who::Program(_), 6) => return Err("player programs play on boards of 5x5 only".into()),
        (_, size) => return Err(format!("a board of {size} rows; boards have 5 or 6")),
    };
    Ok(json!({ "squares": squares }))
}

fn setup<const N: usize>(cards: Cards, task: &Placing) -> Result<Setup, String> {
    Ok(match placement::<N>(task.first)? {
        None => Setup::First { cards },
        Some(first) => Setup::Second { cards, first },
    })
}

fn choose<const N: usize>(
    desk: &Desk,
    handicap: Handicap,
    setup: &Setup,
    stop: &AtomicBool,
) -> Placement {
    let mut player = LevelPlayer::<N>::new(handicap, desk.options.engine());
    player.place(setup, Some(desk.options.time), stop)
}

fn names<const N: usize>(placement: Placement) -> [String; 2] {
    placement.map(square_text::<N>)
}

/// The squares of the first player's workers.
fn placement<const N: usize>(names: Option<&[String; 2]>) -> Result<Option<Placement>, String> {
    let Some(names) = names else {
        return Ok(None);
    };
    let square = |name: &String| {
        parse_square::<N>(name)
            .ok_or_else(|| format!("{name:?} is not a space of a board of {N}x{N}"))
    };
    let [a, b] = [square(&names[0])?, square(&names[1])?];
    if a == b {
        return Err("two workers cannot share a space".into());
    }
    Ok(Some([a, b]))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::desk::DeskOptions;
    use super::super::view::{look, parse_position};
    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn desk() -> Desk {
        let options = DeskOptions {
            time: Duration::from_millis(50),
            threads: 1,
            hash_mib: 4,
        };
        Desk::new(options, None)
    }

    fn placed(
        desk: &Desk,
        size: usize,
        cards: Option<[Card; 2]>,
        first: Option<&[String; 2]>,
        who: Who,
    ) -> Result<Value, String> {
        place(desk, &Placing { size, cards, first }, who, 1, &NEVER)
    }

    #[test]
    fn every_level_makes_legal_turns_on_both_boards() {
        let desk = desk();
        for text in [
            "00000/00000/00000/00000/00000 c2c4 b3d3 0",
            "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0 Pan Atlas",
        ] {
            let position = parse_position(text).unwrap();
            for level in 1..=10 {
                let made = turn(&desk, &position, Who::Level(level), 1, &NEVER).unwrap();
                assert!(look(&position, made["turn"].as_str()).is_ok(), "{made}");
            }
        }
        for size in [5, 6] {
            let who = Who::Level(10);
            let first = placed(&desk, size, None, None, who).unwrap();
            let first: [String; 2] = serde_json::from_value(first["squares"].clone()).unwrap();
            let second = placed(&desk, size, None, Some(&first), who).unwrap();
            let second: [String; 2] = serde_json::from_value(second["squares"].clone()).unwrap();
            assert!(first.iter().all(|square| !second.contains(square)));
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let desk = desk();
        let start = parse_position("00000/00000/00000/00000/00000 c2c4 b3d3 0").unwrap();
        let won = parse_position("00000/00300/00000/00000/00000 c2c4 b3d3 0").unwrap();
        let six = "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0";
        let six = parse_position(six).unwrap();
        for (position, who, words) in [
            (start, Who::Level(0), "the levels are 1 to 10"),
            (start, Who::Level(11), "the levels are 1 to 10"),
            (start, Who::Program(0), "no program may be played against"),
            (six, Who::Program(0), "5x5 only"),
            (won, Who::Level(1), "the game is over"),
        ] {
            let error = turn(&desk, &position, who, 1, &NEVER).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        let who = Who::Level(1);
        let at = |squares: [&str; 2]| squares.map(str::to_string);
        for (size, cards, first, words) in [
            (4, None, None, "boards have 5 or 6"),
            (5, Some([Card::Pan; 2]), None, "must differ"),
            (5, None, Some(at(["a1", "a1"])), "share"),
            (5, None, Some(at(["f6", "a1"])), "not a space"),
        ] {
            let error = placed(&desk, size, cards, first.as_ref(), who).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
