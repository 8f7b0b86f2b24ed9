//! Placements found out by long searches: for each first placement, up to
//! symmetry, the second player's best replies.
//!
//! The text has a row on each line, spaces named as in turns and scores in
//! hundredths of a level for the first player, who is to move then:
//!
//! ```text
//! b2c3: c4d3 12, b4d2 15
//! ```
//!
//! Lines that begin with `#` say how it was made.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::rules::Placement;
use crate::rules::{Bitboard, Symmetry, parse_square, square_text};

/// The board's size.
const N: usize = 5;

/// A placement of the second player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply {
    pub placement: Placement,
    /// For the first player, in hundredths of a level.
    pub score: i32,
}

/// A placement of the first player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub first: Placement,
    /// The best replies, the one worst for the first player at the front; at
    /// least one.
    pub replies: Vec<Reply>,
}

/// Rows for first placements that no symmetry takes into each other, in order:
/// the one best for the first player is at the front. (Its score need not be
/// the highest, since only the best are searched deepest.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownPlacements {
    rows: Vec<Row>,
}

/// Why a text is no table of placements.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    #[error("line {0}: {1:?} is not a row; one looks like: b2c3: c4d3 12, b4d2 15")]
    Form(usize, String),
    #[error("line {0}: workers share a space")]
    SharedSpace(usize),
    #[error("line {0}: a symmetry takes line {1} into it")]
    Twice(usize, usize),
}

impl Row {
    /// The expected score for the first player, in hundredths of a level.
    pub fn score(&self) -> i32 {
        self.replies[0].score
    }
}

impl KnownPlacements {
    /// The table that is part of the program.
    pub fn built_in() -> &'static Self {
        static TABLE: LazyLock<KnownPlacements> = LazyLock::new(|| {
            let text = include_str!("known.txt");
            text.parse().expect("the file in the repository is a table")
        });
        &TABLE
    }

    /// A table of rows in order, of which no two are the same up to symmetry.
    pub fn new(rows: Vec<Row>) -> Self {
        Self { rows }
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The best placement of the first player.
    pub fn first(&self) -> Option<Placement> {
        self.rows.first().map(|row| row.first)
    }

    /// The second player's best reply to a placement.
    pub fn reply(&self, first: Placement) -> Option<Placement> {
        let first = set(first);
        self.rows.iter().find_map(|row| {
            let to_first = |symmetry: &Symmetry| symmetry.set::<N>(set(row.first)) == first;
            let symmetry = Symmetry::all().find(to_first)?;
            let reply = row.replies[0].placement;
            Some(reply.map(|square| symmetry.square::<N>(square)))
        })
    }
}

fn set(placement: Placement) -> Bitboard {
    placement.into_iter().collect()
}

impl fmt::Display for KnownPlacements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |placement: Placement| placement.map(square_text::<N>).concat();
        for row in &self.rows {
            write!(f, "{}:", text(row.first))?;
            for (index, reply) in row.replies.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(f, "{comma} {} {}", text(reply.placement), reply.score)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for KnownPlacements {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, TableError> {
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let mut rows: Vec<Row> = Vec::new();
        let mut numbers = Vec::new();
        for (index, line) in lines {
            let number = index + 1;
            let form = || TableError::Form(number, line.to_string());
            let row = parse_row(line).ok_or_else(form)?;
            let pairs = row.replies.iter().map(|reply| set(reply.placement));
            if pairs
                .clone()
                .any(|pair| (set(row.first) | pair).count() != 4)
            {
                return Err(TableError::SharedSpace(number));
            }
            let is_same = |other: &Row| {
                Symmetry::all()
                    .any(|symmetry| symmetry.set::<N>(set(other.first)) == set(row.first))
            };
            if let Some(same) = rows.iter().position(is_same) {
                return Err(TableError::Twice(number, numbers[same]));
            }
            rows.push(row);
            numbers.push(number);
        }
        Ok(Self { rows })
    }
}

fn parse_row(line: &str) -> Option<Row> {
    let (first, replies) = line.split_once(": ")?;
    let reply = |text: &str| {
        let (placement, score) = text.split_once(' ')?;
        Some(Reply {
            placement: parse_placement(placement)?,
            score: score.parse().ok()?,
        })
    };
    Some(Row {
        first: parse_placement(first)?,
        replies: replies.split(", ").map(reply).collect::<Option<_>>()?,
    })
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
    fn the_built_in_table_answers_every_first_placement() {
        let known = KnownPlacements::built_in();
        assert_eq!(
            known.rows().len(),
            distinct_placements::<5>(Bitboard::EMPTY).len()
        );
        assert_eq!(every_first().count(), 300);
        for first in every_first() {
            let reply = known.reply(first).unwrap();
            assert_eq!((set(first) | set(reply)).count(), 4);
            // Whichever way the board is turned, the game is the same.
            let key = |first, reply| {
                Position::<5>::start([first, reply], [None, None])
                    .unwrap()
                    .symmetric_key()
            };
            for symmetry in Symmetry::all() {
                let turned = first.map(|square| symmetry.square::<5>(square));
                let answer = known.reply(turned).unwrap();
                assert_eq!(key(first, reply), key(turned, answer));
            }
        }
    }

    #[test]
    fn the_rows_are_in_order_and_the_best_is_played() {
        let known = KnownPlacements::built_in();
        for row in known.rows() {
            assert!(row.replies.is_sorted_by_key(|reply| reply.score));
        }
        let [best, .., worst] = known.rows() else {
            panic!("too few rows");
        };
        assert_eq!(known.first(), Some(best.first));
        assert!(best.score() > worst.score() + 50);
    }

    #[test]
    fn text_reads_back_and_errors_name_the_line() {
        let text = "b2c3: c4d3 12, b4d2 15\na1b1: c3d3 -140\n";
        let known: KnownPlacements = text.parse().unwrap();
        assert_eq!(known.to_string(), text);
        let read = |text: &str| text.parse::<KnownPlacements>();
        assert_eq!(read(&format!("# made\n\n{text}")), Ok(known));
        for wrong in ["b2c3", "b2c3: c4 1", "b2c3: c4d3", "b2f3: c4d3 1", "b2c3:"] {
            let text = format!("# made\n{wrong}");
            assert_eq!(read(&text), Err(TableError::Form(2, wrong.into())));
        }
        assert_eq!(read("b2c3: c3d3 1"), Err(TableError::SharedSpace(1)));
        let twice = "b2c3: c4d3 1\nd4c3: b1b2 1";
        assert_eq!(read(twice), Err(TableError::Twice(2, 1)));
    }
}
