//! Single questions to a player program, each with its answer judged.

use std::fmt::Display;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::setup;
use crate::program::{Player, Termination};
use crate::protocol::exchange::write_board;
use crate::rules::{Cards, Placement, Position, Side, Turn};
use crate::verdict::judge;

impl Player {
    /// Asks for a turn on the board. Like all questions this starts a program that was never
    /// started, but not one that has ended: see [`Player::start`].
    ///
    /// # Errors
    /// The program's fault, if it does not answer with a legal turn.
    pub fn turn<const N: usize>(
        &mut self,
        position: &Position<N>,
        stop: &AtomicBool,
    ) -> Result<Turn, Termination> {
        let question = write_board(position);
        let ((turn, _), _) = self.judged(&question, stop, |answer| judge(position, answer))?;
        Ok(turn)
    }

    /// Asks for a placement: as the second player if `first` is given, otherwise as the
    /// first. The cards are its own and the opponent's.
    ///
    /// # Errors
    /// The program's fault, if it does not answer with a legal placement.
    pub fn place(
        &mut self,
        [own, other]: Cards,
        first: Option<Placement>,
        stop: &AtomicBool,
    ) -> Result<Placement, Termination> {
        if let Some(first) = first {
            let cards = [other, own];
            let question = setup::second_question(first, cards);
            let judge = |answer: &Value| setup::judge_second(answer, first, cards);
            let (board, _) = self.judged(&question, stop, judge)?;
            return Ok(board.placement(Side::Other));
        }
        let cards = [own, other];
        let question = setup::first_question(cards);
        let judge = |answer: &Value| setup::judge_first(answer, cards);
        Ok(self.judged(&question, stop, judge)?.0)
    }

    /// Asks the question. Returns what `judge` makes of the answer, and the time in seconds.
    ///
    /// # Errors
    /// The program's fault. An error of `judge` makes the answer illegal.
    pub(super) fn judged<T, E: Display>(
        &mut self,
        question: &Value,
        stop: &AtomicBool,
        judge: impl FnOnce(&Value) -> Result<T, E>,
    ) -> Result<(T, f64), Termination> {
        let answer = self.ask(question, stop)?;
        let judged = judge(&answer.value).map_err(|wrong| self.illegal(wrong.to_string()))?;
        Ok((judged, answer.time.as_secs_f64()))
    }
}
