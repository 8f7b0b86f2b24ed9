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

/// Reads the first player's placement from its answer.
///
/// # Errors
/// What is wrong with the answer.
pub(super) fn judge_first(answer: &Value, cards: Cards) -> Result<Placement, String> {
    // The first player's answer is the question to the second.
    if cards == [None, None] {
        check_form(answer, "[]", &[])?;
    }
    let read = read_setup::<5>(answer).map_err(|error| error.to_string())?;
    let [first_card, second_card] = cards;
    match read {
        Setup::Second { cards, first } if cards == [second_card, first_card] => Ok(first),
        Setup::Second { .. } => Err(wrong_cards([second_card, first_card])),
        Setup::First { .. } => Err("no workers are placed".into()),
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
) -> Result<Position<5>, String> {
    if cards == [None, None] {
        let question = second_question(first, cards);
        let players = question.as_array().map_or(&[][..], Vec::as_slice);
        check_form(answer, &question.to_string(), players)?;
    }
    let board = json!({ "players": answer, "spaces": vec![[0; 5]; 5], "turn": 0 });
    let board: Position<5> = read_board(&board).map_err(|error| error.to_string())?;
    if board.cards() != cards {
        return Err(wrong_cards(cards));
    }
    if board.workers(Side::Mover) != first.into_iter().collect() {
        return Err("the first player's workers must stay where they are".into());
    }
    Ok(board)
}

/// Checks that an answer made of arrays has a player more than the question, each with two
/// spaces. Other answers have errors of their own.
///
/// # Errors
/// The form of the answer.
fn check_form(answer: &Value, question: &str, players: &[Value]) -> Result<(), String> {
    let is_player = |player: &Value| match player.as_array().map(Vec::as_slice) {
        Some([first, second]) => first.is_array() && second.is_array(),
        _ => false,
    };
    let Some(list) = answer.as_array().filter(|list| !list.is_empty()) else {
        return Ok(());
    };
    let right = list.len() == players.len() + 1 && list.iter().all(is_player);
    if right || list.iter().any(Value::is_object) {
        return Ok(());
    }
    let own = "[[row,column],[row,column]]";
    let players = players.iter().map(Value::to_string);
    let players: Vec<String> = players.chain([own.to_string()]).collect();
    Err(format!(
        "the answer to {question} has the form [{}], with all brackets; found {}",
        players.join(","),
        excerpt(answer)
    ))
}

/// The message for an answer whose players do not have these cards in order.
fn wrong_cards(expected: Cards) -> String {
    let expected = match expected {
        [Some(a), Some(b)] => format!("first {a}, then {b}"),
        _ => "none".into(),
    };
    format!("the players must be swapped and keep their cards: {expected}")
}
