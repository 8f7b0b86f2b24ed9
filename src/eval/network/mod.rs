//! The learned evaluation: small neural networks, updated turn by turn.
//!
//! An efficiently updatable network (NNUE; Y. Nasu, 2018) of one hidden layer:
//! every fact about the board (see [`features`]) adds a row of weights to the
//! hidden values, so a turn, which moves one worker and raises one tower,
//! changes them by four rows. The hidden values are kept once from the side of
//! each player.
//! Each is clipped to 0..1 and squared, then the mover's and the other's are
//! weighed by an output layer chosen by how far the game has come.
//!
//! ```text
//!  facts for the mover  --rows-->  hidden, mover  --clip, square--\
//!                                                                  output[stage]
//!  facts for the other  --rows-->  hidden, other  --clip, square--/
//! ```
//!
//! All arithmetic is in integers, so that every machine gives the same result.
//!
//! | to see or change | look at |
//! |---|---|
//! | what is seen of a position | `features.rs` |
//! | the network, its value of a position from nothing | `weights.rs` |
//! | its file | `file.rs` |
//! | the arithmetic, for several instruction sets | `kernel.rs`, `x86.rs` |
//! | the evaluation the search uses, with its stack of hidden values | `evaluator.rs` |
//! | the networks of the program, by board and kind of game | `embedded.rs`, `*.bin` |
//! | the commands that made them | `../../train/GUIDE.txt` |
//! | what was tried | `TRIED.md` |

mod embedded;
mod evaluator;
pub mod features;
mod file;
mod kernel;
mod rows;
mod weights;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use embedded::Networks;
pub use evaluator::NetworkEvaluator;
pub use file::{MAX_HIDDEN, NETWORK_FILE, NetworkError, is_width, read_network_file};
pub use kernel::Instructions;
pub use rows::{LANES, Rows};
pub use weights::{HIDDEN_ONE, Network, OUTPUT_ONE, OUTPUT_SCALE, Weights};
