//! The verdict on a player's answer: the legal turn that leads to the board, or the rule
//! that is broken.
//!
//! The rules module alone decides whether a turn is legal. The files here only explain why
//! one is not, by checking the rules in a player's order: whose turn it is, which worker
//! moves, where it goes, what it builds.
//!
//! | to see or change | look at |
//! |---|---|
//! | the message for every broken rule, with its hint | `broken_rule.rs` |
//! | a broken rule for programs: its name and spaces | `place.rs` |
//! | the changes between two boards | `change.rs` |
//! | rules of moving | `moving.rs` |
//! | rules of building | `building.rs` |
//! | boards with rows and columns swapped | `transposed.rs` |
//! | turns typed by people, and what is wrong with them | `typed.rs` |
//! | hints for output that is not JSON, late or not flushed | `src/contest/program/output_hint.rs` |
//! | hints for usual mistakes in JSON | `src/games/protocol/json_hint.rs` |
//!
//! | to add | change |
//! |---|---|
//! | a broken rule, or a hint for a wrong board | `broken_rule.rs`, where it is found (`change.rs`, `moving.rs`, `building.rs`), `place.rs`; its test in `tests/` |

mod broken_rule;
mod building;
mod change;
mod moving;
mod place;
#[cfg(test)]
mod tests;
mod transposed;
mod typed;

use serde_json::Value;

pub use broken_rule::{BrokenRule, Detours, Obstacle, Occupant, WinningMove};
use building::TypedBuilds;
use change::Change;
use transposed::transposed_part;
pub use typed::{Typed, broken_rule, read_turn};

use crate::protocol::exchange::{ExchangeError, read_board};
use crate::rules::{Blocked, CAP, Position, PositionError, Side, Space, Square, Turn};

/// The legal turn that leads from the position to the board in the JSON value, and the
/// position after it.
///
/// # Errors
/// The rule that the board breaks.
pub fn judge<const N: usize>(
    before: &Position<N>,
    answer: &Value,
) -> Result<(Turn, Position<N>), BrokenRule> {
    judge_board(before, read_board(answer), None).map_err(|broken| {
        match transposed_part(before, answer) {
            Some(part) => BrokenRule::Transposed {
                broken: Box::new(broken),
                part,
            },
            None => broken,
        }
    })
}

/// As [`judge`], for the result of reading a board; `typed` are the builds of a typed turn.
fn judge_board<const N: usize>(
    before: &Position<N>,
    answer: Result<Position<N>, ExchangeError>,
    typed: Option<&TypedBuilds>,
) -> Result<(Turn, Position<N>), BrokenRule> {
    check_not_over(before)?;
    let after = answer.map_err(|error| explain_error(before, error))?;
    match before.turn_to(&after) {
        Some(turn) => Ok((turn, after)),
        None => {
            check_rules(before, &after, typed)?;
            Err(BrokenRule::NoSuchTurn)
        }
    }
}

/// Checks that the game is not over.
fn check_not_over<const N: usize>(before: &Position<N>) -> Result<(), BrokenRule> {
    if before.shows_win() {
        let winner = (before.occupied() & before.above(2)).first();
        return Err(BrokenRule::GameWon(winner.map(Space::of::<N>)));
    }
    if !before.has_turn() {
        return Err(BrokenRule::NoTurnLeft);
    }
    Ok(())
}

/// Checks the rules one by one.
fn check_rules<const N: usize>(
    before: &Position<N>,
    after: &Position<N>,
    typed: Option<&TypedBuilds>,
) -> Result<(), BrokenRule> {
    check_frame(before, after)?;
    let change = Change::between(before, after)?;
    let reach = moving::check(&change)?;
    building::check(&change, reach, typed)
}

/// Checks the order of the players, their cards and the turn number.
fn check_frame<const N: usize>(
    before: &Position<N>,
    after: &Position<N>,
) -> Result<(), BrokenRule> {
    let [mover, other] = [Side::Mover, Side::Other].map(|side| before.workers(side));
    let [first, second] = [Side::Mover, Side::Other].map(|side| after.workers(side));
    let same_levels = (0..CAP as usize).all(|level| before.above(level) == after.above(level));
    let none_moved = [first, second] == [mover, other] || [first, second] == [other, mover];
    if same_levels && none_moved {
        return Err(BrokenRule::NothingDone);
    }
    let [card, others_card] = before.cards();
    let swapped = match card {
        Some(_) => after.cards() != before.cards(),
        None => first == other || second != other,
    };
    if !swapped {
        return Err(BrokenRule::NotSwapped);
    }
    if after.cards() != [others_card, card] {
        return Err(BrokenRule::OtherCards {
            expected: [others_card, card],
        });
    }
    let expected = before.turn().wrapping_add(1);
    if after.turn() != expected {
        return Err(BrokenRule::TurnNumber {
            expected,
            found: after.turn(),
        });
    }
    Ok(())
}

/// Explains a value that is not a position, by the position before it.
fn explain_error<const N: usize>(before: &Position<N>, error: ExchangeError) -> BrokenRule {
    let square = |space: Space| Square::at::<N>(space.row - 1, space.column - 1);
    match error {
        ExchangeError::Rules(PositionError::OnCap(space)) => {
            if before.level(square(space)) == CAP {
                BrokenRule::OntoCap(space)
            } else {
                BrokenRule::DomeUnder(space)
            }
        }
        ExchangeError::Rules(PositionError::SharedSpace(space)) => {
            if before.workers(Side::Other).has(square(space)) {
                match before.power(Side::Mover).blocked {
                    Blocked::Stays => BrokenRule::OntoOpponent(space),
                    Blocked::Swaps => BrokenRule::NotExchanged(space),
                    Blocked::Pushes => BrokenRule::NotPushed(space),
                }
            } else {
                BrokenRule::SharedSpace(space)
            }
        }
        ExchangeError::BothOn(space) => BrokenRule::SharedSpace(space),
        error => BrokenRule::NoBoard(error),
    }
}
