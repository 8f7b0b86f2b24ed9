//! The web page: play, analysis, reviews and puzzles in one HTML file, and the answers to
//! the questions that its script sends.
//!
//! | to see or change | look at |
//! |---|---|
//! | the protocol of questions and answers | `PROTOCOL.txt` |
//! | the list of questions | `message.rs` |
//! | parsing requests, what their arguments must be | `argument.rs` |
//! | answering questions | `backend.rs` |
//! | positions, as the page gets them | `view.rs` |
//! | turns and placements of opponents | `opponents.rs` |
//! | live analysis | `analysis.rs` |
//! | the chance of every turn | `compare.rs` |
//! | the chance of every placement | `placements.rs` |
//! | reviews of games | `review.rs` |
//! | engines kept between questions | `engine_pool.rs` |
//! | games with variations, to and from records | `game_tree.rs` |
//! | assembling the page, the list of its scripts | `html.rs` |
//! | what the page shows and does: its scripts, markup and style | `web/`, where the first line of each file says what it does |
//! | serving it on this machine | `serve/` (table in `mod.rs`) |
//!
//! | to add | change |
//! |---|---|
//! | a question | `Question` in `message.rs`, its answer in `backend.rs`, `PROTOCOL.txt`; the script in `web/` that asks it, `web/types.d.ts`; a new argument in `argument.rs`; if it takes long, `work` in `message.rs` and the list in `src/wasm/link.js` |
//! | a question of a live game | `serve/live/game.rs`, of its host `serve/live/session.rs`; `PROTOCOL.txt` |
//! | a script | a file in `web/`, its line in `html.rs` |
//!
//! The page holds the game with all its variations. Each question contains everything
//! that its answer needs, so the program keeps no state for a page, except for a live game.

mod analysis;
mod argument;
mod backend;
mod compare;
mod engine_pool;
mod game_tree;
mod html;
mod message;
mod opponents;
mod placements;
mod review;
#[cfg(feature = "program")]
pub mod serve;
mod view;
pub use backend::{BackendOptions, PageBackend, PageStart, Programs};
pub use html::page;
pub use message::{LONGEST_MESSAGE, PageMessage, Work};
