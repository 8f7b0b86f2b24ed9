//! One game between two player programs, from set-up to end.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//! use santorini::program::{Player, TimeLimit};
//! use santorini::referee::{GameOptions, play};
//!
//! let time = TimeLimit::announced(Duration::from_secs(30));
//! let mut first = Player::new("A", "./a".parse()?, time);
//! let mut second = Player::new("B", "./b --fast".parse()?, time);
//! let options = GameOptions::default();
//! let outcome = play([&mut first, &mut second], &options, &AtomicBool::new(false), &mut ());
//! println!("{}", outcome.message(["A", "B"]));
//! # Ok::<(), santorini::program::CommandError>(())
//! ```

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::setup;
use crate::program::{Evidence, Player, Termination};
use crate::protocol::exchange::write_board;
use crate::record::Ending;
use crate::rules::{Bitboard, Cards, Position, Side, Turn};
use crate::verdict::judge;

/// The options of a game. The default is the base game with new processes.
#[derive(Debug, Clone, Default)]
pub struct GameOptions {
    /// The cards of the first and the second player.
    pub cards: Cards,
    /// The board to start from, with its own cards; the programs are not asked to place
    /// workers. The first player makes the turns with even numbers.
    pub start: Option<Position<5>>,
    /// Whether programs keep running for the next game.
    pub reuse: bool,
}

/// A finished game. Players 0 and 1 are in the given order.
#[derive(Debug, Clone, PartialEq)]
pub struct GameOutcome {
    /// The board before the first turn; `None` if a placement failed.
    pub start: Option<Position<5>>,
    /// The legal turns.
    pub turns: Vec<Turn>,
    /// The time of each requested legal placement, in seconds.
    pub setup_seconds: Vec<f64>,
    /// The time of each legal turn, in seconds.
    pub seconds: Vec<f64>,
    /// `None` if the game was interrupted, or neither program could start.
    pub winner: Option<usize>,
    /// How the game ended: by the winner's turn or the loser's fault.
    pub ending: Termination,
    /// The evidence of the loser's fault, if any.
    pub evidence: Option<Evidence>,
}

impl GameOutcome {
    /// The player that the message names: the winner of a win, otherwise the loser.
    pub fn subject(&self) -> usize {
        match (&self.ending, self.winner) {
            (Termination::Win, Some(winner)) => winner,
            (_, Some(winner)) => 1 - winner,
            (_, None) => 0,
        }
    }

    /// One line about how the game ended.
    pub fn message(&self, names: [&str; 2]) -> String {
        self.ending.message(names[self.subject()])
    }
}

/// Follows a game as it happens. Players are 0 and 1.
pub trait Observer {
    /// Called when a player has placed its workers.
    fn placed(&mut self, _player: usize, _workers: Bitboard, _seconds: f64) {}
    /// Called after the set-up with the board before the first turn.
    fn started(&mut self, _board: &Position<5>) {}
    /// Called after a legal turn with the board that it led to.
    fn played(&mut self, _player: usize, _turn: Turn, _board: &Position<5>, _seconds: f64) {}
}

/// An observer that does nothing.
impl Observer for () {}

/// Plays one game. Setting `stop` interrupts it: even a fault is no result then, since the
/// signal that stops the referee may have reached the player.
pub fn play(
    players: [&mut Player; 2],
    options: &GameOptions,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> GameOutcome {
    let mut game = Game {
        players,
        options,
        stop,
        observer,
        outcome: GameOutcome {
            start: None,
            turns: Vec::new(),
            setup_seconds: Vec::new(),
            seconds: Vec::new(),
            winner: None,
            ending: Termination::Interrupted,
            evidence: None,
        },
    };
    let mut end = game.play().unwrap_or_else(|end| end);
    let is_on_board = matches!(end.ending, Termination::Win | Termination::NoTurnLeft);
    if !is_on_board && stop.load(Ordering::Relaxed) {
        end = End::lost_by(0, Termination::Interrupted);
        game.outcome.evidence = None;
    }
    let outcome = game.release(&end);
    GameOutcome {
        ending: end.ending,
        winner: end.winner,
        ..outcome
    }
}

/// The end of a game.
struct End {
    ending: Termination,
    winner: Option<usize>,
}

impl End {
    /// A loss of the player, or a game without a result.
    fn lost_by(player: usize, ending: Termination) -> Self {
        let winner = (ending.kind() != Ending::Interrupted).then_some(1 - player);
        Self { ending, winner }
    }
}

struct Game<'a> {
    players: [&'a mut Player; 2],
    options: &'a GameOptions,
    stop: &'a AtomicBool,
    observer: &'a mut dyn Observer,
    outcome: GameOutcome,
}

impl Game<'_> {
    /// Plays to the end of the game. An `Err` is an early end.
    fn play(&mut self) -> Result<End, End> {
        self.start()?;
        let mut board = match self.options.start {
            Some(board) => board,
            None => self.set_up()?,
        };
        self.outcome.start = Some(board);
        self.observer.started(&board);
        let mut player = board.player();
        loop {
            if !board.has_turn() {
                return Ok(End::lost_by(player, Termination::NoTurnLeft));
            }
            let turn = self.turn(player, &mut board)?;
            if turn.wins() {
                return Ok(End {
                    ending: Termination::Win,
                    winner: Some(player),
                });
            }
            player = 1 - player;
        }
    }

    fn start(&mut self) -> Result<(), End> {
        let [first, second] = &mut self.players;
        match (first.start(self.stop), second.start(self.stop)) {
            (Ok(()), Ok(())) => Ok(()),
            (Err(ending @ Termination::Shortage(_)), _)
            | (_, Err(ending @ Termination::Shortage(_))) => Err(End::lost_by(0, ending)),
            (Err(ending), Ok(())) => Err(End::lost_by(0, ending)),
            (Ok(()), Err(ending)) => Err(End::lost_by(1, ending)),
            (Err(ending), Err(other)) => Err(End {
                ending: ending.and(&other.message(second.name())),
                winner: None,
            }),
        }
    }

    /// Asks both players to place their workers.
    fn set_up(&mut self) -> Result<Position<5>, End> {
        let cards = self.options.cards;
        let question = setup::first_question(cards);
        let judge = |answer: &Value| setup::judge_first(answer, cards);
        let (first, seconds) = self.ask(0, &question, judge)?;
        self.placed(0, first.into_iter().collect(), seconds);
        let question = setup::second_question(first, cards);
        let judge = |answer: &Value| setup::judge_second(answer, first, cards);
        let (board, seconds) = self.ask(1, &question, judge)?;
        self.placed(1, board.workers(Side::Other), seconds);
        Ok(board)
    }

    fn placed(&mut self, player: usize, workers: Bitboard, seconds: f64) {
        self.outcome.setup_seconds.push(seconds);
        self.observer.placed(player, workers, seconds);
    }

    /// Asks the player for a turn, and plays it if it is legal.
    fn turn(&mut self, player: usize, board: &mut Position<5>) -> Result<Turn, End> {
        let question = write_board(board);
        let ((turn, after), seconds) =
            self.ask(player, &question, |answer| judge(board, answer))?;
        *board = after;
        self.outcome.turns.push(turn);
        self.outcome.seconds.push(seconds);
        self.observer.played(player, turn, board, seconds);
        Ok(turn)
    }

    /// Keeps the programs for the next game, or kills them.
    fn release(self, end: &End) -> GameOutcome {
        let reuse = self.options.reuse && end.ending.kind() != Ending::Interrupted;
        for (number, player) in self.players.into_iter().enumerate() {
            let at_fault = end.ending.kind().is_fault() && end.winner != Some(number);
            if reuse && !at_fault {
                player.keep();
            } else {
                player.stop();
            }
        }
        self.outcome
    }

    /// Asks the player. Returns what `judge` makes of the answer, and the time in seconds. A
    /// fault ends the game, and its evidence is saved.
    fn ask<T, E: Display>(
        &mut self,
        number: usize,
        question: &Value,
        judge: impl FnOnce(&Value) -> Result<T, E>,
    ) -> Result<(T, f64), End> {
        let player = &mut self.players[number];
        player.judged(question, self.stop, judge).map_err(|ending| {
            if ending.kind().is_fault() {
                self.outcome.evidence = Some(player.evidence());
            }
            End::lost_by(number, ending)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::program::TimeLimit;

    #[test]
    fn a_fault_in_a_stopped_game_does_not_count() {
        let time = TimeLimit::unannounced(Duration::from_secs(600));
        let player = |command: &str| Player::new("A", command.parse().unwrap(), time);
        for second in ["cat", "/nowhere/player"] {
            let [first, second] = &mut [player("/nowhere/player"), player(second)];
            let (options, stop) = (GameOptions::default(), AtomicBool::new(true));
            let outcome = play([first, second], &options, &stop, &mut ());
            assert_eq!(outcome.ending, Termination::Interrupted);
            assert_eq!((outcome.winner, outcome.evidence), (None, None));
        }
    }
}
