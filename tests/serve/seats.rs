//! Names and seats: which bots may enter and return.

use santorini::record::GameRecord;

use super::harness::{Bot, Server, connect_from};
use crate::program::{Signal, errors, santorini, signal, wait_until};

/// Checks that a bot with this first line is refused for this reason.
fn refused(server: &Server, line: &[u8], why: &str) {
    let mut bot = server.connect();
    bot.send(line);
    bot.hear_remark(why);
    assert_eq!(bot.hear(), "", "the connection is closed");
}

#[test]
fn invalid_names_are_refused_with_the_reason() {
    let server = Server::start(&["--bots", "2"]);
    refused(&server, b"\n", "0 characters");
    refused(&server, &[&[b'x'; 33][..], b"\n"].concat(), "33 characters");
    refused(&server, b"Draw\n", "reserved");
    refused(&server, b"a\x07\n", "cannot be printed");
    refused(&server, b"a  b\n", "two spaces");
    refused(&server, b"\xff\xfe\n", "UTF-8");
    refused(
        &server,
        &[&[b'x'; 5000][..], b"\n"].concat(),
        "far too long",
    );
    let mut endless = server.connect();
    endless.send(&[b'x'; 1 << 20]);
    endless.hear_remark("far too long");
    server.enter("the name of 32 printable chars é");
}

#[test]
fn a_browser_is_told_that_the_port_is_for_bots() {
    let server = Server::start(&["--bots", "2"]);
    let mut browser = server.connect();
    browser.send(b"GET /?token=0123456789abcdef HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(browser.hear(), "HTTP/1.1 400 Bad Request\r\n");
    let told = browser.hear_until(|line| line.starts_with("This port"));
    assert!(told.contains("is for bots"), "{told}");
    assert_eq!(browser.hear(), "", "the connection is closed");
    let mut a = server.enter("a");
    let _b = server.enter("b");
    a.hear_state("placeWorker", "a");
}

#[test]
fn a_taken_name_is_refused_without_disturbing_others() {
    let server = Server::start(&["--bots", "2"]);
    let mut a = server.enter("a");
    refused(&server, b"a\n", "taken");
    let mut b = server.enter("b");
    a.hear_state("placeWorker", "a");
    refused(&server, b"a\n", "taken");
    refused(&server, b"c\n", "has started");
    b.hear_state("placeWorker", "a");
}

#[test]
fn the_bot_program_says_why_it_was_refused() {
    let server = Server::start(&["--bots", "2"]);
    let _a = server.enter("a");
    let run = |address: &str| {
        let output = santorini(&["bot", "--random", "--name", "a", "--connect", address])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        errors(&output)
    };
    let error = run(&server.address.to_string());
    assert_eq!(
        error,
        "santorini: the server says: the name is taken by a connected bot\n"
    );
    // Nothing listens on the server's old port.
    let address = server.address.to_string();
    drop(server);
    let error = run(&address);
    assert!(error.contains("cannot connect to 127.0.0.1"), "{error}");
}

#[test]
fn leaving_before_the_start_frees_the_seat() {
    let server = Server::start(&["--bots", "2"]);
    drop(server.enter("a"));
    server.notice("a left");
    let mut b = server.enter("b");
    let mut a = server.enter("a");
    a.hear_state("placeWorker", "b");
    b.hear_state("placeWorker", "b");
}

#[test]
fn a_bot_returns_under_its_name_and_plays_on() {
    let server = Server::start(&["--bots", "2", "--rounds", "3"]);
    let b = server.decent(&["b"]).remove(0);
    let mut a = server.enter("a");
    a.hear_turn();
    // It returns at once, perhaps before the server knows that it has left.
    drop(a);
    let mut a = server.connect();
    a.name = "a".to_string();
    a.say("a");
    a.hear_turn();
    assert_eq!(server.games().len(), 1, "the game it left is lost");
    a.say("0 0");
    let a = std::thread::spawn(move || a.play());
    let tables = [a.join().unwrap(), b.join().unwrap()];
    assert_eq!(tables[0], tables[1]);
    let games = server.games();
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].ending, "disconnected");
    assert!(games[1..].iter().all(|game| game.ending != "disconnected"));
}

#[test]
fn a_pending_answer_does_not_reach_the_next_game() {
    let server = Server::start(&["--bots", "2", "--rounds", "2"]);
    let mut a = server.enter("a");
    let mut b = server.enter("b");
    a.hear_turn();
    // b leaves while a is thinking, and returns before a answers.
    b.hear_state("placeWorker", "a");
    drop(b);
    let mut b = server.connect();
    b.name = "b".to_string();
    b.say("b");
    server.notice("b is here");
    a.say("3 3");
    a.hear_remark("b forfeits: the connection ended");
    a.hear_state("gameOver", "a");
    // The next game starts without answers.
    for bot in [&mut a, &mut b] {
        let state = bot.hear_state("placeWorker", "b");
        assert!(state.ends_with(",[\"b\",[]],[\"a\",[]]]\n"), "{state}");
    }
    // Both forfeit: b leaves, and a, which was thinking, does not answer either.
    b.say("1 1");
    a.hear_turn();
    drop(b);
    drop(a);
    let mut last = None;
    wait_until("the second game", || {
        last = server.games().into_iter().nth(1);
        last.is_some()
    });
    let last = last.unwrap();
    assert_eq!((last.winner, last.ending.as_str()), (None, "disconnected"));
}

#[test]
fn a_late_answer_does_not_reach_the_next_game() {
    let server = Server::start(&["--rounds", "2", "--answer-time", "2"]);
    let mut a = server.enter("a");
    let mut b = server.enter("b");
    a.hear_turn();
    a.hear_until(|line| line.starts_with("[\"gameOver\""));
    a.say("3 3");
    for bot in [&mut a, &mut b] {
        let state = bot.hear_until(|line| line.starts_with("[\"placeWorker\",\"b\""));
        assert!(state.ends_with(",[\"b\",[]],[\"a\",[]]]\n"), "{state}");
    }
    b.say("3 3");
    b.hear_state("placeWorker", "a");
}

#[test]
fn a_seat_cannot_be_taken_from_another_address() {
    let server = Server::start(&["--bots", "2", "--rounds", "2", "--return-time", "30"]);
    let from = |from: u8, name: &str| {
        let mut bot = Bot::new(connect_from(from, server.address));
        bot.name = name.to_string();
        bot.say(name);
        bot
    };
    let mut a = from(2, "a");
    server.notice("a is here, from 127.0.0.2");
    let _b = server.enter("b");
    a.hear_turn();
    drop(a);
    server.notice("a left");
    from(3, "a").hear_remark("another address");
    // b moves first in the second game.
    from(2, "a").hear_state("placeWorker", "b");
}

#[test]
fn games_of_an_absent_bot_are_lost_in_the_end() {
    let server = Server::start(&["--bots", "3", "--return-time", "0.5"]);
    let decent = server.decent(&["a", "b"]);
    let mut c = server.enter("c");
    c.hear_turn();
    drop(c);
    for bot in decent {
        assert!(bot.join().unwrap().contains("3. c 0"));
    }
    let games = server.games();
    assert_eq!(games.len(), 3);
    let lost = |game: &&GameRecord| ["absent", "disconnected"].contains(&game.ending.as_str());
    assert_eq!(games.iter().filter(lost).count(), 2);
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn a_bot_may_return_until_only_its_games_are_left() {
    let options = ["--bots", "3", "--rounds", "2", "--answer-time", "3"];
    let server = Server::start(&[&options[..], &["--return-time", "0.1"]].concat());
    let silent = server.enter("silent");
    let decent = server.decent(&["decent"]);
    let mut away = server.enter("away");
    away.hear_turn();
    drop(away);
    for bot in decent {
        bot.join().unwrap();
    }
    let endings: Vec<String> = server.games().into_iter().map(|g| g.ending).collect();
    let last_played = endings.iter().rposition(|ending| ending == "time-out");
    let first_lost = endings.iter().position(|ending| ending == "absent");
    // After the first of the two games the server waits for its late answer.
    assert!(last_played < first_lost, "{endings:?}");
    drop(silent);
}

/// Checks that the server lists the first three of five games that a has lost.
fn lists_faults(server: &Server) {
    server.notice("game 1: a forfeits: the connection ended");
    server.notice("game 2: a was absent");
    server.notice("game 3: a was absent");
    server.notice("further faults: 2; the reasons are in ");
}

#[test]
fn a_bot_is_told_about_games_that_never_started() {
    let server = Server::start(&["--rounds", "5", "--return-time", "0.5"]);
    let mut a = server.enter("a");
    let mut b = server.enter("b");
    a.hear_turn();
    drop(a);
    b.hear_state("placeWorker", "a");
    b.hear_remark("a forfeits: the connection ended");
    b.hear_state("gameOver", "b");
    let empty = vec![vec![0; 6]; 6];
    for seats in [["b", "a"], ["a", "b"], ["b", "a"], ["a", "b"]] {
        b.hear_remark("a was absent");
        let state = b.hear_state("gameOver", "b");
        let [first, second] = seats;
        let expected = serde_json::json!(["gameOver", "b", empty, [first, []], [second, []]]);
        assert_eq!(state, format!("{expected}\n"));
    }
    b.hear_remark("final table: 1. b 5, 2. a 0");
    assert_eq!(b.hear(), "");
    lists_faults(&server);
    let mut server = server;
    assert_eq!(server.program.wait(), Some(0));
    lists_faults(&server.restart(&[]));
}

#[test]
fn a_slow_reader_is_told_about_all_its_unplayed_games() {
    let server = Server::start(&["--bots", "5", "--rounds", "100", "--return-time", "0.5"]);
    let mut slow = server.connect_narrow();
    slow.name = "slow".to_string();
    slow.say("slow");
    server.notice("slow is here");
    let mut away = ["a", "b", "c", "d"].map(|name| server.enter(name));
    for bot in &mut away {
        bot.hear_until(|line| line.starts_with("[\"placeWorker\""));
    }
    drop(away);
    // It starts to read long after the server has started to send.
    wait_until("the games that never began", || {
        server.games().len() == 1000
    });
    let mut told = 0;
    slow.hear_until(|line| {
        told += usize::from(line.starts_with("[\"gameOver\",\"slow\""));
        line.starts_with("\"final table: 1. slow 400")
    });
    assert_eq!(told, 400);
}

#[test]
fn a_connection_that_sends_no_name_is_closed() {
    let server = Server::start(&["--bots", "2"]);
    let mut silent = server.connect();
    let mut slow = server.connect();
    slow.send(b"a");
    silent.hear_remark("no name within 10 seconds");
    assert_eq!(silent.hear(), "");
    slow.hear_remark("no name within 10 seconds");
}

#[test]
fn connections_are_limited_in_number_and_rate() {
    let server = Server::start(&["--bots", "2"]);
    let mut crowd: Vec<Bot> = (0..350).map(|_| server.connect()).collect();
    // 250 connections may lack a name at the same time.
    for bot in crowd.iter_mut().rev().take(25) {
        bot.hear_remark("too many connections");
        assert_eq!(bot.hear(), "");
    }
    // Earlier connections are not disturbed.
    crowd[0].say("a");
    server.notice("a is here");
}

#[test]
fn after_the_waiting_time_the_bots_present_play() {
    let server = Server::start(&["--wait", "1"]);
    let bots = server.decent(&["a", "b", "c"]);
    for bot in bots {
        assert!(bot.join().unwrap().contains("3. "));
    }
    assert_eq!(server.games().len(), 3);
}

#[test]
fn forfeits_of_many_absent_bots_can_be_interrupted() {
    let options = ["--bots", "60", "--rounds", "100", "--return-time", "0.1"];
    let server = Server::start(&options);
    let bots: Vec<Bot> = (0..60)
        .map(|bot| server.enter(&format!("b{bot}")))
        .collect();
    drop(bots);
    let results = server.results.clone();
    let records = || std::fs::read_to_string(&results).unwrap().lines().count();
    wait_until("the first forfeits", || records() > 2000);
    signal(server.program.id(), Signal::SIGTERM);
    let ended = server.program.end();
    assert_eq!(ended.code, Some(130));
    let saved = records();
    assert!(saved < 100 * 60 * 59 / 2, "all {saved} were written");
}
