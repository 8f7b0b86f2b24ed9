//! The rules of Santorini: boards of any size, positions and turns, with or without god
//! cards. The whole program uses these rules.
//!
//! | to see or change | look at |
//! |---|---|
//! | squares, sets of squares, neighbours, symmetries | `bitboard.rs` |
//! | the list of god cards, what each changes | `card.rs` |
//! | what a position holds, playing a turn | `position.rs` |
//! | what a turn is, its notation | `turn.rs` |
//! | reading turns, however they are spelled | `spelling.rs` |
//! | generating legal turns | `generate.rs` |
//! | turns that differ only in their last build | `group.rs` |
//! | random turns and random games | `random.rs` |
//! | random undecided openings | `random_opening.rs` |
//! | counting the leaves of the game tree | `perft.rs` |
//! | threats of the base game by bit operations | `threats.rs` |
//! | the opponent's wins with cards, and the turns that meet them | `win_paths.rs` |
//! | the placement of workers before the game | `setup.rs` |
//! | positions as one line of text | `text.rs` |
//! | values for a board of either size | `any_size.rs` |
//! | the rules and the cards in words | `words.rs`, `CARDS.txt` |
//!
//! | to add | change |
//! |---|---|
//! | a ninth god card | `Card` and `Power` in `card.rs`, `generate.rs`, `group.rs`, `win_paths.rs`, `words.rs`, `CARDS.txt`; why its turns are illegal, `src/games/verdict/`; the rules that check these rules, `tests/reference/`, `src/engine/prover/`, `src/workshop/solve/turns.rs`; its steps on the page, `src/people/page/web/steps.js`; then a new network, since its rows are by card |
//! | a board size | the `Geometry` in `bitboard.rs`, `any_size.rs`, `src/engine/eval/network/embedded.rs`; the compiler names the rest |

mod any_size;
mod bitboard;
mod card;
mod generate;
mod group;
mod perft;
mod position;
mod random;
mod random_opening;
mod setup;
mod spelling;
mod text;
mod threats;
mod turn;
mod win_paths;
pub mod words;

pub use any_size::{AnyPosition, AnySize};
pub use bitboard::{Bitboard, Geometry, SQUARE_SLOTS, Square, Symmetry};
pub use card::{Blocked, Building, Card, Power, UnknownCard};
pub use group::{LastBuild, TurnGroup};
pub use position::{CAP, Cards, Position, PositionError, Side, Space};
#[cfg(test)]
pub(crate) use random_opening::is_open;
pub use random_opening::{random_opening, random_opening_until};
pub use setup::{Placement, Setup};
pub use spelling::TurnTextError;
pub(crate) use spelling::plain_text;
pub use text::PositionTextError;
pub use threats::{Initiative, SafeBuilds};
pub use turn::{Extra, Turn, TurnError, parse_square, square_text};
pub use win_paths::WinPaths;
