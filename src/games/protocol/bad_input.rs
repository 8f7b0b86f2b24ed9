//! What is wrong with input that holds no value, and where.

use std::fmt;

use super::bounded::{LONGEST, MOST_PARTS};
use super::scanner::DEEPEST;

/// A position in the stream, counted from 1 as in editors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// The number of the line.
    pub line: u64,
    /// The number of the character in the line.
    pub column: u64,
}

impl Location {
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// Advances over a byte.
    pub(super) fn pass(&mut self, byte: u8) {
        let continues_a_character = byte & 0xc0 == 0x80;
        if byte == b'\n' {
            self.line += 1;
            self.column = 1;
        } else if !continues_a_character {
            self.column += 1;
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Text in the stream that is not an array or object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {fault}")]
pub struct BadInput {
    /// The start of the value or, for text that is not JSON, its first wrong character.
    pub at: Location,
    /// Why the text was refused.
    pub fault: InputFault,
}

/// What is wrong with bad input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputFault {
    /// A character breaks the grammar of JSON.
    #[error("not JSON: expected {expected}, found {found}")]
    NotJson {
        /// What the grammar allows there.
        expected: &'static str,
        /// The character, escaped if unprintable.
        found: String,
    },
    /// The stream ended before the last bracket or quote was closed.
    #[error("not JSON: the input ends inside a value")]
    Unfinished,
    /// The text has the shape of a value, but the parser refuses it; its reason.
    #[error("not JSON: {0}")]
    Unreadable(String),
    /// A number, string or literal stands outside any array or object.
    #[error("expected an array or an object, found {0}")]
    Bare(String),
    /// The value exceeds the limit on bytes.
    #[error("a value of more than {LONGEST} bytes")]
    TooLong,
    /// The value exceeds the limit on nesting.
    #[error("a value nested more than {DEEPEST} deep")]
    TooDeep,
    /// The value exceeds the limit on elements.
    #[error("a value of more than {MOST_PARTS} numbers, strings, arrays and objects")]
    TooManyParts,
}
