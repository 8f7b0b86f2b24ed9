//! Probes a solved game for the value of any state.
//!
//! Layers that the file does not keep are solved again, restricted to heights that can
//! follow the state. These are a small part of the game, since levels are only added.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::file::SolvedFile;
use super::game::{Heights, SmallGame};
use super::height_ranking::HeightRanking;
use super::layer::{LayerIndex, Layers, row_length};
use super::run::SolveError;
use super::shape::MOST_SQUARES;
use super::solver::Solver;
use super::state::SmallState;
use super::turns::SmallTurn;
use super::value::ExactValue;
use crate::jobs::Jobs;

/// Looks up states of a solved game.
pub struct Prober<'a> {
    file: SolvedFile,
    ranking: HeightRanking,
    jobs: Jobs<'a>,
    /// The layer indexes computed so far, by their sum of levels.
    indexes: BTreeMap<usize, LayerIndex>,
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
        Ok(Self {
            file,
            ranking,
            jobs,
            indexes: BTreeMap::new(),
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

    /// The value of a state.
    ///
    /// # Errors
    /// If the work was stopped, the file is damaged, or there is no memory to solve a part
    /// again.
    pub fn value(&mut self, state: &SmallState) -> Result<ExactValue, SolveError> {
        self.value_above(&state.heights, state)
    }

    /// All turns with their results, the best first. Only one of several turns to the same
    /// state is returned.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn turns(&mut self, state: &SmallState) -> Result<Vec<ValuedTurn>, SolveError> {
        let mut valued = Vec::new();
        for turn in state.distinct_turns(self.game()) {
            let after = (!turn.wins()).then(|| state.after(&turn, self.game()));
            let value = match &after {
                None => ExactValue::in_plies(1),
                Some(after) => ExactValue::before(self.value_above(&state.heights, after)?.0),
            };
            valued.push(ValuedTurn { turn, after, value });
        }
        valued.sort_by_key(|turn| Reverse(turn.value));
        Ok(valued)
    }

    /// The value of a state from the file or, solved again, with all heights above `low`.
    fn value_above(&mut self, low: &Heights, state: &SmallState) -> Result<ExactValue, SolveError> {
        if self.file.has(state.total()) {
            return self.stored(state);
        }
        let game = self.file.game().clone();
        let (ranking, layers) = self.solve_above(low)?;
        Ok(layers[&state.total()].value(&game, ranking, state))
    }

    /// Looks up a value in the file.
    fn stored(&mut self, state: &SmallState) -> Result<ExactValue, SolveError> {
        let (game, total) = (self.file.game(), state.total());
        let index = match self.indexes.entry(total) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                place.insert(LayerIndex::new(game, &self.ranking, total, &self.jobs)?)
            }
        };
        let row = index.row(game, &self.ranking, &state.heights);
        let length = row_length(game, &state.heights) as usize;
        let bytes = self.file.bytes(total, row.start as u64, length)?;
        let place = row.place(state.side, state.workers) - row.start;
        Ok(ExactValue(bytes[place]))
    }

    /// The layer of these heights and the layers that its turns lead to.
    fn solve_above(&mut self, low: &Heights) -> Result<(&HeightRanking, &Layers), SolveError> {
        if self.solved.as_ref().is_none_or(|(known, ..)| known != low) {
            let solver = Solver::new(self.file.game(), *low, self.jobs);
            let (ranking, layers) = solver.lowest_layers()?;
            self.solved = Some((*low, ranking, layers));
        }
        let solved = self.solved.as_ref();
        let (_, ranking, layers) = solved.expect("solved above, if not before");
        Ok((ranking, layers))
    }
}
