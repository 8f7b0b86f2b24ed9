//! The placement book: the second player's best replies to each first placement, up to
//! symmetry, found by long searches.
//!
//! Each line of the text is an entry. Spaces are written as in turns. Scores are in hundredths
//! of a level for the first player, who moves next:
//!
//! ```text
//! b2c3: c4d3 12, b4d2 15
//! ```
//!
//! Lines that begin with `#` are comments.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::rules::{Bitboard, Placement, Symmetry, parse_square, square_text};

/// The size of the board.
const N: usize = 5;

/// A placement of the second player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The squares of the second player's workers.
    pub placement: Placement,
    /// The score for the first player, in hundredths of a level.
    pub score: i32,
}

/// A placement of the first player, with replies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The squares of the first player's workers.
    pub first: Placement,
    /// The best replies, at least one, the best first.
    pub replies: Vec<Reply>,
}

/// Entries for first placements, no two of them symmetric. The best for the first player
/// comes first. Its score may not be the highest: only the best ones are searched deepest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacementBook {
    entries: Vec<BookEntry>,
}

/// An error of reading a placement book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlacementBookError {
    /// A line, counted from 1, has another form.
    #[error("line {0}: {1:?} is not an entry; an entry looks like b2c3: c4d3 12, b4d2 15")]
    Form(usize, String),
    /// A placement puts both workers, or both players, on one space.
    #[error("line {0}: two workers share a space")]
    SharedSpace(usize),
    /// Two entries are the same up to symmetry: their lines, from 1.
    #[error("line {0}: the placement is symmetric to line {1}")]
    Twice(usize, usize),
}

impl BookEntry {
    /// The expected score for the first player, in hundredths of a level.
    pub fn score(&self) -> i32 {
        self.replies[0].score
    }
}

impl PlacementBook {
    /// The built-in book.
    pub fn built_in() -> &'static Self {
        static BOOK: LazyLock<PlacementBook> = LazyLock::new(|| {
            let text = include_str!("book.txt");
            text.parse().expect("the file in the repository is a book")
        });
        &BOOK
    }

    /// A book of entries, best first, no two of them symmetric.
    pub fn new(entries: Vec<BookEntry>) -> Self {
        Self { entries }
    }

    /// The entries.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// The best placement of the first player.
    pub fn first(&self) -> Option<Placement> {
        self.entries.first().map(|entry| entry.first)
    }

    /// The second player's best reply to a placement.
    pub fn reply(&self, first: Placement) -> Option<Placement> {
        let replies = self.replies(first)?;
        Some(replies[0].placement)
    }

    /// The second player's best replies to a placement, the best first.
    pub fn replies(&self, first: Placement) -> Option<Vec<Reply>> {
        self.entries.iter().find_map(|entry| {
            let symmetry = symmetry_between(entry.first, first)?;
            let turned = |reply: &Reply| Reply {
                placement: reply.placement.map(|square| symmetry.square::<N>(square)),
                ..*reply
            };
            Some(entry.replies.iter().map(turned).collect())
        })
    }
}

fn set(placement: Placement) -> Bitboard {
    placement.into_iter().collect()
}

/// A symmetry that takes one placement to another.
fn symmetry_between(from: Placement, to: Placement) -> Option<Symmetry> {
    Symmetry::all().find(|symmetry| symmetry.set::<N>(set(from)) == set(to))
}

impl fmt::Display for PlacementBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.entries {
            write!(f, "{}:", placement_text(entry.first))?;
            for (index, reply) in entry.replies.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(
                    f,
                    "{comma} {} {}",
                    placement_text(reply.placement),
                    reply.score
                )?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for PlacementBook {
    type Err = PlacementBookError;

    fn from_str(text: &str) -> Result<Self, PlacementBookError> {
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let mut entries: Vec<BookEntry> = Vec::new();
        let mut numbers = Vec::new();
        for (index, line) in lines {
            let number = index + 1;
            let form = || PlacementBookError::Form(number, line.to_string());
            let entry = parse_entry(line).ok_or_else(form)?;
            let occupied = |reply: &Reply| set(entry.first) | set(reply.placement);
            if entry.replies.iter().any(|it| occupied(it).count() != 4) {
                return Err(PlacementBookError::SharedSpace(number));
            }
            let is_same = |other: &BookEntry| symmetry_between(other.first, entry.first).is_some();
            if let Some(same) = entries.iter().position(is_same) {
                return Err(PlacementBookError::Twice(number, numbers[same]));
            }
            entries.push(entry);
            numbers.push(number);
        }
        Ok(Self { entries })
    }
}

fn parse_entry(line: &str) -> Option<BookEntry> {
    let (first, replies) = line.split_once(": ")?;
    let reply = |text: &str| {
        let (placement, score) = text.split_once(' ')?;
        Some(Reply {
            placement: parse_placement(placement)?,
            score: score.parse().ok()?,
        })
    };
    Some(BookEntry {
        first: parse_placement(first)?,
        replies: replies.split(", ").map(reply).collect::<Option<_>>()?,
    })
}

/// A placement as it is written in the book: b2c3.
pub fn placement_text(placement: Placement) -> String {
    placement.map(square_text::<N>).concat()
}

fn parse_placement(text: &str) -> Option<Placement> {
    let square = |range| parse_square::<N>(text.get(range)?);
    (text.len() == 4).then_some([square(0..2)?, square(2..4)?])
}

#[cfg(test)]
mod tests {
    use super::super::distinct_placements;
    use super::*;
    use crate::rules::{Position, Square};

    fn every_first() -> impl Iterator<Item = Placement> {
        (0..25).flat_map(|a| (0..a).map(move |b| [a, b].map(Square::new)))
    }

    #[test]
    fn the_built_in_book_answers_every_first_placement() {
        let book = PlacementBook::built_in();
        assert_eq!(
            book.entries().len(),
            distinct_placements::<5>(Bitboard::EMPTY).len()
        );
        assert_eq!(every_first().count(), 300);
        for first in every_first() {
            let reply = book.reply(first).unwrap();
            assert_eq!((set(first) | set(reply)).count(), 4);
            // Symmetric placements have symmetric replies.
            let key = |first, reply| {
                Position::<5>::start([first, reply], [None, None])
                    .unwrap()
                    .symmetric_key()
            };
            for symmetry in Symmetry::all() {
                let turned = first.map(|square| symmetry.square::<5>(square));
                let answer = book.reply(turned).unwrap();
                assert_eq!(key(first, reply), key(turned, answer));
            }
        }
    }

    #[test]
    fn the_entries_are_in_order_and_the_best_is_played() {
        let book = PlacementBook::built_in();
        for entry in book.entries() {
            assert!(entry.replies.is_sorted_by_key(|reply| reply.score));
        }
        let [best, .., worst] = book.entries() else {
            panic!("too few entries");
        };
        assert_eq!(book.first(), Some(best.first));
        assert!(best.score() > worst.score() + 50);
    }

    #[test]
    fn text_reads_back_and_errors_name_the_line() {
        let text = "b2c3: c4d3 12, b4d2 15\na1b1: c3d3 -140\n";
        let book: PlacementBook = text.parse().unwrap();
        assert_eq!(book.to_string(), text);
        let read = |text: &str| text.parse::<PlacementBook>();
        assert_eq!(read(&format!("# made\n\n{text}")), Ok(book));
        for wrong in ["b2c3", "b2c3: c4 1", "b2c3: c4d3", "b2f3: c4d3 1", "b2c3:"] {
            let text = format!("# made\n{wrong}");
            assert_eq!(read(&text), Err(PlacementBookError::Form(2, wrong.into())));
        }
        assert_eq!(
            read("b2c3: c3d3 1"),
            Err(PlacementBookError::SharedSpace(1))
        );
        let twice = "b2c3: c4d3 1\nd4c3: b1b2 1";
        assert_eq!(read(twice), Err(PlacementBookError::Twice(2, 1)));
    }
}
