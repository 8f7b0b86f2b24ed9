//! Evaluations: how good a position is for the player to move.
//!
//! | to see or change | look at |
//! |---|---|
//! | what the search asks of an evaluation | `mod.rs` (here) |
//! | the learned evaluation | `network/` |
//! | the hand-made weighted heuristic and its weights | `weighted.rs` |

pub mod network;
mod weighted;

pub use weighted::{Features, Weighted, Weights, centre_value};

use std::path::Path;
use std::str::FromStr;

use crate::rules::{Position, Turn};
use network::{Networks, read_network_file};

/// An evaluation as the search uses it.
///
/// The search announces every step down and up the tree, so that an
/// evaluation can keep what it knows of a position up to date rather than
/// compute it afresh. A plain function of the position ignores the steps.
pub trait Evaluator<const N: usize> {
    /// Starts at a new root.
    fn reset(&mut self, root: &Position<N>);

    /// A turn leads from the current position to `after`.
    fn push(&mut self, turn: Turn, after: &Position<N>);

    /// Back to the position before the last push.
    fn pop(&mut self);

    /// The value of `position`, the current one, for the player to move: in
    /// hundredths of a level of height, positive is good. The position is not
    /// won, and the mover has no immediate win.
    fn evaluate(&mut self, position: &Position<N>) -> i32;
}

/// Which evaluation an engine plays with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EvalKind {
    /// The weighted heuristic.
    Weighted(Weights),
    /// The learned evaluation.
    Network(Networks),
}

impl EvalKind {
    /// The networks that are part of the program.
    pub fn network() -> Self {
        Self::Network(Networks::embedded())
    }

    /// The one of this name that is part of the program.
    pub fn built_in(name: &str) -> Option<Self> {
        match name {
            "network" => Some(Self::network()),
            "tuned" => Some(Self::Weighted(Weights::TUNED)),
            "paper" => Some(Self::Weighted(Weights::PAPER)),
            _ => None,
        }
    }
}

impl FromStr for EvalKind {
    type Err = EvalError;

    /// `network`, `tuned`, `paper`, or the file of another network, for boards
    /// of one size; on others the program's own plays.
    fn from_str(name: &str) -> Result<Self, EvalError> {
        if let Some(kind) = Self::built_in(name) {
            return Ok(kind);
        }
        let error = |cause: String| EvalError {
            name: name.to_string(),
            cause,
        };
        let bytes = read_network_file(Path::new(name));
        let bytes = bytes.map_err(|cause| error(cause.to_string()))?;
        let networks = Networks::embedded().with_file(&bytes);
        Ok(Self::Network(
            networks.map_err(|cause| error(cause.to_string()))?,
        ))
    }
}

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
