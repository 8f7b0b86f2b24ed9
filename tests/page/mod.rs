//! The page of `santorini play --web`: what its server answers, and what a
//! browser makes of it.
//!
//! | tested | where |
//! |---|---|
//! | questions, good and bad; who may ask; the end | `questions.rs` |
//! | playing, undo, variations, set-up, cards, review, puzzles | `clicks.rs` |
//! | for everybody: names, sizes, contrasts, keys | `access.rs`, `access.js` |
//! | the page as one file, with its engine inside | `one_file.rs` |
//! | with the help of | `harness.rs` |

mod access;
mod clicks;
mod harness;
mod one_file;
mod questions;
