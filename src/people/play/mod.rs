//! Playing by hand and stepping through games, on a terminal or through pipes: a line in,
//! a board out.
//!
//! | to see or change | look at |
//! |---|---|
//! | requests (`hint`, `undo`, ...) and their help | `request.rs` |
//! | what each request does | `session.rs` |
//! | setting up a new game | `setup.rs` |
//! | typed turns, and what is wrong with them | `src/games/verdict/typed.rs` |
//! | the boards of the game, and stepping through them | `cursor.rs` |
//! | the opponent | `opponent.rs` |
//! | advice: hints, reviews, rules in words | `advice.rs` |
//! | saving the game after each turn | `saving.rs`; the file, `autosave.rs` |
//! | reading lines, Ctrl-C | `input.rs` |
//! | editing a line on a terminal | `editor.rs` |

mod advice;
mod autosave;
mod cursor;
mod editor;
mod input;
mod opponent;
mod request;
mod saving;
mod session;
mod setup;

pub(crate) use autosave::{
    AUTOSAVE_FILE, Autosave, GamePlayers, OpponentKind, autosave_text, default_file, read_autosave,
};
pub(crate) use cursor::GameCursor;
pub(crate) use input::{Input, InputError};
pub(crate) use opponent::Opponent;
pub(crate) use session::{Session, SessionError, SessionOptions};
