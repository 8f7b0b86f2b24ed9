//! The search: alpha-beta with iterative deepening, and the placement of the workers.
//!
//! | to see or change | look at |
//! |---|---|
//! | the interface of the search | `engine.rs`, its results `report.rs` |
//! | searching in the opponent's time | `pondering.rs` |
//! | iterative deepening, aspiration windows, threads | `deepening.rs` |
//! | alpha-beta | `node/` |
//! | pruning and reductions | `node/pruning.rs` |
//! | singular extensions, multi-cut | `node/singular.rs` |
//! | which turns a threat allows, wins seen without search | `node/threats.rs` |
//! | storing a node in the table and the histories | `node/outcome.rs` |
//! | move ordering: the move picker, killers | `picker/` |
//! | move ordering: history tables | `history/` |
//! | correction history | `correction.rs` |
//! | move ordering: move features | `move_features.rs`, `lookup.rs` |
//! | the placement of workers | `placement/` (table in `mod.rs`) |
//! | the transposition table | `transposition/` |
//! | time, depth and node limits | `limits.rs` |
//! | time management | `time.rs` |
//! | scores, proved wins and losses | `score.rs` |
//! | the warning about less memory than asked for | `shortage.rs` |
//! | the table of late move reductions | `reduction.rs` |
//! | the signature of search and network | `signature.rs` |
//! | what was tried and what it gained | `TRIED.md` |
//! | values of search parameters (LMR base, margins, ...), some of them different with cards | `params.rs`; what is computed from them `tables.rs` |
//!
//! A change of the search changes its signature in `tests/bench_signatures.txt`, and the output
//! of commands in `tests/data/outputs/`. What was measured with the engine is then out of date.
//! `cargo test current_engine` finds it, and says how to measure it again:
//!
//! | measured | where |
//! |---|---|
//! | the Elo of the levels | `src/games/levels/strength.rs` |
//! | the opponents of `rate` | `src/contest/rate/ladder.rs` |
//! | the engine on solved boards | `src/workshop/solve/SOLVED.txt` |
//! | placements and their games | `src/games/openings/` |
//!
//! | to add | change |
//! |---|---|
//! | a search parameter | `params.rs`, and where it is used; `tune` then knows it |
//! | a pruning, reduction or extension | `node/pruning.rs`, called by `node/mod.rs`; `params.rs` |
//! | a history table | `history/tables.rs`, `history/mod.rs`; its weight in `params.rs` |

mod correction;
mod deepening;
mod engine;
mod history;
mod limits;
mod lookup;
mod move_features;
mod node;
mod params;
mod picker;
pub mod placement;
mod pondering;
mod reduction;
mod report;
mod score;
mod shortage;
mod signature;
mod tables;
mod time;
mod transposition;

pub use engine::{Engine, EngineOptions, MOST_HASH_MIB};
pub use limits::Limits;
pub use params::{ParamSets, Params, TUNABLE, Tunable};
pub use pondering::PonderingEngine;
pub use report::{Line, Report};
pub use score::{
    MAX_EVAL, MAX_PLY, PROVED, ScoreText, WIN, in_levels, is_proved, loss_in, plies_to_end, win_in,
};
pub use shortage::{TableShortage, on_table_shortage};
pub use signature::{bench_signature, card_signature};
