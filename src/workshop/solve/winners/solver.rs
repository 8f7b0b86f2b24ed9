//! Solves all slabs in order, from the board full of domes down to the empty one.

use super::kernel::{self, FrameTask, Tables};
use super::rows;
use super::slab::{Slab, SlabIndex, SlabName, Slabs, slab_bytes};
use super::split::Split;
use crate::jobs::Jobs;
use crate::solve::game::{Heights, SmallGame};
use crate::solve::parts::{PartSize, PartSolver, count_states, fill};
use crate::solve::placement_index::Standing;
use crate::solve::run::SolveError;
use crate::solve::shape::{MOST_SQUARES, SquareSet, squares_of};
use crate::solve::state::SmallState;
use crate::solve::storage::Storage;

/// Solves the slabs of a game.
pub(crate) struct WinnersSolver<'a> {
    game: &'a SmallGame,
    split: Split,
    tables: Tables,
    jobs: Jobs<'a>,
}

impl<'a> WinnersSolver<'a> {
    /// A solver for a game with one worker each and without cards.
    pub(crate) fn new(game: &'a SmallGame, jobs: Jobs<'a>) -> Self {
        Self {
            game,
            split: Split::new(game),
            tables: Tables::new(game),
            jobs,
        }
    }

    /// Checks the states of a frame. Returns their number and the first one with a wrong
    /// winner.
    fn check_frame(&self, slab: &Slab, above: &Slabs, place: usize) -> (u64, Option<SmallState>) {
        let name = slab.index.name;
        let frame = self.split.frames(name.frames)[place];
        let mut count = 0;
        for core in self.split.cores(name.total - name.frames) {
            let levels = frame.levels.with(core.levels);
            let heights = heights_of(self.game, levels.0);
            let standing = levels.standing();
            for mover in squares_of(standing) {
                for other in squares_of(standing & !(1 << mover)) {
                    let state = SmallState {
                        heights,
                        workers: [1 << mover, 1 << other],
                        side: 0,
                    };
                    count += 1;
                    if self.wins(slab, &state) != self.wins_by_turns(above, &state) {
                        return (count, Some(state));
                    }
                }
            }
        }
        (count, None)
    }

    /// Whether the player to move wins a state of a slab.
    pub(crate) fn wins(&self, slab: &Slab, state: &SmallState) -> bool {
        let symmetries = &self.game.symmetries;
        let located = self.split.locate(&state.heights, symmetries);
        let [frame, core] = located.standing;
        let start = slab.index.frame(located.frame) + slab.index.core(frame, core, located.core);
        let symmetry = &self.tables.symmetries[located.symmetry];
        let [mover, other] = state
            .workers
            .map(|placement| symmetry.image_of(placement.trailing_zeros() as usize));
        let standing = symmetry.image(Standing::new(self.game, &state.heights, &symmetries[0]).set);
        let row = &slab.bytes.all()[start..];
        rows::wins(&self.tables.spread, row, standing, other) >> mover & 1 != 0
    }

    /// The slab of a state.
    pub(crate) fn name_of(&self, state: &SmallState) -> SlabName {
        let located = self.split.locate(&state.heights, &self.game.symmetries);
        SlabName {
            total: state.total(),
            frames: located.frames,
        }
    }

    fn wins_by_turns(&self, above: &Slabs, state: &SmallState) -> bool {
        state.turns(self.game).into_iter().any(|turn| {
            turn.wins() || {
                let after = state.after(&turn, self.game);
                !self.wins(&above[&self.name_of(&after)], &after)
            }
        })
    }
}

impl PartSolver for WinnersSolver<'_> {
    type Index = SlabIndex;

    fn sizes(&self) -> Vec<PartSize<SlabName>> {
        let size = |name| PartSize {
            name,
            bytes: slab_bytes(&self.split, name),
            index: 0,
        };
        let most = self.split.highest_frame_sum();
        let all = (0..=self.game.highest_total()).rev().flat_map(|total| {
            let frames = (0..=most.min(total)).rev();
            frames.map(move |frames| SlabName { total, frames })
        });
        all.filter(|name| !self.split.cores(name.total - name.frames).is_empty())
            .map(size)
            .collect()
    }

    fn is_needed(&self, solved: SlabName, next: SlabName) -> bool {
        let of_layer = solved.total == next.total && solved.frames > next.frames;
        let of_above = solved.total == next.total + 1 && solved.frames <= next.frames + 1;
        of_layer || of_above
    }

    fn index(&self, name: SlabName) -> Result<SlabIndex, SolveError> {
        Ok(SlabIndex::new(&self.split, name))
    }

    fn solve(&self, name: SlabName, above: &Slabs, storage: &Storage) -> Result<Slab, SolveError> {
        // A turn builds on the core or on the frame.
        let [same, raised] = [0, 1].map(|built| {
            above.get(&SlabName {
                total: name.total + 1,
                frames: name.frames + built,
            })
        });
        let task = FrameTask {
            tables: &self.tables,
            split: &self.split,
            name,
            same,
            raised,
        };
        let index = SlabIndex::new(&self.split, name);
        let pieces = self.split.frames(name.frames).len() as u64;
        let work = |_: &_, place, rows: &mut _| kernel::solve_frame(&task, place, rows);
        fill(index, storage, &self.jobs, pieces, work)
    }

    fn check(&self, name: SlabName, slabs: &Slabs, step: u64) -> Result<u64, SolveError> {
        let slab = &slabs[&name];
        let frames = self.split.frames(name.frames).len() as u64;
        let look = |piece: u64| self.check_frame(slab, slabs, (piece * step) as usize);
        let count = count_states(&self.jobs, frames.div_ceil(step), look);
        count.map_err(|state| SolveError::WrongWinner(state.text(self.game)))
    }
}

/// The levels of all squares.
fn heights_of(game: &SmallGame, levels: [SquareSet; 4]) -> Heights {
    let mut heights = [0; MOST_SQUARES];
    for (square, height) in heights.iter_mut().enumerate().take(game.squares()) {
        let level = levels.iter().position(|set| set >> square & 1 != 0);
        *height = level.unwrap_or(levels.len()) as u8;
    }
    heights
}
