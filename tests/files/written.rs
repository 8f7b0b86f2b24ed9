//! How files are written.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::thread::spawn;

use super::{Folder, GAME, HEADER, errors, games};
use crate::program::{HANG, Program, SANTORINI};

#[test]
fn with_force_any_file_is_overwritten() {
    let folder = Folder::new();
    for (words, beginning) in [
        ("draw --svg lines games", "<svg "),
        ("draw --html lines games", "<!DOCTYPE"),
        ("tournament merge --html lines games", "<!DOCTYPE"),
        ("tournament merge --output lines games", "{\"tournament\":"),
        (
            "tournament --rounds 1 --output lines A B",
            "{\"tournament\":",
        ),
        (
            "lab play --games 1 --first random --second random --record lines",
            "{\"game\":0,",
        ),
        (
            "lab play --games 1 --first qlearning:episodes=9,save=lines --second random",
            "SANTORINI-Q",
        ),
        (
            "datagen --records 1 --nodes 20 --eval tuned lines",
            "SANTOD4",
        ),
        (
            "tune --nodes 20 --pairs 1 --eval tuned --out lines",
            "# Numbers",
        ),
    ] {
        fs::write(folder.path("lines"), "Dear reader,\nforget it.\n").unwrap();
        folder.done(&format!("{words} --force"));
        let text = folder.read("lines");
        assert!(text.starts_with(beginning.as_bytes()), "{words}");
        assert!(!text.ends_with(b"forget it.\n"), "{words}");
    }
}

#[test]
fn files_of_the_same_kind_are_overwritten() {
    let folder = Folder::new();
    let twice = |words: &str, file: &str| {
        folder.done(words);
        let first = folder.read(file);
        assert!(!first.is_empty(), "{words}");
        folder.done(words);
        assert_eq!(folder.read(file), first, "{words}");
    };
    twice("draw --svg a games", "a");
    twice("draw --turn 18 --svg a games", "a");
    twice("draw --html b games", "b");
    twice("tournament merge --html c games", "c");
    twice("train --epochs 1 --hidden 32 --out d --curve e data", "d");
    twice("train --epochs 1 --hidden 32 --out d --curve e data", "e");
    twice(
        "lab play --games 1 --first qlearning:episodes=9,save=f --second random",
        "f",
    );
    // And an empty one, as made by `mktemp`.
    fs::write(folder.path("g"), "").unwrap();
    twice("draw --html g games", "g");
    let words = "tournament --rounds 1 --stderr log A B";
    folder.done(words);
    folder.done(words);
}

#[test]
fn a_file_is_replaced_behind_a_link_and_keeps_its_permissions() {
    let folder = Folder::new();
    fs::write(folder.path("page"), "").unwrap();
    fs::set_permissions(folder.path("page"), Permissions::from_mode(0o640)).unwrap();
    symlink("page", folder.path("link")).unwrap();
    symlink("new", folder.path("dangling")).unwrap();
    folder.done("draw --html link games");
    folder.done("draw --html dangling games");
    folder.done("lab play --games 1 --first qlearning:episodes=9,save=table --second random");
    symlink("table", folder.path("table.link")).unwrap();
    folder.done("lab play --games 1 --first qlearning:episodes=9,save=table.link --second random");
    for name in ["link", "dangling", "table.link"] {
        assert!(folder.path(name).is_symlink(), "{name}");
    }
    let page = folder.read("page");
    assert!(page.starts_with(b"<!DOCTYPE html>") && page == folder.read("new"));
    let mode = fs::metadata(folder.path("page")).unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o640);
    // A read-only file is not replaced, except by root.
    fs::set_permissions(folder.path("page"), Permissions::from_mode(0o440)).unwrap();
    let opened = File::options().write(true).open(folder.path("page"));
    if opened.is_err() {
        folder.refused("draw --html page games", 1, "ermission denied");
    }
}

#[test]
fn pipes_and_devices_are_written_to_and_stay() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    symlink("pipe", folder.path("pipe.link")).unwrap();
    for (words, beginning) in [
        (
            "lab play --games 1 --first qlearning:episodes=9,save=pipe.link --second random",
            "SANTORINI-Q",
        ),
        (
            "lab play --games 1 --first random --second random --record pipe",
            "{\"game\":0",
        ),
        ("draw --svg pipe games", "<svg "),
        ("tournament merge --html pipe games", "<!DOCTYPE"),
        ("tournament --rounds 1 --output pipe A B", "{\"tournament\""),
        ("train --epochs 1 --hidden 32 --out pipe data", "SNNU"),
        (
            "datagen --records 1 --nodes 20 --eval tuned pipe",
            "SANTOD4",
        ),
    ] {
        let pipe = pipe.clone();
        let reader = spawn(move || fs::read(pipe).unwrap());
        folder.done(words);
        assert!(folder.path("pipe.link").is_symlink(), "{words}");
        let found = fs::symlink_metadata(folder.path("pipe")).unwrap();
        assert!(found.file_type().is_fifo(), "{words}");
        let read = reader.join().unwrap();
        assert!(read.starts_with(beginning.as_bytes()), "{words}");
    }
    for words in [
        "draw --svg /dev/full games",
        "draw --html /dev/full games",
        "tournament merge --output /dev/full games",
    ] {
        let output = folder.run(words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(errors(&output).contains("No space left"), "{words}");
    }
    let server = "serve --listen 127.0.0.1:0 --wait 0.1 --results /dev/null";
    let server = Program::start(folder.command(server));
    let told = server.errors.recv_timeout(HANG).unwrap();
    assert!(told.starts_with("santorini: bots connect to "), "{told}");
    drop(server);
    for name in ["/dev/full", "/dev/null"] {
        assert!(fs::metadata(name).unwrap().file_type().is_char_device());
    }
}

#[test]
fn standard_output_named_as_a_file_is_appended_to() {
    let folder = Folder::new();
    let picture = folder.done("draw --svg - games").stdout;
    let piped = folder.done("draw --svg /dev/stdout games").stdout;
    assert_eq!(piped, picture);
    fs::write(folder.path("out"), "before\n").unwrap();
    let out = File::options()
        .append(true)
        .open(folder.path("out"))
        .unwrap();
    let mut command = folder.command("draw --svg /dev/fd/1 games");
    assert!(command.stdout(out).status().unwrap().success());
    assert_eq!(folder.read("out"), [b"before\n", &picture[..]].concat());
}

#[test]
fn a_failure_leaves_the_old_file() {
    let folder = Folder::new();
    folder.done("draw --html page games");
    folder.done("tournament merge --html report games");
    let game = |number: u32| GAME.replace("\"game\":0", &format!("\"game\":{number}"));
    let many: String = (0..20).map(game).collect();
    fs::write(folder.path("many"), format!("{HEADER}{many}")).unwrap();
    let before = folder.contents();
    for words in [
        "draw --html page games",
        "tournament merge --html report games",
        "tournament merge --output new many",
        "train --epochs 1 --hidden 32 --out new data",
    ] {
        // The system limits files to half a KiB.
        let script = format!("ulimit -f 1; exec {SANTORINI} {words}");
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.0.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}");
        let told = errors(&output);
        assert!(told.contains("File too large"), "{words}: {told}");
        assert!(folder.contents() == before, "{words}");
    }
}

#[test]
fn concurrent_runs_do_not_damage_each_others_files() {
    let folder = Folder::new();
    let words = "lab play --games 1 --first qlearning:episodes=2000,save=table --second random";
    let runs: Vec<_> = (0..8)
        .map(|_| {
            folder
                .command(words)
                .stderr(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
    }
    folder.done("lab play --games 1 --first qlearning:load=table --second random");
    let names: Vec<String> = folder.contents().into_keys().collect();
    assert!(
        !names.iter().any(|name| name.contains("unfinished")),
        "{names:?}"
    );
}

#[test]
fn resume_creates_a_missing_file_and_says_so() {
    let folder = Folder::new();
    let output = folder.done("tournament --rounds 1 --resume --output new A B");
    let note = "new does not exist: starting a new tournament";
    assert!(errors(&output).starts_with(&format!("santorini: {note}\n")));
    let server = folder.command("serve --listen 127.0.0.1:0 --resume --results bots");
    let server = Program::start(server);
    let told = server.errors.recv_timeout(HANG).unwrap();
    let note = note.replace("new does", "bots does");
    assert_eq!(told, format!("santorini: {note}"));
    // A missing folder is not created.
    folder.refused("tournament --resume --output no/new A B", 1, "No such file");
    folder.refused("serve --resume --results no/new", 1, "No such file");
}

#[test]
fn a_record_that_was_cut_short_does_not_hide_the_others() {
    let folder = Folder::new();
    for end in ["{\"game\":1,\"pl", "\0\0\0\0", "{\"game\":1,\n"] {
        fs::write(folder.path("cut"), games() + end).unwrap();
        for words in ["draw --html page cut", "draw --svg - cut", "draw cut"] {
            let output = folder.done(words);
            let text = errors(&output);
            assert!(
                text.contains("skipped the last line, which is damaged"),
                "{words}: {text}"
            );
        }
        assert!(folder.read("page").starts_with(b"<!DOCTYPE"));
        fs::remove_file(folder.path("page")).unwrap();
    }
    // It is an error if it is the whole input, or if more lines follow.
    fs::write(folder.path("cut"), "{\"game\":1,\"pl").unwrap();
    folder.refused("draw --html page cut", 2, "not JSON");
    fs::write(
        folder.path("cut"),
        games() + "{\"game\":1,\"pl\n" + &games(),
    )
    .unwrap();
    folder.refused("draw --html page cut", 2, "not JSON");
}

#[test]
fn old_files_without_checksums_are_used_with_a_warning() {
    let folder = Folder::new();
    fs::copy("src/engine/eval/network/5x5.bin", folder.path("old")).unwrap();
    for (words, told) in [
        (
            "datagen --records 1 --nodes 5 --threads 1 --eval old new",
            "old: a network of an earlier version, without a checksum",
        ),
        (
            "train --epochs 1 --start old --out trained data",
            "old: a network of an earlier version, without a checksum",
        ),
        (
            "train --epochs 1 --hidden 32 --out other data",
            "data: training data of an earlier version, without checksums",
        ),
    ] {
        let text = errors(&folder.done(words));
        assert_eq!(text.matches(told).count(), 1, "{words}: {text}");
    }
    // Files written now have checksums.
    let text = errors(&folder.done("train --epochs 1 --start other --out last new"));
    assert!(!text.contains("checksum"), "{text}");
}
