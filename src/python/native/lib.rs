//! The Rust part of the Python package `santorini`. Its doc comments are the docstrings
//! in Python; `../package/santorini/_santorini.pyi` repeats them for editors.
//!
//! | to see or change | look at |
//! |---|---|
//! | positions, their turns and pictures, the verdict on a turn | `position.rs` |
//! | illegal turns, with the rule and the squares | `illegal.rs` |
//! | positions and turns in words | `language.rs` |
//! | planes, masks and actions of one position | `view.rs`, its symmetries `symmetry.rs` |
//! | positions of both sizes behind one type | `board.rs` |
//! | the search | `engine.rs`, its results `report.rs`, of many positions `many.rs` |
//! | long work that Ctrl-C or an event stops | `interruptible.rs` |
//! | recorded games | `game.rs` |
//! | solved small boards | `solved.rs`, the values of positions `solved_values.rs` |
//! | opponents: levels of strength, agents of the laboratory | `level.rs`, `agent.rs` |
//! | many games at once, for learning | `batch.rs`, its parts `batch_*.rs`, `stages.rs`, one game `stage.rs` |
//! | copies and pickles of batches | `saved.rs` |
//! | actions as numbers | `action.rs`, observations as planes `planes.rs` |
//! | reading arguments, and their errors | `argument.rs` |
//! | conversions: JSON, squares, cards, turns | `convert.rs`, `names.rs` |
//! | NumPy arrays | `array.rs` |
//! | the part in Python | `../package/santorini/` |
//!
//! | to add | change |
//! |---|---|
//! | an argument of a constructor | the file of the class; `_santorini.pyi` and, for copies and pickles, `_classes.py` in `../package/santorini/`; `../tests/test_arguments.py` |

mod action;
mod agent;
mod argument;
mod array;
mod batch;
mod batch_argument;
mod batch_observations;
mod board;
mod convert;
mod engine;
mod game;
mod illegal;
mod interruptible;
mod language;
mod level;
mod many;
mod names;
mod planes;
mod position;
mod report;
mod saved;
mod solved;
mod solved_position;
mod solved_values;
mod stage;
mod stages;
mod symmetry;
mod view;

use pyo3::prelude::*;

/// The part of the package that is written in Rust.
#[pymodule]
mod _santorini {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::agent::Agent;
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::game::{Game, Games};
    #[pymodule_export]
    use crate::level::LevelPlayer;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::report::{Line, Report};
    #[pymodule_export]
    use crate::solved::Solved;
    #[pymodule_export]
    use crate::solved_values::{ExactValue, Probe, SolvedPlacement};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::illegal::add_to(module)?;
        let stopped = module.py().get_type::<crate::interruptible::Stopped>();
        module.add("Stopped", stopped)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
