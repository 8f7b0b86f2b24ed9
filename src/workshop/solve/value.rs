//! The value of a solved state: its winner, and the distance in plies.

use std::fmt;

/// The exact value of a state for the player to move, in a byte.
///
/// ```text
///   0   loss in 0: the player has no turn
///   2   loss in 2             the longest defence
///  ...
/// 252   win in 3              the shortest win
/// 254   win in 1
/// 255   no such state: two workers on one square
/// ```
///
/// A greater byte is better for the player to move, so the best turn leaves the opponent
/// the smallest byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExactValue(pub u8);

/// The byte of an impossible state.
pub(super) const NO_STATE: u8 = 255;

impl ExactValue {
    /// The value of a state from the smallest byte that its turns leave the opponent. A
    /// winning turn leaves 0. If there is no turn, `least` is [`NO_STATE`].
    #[inline(always)]
    pub const fn before(least: u8) -> Self {
        Self(byte_before(least))
    }

    /// Whether the player to move wins.
    pub const fn wins(self) -> bool {
        self.0 >= 128
    }

    /// The number of turns of both players to the end of the game.
    pub const fn plies(self) -> u32 {
        if self.wins() {
            NO_STATE as u32 - self.0 as u32
        } else {
            self.0 as u32
        }
    }

    /// The value of a game that ends in `plies` plies, fewer than 128: a win if odd.
    pub const fn in_plies(plies: u32) -> Self {
        debug_assert!(plies < 128);
        Self(if plies % 2 == 1 {
            NO_STATE - plies as u8
        } else {
            plies as u8
        })
    }
}

/// [`ExactValue::before`] on bytes. Branchless, so that rows can be vectorised.
#[inline(always)]
pub(super) const fn byte_before(least: u8) -> u8 {
    let win = 254u8.wrapping_sub(least);
    let loss = 0u8.wrapping_sub(least);
    let value = if least < 128 { win } else { loss };
    if least == NO_STATE { 0 } else { value }
}

impl fmt::Display for ExactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.wins() { "win" } else { "loss" };
        f.pad(&format!("{kind} in {}", self.plies()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greater_bytes_are_better() {
        let in_order = [
            (false, 0),
            (false, 2),
            (false, 40),
            (true, 41),
            (true, 3),
            (true, 1),
        ];
        let values = in_order.map(|(_, plies)| ExactValue::in_plies(plies));
        assert!(values.is_sorted());
        for (value, (wins, plies)) in values.into_iter().zip(in_order) {
            assert_eq!((value.wins(), value.plies()), (wins, plies));
        }
        assert_eq!(values[4].to_string(), "win in 3");
    }

    #[test]
    fn a_value_is_one_ply_longer_than_its_best_turn() {
        assert_eq!(ExactValue::before(NO_STATE), ExactValue::in_plies(0));
        for plies in 0..60 {
            let after = ExactValue::in_plies(plies);
            let before = ExactValue::before(after.0);
            assert_eq!(before, ExactValue::in_plies(plies + 1));
        }
    }
}
