//! Reviews a whole game, turn by turn.

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::backend::PageBackend;
use super::engine_pool::with_engine;
use super::view::legal;
use crate::review::{self, review_json};
use crate::rules::{AnyPosition, Geometry, Position, Turn};
use crate::search::{Engine, Limits};

/// The nodes to search on each board: a few hundredths of a second.
const NODES: u64 = 100_000;

/// The maximum number of turns, on the largest board.
const MOST_TURNS: usize = Geometry::<6>::MOST_TURNS;

/// Reviews the turns of a game. Partial answers count the boards done.
///
/// # Errors
/// If a turn is not legal, or the review was stopped.
pub(super) fn review(
    backend: &PageBackend,
    start: &AnyPosition,
    turns: &[String],
    players: Option<&[String; 2]>,
    stop: &AtomicBool,
    part: &mut dyn FnMut(Value),
) -> Result<Value, String> {
    let unnamed = || ["first player", "second player"].map(String::from);
    let names = players.cloned().unwrap_or_else(unnamed);
    with_engine!(backend.engines, true, start, (engine, start) => {
        judged(start, turns, &names, engine, stop, part)
    })
}

fn judged<const N: usize>(
    start: &Position<N>,
    turns: &[String],
    names: &[String; 2],
    engine: &mut Engine<N>,
    stop: &AtomicBool,
    part: &mut dyn FnMut(Value),
) -> Result<Value, String> {
    let turns = played(start, turns)?;
    let limits = Limits::nodes(NODES);
    let mut progress = |done, all| part(json!({ "done": done, "all": all }));
    let review = review::review(start, &turns, engine, &limits, stop, &mut progress);
    let review = review.ok_or("stopped")?;
    Ok(review_json(&review, names))
}

/// Parses the turns of a game, checking that each one is legal.
fn played<const N: usize>(start: &Position<N>, turns: &[String]) -> Result<Vec<Turn>, String> {
    if turns.is_empty() || turns.len() > MOST_TURNS {
        let count = turns.len();
        return Err(format!("{count} turns; a review takes 1 to {MOST_TURNS}"));
    }
    let mut board = *start;
    let mut played: Vec<Turn> = Vec::with_capacity(turns.len());
    for text in turns {
        let is_over = board.shows_win() || played.last().is_some_and(|turn| turn.wins());
        if is_over {
            let number = played.len() + 1;
            return Err(format!("turn {number}: the game is over before this turn"));
        }
        let turn = legal(&board, text)?;
        played.push(turn);
        board = board.play(turn);
    }
    Ok(played)
}

#[cfg(test)]
mod tests {
    use super::super::view::parse_position;
    use super::*;
    use crate::jobs::NEVER;

    fn reviewed(start: &str, turns: &[&str]) -> Result<Value, String> {
        let backend = PageBackend::for_tests();
        let turns: Vec<String> = turns.iter().map(ToString::to_string).collect();
        let mut told = 0;
        let start = parse_position(start).unwrap();
        let answer = review(&backend, &start, &turns, None, &NEVER, &mut |_| told += 1)?;
        assert_eq!(told, turns.len() + 1);
        Ok(answer)
    }

    const BOARD: &str = "23000/00000/00000/00000/00032 a1b2 e1e5 10";

    #[test]
    fn a_missed_win_is_a_blunder() {
        let review = reviewed(BOARD, &["a1-a2+a1", "e5-d5#"]).unwrap();
        assert_eq!(review["turns"][0]["judgement"], "blunder");
        assert_eq!(review["turns"][0]["best"], "a1-b1#");
        assert_eq!(review["chances"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn invalid_games_are_refused() {
        for (turns, words) in [
            (&[][..], "0 turns"),
            (&["a1-a5+a4"], "not legal"),
            (
                &["a1-b1#", "x".repeat(100_000).as_str()],
                "over before this turn",
            ),
            (&["a1-a2+a1"; 200], "200 turns"),
        ] {
            let error = reviewed(BOARD, turns).unwrap_err();
            assert!(error.contains(words) && error.len() < 200, "{error}");
        }
    }
}
