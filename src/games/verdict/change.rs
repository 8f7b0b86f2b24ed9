//! The changes from one board to the next: the worker that moved, the opponent's worker
//! that was displaced, and the towers that grew.

use super::broken_rule::BrokenRule;
use crate::rules::{Bitboard, Card, Geometry, Position, Power, Side, Space, Square};

/// One worker's move and the builds.
pub(super) struct Change<'a, const N: usize> {
    pub before: &'a Position<N>,
    pub after: &'a Position<N>,
    /// The squares from and to which the worker moved.
    pub from: Square,
    pub to: Square,
    /// The squares from and to which an opponent's worker was displaced.
    pub displaced: Option<(Square, Square)>,
    pub raised: Vec<Raised>,
}

/// A tower that grew.
#[derive(Clone, Copy)]
pub(super) struct Raised {
    pub square: Square,
    pub low: u8,
    pub high: u8,
}

impl<'a, const N: usize> Change<'a, N> {
    /// The change between two boards with the players swapped.
    ///
    /// # Errors
    /// Unless exactly one of the player's workers and at most one of the opponent's has
    /// moved and no tower went down.
    pub(super) fn between(
        before: &'a Position<N>,
        after: &'a Position<N>,
    ) -> Result<Self, BrokenRule> {
        let own = moved([before.workers(Side::Mover), after.workers(Side::Other)]);
        let others = moved([before.workers(Side::Other), after.workers(Side::Mover)]);
        let names = |squares: [Square; 2]| squares.map(Space::of::<N>);
        let displaced = match *others.as_slice() {
            [] => None,
            [one] => Some(one),
            [(a, c), (b, d), ..] => {
                return Err(BrokenRule::OpponentsMoved {
                    from: names([a, b]),
                    to: names([c, d]),
                });
            }
        };
        let (from, to) = match *own.as_slice() {
            [one] => one,
            [(a, c), (b, d), ..] => {
                return Err(BrokenRule::BothMoved {
                    from: names([a, b]),
                    to: names([c, d]),
                });
            }
            [] => {
                return Err(match displaced {
                    None => BrokenRule::NoWorkerMoved {
                        moves_twice: before.power(Side::Mover).moves_twice,
                    },
                    Some((from, to)) => BrokenRule::OpponentMoved {
                        from: Space::of::<N>(from),
                        to: Space::of::<N>(to),
                        card: before.card(Side::Mover),
                    },
                });
            }
        };
        Ok(Self {
            before,
            after,
            from,
            to,
            displaced,
            raised: raised(before, after)?,
        })
    }

    pub(super) fn card(&self) -> Option<Card> {
        self.before.card(Side::Mover)
    }

    pub(super) fn power(&self) -> Power {
        self.before.power(Side::Mover)
    }

    /// The level of a square before the turn.
    pub(super) fn level(&self, square: Square) -> u8 {
        self.before.level(square)
    }

    /// Whether two squares are neighbours.
    pub(super) fn near(a: Square, b: Square) -> bool {
        Geometry::<N>::NEIGHBOURS[a.index()].has(b)
    }
}

/// The squares from and to which workers moved.
fn moved([before, after]: [Bitboard; 2]) -> Vec<(Square, Square)> {
    let left = before.without(after);
    left.zip(after.without(before)).collect()
}

fn raised<const N: usize>(
    before: &Position<N>,
    after: &Position<N>,
) -> Result<Vec<Raised>, BrokenRule> {
    let mut raised = Vec::new();
    for square in Geometry::<N>::BOARD {
        let (low, high) = (before.level(square), after.level(square));
        if high < low {
            return Err(BrokenRule::Lowered {
                space: Space::of::<N>(square),
                high: low,
                low: high,
            });
        }
        if high > low {
            raised.push(Raised { square, low, high });
        }
    }
    Ok(raised)
}
