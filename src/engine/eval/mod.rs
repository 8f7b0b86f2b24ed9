//! Static evaluation: how good a position is for the player to move.
//!
//! | to see or change | look at |
//! |---|---|
//! | the interface between search and evaluation | `mod.rs` (here) |
//! | the neural network (NNUE) | `network/` |
//! | the hand-written heuristic and its weights | `weighted.rs` |

pub mod network;
mod weighted;

pub use weighted::{Features, Weighted, Weights, centre_value};

use std::fmt::Display;
use std::io;
use std::path::Path;

use crate::rules::{Position, Turn};
use network::{MAX_FILE_LENGTH, Networks, has_checksum};

/// An evaluation as the search uses it.
///
/// The search announces every step down and up the tree, so an evaluation can be updated
/// incrementally. A plain function of the position ignores the steps.
pub trait Evaluator<const N: usize> {
    /// Starts a new root.
    fn reset(&mut self, root: &Position<N>);

    /// Plays a turn that leads from the current position to `after`.
    fn push(&mut self, turn: Turn, after: &Position<N>);

    /// Returns to the position before the last push.
    fn pop(&mut self);

    /// The value of `position`, the current one, for the player to move, in hundredths of a
    /// level of height. The game is not over, and the mover has no immediate win.
    fn evaluate(&mut self, position: &Position<N>) -> i32;

    /// Reads the weights into the caches.
    fn warm(&self) {}
}

/// The evaluation of an engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EvalKind {
    /// The weighted heuristic.
    Weighted(Weights),
    /// The neural networks.
    Network(Networks),
}

impl EvalKind {
    /// The built-in networks.
    pub fn network() -> Self {
        Self::Network(Networks::embedded())
    }

    /// This evaluation, or the weighted heuristic if there is not enough memory to evaluate
    /// a position and those after it.
    pub fn within_memory<const N: usize>(self, position: &Position<N>) -> Self {
        match self {
            Self::Network(networks) if !networks.fit_memory(position) => {
                Self::Weighted(Weights::TUNED)
            }
            kind => kind,
        }
    }

    /// The static evaluation of a position, by the heuristic if memory is short
    /// (see [`Self::within_memory`]).
    pub fn value<const N: usize>(self, position: &Position<N>) -> i32 {
        match self.within_memory(position) {
            Self::Network(networks) => networks.for_position(position).evaluate(position),
            Self::Weighted(weights) => Weighted(weights).evaluate(position),
        }
    }

    /// Reads the networks for one size of board, so that no search waits for it.
    pub fn read_ahead<const N: usize>(self) {
        if let Self::Network(networks) = self {
            networks.read_ahead::<N>();
        }
    }

    /// The built-in evaluation with this name.
    pub fn built_in(name: &str) -> Option<Self> {
        match name {
            "network" => Some(Self::network()),
            "tuned" => Some(Self::Weighted(Weights::TUNED)),
            "paper" => Some(Self::Weighted(Weights::PAPER)),
            _ => None,
        }
    }

    /// The evaluation with this name: `network`, `tuned`, `paper`, or the path of a network
    /// file. A file is for one board size and kind of game; the built-in networks play the
    /// others. `read` returns the bytes of a file, or an error if it is longer than a
    /// limit. Also returns a remark to show to people, if any.
    ///
    /// # Errors
    /// If the name is none of these, or the file is not a network.
    pub fn named(
        name: &str,
        read: impl FnOnce(&Path, u64) -> io::Result<Vec<u8>>,
    ) -> Result<(Self, Option<&'static str>), EvalError> {
        if let Some(kind) = Self::built_in(name) {
            return Ok((kind, None));
        }
        let error = |cause: &dyn Display| EvalError {
            name: name.to_string(),
            cause: cause.to_string(),
        };
        let bytes = read(Path::new(name), MAX_FILE_LENGTH).map_err(|cause| error(&cause))?;
        let networks = Networks::embedded().with_file(&bytes);
        let networks = networks.map_err(|cause| error(&cause))?;
        let remark = (!has_checksum(&bytes)).then_some(NO_CHECKSUM);
        Ok((Self::Network(networks), remark))
    }
}

/// The remark on a network file without a checksum.
pub const NO_CHECKSUM: &str =
    "a network of an earlier version, without a checksum: damage may go unnoticed";

/// The error of naming an evaluation.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not network, tuned, paper or the file of a network: {cause}")]
pub struct EvalError {
    name: String,
    cause: String,
}

impl Default for EvalKind {
    fn default() -> Self {
        Self::network()
    }
}
