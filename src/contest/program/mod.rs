//! Untrusted player programs: starting one, asking it under a deadline, and killing it
//! with all its children.
//!
//! | to see or change | look at |
//! |---|---|
//! | a player: its name, command and process | `player.rs` |
//! | splitting and starting a command | `command.rs` |
//! | why a program did not start, and how to fix it | `start_error.rs` |
//! | the process of a player: questions, deadlines, endings | `process/` |
//! | sending questions and reading answers | `streams.rs` |
//! | keeping players apart | `isolation/` |
//! | files that players must not inherit | `inherited_files.rs` |
//! | no more files, processes or memory for players | `shortage.rs` |
//! | the time limit | `time_limit.rs`, enforced in `process/mod.rs` |
//! | the messages of lost games: late, crashed, not JSON, ... | `termination.rs` |
//! | the evidence of a fault: question, output, standard error | `evidence.rs` |
//! | hints for output that is not JSON, late or not flushed | `output_hint.rs` |
//! | hints for usual mistakes in JSON | `src/games/protocol/json_hint.rs` |
//! | messages for JSON that is not a board | `src/games/protocol/exchange.rs` |
//! | messages and hints for boards that break a rule | `src/games/verdict/broken_rule.rs` |
//! | the names of endings in records and tables | `src/games/record/ending.rs` |
//! | logging standard error | `stderr_log.rs` |
//! | killing a program and its children | `kill.rs` |
//! | orphans | `supervisor.rs` |
//! | what happens if the referee is killed | `guard.rs` |
//! | messages about harm that players do to each other and to the machine | `harm.rs` |
//! | noticing such harm | `harm_watch.rs`, `exhaustion.rs` |
//! | settings of a process that others can change | `process_settings.rs` |
//! | noticing changed programs | `program_file.rs` |
//! | noticing opened files | `open_watch.rs` |
//! | players that kill or stop each other | `suspects.rs` |
//! | the pipes of a player, and who opened them | `pipes.rs` |
//! | the system's list of processes | `process_list.rs` |

mod command;
mod evidence;
mod exhaustion;
mod guard;
mod harm;
mod harm_watch;
mod inherited_files;
mod isolation;
mod kill;
mod open_watch;
mod output_hint;
mod pipes;
mod player;
mod process;
mod process_list;
mod process_settings;
mod program_file;
mod shortage;
mod start_error;
mod stderr_log;
mod streams;
mod supervisor;
mod suspects;
mod termination;
mod time_limit;

pub use command::{CommandError, PlayerCommand, PlayerSpec};
pub use evidence::Evidence;
pub use guard::{GUARD, Noticed, kill_players, watch};
pub use harm::Harm;
#[cfg(target_os = "linux")]
pub use isolation::launch;
pub use isolation::{Isolation, LAUNCH, ResourceLimits, SCRATCH, SCRATCH_SIZE, isolate};
pub use player::Player;
pub use process::TimedAnswer;
pub use shortage::Shortage;
pub use stderr_log::{STDERR_FILE, StderrFile};
pub(crate) use streams::is_passing;
pub(crate) use supervisor::remember_program;
pub use supervisor::{note_kills_in, supervise};
pub use termination::{Exit, Termination};
pub use time_limit::TimeLimit;
