//! Solved small boards, proved positions on 5x5, and perft counts for checking other
//! programs.
//!
//! Every turn that does not win adds a level, so the states of a board form layers by the
//! sum of all levels. Each layer is solved from the layers above it.
//!
//! | to see or change | look at |
//! |---|---|
//! | boards of any shape, their symmetries | `shape.rs` |
//! | what is solved: board, workers, cards | `game.rs` |
//! | states, and their text | `state.rs`, random ones `random.rs`, samples `sample.rs` |
//! | the rules for boards of any shape | `turns.rs` |
//! | small boards embedded in 5x5 and 6x6 | `embed.rs` |
//! | values: who wins, in how many plies | `value.rs` |
//! | ranks of heights, numbers of worker placements | `height_ranking.rs`, `placement_index.rs` |
//! | a layer: its rows of values | `layer.rs`, its bytes `bytes.rs` |
//! | solving with vector instructions | `kernel.rs` |
//! | solving and checking turn by turn | `by_turns.rs` |
//! | solving all layers in order | `solver.rs`, shared by all solvers `parts.rs` |
//! | memory and disk needed | `size.rs`, choosing between them `storage.rs` |
//! | solving into a file, resuming | `run.rs`, the file `file.rs`, `header.rs` |
//! | solving again while the old file stays | `replacement.rs` |
//! | the value of any state, best turns | `probe.rs`, placements `placements.rs` |
//! | checking a file | `verify.rs` |
//! | forward search of the whole game | `whole.rs` |
//! | a fast hash for keys, also of Q-tables | `key_hasher.rs` |
//! | positions of 5x5 proved twice | `proofs.rs`, `proofs.jsonl` |
//! | how often the engine keeps a win | `kept_share.rs` |
//! | winners of larger boards, without distances | `winners/` |
//! | perft tables | `perft_table.rs`, its counts `perft.jsonl` |
//! | the guide, `santorini help solved` | `SOLVED.txt` |

mod by_turns;
mod bytes;
mod embed;
mod file;
mod game;
mod header;
mod height_ranking;
mod kept_share;
mod kernel;
mod key_hasher;
mod layer;
mod parts;
mod perft_table;
mod placement_index;
mod placements;
mod probe;
mod proofs;
mod random;
mod replacement;
mod run;
mod sample;
mod shape;
mod size;
mod solver;
mod state;
mod storage;
#[cfg(test)]
mod tests;
mod turns;
mod value;
mod verify;
mod whole;
mod winners;

pub use embed::embedded_any;
pub use file::{PartFile, SolvedFile, WinnersFile};
pub use game::SmallGame;
pub use header::{SOLVED_FILE, SolvedFileError, WINNERS_FILE};
pub use kept_share::{KeptShare, ShareOptions, kept_share};
pub(crate) use key_hasher::KeyBuilder;
pub use perft_table::{PerftBoard, PerftLimits, perft_boards};
pub use placements::{ValuedPlacement, best_game, placements};
pub use probe::{Prober, ValuedTurn};
pub use proofs::{BUILT_IN, Proof, ProofOptions, ProvedPosition, proofs_of_game};
pub use replacement::unfinished_path;
pub use run::{
    CHECKPOINT, SolveError, SolveOptions, SolveProgress, SolveReport, checkpoint_path, solve_into,
    solve_winners,
};
pub use sample::{RandomStates, SAMPLE_PATIENCE};
pub use shape::{Shape, ShapeError, SquareSet, squares_of};
pub use size::{states, states_up_to_symmetry};
pub use state::{SmallState, StateError};
pub use storage::byte_text;
pub use value::ExactValue;
pub use verify::{RandomCheck, check_file, check_random, check_whole, check_winners};
pub use winners::{PlacementWinner, WinnerProber, WonTurn};
