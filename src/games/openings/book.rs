//! A book of even openings and its text: comments on how it was made, then a board on each
//! line.

use std::fmt::{self, Write as _};

use crate::arena::WinShare;
use crate::files::Kind;
use crate::rules::{Cards, Position};
use crate::search::bench_signature;

/// Even openings, and how they were chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    pub share: WinShare,
    /// Each with its score for the player to move.
    pub openings: Vec<(Position<5>, i32)>,
    /// The number of candidates searched, given boards too.
    pub candidates: u64,
    /// Where fewer even openings were found than wanted.
    pub short: Vec<Shortfall>,
    /// Whether the jobs were stopped before all openings were found.
    pub is_interrupted: bool,
}

/// Fewer even openings than wanted, of a pair of cards or of the base game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortfall {
    pub cards: Cards,
    pub even: usize,
    /// The number of openings taken in their place.
    pub nearest: usize,
    pub candidates: u64,
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self {
            cards,
            even,
            nearest,
            candidates,
        } = *self;
        let cards = of_cards(cards);
        write!(
            f,
            "only {even} of {candidates} candidates{cards} are even and different; {nearest} more are \
             the nearest to it"
        )
    }
}

/// " of Pan against Atlas", or nothing in the base game.
fn of_cards(cards: Cards) -> String {
    match cards {
        [Some(first), Some(second)] => format!(" of {first} against {second}"),
        _ => String::new(),
    }
}

/// The first words of a book.
const BEGINNING: &str = "# Openings from which";

/// The file of a book.
pub const BOOK_FILE: Kind = Kind {
    name: "a book of openings of `santorini book`",
    begins: |head| head.starts_with(BEGINNING.as_bytes()),
};

impl Book {
    /// The text of the book: comments on how it was made, then a position on each
    /// line. `command` makes the same book again.
    pub fn text(&self, command: &str) -> String {
        let mut text = String::new();
        let WinShare { to_move, level } = self.share;
        let mut line = |line: &dyn std::fmt::Display| {
            let _ = writeln!(text, "{line}");
        };
        line(&format_args!(
            "{BEGINNING} both players have about the same chance. Made by"
        ));
        line(&format_args!("#   {}", command.replace('\n', "\n#   ")));
        line(&format_args!(
            "# {} of {} candidates. The log-odds of a win of the player to move are {to_move:.3} and",
            self.openings.len(),
            self.candidates
        ));
        line(&format_args!(
            "# {level:.3} more for each level of the score."
        ));
        line(&format_args!(
            "# Judged by the engine of signature {}, as `santorini bench` prints it.",
            bench_signature()
        ));
        for short in &self.short {
            line(&format_args!("# {short}."));
        }
        if self.is_interrupted {
            line(&"# Interrupted: these are the even ones found until then.");
        }
        for (position, _) in &self.openings {
            line(position);
        }
        text
    }
}
