//! Programs that some tests need but not every machine has.

use std::io::{Write, stderr};
use std::process::{Command, Stdio};

/// The one without windows comes first: it needs a third of the processor time.
pub const CHROMIUM: &[&str] = &[
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
];

/// Says that this test is skipped. `.ci/run` collects these lines.
pub fn skip(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // Not by `eprintln`: the standard error of a test that passes is hidden.
    let line = format!("skipped: {test}: {why}\n");
    stderr().write_all(line.as_bytes()).unwrap();
}

/// Whether a command succeeds here. If it does not, the test is to be skipped, also
/// under `CI=true`: not every machine has everything.
pub fn works(words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null());
    let works = command.output().is_ok_and(|output| output.status.success());
    if !works {
        skip(&format!("`{}` fails", words.join(" ")));
    }
    works
}

/// The first of the programs that is installed. If there is none, the test is to be
/// skipped; under `CI=true` it fails.
pub fn installed<'a>(names: &[&'a str]) -> Option<&'a str> {
    let runs = |name: &&&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdin(Stdio::null());
        command.output().is_ok_and(|output| output.status.success())
    };
    let found = names.iter().find(runs);
    if found.is_none() {
        let why = format!("{} is not installed", names[0]);
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
        skip(&why);
    }
    found.copied()
}
