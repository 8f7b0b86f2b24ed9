//! The page's scripts outside of a page: their tests need `node`, the type check needs `tsc`
//! (`npm install typescript`).

use std::process::Command;

use crate::installed::{installed, works};
use crate::program::stdout;

fn passes(command: &mut Command) {
    let output = command.output().unwrap();
    let said = stdout(&output);
    assert!(output.status.success(), "{command:?}:\n{said}");
}

#[test]
fn the_tests_of_the_scripts_pass() {
    let Some(node) = installed(&["node"]) else {
        return;
    };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page/scripts");
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let tests: Vec<_> = files
        .filter(|file| file.to_str().unwrap().ends_with(".test.js"))
        .collect();
    assert!(!tests.is_empty());
    passes(Command::new(node).arg("--test").args(tests));
}

#[test]
fn the_types_of_the_scripts_fit() {
    let project = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/people/page/web/jsconfig.json"
    );
    if works(&["tsc", "--version"]) {
        passes(Command::new("tsc").args(["--project", project]));
    }
}
