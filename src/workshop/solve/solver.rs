//! Retrograde analysis by layers: from the board full of domes down to the empty one, each
//! layer from the layers above it.

use std::io;

use super::by_turns;
use super::game::{Heights, SmallGame};
use super::height_ranking::HeightRanking;
use super::kernel::{self, ChunkTask, PlacementTables};
use super::layer::{Layer, LayerIndex, Layers, chunks};
use super::parts::{PartSize, PartSolver, count_states, fill};
use super::run::SolveError;
use super::size::{LayerSize, layer_sizes, most_memory};
use super::storage::Storage;
use super::value::ExactValue;
use crate::jobs::Jobs;

/// Solves all states of a game whose heights are nowhere below some lowest ones.
pub(super) struct Solver<'a> {
    game: &'a SmallGame,
    low: Heights,
    ranking: HeightRanking,
    placements: PlacementTables,
    jobs: Jobs<'a>,
    storage: Storage,
}

impl<'a> Solver<'a> {
    /// A solver for all heights that are nowhere below `low`.
    pub(super) fn new(game: &'a SmallGame, low: Heights, jobs: Jobs<'a>, storage: Storage) -> Self {
        Self {
            game,
            low,
            ranking: HeightRanking::new(game, low),
            placements: PlacementTables::new(game.workers),
            jobs,
            storage,
        }
    }

    /// Solves all layers. Returns the lowest one and the layers that its turns lead to;
    /// `None` if the work was stopped.
    ///
    /// # Errors
    /// If there is no space for a layer.
    pub(super) fn lowest_layers(&self) -> io::Result<Option<Layers>> {
        let mut layers = Layers::new();
        for total in (self.ranking.lowest_total()..=self.game.highest_total()).rev() {
            layers.retain(|&solved, _| self.is_needed(solved, total));
            let Some(layer) = self.solve(total, &layers)? else {
                return Ok(None);
            };
            layers.insert(total, layer);
        }
        Ok(Some(layers))
    }
}

impl PartSolver for Solver<'_> {
    type Index = LayerIndex;

    fn sizes(&self) -> Vec<PartSize<usize>> {
        let sizes = layer_sizes(self.game, &self.low, self.ranking.symmetries().len());
        let sizes = sizes.iter().enumerate().rev();
        let size = |(name, size): (usize, &LayerSize)| PartSize {
            name,
            bytes: size.bytes,
        };
        sizes.map(size).collect()
    }

    /// Layer indexes always stay in memory.
    fn most_memory(&self) -> [u64; 2] {
        let sizes = layer_sizes(self.game, &self.low, self.ranking.symmetries().len());
        let levels = sizes.iter().map(|size| size.levels).max().unwrap_or(0);
        let indexes = levels * LayerIndex::ENTRY * (self.game.most_raised() as u64 + 1);
        [most_memory(self.game, &sizes), indexes]
    }

    fn is_needed(&self, solved: usize, next: usize) -> bool {
        (next + 1..=next + self.game.most_raised()).contains(&solved)
    }

    fn index(&self, total: usize) -> Option<LayerIndex> {
        LayerIndex::new(self.game, &self.ranking, total, &self.jobs)
    }

    fn storage(&self) -> &Storage {
        &self.storage
    }

    fn set_storage(&mut self, storage: Storage) {
        self.storage = storage;
    }

    fn solve(&self, total: usize, above: &Layers) -> io::Result<Option<Layer>> {
        let Some(index) = self.index(total) else {
            return Ok(None);
        };
        let above: Vec<&Layer> = above.values().collect();
        let pieces = chunks(self.ranking.size(total));
        fill(
            index,
            &self.storage,
            &self.jobs,
            pieces,
            |index, chunk, rows| {
                if self.game.cards.is_some() {
                    by_turns::solve_chunk(self.game, &self.ranking, index, &above, chunk, rows);
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
            },
        )
    }

    fn check(&self, total: usize, layers: &Layers, step: u64) -> Result<u64, SolveError> {
        let Some(layer) = layers.get(&total) else {
            return Ok(0);
        };
        let above: Vec<&Layer> = layers.range(total + 1..).map(|(_, layer)| layer).collect();
        let pieces = chunks(self.ranking.size(total));
        let look =
            |chunk| by_turns::check_chunk(self.game, &self.ranking, layer, &above, [chunk, step]);
        let count = count_states(&self.jobs, pieces, look);
        count.map_err(|(state, found, expected)| {
            let text = state.text(self.game);
            SolveError::Wrong(text, ExactValue(found), ExactValue(expected))
        })
    }
}
