//! What a network sees of a position: the level of every square's tower, and
//! of each worker whose it is, where it stands and on what level.
//!
//! Each such fact is a feature, the index of a row of weights. Towers are the
//! same from both players' sides; a worker is seen as one's own or as one of
//! the opponent.
//!
//! A network of games with cards also sees each worker's card. The base game
//! has networks of its own, so that learning cards leaves it as it is.

use crate::rules::{Card, Geometry, Position, Side, Square};

/// A tower has one feature for each level.
const TOWER: usize = 5;

/// The levels a worker can stand on.
const LEVELS: usize = 4;

/// The steps in which the sum of all levels is counted, each with an output
/// layer of its own.
pub const STAGES: usize = 8;

/// The features of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Features {
    /// Those of the base game; cards are not seen.
    Base,
    /// Those of games in which both players have a card.
    Cards,
}

impl Features {
    /// Those in which a position with or without cards is seen best.
    pub fn of<const N: usize>(position: &Position<N>) -> Self {
        match position.card(Side::Mover) {
            None => Self::Base,
            Some(_) => Self::Cards,
        }
    }

    /// The features of one player's workers on a square.
    const fn worker_states(self) -> usize {
        match self {
            Self::Base => LEVELS,
            Self::Cards => LEVELS * Card::ALL.len(),
        }
    }

    /// The features of a square: its tower, then an own worker, then one of
    /// the opponent.
    const fn each(self) -> usize {
        TOWER + 2 * self.worker_states()
    }

    /// The number of features of an `N`x`N` board.
    pub const fn count<const N: usize>(self) -> usize {
        N * N * self.each()
    }

    /// The feature of a tower.
    #[inline(always)]
    pub const fn tower(self, square: Square, level: u8) -> usize {
        square.index() * self.each() + level as usize
    }

    /// The feature of a worker that is the own of the player from whose side
    /// one looks, or of the opponent.
    #[inline(always)]
    pub const fn worker(self, square: Square, level: u8, own: bool, card: Option<Card>) -> usize {
        let card = match (self, card) {
            (Self::Cards, Some(card)) => card as usize,
            _ => 0,
        };
        let side = if own { 0 } else { self.worker_states() };
        square.index() * self.each() + TOWER + side + LEVELS * card + level as usize
    }

    /// Calls `visit` with each feature, seen from the side of `own`.
    pub fn for_each<const N: usize>(
        self,
        position: &Position<N>,
        own: Side,
        mut visit: impl FnMut(usize),
    ) {
        for square in Geometry::<N>::BOARD {
            visit(self.tower(square, position.level(square)));
        }
        for owner in [Side::Mover, Side::Other] {
            for square in position.workers(owner) {
                let (level, card) = (position.level(square), position.card(owner));
                visit(self.worker(square, level, owner == own, card));
            }
        }
    }

    /// The feature of the base game that is most like the given one: the same
    /// without cards.
    pub const fn without_cards(self, feature: usize) -> usize {
        let (square, state) = (feature / self.each(), feature % self.each());
        let plain = if state < TOWER {
            state
        } else {
            let worker = state - TOWER;
            TOWER + worker / self.worker_states() * LEVELS + worker % LEVELS
        };
        square * Self::Base.each() + plain
    }
}

/// The raises of a tower: from each level to each that is higher.
const RAISES: usize = TOWER * (TOWER - 1) / 2;

/// The number of raises on an `N`x`N` board.
pub const fn raises<const N: usize>() -> usize {
    N * N * RAISES
}

/// The index of a tower's raise from a level to a higher one, among all.
#[inline(always)]
pub const fn raise(square: Square, from: u8, to: u8) -> usize {
    let (from, to) = (from as usize, to as usize);
    square.index() * RAISES + to * (to - 1) / 2 + from
}

/// The sum of all levels.
pub fn levels<const N: usize>(position: &Position<N>) -> u32 {
    (0..4).map(|level| position.above(level).count()).sum()
}

/// The stage of a game on `N`x`N` squares with the given sum of levels.
#[inline(always)]
pub const fn stage<const N: usize>(levels: u32) -> usize {
    // Most games on 25 squares end before 40 levels are built.
    let stage = levels as usize * STAGES * 25 / (40 * N * N);
    if stage < STAGES { stage } else { STAGES - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(features: Features, text: &str, own: Side) -> Vec<usize> {
        let position: Position<5> = text.parse().unwrap();
        let mut seen = Vec::new();
        features.for_each(&position, own, |feature| seen.push(feature));
        seen.sort_unstable();
        seen
    }

    const TEXT: &str = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
    const PLAYERS_SWAPPED: &str = "01010/10000/01012/11140/11310 a3b5 e2c5 12";

    #[test]
    fn the_other_side_sees_own_and_others_swapped() {
        for (features, cards, swapped) in [
            (Features::Base, "", ""),
            (Features::Cards, " Pan Apollo", " Apollo Pan"),
        ] {
            let other = seen(features, &format!("{TEXT}{cards}"), Side::Other);
            let expected = format!("{PLAYERS_SWAPPED}{swapped}");
            assert_eq!(other, seen(features, &expected, Side::Mover));
            assert_eq!(other.len(), 25 + 4);
            assert!(other.iter().all(|&it| it < features.count::<5>()));
        }
    }

    #[test]
    fn cards_are_seen_by_a_network_of_cards_alone() {
        let carded = format!("{TEXT} Pan Apollo");
        let plain = seen(Features::Base, TEXT, Side::Mover);
        assert_eq!(seen(Features::Base, &carded, Side::Mover), plain);
        let with_cards = seen(Features::Cards, &carded, Side::Mover);
        let other_cards = format!("{TEXT} Pan Atlas");
        assert_ne!(seen(Features::Cards, &other_cards, Side::Mover), with_cards);
        let without = with_cards.into_iter();
        let mut without: Vec<usize> = without
            .map(|it| Features::Cards.without_cards(it))
            .collect();
        without.sort_unstable();
        assert_eq!(without, plain);
    }
}
