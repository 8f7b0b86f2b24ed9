//! The page of `santorini play --web`: its server's answers, and the page in a browser.
//!
//! | tested | where |
//! |---|---|
//! | questions, valid and invalid; the end | `questions.rs` |
//! | access control | `admission.rs` |
//! | highlighted spaces, checked by the rules | `clicks.rs` |
//! | playing, undo, variations, cards, refused turns | `games.rs` |
//! | analysis, review, puzzles | `study.rs` |
//! | steps through an analysis: lines, losses, threats, placements; long files | `lines.rs` |
//! | undo, saved games in the browser, two tabs | `saved_games.rs` |
//! | mouse, keys and motion on the board | `hands.rs` |
//! | set-up, opening and saving files, the game of the command line | `files.rs` |
//! | links, a game with a friend by links, Back | `links.rs` |
//! | a live game of two pages: invitations, guests, spectators | `live.rs` |
//! | the guide and its exercises | `guide.rs` |
//! | what is visible without scrolling, how large the board is | `layout.rs` |
//! | height, turning, the flat view, sounds, celebration | `looks.rs` |
//! | accessibility: names, sizes, contrasts, keys | `access.rs`, `access.js` |
//! | the scripts outside of a page: tests, types | `scripts.rs`, `scripts/` |
//! | the page as one file, with its engine inside | `one_file.rs` |
//! | helpers | `harness.rs`, `person.rs` |

mod access;
mod admission;
mod clicks;
mod files;
mod games;
mod guide;
mod hands;
mod harness;
mod layout;
mod lines;
mod links;
mod live;
mod looks;
mod one_file;
mod person;
mod questions;
mod saved_games;
mod scripts;
mod study;
