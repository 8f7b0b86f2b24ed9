//! A playing strength for people as an agent of the laboratory.

use std::sync::atomic::AtomicBool;

use super::agent::{Agent, Board, Fault, stopped};
use crate::levels::{Handicap, LevelPlayer};
use crate::rules::{Placement, Setup, Turn};
use crate::search::EngineOptions;

/// The transposition table in MiB, enough for the nodes of full strength.
const HASH_MIB: usize = 16;

/// Plays at a level without a clock.
pub struct LevelAgent<'a> {
    player: LevelPlayer<5>,
    stop: &'a AtomicBool,
}

impl<'a> LevelAgent<'a> {
    /// Creates an agent; its random choices depend on the seed of the handicap. Its searches
    /// end once `stop` is set.
    pub fn new(handicap: Handicap, stop: &'a AtomicBool) -> Self {
        let options = EngineOptions {
            hash_mib: HASH_MIB,
            ..EngineOptions::default()
        };
        Self {
            player: LevelPlayer::new(handicap, options),
            stop,
        }
    }
}

impl Agent for LevelAgent<'_> {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let setup = Setup::new([None, None], first);
        Ok(self.player.place(&setup, None, self.stop))
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let turn = self.player.turn(board, None, self.stop);
        turn.ok_or_else(stopped)
    }
}
