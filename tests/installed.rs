//! Programs that some tests need but not every machine has.

use std::io::{Write, stderr};
use std::process::{Command, Stdio};

/// The headless ones come first: they need a third of the processor time.
pub const CHROMIUM: &[&str] = &[
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
];

/// Reports that this test is skipped. `.ci/run` collects these lines.
pub fn skip(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // Not by `eprintln`: the standard error of a test that passes is hidden.
    let line = format!("skipped: {test}: {why}\n");
    stderr().write_all(line.as_bytes()).unwrap();
}

/// Whether a command succeeds here. If not, the caller skips its test, even under `CI=true`:
/// not every machine has everything.
pub fn works(words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null());
    let works = command.output().is_ok_and(|output| output.status.success());
    if !works {
        skip(&format!("`{}` fails", words.join(" ")));
    }
    works
}

/// The first of these programs that is installed. If none is, the caller skips its test; under
/// `CI=true` the test fails.
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
