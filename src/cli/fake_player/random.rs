//! A player of random legal turns.

use rand::RngExt;
use serde_json::Value;

use crate::protocol::exchange::{read_board, read_setup, write_board, write_setup};
use crate::rules::{Position, Setup, Square, Turn};
use crate::seeds::{SeededRng, seeded};

/// Answers questions of the exchange protocol at random.
pub(super) struct RandomPlayer {
    rng: SeededRng,
    wins: bool,
}

impl RandomPlayer {
    /// A player whose turns depend only on the seed. With `wins` it wins at once if it
    /// can.
    pub(super) fn new(seed: u64, wins: bool) -> Self {
        Self {
            rng: seeded(seed),
            wins,
        }
    }

    /// The answer to a set-up array or a board.
    ///
    /// # Errors
    /// If the question is neither, or the board has no legal turn.
    pub(super) fn answer(&mut self, question: &Value) -> Result<Value, String> {
        if question.is_array() {
            let setup = read_setup::<5>(question).map_err(|error| error.to_string())?;
            return Ok(self.place(&setup));
        }
        let position: Position<5> = read_board(question).map_err(|error| error.to_string())?;
        let turn = self.turn(&position).ok_or("no turn is left")?;
        Ok(write_board(&position.play(turn)))
    }

    /// The board after a winning turn and a build, which is illegal; `None` if the
    /// question is not a board, or no turn wins.
    pub(super) fn built_win(&self, question: &Value) -> Option<Value> {
        let position: Position<5> = read_board(question).ok()?;
        let mut board = write_board(&position.play(position.win()?));
        let levels = board.get_mut("spaces")?.as_array_mut()?;
        let mut levels = levels.iter_mut().filter_map(Value::as_array_mut).flatten();
        let empty = levels.find(|level| **level == 0)?;
        *empty = 1.into();
        Some(board)
    }

    fn place(&mut self, setup: &Setup) -> Value {
        let taken = match setup {
            Setup::First { .. } => Vec::new(),
            Setup::Second { first, .. } => first.to_vec(),
        };
        let mut free: Vec<Square> = (0..25).map(Square::new).collect();
        free.retain(|square| !taken.contains(square));
        let first = free.swap_remove(self.rng.random_range(0..free.len()));
        let second = free.swap_remove(self.rng.random_range(0..free.len()));
        write_setup::<5>(setup, [first, second])
    }

    fn turn(&mut self, position: &Position<5>) -> Option<Turn> {
        if let Some(win) = position.win().filter(|_| self.wins) {
            return Some(win);
        }
        let turns = position.turns();
        (!turns.is_empty()).then(|| turns[self.rng.random_range(0..turns.len())])
    }
}
