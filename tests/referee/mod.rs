//! The referee with good and misbehaving players: the game ends in time with the right
//! ending, the message names the player, and no process is left.
//!
//! | tested | where |
//! |---|---|
//! | games, cards, set-up, options | `games.rs` |
//! | players that lose by a fault, and the messages | `faults.rs` |
//! | time limits, also of a referee that is stopped | `time.rs` |
//! | no process is left; good players keep running | `processes.rs` |

mod faults;
mod games;
mod processes;
mod time;

use std::process::Command;

use crate::place::players_of;
use crate::program::{Program, SANTORINI, santorini};

struct Game {
    boards: Vec<String>,
    commentary: String,
    code: Option<i32>,
}

impl Game {
    fn last_line(&self) -> &str {
        self.commentary.lines().last().unwrap_or("")
    }
}

/// The command of a fake player of this kind.
fn fake(kind: &str) -> String {
    format!("{SANTORINI} fake-player {kind}")
}

/// Runs a game of the players `Ada=FIRST` and `Bob=SECOND`.
fn referee(options: &[&str], first: &str, second: &str) -> Game {
    finish(Program::start(command(options, first, second)))
}

fn command(options: &[&str], first: &str, second: &str) -> Command {
    let mut command = santorini(&["referee"]);
    command
        .args(options)
        .args([format!("Ada={first}"), format!("Bob={second}")])
        .env_remove("SANTORINI_TIME");
    command
}

/// Waits for the referee, and checks that none of its players is left.
fn finish(mut program: Program) -> Game {
    let code = program.wait();
    assert_eq!(players_of(program.id()), [0; 0], "players are left behind");
    let ended = program.end();
    Game {
        boards: ended.output,
        commentary: ended.errors.join("\n"),
        code,
    }
}

/// Checks that Ada loses with this message.
fn loses(options: &[&str], command: &str, words: &str) {
    let game = referee(options, command, &fake("random"));
    assert!(
        game.commentary.contains("Ada") && game.commentary.contains(words),
        "{command}: {}",
        game.commentary
    );
    assert_eq!(game.code, Some(0), "{command}: Bob has won");
}
