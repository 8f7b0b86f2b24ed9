//! The errors of `build.sh`, and the contents of its archive.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use crate::installed::installed;
use crate::program::{errors, stdout, write_program};

/// Links the named programs of the system into a folder.
fn link_programs(programs: &[&str], folder: &Path) {
    for program in programs {
        let found = ["/bin", "/usr/bin"].map(|folder| format!("{folder}/{program}"));
        let found = found.iter().find(|path| fs::exists(path).unwrap()).unwrap();
        symlink(found, folder.join(program)).unwrap();
    }
}

/// Runs the script with only the named programs on its PATH.
fn build_sh(programs: &[&str], arguments: &[&str]) -> Output {
    let path = tempfile::tempdir().unwrap();
    link_programs(programs, path.path());
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
        &["lint"],
        &["sanitize"],
        &["demo"],
        &["handin"],
        &["web"],
        &["python"],
        &["container"],
        &["release"],
        &["site"],
    ] {
        let output = build_sh(&["dirname"], arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        let told = errors(&output);
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(told.contains("Rust is not installed") && told.contains("https://rustup.rs"));
    }
}

#[test]
fn an_unknown_word_is_named() {
    for arguments in [&["tset"][..], &["test", "demo"]] {
        let output = build_sh(&["dirname"], arguments);
        assert_eq!(output.status.code(), Some(1));
        let told = errors(&output);
        assert!(told.contains("./build.sh help"), "{told}");
    }
    let help = build_sh(&["dirname", "cat"], &["help"]);
    let help = stdout(&help);
    for word in [
        "test",
        "lint",
        "sanitize",
        "web",
        "python",
        "demo",
        "handin",
        "container",
        "release",
        "site",
    ] {
        assert!(help.contains(&format!("./build.sh {word}")), "{help}");
    }
}

/// Writes a script that stands in for a program on the PATH.
fn stand_in(folder: &Path, name: &str, script: &str) {
    write_program(&folder.join(name), format!("#!/bin/sh\n{script}\n"));
}

#[test]
fn the_archive_holds_what_git_tracks_and_the_program() {
    let Some(git) = installed(&["git"]) else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let (tree, programs) = (place.path().join("tree"), place.path().join("programs"));
    for folder in [
        &tree.join("src"),
        &tree.join("tests"),
        &tree.join(".ci"),
        &tree.join(".github"),
        &programs,
    ] {
        fs::create_dir_all(folder).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for script in ["build.sh", ".ci/common.sh"] {
        fs::copy(root.join(script), tree.join(script)).unwrap();
    }
    let tracked = [
        ".ci/run",
        ".github/build.yml",
        ".gitignore",
        "CHANGELOG.md",
        "CITATION.cff",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.txt",
        "src/a b.rs",
        "tests/main.rs",
    ];
    for name in tracked {
        fs::write(tree.join(name), "ignored.*\n/santorini\n").unwrap();
    }
    // Stands in for the compiler.
    stand_in(&programs, "rustc", "echo host: here");
    stand_in(&programs, "cc", "");
    stand_in(
        &programs,
        "cargo",
        "printf %s \"$CARGO_ENCODED_RUSTFLAGS\" | tr '\\037' '\\n' >../flags
         mkdir -p ../target/here/release && echo program >../target/here/release/santorini",
    );
    stand_in(&programs, "python3", "echo licences");
    let handin = || {
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        let mut script = Command::new(tree.join("build.sh"));
        script.arg("handin").env("PATH", path);
        script.env("CARGO_TARGET_DIR", "../target");
        // Spaces at the ends are no flags.
        script.env("RUSTFLAGS", " -Cdebuginfo=1 ");
        script.output().unwrap()
    };
    let packed = || {
        let output = handin();
        let told = errors(&output);
        assert!(output.status.success(), "{told}");
        let mut list = Command::new("tar");
        list.arg("-tvzf").arg(tree.join("santorini-handin.tar.gz"));
        let listed = stdout(&list.output().unwrap());
        assert!(!listed.contains("2001-01-01"), "{listed}");
        let names = listed
            .lines()
            .map(|line| line.split_once(" santorini/").unwrap().1);
        names.map(String::from).collect::<BTreeSet<_>>()
    };
    let mut expected = BTreeSet::from(tracked.map(String::from));
    expected.extend([".ci/common.sh", "build.sh", "santorini"].map(String::from));
    // The text of the C library's licence belongs to the system.
    let licences = tree.join("LICENSE-THIRD-PARTY.txt");
    let with_licences = |names: &BTreeSet<String>| {
        let mut names = names.clone();
        names.extend(licences.exists().then(|| "LICENSE-THIRD-PARTY.txt".into()));
        names
    };
    // An unpacked archive in the repository of another project.
    let commit = [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "commit",
        "--quiet",
    ];
    for words in [
        &["init", "--quiet"][..],
        &[&commit[..], &["--allow-empty", "-m", "old"]].concat(),
    ] {
        let mut git = Command::new(git);
        git.args(words).current_dir(place.path());
        git.env("GIT_COMMITTER_DATE", "2001-01-01T00:00:00Z");
        assert!(git.status().unwrap().success());
    }
    assert_eq!(packed(), with_licences(&expected));
    let flags = fs::read_to_string(place.path().join("flags")).unwrap();
    assert_eq!(flags.lines().next(), Some("-Cdebuginfo=1"));
    fs::rename(tree.join(".github"), tree.join("hidden")).unwrap();
    let output = handin();
    assert!(!output.status.success() && errors(&output).contains("not all files of the source"));
    fs::rename(tree.join("hidden"), tree.join(".github")).unwrap();
    for words in [&["init", "--quiet"][..], &["add", "."]] {
        let status = Command::new(git).args(words).current_dir(&tree).status();
        assert!(status.unwrap().success());
    }
    fs::write(tree.join("src/ignored.so"), "built").unwrap();
    fs::write(tree.join("tests/notes"), "not tracked").unwrap();
    assert_eq!(packed(), with_licences(&expected));
}

#[test]
fn a_release_names_missing_tools_and_builds_the_rest() {
    let place = tempfile::tempdir().unwrap();
    let (tree, programs) = (place.path().join("tree"), place.path().join("programs"));
    for folder in ["src", "tests", ".ci", ".github"] {
        fs::create_dir_all(tree.join(folder)).unwrap();
    }
    fs::create_dir_all(&programs).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for script in ["build.sh", ".ci/common.sh", ".ci/release", ".ci/sdist"] {
        fs::copy(root.join(script), tree.join(script)).unwrap();
    }
    for name in [
        "Cargo.toml",
        "Cargo.lock",
        ".gitignore",
        "README.txt",
        "CHANGELOG.md",
        "CITATION.cff",
        "LICENSE",
    ] {
        fs::write(tree.join(name), "text").unwrap();
    }
    let ordinary = [
        "cat",
        "cp",
        "date",
        "dirname",
        "find",
        "grep",
        "gzip",
        "ls",
        "mkdir",
        "mv",
        "rm",
        "sed",
        "sha256sum",
        "sh",
        "sort",
        "tail",
        "tar",
        "tr",
    ];
    link_programs(&ordinary, &programs);
    for tool in ["rustc", "cc", "cargo"] {
        stand_in(&programs, tool, "echo this compiler fails >&2; exit 1");
    }
    let output = Command::new(tree.join("build.sh"))
        .arg("release")
        .env_clear()
        .env("PATH", &programs)
        .output()
        .unwrap();
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for line in [
        "licences: build.sh: python3 is missing: install Python 3.10 or newer",
        "handin: this compiler fails",
        "program aarch64-apple-darwin: build.sh: the texts of the licences are missing",
        "wheel aarch64-apple-darwin: build.sh: maturin is missing",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let built = stdout(&output);
    assert!(built.contains(": source: built in "), "{built}");
    let files = tree.join("target/release-files");
    let contents = fs::read_to_string(files.join("CONTENTS.txt")).unwrap();
    assert!(contents.contains("  santorini/.ci/release\n"), "{contents}");
    let sums = fs::read_to_string(files.join("SHA256SUMS")).unwrap();
    assert!(sums.contains("  santorini-source.tar.gz\n"), "{sums}");
}
