//! Programs that some tests need but not every machine has.

use std::io::{Write, stderr};
use std::path::Path;
use std::process::{Command, Stdio};

pub const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome", "chrome"];

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
