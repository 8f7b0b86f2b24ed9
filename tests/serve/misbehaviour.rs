//! Faulty and hostile bots: each gets the response of the protocol, and no other game is
//! delayed.

use std::io::{ErrorKind, Write};
use std::net::{Shutdown, TcpStream};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use santorini::bot::{ServerMessage, Strategy};

use super::harness::{Bot, Server};
use crate::program::{HANG, Signal, memory, santorini, signal, wait_until};

/// Three well-behaved bots `a`, `b`, `c` and a misbehaving one, `h`.
///
/// The first games are a-h and b-c. Whatever h does, b-c runs to its end.
struct Scene {
    server: Server,
    decent: Vec<JoinHandle<String>>,
    h: Bot,
}

impl Scene {
    fn new(options: &[&str]) -> Self {
        let options: Vec<&str> = ["--bots", "4"].iter().chain(options).copied().collect();
        let server = Server::start(&options);
        let decent = server.decent(&["a", "b", "c"]);
        let h = server.enter("h");
        Self { server, decent, h }
    }

    /// Checks that the game of the other two ends while h's is still running.
    fn others_are_not_delayed(&self) {
        self.server.game_of("b", "c");
        let games = self.server.games();
        let open = |game: &santorini::record::GameRecord| game.players[1] != "h";
        assert!(games.iter().all(open), "h still plays: {games:?}");
    }

    /// h leaves for good and the rest is played. Returns how the game a-h ended.
    fn end(self) -> String {
        let Self { server, decent, h } = self;
        drop(h);
        for bot in decent {
            let table = bot.join().unwrap();
            assert!(table.contains("4. h 0"), "{table}");
        }
        let ending = server.game_of("a", "h").ending;
        assert_eq!(server.games().len(), 6);
        assert_eq!(server.end().0, Some(0));
        ending
    }
}

/// A game only ends because a bot is gone.
const PATIENT: [&str; 4] = ["--answer-time", "600", "--return-time", "0.1"];
/// A silent bot loses soon.
const STRICT: [&str; 4] = ["--answer-time", "2", "--return-time", "0.1"];

#[test]
fn a_silent_bot_delays_no_other_game() {
    let mut scene = Scene::new(&PATIENT);
    scene.h.hear_turn();
    scene.others_are_not_delayed();
    assert_eq!(scene.end(), "disconnected");
}

#[test]
fn a_silent_bot_is_disconnected_after_three_games() {
    let mut scene = Scene::new(&STRICT);
    scene.h.hear_turn();
    for _ in 0..3 {
        let why = scene
            .h
            .hear_until(|line| line.contains("h forfeits: no legal answer within 2s"));
        assert!(why.contains("a bot must flush its output"), "{why}");
        scene.h.hear_until(|line| line.starts_with("[\"gameOver\""));
    }
    scene
        .h
        .hear_remark("you ran out of time in 3 games in a row");
    assert_eq!(scene.h.hear(), "");
    let told = scene.server.notice("h is disconnected: ");
    assert!(
        told.ends_with("it ran out of time in 3 games in a row"),
        "{told}"
    );
    assert_eq!(scene.end(), "time-out");
}

#[test]
fn a_forfeit_is_not_a_time_out_of_the_leaving_bot() {
    let csv = tempfile::NamedTempFile::new().unwrap();
    let options = ["--bots", "2", "--rounds", "3", "--answer-time", "1"];
    let file = csv.path().to_str().unwrap();
    let server = Server::start(&[&options[..], &["--tries", "1", "--csv", file]].concat());
    let mut silent = server.enter("silent");
    let mut wrong = server.enter("wrong");
    for game in 0..3 {
        if game == 1 {
            // It moves first in the second game, and must not be asked again.
            wrong.hear_turn();
            wrong.say("0 0");
        }
        wrong.hear_until(|line| line.starts_with("[\"placeWorker\",\"silent\""));
        wrong.say("it is not my turn");
        wrong.hear_until(|line| line.starts_with("[\"gameOver\",\"Draw\""));
    }
    silent.hear_until(|line| line.contains("you ran out of time in 3 games"));
    wrong.hear_remark("final table");
    assert_eq!(server.end().0, Some(0));
    // Each fault counts for the bot that made it.
    let text = std::fs::read_to_string(csv.path()).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let count = |name: &str, fault: &str| {
        let column = rows[0].iter().position(|&head| head == fault).unwrap();
        rows.iter().find(|row| row[0] == name).unwrap()[column]
    };
    for fault in ["time-out", "illegal-answers"] {
        let counts = ["silent", "wrong"].map(|name| count(name, fault));
        let expected = if fault == "time-out" {
            ["3", "0"]
        } else {
            ["0", "3"]
        };
        assert_eq!(counts, expected, "{text}");
    }
}

#[test]
fn half_a_line_is_no_answer() {
    let mut scene = Scene::new(&STRICT);
    scene.h.hear_turn();
    scene.h.send(b"0 ");
    let why = scene
        .h
        .hear_until(|line| line.contains("h forfeits: no legal answer"));
    // JSON escapes the backslash.
    assert!(
        why.contains(r"its last line has no \\n at its end"),
        "{why}"
    );
    assert_eq!(scene.end(), "time-out");
}

#[test]
fn half_an_answer_is_not_joined_with_one_of_the_next_game() {
    let options = ["--rounds", "2", "--answer-time", "1"];
    let server = Server::start(&options);
    let mut h = server.enter("h");
    let decent = server.decent(&["a"]);
    h.hear_turn();
    h.send(b"0 ");
    h.hear_until(|line| line.starts_with("[\"gameOver\""));
    let state = h.hear_turn();
    h.say(&legal_answer(&state));
    h.hear_state("placeWorker", "a");
    drop(h);
    for bot in decent {
        assert!(bot.join().unwrap().contains("2. h 0"));
    }
}

#[test]
fn leaving_after_half_a_line_forfeits() {
    let mut scene = Scene::new(&PATIENT);
    scene.h.hear_turn();
    scene.h.send(b"0 0");
    scene.others_are_not_delayed();
    assert_eq!(scene.end(), "disconnected");
}

#[test]
fn a_line_of_ten_megabytes_is_one_illegal_answer() {
    let mut scene = Scene::new(&PATIENT);
    let state = scene.h.hear_turn();
    for _ in 0..10 {
        scene.h.send(&[b'7'; 1 << 20]);
    }
    scene.h.send(b"\n");
    scene.h.hear_remark("try again: expected two numbers");
    assert_eq!(scene.h.hear(), state);
    scene.others_are_not_delayed();
    // It counts as one answer, and the next one is read.
    scene.h.say("hello");
    scene.h.hear_remark("got \\\"hello\\\"");
    assert_eq!(scene.end(), "disconnected");
}

#[test]
fn an_endless_line_takes_no_memory() {
    let mut scene = Scene::new(&PATIENT);
    scene.h.hear_turn();
    let server = scene.server.program.id();
    let peak = || memory(server, "VmHWM:").unwrap();
    let before = peak();
    for _ in 0..64 {
        scene.h.send(&[b'x'; 1 << 20]);
    }
    scene.h.hear_remark("try again");
    scene.others_are_not_delayed();
    let grown = peak().saturating_sub(before);
    assert!(grown < 16 << 10, "the server grew by {grown} KiB");
    assert_eq!(scene.end(), "disconnected");
}

#[test]
fn binary_input_is_an_illegal_answer() {
    let mut scene = Scene::new(&PATIENT);
    let state = scene.h.hear_turn();
    scene.h.send(b"\x00\xff\xfe\x01\x80\x7f\n");
    scene.h.hear_remark("try again: expected two numbers");
    assert_eq!(scene.h.hear(), state);
    scene.h.send(&[0xff; 300]);
    scene.h.send(b"\r\n\0\n");
    for _ in 0..2 {
        scene.h.hear_remark("try again");
        assert_eq!(scene.h.hear(), state);
    }
    scene.others_are_not_delayed();
    assert_eq!(scene.end(), "disconnected");
}

#[test]
fn many_lines_at_once_are_answered_in_order() {
    let mut scene = Scene::new(&PATIENT);
    scene.h.hear_turn();
    // Two of these squares are free whatever a has done. The other answers are out of
    // turn or illegal, ten times in a row in the end.
    let lines = "0 0\n0 1\n".repeat(40);
    scene.h.send(lines.as_bytes());
    scene
        .h
        .hear_until(|line| line.contains("h forfeits: 10 illegal answers in a row"));
    scene.server.game_of("b", "c");
    assert_eq!(scene.end(), "illegal-answers");
}

#[test]
fn an_endless_flood_of_lines_loses() {
    let mut scene = Scene::new(&PATIENT);
    scene.h.hear_turn();
    let mut flood = scene.h.stream.try_clone().unwrap();
    let flooding = spawn(move || {
        // Until the server closes the connection.
        while flood.write_all(&b"0 0\n".repeat(1000)).is_ok() {}
    });
    scene.server.game_of("b", "c");
    scene.server.game_of("a", "h");
    scene
        .h
        .hear_until(|line| line.contains("illegal answers in a row"));
    flooding.join().unwrap();
    assert_eq!(scene.end(), "illegal-answers");
}

/// A server with two threads, which as many endless senders could hold.
fn server_with_two_threads(options: &[&str]) -> Server {
    let mut command = santorini(&[]);
    command.env("TOKIO_WORKER_THREADS", "2");
    Server::start_new(command, "127.0.0.1:0", options)
}

/// Sends bytes until the server closes the connection.
fn flood(mut stream: TcpStream) {
    while stream.write_all(&[b'x'; 1 << 16]).is_ok() {}
}

#[test]
fn lines_without_end_hold_up_no_game_and_no_clock() {
    let options = ["--bots", "5", "--answer-time", "1", "--return-time", "0.1"];
    let server = server_with_two_threads(&options);
    let endless = ["x", "y", "z"].map(|name| {
        let mut bot = server.enter(name);
        spawn(move || {
            bot.hear_turn();
            flood(bot.stream)
        })
    });
    let begin = Instant::now();
    for bot in server.decent(&["a", "b"]) {
        bot.join().unwrap();
    }
    let seconds = begin.elapsed().as_secs();
    assert!(seconds < 30, "{seconds} s");
    assert_eq!(server.game_of("a", "b").ending, "win");
    for sender in endless {
        sender.join().unwrap();
    }
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn floods_of_refused_bots_hold_up_no_game_and_fill_no_log() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let options = ["--bots", "2", "--rounds", "10", "--log"];
    let options = [&options[..], &[log.path().to_str().unwrap()]].concat();
    let server = server_with_two_threads(&options);
    let refused = (0..8).map(|_| {
        let mut bot = server.connect();
        bot.say("Draw");
        spawn(|| flood(bot.stream))
    });
    let refused: Vec<JoinHandle<()>> = refused.collect();
    for bot in server.decent(&["a", "b"]) {
        bot.join().unwrap();
    }
    for sender in refused {
        sender.join().unwrap();
    }
    assert_eq!(server.end().0, Some(0));
    let text = std::fs::read_to_string(log.path()).unwrap();
    let lines = text.lines().filter(|line| line.contains(" 127.0.0.1 -> "));
    assert_eq!(lines.count(), 8, "only their names");
}

#[test]
fn answers_may_arrive_byte_by_byte() {
    let mut scene = Scene::new(&PATIENT);
    let state = scene.h.hear_turn();
    let free = if state.contains("[\"a\",[5,5") {
        "5 4\r\n"
    } else {
        "5 5\r\n"
    };
    for byte in free.bytes() {
        scene.h.send(&[byte]);
        sleep(Duration::from_millis(15));
    }
    let placed = format!("[\"h\",[{}]]", free.trim_end().replace(' ', ","));
    let state = scene.h.hear_state("placeWorker", "a");
    assert!(state.contains(&placed), "{state}");
    scene.others_are_not_delayed();
    assert_eq!(scene.end(), "disconnected");
}

#[test]
fn leaving_at_any_stage_forfeits_the_game() {
    for answers in 0..=3 {
        let mut scene = Scene::new(&PATIENT);
        scene.h.hear_state("placeWorker", "a");
        for _ in 0..answers {
            let state = scene.h.hear_turn();
            let answer = legal_answer(&state);
            scene.h.say(&answer);
        }
        if answers == 2 {
            // Only the sending side is closed; the server can still send.
            scene.h.stream.shutdown(Shutdown::Write).unwrap();
            scene.h.hear_until(|line| line.starts_with("[\"gameOver\""));
        }
        assert_eq!(scene.end(), "disconnected");
    }
}

/// A legal answer to a state that names h.
fn legal_answer(state: &str) -> String {
    let ServerMessage::State(seen) = ServerMessage::read(state, "h").unwrap() else {
        panic!("{state}");
    };
    let answer = Strategy::random(Some(1)).answer(&seen).unwrap();
    answer.unwrap().to_string()
}

#[test]
fn leaving_both_at_once_is_a_draw_or_one_loss() {
    let server = Server::start(&PATIENT);
    let mut a = server.enter("a");
    let b = server.enter("b");
    a.hear_turn();
    drop((a, b));
    let game = server.game_of("a", "b");
    assert_eq!(game.ending, "disconnected");
    // If the server notices one of them first, that one has lost.
    assert!(game.why.unwrap().contains("ended"));
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn a_bot_that_does_not_read_loses() {
    let server = Server::start(&["--bots", "4", "--tries", "1000", "--return-time", "0.1"]);
    let decent = server.decent(&["a", "b", "c"]);
    let mut h = server.connect_narrow();
    h.say("h");
    server.notice("h is here");
    // Each line causes a remark and a state, which are never read.
    h.stream
        .set_write_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    wait_until("the server to cut h off", || {
        match h.stream.write_all(b"7 7\n") {
            Ok(()) => false,
            Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        }
    });
    assert_eq!(server.game_of("a", "h").ending, "not-reading");
    for bot in decent {
        assert!(bot.join().unwrap().contains("4. h 0"));
    }
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn a_flood_between_games_ends_the_connection() {
    let server = Server::start(&["--bots", "3"]);
    let mut h = server.enter("h");
    h.stream.set_write_timeout(Some(HANG)).unwrap();
    // Writing may fail in the middle.
    let _ = h.stream.write_all(&[b'\n'; 1 << 22]);
    server.notice("h (more than 65536 bytes arrived without a question) left");
    let mut h = server.enter("h");
    h.send(&[b'\n'; 70_000]);
    h.hear_remark("more than 65536 bytes arrived without a question; connect again to go on");
    drop(h);
    let decent = server.decent(&["a", "b", "c"]);
    for bot in decent {
        assert!(!bot.join().unwrap().contains("h"));
    }
}

#[test]
fn time_does_not_count_while_the_server_is_stopped() {
    let server = Server::start(&["--answer-time", "5"]);
    let mut first = server.enter("first");
    let second = server.decent(&["second"]);
    first.hear_turn();
    signal(server.program.id(), Signal::SIGSTOP);
    sleep(Duration::from_secs(6));
    signal(server.program.id(), Signal::SIGCONT);
    // By now the game would be forfeited.
    sleep(Duration::from_millis(300));
    // It gets the state once more.
    first.say("pardon?");
    first.play();
    for bot in second {
        bot.join().unwrap();
    }
    let ending = server.game_of("first", "second").ending;
    assert!(!ending.contains("time"), "{ending}");
}
