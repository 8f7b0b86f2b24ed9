//! The text protocol for engines, line by line.

use std::time::{Duration, Instant};

use santorini::rules::{Position, Turn};

use crate::program::{Program, run, santorini, success};

const BOARD: &str = "00000/00010/00000/00000/00000 b3d3 c2c4 1";

/// A search of days.
const LONG: &str = "go nodes 1000000000000";

/// A board on which the player to move wins at once.
const WIN: &str = "23000/22000/00000/00000/00000 a1b2 e4e5 8";

/// All output lines for these input lines.
fn answers(lines: &str) -> Vec<String> {
    let output = run(&["uci", "--threads", "1", "--hash", "8"], lines);
    assert!(output.stderr.is_empty());
    let text = success(&output);
    text.lines().map(String::from).collect()
}

/// The turn of a `bestmove` line, which must be legal.
fn best(line: &str, board: &str) -> Turn {
    let position: Position<5> = board.parse().unwrap();
    let text = line.strip_prefix("bestmove ").unwrap();
    let turn = Turn::parse::<5>(text).unwrap();
    assert!(position.turns().contains(&turn), "{line}");
    turn
}

/// An interactive session.
struct Talk(Program);

impl Talk {
    fn new() -> Self {
        Self(Program::start(santorini(&[
            "uci",
            "--threads",
            "1",
            "--hash",
            "8",
        ])))
    }

    fn say(&mut self, line: &str) {
        self.0.send(format!("{line}\n").as_bytes());
    }

    /// Reads lines up to one with this beginning.
    fn hear(&self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.0.line());
            if lines.last().is_some_and(|line| line.starts_with(beginning)) {
                return lines;
            }
        }
    }
}

#[test]
fn a_session_from_a_file_is_the_same_every_time() {
    let lines = format!(
        "uci\nisready\nsetoption name MultiPV value 2\nposition board {BOARD}\ngo nodes 3000\n"
    );
    let said = answers(&lines);
    assert!(said[0].starts_with("id name Santorini "));
    let options = said.iter().filter(|line| line.starts_with("option name "));
    assert_eq!(options.count(), 4);
    let place = |line: &str| said.iter().position(|said| said == line).unwrap();
    assert!(place("uciok") < place("readyok"));
    let infos: Vec<&String> = said
        .iter()
        .filter(|line| line.starts_with("info "))
        .collect();
    assert!(infos.len() > 4 && infos.len().is_multiple_of(2), "{said:?}");
    for (index, info) in infos.iter().enumerate() {
        let words: Vec<&str> = info.split(' ').collect();
        assert_eq!(words[..4], ["info", "depth", words[2], "multipv"]);
        assert_eq!(words[4], ["1", "2"][index % 2]);
        assert_eq!((words[5], words[6]), ("score", "cl"));
        assert!(words[7].parse::<i32>().is_ok());
        let keys = [words[8], words[10], words[12], words[14]];
        assert_eq!(keys, ["nodes", "nps", "time", "pv"]);
    }
    let last = infos[infos.len() - 2];
    let turn = best(said.last().unwrap(), BOARD);
    assert!(
        last.contains(&format!(" pv {}", turn.text::<5>())),
        "{last}"
    );
    let without_times = |said: &[String]| -> Vec<String> {
        let fixed = said
            .iter()
            .map(|line| line.split(" nps ").next().unwrap().to_string());
        fixed.collect()
    };
    assert_eq!(without_times(&answers(&lines)), without_times(&said));
}

#[test]
fn every_stage_of_a_game_has_an_answer() {
    let said = answers("position startpos moves b3d3\ngo movetime 50\n");
    let placed = said[0].strip_prefix("bestmove ").unwrap();
    assert!(
        placed.len() == 4 && !placed.contains("b3") && !placed.contains("d3"),
        "{placed}"
    );
    let said = answers(&format!("position board {WIN}\ngo depth 3\n"));
    assert!(said[0].contains(" score win 1 "), "{said:?}");
    assert!(best(said.last().unwrap(), WIN).wins());
    let other = "00000/01200/00320/00000/00000 c2d4 a1a5 6";
    let two = answers(&format!(
        "position board {WIN}\ngo depth 3\nposition board {other}\ngo nodes 500\n"
    ));
    let bests = two.iter().filter(|line| line.starts_with("bestmove "));
    let boards = [WIN, other];
    assert_eq!(bests.clone().count(), 2, "{two:?}");
    assert!(
        bests
            .zip(boards)
            .all(|(line, board)| best(line, board).wins())
    );
    let over = answers("position board 04440/44444/44444/44444/00444 a1e1 a5b5 9\ngo depth 3\n");
    assert_eq!(over, ["bestmove none"]);
    // A placement outside the book has the limits of a turn. Without a limit each takes 2 s.
    let begun = Instant::now();
    let placed = answers(&"position startpos 6 moves b3d3\ngo nodes 1\n".repeat(10));
    assert_eq!(placed, [&placed[0][..]; 10]);
    assert!(begun.elapsed() < Duration::from_secs(20), "{placed:?}");
    let six = answers("position startpos 6 moves b3d3 c2f6\ngo nodes 500\nquit\n");
    assert!(six.last().unwrap().starts_with("bestmove "), "{six:?}");
    let shown = answers("position startpos Pan Atlas moves b3d3 c2c4\nd\n");
    assert!(
        shown.last().unwrap().ends_with("b3d3 c2c4 0 Pan Atlas"),
        "{shown:?}"
    );
}

#[test]
fn an_endless_search_answers_when_stopped() {
    let mut talk = Talk::new();
    talk.say(&format!("position board {BOARD}"));
    talk.say("go infinite");
    talk.hear("info depth 3 ");
    talk.say("isready");
    talk.hear("readyok");
    talk.say("go nodes 5");
    let refused = talk.hear("info string");
    assert!(
        refused.last().unwrap().contains("use stop first"),
        "{refused:?}"
    );
    talk.say("stop");
    let told = talk.hear("bestmove ");
    best(told.last().unwrap(), BOARD);
    // A `stop` without a search does nothing, the next search is answered, and `quit` ends an
    // endless one.
    talk.say("stop");
    talk.say("go nodes 500");
    talk.hear("bestmove ");
    talk.say("go");
    talk.say("quit");
    talk.hear("bestmove ");
    assert_eq!(talk.0.wait(), Some(0));
}

#[test]
fn commands_are_read_while_others_wait_for_a_search() {
    let mut talk = Talk::new();
    talk.say(&format!("position board {BOARD}"));
    talk.say(LONG);
    talk.hear("info depth 3 ");
    talk.say(&format!("position board {WIN}"));
    talk.say(LONG);
    talk.say("isready");
    let before = talk.hear("readyok");
    assert!(before.iter().all(|line| !line.starts_with("bestmove")));
    talk.say("stop");
    best(talk.hear("bestmove ").last().unwrap(), BOARD);
    best(talk.hear("bestmove ").last().unwrap(), WIN);
    talk.say(LONG);
    talk.say("setoption name MultiPV value 2");
    talk.say(LONG);
    talk.say("quit");
    for _ in 0..2 {
        talk.hear("bestmove ");
    }
    assert_eq!(talk.0.wait(), Some(0));
}

#[test]
fn a_position_during_an_endless_search_is_for_the_next_one() {
    let mut talk = Talk::new();
    talk.say(&format!("position board {BOARD}"));
    talk.say("go infinite");
    talk.hear("info depth 3 ");
    talk.say(&format!("position board {WIN}"));
    talk.say("stop");
    best(talk.hear("bestmove ").last().unwrap(), BOARD);
    talk.say("go depth 2");
    assert!(best(talk.hear("bestmove ").last().unwrap(), WIN).wins());
}

#[test]
fn a_proved_win_waits_for_stop_too() {
    let mut talk = Talk::new();
    talk.say(&format!("position board {WIN}"));
    talk.say("go infinite");
    talk.hear("info depth");
    talk.say("isready");
    let before = talk.hear("readyok");
    assert!(
        before.iter().all(|line| !line.starts_with("bestmove")),
        "{before:?}"
    );
    talk.say("stop");
    talk.hear("bestmove ");
}

#[test]
fn the_end_of_the_input_ends_every_search() {
    let endless = answers(&format!("position board {BOARD}\ngo infinite\n"));
    best(endless.last().unwrap(), BOARD);
    let cut = answers(&format!("position board {BOARD}\ngo nodes 2000"));
    best(cut.last().unwrap(), BOARD);
    assert!(answers("").is_empty());
}

#[test]
fn no_search_answers_after_a_refused_position() {
    let said = answers(&format!(
        "position board {BOARD}\nposition board {BOARD} moves a1-a2+a3\nd\ngo nodes 300\n\
         position board {BOARD}\ngo nodes 300\n"
    ));
    assert!(said[0].contains("a1-a2+a3"), "{said:?}");
    assert!(said[1].contains("no board"), "{said:?}");
    assert!(said[2].contains("no board"), "{said:?}");
    assert_eq!(said[3], "bestmove none");
    best(said.last().unwrap(), BOARD);
}

#[test]
fn invalid_input_is_named_and_changes_nothing() {
    let long = "x".repeat(100_000);
    let said = answers(&format!(
        "dance\nposition board 9/9 a1\nposition board {BOARD}\n{long}\n\u{7}\ngo nodes 0\ngo nodes 300\n"
    ));
    let errors: Vec<&String> = said
        .iter()
        .filter(|line| line.contains("error: "))
        .collect();
    assert_eq!(errors.len(), 5, "{said:?}");
    assert!(errors[0].contains("unknown command \"dance\""));
    assert!(errors[1].contains("is not a position"));
    assert!(errors[2].contains("more than 65536 bytes"));
    assert!(
        errors
            .iter()
            .all(|line| line.len() < 400 && !line.contains('\u{7}'))
    );
    best(said.last().unwrap(), BOARD);
}
