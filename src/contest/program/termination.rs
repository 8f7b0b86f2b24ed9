//! How a game between two player programs ended, with details and messages.

use std::fmt;

use nix::sys::signal::Signal;

use super::output_hint::OutputHint;
use super::shortage::Shortage;
use super::suspects::suspects;
use crate::record::Ending;

/// How a game ended, with the details for a message. Every case but [`Termination::Win`],
/// [`Termination::Shortage`] and [`Termination::Interrupted`] is the loss of one player, named
/// beside it. A `hint` tells the author of the player what to change.
#[derive(Debug, Clone, PartialEq)]
pub enum Termination {
    /// A legal turn that wins.
    Win,
    /// The player to move has no legal turn.
    NoTurnLeft,
    /// A JSON value that is not a legal placement, or not a board after a legal turn.
    IllegalBoard {
        /// The rule that the answer breaks.
        reason: String,
    },
    /// The answer was not exactly one array or object in JSON.
    NotJson {
        /// What was found instead.
        reason: String,
        /// What the player probably does wrong.
        hint: OutputHint,
    },
    /// The answer was late or incomplete.
    TimeOut {
        /// The limit in seconds, without grace.
        limit: f64,
        /// The time of the whole answer in seconds; `None` if it never came.
        answered: Option<f64>,
        /// What the player probably does wrong.
        hint: OutputHint,
    },
    /// No byte of an answer in `waited` seconds, which is longer than the limit.
    Stalled {
        /// The limit in seconds, without grace.
        limit: f64,
        /// The time waited, in seconds.
        waited: f64,
        /// What the player probably does wrong.
        hint: OutputHint,
    },
    /// The process ended instead of answering.
    Crashed {
        /// How the process ended.
        exit: Exit,
        /// What the player probably does wrong.
        hint: OutputHint,
    },
    /// The process was killed by a signal that a program does not get by its own faults.
    Killed {
        /// The number of the signal.
        signal: i32,
        /// The other players that were running.
        running: Vec<String>,
    },
    /// The process was found stopped by a signal when its time was over.
    Stopped {
        /// The limit in seconds, without grace.
        limit: f64,
        /// The other players that were running.
        running: Vec<String>,
    },
    /// The process closed its output and kept running.
    ClosedOutput,
    /// The program could not be started.
    CouldNotStart {
        /// The system's error.
        reason: String,
    },
    /// The machine could start no more programs. The game has no result.
    Shortage(Shortage),
    /// The referee was stopped.
    Interrupted,
}

impl Termination {
    /// The name in records and tables.
    pub const fn kind(&self) -> Ending {
        match self {
            Self::Win => Ending::Win,
            Self::NoTurnLeft => Ending::NoTurnLeft,
            Self::IllegalBoard { .. } => Ending::IllegalBoard,
            Self::NotJson { .. } => Ending::NotJson,
            Self::TimeOut { .. } => Ending::TimeOut,
            Self::Stalled { .. } | Self::Stopped { .. } => Ending::Stalled,
            Self::Crashed { .. } | Self::Killed { .. } => Ending::Crashed,
            Self::ClosedOutput => Ending::ClosedOutput,
            Self::CouldNotStart { .. } => Ending::CouldNotStart,
            Self::Shortage(_) | Self::Interrupted => Ending::Interrupted,
        }
    }

    /// One line for people. `player` is the winner of a win, otherwise the loser.
    pub fn message(&self, player: &str) -> String {
        let message = self.plain_message(player);
        match self.hint() {
            Some(hint) => format!("{message}; {hint}"),
            None => message,
        }
    }

    /// The same ending with the message of another player that could not be started either.
    pub(crate) fn and(self, other: &str) -> Self {
        match self {
            Self::CouldNotStart { reason } => {
                let other = other.strip_prefix("Error: ").unwrap_or(other);
                let reason = format!("{reason}; {other}");
                Self::CouldNotStart { reason }
            }
            ending => ending,
        }
    }

    const fn hint(&self) -> OutputHint {
        match self {
            Self::NotJson { hint, .. }
            | Self::TimeOut { hint, .. }
            | Self::Stalled { hint, .. }
            | Self::Crashed { hint, .. } => *hint,
            _ => None,
        }
    }

    fn plain_message(&self, player: &str) -> String {
        match self {
            Self::Win => format!("Win by {player}"),
            Self::NoTurnLeft => format!("No move possible for {player}"),
            Self::IllegalBoard { reason } => format!("Bad move by {player}: {reason}"),
            Self::NotJson { reason, .. } => {
                format!("Error: the answer of {player} is not one JSON array or object: {reason}")
            }
            Self::TimeOut {
                limit,
                answered: Some(answered),
                ..
            } => format!("Error: {player} answered too late: after {answered:.3} s of {limit} s"),
            Self::TimeOut {
                limit,
                answered: None,
                ..
            } => format!("Error: {player} sent only part of its answer within {limit} s"),
            Self::Stalled { limit, waited, .. } => {
                format!("Error: {player} sent no answer in {waited:.1} s; the limit is {limit} s")
            }
            Self::Crashed { exit, .. } => {
                format!("Error: {player} exited without an answer: {exit}")
            }
            Self::Killed { signal, running } => format!(
                "Error: {player} was killed by {} from outside, not by the referee{}",
                signal_name(*signal),
                suspects(running)
            ),
            Self::Stopped { limit, running } => format!(
                "Error: {player} sent no answer within {limit} s: it was stopped \
                 (SIGSTOP or ptrace) from outside{}",
                suspects(running)
            ),
            Self::ClosedOutput => {
                format!("Error: {player} closed its standard output without an answer")
            }
            Self::CouldNotStart { reason } => {
                format!("Error: cannot start {player}: {reason}")
            }
            Self::Shortage(shortage) => format!("Error: {shortage}"),
            Self::Interrupted => "Error: the game was interrupted".to_string(),
        }
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// It was killed by this signal.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(number) => match Signal::try_from(number) {
                Ok(signal) => write!(f, "killed by signal {number} ({})", signal.as_str()),
                Err(_) => write!(f, "killed by signal {number}"),
            },
        }
    }
}

fn signal_name(number: i32) -> String {
    let signal = Signal::try_from(number);
    signal.map_or(format!("signal {number}"), |signal| signal.as_str().into())
}

impl From<std::process::ExitStatus> for Exit {
    fn from(status: std::process::ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        // A collected process has one or the other.
        match status.code() {
            Some(code) => Self::Code(code),
            None => Self::Signal(status.signal().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use nix::errno::Errno;

    use super::*;

    fn one_of_each() -> Vec<Termination> {
        let reason = String::from("why");
        vec![
            Termination::Win,
            Termination::NoTurnLeft,
            Termination::IllegalBoard {
                reason: reason.clone(),
            },
            Termination::NotJson {
                reason: reason.clone(),
                hint: None,
            },
            Termination::TimeOut {
                limit: 1.0,
                answered: Some(1.5),
                hint: Some("hurry"),
            },
            Termination::Stalled {
                limit: 1.0,
                waited: 2.0,
                hint: None,
            },
            Termination::Crashed {
                exit: Exit::Signal(11),
                hint: None,
            },
            Termination::Killed {
                signal: 9,
                running: Vec::new(),
            },
            Termination::Stopped {
                limit: 1.0,
                running: Vec::new(),
            },
            Termination::ClosedOutput,
            Termination::CouldNotStart { reason },
            Termination::Shortage(Shortage::of(&Errno::EMFILE.into()).unwrap()),
            Termination::Interrupted,
        ]
    }

    #[test]
    fn every_message_names_the_player() {
        for ending in one_of_each() {
            let message = ending.message("Ada");
            assert_eq!(
                message.contains("Ada"),
                ending.kind() != Ending::Interrupted,
                "{message}"
            );
        }
    }

    #[test]
    fn a_signal_has_its_name() {
        let crashed = Termination::Crashed {
            exit: Exit::Signal(11),
            hint: None,
        };
        assert!(crashed.message("Ada").ends_with("signal 11 (SIGSEGV)"));
    }
}
