//! The search: which turn is best, how good it is, how the game goes on.
//!
//! | to see or change | look at |
//! |---|---|
//! | a search from outside | `engine.rs` |
//! | iterative deepening, aspiration windows, threads | `deepening.rs` |
//! | the alpha-beta recursion with its pruning and reductions | `node/` |
//! | turns that are much better than all others | `node/singular.rs` |
//! | which turn is tried first | `picker/` |
//! | what the search has learned of moves and builds | `history.rs` |
//! | what turns are like, wherever on the board they are | `features.rs`, `lookup.rs` |
//! | where the workers are placed | `placement/` (table in `mod.rs`) |
//! | what is remembered of positions | `table.rs` |
//! | time, depth and node limits | `limits.rs` |
//! | when to stop before the time is over | `patience.rs` |
//! | proved wins and losses | `score.rs` |
//! | how much less deep later turns are searched | `reduction.rs` |
//! | every tunable number | `params.rs`, with what is computed from them `numbers.rs` |

mod deepening;
mod engine;
mod features;
mod history;
mod limits;
mod lookup;
mod node;
mod numbers;
mod params;
mod patience;
mod picker;
pub mod placement;
mod reduction;
mod score;
mod table;

pub use engine::{Engine, EngineOptions, Line, Report};
pub use limits::Limits;
pub use params::{ParamSets, Params, TUNABLE, Tunable};
pub use score::{MAX_EVAL, MAX_PLY, PROVED, ScoreText, WIN, is_proved, loss_in, win_in};
