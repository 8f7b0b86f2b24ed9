//! What `build.sh` says when it cannot do what it is asked.

use std::os::unix::fs::symlink;
use std::process::{Command, Output};

/// Runs the script where there is no program but the named ones.
fn build_sh(programs: &[&str], arguments: &[&str]) -> Output {
    let path = tempfile::tempdir().unwrap();
    for program in programs {
        let found = ["/bin", "/usr/bin"].map(|folder| format!("{folder}/{program}"));
        let found = found
            .iter()
            .find(|path| std::fs::exists(path).unwrap())
            .unwrap();
        symlink(found, path.path().join(program)).unwrap();
    }
    Command::new("/bin/sh")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/build.sh"))
        .args(arguments)
        .env_clear()
        .env("PATH", path.path())
        .output()
        .unwrap()
}

#[test]
fn a_missing_toolchain_is_one_clear_line() {
    for arguments in [
        &[][..],
        &["test"],
        &["demo"],
        &["handin"],
        &["web"],
        &["python"],
    ] {
        let output = build_sh(&["dirname"], arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.contains("Rust is not installed") && errors.contains("https://rustup.rs"));
    }
}

#[test]
fn an_unknown_word_is_named() {
    for arguments in [&["tset"][..], &["test", "demo"]] {
        let output = build_sh(&["dirname"], arguments);
        assert_eq!(output.status.code(), Some(1));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains("./build.sh help"), "{errors}");
    }
    let help = build_sh(&["dirname", "cat"], &["help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    for word in ["test", "web", "python", "demo", "handin"] {
        assert!(help.contains(&format!("./build.sh {word}")), "{help}");
    }
}
