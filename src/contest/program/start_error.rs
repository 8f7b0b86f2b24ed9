//! Why a player program did not start, and how to fix it.

use std::io::{self, Read};
use std::path::Path;

use nix::errno::Errno;

use super::command::PlayerCommand;

impl PlayerCommand {
    /// Explains why the program did not start, and how to fix it.
    pub(super) fn start_error(&self, name: &str, error: &io::Error) -> String {
        let path = self.path_of(&self.program);
        let program = match self.program.contains('/') {
            true => &*path.to_string_lossy(),
            false => &*self.program,
        };
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return format!("there is no folder {}", folder.display());
        }
        match error.raw_os_error().map(Errno::from_raw) {
            Some(Errno::ENOENT) if !program.contains('/') && path.exists() => {
                format!("{program} is not in PATH; to run the file in this folder use ./{program}")
            }
            Some(Errno::ENOENT) if path.exists() => {
                let fix = match has_windows_line(&path) {
                    true => ": that line ends like on Windows (CR LF); end it with LF",
                    false => "",
                };
                format!(
                    "{program} exists, but not the interpreter named in its first line or \
                     header{fix}"
                )
            }
            Some(Errno::ENOENT) => match self.without_shell(name) {
                Some(instead) => {
                    format!("{program} does not exist; no shell runs the command: {instead}")
                }
                None => format!("{program} does not exist"),
            },
            Some(Errno::EACCES) if path.is_dir() => {
                format!("{program} is a folder; give the program in it")
            }
            Some(Errno::EACCES) => {
                let fix = how_to_run(program).unwrap_or_else(|| "run chmod +x on it".into());
                format!("{program} is not executable; {fix}")
            }
            Some(Errno::ENOEXEC) => {
                let fix = how_to_run(program).unwrap_or_else(|| {
                    "a script needs a first line such as #!/usr/bin/env python3".into()
                });
                format!("{program} is not a program for this system; {fix}")
            }
            _ => format!("{program}: {error}"),
        }
    }

    /// What to write instead of a command that only a shell understands.
    fn without_shell(&self, name: &str) -> Option<String> {
        if self.program == "cd" {
            return Some("to run it in a folder use 'cd DIR && COMMAND'".into());
        }
        let is_expanded = self.program.starts_with('~') || self.program.contains('$');
        let path = || is_expanded.then(|| "write the whole path, without ~ or $".into());
        self.variable(name).or_else(path)
    }

    /// How to set an environment variable, if that is what the command tries to do:
    /// `A=1 ./p`, or `1 ./p` once `A=` was taken for the name of the player.
    fn variable(&self, name: &str) -> Option<String> {
        let all = self.words().join(" ");
        if is_assignment(&self.program) {
            return Some(format!("to set a variable use env {all}"));
        }
        let next = self.arguments.first()?;
        let is_program = next.contains('/') && Path::new(next).is_file() || is_assignment(next);
        // Without the number of players with equal names.
        let name = name.rsplit_once(" (").map_or(name, |(name, _)| name);
        let is_name = is_assignment(&format!("{name}="));
        (is_program && is_name && !self.program.contains('/'))
            .then(|| format!("{name}= names a player; to set a variable use env {name}={all}"))
    }
}

/// Whether a word has the form of a shell's assignment, `A=1`.
fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// How to run a file of source code, by the ending of its name.
fn how_to_run(program: &str) -> Option<String> {
    let ending = Path::new(program).extension()?.to_str()?;
    let by = |interpreter: &str| Some(format!("run it as '{interpreter} {program}'"));
    match ending {
        "py" => by("python3"),
        "js" | "mjs" => by("node"),
        "jar" => by("java -jar"),
        "rb" => by("ruby"),
        "c" | "cc" | "cpp" | "hs" | "java" | "rs" | "go" | "kt" | "ml" => {
            Some("it is source code: compile it, and give the program that comes out".into())
        }
        "class" => Some("it is a class for Java: run it as 'java -cp FOLDER CLASS'".into()),
        _ => None,
    }
}

/// Whether the first line of a script ends in CR LF.
pub(super) fn has_windows_line(program: &Path) -> bool {
    let mut head = [0; 256];
    let read = std::fs::File::open(program).and_then(|mut file| file.read(&mut head));
    let head = &head[..read.unwrap_or(0)];
    let line = head.split(|&byte| byte == b'\n').next();
    head.starts_with(b"#!") && line.is_some_and(|line| line.ends_with(b"\r"))
}
