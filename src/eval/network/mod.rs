//! The learned evaluation: a small neural network, updated turn by turn.
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
//!                                                                  output[bucket]
//!  facts for the other  --rows-->  hidden, other  --clip, square--/
//! ```
//!
//! All arithmetic is in integers, so that every machine gives the same result.
//!
//! | to see or change | look at |
//! |---|---|
//! | what the network sees of a position | `features.rs` |
//! | the arithmetic, compiled for several instruction sets | `kernel.rs` |
//! | the evaluation the search uses, with its stack of hidden values | `evaluator.rs` |
//! | the file of a network | `file.rs` |
//! | the networks of the program, one for each size of board | `sizes.rs`, `5x5.bin`, `6x6.bin` |

mod evaluator;
pub mod features;
mod file;
mod kernel;
mod sizes;

pub use evaluator::NetworkEvaluator;
pub use file::NetworkError;
pub use sizes::Networks;

use features::BUCKETS;

/// The hidden values for each player.
pub const HIDDEN: usize = 256;

/// One in the hidden layer, as an integer.
pub const HIDDEN_ONE: i32 = 255;

/// One in the output weights, as an integer.
pub const OUTPUT_ONE: i32 = 64;

/// An output of 1 (odds of e to 1 to win) in hundredths of a level.
pub const OUTPUT_SCALE: i32 = 200;

/// One value for each hidden unit, aligned for the widest vector registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    /// All zeros.
    pub const ZERO: Self = Self([0; HIDDEN]);
}

/// The weights of a network for an `N`x`N` board. (There is no bias before the
/// hidden layer: every tower has a level, whose row can hold it.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const N: usize> {
    /// What each feature adds to the hidden values, in [`HIDDEN_ONE`]ths.
    pub(crate) rows: Vec<Row>,
    /// For each bucket the output weights of the mover's and the other's
    /// hidden values, in [`OUTPUT_ONE`]ths.
    pub(crate) output: [[Row; 2]; BUCKETS],
    /// For each bucket what is added at the end, in
    /// `HIDDEN_ONE * OUTPUT_ONE`ths.
    pub(crate) output_bias: [i32; BUCKETS],
}
