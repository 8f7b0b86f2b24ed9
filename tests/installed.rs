//! Programs that some tests need and not every machine has.

use std::io::{Write, stderr};
use std::process::{Command, Stdio};

pub const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The first of the programs that is installed. Where there is none, the test
/// is to be skipped: that is said on standard error, and under `CI=true`, where
/// nothing may stay untested, it is a failure.
pub fn installed<'a>(names: &[&'a str]) -> Option<&'a str> {
    let runs = |name: &&&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdin(Stdio::null());
        command.output().is_ok_and(|output| output.status.success())
    };
    let found = names.iter().find(runs);
    if found.is_none() {
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("a test");
        let said = format!("{test}: skipped, because {} is not installed", names[0]);
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{said}");
        // Not by `eprintln`: the standard error of a test that passes is hidden.
        let mut out = stderr();
        writeln!(out, "{said}").unwrap();
    }
    found.copied()
}
