//! Pipes without a reader or writer, files that must be regular, and files open under
//! another name.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use super::{Folder, errors, games};
use crate::program::{SANTORINI, Signal, signal, wait_until};

/// How long a program gets to open the pipe if the system does not show it.
const SOON: Duration = Duration::from_secs(3);

fn with_pipe() -> Folder {
    let folder = Folder::new();
    mkfifo(&folder.path("pipe"), Mode::S_IRWXU).unwrap();
    folder
}

/// Whether a thread of a process is blocked in the system call that opens a file.
fn is_opening(process: u32) -> bool {
    let open = if cfg!(target_arch = "x86_64") {
        "257 "
    } else {
        "56 "
    };
    let threads = fs::read_dir(format!("/proc/{process}/task"));
    let mut threads = threads.into_iter().flatten().flatten();
    threads.any(|thread| {
        let call = fs::read_to_string(thread.path().join("syscall"));
        call.is_ok_and(|call| call.starts_with(open))
    })
}

fn wait_until_opening(child: &Child) {
    let start = Instant::now();
    let knows = Path::new("/proc/self/syscall").exists();
    // It opens other files too, but only briefly.
    let mut seen = 0;
    wait_until("the pipe to be opened", || {
        seen = if is_opening(child.id()) { seen + 1 } else { 0 };
        seen > 20 || !knows && start.elapsed() > SOON
    });
}

#[test]
fn signals_end_commands_that_wait_for_a_pipe() {
    let folder = with_pipe();
    for words in [
        "datagen --records 1 --nodes 20 --eval tuned --threads 1 pipe",
        "datagen games --nodes 20 --eval tuned --threads 1 --out pipe games",
        "train --epochs 1 --hidden 32 --threads 1 --out pipe data",
        "train --epochs 1 --hidden 32 --threads 1 --out new pipe",
        "duel --nodes 5 --pairs 1 --jobs 1 --output pipe '--eval tuned --hash 1' '--hash 1'",
        "review --nodes 10 --html pipe games",
        "tournament --rounds 1 --output pipe A B",
        "tune --nodes 20 --pairs 1 --eval tuned --threads 1 --out pipe",
        "lab play --games 1 --first random --second random --record pipe",
        "lab play --games 1 --first qlearning:load=pipe --second random",
        "serve --listen 127.0.0.1:0 --results pipe",
    ] {
        for end in [Signal::SIGTERM, Signal::SIGINT] {
            let mut command = folder.command(words);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            wait_until_opening(&child);
            signal(child.id(), end);
            let mut status = None;
            wait_until(words, || {
                status = child.try_wait().unwrap();
                status.is_some()
            });
            assert!(!status.unwrap().success(), "{words}");
        }
    }
}

#[test]
fn pipes_and_devices_are_refused_where_a_regular_file_is_needed() {
    let folder = with_pipe();
    for words in [
        "solve --board 2x2 --workers 1 FILE",
        "solve --force --board 2x2 --workers 1 FILE",
        "solve --winners --board 2x2 --workers 1 FILE",
        "solve probe FILE",
        "solve verify FILE",
        "solve engine FILE",
    ] {
        for file in ["pipe", "/dev/null"] {
            let output = folder.run(&words.replace("FILE", file));
            let text = errors(&output);
            assert_eq!(output.status.code(), Some(1), "{words}: {text}");
            assert!(text.contains(&format!("{file}: ")), "{words}: {text}");
            assert!(text.contains("a regular file is needed"), "{words}: {text}");
        }
    }
}

#[test]
fn input_files_are_not_written_through_a_descriptor() {
    let folder = Folder::new();
    for words in [
        "review --nodes 10 --html /proc/self/fd/3 games",
        "draw --html /dev/fd/3 games",
        "tournament merge --html /dev/fd/3 games",
    ] {
        let script = format!("exec {SANTORINI} {words} 3<>games");
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.0.path())
            .output()
            .unwrap();
        let text = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {text}");
        assert!(
            text.contains("is read and would be overwritten"),
            "{words}: {text}"
        );
        assert_eq!(folder.read("games"), games().as_bytes());
    }
}

#[test]
fn an_unwritable_folder_is_named_as_given() {
    let folder = Folder::new();
    for words in [
        "draw --html FILE games",
        "train --epochs 1 --hidden 32 --out FILE data",
    ] {
        // Not even root can create files there.
        let words = words.replace("FILE", "/proc/self/page");
        let text = errors(&folder.run(&words));
        assert!(text.contains("/proc/self/page: "), "{text}");
        assert!(!text.contains("unfinished"), "{text}");
    }
}
