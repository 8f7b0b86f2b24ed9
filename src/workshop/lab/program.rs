//! A player program as an agent, run and judged as in the referee.

use std::sync::atomic::AtomicBool;

use super::agent::{Agent, Board, Fault};
use crate::program::{Player, PlayerCommand, Termination, TimeLimit};
use crate::rules::{Placement, Turn};

/// A player program, started for one game. It must answer within SANTORINI_TIME,
/// at most 30 seconds.
pub struct Program<'a> {
    player: Player,
    stop: &'a AtomicBool,
}

impl<'a> Program<'a> {
    /// Creates an agent that plays the answers of a program. Once `stop` is set it gives
    /// no more answers.
    pub fn new(command: &ProgramCommand, stop: &'a AtomicBool) -> Self {
        let time = TimeLimit::requested(None);
        Self {
            player: Player::new(&command.text, command.command.clone(), time),
            stop,
        }
    }

    fn fault(&self, ending: &Termination) -> Fault {
        Fault(ending.message(self.player.name()) + &self.player.evidence().text())
    }
}

impl Agent for Program<'_> {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let placed = self.player.place([None, None], first, self.stop);
        placed.map_err(|ending| self.fault(&ending))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let turn = self.player.turn(board, self.stop);
        turn.map_err(|ending| self.fault(&ending))
    }
}

/// The command of a program, and its text as given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramCommand {
    /// The command as given.
    pub text: String,
    command: PlayerCommand,
}

impl std::str::FromStr for ProgramCommand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let command = text.parse::<PlayerCommand>();
        Ok(Self {
            text: text.to_string(),
            command: command.map_err(|error| error.to_string())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::NEVER;

    #[test]
    fn a_failing_program_is_a_fault() {
        for (command, said) in [
            ("./no-such-player", "does not exist"),
            ("true", "exited without an answer: exit code 0"),
            ("sh -c 'echo lost it >&2'", "\n  standard error   lost it"),
            ("sh -c 'read x; echo [[1]]'", "the placement is wrong"),
        ] {
            let mut program = Program::new(&command.parse().unwrap(), &NEVER);
            let Fault(fault) = program.place(None).unwrap_err();
            assert!(fault.contains(command) && fault.contains(said), "{fault}");
        }
        assert!("'open".parse::<ProgramCommand>().is_err());
    }
}
