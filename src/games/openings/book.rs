//! A book of even openings and its text format: comments on how it was made, then one board
//! per line.

use std::fmt;

use crate::arena::WinShare;
use crate::files::Kind;
use crate::rules::{Cards, Position};
use crate::search::bench_signature;

/// A board with its score for the player to move, in hundredths of a level.
pub(super) type Opening = (Position<5>, i32);

/// Even openings, and how they were chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    /// The fitted model from scores to win shares.
    pub share: WinShare,
    /// The openings, with their scores for the player to move.
    pub openings: Vec<Opening>,
    /// The number of candidates searched, including given boards.
    pub candidates: u64,
    /// Pairs of cards with fewer even openings than wanted.
    pub short: Vec<Shortfall>,
    /// Whether the jobs were stopped before all openings were found.
    pub is_interrupted: bool,
}

/// Fewer even openings than wanted, for a pair of cards or the base game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortfall {
    /// The cards of the first and the second player.
    pub cards: Cards,
    /// The number of even openings.
    pub even: usize,
    /// The number of other openings, the closest to even, that fill the gap.
    pub nearest: usize,
    /// The number of candidates.
    pub candidates: u64,
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "only {} of {} candidates", self.even, self.candidates)?;
        if let [Some(first), Some(second)] = self.cards {
            write!(f, " of {first} against {second}")?;
        }
        write!(
            f,
            " are even and different; the {} closest to even were added",
            self.nearest
        )
    }
}

/// The first words of a book's text.
const BEGINNING: &str = "# Openings from which";

/// The kind of a book's file.
pub const BOOK_FILE: Kind = Kind {
    name: "a book of openings of `santorini book`",
    begins: |head| head.starts_with(BEGINNING.as_bytes()),
};

impl Book {
    /// The text of the book: comments on how it was made, then one position per line.
    /// `command` is the command that makes the same book again.
    pub fn text(&self, command: &str) -> String {
        let WinShare { to_move, level } = self.share;
        let mut text = format!(
            "{BEGINNING} both players have about the same chance. Made by\n\
             #   {}\n\
             # {} of {} candidates. The log-odds of a win of the player to move are {to_move:.3} and\n\
             # {level:.3} more for each level of the score.\n\
             # Judged by the engine of signature {}, as `santorini bench` prints it.\n",
            command.replace('\n', "\n#   "),
            self.openings.len(),
            self.candidates,
            bench_signature()
        );
        for short in &self.short {
            text += &format!("# {short}.\n");
        }
        if self.is_interrupted {
            text += "# Interrupted: these are the even ones found until then.\n";
        }
        for (position, _) in &self.openings {
            text += &format!("{position}\n");
        }
        text
    }
}
