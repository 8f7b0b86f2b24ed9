//! The files of a tournament: the log of all lines, the results as CSV, and a full disk.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::net::Shutdown;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use santorini::record::GameRecord;

use super::harness::Server;
use crate::program::{HANG, Program, SANTORINI, Signal, errors, santorini, signal};

#[test]
fn lines_are_logged_and_results_written_as_csv() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (log, csv) = (path("lines.log"), path("results.csv"));
    let server = Server::start(&["--log", &log, "--csv", &csv]);
    let mut nameless = server.connect();
    nameless.say("Draw");
    nameless.hear_remark("reserved");
    let mut cut = server.connect();
    cut.send(b"ada");
    cut.stream.shutdown(Shutdown::Write).unwrap();
    cut.hear_remark("has no \\\\n at its end");
    let bots = server.decent(&["ada", "bo"]);
    let tables: Vec<String> = bots.into_iter().map(|bot| bot.join().unwrap()).collect();
    let (code, _) = server.end();
    assert_eq!(code, Some(0));
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().collect())
        .collect();
    // Its name, its answers, and what it was sent, up to the final table.
    let of = |bot: &str, arrow: &str| {
        let of: Vec<String> = lines
            .iter()
            .filter(|words| words[1..3] == [bot, arrow])
            .map(|words| words[3..].join(" "))
            .collect();
        of
    };
    assert_eq!(of("127.0.0.1", "->"), ["Draw"]);
    let refusals = of("127.0.0.1", "<-");
    assert!(refusals[0].contains("reserved"), "{text}");
    assert!(refusals[1].contains("at its end"), "{text}");
    for (bot, table) in ["ada", "bo"].into_iter().zip(&tables) {
        assert_eq!(of(bot, "->")[0], bot);
        assert!(of(bot, "->").len() > 4);
        let sent = of(bot, "<-");
        assert!(sent[0].starts_with("[\"placeWorker\""), "{text}");
        let last = sent.last().unwrap();
        assert_eq!(
            serde_json::from_str::<String>(last).unwrap().trim(),
            table.split_whitespace().collect::<Vec<_>>().join(" ")
        );
    }
    let seconds = lines.iter().map(|words| words[0].parse::<f64>().unwrap());
    assert!(seconds.collect::<Vec<_>>().is_sorted());
    let csv = fs::read_to_string(csv).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (rows[1][1..3].join(" "), rows[2][1..3].join(" ")),
        ("1 1".into(), "1 0".into())
    );
    let mut names = [rows[1][0], rows[2][0]];
    names.sort_unstable();
    assert_eq!(names, ["ada", "bo"]);
}

/// A reader of the log that stops reading does not keep back the table.
#[test]
fn a_stalled_log_does_not_hold_up_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let _reader = File::options().read(true).write(true).open(&pipe).unwrap();
    let options = ["--rounds", "20", "--log", pipe.to_str().unwrap()];
    let server = Server::start(&options);
    for bot in server.decent(&["a", "b"]) {
        bot.join().unwrap();
    }
    server.notice("is not complete: the last lines were not taken within 2s");
    let (code, table) = server.end();
    assert_eq!(code, Some(0));
    assert!(table.starts_with("rank  bot"), "{table}");
}

/// The command of the program with standard output on a full disk.
fn with_full_output() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$@\" >/dev/full", "sh", SANTORINI]);
    command
}

#[test]
fn a_table_that_cannot_be_printed_costs_no_other_result() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("results.csv");
    let options = ["--watch", "127.0.0.1:0", "--csv", csv.to_str().unwrap()];
    let mut server = Server::start_new(with_full_output(), "127.0.0.1:0", &options);
    for bot in server.decent(&["a", "b"]) {
        bot.join().unwrap();
    }
    server.notice("standard output: No space left");
    server.notice("stays until Ctrl-C");
    assert!(fs::read_to_string(csv).unwrap().contains("\na,1,"));
    signal(server.program.id(), Signal::SIGINT);
    assert_eq!(server.program.wait(), Some(1));

    let mut server = Server::start_new(with_full_output(), "127.0.0.1:0", &[]);
    let mut bots = ["a", "b"].map(|name| server.enter(name));
    bots[0].hear_turn();
    signal(server.program.id(), Signal::SIGTERM);
    server.notice("resume with:");
    assert_eq!(server.program.wait(), Some(130));
}

#[test]
fn a_tournament_that_never_began_leaves_no_file() {
    let mut server = Server::start(&["--csv", "/dev/full"]);
    assert!(server.results.exists());
    signal(server.program.id(), Signal::SIGINT);
    assert_eq!(server.program.wait(), Some(130));
    assert!(!server.results.exists());
}

#[test]
fn a_signal_sent_twice_counts_once() {
    let mut server = Server::start(&[]);
    // The server waits a moment for its last answer.
    let _ada = server.enter("ada");
    for _ in 0..2 {
        signal(server.program.id(), Signal::SIGTERM);
        sleep(Duration::from_millis(100));
    }
    server.notice("called off before the tournament began: there is nothing to resume");
    assert_eq!(server.program.wait(), Some(130));
    assert!(!server.results.exists());
}

#[test]
fn a_port_or_log_in_use_is_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (log, results) = (path("log"), path("results"));
    let server = Server::start(&["--log", &log]);
    let taken = server.address.to_string();
    for (words, why) in [
        (
            &["serve", "--listen", &taken, "--results", &results][..],
            "Address already in use (os error 98); use another port, or port 0 for any free one",
        ),
        (
            &["play", "--web", &taken],
            "Address already in use (os error 98); use another port, or port 0 for any free one",
        ),
        (
            &[
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--results",
                &results,
                "--log",
                &log,
            ],
            "another program is writing to this file",
        ),
    ] {
        let output = santorini(words).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        let said = errors(&output);
        assert!(said.contains(why), "{words:?}: {said}");
        assert!(!folder.path().join("results").exists(), "{words:?}");
    }
    assert_eq!(fs::read_to_string(log).unwrap().lines().count(), 1);
}

#[test]
fn a_full_disk_loses_no_game() {
    // The system refuses to let files grow beyond 10 KiB.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 20; exec \"$@\"", "sh", SANTORINI]);
    let server = Server::start_new(command, "127.0.0.1:0", &["--rounds", "20"]);
    let address = server.address.to_string();
    let bots = ["a", "b"].map(|name| {
        let words = ["bot", "--random", "--name", name, "--connect", &address];
        Program::start(santorini(&words))
    });
    server.notice("results.jsonl: File too large");
    let next = || server.program.errors.recv_timeout(HANG).unwrap();
    assert_eq!(next(), "not saved in the file:");
    let lost: GameRecord = serde_json::from_str(&next()).unwrap();
    assert_eq!(next(), "when that is fixed, resume with:");
    assert!(next().contains(" serve --resume "));
    assert!(server.program.line().starts_with("rank  bot"));
    let before = server.games();
    assert_eq!(lost.game, before.len() as u64);
    let mut server = server;
    assert_eq!(server.program.wait(), Some(1));
    for bot in &bots {
        bot.notice("the results cannot be saved, so the last games will be played again");
    }
    // The bots return by themselves.
    let server = server.restart(&[]);
    for bot in bots {
        let ended = bot.end();
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.output[0].starts_with("final table: "), "{ended:?}");
    }
    let games = server.games();
    assert_eq!(games[..before.len()], before, "what was saved stays");
    let numbers: BTreeSet<u64> = games.iter().map(|game| game.game).collect();
    assert_eq!(numbers, (0..20).collect(), "each game once");
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn waiting_for_bots_is_shown() {
    let server = Server::start_with_progress(&["--bots", "3"]);
    let line = server.notice("0 of 3 connected");
    assert!(line.starts_with("waiting for bots, "), "{line}");
    let _ada = server.enter("ada");
    server.notice(" so far: 1 of 3 connected");
}

#[test]
fn waiting_for_late_answers_is_shown() {
    let server = Server::start_with_progress(&["--answer-time", "1", "--rounds", "2"]);
    let _bots = ["a", "b"].map(|name| server.enter(name));
    server.notice("waiting for late answers");
}
