//! Attacks without isolation: messages and records name every player that may have done it.

use std::fs;
use std::thread;

use super::{Arena, ada, is_regular};
use crate::program::{Program, SANTORINI, Signal, signal};

const STOPPED: &str = "it was stopped (SIGSTOP or ptrace) from outside; Bob was running";

/// The message on a player that was killed.
fn killed_by(signal: &str) -> String {
    format!("Error: Ada was killed by {signal} from outside, not by the referee; Bob was running")
}

#[test]
fn a_player_that_another_harms_is_not_the_only_one_named() {
    let cases = [
        ("kill", &*killed_by("SIGKILL")),
        ("end", &*killed_by("SIGTERM")),
        ("interrupt", &*killed_by("SIGINT")),
        ("stop", STOPPED),
        ("trace", STOPPED),
        (
            "write-answer",
            "its pipes were opened in /proc, by itself or another process; Bob was running",
        ),
        (
            "slow-opponent write-answer",
            "to 19, by itself or another process; Bob was running",
        ),
    ];
    thread::scope(|scope| {
        for (attack, message) in cases {
            scope.spawn(move || {
                let Some(arena) = Arena::new("off") else {
                    return;
                };
                let mut command =
                    arena.command("referee --time 3 --start-time 20 --stderr errors", "off");
                command
                    .args([ada(), arena.bob(attack)])
                    .env("TEST_DELAY", "0");
                // Bob is slow to start, so it gets its time before the first question.
                command.args(["--set-up", "b2d4", "b4d2"]);
                let told = Program::start(command).end().errors.join("\n");
                assert!(told.contains(message), "{attack}: {told}");
            });
        }
    });
}

#[test]
fn attacks_that_change_no_game_are_reported() {
    let cases = [
        (
            "read-memory",
            "the memory of Ada was opened in /proc, by itself or another process; Bob was running",
        ),
        (
            "read-memory",
            "the memory of this program was opened in /proc; Ada and Bob were running",
        ),
        ("slow-down", "to 19; Ada and Bob were running"),
        (
            "limit-cpu",
            "this program's max cpu time was changed from unlimited to 1; Ada and Bob were running",
        ),
        ("offer-to-killer", "to 1000; Ada and Bob were running"),
        ("pin", "to 0; Ada and Bob were running"),
        ("fork", "Bob has "),
    ];
    thread::scope(|scope| {
        for (attack, message) in cases {
            scope.spawn(move || {
                let Some(arena) = Arena::new("off") else {
                    return;
                };
                let mut command = arena.game_command("off", &[], attack);
                command.env("TEST_FORKS", "400");
                let ended = Program::start(command).end();
                let told = ended.errors.join("\n");
                assert!(is_regular(ended.errors.last().unwrap()), "{attack}: {told}");
                if attack != "pin" || thread::available_parallelism().unwrap().get() > 1 {
                    assert!(told.contains(message), "{attack}: {told}");
                }
            });
        }
    });
}

#[test]
fn a_player_whose_program_is_changed_is_named() {
    for isolation in ["off", "processes"] {
        let Some(arena) = Arena::new(isolation) else {
            return;
        };
        let program = arena.path("ada.sh");
        fs::write(&program, format!("exec {SANTORINI} fake-player random\n")).unwrap();
        let mut command = arena.command("tournament --rounds 1 --output games.jsonl", isolation);
        command
            .args([
                arena.bob("change-opponent"),
                format!("Ada=sh {}", program.display()),
            ])
            .env("TEST_OPPONENT", &program);
        let ended = Program::start(command).end();
        let told = ended.errors.join("\n");
        assert_eq!(ended.code, Some(0), "{told}");
        let message = "ada.sh, the program of Ada, was changed after the start of the match; Ada and \
                       Bob were running";
        assert!(told.contains(message), "{told}");
    }
}

#[test]
fn records_that_a_player_changes_end_the_tournament() {
    thread::scope(|scope| {
        for attack in ["rewrite", "cut", "replace", "remove"] {
            scope.spawn(move || {
                let Some(arena) = Arena::new("off") else {
                    return;
                };
                let mut command =
                    arena.command("tournament --rounds 3 --output games.jsonl", "off");
                command.args([arena.bob(attack), ada()]);
                let ended = Program::start(command).end();
                let told = ended.errors.join("\n");
                assert_eq!(ended.code, Some(1), "{attack}: {told}");
                assert!(
                    told.contains("games.jsonl: another program changed this file"),
                    "{attack}: {told}"
                );
                // Nothing more is done with the file.
                assert!(!told.contains("--resume"), "{attack}: {told}");
                assert!(told.ends_with("cannot be resumed"), "{attack}: {told}");
                match attack {
                    "cut" => assert_eq!(arena.text("games.jsonl").len(), 10),
                    "replace" => assert_eq!(arena.text("games.jsonl"), "{}\n"),
                    "remove" => assert!(!arena.path("games.jsonl").exists()),
                    _ => {}
                }
            });
        }
    });
}

#[test]
fn a_killed_tournament_names_the_players_when_resumed() {
    let Some(arena) = Arena::new("off") else {
        return;
    };
    let tournament = |isolation: &str, options: &str| {
        let words = format!("tournament --rounds 1 --output games.jsonl {options}");
        let mut command = arena.command(&words, isolation);
        command.args([arena.bob("kill-referee"), ada()]);
        Program::start(command).end()
    };
    let advice = "if a player did it, --isolate processes keeps it from doing so";
    let killed = tournament("off", "");
    assert_eq!(killed.code, None);
    let told = killed.errors.join("\n");
    assert!(
        told.contains("was killed while Ada and Bob played"),
        "{told}"
    );
    // The settings hold the commands, and Bob's must stay the same.
    let again = tournament("off", "--resume");
    let told = again.errors.join("\n");
    let earlier = "an earlier run was killed while Ada and Bob played";
    assert!(told.contains(&format!("{earlier}; {advice}")), "{told}");
    let third = tournament("processes", "--resume");
    let told = third.errors.join("\n");
    assert!(
        told.contains("2 earlier runs were killed, each time while Ada and Bob played"),
        "{told}"
    );
    assert!(!told.contains(advice), "{told}");
}

#[test]
fn a_killed_rating_names_the_player_when_resumed() {
    let Some(arena) = Arena::new("off") else {
        return;
    };
    let rating = |attacks: &str| {
        let words = "rate --time 20 --games 2 --jobs 1 --output games.jsonl --resume";
        let mut command = arena.command(words, "off");
        command.arg(arena.bob(attacks));
        Program::start(command).end()
    };
    // Bob kills it before the first game, when there is no file of games yet.
    let killed = rating("kill-referee");
    assert_eq!(killed.code, None);
    let told = killed.errors.join("\n");
    assert!(told.contains("was killed while Bob played"), "{told}");
    assert!(!arena.path("games.jsonl").exists());
    let again = rating("kill-referee");
    assert_eq!(again.code, None);
    let told = again.errors.join("\n");
    assert!(
        told.contains("an earlier run was killed while Bob played"),
        "{told}"
    );
    let harmless = rating("");
    assert_eq!(harmless.code, Some(0), "{harmless:?}");
    let told = harmless.errors.join("\n");
    assert!(
        told.contains("2 earlier runs were killed, each time while Bob played"),
        "{told}"
    );
    // After the games have ended, the kills are forgotten.
    assert!(!arena.path("games.jsonl.killed").exists());
}

#[test]
fn a_stopped_referee_names_the_players() {
    let Some(arena) = Arena::new("off") else {
        return;
    };
    let program = Program::start(arena.game_command("off", &[], "stop-referee"));
    let told = program.notice("stopped");
    assert!(
        told.contains("stopped by a signal while Ada and Bob played"),
        "{told}"
    );
    signal(program.id(), Signal::SIGCONT);
    assert_eq!(program.end().code, Some(0));
}
