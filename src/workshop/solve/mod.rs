//! Solved small boards, proved positions of 5x5, and perft counts for others to check.
//!
//! Every turn that does not win adds a level, so the states of a board lie in
//! layers by the sum of all levels, and a layer can be solved from those above it.
//!
//! | to see or change | look at |
//! |---|---|
//! | boards of any shape, their symmetries | `shape.rs` |
//! | what is solved: board, workers, cards | `game.rs` |
//! | states, and their text | `state.rs`, random ones `random.rs` |
//! | the rules for boards of any shape | `turns.rs` |
//! | small boards as parts of 5x5 and 6x6 | `embed.rs` |
//! | values: who wins, in how many plies | `value.rs` |
//! | numbers for levels, and for workers | `lattice.rs`, `crews.rs` |
//! | a layer: its rows of values | `layer.rs`, its bytes `bytes.rs` |
//! | solving in vectors | `kernel.rs` |
//! | solving and checking turn by turn | `by_turns.rs` |
//! | layer after layer | `solver.rs`, what all solvers do `parts.rs` |
//! | how much memory and disk that takes | `size.rs`, which is used `room.rs` |
//! | solving into a file, resuming | `run.rs`, the file `file.rs`, `header.rs` |
//! | solving again while the old file stays | `anew.rs` |
//! | the value of any state, best turns | `probe.rs`, placements `placements.rs` |
//! | checking a file | `verify.rs` |
//! | the whole game searched forward | `whole.rs`, its hash `key_hasher.rs` |
//! | positions of 5x5 proved twice | `proofs.rs`, `proofs.jsonl` |
//! | how often the engine keeps a win | `share.rs` |
//! | who wins larger boards, without the distance | `winners/` |
//! | perft tables | `perft_table.rs`, and what it counted `perft.jsonl` |

mod anew;
mod by_turns;
mod bytes;
mod crews;
mod embed;
mod file;
mod game;
mod header;
mod kernel;
mod key_hasher;
mod lattice;
mod layer;
mod parts;
mod perft_table;
mod placements;
mod probe;
mod proofs;
mod random;
mod room;
mod run;
mod shape;
mod share;
mod size;
mod solver;
mod state;
#[cfg(test)]
mod tests;
mod turns;
mod value;
mod verify;
mod whole;
mod winners;

pub use anew::unfinished_path;
pub use embed::{embedded, fits};
pub use file::{PartFile, SolvedFile, WinnersFile};
pub use game::SmallGame;
pub use header::{SOLVED_FILE, SolvedFileError, WINNERS_FILE};
pub use perft_table::{PerftBoard, PerftLimits, perft_boards};
pub use placements::{ValuedPlacement, best_game, placements};
pub use probe::{Oracle, ValuedTurn};
pub use proofs::{
    BUILT_IN, Proof, ProofOptions, ProvedPosition, confirmed, proofs_of_game, proving_engine,
};
pub use room::byte_text;
pub use run::{
    CHECKPOINT, SolveError, SolveOptions, SolveProgress, SolveReport, checkpoint_path, solve_into,
    solve_winners,
};
pub use shape::{Shape, ShapeError, SquareSet, squares_of};
pub use share::{KeptShare, ShareOptions, kept_share};
pub use size::{layer_sizes, most_memory, states, states_up_to_symmetry};
pub use state::{SmallState, StateError};
pub use value::ExactValue;
pub use verify::{RandomCheck, check_file, check_random, check_whole, check_winners};
pub use winners::{PlacementWinner, WinnerOracle, WonTurn};
