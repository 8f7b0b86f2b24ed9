//! The learned evaluation: small neural networks, updated turn by turn.
//!
//! An efficiently updatable network (NNUE; Y. Nasu, 2018) with one hidden layer. Every
//! feature of the board (see [`features`]) adds its row of weights to an accumulator, so a
//! turn, which moves one worker and raises one tower, changes it by a few rows. Each player's
//! perspective has an accumulator. Its hidden units are clipped to 0..1 and squared (SCReLU),
//! then weighted by an output layer: one of several buckets, chosen by the levels built and,
//! in the base game, by the players' initiative. With cards, the cards choose the rows, change
//! them a little, and choose the output layers too.
//!
//! ```text
//!  features, mover's view  --rows-->  accumulator  --SCReLU--\
//!                                                             output[bucket]
//!  features, other's view  --rows-->  accumulator  --SCReLU--/
//! ```
//!
//! All arithmetic is in integers: every machine gives the same result.
//!
//! | to see or change | look at |
//! |---|---|
//! | the features of a position, the output buckets | `features.rs` |
//! | the weights, the value of a position without updates | `weights.rs` |
//! | the weights of a pair of cards | `pairs.rs` |
//! | the file format, the possible numbers of hidden units | `file.rs`; their default `src/workshop/train/start.rs` |
//! | the arithmetic, for several instruction sets | `kernel.rs`, `x86.rs`, `wasm.rs` |
//! | the evaluator of the search, with its stack of accumulators | `evaluator.rs` |
//! | aligned rows of weights | `rows.rs` |
//! | the built-in networks, by board and kind of game | `embedded.rs`, `*.bin` |
//! | the commands that made them | `src/workshop/train/GUIDE.txt` |
//! | what was tried | `TRIED.md` |
//!
//! | to add | change |
//! |---|---|
//! | an input feature | `features.rs`, `weights.rs`, what a turn changes in `evaluator.rs` and `kernel.rs`, a new version in `file.rs`; its training in `src/workshop/train/samples.rs` and `src/workshop/train/learner.rs`; then a new network |
//! | an output bucket | `features.rs`, a new version in `file.rs`; then a new network |
//! | a built-in network | its `*.bin`, `embedded.rs`; then what the head of `src/engine/search/mod.rs` lists for a new signature |

mod embedded;
mod evaluator;
pub mod features;
mod file;
mod kernel;
mod pairs;
mod rows;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
mod weights;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use embedded::Networks;
pub use evaluator::NetworkEvaluator;
pub use file::{
    MAX_FILE_LENGTH, MAX_HIDDEN_UNITS, NETWORK_FILE, NetworkError, has_checksum, is_hidden_size,
};
pub use rows::{LANES, Rows};
pub use weights::{Network, NetworkWeights, QA, QB, SCALE};
