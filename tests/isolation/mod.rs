//! Hostile players: isolated ones reach nothing outside; others are named in messages.
//!
//! `attacks.py` lists the attacks. None of them harms the machine, even if it works: the
//! tests may run as root.

mod commands;
mod lacking;
mod named;
mod ordinary;
mod powerless;
mod remote;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::installed::{installed, skip};
use crate::place::{fake, is_regular};
use crate::program::{Ended, Program, SANTORINI, run, santorini_in};

/// A folder with the hostile player, where the commands run.
struct Arena(tempfile::TempDir);

impl Arena {
    /// `None` if there is no Python, or this machine cannot isolate like this.
    fn new(isolation: &str) -> Option<Self> {
        installed(&["python3"])?;
        if isolation != "off" && !can_isolate(isolation) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("attacks.py"), include_str!("attacks.py")).unwrap();
        Some(Self(folder))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// The command of the hostile player Bob.
    fn bob(&self, attacks: &str) -> String {
        let script = self.path("attacks.py");
        format!("Bob=python3 {} {SANTORINI} 7 {attacks}", script.display())
    }

    /// `santorini COMMAND --isolate MODE`, run in this folder.
    fn command(&self, words: &str, isolation: &str) -> Command {
        let mut command = santorini_in(self.0.path(), words);
        command
            .args(["--isolate", isolation])
            .env("TMPDIR", self.0.path());
        command
    }

    /// A game between Bob and Ada. Standard error of the players goes to the file `errors`.
    fn game(&self, isolation: &str, options: &[&str], attacks: &str) -> Ended {
        Program::start(self.game_command(isolation, options, attacks)).end()
    }

    fn game_command(&self, isolation: &str, options: &[&str], attacks: &str) -> Command {
        let mut command = self.command("referee --time 20 --stderr errors", isolation);
        command.args(options).args([self.bob(attacks), ada()]);
        command
    }
}

/// A harmless player.
fn ada() -> String {
    fake("Ada", "random")
}

/// Whether this machine isolates players completely in this mode. If not, reports the test
/// as skipped.
fn can_isolate(mode: &str) -> bool {
    let missing = run(
        &["referee", "--isolate", mode, "/nowhere/a", "/nowhere/b"],
        "",
    );
    let said = String::from_utf8_lossy(&missing.stderr);
    let shortage = said.lines().find(|line| line.contains("isolated"));
    if let Some(shortage) = shortage {
        skip(shortage);
    }
    shortage.is_none()
}

/// The processes with exactly this command line.
fn processes(command: &[u8]) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let is_it = |path: &Path| fs::read(path.join("cmdline")).is_ok_and(|words| words == command);
    entries.filter(|entry| is_it(&entry.path())).count()
}

/// `.ci/run` fails if it skips another test.
#[test]
fn every_test_that_needs_isolation_may_be_skipped() {
    let listed: Vec<&str> = include_str!("../skipped.txt").lines().collect();
    for (module, text) in [
        ("commands", include_str!("commands.rs")),
        ("lacking", include_str!("lacking.rs")),
        ("named", include_str!("named.rs")),
        ("ordinary", include_str!("ordinary.rs")),
        ("powerless", include_str!("powerless.rs")),
        ("remote", include_str!("remote.rs")),
    ] {
        for test in text.split("#[test]\nfn ").skip(1) {
            let (name, body) = test.split_once('(').unwrap();
            let name = format!("isolation::{module}::{name}");
            let body = body.replace("Arena::new(\"off\")", "");
            let needs = ["Arena::new(", "mounting(", "fail_all("];
            let needs = needs.iter().any(|words| body.contains(words));
            assert!(!needs || listed.contains(&name.as_str()), "{name}");
        }
    }
}
