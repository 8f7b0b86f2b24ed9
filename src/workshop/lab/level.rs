//! A playing strength for people as an agent of the laboratory.

use std::sync::atomic::AtomicBool;

use super::agent::{Agent, Board, Fault};
use crate::levels::{Handicap, LevelPlayer};
use crate::rules::{Placement, Setup, Turn};
use crate::search::EngineOptions;

/// The transposition table in MiB, enough for the nodes of full strength.
const HASH_MIB: usize = 16;

/// Plays at a level without a clock.
pub struct LevelAgent {
    player: LevelPlayer<5>,
    never: AtomicBool,
}

impl LevelAgent {
    /// Creates an agent; its random choices depend on the seed of the handicap.
    pub fn new(handicap: Handicap) -> Self {
        let options = EngineOptions {
            hash_mib: HASH_MIB,
            ..EngineOptions::default()
        };
        Self {
            player: LevelPlayer::new(handicap, options),
            never: AtomicBool::new(false),
        }
    }
}

impl Agent for LevelAgent {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let cards = [None, None];
        let setup = match first {
            None => Setup::First { cards },
            Some(first) => Setup::Second { cards, first },
        };
        Ok(self.player.place(&setup, None, &self.never))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let turn = self.player.turn(board, None, &self.never);
        Ok(turn.expect("an agent is asked for a turn only where there is one"))
    }
}
