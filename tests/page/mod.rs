//! The page of `santorini play --web`: what its server answers, and what a
//! browser makes of it.
//!
//! | tested | where |
//! |---|---|
//! | questions, good and bad; who may ask; the end | `questions.rs` |
//! | what can be clicked, by the rules | `clicks.rs` |
//! | playing, undo, variations, cards, what is refused | `games.rs` |
//! | analysis, review, puzzles | `study.rs` |
//! | set-up, files opened and saved, the game of the command line | `files.rs` |
//! | what is seen without scrolling | `layout.rs` |
//! | for everybody: names, sizes, contrasts, keys | `access.rs`, `access.js` |
//! | the page as one file, with its engine inside | `one_file.rs` |
//! | with the help of | `harness.rs`, `person.rs` |

mod access;
mod clicks;
mod files;
mod games;
mod harness;
mod layout;
mod one_file;
mod person;
mod questions;
mod study;
