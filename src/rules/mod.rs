//! The rules of Santorini: boards of any size, positions and turns, with or
//! without god cards.
//!
//! Every part of the program takes the rules from here.
//!
//! | to see or change | look at |
//! |---|---|
//! | squares, sets of squares, neighbours, symmetries | `bitboard.rs` |
//! | what a god card changes | `card.rs` |
//! | what a position holds, playing a turn | `position.rs` |
//! | what a turn is, its notation | `turn.rs` |
//! | reading turns, however they are spelled | `spelling.rs` |
//! | generating legal turns | `generate.rs` |
//! | turns that differ only in their last build | `group.rs` |
//! | random turns and random games | `random.rs` |
//! | counting the game tree | `perft.rs` |
//! | immediate wins and threats of the base game by bit operations | `threats.rs` |
//! | with cards, the squares that the wins of the opponent depend on | `win_paths.rs` |
//! | placements before the game | `setup.rs` |
//! | positions as one line of text | `text.rs` |
//! | values for a board of either size | `any_size.rs` |

mod any_size;
mod bitboard;
mod card;
mod generate;
mod group;
mod perft;
mod position;
mod random;
mod setup;
mod spelling;
mod text;
mod threats;
mod turn;
mod win_paths;

pub use any_size::{AnyPosition, AnySize};
pub use bitboard::{Bitboard, Geometry, SQUARE_SLOTS, Square, Symmetry};
pub use card::{Blocked, Building, Card, Power, UnknownCard};
pub use group::{LastBuild, TurnGroup};
pub use position::{CAP, Cards, Position, PositionError, Side, Space};
pub use setup::{Placement, Setup};
pub use spelling::TurnTextError;
pub(crate) use spelling::plain_text;
pub use text::PositionTextError;
pub use threats::{Initiative, SafeBuilds};
pub use turn::{Extra, Turn, TurnError, parse_square, square_text};
pub use win_paths::WinPaths;
