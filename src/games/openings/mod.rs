//! Openings: random, balanced and given boards, and how the books of openings and
//! placements are made.
//!
//! | to see or change | look at |
//! |---|---|
//! | openings of a tournament: given boards, the built-in books, by cards | `list.rs` |
//! | random undecided openings | `src/engine/rules/random_opening.rs` |
//! | random balanced openings, for matches | `balanced.rs` |
//! | making a book of even openings | `even.rs`, its options `book_options.rs` |
//! | a book and its text format | `book.rs` |
//! | candidates for a book: good turns; with cards, turns that keep the board even | `candidate.rs`, `card_candidates.rs` |
//! | whether a candidate is even: by search, by games | `judge.rs` |
//! | which candidates a book takes | `selection.rs` |
//! | making the placement book | `placements.rs` |
//! | the placement books of games with cards | `card_placements.rs` |
//! | games from the placements of the book | `placement_games.rs`, and what they say `OPENINGS.txt` |
//! | the expected win share at a score | `../arena/win_share.rs` |
//! | fixed-node searches and self-play | `fixed_nodes.rs` |

pub mod balanced;
mod book;
mod book_options;
mod candidate;
mod card_candidates;
mod card_placements;
mod even;
mod fixed_nodes;
mod judge;
mod list;
mod placement_games;
mod placements;
mod selection;

pub use crate::arena::WinShare;
pub use crate::rules::{random_opening, random_opening_until};
pub use book::{BOOK_FILE, Book, Shortfall};
pub use book_options::{BookError, BookOptions, BookProgress};
pub use candidate::Variety;
pub use card_placements::{CardPlacements, placement_book};
pub use even::make_book;
pub use fixed_nodes::FixedNodeEngine;
pub use list::{OpeningError, OpeningNumber, Openings, boards_of_lines, digest_of};
pub use placement_games::{
    MOST_PLACEMENT_GAMES, PLACEMENT_GAMES, PairGames, PlacementGames, PlacementGamesError,
};
pub use placements::{PlacementOptions, find_placements};
