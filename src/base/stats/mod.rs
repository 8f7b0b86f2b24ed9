//! Statistics of results: Elo, SPRT, ratings, SPSA and logistic regression. No function
//! here does I/O.
//!
//! | to see or change | look at |
//! |---|---|
//! | counts of games and of pairs, their mean and variance | `frequencies.rs` |
//! | confidence interval of a score or a win rate, LOS | `posterior.rs` |
//! | Elo difference with its error | `elo.rs` |
//! | Elo differences and ratings as text | `elo_text.rs` |
//! | sequential probability ratio test (SPRT), normalized Elo | `sprt.rs` |
//! | the optimiser of tuning (SPSA) | `spsa.rs` |
//! | the comparison of two players | `duel.rs` |
//! | ratings of many players at once | `rating.rs` |
//! | the rating of one player against rated opponents | `anchored.rs` |
//! | the test for a rise of win rates | `trend.rs` |
//! | logistic regression | `logistic.rs` |
//! | the inverse of a matrix | `matrix.rs` |
//! | the normal distribution, and Student's | `normal.rs`, `student.rs` |

mod anchored;
mod duel;
mod elo;
mod elo_text;
mod frequencies;
pub mod logistic;
mod matrix;
mod normal;
mod posterior;
mod rating;
mod sprt;
pub mod spsa;
mod student;
mod trend;

pub use anchored::{AnchoredGames, Prior, rate_against};
pub use duel::{Duel, SprtSummary};
pub use elo::{Estimate, elo_of_score, estimate, score_of_elo};
pub use elo_text::{decimal_text, elo_text, los_text, rating_text};
pub use frequencies::{Frequencies, GameCounts, PairCounts};
pub use normal::Z95;
pub use posterior::{likelihood_of_superiority, score_interval, win_interval};
pub use rating::{Rating, Ratings};
pub use sprt::{Decision, EloModel, Sprt, SprtError, SprtSetting};
pub use student::t95;
pub use trend::trend;
