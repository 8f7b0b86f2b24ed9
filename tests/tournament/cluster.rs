//! The guide's examples for several machines, with GNU parallel.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::files::without_times;
use super::{Place, assert_whole, wait_for_lines};
use crate::installed::works;
use crate::program::{Program, SANTORINI, Signal, signal};
use crate::ssh::Sshd;

const GUIDE: &str = include_str!("../../src/contest/tournament/GUIDE.txt");

/// The indented lines of the guide after a line that begins like this.
pub(super) fn example(before: &str) -> String {
    let (_, after) = GUIDE.split_once(before).expect("the guide has the example");
    let lines = after.lines().skip_while(|line| !line.starts_with("  "));
    let lines = lines.map_while(|line| line.strip_prefix("  "));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// The text with changes, each of which must apply.
pub(super) fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    let change = |text: String, &(old, new): &(&str, &str)| {
        assert!(text.contains(old), "{old}: {text}");
        text.replace(old, new)
    };
    changes.iter().fold(text.to_string(), change)
}

/// An example of a tournament with fewer games, and with players whose games can be
/// repeated: they are started for each game, so that it depends only on its opening.
pub(super) fn short(example: &str) -> String {
    let changes = [
        ("./santorini player --threads 1", SLOW),
        ("./old player --threads 1", OTHER),
        ("--reuse", ""),
        ("--jobs 4", "--jobs 1"),
        ("--rounds 400", "--rounds 16"),
        // The machine may be busy, and no answer may come late.
        ("--time 0.5", "--time 20"),
    ];
    changed(example, &changes)
}

/// A player whose games take long enough for one to be interrupted.
const SLOW: &str = "./santorini fake-player late --seconds 0.01";
const OTHER: &str = "./santorini fake-player random --seed 2";

impl Place {
    /// A folder with the program in it, as the examples expect.
    pub(super) fn with_program() -> Self {
        let place = Self::new();
        symlink(SANTORINI, place.path("santorini")).unwrap();
        place
    }

    /// The outcome of the same tournament on one machine.
    pub(super) fn whole(&self) -> Value {
        let words = "--seed 7 --rounds 16 --openings even --time 20 --output whole.jsonl";
        self.json(words, &[format!("new={SLOW}"), format!("old={OTHER}")])
    }

    /// Checks that the shares merge to the table of one machine.
    pub(super) fn assert_same_as_whole(&self) {
        let parts = [1, 2, 3, 4].map(|share| format!("part-{share}.jsonl"));
        let merged = self.json("merge --output merged.jsonl", &parts);
        assert_eq!(without_times(merged), without_times(self.whole()));
        assert_whole(&self.games("merged.jsonl"), 32);
    }

    /// The process that plays this share.
    pub(super) fn process_of(&self, share: &str) -> Option<u32> {
        let is_it = |process: &Path| {
            let here = fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == self.folder());
            let command = fs::read(process.join("cmdline")).unwrap_or_default();
            let mut words = command.split(|&byte| byte == 0);
            here && words.next() == Some(b"./santorini")
                && words.any(|word| word == share.as_bytes())
        };
        let mut processes = fs::read_dir("/proc").unwrap().flatten();
        let found = processes.find(|process| is_it(&process.path()))?;
        found.file_name().to_str()?.parse().ok()
    }
}

#[test]
fn gnu_parallel_plays_shares_and_resumes() {
    if !works(&["parallel", "--version"]) {
        return;
    }
    let place = Place::with_program();
    // This machine, and this machine again through ssh if it can be had.
    let sshd = Sshd::start();
    let remote = sshd
        .as_ref()
        .map_or(String::new(), |sshd| format!("1/{}\n", sshd.client()));
    fs::write(place.path("hosts"), format!("1/:\n{remote}")).unwrap();
    let text = short(&example("With GNU parallel"));
    let text = changed(&text, &[("seq 16", "seq 4"), ("/16", "/4")]);
    let run = || {
        let mut command = Command::new("sh");
        command
            .args(["-c", &text])
            .current_dir(place.folder())
            .env("PARALLEL_HOME", place.path("parallel"));
        command
    };
    let interrupted = Program::start(run());
    wait_for_lines(&place.path("part-2.jsonl"), 3);
    signal(place.process_of("part-2.jsonl").unwrap(), Signal::SIGKILL);
    let ended = interrupted.end();
    // The number of failed jobs.
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(place.games("part-2.jsonl").len() < 8);
    let again = Program::start(run()).end();
    assert_eq!(again.code, Some(0), "{again:?}");
    place.assert_same_as_whole();
}
