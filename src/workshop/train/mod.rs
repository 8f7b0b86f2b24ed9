//! Training: self-play data, the network trainer, and tuning of search
//! parameters.
//!
//! | to see or change | look at |
//! |---|---|
//! | the record of a position | `data.rs` |
//! | the file format of training data | `data_file/` |
//! | writing training data from games | `datagen.rs` |
//! | games of the engine against itself | `self_play.rs`, their openings in `opening.rs` |
//! | games that were recorded | `recorded.rs` |
//! | the scores and results of their positions | `labels.rs` |
//! | merging the data of several machines | `merge.rs` |
//! | leaves: positions evaluated inside searches | `leaves.rs` |
//! | positions and samples for the network | `samples.rs` |
//! | training targets | `targets.rs` |
//! | the network in floating point, its quantisation | `model.rs` |
//! | the initial model of a training run | `start.rs` |
//! | forward and backward passes of a batch | `learner.rs` |
//! | the optimiser | `adam.rs` |
//! | the training loop, the learning rate | `trainer.rs` |
//! | training for each pair of cards | `pairs.rs` |
//! | the chart of the learning curve | `curve.rs` |
//! | tuning of search parameters (SPSA) | `params/` |
//! | how the engine is trained, `santorini help training` | `GUIDE.txt` |
//!
//! | to add | change |
//! |---|---|
//! | an input feature of the network | `src/engine/eval/network/` (table in `mod.rs`), `samples.rs`, `learner.rs` |
//! | a field of the training record | `Record` in `data.rs`, the version in `data_file/mod.rs`; where it is filled in (`self_play.rs`, `labels.rs`) and used (`targets.rs`) |
//! | an option of training | `TrainOptions` in `trainer.rs`, `src/cli/train.rs` |

mod adam;
pub mod curve;
pub mod data;
mod data_file;
pub mod datagen;
pub mod labels;
mod learner;
mod leaves;
pub mod merge;
pub mod model;
mod opening;
pub mod pairs;
pub mod params;
pub mod recorded;
pub mod samples;
pub mod self_play;
pub mod start;
pub mod targets;
pub mod trainer;
