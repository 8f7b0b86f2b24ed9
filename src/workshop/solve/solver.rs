//! Retrograde analysis by layers: from the board full of domes down to the lowest
//! levels, each layer from those above it.

use std::io;

use super::by_turns;
use super::game::{Heights, SmallGame};
use super::kernel::{self, CrewLists, Task};
use super::lattice::Lattice;
use super::layer::{Layer, LayerIndex, Layers, chunks};
use super::parts::{PartSize, PartSolver, count_states, fill};
use super::room::Room;
use super::run::SolveError;
use super::size::{LayerSize, layer_sizes, most_memory};
use super::value::ExactValue;
use crate::jobs::Jobs;

/// Solves the states of a game whose levels are not below given ones.
pub(super) struct Solver<'a> {
    game: &'a SmallGame,
    low: Heights,
    lattice: Lattice,
    crews: CrewLists,
    jobs: Jobs<'a>,
    room: Room,
}

impl<'a> Solver<'a> {
    /// For all levels that are not below `low`.
    pub(super) fn new(game: &'a SmallGame, low: Heights, jobs: Jobs<'a>, room: Room) -> Self {
        Self {
            game,
            low,
            lattice: Lattice::new(game, low),
            crews: CrewLists::new(game.workers),
            jobs,
            room,
        }
    }

    /// Solves all layers. Returns the lowest one and those that its turns lead to; `None`
    /// if the work was stopped.
    ///
    /// # Errors
    /// If there is no room for a layer.
    pub(super) fn lowest_layers(&self) -> io::Result<Option<Layers>> {
        let mut layers = Layers::new();
        for total in (self.lattice.lowest_total()..=self.game.highest_total()).rev() {
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
        let sizes = layer_sizes(self.game, &self.low, self.lattice.symmetries().len());
        let sizes = sizes.iter().enumerate().rev();
        let size = |(name, size): (usize, &LayerSize)| PartSize {
            name,
            bytes: size.bytes,
        };
        sizes.map(size).collect()
    }

    /// The levels of layers stay in memory.
    fn most_memory(&self) -> [u64; 2] {
        let sizes = layer_sizes(self.game, &self.low, self.lattice.symmetries().len());
        let levels = sizes.iter().map(|size| size.levels).max().unwrap_or(0);
        let indexes = levels * LayerIndex::ENTRY * (self.game.most_raised() as u64 + 1);
        [most_memory(self.game, &sizes), indexes]
    }

    fn is_needed(&self, solved: usize, next: usize) -> bool {
        (next + 1..=next + self.game.most_raised()).contains(&solved)
    }

    fn index(&self, total: usize) -> Option<LayerIndex> {
        LayerIndex::new(self.game, &self.lattice, total, &self.jobs)
    }

    fn room(&self) -> &Room {
        &self.room
    }

    fn set_room(&mut self, room: Room) {
        self.room = room;
    }

    fn solve(&self, total: usize, above: &Layers) -> io::Result<Option<Layer>> {
        let Some(index) = self.index(total) else {
            return Ok(None);
        };
        let above: Vec<&Layer> = above.values().collect();
        let pieces = chunks(self.lattice.size(total));
        fill(
            index,
            &self.room,
            &self.jobs,
            pieces,
            |index, chunk, rows| {
                if self.game.cards.is_some() {
                    by_turns::solve_chunk(self.game, &self.lattice, index, &above, chunk, rows);
                } else {
                    let task = Task {
                        game: self.game,
                        lattice: &self.lattice,
                        index,
                        next: above.first().copied(),
                        crews: &self.crews,
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
        let pieces = chunks(self.lattice.size(total));
        let look =
            |chunk| by_turns::check_chunk(self.game, &self.lattice, layer, &above, [chunk, step]);
        let count = count_states(&self.jobs, pieces, look);
        count.map_err(|(state, found, expected)| {
            let text = state.text(self.game);
            SolveError::Wrong(text, ExactValue(found), ExactValue(expected))
        })
    }
}
