//! The set-up of a game: what both players are asked, and which placements
//! are right.
//!
//! Acting swaps the players: the one who is asked comes first in the
//! question and last in its answer.

use serde_json::{Value, json};

use super::game::Board;
use crate::protocol::exchange::{read_board, read_setup, write_setup};
use crate::rules::{Cards, Placement, Setup, Side};

/// What the first player is asked. `cards` are the first and the second
/// player's.
pub(super) fn first_question(cards: Cards) -> Value {
    match cards {
        [Some(first), Some(second)] => json!([{ "card": first }, { "card": second }]),
        _ => json!([]),
    }
}

/// What the second player is asked when the first stands.
pub(super) fn second_question(first: Placement, cards: Cards) -> Value {
    write_setup::<5>(&Setup::First { cards }, first)
}

/// Where the first player's answer places its workers.
///
/// # Errors
/// What is wrong with the answer.
pub(super) fn judge_first(answer: &Value, cards: Cards) -> Result<Placement, String> {
    // What the first player answers is what the second is asked.
    let read = read_setup::<5>(answer).map_err(|error| error.to_string())?;
    let [first_card, second_card] = cards;
    match read {
        Setup::Second { cards, first } if cards == [second_card, first_card] => Ok(first),
        Setup::Second { .. } => Err(format!(
            "the players must be swapped with the cards they have: {}",
            expected_cards([second_card, first_card])
        )),
        Setup::First { .. } => Err("no workers are placed".into()),
    }
}

/// The board that the second player's answer makes.
///
/// # Errors
/// What is wrong with the answer.
pub(super) fn judge_second(
    answer: &Value,
    first: Placement,
    cards: Cards,
) -> Result<Board, String> {
    let board = json!({ "players": answer, "spaces": vec![[0; 5]; 5], "turn": 0 });
    let board: Board = read_board(&board).map_err(|error| error.to_string())?;
    if board.cards() != cards {
        return Err(format!(
            "the players must be swapped with the cards they have: {}",
            expected_cards(cards)
        ));
    }
    if board.workers(Side::Mover) != first.into_iter().collect() {
        return Err("the first player must stay as it was given".into());
    }
    Ok(board)
}

/// The cards that the players of an answer have, in order, for people.
fn expected_cards(cards: Cards) -> String {
    match cards {
        [Some(a), Some(b)] => format!("first {a}, then {b}"),
        _ => "none".into(),
    }
}
