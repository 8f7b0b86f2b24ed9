//! A whole turn in 32 bits, and its text notation.

use std::fmt;
use std::num::NonZeroU32;

use super::bitboard::{Bitboard, Square};

/// A player's whole turn in 32 bits.
///
/// ```text
///  bit  28  27  26   25 24   23....18  17....12  11.....6  5......0
///        |   |   |     |        |         |         |         |
///        |   |   |     |      extra     build      to       from
///        |   |   |   what `extra` is (see `Extra`)
///        |   |  builds after moving (not set: the move wins)
///        |  the build is a dome on a lower tower
///       an opponent's worker stood on `to`
/// ```
///
/// `from` and `to` always differ, so the value is never zero and an `Option<Turn>` has the
/// same size.
///
/// The text lists the steps in order: the start, `-` and the space moved to (`x` if an
/// opponent's worker stood there), `+` and the space built on (`^` for a dome on a lower
/// tower), `#` after a winning move.
///
/// | text | turn |
/// |---|---|
/// | `c3-c4+b4` | moves from column c, row 3 to c4, builds on b4 |
/// | `c3-c4#` | moves and wins |
/// | `c3-c4-d4+e5` | moves twice |
/// | `c3-c4+b4+b4` | builds twice |
/// | `c3+b3-c4+b4` | builds, moves, builds |
/// | `c3-c4^b4` | moves and caps b4 from a level below 3 |
/// | `c3xc4+b4` | moves to c4 and swaps with, or pushes, the worker there |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(NonZeroU32);

/// The step of a turn that needs a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    /// Move, and build unless the move wins.
    None,
    /// The space between the first move and the second.
    Via(Square),
    /// A second build after moving, maybe on the same space.
    SecondBuild(Square),
    /// A build before moving.
    FirstBuild(Square),
}

impl Extra {
    /// The space of the build that needs a card.
    #[inline(always)]
    pub const fn build(self) -> Option<Square> {
        match self {
            Self::SecondBuild(square) | Self::FirstBuild(square) => Some(square),
            Self::Via(_) | Self::None => None,
        }
    }
}

const TO: u32 = 6;
const BUILD: u32 = 12;
const EXTRA: u32 = 18;
const EXTRA_KIND: u32 = 24;
const BUILDS: u32 = 1 << 26;
const DOME: u32 = 1 << 27;
const DISPLACES: u32 = 1 << 28;
/// A turn with any of these bits needs a card.
const NOT_PLAIN: u32 = 3 << EXTRA_KIND | DOME | DISPLACES;

impl Turn {
    const fn from_bits(bits: u32) -> Self {
        Self::from_raw(bits).expect("a worker cannot move from square 0 to square 0")
    }

    /// A move without a build: it wins.
    pub const fn winning(from: Square, to: Square) -> Self {
        debug_assert!(from.index() != to.index());
        Self::from_bits(from.index() as u32 | (to.index() as u32) << TO)
    }

    /// The same turn with a build after the move.
    pub const fn building(self, square: Square) -> Self {
        debug_assert!(!self.builds());
        Self::from_bits(self.0.get() | (square.index() as u32) << BUILD | BUILDS)
    }

    /// The same turn, its build a dome on a tower lower than 3.
    pub const fn as_dome(self) -> Self {
        debug_assert!(self.builds());
        Self::from_bits(self.0.get() | DOME)
    }

    /// The same turn, onto a space where an opponent's worker stands.
    pub const fn displacing(self) -> Self {
        Self::from_bits(self.0.get() | DISPLACES)
    }

    /// The same turn as if no worker stood on the space moved to: its other spelling.
    pub(super) const fn without_displacing(self) -> Self {
        Self::from_bits(self.0.get() & !DISPLACES)
    }

    /// The same turn with a step that needs a card.
    pub const fn with_extra(self, extra: Extra) -> Self {
        debug_assert!(self.0.get() >> EXTRA_KIND & 3 == 0);
        let (kind, square) = match extra {
            Extra::None => return self,
            Extra::Via(square) => (1, square),
            Extra::SecondBuild(square) => (2, square),
            Extra::FirstBuild(square) => (3, square),
        };
        Self::from_bits(self.0.get() | kind << EXTRA_KIND | (square.index() as u32) << EXTRA)
    }

    const fn square_at(self, shift: u32) -> Square {
        Square::new((self.0.get() >> shift & 63) as usize)
    }

    /// The square where the worker starts.
    pub const fn from(self) -> Square {
        self.square_at(0)
    }

    /// The square where the worker ends.
    pub const fn to(self) -> Square {
        self.square_at(TO)
    }

    /// The space built on after the move; `None` if the move wins.
    pub const fn build(self) -> Option<Square> {
        if self.builds() {
            Some(self.square_at(BUILD))
        } else {
            None
        }
    }

    /// Whether the turn builds after the move: always, unless it wins.
    pub const fn builds(self) -> bool {
        self.0.get() & BUILDS != 0
    }

    /// Whether this turn wins the game.
    pub const fn wins(self) -> bool {
        !self.builds()
    }

    /// Whether the build is a dome on a tower lower than 3.
    pub const fn is_dome(self) -> bool {
        self.0.get() & DOME != 0
    }

    /// Whether an opponent's worker stood on the space moved to.
    pub const fn displaces(self) -> bool {
        self.0.get() & DISPLACES != 0
    }

    /// The step that needs a card.
    pub const fn extra(self) -> Extra {
        match self.0.get() >> EXTRA_KIND & 3 {
            1 => Extra::Via(self.square_at(EXTRA)),
            2 => Extra::SecondBuild(self.square_at(EXTRA)),
            3 => Extra::FirstBuild(self.square_at(EXTRA)),
            _ => Extra::None,
        }
    }

    /// Whether the base game allows such a turn: one move, at most one build.
    pub const fn is_plain(self) -> bool {
        self.0.get() & NOT_PLAIN == 0
    }

    /// The space built on after the move, as a set. Empty if the move wins.
    pub(super) const fn build_set(self) -> Bitboard {
        Bitboard::of_if(self.square_at(BUILD), self.builds())
    }

    /// The turn as a unique number below 2^29.
    pub const fn bits(self) -> u32 {
        self.0.get()
    }

    /// The turn with this number (see [`Turn::bits`]). `None` for 0.
    pub(crate) const fn from_raw(bits: u32) -> Option<Self> {
        match NonZeroU32::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The notation of the turn on an `N`x`N` board.
    pub fn text<const N: usize>(self) -> impl fmt::Display {
        TurnText::<N>(self)
    }

    /// Reads the notation of a turn, legal or not.
    ///
    /// # Errors
    /// If the text is not such a notation, or names a square off the board.
    pub fn parse<const N: usize>(text: &str) -> Result<Self, TurnError> {
        parse::<N>(text).ok_or_else(|| TurnError(text.to_string()))
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The notation needs the board size, which a turn does not know.
        write!(f, "Turn({}-{}", self.from().index(), self.to().index())?;
        if let Some(build) = self.build() {
            write!(f, "+{}", build.index())?;
        }
        write!(
            f,
            " {:?} dome {} displaces {})",
            self.extra(),
            self.is_dome(),
            self.displaces()
        )
    }
}

/// The error of reading a turn.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a turn; a turn looks like c3-c4+b4, or c3-c4# if it wins")]
pub struct TurnError(pub String);

/// The notation of a square: the letter of the column, then the row from 1.
pub fn square_text<const N: usize>(square: Square) -> String {
    let letter = (b'a' + square.column::<N>() as u8) as char;
    format!("{letter}{}", square.row::<N>() + 1)
}

/// Reads the notation of a square; `None` for other texts and for squares off the board.
pub fn parse_square<const N: usize>(text: &str) -> Option<Square> {
    let &[letter, digit] = text.as_bytes() else {
        return None;
    };
    let column = letter.checked_sub(b'a')? as usize;
    let row = digit.checked_sub(b'1')? as usize;
    (row < N && column < N).then(|| Square::at::<N>(row, column))
}

struct TurnText<const N: usize>(Turn);

impl<const N: usize> fmt::Display for TurnText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = self.0;
        let name = square_text::<N>;
        let mut text = name(turn.from());
        if let Extra::FirstBuild(square) = turn.extra() {
            text += &format!("+{}", name(square));
        }
        if let Extra::Via(square) = turn.extra() {
            text += &format!("-{}", name(square));
        }
        text.push(if turn.displaces() { 'x' } else { '-' });
        text += &name(turn.to());
        match turn.build() {
            None => text.push('#'),
            Some(build) => {
                text.push(if turn.is_dome() { '^' } else { '+' });
                text += &name(build);
            }
        }
        if let Extra::SecondBuild(square) = turn.extra() {
            text += &format!("+{}", name(square));
        }
        f.pad(&text)
    }
}

/// The steps after the starting square: a sign, then a square.
fn steps<const N: usize>(mut text: &str) -> Option<Vec<(char, Square)>> {
    let mut steps = Vec::new();
    while !text.is_empty() {
        let sign = text.chars().next()?;
        let square = parse_square::<N>(text.get(1..3)?)?;
        steps.push((sign, square));
        text = &text[3..];
    }
    Some(steps)
}

fn parse<const N: usize>(text: &str) -> Option<Turn> {
    let (text, wins) = match text.strip_suffix('#') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let from = parse_square::<N>(text.get(..2)?)?;
    let steps = steps::<N>(&text[2..])?;
    let move_to = |sign: char, to: Square| {
        let turn = (from != to).then(|| Turn::winning(from, to))?;
        match sign {
            '-' => Some(turn),
            'x' => Some(turn.displacing()),
            _ => None,
        }
    };
    let build = |turn: Turn, sign: char, square: Square| match sign {
        '+' => Some(turn.building(square)),
        '^' => Some(turn.building(square).as_dome()),
        _ => None,
    };
    match (wins, steps.as_slice()) {
        (true, &[(sign, to)]) => move_to(sign, to),
        (true, &[('-', via), ('-', to)]) => Some(move_to('-', to)?.with_extra(Extra::Via(via))),
        (false, &[(sign, to), (sign2, b)]) => build(move_to(sign, to)?, sign2, b),
        (false, &[('-', via), ('-', to), ('+', b)]) => {
            build(move_to('-', to)?.with_extra(Extra::Via(via)), '+', b)
        }
        (false, &[('+', first), ('-', to), ('+', b)]) => build(
            move_to('-', to)?.with_extra(Extra::FirstBuild(first)),
            '+',
            b,
        ),
        (false, &[('-', to), ('+', b), ('+', second)]) => {
            Some(build(move_to('-', to)?, '+', b)?.with_extra(Extra::SecondBuild(second)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_turn_has_the_same_size() {
        assert_eq!(size_of::<Option<Turn>>(), 4);
    }

    #[test]
    fn notation_reads_back() {
        for text in [
            "c3-c4+b4",
            "a1-b2#",
            "c3-c4-d4+e5",
            "c3-c4-d4#",
            "c3-c4+b4+b4",
            "c3+b3-c4+b4",
            "c3-c4^b4",
            "c3xc4+b4",
            "c3xc4#",
        ] {
            let turn = Turn::parse::<5>(text).expect(text);
            assert_eq!(turn.text::<5>().to_string(), text);
        }
        assert_eq!(
            Turn::parse::<6>("f6-e6+f6")
                .unwrap()
                .text::<6>()
                .to_string(),
            "f6-e6+f6"
        );
    }

    #[test]
    fn other_text_is_refused() {
        for text in [
            "",
            "c3",
            "c3-c3+b4",
            "c3-c4",
            "c3-f4+c3",
            "c3-c4+b4#",
            "c3-c4+b4+b4+b4",
            "é3-c4+b4",
            "c3-é",
            "f6-e6+f6",
        ] {
            assert!(Turn::parse::<5>(text).is_err(), "{text}");
        }
    }
}
