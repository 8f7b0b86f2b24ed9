//! The protocol, line by line, and the transcript in its guide, byte for byte.

use super::harness::{Bot, Server};

const GUIDE: &str = include_str!("../../src/games/protocol/TCP.txt");

/// The lines of the transcript in the guide: the bot (`ann`, `bob`, `both`), whether the
/// line goes to the server, and the line.
fn transcript() -> Vec<(&'static str, bool, &'static str)> {
    let lines = GUIDE.lines().filter_map(|line| {
        let (who, rest) = line.trim_start().split_once(' ')?;
        let (direction, text) = rest.trim_start().split_once(' ')?;
        let known = ["ann", "bob", "both"].contains(&who) && [">", "<"].contains(&direction);
        known.then_some((who, direction == ">", text))
    });
    lines.collect()
}

#[test]
fn the_transcript_in_the_guide_is_exact() {
    let lines = transcript();
    assert!(lines.len() > 30, "the guide has a whole game: {lines:?}");
    let server = Server::start(&["--bots", "2"]);
    let mut ann = server.connect();
    let mut bob = server.connect();
    for (who, sent, text) in lines {
        let bots: Vec<&mut Bot> = match who {
            "ann" => vec![&mut ann],
            "bob" => vec![&mut bob],
            _ => vec![&mut ann, &mut bob],
        };
        for bot in bots {
            if !sent {
                assert_eq!(bot.hear(), format!("{text}\n"), "to {who}");
            } else {
                bot.say(text);
                // The first to enter moves first.
                if text == "ann" {
                    server.notice("ann is here");
                }
            }
        }
    }
    assert_eq!(
        [ann.hear(), bob.hear()],
        ["", ""],
        "the connections are closed"
    );
    drop((ann, bob));
    let (code, table) = server.end();
    assert_eq!(code, Some(0));
    assert!(table.contains("1  ann     1.0      1     1"), "{table}");
}

/// Two bots in a new game, the first one to place.
fn two(server: &Server) -> [Bot; 2] {
    let mut bots = [server.enter("a"), server.enter("b")];
    for bot in &mut bots {
        bot.hear_state("placeWorker", "a");
    }
    bots
}

/// Two bots after all placements, the first one to move.
fn placed(server: &Server) -> [Bot; 2] {
    let mut bots = two(server);
    let next = [
        ("placeWorker", "b"),
        ("placeWorker", "a"),
        ("placeWorker", "b"),
        ("moveWorker", "a"),
    ];
    for (index, (space, (status, turn))) in
        ["1 1", "4 4", "1 3", "4 2"].iter().zip(next).enumerate()
    {
        bots[index % 2].say(space);
        for bot in &mut bots {
            bot.hear_state(status, turn);
        }
    }
    bots
}

#[test]
fn placement_alternates_and_a_turn_is_a_move_then_a_build() {
    let server = Server::start(&[]);
    let [mut a, mut b] = placed(&server);
    a.say("1 1 2");
    let state = a.hear_state("build", "a");
    assert!(
        state.ends_with(",[\"a\",[1,2,1,3]],[\"b\",[4,4,4,2]]]\n"),
        "{state}"
    );
    assert_eq!(b.hear(), state);
    a.say("0 1");
    let state = a.hear_state("moveWorker", "b");
    assert!(
        state.contains("[[0,0,0,0,0,0],[1,0,0,0,0,0],"),
        "floors[1][0]: {state}"
    );
    assert_eq!(b.hear(), state);
    b.say("2 4 3");
    b.hear_state("build", "b");
    drop(b);
    a.hear_state("build", "b");
    a.hear_remark("b forfeits: the connection ended");
    a.hear_state("gameOver", "a");
    a.hear_remark("final table: 1. a 1, 2. b 0");
    assert_eq!(a.hear(), "");
}

#[test]
fn an_illegal_answer_is_refused_and_asked_again() {
    let server = Server::start(&[]);
    let [mut a, mut b] = placed(&server);
    for (answer, why) in [
        ("1 3 3", "not next to"),
        ("3 1 1", "expected three numbers"),
        ("1 2", "expected three numbers"),
        ("hello", "expected three numbers"),
        ("", "expected three numbers"),
        ("1 1 1", "not next to"),
    ] {
        a.say(answer);
        a.hear_remark("try again: ");
        let state = a.hear_state("moveWorker", "a");
        assert!(state.contains("[1,1,1,3]"), "{why}: {state}");
    }
    // The opponent gets nothing but the next state.
    a.say("1 2 2");
    b.hear_state("build", "a");
    a.hear_state("build", "a");
    a.say("2 2");
    a.hear_remark("try again: a worker stands on 2 2");
    a.hear_state("build", "a");
}

#[test]
fn too_many_illegal_answers_in_a_row_lose() {
    let server = Server::start(&["--tries", "3"]);
    let [mut a, mut b] = two(&server);
    // A legal answer in between resets the count.
    for _ in 0..2 {
        a.say("6 6");
        a.hear_remark("try again");
        a.hear_state("placeWorker", "a");
    }
    a.say("0 0");
    a.hear_state("placeWorker", "b");
    b.hear_state("placeWorker", "b");
    for _ in 0..2 {
        b.say("0 0");
        b.hear_remark("try again: a worker stands on 0 0");
        b.hear_state("placeWorker", "b");
    }
    b.say("0 0");
    b.hear_remark("b forfeits: 3 illegal answers in a row, the last one: a worker stands on 0 0");
    b.hear_state("gameOver", "a");
    assert_eq!(server.game_of("a", "b").ending, "illegal-answers");
}

#[test]
fn an_answer_out_of_turn_changes_nothing() {
    let server = Server::start(&[]);
    let [mut a, mut b] = two(&server);
    b.say("3 3");
    b.hear_remark("try again: it is not your turn");
    b.hear_state("placeWorker", "a");
    a.say("3 3");
    a.hear_state("placeWorker", "b");
    b.hear_state("placeWorker", "b");
}

#[test]
fn a_line_may_end_with_crlf() {
    let server = Server::start(&[]);
    let mut a = server.connect();
    a.send(b"a\r\n");
    server.notice("a is here");
    let mut b = server.enter("b");
    a.hear_state("placeWorker", "a");
    b.hear_state("placeWorker", "a");
    a.send(b"0 0\r\n");
    a.hear_state("placeWorker", "b");
}

#[test]
fn answers_sent_together_are_played_in_order() {
    let server = Server::start(&[]);
    let [mut a, mut b] = placed(&server);
    a.send(b"1 1 2\n0 1\n");
    a.hear_state("build", "a");
    let state = a.hear_state("moveWorker", "b");
    assert!(state.contains("[1,0,0,0,0,0]"));
    b.hear_state("build", "a");
    b.hear_state("moveWorker", "b");
}

#[test]
fn illegal_tries_do_not_extend_the_answer_time() {
    let server = Server::start(&["--answer-time", "1.5"]);
    let [mut a, mut b] = two(&server);
    a.say("9 9");
    a.hear_remark("try again");
    a.hear_state("placeWorker", "a");
    a.hear_remark("a forfeits: no legal answer within 1.5s");
    a.hear_state("gameOver", "b");
    b.hear_remark("a forfeits");
    b.hear_state("gameOver", "b");
    b.hear_remark("final table: 1. b 1, 2. a 0");
    assert_eq!(server.game_of("a", "b").ending, "time-out");
}
