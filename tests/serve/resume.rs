//! Resuming after the server was killed or interrupted.

use std::collections::BTreeSet;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use super::harness::{Bot, Server, connect_from, points, with_progress};
use crate::program::{
    HANG, Program, SANTORINI, Signal, errors, santorini, signal, success, use_default_hangup,
    wait_until,
};

/// The final table printed by the bot.
fn table(bot: Child) -> String {
    let output = bot.wait_with_output().unwrap();
    success(&output)
}

#[test]
fn a_killed_server_resumes_with_the_remaining_games() {
    let server = Server::start(&["--bots", "4", "--rounds", "25"]);
    let names = ["a", "b", "c", "d"];
    let bots = names.map(|name| server.program(name, &["--random"]));
    wait_until("some games", || server.games().len() >= 10);
    let server = server.restart(&[]);
    let before = server.games();
    assert!(before.len() < 150, "it was killed in the middle");
    let tables = bots.map(table);
    let games = server.games();
    assert_eq!(games[..before.len()], before, "what was played stays");
    let numbers: BTreeSet<u64> = games.iter().map(|game| game.game).collect();
    assert_eq!(numbers, (0..150).collect(), "each game once");
    assert_eq!(games.len(), 150);
    for name in names {
        let points = format!("{name} {}", points(&games, name));
        assert!(tables[0].contains(&points), "{points}: {}", tables[0]);
    }
    assert!(tables.iter().all(|table| *table == tables[0]));
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn an_interrupted_server_says_how_to_resume() {
    let server = Server::start(&["--answer-time", "600"]);
    let mut bots = [server.enter("a"), server.enter("b")];
    for bot in &mut bots {
        bot.hear_state("placeWorker", "a");
    }
    signal(server.program.id(), Signal::SIGINT);
    for mut bot in bots {
        bot.hear_state("gameOver", "Draw");
        bot.hear_remark("called off");
        assert_eq!(bot.hear(), "");
    }
    server.notice("called off after 0 of 1 games; resume with:");
    let command = server.notice("serve");
    assert!(command.contains("--resume") && command.contains("--answer-time 600"));
    assert!(server.games().is_empty(), "the game will be played again");
    let mut server = server;
    assert_eq!(server.program.wait(), Some(130));
    // A table that lists the games to come, and the same two bots. Nothing is forfeited
    // before a bot returns.
    let server = server.restart(&["--return-time", "1"]);
    server.notice("resumes after 0 of 1 games, when its bots reconnect: a, b");
    server.notice("then 1 s for bots with games");
    std::thread::sleep(Duration::from_secs(2));
    assert!(server.games().is_empty());
    for bot in server.decent(&["b", "a"]) {
        assert!(bot.join().unwrap().contains("1. "));
    }
    assert_eq!(server.games()[0].players, ["a", "b"]);
}

#[test]
fn only_the_address_of_a_bot_may_resume_its_games() {
    let server = Server::start(&["--answer-time", "600"]);
    let from = |server: &Server, from: u8, name: &str| {
        let mut bot = Bot::new(connect_from(from, server.address));
        bot.say(name);
        bot
    };
    let _a = from(&server, 2, "a");
    server.notice("a is here");
    let mut b = from(&server, 1, "b");
    b.hear_state("placeWorker", "a");
    let server = server.restart(&[]);
    from(&server, 3, "a").hear_remark("another address");
    let mut a = from(&server, 2, "a");
    let _b = from(&server, 1, "b");
    a.hear_state("placeWorker", "a");
}

#[test]
fn a_hangup_calls_the_tournament_off_unless_it_was_ignored() {
    let mut command = santorini(&[]);
    use_default_hangup(&mut command);
    let mut server = Server::start_new(command, "127.0.0.1:0", &[]);
    signal(server.program.id(), Signal::SIGHUP);
    server.notice("called off before the tournament began");
    assert_eq!(server.program.wait(), Some(130));
    // As `nohup` does.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", SANTORINI]);
    let mut server = Server::start_new(command, "127.0.0.1:0", &[]);
    signal(server.program.id(), Signal::SIGHUP);
    server.enter("a");
    signal(server.program.id(), Signal::SIGTERM);
    server.notice("called off before the tournament began");
    assert_eq!(server.program.wait(), Some(130));
}

#[test]
fn faults_of_both_bots_count_for_both() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.jsonl");
    let mut text = "{\"tournament\":{\"bots\":[\"a\",\"b\"],\"rounds\":5}}\n".to_string();
    for game in 0..5 {
        let [first, second] = if game % 2 == 0 {
            ["a", "b"]
        } else {
            ["b", "a"]
        };
        let record = serde_json::json!({"game": game, "players": [first, second], "start": null,
            "turns": [], "answers": [], "winner": null, "ending": "absent",
            "why": format!("{first} and {second} were absent")});
        text += &format!("{record}\n");
    }
    std::fs::write(&file, text).unwrap();
    let options = ["serve", "--resume", "--listen", "127.0.0.1:0", "--results"];
    let output = santorini(&options).arg(&file).output().unwrap();
    let told = errors(&output);
    assert_eq!(told.matches("were absent").count(), 3, "{told}");
    assert!(told.contains("further faults: 2; "), "{told}");
}

#[test]
fn no_time_left_is_shown_while_a_resumed_server_waits() {
    let server = Server::start(&["--rounds", "100"]);
    let bots = ["a", "b"].map(|name| server.program(name, &["--random"]));
    wait_until("some games", || server.games().len() >= 3);
    for mut bot in bots {
        bot.kill().unwrap();
        bot.wait().unwrap();
    }
    let server = server.restart_as(with_progress(), &[]);
    let waiting = server.notice(": waiting for ");
    assert!(!waiting.contains(" left"), "{waiting}");
    std::thread::sleep(Duration::from_secs(3));
    let entered = Instant::now();
    // They do not answer.
    let _bots = ["a", "b"].map(|name| server.enter(name));
    // The wait does not count.
    let line = server.notice(" so far: 1 running");
    let (_, seconds) = line.split_once("games, ").unwrap();
    let (seconds, _) = seconds.split_once(' ').unwrap();
    let since = entered.elapsed().as_secs_f64();
    assert!(
        seconds.parse::<f64>().unwrap() < since + 1.0,
        "{line}; {since}"
    );
}

#[test]
fn a_finished_tournament_is_not_played_again() {
    let server = Server::start(&[]);
    for bot in server.decent(&["a", "b"]) {
        bot.join().unwrap();
    }
    let mut server = server;
    assert_eq!(server.program.wait(), Some(0));
    let server = server.restart(&["--rounds", "1"]);
    server.notice("is over: all 1 games were played");
    let (code, table) = server.end();
    assert_eq!(code, Some(0));
    assert!(table.contains("   1  "), "{table}");
}

#[test]
fn a_tournament_without_games_says_there_is_nothing_to_resume() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let name = file.path().to_str().unwrap();
    for resume in [&["--resume"][..], &[]] {
        let words = ["serve", "--listen", "127.0.0.1:0", "--results", name];
        let mut program = Program::start(santorini(&[&words, resume].concat()));
        let next = || program.errors.recv_timeout(HANG).unwrap();
        if !resume.is_empty() {
            assert_eq!(
                next(),
                format!("santorini: {name} is empty: starting a new tournament")
            );
        }
        assert!(next().contains("bots connect to"));
        signal(program.id(), Signal::SIGINT);
        assert_eq!(
            next(),
            "santorini: called off before the tournament began: there is nothing to resume"
        );
        assert_eq!(program.wait(), Some(130));
        assert!(file.path().exists(), "the file was there before");
    }
}

#[test]
fn invalid_files_cannot_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |file: &str, options: &[&str]| {
        let output = santorini(&["serve", "--listen", "127.0.0.1:0", "--results", file])
            .args(options)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        errors(&output)
    };
    let file = folder.path().join("results.jsonl");
    let name = file.to_str().unwrap();
    let header = |bots: &str, rounds: &str| {
        format!("{{\"tournament\":{{\"bots\":{bots},\"rounds\":{rounds}}}}}\n")
    };
    let game = |answers: &str, winner: &str| {
        format!(
            "{{\"game\":0,\"players\":[\"a\",\"b\"],\"start\":null,\"turns\":[],\
             \"answers\":{answers},\"winner\":{winner},\"ending\":\"time-out\"}}\n"
        )
    };
    let good = header("[\"a\",\"b\"]", "1");
    for (text, why) in [
        ("{}\n".to_string(), "is not a file of game records"),
        (
            game("[]", "0"),
            "its first line is not the header of a tournament",
        ),
        (header("[\"a\",\"Draw\"]", "1"), "reserved"),
        (header("[\"a\",\"b\"]", "1000000000"), "rounds"),
        (header("[\"a\",\"b\",\"a\"]", "1"), "has the bot a twice"),
        (header("[\"a\"]", "1"), "the limits are 2 to 500 bots"),
        (
            header("[\"a\",\"b\"],\"addresses\":[null]", "1"),
            "1 addresses of 2 bots",
        ),
        (
            good.clone() + &game("[]", "0").replace("time-out", "win"),
            "its ending cannot be \"win\"",
        ),
        (
            good.clone() + &game("[]", "null").replace("time-out", "interrupted"),
            "its ending cannot be \"interrupted\"",
        ),
        (format!("{good}{good}"), "second tournament"),
        (
            good.clone() + &game("[\"0 0\",\"0 0\"]", "0"),
            "a worker stands on 0 0",
        ),
        (good.clone() + &game("[\"0\"]", "0"), "expected two numbers"),
        (good.clone() + &game("[]", "0") + &game("[]", "0"), "twice"),
        (
            header("[\"x\",\"b\"]", "1") + &game("[]", "0"),
            "it is not between",
        ),
    ] {
        std::fs::write(&file, &text).unwrap();
        let error = serve(name, &["--resume"]);
        assert!(error.contains(why), "{text}: {error}");
        let error = serve(name, &[]);
        match text != "{}\n" {
            true => assert!(error.contains("resume it with --resume"), "{error}"),
            false => assert!(error.contains("is not a file of game records"), "{error}"),
        }
    }
    std::fs::write(&file, &good).unwrap();
    assert!(serve(name, &["--resume", "--rounds", "2"]).contains("has 1 rounds"));
    assert!(serve(name, &["--resume", "--bots", "3"]).contains("has 2 bots"));
}
