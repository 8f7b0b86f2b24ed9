//! Retrograde analysis by layers: from the board full of domes down to the lowest
//! levels, each layer from those above it.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;

use super::by_turns;
use super::bytes::Bytes;
use super::game::{Heights, SmallGame};
use super::kernel::{self, CrewLists, Task};
use super::lattice::Lattice;
use super::layer::{Layer, LayerIndex, chunks};
use crate::jobs::Jobs;

/// Where layers are kept while they are needed.
#[derive(Clone, Debug)]
pub enum Room {
    Memory,
    /// In files without a name in this folder.
    Disk(PathBuf),
}

/// Solves the states of a game whose levels are not below given ones.
pub struct Solver<'a> {
    game: &'a SmallGame,
    lattice: Lattice,
    crews: CrewLists,
    jobs: Jobs<'a>,
    room: Room,
}

/// Layers that are solved, the lowest first.
pub type Layers = VecDeque<Layer>;

impl<'a> Solver<'a> {
    /// For all levels that are not below `low`.
    pub fn new(game: &'a SmallGame, low: Heights, jobs: Jobs<'a>, room: Room) -> Self {
        Self {
            game,
            lattice: Lattice::new(game, low),
            crews: CrewLists::new(game.workers),
            jobs,
            room,
        }
    }

    /// The levels that are solved.
    pub const fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Goes on from layers that are solved, or from above the highest, down to the
    /// layer of `last`. After each layer `take` gets it and those above it; the
    /// layers that one more would need are returned. Ends early if it is stopped.
    ///
    /// # Errors
    /// If there is no room for a layer, and those of `take`.
    pub fn solve<E: From<io::Error>>(
        &self,
        mut solved: Layers,
        last: usize,
        mut take: impl FnMut(&Layers) -> Result<(), E>,
    ) -> Result<Layers, E> {
        let first = match solved.front() {
            Some(lowest) => lowest.index.total,
            None => self.game.highest_total() + 1,
        };
        for total in (last..first).rev() {
            solved.truncate(self.game.most_raised());
            let Some(layer) = self.layer(total, &solved)? else {
                break;
            };
            solved.push_front(layer);
            take(&solved)?;
        }
        Ok(solved)
    }

    /// Solves one layer; `None` if that is stopped.
    fn layer(&self, total: usize, above: &Layers) -> io::Result<Option<Layer>> {
        let Some(index) = LayerIndex::new(self.game, &self.lattice, total, &self.jobs) else {
            return Ok(None);
        };
        let length = index.bytes() as usize;
        let mut bytes = match &self.room {
            Room::Memory => Bytes::in_memory(length)?,
            Room::Disk(folder) => Bytes::on_disk(length, folder)?,
        };
        let above: Vec<&Layer> = above.iter().collect();
        let work = |chunk| {
            let mut rows = Vec::new();
            if self.game.cards.is_some() {
                by_turns::solve_chunk(self.game, &self.lattice, &index, &above, chunk, &mut rows);
            } else {
                let task = Task {
                    game: self.game,
                    lattice: &self.lattice,
                    index: &index,
                    next: above.first().copied(),
                    crews: &self.crews,
                };
                kernel::solve_chunk(&task, chunk, &mut rows);
            }
            rows
        };
        let pieces = 0..chunks(self.lattice.size(total));
        let mut done = pieces.end;
        let added: Result<(), io::Error> = self.jobs.run(pieces, work, |_, rows| {
            bytes.add(&rows);
            done -= 1;
            Ok(())
        });
        added?;
        Ok((done == 0).then_some(Layer { index, bytes }))
    }

    /// Checks the lowest of some layers against those above it: every state of one
    /// in `step` of its levels by its turns. Returns how many there were.
    ///
    /// # Errors
    /// The first state with a wrong value.
    pub fn check(&self, layers: &Layers, step: u64) -> Result<u64, by_turns::Difference> {
        let Some(layer) = layers.front() else {
            return Ok(0);
        };
        let above: Vec<&Layer> = layers.iter().skip(1).collect();
        let pieces = 0..chunks(self.lattice.size(layer.index.total));
        let mut count = 0;
        let look =
            |chunk| by_turns::check_chunk(self.game, &self.lattice, layer, &above, [chunk, step]);
        self.jobs.run(pieces, look, |_, (states, wrong)| {
            count += states;
            wrong.map_or(Ok(()), Err)
        })?;
        Ok(count)
    }
}
