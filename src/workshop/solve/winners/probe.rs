//! Probes solved games for the winner of a position and its winning turns.

use super::slab::{SlabName, Slabs};
use super::solver::WinnersSolver;
use crate::jobs::Jobs;
use crate::solve::file::WinnersFile;
use crate::solve::game::SmallGame;
use crate::solve::parts::PartSolver;
use crate::solve::placements::{all_placements, is_first};
use crate::solve::run::SolveError;
use crate::solve::shape::SquareSet;
use crate::solve::state::SmallState;
use crate::solve::storage::Storage;
use crate::solve::turns::SmallTurn;

/// Looks up states in a file of winners.
pub struct WinnerProber<'a> {
    game: &'a SmallGame,
    file: &'a WinnersFile,
    solver: WinnersSolver<'a>,
    /// The slabs loaded so far.
    slabs: Slabs,
}

/// A turn, and whether it wins for the player who plays it.
#[derive(Clone, Copy, Debug)]
pub struct WonTurn {
    /// The turn itself.
    pub turn: SmallTurn,
    /// Whether the player who plays it wins with best play.
    pub wins: bool,
}

/// A placement of the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacementWinner {
    /// The squares of the first player's workers.
    pub first: SquareSet,
    /// The number of replies that win for the second player, and of all replies.
    pub lost_to: [u32; 2],
}

impl<'a> WinnerProber<'a> {
    /// Opens a finished file.
    ///
    /// # Errors
    /// If it cannot be read or is not finished.
    pub fn new(file: &'a WinnersFile, jobs: Jobs<'a>) -> Result<Self, SolveError> {
        file.check_finished()?;
        Ok(Self {
            game: file.game(),
            file,
            solver: WinnersSolver::new(file.game(), jobs),
            slabs: Slabs::new(),
        })
    }

    /// Whether the player to move wins.
    ///
    /// # Errors
    /// If the file does not keep the layer of the state, or is damaged.
    pub fn wins(&mut self, state: &SmallState) -> Result<bool, SolveError> {
        let name = self.solver.name_of(state);
        self.load(name)?;
        Ok(self.solver.wins(&self.slabs[&name], state))
    }

    /// All turns, winning ones first. Only one of several turns to the same state is
    /// returned.
    ///
    /// # Errors
    /// As [`Self::wins`].
    pub fn turns(&mut self, state: &SmallState) -> Result<Vec<WonTurn>, SolveError> {
        let mut turns = Vec::new();
        for turn in state.distinct_turns(self.game) {
            let wins = turn.wins() || !self.wins(&state.after(&turn, self.game))?;
            turns.push(WonTurn { turn, wins });
        }
        turns.sort_by_key(|turn| !turn.wins);
        Ok(turns)
    }

    /// The placements of the first player up to symmetry, sorted by the number of replies
    /// they lose to.
    ///
    /// # Errors
    /// As [`Self::wins`].
    pub fn placements(&mut self) -> Result<Vec<PlacementWinner>, SolveError> {
        let game = self.game;
        let mut found = Vec::new();
        for first in all_placements(game).filter(|&placement| is_first(game, placement)) {
            let mut lost_to = [0; 2];
            for second in all_placements(game).filter(|&second| first & second == 0) {
                let wins = self.wins(&SmallState::start([first, second]))?;
                lost_to[0] += u32::from(!wins);
                lost_to[1] += 1;
            }
            found.push(PlacementWinner { first, lost_to });
        }
        found.sort_by_key(|placement| placement.lost_to[0]);
        Ok(found)
    }

    fn load(&mut self, name: SlabName) -> Result<(), SolveError> {
        if self.slabs.contains_key(&name) {
            return Ok(());
        }
        if name.total > self.file.kept() {
            return Err(SolveError::NotKept {
                total: name.total,
                kept: self.file.kept(),
            });
        }
        let index = self.solver.index(name)?;
        let slab = self.file.part(index, &Storage::Memory)?;
        self.slabs.insert(name, slab);
        Ok(())
    }
}
