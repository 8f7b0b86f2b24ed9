//! Programs that some tests need but not every machine has.

use std::io::{Write, stderr};
use std::path::Path;
use std::process::{Command, Stdio};

pub const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Returns the first of the programs that is installed. If none is, prints to standard
/// error that the test is skipped, or fails under `CI=true`.
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
        // Not `eprintln`, which is hidden in a passing test.
        let mut out = stderr();
        writeln!(out, "{said}").unwrap();
    }
    found.copied()
}

/// The DOM of a page in a file after its scripts ran, as text. `fragment` is the part
/// after `#` in its address. `None` if no browser is installed.
pub fn dom_of(page: &Path, fragment: &str) -> Option<String> {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(installed(CHROMIUM)?)
        .args("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run".split(' '))
        .args(
            "--disable-background-networking --disable-component-update --disable-sync".split(' '),
        )
        .args(["--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}#{fragment}", page.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        !dom.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(dom)
}
