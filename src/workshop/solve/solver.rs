//! Retrograde analysis by layers: from the board full of domes down to the empty one, each
//! layer from the layers above it.

use super::by_turns::{Above, ByTurns};
use super::game::{Heights, SmallGame};
use super::height_ranking::HeightRanking;
use super::kernel::{self, ChunkTask, PlacementTables};
use super::layer::{Layer, LayerIndex, Layers, chunks};
use super::parts::{PartSize, PartSolver, count_states, fill};
use super::run::SolveError;
use super::size::layer_sizes;
use super::storage::Storage;
use crate::jobs::Jobs;

/// Solves all states of a game whose heights are nowhere below some lowest ones.
pub(super) struct Solver<'a> {
    game: &'a SmallGame,
    low: Heights,
    ranking: HeightRanking,
    placements: PlacementTables,
    jobs: Jobs<'a>,
}

impl<'a> Solver<'a> {
    /// A solver for all heights that are nowhere below `low`.
    pub(super) fn new(game: &'a SmallGame, low: Heights, jobs: Jobs<'a>) -> Self {
        Self {
            game,
            low,
            ranking: HeightRanking::new(game, low),
            placements: PlacementTables::new(game.workers),
            jobs,
        }
    }

    /// Solves all layers in memory. Returns the lowest one and the layers that its turns
    /// lead to, with their ranking.
    ///
    /// # Errors
    /// If the work was stopped, or there is no memory for a layer.
    pub(super) fn lowest_layers(self) -> Result<(HeightRanking, Layers), SolveError> {
        let mut layers = Layers::new();
        for total in (self.ranking.lowest_total()..=self.game.highest_total()).rev() {
            layers.retain(|&solved, _| self.is_needed(solved, total));
            let layer = self.solve(total, &layers, &Storage::Memory)?;
            layers.insert(total, layer);
        }
        Ok((self.ranking, layers))
    }

    fn by_turns<'b>(&'b self, above: &'b Above<'b>) -> ByTurns<'b> {
        ByTurns::new(self.game, &self.ranking, above)
    }
}

impl PartSolver for Solver<'_> {
    type Index = LayerIndex;

    fn sizes(&self) -> Vec<PartSize<usize>> {
        let mut sizes = layer_sizes(self.game, &self.low, self.ranking.symmetries().len());
        sizes.reverse();
        sizes
    }

    fn is_needed(&self, solved: usize, next: usize) -> bool {
        (next + 1..=next + self.game.most_raised()).contains(&solved)
    }

    fn index(&self, total: usize) -> Result<LayerIndex, SolveError> {
        LayerIndex::new(self.game, &self.ranking, total, &self.jobs)
    }

    fn solve(&self, total: usize, above: &Layers, storage: &Storage) -> Result<Layer, SolveError> {
        let index = self.index(total)?;
        let above: Vec<&Layer> = above.values().collect();
        let pieces = chunks(self.ranking.size(total));
        let work = |index: &LayerIndex, chunk, rows: &mut Vec<u8>| {
            if self.game.cards.is_some() {
                self.by_turns(&above).solve_chunk(index, chunk, rows);
            } else {
                let task = ChunkTask {
                    game: self.game,
                    ranking: &self.ranking,
                    index,
                    next: above.first().copied(),
                    placements: &self.placements,
                };
                kernel::solve_chunk(&task, chunk, rows);
            }
        };
        fill(index, storage, &self.jobs, pieces, work)
    }

    fn check(&self, total: usize, layers: &Layers, step: u64) -> Result<u64, SolveError> {
        let layer = &layers[&total];
        let above: Vec<&Layer> = layers.range(total + 1..).map(|(_, layer)| layer).collect();
        let pieces = chunks(self.ranking.size(total));
        let look = |chunk| self.by_turns(&above).check_chunk(layer, chunk, step);
        let count = count_states(&self.jobs, pieces, look);
        count.map_err(|(state, found, expected)| {
            SolveError::Wrong(state.text(self.game), found, expected)
        })
    }
}
