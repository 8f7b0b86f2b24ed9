//! Names the players that may have killed or stopped another one by a signal. Only players
//! that are not isolated can. The sender is unknown, so the message names all that ran.

use super::termination::{Exit, Termination};
use crate::printable::listed;

/// Signals that a program gets by its own faults, or sends itself.
const OWN: [i32; 9] = {
    use nix::libc::*;
    [
        SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTRAP, SIGXFSZ,
    ]
};

/// The ending with the names of the players that may have caused it: if the player was
/// killed by a signal from outside, or was found stopped when its time was over. `running`
/// are the other players.
pub(super) fn name_suspects(
    ending: Termination,
    was_stopped: bool,
    running: impl FnOnce() -> Vec<String>,
) -> Termination {
    match ending {
        Termination::Crashed {
            exit: Exit::Signal(signal),
            ..
        } if !OWN.contains(&signal) => Termination::Killed {
            signal,
            running: running(),
        },
        Termination::Stalled { limit, .. } | Termination::TimeOut { limit, .. } if was_stopped => {
            Termination::Stopped {
                limit,
                running: running(),
            }
        }
        other => other,
    }
}

/// The suspects as the end of a message.
pub(super) fn suspects(running: &[String]) -> String {
    match running {
        [] => String::new(),
        [one] => format!("; {one} was running"),
        several => format!("; {} were running", listed(several)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_players_own_faults_have_no_suspects() {
        let named = |exit, was_stopped| {
            let ending = Termination::Crashed { exit, hint: None };
            name_suspects(ending, was_stopped, || vec!["Bob".into()]).message("Ada")
        };
        for exit in [Exit::Code(3), Exit::Signal(11), Exit::Signal(6)] {
            let message = named(exit, true);
            assert!(!message.contains("Bob"), "{message}");
        }
        assert_eq!(
            named(Exit::Signal(9), false),
            "Error: Ada was killed by SIGKILL from outside, not by the referee; Bob was running"
        );
    }

    #[test]
    fn a_late_answer_of_a_stopped_player_has_suspects() {
        let late = |was_stopped| {
            let ending = Termination::TimeOut {
                limit: 2.0,
                answered: Some(2.5),
                hint: None,
            };
            let running = || ["Bob", "Cleo", "Dan"].map(String::from).to_vec();
            name_suspects(ending, was_stopped, running).message("Ada")
        };
        assert!(!late(false).contains("Bob"));
        assert!(
            late(true)
                .ends_with("(SIGSTOP or ptrace) from outside; Bob, Cleo and Dan were running"),
            "{}",
            late(true)
        );
    }
}
