//! Untrusted player programs: starting one, asking it under a deadline, and killing it
//! with all its children.
//!
//! | to see or change | look at |
//! |---|---|
//! | a player: its name, command and process | `player.rs` |
//! | splitting and starting a command | `command.rs` |
//! | questions, answers and deadlines of a process | `process.rs` |
//! | the time limit, announced and enforced | `time_limit.rs` |
//! | how a game can end, and the messages for it | `termination.rs` |
//! | the evidence of a fault: question, output, standard error | `evidence.rs` |
//! | hints for the usual mistakes in a player's output | `hint.rs` |
//! | logging standard error | `stderr_log.rs` |
//! | killing a program and its children | `kill.rs` |
//! | orphans, and cleaning up if the referee is killed | `supervisor.rs` |
//! | the system's list of processes | `process_list.rs` |

mod command;
mod evidence;
mod hint;
mod kill;
mod player;
mod process;
mod process_list;
mod stderr_log;
mod supervisor;
mod termination;
mod time_limit;

pub use command::{CommandError, PlayerCommand, PlayerSpec};
pub use evidence::Evidence;
pub use player::Player;
pub use process::TimedAnswer;
pub use stderr_log::{STDERR_FILE, StderrFile};
pub use supervisor::{GUARD, guard, supervise};
pub use termination::{Exit, Termination};
pub use time_limit::TimeLimit;
