//! The set-up of a game: the questions to both players, and which placements are legal.
//!
//! Answering swaps the players: the player who is asked comes first in the question and
//! last in its answer.

use serde_json::{Value, json};

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
    let read = read_setup::<5>(answer).map_err(|error| error.to_string())?;
    let [first_card, second_card] = cards;
    match read {
        Setup::Second { cards, first } if cards == [second_card, first_card] => Ok(first),
        Setup::Second { .. } => Err(format!(
            "the players must be swapped and keep their cards: {}",
            expected_cards([second_card, first_card])
        )),
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
    let board = json!({ "players": answer, "spaces": vec![[0; 5]; 5], "turn": 0 });
    let board: Position<5> = read_board(&board).map_err(|error| error.to_string())?;
    if board.cards() != cards {
        return Err(format!(
            "the players must be swapped and keep their cards: {}",
            expected_cards(cards)
        ));
    }
    if board.workers(Side::Mover) != first.into_iter().collect() {
        return Err("the first player's workers must stay where they are".into());
    }
    Ok(board)
}

/// The expected cards of an answer's players in order, for messages.
fn expected_cards(cards: Cards) -> String {
    match cards {
        [Some(a), Some(b)] => format!("first {a}, then {b}"),
        _ => "none".into(),
    }
}
