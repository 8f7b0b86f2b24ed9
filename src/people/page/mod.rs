//! The page on which people play, learn and review: one file of HTML, and the
//! questions that its script asks.
//!
//! | to see or change | look at |
//! |---|---|
//! | the questions and their answers, as others write them | `PROTOCOL.txt` |
//! | reading a question, and what each may cost | `message.rs` |
//! | who answers it | `desk.rs` |
//! | positions of both sizes, and what the page is told of one | `view.rs` |
//! | turns and placements of an opponent | `opponents.rs` |
//! | the best turns, live | `analysis.rs` |
//! | a whole game judged | `review.rs` |
//! | engines kept between questions | `engines.rs` |
//! | games and their variations, from records and to them | `game.rs` |
//! | putting the page together | `html.rs`, and the files in `web/` |
//! | serving it on this machine | `serve/` (table in `mod.rs`) |
//!
//! The page keeps the game, with all its variations. Each question holds all
//! that its answer needs, so nothing here belongs to anybody, and whoever
//! carries questions and answers to and fro may do so as it likes.

mod analysis;
mod desk;
mod engines;
mod game;
mod html;
mod message;
mod opponents;
mod review;
#[cfg(feature = "program")]
pub mod serve;
mod view;
pub use desk::{Desk, DeskOptions, PageStart, Programs};
pub use html::page;
pub use message::{LONGEST_MESSAGE, Message, Work};
