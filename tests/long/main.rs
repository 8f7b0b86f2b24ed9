//! What takes too long for the usual test run: full-size versions of its
//! tests, and searches that make its data. Half an hour on a machine that has
//! nothing else to do, one test after the other so that they do not take each
//! other's time:
//!
//! ```text
//! cargo test --release --test long -- --ignored --nocapture --test-threads=1 self_play
//! ```
//!
//! | what | where |
//! |---|---|
//! | whole games, judged by the slow rules and timed | `self_play.rs` |
//! | answers while the machine is busy with other things | `lateness.rs` |
//! | tournaments, servers and commands that are killed lose nothing | `killed.rs` |
//! | damaged files of every format are never used silently | `damaged.rs` |
//! | a hundred million broken questions, broken files | `hostile_input.rs` |
//! | the chance of winning that a score is worth | `chance.rs` |
//! | all built-in puzzles are proved again | `puzzles.rs` |
//! | positions with a proved outcome are found and proved again | `proofs.rs` |

#[path = "../damage/mod.rs"]
mod damage;
#[path = "../games.rs"]
mod games;
#[path = "../hostile/mod.rs"]
mod hostile;
#[path = "../kills/mod.rs"]
mod kills;
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
mod proofs;
mod puzzles;
mod self_play;
