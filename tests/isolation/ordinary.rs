//! Ordinary players run isolated as they do without isolation.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread::{sleep, spawn};
use std::time::Duration;

use nix::sys::signal::killpg;
use nix::unistd::Pid;

use super::{Arena, ada, is_regular};
use crate::installed::works;
use crate::place::{fake, players_of};
use crate::program::{Program, SANTORINI, Signal, errors, run, signal, wait_until, write_program};

/// Plays a game of Ada against a player in each mode. The limit is long: Java compiles the player
/// first, beside all other tests.
fn plays(arena: &Arena, player: &str) {
    for isolation in ["processes", "full"] {
        let mut command = arena.command("referee --time 120", isolation);
        command.args([format!("Bob={player}"), ada()]);
        let ended = Program::start(command).end();
        assert!(
            is_regular(ended.errors.last().unwrap()),
            "{player}: {ended:?}"
        );
    }
}

/// The player that `new-bot` writes in this language.
fn new_bot(arena: &Arena, language: &str) {
    let folder = arena.path(language);
    let written = run(&["new-bot", language, folder.to_str().unwrap()], "");
    assert!(written.status.success());
}

#[test]
fn players_in_other_languages_run_isolated() {
    let Some(arena) = Arena::new("full") else {
        return;
    };
    new_bot(&arena, "python");
    if works(&["python3", "-m", "venv", "--help"]) {
        let made = Command::new("python3")
            .args(["-m", "venv", "--without-pip"])
            .arg(arena.path("venv"))
            .status();
        assert!(made.unwrap().success());
        plays(&arena, "venv/bin/python python/player.py");
    }
    if works(&["node", "--version"]) {
        new_bot(&arena, "javascript");
        plays(&arena, "node javascript/player.js");
    }
    if works(&["javac", "-version"]) {
        new_bot(&arena, "java");
        plays(&arena, "java java/Player.java");
    }
}

#[test]
fn isolated_players_have_numbers_of_their_own() {
    let Some(arena) = Arena::new("processes") else {
        return;
    };
    let text = format!("#!/bin/sh\necho $$ >>numbers\nexec {SANTORINI} fake-player random\n");
    write_program(&arena.path("player"), text);
    let command = arena.command("referee --time 20 ./player ./player", "processes");
    let ended = Program::start(command).end();
    assert!(is_regular(ended.errors.last().unwrap()), "{ended:?}");
    let numbers = arena.text("numbers");
    let numbers: Vec<&str> = numbers.lines().collect();
    assert_eq!(numbers.len(), 2);
    assert_ne!(numbers[0], numbers[1]);
}

#[test]
fn isolated_players_end_as_they_would_otherwise() {
    let Some(arena) = Arena::new("processes") else {
        return;
    };
    let cases = [
        ("fake-player exit", "exited without an answer: exit code 0"),
        ("fake-player crash", "exited without an answer: exit code 3"),
        ("fake-player abort", "killed by signal 6 (SIGABRT)"),
        ("fake-player close-output", "closed its standard output"),
        (
            "fake-player orphan",
            "exited without an answer: exit code 0",
        ),
    ];
    for isolation in ["off", "processes", "full"] {
        for (player, message) in cases {
            let mut command = arena.command("referee --time 20", isolation);
            command.args([ada(), format!("Bob={SANTORINI} {player}")]);
            let told = Program::start(command).end().errors.join("\n");
            assert!(told.contains(message), "{player}, {isolation}: {told}");
        }
    }
    let mut command = arena.command("referee", "processes");
    command.args([ada(), "Bob=sh -c 'kill -9 $$'".into()]);
    let told = Program::start(command).end().errors.join("\n");
    assert!(
        told.contains("Bob exited without an answer: killed by signal 9"),
        "{told}"
    );
}

#[test]
fn signals_to_the_referees_group_end_no_player() {
    let Some(arena) = Arena::new("processes") else {
        return;
    };
    let words = "tournament --rounds 100 --jobs 4 --output games.jsonl";
    let mut command = arena.command(words, "processes");
    command
        .args([ada(), fake("Bob", "random --seed 2")])
        .process_group(0);
    let program = Program::start(command);
    wait_until("the file", || arena.path("games.jsonl").exists());
    let group = Pid::from_raw(program.id() as i32);
    // The referee ignores this signal, which ends a process that was just started.
    let signals = spawn(move || {
        while killpg(group, Signal::SIGPIPE).is_ok() {
            sleep(Duration::from_millis(100));
        }
    });
    let ended = program.end();
    signals.join().unwrap();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let games = arena.text("games.jsonl");
    assert!(!games.contains("could-not-start"), "{games}");
}

/// Here neither the referee nor its guard can kill anything.
#[test]
fn players_end_with_the_process_that_started_them() {
    for isolation in ["processes", "full"] {
        let Some(arena) = Arena::new(isolation) else {
            return;
        };
        let mut command = arena.command("referee --time 600", isolation);
        command.args([fake("Ada", "stubborn"), fake("Bob", "stubborn")]);
        let program = Program::start(command);
        let referee = program.id();
        let [launchers, players] = [true, false].map(|launches| {
            move || {
                let mut marked = players_of(referee);
                marked.retain(|&id| {
                    status(id, "comm") != "player-init\n"
                        && status(id, "cmdline").contains("\0launch\0") == launches
                });
                marked
            }
        });
        wait_until("the players", || players().len() == 2);
        let guard = guard_of(referee);
        signal(guard, Signal::SIGSTOP);
        signal(referee, Signal::SIGSTOP);
        let launchers = launchers();
        assert_eq!(launchers.len(), 2);
        for launcher in launchers {
            signal(launcher, Signal::SIGKILL);
        }
        wait_until("the players' end", || players().is_empty());
        signal(guard, Signal::SIGKILL);
    }
}

/// What the system says about a process.
fn status(process: u32, file: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}

fn guard_of(referee: u32) -> u32 {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let mut ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let words = format!("\0guard\0{referee}\0");
    ids.find(|&id| status(id, "cmdline").ends_with(&words))
        .unwrap()
}

#[test]
fn limits_need_full_isolation() {
    let output = run(&["referee", "--memory", "100", "a", "b"], "");
    assert_eq!(output.status.code(), Some(2));
    let told = errors(&output);
    assert!(
        told.contains("--memory works only with --isolate full"),
        "{told}"
    );
}
