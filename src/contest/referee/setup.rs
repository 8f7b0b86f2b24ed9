//! The set-up of a game: the questions to both players, and which placements are legal.
//!
//! Answering swaps the players: the player who is asked comes first in the question and
//! last in its answer.

use serde_json::{Value, json};

use crate::protocol::excerpt;
use crate::protocol::exchange::{read_board, read_setup, write_setup};
use crate::rules::{Cards, Placement, Position, Setup, Side};

/// The question to the first player. `cards` are the cards of the first and second player.
pub(super) fn first_question(cards: Cards) -> Value {
    match cards {
        [Some(first), Some(second)] => json!([{ "card": first }, { "card": second }]),
        _ => json!([]),
    }
}

/// The question to the second player after the first has placed.
pub(super) fn second_question(first: Placement, cards: Cards) -> Value {
    write_setup::<5>(&Setup::First { cards }, first)
}

/// What is wrong with a placement.
#[derive(Debug, thiserror::Error)]
#[error("the placement is wrong: {0}")]
pub(super) struct WrongPlacement(String);

/// Reads the first player's placement from its answer.
///
/// # Errors
/// What is wrong with the answer.
pub(super) fn judge_first(answer: &Value, cards: Cards) -> Result<Placement, WrongPlacement> {
    check_form(answer, &first_question(cards), cards)?;
    // The first player's answer is the question to the second.
    let read = read_setup::<5>(answer).map_err(|error| WrongPlacement(error.to_string()))?;
    let [first_card, second_card] = cards;
    match read {
        Setup::Second { cards, first } if cards == [second_card, first_card] => Ok(first),
        Setup::Second { .. } => Err(wrong_cards([second_card, first_card])),
        Setup::First { .. } => Err(WrongPlacement("no workers are placed".into())),
    }
}

/// Reads the start board from the second player's answer.
///
/// # Errors
/// What is wrong with the answer.
pub(super) fn judge_second(
    answer: &Value,
    first: Placement,
    cards: Cards,
) -> Result<Position<5>, WrongPlacement> {
    check_form(answer, &second_question(first, cards), cards)?;
    let board = json!({ "players": answer, "spaces": vec![[0; 5]; 5], "turn": 0 });
    let read = read_board(&board).map_err(|error| WrongPlacement(error.to_string()));
    let board: Position<5> = read?;
    if board.cards() != cards {
        return Err(wrong_cards(cards));
    }
    if board.workers(Side::Mover) != first.into_iter().collect() {
        let moved = "the first player's workers must stay where they are";
        return Err(WrongPlacement(moved.into()));
    }
    Ok(board)
}

/// Checks the form of an answer that is made of arrays: a player more than in the question,
/// each with two spaces. With cards every such answer is wrong, because its players have
/// none. Other answers have errors of their own.
///
/// # Errors
/// The form of the answer.
fn check_form(answer: &Value, question: &Value, cards: Cards) -> Result<(), WrongPlacement> {
    let is_player = |player: &Value| match player.as_array().map(Vec::as_slice) {
        Some([first, second]) => first.is_array() && second.is_array(),
        _ => false,
    };
    let Some(list) = answer.as_array().filter(|list| !list.is_empty()) else {
        return Ok(());
    };
    if list.iter().any(Value::is_object) {
        return Ok(());
    }
    let asked = question.as_array().map_or(&[][..], Vec::as_slice);
    let (why, players) = match (cards, asked) {
        // The player who is asked, in front, goes to the end.
        ([Some(_), Some(_)], [own, other]) => {
            let own = own
                .to_string()
                .replace('}', &format!(",\"tokens\":{SPACES}}}"));
            ("it has no cards; ", vec![other.to_string(), own])
        }
        _ if list.len() == asked.len() + 1 && list.iter().all(is_player) => return Ok(()),
        _ => {
            let players = asked.iter().map(Value::to_string);
            ("", players.chain([SPACES.to_string()]).collect())
        }
    };
    Err(WrongPlacement(format!(
        "{why}the answer to {question} has the form [{}], with all brackets; found {}",
        players.join(","),
        excerpt(answer)
    )))
}

/// The spaces of a player's workers, in the form of an answer.
const SPACES: &str = "[[row,column],[row,column]]";

/// The error for an answer with other cards than these, or in another order.
fn wrong_cards(expected: Cards) -> WrongPlacement {
    WrongPlacement(match expected {
        [Some(a), Some(b)] => {
            format!("the players must be swapped and keep their cards: first {a}, then {b}")
        }
        _ => "the answer has cards, but none are played".into(),
    })
}
