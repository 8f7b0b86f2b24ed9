//! The position: levels, workers and cards, and playing a turn (copy-make).

use std::array::from_fn;

use super::bitboard::{Bitboard, Geometry, Square, Symmetry};
use super::card::{Blocked, Card, Power};
use super::setup::Placement;
use super::turn::Turn;

/// The level of a capped tower.
pub const CAP: u8 = 4;

/// One of the two players, relative to the one to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The player to move.
    Mover = 0,
    /// The opponent of the player to move.
    Other = 1,
}

impl Side {
    /// The other player.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Mover => Self::Other,
            Self::Other => Self::Mover,
        }
    }
}

/// A position of the game on an `N`x`N` board with all four workers placed.
///
/// Levels are four nested bitboards: `above[k]` holds the squares of a level greater than
/// `k`. A tower of level 2 is in `above[0]` and `above[1]`, a capped one in all four, and a
/// worker on level `h` cannot climb to `above[h + 1]`. The player to move comes first, as in
/// the exchange protocol; a turn swaps the players.
///
/// The position is small and `Copy`: a turn makes a new one, and nothing is undone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position<const N: usize> {
    pub(super) above: [Bitboard; 4],
    pub(super) workers: [Bitboard; 2],
    turn: u32,
    cards: [Option<Card>; 2],
}

/// Why parts do not make a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A space is higher than a dome.
    #[error("space {space} has level {level}; a level is 0, 1, 2, 3 or 4")]
    Level {
        /// The space with the invalid level.
        space: Space,
        /// The level found there.
        level: u8,
    },
    /// Two workers have the same space.
    #[error("two workers stand on space {0}; a space holds one worker at most")]
    SharedSpace(Space),
    /// A worker stands on a dome.
    #[error("a worker stands on space {0}, whose tower is capped (level 4)")]
    OnCap(Space),
    /// Both players hold one and the same card.
    #[error("both players have the card {0}; their cards must differ")]
    SameCard(Card),
    /// Only one player has a card.
    #[error("one player has the card {0} and the other has none; both have one or neither")]
    OneCard(Card),
}

/// A space as the exchange protocol names it: row, then column, both from 1. As text it has
/// both notations: `d3 (3,4)` is column d, row 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// The row, from 1 at the top.
    pub row: usize,
    /// The column, from 1 at the left.
    pub column: usize,
}

impl Space {
    /// The space of a square of an `N`x`N` board.
    pub const fn of<const N: usize>(square: Square) -> Self {
        Self {
            row: square.row::<N>() + 1,
            column: square.column::<N>() + 1,
        }
    }
}

impl std::fmt::Display for Space {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = (b'a'..=b'z')
            .nth(self.column.wrapping_sub(1))
            .unwrap_or(b'?');
        let Self { row, column } = self;
        write!(f, "{}{row} ({row},{column})", char::from(letter))
    }
}

/// The largest turn number of a position: the position after its turn needs a number too.
pub const MOST_TURN: u32 = u32::MAX - 1;

/// The players' cards: both have one or neither has.
pub type Cards = [Option<Card>; 2];

impl<const N: usize> Position<N> {
    /// A position from its parts: `levels` row by row, then the `workers` and `cards` of the
    /// player to move and of the other one.
    ///
    /// # Errors
    /// If a level is above 4, workers share a space or stand on a capped tower, or the cards
    /// are equal or only one player has one.
    pub fn new(
        levels: &[[u8; N]; N],
        workers: [[Square; 2]; 2],
        cards: Cards,
        turn: u32,
    ) -> Result<Self, PositionError> {
        let mut position = Self {
            above: Default::default(),
            workers: Default::default(),
            turn,
            cards,
        };
        for (index, &level) in levels.as_flattened().iter().enumerate() {
            let square = Square::new(index);
            if level > CAP {
                return Err(PositionError::Level {
                    space: Space::of::<N>(square),
                    level,
                });
            }
            for set in &mut position.above[..level as usize] {
                *set |= Bitboard::of(square);
            }
        }
        for (side, squares) in workers.into_iter().enumerate() {
            for square in squares {
                if position.occupied().has(square) {
                    return Err(PositionError::SharedSpace(Space::of::<N>(square)));
                }
                if position.above[3].has(square) {
                    return Err(PositionError::OnCap(Space::of::<N>(square)));
                }
                position.workers[side] |= Bitboard::of(square);
            }
        }
        match cards {
            [Some(a), Some(b)] if a == b => Err(PositionError::SameCard(a)),
            [Some(card), None] | [None, Some(card)] => Err(PositionError::OneCard(card)),
            _ => Ok(position),
        }
    }

    /// The position after both placements on the empty board. `workers[0]` belong to the
    /// first player.
    ///
    /// # Errors
    /// As [`Position::new`].
    pub fn start(workers: [[Square; 2]; 2], cards: Cards) -> Result<Self, PositionError> {
        Self::new(&[[0; N]; N], workers, cards, 0)
    }

    /// The level of a square, 0 to 4.
    pub fn level(&self, square: Square) -> u8 {
        self.above.iter().map(|set| set.has(square) as u8).sum()
    }

    /// The levels of all squares, row by row.
    pub fn levels(&self) -> [[u8; N]; N] {
        from_fn(|row| from_fn(|column| self.level(Square::at::<N>(row, column))))
    }

    /// The squares above this level (0 to 3).
    pub const fn above(&self, level: usize) -> Bitboard {
        self.above[level]
    }

    /// The squares of exactly this level (0 to 4).
    pub fn at_level(&self, level: usize) -> Bitboard {
        let reaches = if level == 0 {
            Geometry::<N>::BOARD
        } else {
            self.above[level - 1]
        };
        if level == CAP as usize {
            reaches
        } else {
            reaches.without(self.above[level])
        }
    }

    /// The two workers of a player.
    pub const fn workers(&self, side: Side) -> Bitboard {
        self.workers[side as usize]
    }

    /// The squares of a player's two workers.
    pub fn placement(&self, side: Side) -> Placement {
        let mut workers = self.workers(side).into_iter();
        std::array::from_fn(|_| workers.next().expect("a player has two workers"))
    }

    /// All four workers.
    pub fn occupied(&self) -> Bitboard {
        self.workers[0] | self.workers[1]
    }

    /// The card of a player, if the game has cards.
    pub const fn card(&self, side: Side) -> Option<Card> {
        self.cards[side as usize]
    }

    /// Whether the players have cards.
    pub const fn has_cards(&self) -> bool {
        self.cards[0].is_some()
    }

    /// The cards of the player to move and of the other one.
    pub const fn cards(&self) -> Cards {
        self.cards
    }

    /// The number of turns played before this one.
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// The player to move: 0 plays the even turns, 1 the odd ones.
    pub const fn player(&self) -> usize {
        (self.turn & 1) as usize
    }

    /// The rules of a player's turns.
    pub const fn power(&self, side: Side) -> Power {
        match self.cards[side as usize] {
            Some(card) => card.power(),
            None => Power::BASE,
        }
    }

    /// Whether a worker on level 3 shows that the game is over. With cards the board alone
    /// never shows it: a worker can be moved there without a win.
    pub fn shows_win(&self) -> bool {
        self.cards[0].is_none() && (self.occupied() & self.above[2]).any()
    }

    /// The position after a legal turn. After a winning turn the game is over.
    #[inline(always)]
    pub fn play(&self, turn: Turn) -> Self {
        if turn.is_plain() {
            self.play_plain(turn)
        } else {
            self.play_with_extras(turn)
        }
    }

    /// Plays a turn of the base game. The new position is built at once: a changed copy would
    /// be read in wider words than it was written in. Measured: 1.03 times the nodes a second
    /// of the whole search.
    #[inline(always)]
    fn play_plain(&self, turn: Turn) -> Self {
        let step = Bitboard::of(turn.from()) | Bitboard::of(turn.to());
        Self {
            above: raised(self.above, turn.build_set()),
            workers: [self.workers[1], self.workers[0] ^ step],
            turn: self.turn.wrapping_add(1),
            cards: [self.cards[1], self.cards[0]],
        }
    }

    /// Plays a turn that only cards allow.
    #[cold]
    fn play_with_extras(&self, turn: Turn) -> Self {
        let mut next = self.play_plain(turn);
        if let Some(square) = turn.extra().build() {
            next.raise(Bitboard::of(square));
        }
        if turn.is_dome() {
            let dome = turn.build_set();
            next.above.iter_mut().for_each(|set| *set |= dome);
        }
        if turn.displaces() {
            let target = self.displaced_to(turn.from(), turn.to());
            let target = target.expect("only a worker that can be displaced is moved onto");
            // The opponent is the next to move.
            next.workers[0] ^= Bitboard::of(turn.to()) | Bitboard::of(target);
        }
        next
    }

    /// The same position with the other player to move.
    pub fn with_players_swapped(&self) -> Self {
        let mut swapped = *self;
        swapped.workers.swap(0, 1);
        swapped.cards.swap(0, 1);
        swapped
    }

    /// Adds a level to every square of the set. None may be capped.
    pub(super) fn raise(&mut self, squares: Bitboard) {
        debug_assert!((squares & self.above[3]).is_empty());
        self.above = raised(self.above, squares);
    }

    /// Where the opponent's worker on `to` goes if the mover steps there from `from`. `None` if
    /// it blocks the step.
    pub(super) fn displaced_to(&self, from: Square, to: Square) -> Option<Square> {
        match self.power(Side::Mover).blocked {
            Blocked::Stays => None,
            Blocked::Swaps => Some(from),
            Blocked::Pushes => Geometry::<N>::beyond(from, to)
                .filter(|&target| !(self.occupied() | self.above[3]).has(target)),
        }
    }

    /// The position rotated or mirrored.
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        Self {
            above: self.above.map(|set| symmetry.set::<N>(set)),
            workers: self.workers.map(|set| symmetry.set::<N>(set)),
            ..*self
        }
    }

    /// The cards of the first player, which plays the even turns, and of the second.
    pub fn first_cards(&self) -> Cards {
        let [mover, other] = self.cards();
        match self.player() {
            0 => [mover, other],
            _ => [other, mover],
        }
    }

    /// A hash that is equal for symmetric positions: the least of their keys.
    pub fn symmetric_key(&self) -> u64 {
        let keys = Symmetry::all().map(|symmetry| self.transformed(symmetry).key());
        keys.min().expect("there are eight symmetries")
    }

    /// A hash of the levels, workers and cards, but not of the turn number.
    ///
    /// The whole position is a few words. Hashing them (three independent 64x64 -> 128 bit
    /// multiplications and a last one, folded) costs no more than updating a Zobrist key.
    pub fn key(&self) -> u64 {
        let cards = self
            .cards
            .map(|card| card.map_or(0, |card| card as u64 + 1));
        let parts = self.levels_key() ^ self.workers_key().rotate_left(42);
        fold(
            parts ^ 0x1656_67b1_9e37_79f9,
            0x94d0_49bb_1331_11eb ^ (cards[0] << 4 | cards[1]),
        )
    }

    /// A hash of the levels.
    #[inline(always)]
    pub fn levels_key(&self) -> u64 {
        let [a, b, c, d] = self.above.map(|set| set.0);
        let levels = fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xd1b5_4a32_d192_ed03);
        let caps = fold(c ^ 0x8cb9_2ba7_2f3d_8dd7, d ^ 0xaaac_1e6f_2a7b_91e5);
        levels ^ caps.rotate_left(21)
    }

    /// A hash of the workers, the mover's first.
    #[inline(always)]
    pub fn workers_key(&self) -> u64 {
        let [mover, other] = self.workers.map(|set| set.0);
        fold(mover ^ 0xf135_7aea_2e62_a9c5, other ^ 0xc2b2_ae3d_27d4_eb4f)
    }
}

/// The nested bitboards with a level more on every square of a set.
#[inline(always)]
fn raised([one, two, three, four]: [Bitboard; 4], squares: Bitboard) -> [Bitboard; 4] {
    [
        one | squares,
        two | one & squares,
        three | two & squares,
        four | three & squares,
    ]
}

/// The two halves of a 128-bit product, folded into one word.
const fn fold(a: u64, b: u64) -> u64 {
    // WebAssembly multiplies at most 64 bits.
    if cfg!(target_arch = "wasm32") {
        return fold_by_halves(a, b);
    }
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// The same from 64-bit products. Inlined, it saves the call of a 128-bit multiplication.
const fn fold_by_halves(a: u64, b: u64) -> u64 {
    const LOW: u64 = u32::MAX as u64;
    let low = (a & LOW) * (b & LOW);
    let middle = (a >> 32) * (b & LOW) + (low >> 32);
    let other = (a & LOW) * (b >> 32) + (middle & LOW);
    let high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
    high ^ (other << 32 | low & LOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_by_halves_equals_folding_the_product() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1000 {
            let next = word.rotate_left(23).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ word >> 29;
            for (a, b) in [
                (word, next),
                (word >> 40, next),
                (u64::MAX, word),
                (0, next),
            ] {
                assert_eq!(fold_by_halves(a, b), fold(a, b), "{a} {b}");
            }
            word = next;
        }
        assert_eq!(fold_by_halves(u64::MAX, u64::MAX), fold(u64::MAX, u64::MAX));
    }
}
