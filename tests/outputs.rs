//! The output of the commands, byte for byte: no change of the program alters it unnoticed.
//!
//! Each text file in tests/data/outputs holds a shell session: lines `$ command`, each
//! followed by the standard output of the command. The commands of a session run in
//! order in a folder with copies of the files in tests/data/outputs/input, and
//! card-games.jsonl. They use seeds, limits in nodes or depth and one thread, and
//! filter out times, so that the output never varies. Long and binary outputs are
//! stored as their start, length and hash.
//!
//! The session that `santorini help uci` shows is checked in the same way.
//!
//! If a change is intended, or a command was added, record all outputs again:
//!
//! ```text
//! SANTORINI_RECORD=1 cargo test --test main outputs
//! ```

use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, thread};

use tempfile::TempDir;

use crate::hostile::files::q_tables::fnv1a;
use crate::program::{SANTORINI, run, stdout, without_shortage};

/// Longer outputs are shortened.
const MOST_BYTES: usize = 4000;
/// The number of lines kept of them.
const FIRST_LINES: usize = 4;
const FIRST_CHARACTERS: usize = 100;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/outputs")
}

#[test]
fn all_commands_write_what_they_wrote_before() {
    let entries = fs::read_dir(folder()).unwrap().map(|it| it.unwrap().path());
    let sessions: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    assert!(!sessions.is_empty());
    let differences: Vec<String> = thread::scope(|scope| {
        let check = |path| scope.spawn(move || difference(path));
        let running: Vec<_> = sessions.iter().map(check).collect();
        let ended = running.into_iter().map(|session| session.join().unwrap());
        ended.flatten().collect()
    });
    assert!(
        differences.is_empty(),
        "{}\nIf this is intended: SANTORINI_RECORD=1 cargo test --test main outputs",
        differences.join("\n")
    );
}

/// Runs a session again and reports the first difference. When recording, writes the
/// session to its file instead.
fn difference(path: &PathBuf) -> Option<String> {
    let recorded = fs::read_to_string(path).unwrap();
    let now = run_again(&recorded);
    if env::var_os("SANTORINI_RECORD").is_some() {
        fs::write(path, now).unwrap();
        return None;
    }
    let (mut now_lines, mut recorded_lines) = (now.lines(), recorded.lines());
    let mut command = "";
    loop {
        let (now, recorded) = (now_lines.next(), recorded_lines.next());
        if now.is_none() && recorded.is_none() {
            return None;
        }
        if now != recorded {
            let name = path.display();
            let [now, recorded] = [now, recorded].map(|line| line.unwrap_or("(the end)"));
            return Some(format!(
                "{name}: {command}\n  now      {now}\n  recorded {recorded}"
            ));
        }
        command = now.filter(|line| line.starts_with("$ ")).unwrap_or(command);
    }
}

/// Runs the commands of a session; returns the session with their output.
fn run_again(recorded: &str) -> String {
    let place = Place::new();
    let mut session = String::new();
    for line in recorded.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            let _ = writeln!(session, "{line}\n{}", place.run(command));
        }
    }
    // No empty line at the end.
    session.truncate(session.trim_end_matches('\n').len() + 1);
    session
}

/// The folder where the commands of a session run.
struct Place {
    folder: TempDir,
    /// The folder where the shell finds the program.
    programs: TempDir,
}

impl Place {
    fn new() -> Self {
        let (folder, programs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        symlink(SANTORINI, programs.path().join("santorini")).unwrap();
        let recorded_games = self::folder().join("../card-games.jsonl");
        symlink(recorded_games, folder.path().join("card-games.jsonl")).unwrap();
        let inputs = fs::read_dir(self::folder().join("input")).unwrap();
        for input in inputs.map(|entry| entry.unwrap()) {
            fs::copy(input.path(), folder.path().join(input.file_name())).unwrap();
        }
        Self { folder, programs }
    }

    /// Runs a command; returns its output as stored in the file.
    fn run(&self, command: &str) -> String {
        let mut path = vec![self.programs.path().to_path_buf()];
        path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.folder.path())
            .env("PATH", env::join_paths(path).unwrap())
            .output()
            .unwrap();
        let mut text = without_shortage(shown(&output.stdout));
        match output.status.code() {
            Some(0) => {}
            Some(code) => _ = writeln!(text, "[exit code {code}]"),
            None => text += "[killed]\n",
        }
        assert!(!text.lines().any(|line| line.starts_with("$ ")), "{text}");
        text
    }
}

/// The output as it is, or its start, its length and its hash.
fn shown(output: &[u8]) -> String {
    // A binary file shows no lines.
    let text = str::from_utf8(output).unwrap_or_default();
    let strange = |character: char| character.is_control() && character != '\n';
    let whole_lines = text.is_empty() || text.ends_with('\n');
    if text.len() == output.len()
        && text.len() <= MOST_BYTES
        && whole_lines
        && !text.contains(strange)
    {
        return text.to_string();
    }
    let mut start = String::new();
    for line in text.lines().take(FIRST_LINES) {
        let first: String = line.chars().take(FIRST_CHARACTERS).collect();
        let _ = writeln!(start, "{}", first.replace(strange, "?"));
    }
    let hash = fnv1a(output);
    let _ = writeln!(start, "[in all {} bytes, hash {hash:016x}]", output.len());
    start
}

const UCI_GUIDE: &str = "src/people/uci/GUIDE.txt";

#[test]
fn the_session_in_the_guide_of_uci_is_what_the_program_writes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(UCI_GUIDE);
    let guide = fs::read_to_string(&path).unwrap();
    let is_session = |line: &&str| line.starts_with("  > ") || line.starts_with("  < ");
    let shown: Vec<&str> = guide.lines().filter(is_session).collect();
    let commands = shown.iter().filter_map(|line| line.strip_prefix("  > "));
    let now = uci_session(&commands.collect::<Vec<_>>());
    if env::var_os("SANTORINI_RECORD").is_some() {
        let shown = format!("{}\n", shown.join("\n"));
        assert!(guide.contains(&shown), "the session stands in one piece");
        fs::write(path, guide.replace(&shown, &now)).unwrap();
        return;
    }
    let times = |line: &str| line.split(" nps ").next().unwrap().to_string();
    let [now, shown] = [now.lines().collect(), shown]
        .map(|lines: Vec<&str>| lines.into_iter().map(times).collect::<Vec<_>>());
    assert_eq!(
        now, shown,
        "{UCI_GUIDE}: SANTORINI_RECORD=1 cargo test --test main outputs"
    );
}

/// A UCI session: the commands, which end with `quit`, with the answers to the first
/// command and to the search. Keeps the first two lines of the search and the last.
fn uci_session(commands: &[&str]) -> String {
    // At the end of input the search is completed; `quit` would stop it.
    let (quit, asked) = commands.split_last().unwrap();
    let output = run(&["uci", "--threads", "1"], &(asked.join("\n") + "\n"));
    let said = stdout(&output);
    let (mut first, searched): (Vec<&str>, Vec<&str>) =
        said.lines().partition(|line| !line.starts_with("info "));
    let best = first.pop().unwrap();
    let mut session = String::new();
    for command in asked {
        let _ = writeln!(session, "  > {command}");
        let answers = match command.split(' ').next() {
            Some("uci") => std::mem::take(&mut first),
            Some("go") => [&searched[..2], &["...", best]].concat(),
            _ => Vec::new(),
        };
        for answer in answers {
            let _ = writeln!(session, "  < {answer}");
        }
    }
    session + &format!("  > {quit}\n")
}
