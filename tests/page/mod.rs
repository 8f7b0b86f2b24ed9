//! The page of `santorini play --web`: what its server answers, and what a
//! browser makes of it.
//!
//! | tested | where |
//! |---|---|
//! | questions, good and bad; the end | `questions.rs` |
//! | who may open the page, and ask | `admission.rs` |
//! | what can be clicked, by the rules | `clicks.rs` |
//! | playing, undo, variations, cards, what is refused | `games.rs` |
//! | analysis, review, puzzles | `study.rs` |
//! | undoing, what the browser keeps, two tabs | `keeping.rs` |
//! | mouse, keys and motion on the board | `hands.rs` |
//! | set-up, files opened and saved, the game of the command line | `files.rs` |
//! | what is seen without scrolling | `layout.rs` |
//! | for everybody: names, sizes, contrasts, keys | `access.rs`, `access.js` |
//! | the scripts alone: their tests, their types | `scripts.rs`, `scripts/` |
//! | the page as one file, with its engine inside | `one_file.rs` |
//! | with the help of | `harness.rs`, `person.rs` |

mod access;
mod admission;
mod clicks;
mod files;
mod games;
mod hands;
mod harness;
mod keeping;
mod layout;
mod one_file;
mod person;
mod questions;
mod scripts;
mod study;
