//! The command that starts a player program.

use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use std::os::unix::process::CommandExt;

use nix::errno::Errno;

use super::supervisor;
use super::termination::Termination;

/// A program and its arguments, split as a shell would split them; no shell
/// is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerCommand {
    program: String,
    arguments: Vec<String>,
}

/// A player as it is given on the command line: `CMD`, or `NAME=CMD` where
/// the name is made of letters, digits, `_`, `-` and `.`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The name given, else the text of the command.
    pub name: String,
    pub command: PlayerCommand,
}

impl std::str::FromStr for PlayerSpec {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let named = text.split_once('=').filter(|(name, _)| {
            !name.is_empty() && name.chars().all(in_name) && name.chars().count() <= LONGEST_NAME
        });
        let (name, command) = named.unwrap_or((text, text));
        Ok(Self {
            name: name.to_string(),
            command: command.parse()?,
        })
    }
}

impl PlayerSpec {
    /// Numbers the players whose names are the same.
    pub fn number_equal_names(players: &mut [Self]) {
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        for (index, player) in players.iter_mut().enumerate() {
            let same = |names: &[String]| names.iter().filter(|&name| *name == player.name).count();
            if same(&names) > 1 {
                let number = same(&names[..index]) + 1;
                player.name += &format!(" ({number})");
            }
        }
    }
}

/// The longest name of a player, in characters.
const LONGEST_NAME: usize = 64;

/// Why a text is no command.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("the command of a player is empty; give the program's path")]
    Empty,
    #[error("the command {0:?} has a quote that is not closed, or ends in a backslash")]
    Quotes(String),
    #[error("the command {0:?} holds a NUL byte")]
    Nul(String),
}

impl std::str::FromStr for PlayerCommand {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        if text.contains('\0') {
            return Err(CommandError::Nul(text.to_string()));
        }
        let words = shlex::split(text).ok_or_else(|| CommandError::Quotes(text.to_string()))?;
        let mut words = words.into_iter();
        match words.next() {
            Some(program) if !program.is_empty() => Ok(Self {
                program,
                arguments: words.collect(),
            }),
            _ => Err(CommandError::Empty),
        }
    }
}

/// How often a start is tried again that failed for lack of resources of the
/// machine's, which is not the player's fault, and how long between.
const START_TRIES: u32 = 20;
const START_PAUSE: Duration = Duration::from_millis(50);

impl PlayerCommand {
    /// Starts the program in a process group of its own, with all three
    /// standard streams piped, and with these variables in its environment.
    ///
    /// # Errors
    /// [`Termination::CouldNotStart`].
    pub(super) fn start(&self, variables: &[(&str, &str)]) -> Result<Child, Termination> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut tries = START_TRIES;
        loop {
            match supervisor::spawn(&mut command) {
                Ok(child) => return Ok(child),
                Err(error) if tries > 0 && is_passing(&error) => {
                    tries -= 1;
                    thread::sleep(START_PAUSE);
                }
                Err(error) => {
                    return Err(Termination::CouldNotStart {
                        reason: self.start_error(&error),
                    });
                }
            }
        }
    }

    /// Why the program did not start, with what to do about it.
    fn start_error(&self, error: &io::Error) -> String {
        let program = &self.program;
        match error.raw_os_error().map(Errno::from_raw) {
            Some(Errno::ENOENT) if !program.contains('/') && Path::new(program).exists() => {
                format!("{program} is not in PATH; for the file here say ./{program}")
            }
            Some(Errno::ENOENT) if Path::new(program).exists() => format!(
                "{program} exists, but the interpreter that its first line or its header names does not"
            ),
            Some(Errno::ENOENT) => format!("{program} does not exist"),
            Some(Errno::EACCES) if Path::new(program).is_dir() => format!("{program} is a folder"),
            Some(Errno::EACCES) => {
                format!("{program} is not executable; chmod +x makes a program executable")
            }
            Some(Errno::ENOEXEC) => format!(
                "{program} is no program that this system runs; a script's first line must be like #!/usr/bin/env python3"
            ),
            _ => format!("{program}: {error}"),
        }
    }
}

/// Whether a start may work a little later: no process or memory was to be
/// had, or the program's file is still being written.
fn is_passing(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw);
    matches!(
        errno,
        Some(Errno::EAGAIN | Errno::ENOMEM | Errno::EMFILE | Errno::ENFILE | Errno::ETXTBSY)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let command: PlayerCommand = "./p --name 'a b' \"c d\"".parse().unwrap();
        assert_eq!(command.program, "./p");
        assert_eq!(command.arguments, ["--name", "a b", "c d"]);
    }

    #[test]
    fn a_player_may_have_a_name() {
        let player: PlayerSpec = "Ada=./p --level=3".parse().unwrap();
        assert_eq!(player.name, "Ada");
        assert_eq!(player.command.arguments, ["--level=3"]);
        let player: PlayerSpec = "./p --level=3".parse().unwrap();
        assert_eq!(player.name, "./p --level=3");
        let mut players = ["A=./p", "./q", "A=./r"].map(|text| text.parse().unwrap());
        PlayerSpec::number_equal_names(&mut players);
        let names = players.map(|player: PlayerSpec| player.name);
        assert_eq!(names, ["A (1)", "./q", "A (2)"]);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for text in ["", "  ", "''", "'p", "p\\", "p\0q"] {
            assert!(text.parse::<PlayerCommand>().is_err(), "{text:?}");
        }
    }
}
