//! Tournaments: games between player programs, their records, and ratings from them.
//!
//! | to see or change | look at |
//! |---|---|
//! | the settings of a tournament, the header of its file | `settings.rs` |
//! | who plays whom, shards | `schedule.rs` |
//! | playing games in parallel | `runner.rs` |
//! | resuming from a file of games | `resume.rs` |
//! | adding up games | `results.rs` |
//! | merging the shares of several machines | `merge.rs` |
//! | ending a match because a player fails | `failing.rs` |
//! | the outcome in numbers | `summary.rs` |
//! | the columns of all tables, in text and report | `tables.rs` |
//! | the outcome as text | `text.rs` |
//! | the outcome as CSV | `csv.rs` |
//! | a check of every player before the games | `tryout.rs` |
//! | the report page: its order, charts and replays | `report/` |
//! | the guide, `santorini help tournaments` | `GUIDE.txt` |
//! | the guide, `santorini help cards` | `CARD_GAMES.txt` |
//! | options and progress of `santorini tournament` | `src/cli/tournament/` |
//!
//! | to add | change |
//! |---|---|
//! | a column of the standings | `PlayerSummary` in `summary.rs`, its column in `tables.rs`, `csv.rs`; its words in the help of `src/cli/tournament/mod.rs`; `tests/data/outputs/` |
//! | a chart of the report | `report/figures.rs`, its place in `report/mod.rs` |
//! | a setting | `settings.rs`; its option in `src/cli/tournament/` |
//! | a format: who plays whom | `schedule.rs`, `settings.rs`; its option in `src/cli/tournament/` |

pub mod csv;
mod failing;
mod merge;
pub mod report;
pub(crate) mod results;
mod resume;
mod runner;
mod schedule;
mod settings;
mod summary;
pub mod tables;
pub mod text;
pub mod tryout;

pub use failing::FailingPlayer;
pub use merge::{MergeGamesError, MergedGames, merge_games};
pub use results::{PlayerResults, Results, ResultsError, WonLost, faults};
pub use resume::{ResumeError, resumed_results};
pub use runner::{NextGame, RunEnd, RunError, Runner, Watcher};
pub use schedule::{Schedule, ScheduledGame};
pub use settings::{
    CardChoice, MOST_RANDOM_TURNS, OpeningChoice, PlayerSetting, Settings, SettingsError,
};
pub use summary::{PlayerSummary, TournamentSummary};
