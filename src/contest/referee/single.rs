//! Single questions to a player program, outside a game.

use std::sync::atomic::AtomicBool;

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
        let answer = self.ask(&write_board(position), stop)?;
        match judge(position, &answer.value) {
            Ok((turn, _)) => Ok(turn),
            Err(broken) => Err(self.illegal(broken.to_string())),
        }
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
        let placed = match first {
            None => {
                let cards = [own, other];
                let answer = self.ask(&setup::first_question(cards), stop)?.value;
                setup::judge_first(&answer, cards)
            }
            Some(first) => {
                let cards = [other, own];
                let answer = self.ask(&setup::second_question(first, cards), stop)?.value;
                setup::judge_second(&answer, first, cards).map(|board| board.placement(Side::Other))
            }
        };
        placed.map_err(|reason| self.illegal(format!("the placement is wrong: {reason}")))
    }
}
