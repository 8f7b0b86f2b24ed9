//! Probes a solved game for the value of any state.
//!
//! Layers that the file does not keep are solved again, restricted to heights that can
//! follow the state. These are a small part of the game, since levels are only added.

use super::file::SolvedFile;
use super::game::{Heights, SmallGame};
use super::header::SolvedFileError;
use super::height_ranking::HeightRanking;
use super::layer::{LayerIndex, Layers, row_length};
use super::run::SolveError;
use super::shape::MOST_SQUARES;
use super::solver::Solver;
use super::state::SmallState;
use super::storage::Storage;
use super::turns::SmallTurn;
use super::value::ExactValue;
use crate::jobs::Jobs;

/// Looks up states of a solved game.
pub struct Prober<'a> {
    file: SolvedFile,
    ranking: HeightRanking,
    jobs: Jobs<'a>,
    /// The layer indexes computed so far, by their sum of levels.
    indexes: Vec<Option<LayerIndex>>,
    /// The last board solved again, with the layers above it.
    solved: Option<(Heights, HeightRanking, Layers)>,
}

/// A turn, and what it leads to for the player who plays it.
#[derive(Clone, Copy, Debug)]
pub struct ValuedTurn {
    /// The turn itself.
    pub turn: SmallTurn,
    /// What it leads to; `None` if it wins at once.
    pub after: Option<SmallState>,
    /// The exact value of the turn.
    pub value: ExactValue,
}

impl<'a> Prober<'a> {
    /// Opens a finished file.
    ///
    /// # Errors
    /// If it cannot be read or is not finished.
    pub fn new(file: SolvedFile, jobs: Jobs<'a>) -> Result<Self, SolveError> {
        file.check_finished()?;
        let ranking = HeightRanking::new(file.game(), [0; MOST_SQUARES]);
        let layers = file.game().highest_total() + 1;
        Ok(Self {
            file,
            ranking,
            jobs,
            indexes: std::iter::repeat_with(|| None).take(layers).collect(),
            solved: None,
        })
    }

    /// The same prober with other threads and another stop flag.
    #[must_use]
    pub fn with_jobs(self, jobs: Jobs<'_>) -> Prober<'_> {
        Prober {
            file: self.file,
            ranking: self.ranking,
            jobs,
            indexes: self.indexes,
            solved: self.solved,
        }
    }

    /// The game.
    pub const fn game(&self) -> &SmallGame {
        self.file.game()
    }

    /// The file.
    pub const fn file(&self) -> &SolvedFile {
        &self.file
    }

    /// The value of a state; `None` if the work was stopped.
    ///
    /// # Errors
    /// If the file is damaged, or there is no memory to solve a part again.
    pub fn value(&mut self, state: &SmallState) -> Result<Option<ExactValue>, SolveError> {
        self.value_above(&state.heights, state)
    }

    /// All turns with their results, the best first; `None` if the work was stopped. Only
    /// one of several turns to the same state is returned.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn turns(&mut self, state: &SmallState) -> Result<Option<Vec<ValuedTurn>>, SolveError> {
        // If some turns lead to layers that are not kept, solve them all at once.
        let most = self.game().most_raised();
        let highest = (state.total() + most).min(self.game().highest_total());
        if !self.file.has(highest) && self.solve_above(&state.heights)?.is_none() {
            return Ok(None);
        }
        let mut valued: Vec<ValuedTurn> = Vec::new();
        for turn in state.turns(self.game()) {
            let after = (!turn.wins()).then(|| state.after(&turn, self.game()));
            let workers = turn.workers_after(state.workers);
            let is_known = valued.iter().any(|known| match after {
                Some(_) => known.after == after,
                None => known.after.is_none() && known.turn.workers_after(state.workers) == workers,
            });
            if is_known {
                continue;
            }
            let value = match &after {
                None => ExactValue::new(true, 1),
                Some(after) => match self.value_above(&state.heights, after)? {
                    Some(value) => ExactValue::before(value.0),
                    None => return Ok(None),
                },
            };
            valued.push(ValuedTurn { turn, after, value });
        }
        valued.sort_by_key(|turn| std::cmp::Reverse(turn.value));
        Ok(Some(valued))
    }

    /// The value of a state from the file or, solved again, with all heights above `low`.
    fn value_above(
        &mut self,
        low: &Heights,
        state: &SmallState,
    ) -> Result<Option<ExactValue>, SolveError> {
        if self.file.has(state.total()) {
            return Ok(self.stored(state)?);
        }
        let game = self.file.game().clone();
        let Some((ranking, layers)) = self.solve_above(low)? else {
            return Ok(None);
        };
        let layer = layers.get(&state.total());
        let byte = layer.map(|layer| layer.byte(&game, ranking, state));
        Ok(byte.map(ExactValue))
    }

    /// Looks up a value in the file.
    fn stored(&mut self, state: &SmallState) -> Result<Option<ExactValue>, SolvedFileError> {
        let total = state.total();
        if self.indexes[total].is_none() {
            let index = LayerIndex::new(self.file.game(), &self.ranking, total, &self.jobs);
            self.indexes[total] = index;
        }
        let Some(index) = &self.indexes[total] else {
            return Ok(None);
        };
        let game = self.file.game();
        let row = index.row(game, &self.ranking, &state.heights);
        let length = row_length(game, &state.heights) as usize;
        let bytes = self.file.bytes(total, row.start as u64, length)?;
        let place = row.place(state.side, state.workers) - row.start;
        Ok(Some(ExactValue(bytes[place])))
    }

    /// The layer of these heights and the layers that its turns lead to.
    fn solve_above(
        &mut self,
        low: &Heights,
    ) -> Result<Option<(&HeightRanking, &Layers)>, SolveError> {
        if self.solved.as_ref().is_none_or(|(known, ..)| known != low) {
            let game = self.file.game();
            let solver = Solver::new(game, *low, self.jobs, Storage::Memory);
            let Some(layers) = solver.lowest_layers()? else {
                return Ok(None);
            };
            self.solved = Some((*low, HeightRanking::new(game, *low), layers));
        }
        let solved = self.solved.as_ref();
        Ok(solved.map(|(_, ranking, layers)| (ranking, layers)))
    }
}
