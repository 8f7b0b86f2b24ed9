//! The referee: games between player programs that nobody trusts.
//!
//! | to see or change | look at |
//! |---|---|
//! | a whole game, what it leaves behind, who is told | `game.rs` |
//! | the set-up: questions and right placements | `setup.rs` |
//! | how a game can end, and the messages | `termination.rs` |
//! | whether a board follows another by a turn, and why not | `../verdict/` |
//! | single questions, for playing by hand | `single.rs` |
//! | a player between games | `player.rs` |
//! | the time for an answer, told and held to | `time_limit.rs` |
//! | a running program: questions, answers, deadlines | `process.rs` |
//! | splitting and starting a command | `command.rs` |
//! | killing a program with all its children | `kill.rs` |
//! | orphans of players, and what happens if the referee is killed | `supervisor.rs` |
//! | the system's list of processes | `processes.rs` |
//! | what programs write to standard error | `stderr_log.rs` |

mod command;
mod game;
mod kill;
mod player;
mod process;
mod processes;
mod setup;
mod single;
mod stderr_log;
mod supervisor;
mod termination;
mod time_limit;

pub use command::{CommandError, PlayerCommand, PlayerSpec};
pub use game::{Board, Evidence, GameOptions, GameOutcome, Observer, play};
pub use player::Player;
pub use stderr_log::{STDERR_FILE, StderrFile};
pub use supervisor::{GUARD, guard, supervise};
pub use termination::{Exit, Termination};
pub use time_limit::TimeLimit;
