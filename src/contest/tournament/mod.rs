//! Tournaments: many games between player programs, their records and what
//! they say about the players' strength.
//!
//! | to see or change | look at |
//! |---|---|
//! | what a tournament is, the head of its file | `settings.rs` |
//! | who plays whom, shards | `schedule.rs` |
//! | playing the games, several at a time | `runner.rs` |
//! | adding up games | `results.rs` |
//! | merging the shares of several machines | `merge.rs` |
//! | players that do not play | `failing.rs` |
//! | what the games came to, in numbers | `summary.rs` |
//! | the tables, and the outcome as text | `tables.rs`, `text.rs` |
//! | the report page | `report/` |
//! | the guide, `santorini help tournaments` | `GUIDE.txt` |

mod failing;
mod merge;
pub mod report;
pub(crate) mod results;
mod runner;
mod schedule;
mod settings;
mod summary;
pub mod tables;
pub mod text;

pub use failing::Failing;
pub use merge::{MergeGamesError, MergedGames, merge_games};
pub use results::{PlayerResults, Results, ResultsError};
pub use runner::{RunEnd, RunError, Runner, Source, Watcher};
pub use schedule::{Schedule, ScheduledGame};
pub use settings::{CardChoice, OpeningChoice, PlayerSetting, Settings, SettingsError};
pub use summary::{PlayerSummary, Summary};
