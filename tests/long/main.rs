//! Tests that take too long for the usual run: full-size versions of its tests, and searches
//! that make its data. They take more than an hour. Run them one at a time on an idle machine,
//! so that they do not slow each other down:
//!
//! ```text
//! cargo test --release --test long -- --ignored --nocapture --test-threads=1 self_play
//! ```
//!
//! | what | where |
//! |---|---|
//! | whole games, judged by the slow rules and timed | `self_play.rs` |
//! | the legal turns of 200,000 positions, compared with the slow rules | `legality.rs` |
//! | late answers on a busy machine | `lateness.rs` |
//! | tournaments, servers and commands that are killed lose nothing | `killed.rs` |
//! | damaged files of every format are never used silently | `damaged.rs` |
//! | a hundred million corrupted questions, corrupted files | `hostile_input.rs` |
//! | the chance of winning for a score | `chance.rs` |
//! | new proofs of all built-in puzzles | `puzzles.rs` |
//! | finding positions with a proved outcome, and new proofs of them | `proofs.rs` |

#[path = "../damage/mod.rs"]
mod damage;
#[path = "../games.rs"]
mod games;
#[path = "../hostile/mod.rs"]
mod hostile;
#[path = "../kills/mod.rs"]
mod kills;
#[allow(dead_code)]
#[path = "../legal_turns.rs"]
mod legal_turns;
#[allow(dead_code)] // The other test programs use the rest.
#[path = "../program.rs"]
mod program;
#[path = "../proved.rs"]
mod proved;
#[allow(dead_code)]
#[path = "../reference/mod.rs"]
mod reference;

mod chance;
mod damaged;
mod hostile_input;
mod killed;
mod lateness;
mod legality;
mod proofs;
mod puzzles;
mod self_play;
