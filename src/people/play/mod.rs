//! Playing by hand and stepping through games, on a terminal or through
//! pipes: a line in, a board out.
//!
//! | to see or change | look at |
//! |---|---|
//! | what a person can ask for, and the help | `request.rs` |
//! | what happens then | `session.rs` |
//! | setting up a new game | `setup.rs` |
//! | a turn as a person types it, and what is wrong with it | `../../games/verdict/typed.rs` |
//! | the boards of the game, stepping back and forth | `story.rs` |
//! | who plays against the person | `opponent.rs` |
//! | advice: hints, reviews, rules in words | `advice.rs` |
//! | the game kept in a file | `kept.rs` |
//! | reading lines, Ctrl-C | `input.rs` |
//! | editing a line on a terminal | `editor.rs` |

mod advice;
mod editor;
mod input;
mod kept;
mod opponent;
mod request;
mod session;
mod setup;
mod story;

pub use input::{Input, InputError};
pub use kept::{KEPT_FILE, Keeper, KeptError, OpponentKind, Playing, read_kept, usual_file};
pub use opponent::Opponent;
pub use request::HELP;
pub use session::{Failure, Options, Session};
pub use story::Story;
