//! Openings: random, balanced and given boards, and the making of the books of
//! openings and placements.
//!
//! | to see or change | look at |
//! |---|---|
//! | openings of a tournament: given boards, the built-in even ones, by cards | `list.rs` |
//! | random undecided openings | `../../engine/rules/random_opening.rs` |
//! | random balanced openings, for matches | `balanced.rs` |
//! | making a book of even openings | `even.rs` |
//! | a book and its text | `book.rs` |
//! | how one opening of the book is made: by good turns, with cards by turns that level the board | `candidate.rs`, `levelling.rs` |
//! | whether it is even: by search, by games | `judge.rs` |
//! | which candidates a book takes | `selection.rs` |
//! | making the placement book | `placements.rs` |
//! | the expected win share of a score | `../arena/win_share.rs` |
//! | fixed-node searches and self-play | `analyst.rs` |

mod analyst;
pub mod balanced;
mod book;
mod candidate;
mod even;
mod judge;
mod levelling;
mod list;
mod placements;
mod selection;

pub use crate::arena::WinShare;
pub use crate::rules::{random_opening, random_opening_until};
pub use analyst::Analyst;
pub use book::{BOOK_FILE, Book};
pub use candidate::Variety;
pub use even::{BookError, BookOptions, BookProgress, make_book};
pub use list::{OpeningError, OpeningNumber, Openings, boards_of_lines, digest_of};
pub use placements::{PlacementOptions, find_placements};
