//! The command that starts a player program.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::{self, Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;

use super::isolation::{self, Isolation};
use super::shortage::Shortage;
use super::supervisor;
use super::termination::Termination;
use crate::http::TOKEN_VARIABLE;

/// A program and its arguments, split like a shell does; no shell is run. `cd FOLDER &&` before
/// them names the folder where it runs; without it, that is the folder of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerCommand {
    pub(super) folder: Option<PathBuf>,
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

/// A player on the command line: `CMD`, or `NAME=CMD` with a name of letters, digits,
/// `_`, `-` and `.`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The given name, else the text of the command.
    pub name: String,
    /// The command that starts the program.
    pub command: PlayerCommand,
}

impl std::str::FromStr for PlayerSpec {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        let named = text.split_once('=').filter(|(name, _)| {
            !name.is_empty() && name.chars().all(is_of_name) && name.chars().count() <= LONGEST_NAME
        });
        let (name, command) = named.unwrap_or((text, text));
        Ok(Self {
            name: name.to_string(),
            command: command.parse()?,
        })
    }
}

impl PlayerSpec {
    /// A name made of any text: other characters become `_`.
    pub fn name_of(text: &str) -> String {
        let name = text.chars().take(LONGEST_NAME);
        name.map(|c| if is_of_name(c) { c } else { '_' }).collect()
    }

    /// Adds numbers to the names of players with the same name.
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

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// The maximum length of a name, in characters.
const LONGEST_NAME: usize = 64;

/// Why a text is not a command.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The text has no words.
    #[error("the command of a player is empty; give the program's path")]
    Empty,
    /// The text cannot be split into words as a shell would.
    #[error("the command {0:?} has an unclosed quote or ends in a backslash")]
    Quotes(String),
    /// No argument of a process can contain this byte.
    #[error("the command {0:?} contains a NUL byte")]
    Nul(String),
}

impl std::str::FromStr for PlayerCommand {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        if text.contains('\0') {
            return Err(CommandError::Nul(text.to_string()));
        }
        let words = shlex::split(text).ok_or_else(|| CommandError::Quotes(text.to_string()))?;
        let (folder, words) = match &*words {
            [cd, folder, and, rest @ ..] if cd == "cd" && and == "&&" => (Some(folder), rest),
            words => (None, words),
        };
        let mut words = words.iter().cloned();
        match words.next() {
            Some(program) if !program.is_empty() => Ok(Self {
                folder: folder.map(PathBuf::from),
                program,
                arguments: words.collect(),
            }),
            _ => Err(CommandError::Empty),
        }
    }
}

/// Retries of a start that may succeed later, and the pause between them.
const START_TRIES: u32 = 20;
const START_PAUSE: Duration = Duration::from_millis(50);

impl PlayerCommand {
    /// Starts the program in its own process group, with all three standard streams piped
    /// and these environment variables added, but without the token of a web page. `name` is
    /// the player's, for messages.
    ///
    /// # Errors
    /// [`Termination::CouldNotStart`], or [`Termination::Shortage`] if that is not the player's
    /// fault, or [`Termination::Interrupted`] by `stop`.
    pub(super) fn start(
        &self,
        name: &str,
        variables: &[(&str, &str)],
        stop: &AtomicBool,
    ) -> Result<Child, Termination> {
        let mut tries = START_TRIES;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Termination::Interrupted);
            }
            match self.try_start(variables) {
                Ok(child) => return Ok(child),
                Err(error) if tries > 0 && may_start_later(&error) => {
                    tries -= 1;
                    thread::sleep(START_PAUSE);
                }
                Err(error) => {
                    let shortage = Shortage::of(&error).map(Termination::Shortage);
                    return Err(shortage.unwrap_or_else(|| Termination::CouldNotStart {
                        reason: self.start_error(name, &error),
                    }));
                }
            }
        }
    }

    /// The file that holds the player: the program if it is given by its path and not an
    /// interpreter, else a class of Java or the first file among the arguments.
    pub fn file(&self) -> Option<PathBuf> {
        let program = Some(&self.program).filter(|program| program.contains('/'));
        let words = program.into_iter().chain(&self.arguments);
        let words = words.filter(|word| !is_interpreter(word));
        let mut files = self
            .class_file()
            .into_iter()
            .chain(words.map(|word| self.path_of(word)));
        files.find(|path| path.is_file())
    }

    /// The file of a class that `java -cp FOLDER CLASS` runs.
    fn class_file(&self) -> Option<PathBuf> {
        let is_option = |word: &String| matches!(&**word, "-cp" | "-classpath" | "--class-path");
        let option = self.arguments.iter().position(is_option)?;
        let [folder, class] = self.arguments.get(option + 1..option + 3)? else {
            return None;
        };
        let class = format!("{}.class", class.replace('.', "/"));
        Some(self.path_of(&format!("{folder}/{class}")))
    }

    /// The folder where the program runs, for messages; `None` for one on another machine.
    pub(super) fn place(&self) -> Option<String> {
        if self.is_remote() {
            return None;
        }
        let (folder, advice) = match &self.folder {
            Some(folder) => (&**folder, ""),
            None => (Path::new("."), "; `cd DIR && COMMAND` runs it in another"),
        };
        let folder = path::absolute(folder).ok()?;
        Some(format!("it ran in the folder {}{advice}", folder.display()))
    }

    /// The program and its arguments.
    pub(super) fn words(&self) -> Vec<&str> {
        let words = [&self.program].into_iter().chain(&self.arguments);
        words.map(String::as_str).collect()
    }

    /// The path of a file that a word of the command names, from the folder of this process.
    pub(super) fn path_of(&self, word: &str) -> PathBuf {
        match &self.folder {
            // Components leave out the `.` of `./player`.
            Some(folder) => folder.join(word).components().collect(),
            None => word.into(),
        }
    }

    /// Whether no other player can reach its processes.
    pub(super) fn is_apart(&self) -> bool {
        isolation::in_force() != Isolation::Off && !self.is_remote()
    }

    #[cfg(target_os = "linux")]
    fn try_start(&self, variables: &[(&str, &str)]) -> io::Result<Child> {
        if !self.is_apart() {
            return self.start_directly(variables);
        }
        isolation::start(self.folder.as_deref(), &self.words(), variables)
    }

    #[cfg(not(target_os = "linux"))]
    fn try_start(&self, variables: &[(&str, &str)]) -> io::Result<Child> {
        self.start_directly(variables)
    }

    fn start_directly(&self, variables: &[(&str, &str)]) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env_remove(TOKEN_VARIABLE)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        supervisor::spawn(&mut command, None)
    }

    /// Whether the player runs on another machine. Then it is not isolated: the `ssh` here is a
    /// trusted program, needs the network, and refuses to read the system's configuration in a
    /// user namespace.
    fn is_remote(&self) -> bool {
        matches!(self.program.as_str(), "ssh" | "/usr/bin/ssh")
    }
}

/// Whether a word is the path of a program that runs another, such as `/usr/bin/python3.11`.
fn is_interpreter(word: &str) -> bool {
    let (_, name) = word.rsplit_once('/').unwrap_or_default();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name)
}

/// Interpreters, without the numbers of their versions.
const INTERPRETERS: [&str; 8] = [
    "bash", "env", "java", "node", "perl", "python", "ruby", "sh",
];

/// Whether a retry may work: the machine lacks something, or the program's file is still being
/// written. A launcher that did not answer has used up its time.
fn may_start_later(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw);
    errno == Some(Errno::ETXTBSY) || errno.is_some() && Shortage::of(error).is_some()
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
    fn a_command_may_name_its_folder() {
        let player: PlayerSpec = "Ada=cd 'a b' && ./p --x".parse().unwrap();
        assert_eq!(player.name, "Ada");
        assert_eq!(player.command.folder, Some("a b".into()));
        assert_eq!(player.command.program, "./p");
        assert_eq!(player.command.arguments, ["--x"]);
        assert_eq!(player.command.path_of("./p"), Path::new("a b/p"));
        for other in ["cd a", "cd a b && ./p"] {
            assert_eq!(other.parse::<PlayerCommand>().unwrap().folder, None);
        }
    }

    #[test]
    fn the_file_of_a_player_is_not_its_interpreter() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().display();
        for file in ["p", "q.py", "python3.11", "Player.class"] {
            std::fs::write(place.path().join(file), "").unwrap();
        }
        std::fs::create_dir(place.path().join("a")).unwrap();
        std::fs::write(place.path().join("a/P.class"), "").unwrap();
        for (command, file) in [
            ("./p q.py", "p"),
            ("python3 -u q.py p", "q.py"),
            ("./python3.11 q.py p", "q.py"),
            ("env A=1 ./python3.11 ./q.py", "q.py"),
            ("java -cp . Player q.py", "Player.class"),
            ("java -cp . a.P", "a/P.class"),
        ] {
            let command = format!("cd '{root}' && {command}").parse::<PlayerCommand>();
            assert_eq!(command.unwrap().file(), Some(place.path().join(file)));
        }
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
    fn a_start_can_be_stopped() {
        let command: PlayerCommand = "/nowhere/player".parse().unwrap();
        let started = command.start("A", &[], &AtomicBool::new(true));
        assert_eq!(started.unwrap_err(), Termination::Interrupted);
        assert!(!may_start_later(&io::ErrorKind::TimedOut.into()));
    }

    #[test]
    fn invalid_commands_are_refused() {
        for text in ["", "  ", "''", "'p", "p\\", "p\0q", "cd a &&"] {
            assert!(text.parse::<PlayerCommand>().is_err(), "{text:?}");
        }
    }
}
