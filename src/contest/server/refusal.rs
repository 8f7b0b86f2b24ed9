//! Explains why an answer is illegal, for the bot's author.
//!
//! The `rules` module decides whether half a turn is legal. These functions only explain
//! its refusals.

use crate::protocol::tcp::{SIZE, Spot};
use crate::rules::{Bitboard, Geometry, Position, Side, Square};

/// Why an answer is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalAnswer {
    #[error("it is not your turn; answer only states that name you")]
    NotYourTurn,
    #[error("this answer does not match the status")]
    WrongKind,
    #[error("a worker stands on {}", Spot(*.0))]
    Occupied(Square),
    #[error("worker {worker} stands on {}, which is not next to {}", Spot(*from), Spot(*to))]
    NotBeside {
        worker: u8,
        from: Square,
        to: Square,
    },
    #[error("{} has {level} floors and worker {worker} stands on {own}; it can climb at most one",
        Spot(*to))]
    TooHigh {
        worker: u8,
        own: u8,
        to: Square,
        level: u8,
    },
    #[error("{} already has 4 floors, the maximum", Spot(*.0))]
    Complete(Square),
    #[error("the worker that moved stands on {}, which is not next to {}", Spot(*from), Spot(*to))]
    BuildNotBeside { from: Square, to: Square },
}

/// Explains why a worker (1 or 2) cannot make an illegal step.
pub(super) fn why_no_step(
    position: &Position<SIZE>,
    worker: u8,
    from: Square,
    to: Square,
) -> IllegalAnswer {
    let level = position.level(to);
    if !Geometry::<SIZE>::NEIGHBOURS[from.index()].has(to) {
        IllegalAnswer::NotBeside { worker, from, to }
    } else if position.occupied().has(to) {
        IllegalAnswer::Occupied(to)
    } else if position.at_level(4).has(to) {
        IllegalAnswer::Complete(to)
    } else {
        let own = position.level(from);
        IllegalAnswer::TooHigh {
            worker,
            own,
            to,
            level,
        }
    }
}

/// Explains why the worker that moved cannot make an illegal build.
pub(super) fn why_no_build(
    position: &Position<SIZE>,
    from: Square,
    to: Square,
    square: Square,
) -> IllegalAnswer {
    let others = position.workers(Side::Mover).without(Bitboard::of(from))
        | position.workers(Side::Other)
        | Bitboard::of(to);
    if others.has(square) {
        IllegalAnswer::Occupied(square)
    } else if !Geometry::<SIZE>::NEIGHBOURS[to.index()].has(square) {
        IllegalAnswer::BuildNotBeside {
            from: to,
            to: square,
        }
    } else {
        IllegalAnswer::Complete(square)
    }
}
