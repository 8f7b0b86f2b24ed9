//! A player as a running program that nobody trusts: it is started, asked under a
//! deadline, and killed with everything it started.
//!
//! | to see or change | look at |
//! |---|---|
//! | a player: a name, a command, its process while it runs | `player.rs` |
//! | splitting and starting a command | `command.rs` |
//! | a running process: questions, answers, deadlines | `process.rs` |
//! | the time for an answer, told and enforced | `time_limit.rs` |
//! | how a game can end, and the messages | `termination.rs` |
//! | what a fault is shown by: question, output, standard error | `evidence.rs` |
//! | what programs write to standard error | `stderr_log.rs` |
//! | killing a program with all its children | `kill.rs` |
//! | orphans, and what happens if the referee is killed | `supervisor.rs` |
//! | the system's list of processes | `processes.rs` |

mod command;
mod evidence;
mod kill;
mod player;
mod process;
mod processes;
mod stderr_log;
mod supervisor;
mod termination;
mod time_limit;

pub use command::{CommandError, PlayerCommand, PlayerSpec};
pub use evidence::Evidence;
pub use player::Player;
pub use process::Answer;
pub use stderr_log::{STDERR_FILE, StderrFile};
pub use supervisor::{GUARD, guard, supervise};
pub use termination::{Exit, Termination};
pub use time_limit::TimeLimit;
