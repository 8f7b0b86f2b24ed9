//! Statistics of results: Elo, SPRT, ratings, and SPSA. All are pure functions of
//! counted results.
//!
//! | to see or change | look at |
//! |---|---|
//! | counts of games and of pairs, their mean and variance | `frequencies.rs` |
//! | confidence interval of a win rate | `binomial.rs` |
//! | Elo difference with its error, LOS, normalized Elo | `elo.rs` |
//! | Elo differences and ratings as text | `elo_text.rs` |
//! | sequential probability ratio test (SPRT) | `sprt.rs` |
//! | the optimiser of tuning (SPSA) | `spsa.rs` |
//! | the comparison of two players | `duel.rs` |
//! | ratings of many players at once | `rating.rs` |
//! | the rating of one player against rated opponents | `anchored.rs` |
//! | logistic regression | `logistic.rs` |
//! | the normal distribution, and Student's | `normal.rs`, `student.rs` |

mod anchored;
mod binomial;
mod duel;
mod elo;
mod elo_text;
mod frequencies;
pub(crate) mod logistic;
mod normal;
mod rating;
mod sprt;
pub(crate) mod spsa;
mod student;

pub(crate) use anchored::{AnchoredGames, Prior, rate_against};
pub(crate) use binomial::win_interval;
pub(crate) use duel::{Duel, SprtSetting, SprtSummary};
pub(crate) use elo::{Estimate, elo_of_score, estimate, likelihood_of_superiority, score_of_elo};
pub(crate) use elo_text::{elo_text, rating_text};
pub(crate) use frequencies::{Frequencies, GameCounts, PairCounts};
pub(crate) use rating::{PRIOR_DRAWS, Ratings};
pub(crate) use sprt::{Decision, EloModel, Sprt};
pub(crate) use student::t95;
