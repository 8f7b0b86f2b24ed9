//! Time limits.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::{Game, command, fake, finish, loses, referee};
use crate::place::players_of;
use crate::program::{Program, Signal, signal, wait_until};

#[test]
fn silence_is_a_stall() {
    let kinds = ["never", "deaf", "flood-stderr", "daemon", "stubborn"];
    let words = "Error: Ada sent no answer in ";
    std::thread::scope(|scope| {
        for kind in kinds {
            scope.spawn(move || loses(&["--time", "0.3"], &fake(kind), words));
        }
    });
}

#[test]
fn a_late_or_unfinished_answer_is_a_time_out() {
    loses(
        &["--time", "0.3"],
        &fake("late --seconds 0.35"),
        "Error: Ada answered too late: after ",
    );
    loses(
        &["--time", "2"],
        &fake("partial"),
        "Error: Ada sent only part of its answer within 2 s",
    );
}

/// A game whose referee is stopped for this long while Ada is thinking.
fn stopped_referee(seconds: f64, first: &str, second: &str) -> Game {
    let program = Program::start(command(&["--time", "1"], first, second));
    let id = program.id();
    wait_until("a player", || !players_of(id).is_empty());
    signal(id, Signal::SIGSTOP);
    sleep(Duration::from_secs_f64(seconds));
    signal(id, Signal::SIGCONT);
    finish(program)
}

#[test]
fn time_does_not_count_while_the_referee_is_stopped() {
    let game = stopped_referee(2.5, &fake("late --seconds 0.3"), &fake("crash --after 1"));
    let words = "Error: Bob exited without an answer";
    assert!(game.commentary.contains(words), "{}", game.commentary);
}

#[test]
fn a_late_player_loses_though_the_referee_was_stopped() {
    let game = stopped_referee(0.5, &fake("never"), &fake("random"));
    let words = "Error: Ada sent no answer in ";
    assert!(game.commentary.contains(words), "{}", game.commentary);
}

#[test]
fn the_first_answer_may_have_more_time() {
    let slow = format!("sh -c 'sleep 3; exec {}'", fake("random"));
    let late = referee(&["--time", "1"], &slow, &fake("random"));
    assert!(
        late.commentary.contains("starting counts, too"),
        "{}",
        late.commentary
    );
    let options = ["--time", "1", "--start-time", "60"];
    let game = referee(&options, &slow, &fake("random"));
    assert!(!game.commentary.contains("Error"), "{}", game.commentary);
}

/// Writes its SANTORINI_TIME to standard error, and then plays.
fn talkative() -> String {
    format!(
        "sh -c 'echo told $SANTORINI_TIME >&2; exec {}'",
        fake("random")
    )
}

#[test]
fn players_are_told_their_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stderr");
    let log = ["--stderr", file.to_str().unwrap()];
    for (time, told) in [(&["--time", "7.5"][..], "told 7.5\n"), (&[], "told\n")] {
        let _ = fs::remove_file(&file);
        let options = [&log[..], time].concat();
        let game = referee(&options, &talkative(), &talkative());
        assert_eq!(game.code, Some(0), "{}", game.commentary);
        let mut said: Vec<String> = ["Ada", "Bob"].map(|name| format!("{name}: {told}")).into();
        let text = fs::read_to_string(&file).unwrap();
        said.retain(|line| !text.contains(line));
        assert!(said.is_empty() && text.lines().count() == 2, "{text}");
    }
}
