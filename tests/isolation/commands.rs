//! Every command that starts player programs isolates them.

use std::fs::{self, File};
use std::io::Read;

use nix::pty::openpty;
use nix::unistd::geteuid;

use super::Arena;
use crate::program::{Program, SANTORINI, errors, run, santorini, santorini_in, write_program};

/// The commands, each with the player `./player`.
const COMMANDS: [&str; 8] = [
    "referee --time 20 ./player ./player",
    "tournament --time 20 --check --rounds 1 A=./player B=./player",
    "rate --time 20 --games 2 ./player",
    "play --time 20 --against ./player --second",
    "lab play --first program:./player --second random --games 2",
    "lab play --first random --second program:./player --games 2",
    "lab player program:./player",
    "lab experiment ladder --quick --out study --with program:./player",
];

/// Runs a command with the player, which notes its process namespace each time it is
/// started. Returns these notes.
fn namespaces(command: &str, isolation: &[&str]) -> Vec<String> {
    let arena = Arena::new("off").unwrap();
    write_program(
        &arena.path("player"),
        format!(
            "#!/bin/sh\nreadlink /proc/self/ns/pid >>notes\nexec {SANTORINI} fake-player random\n"
        ),
    );
    let mut started = santorini_in(&arena.path(""), command);
    started.args(isolation);
    let mut program = Program::start(started);
    if command.starts_with("lab player ") {
        program.send(b"[]\n");
        program.line();
    }
    let ended = program.end();
    assert_eq!(ended.code, Some(0), "{command}: {ended:?}");
    arena.text("notes").lines().map(String::from).collect()
}

#[test]
fn commands_isolate_players_by_default() {
    if Arena::new("processes").is_none() {
        return;
    }
    let own = fs::read_link("/proc/self/ns/pid").unwrap();
    let is_own = |namespace: &String| namespace.as_str() == own.to_str().unwrap();
    std::thread::scope(|scope| {
        for command in COMMANDS {
            scope.spawn(move || {
                let isolated = namespaces(command, &[]);
                assert!(!isolated.is_empty(), "{command}");
                assert!(!isolated.iter().any(is_own), "{command}");
                let others = namespaces(command, &["--isolate", "off"]);
                assert!(!others.is_empty() && others.iter().all(is_own), "{command}");
            });
        }
    });
}

#[test]
fn only_root_at_a_terminal_is_warned() {
    let words = ["referee", "/nowhere/a", "/nowhere/b"];
    let warning = "players run as root";
    let pty = openpty(None, None).unwrap();
    let mut command = santorini(&words);
    command.stderr(pty.slave);
    assert_eq!(command.status().unwrap().code(), Some(1));
    // Reading fails once the other end is closed.
    drop(command);
    let mut told = Vec::new();
    let _ = File::from(pty.master).read_to_end(&mut told);
    let told = String::from_utf8(told).unwrap();
    assert!(told.contains("cannot start"), "{told}");
    assert_eq!(told.contains(warning), geteuid().is_root(), "{told}");
    let told = errors(&run(&words, ""));
    assert!(!told.contains(warning), "{told}");
}
