//! Solves slab after slab, from the board full of domes down to the empty one.

use std::collections::BTreeMap;
use std::io;

use super::kernel::{self, Tables, Task};
use super::rows;
use super::slab::{Slab, SlabIndex, SlabName, slab_bytes};
use super::split::Split;
use crate::jobs::Jobs;
use crate::solve::bytes::Bytes;
use crate::solve::crews::Standing;
use crate::solve::game::{Heights, SmallGame};
use crate::solve::shape::{MOST_SQUARES, SquareSet, squares_of};
use crate::solve::solver::Room;
use crate::solve::state::SmallState;

/// Slabs that are solved.
pub type Slabs = BTreeMap<SlabName, Slab>;

/// What is the same for all slabs of a game.
pub struct WinnersSolver<'a> {
    game: &'a SmallGame,
    split: Split,
    tables: Tables,
    jobs: Jobs<'a>,
    room: Room,
}

impl<'a> WinnersSolver<'a> {
    /// For a game with one worker each, without cards.
    pub fn new(game: &'a SmallGame, jobs: Jobs<'a>, room: Room) -> Self {
        Self {
            game,
            split: Split::new(game),
            tables: Tables::new(game),
            jobs,
            room,
        }
    }

    /// The numbers of frames and cores.
    pub const fn split(&self) -> &Split {
        &self.split
    }

    /// Room for the bits of a slab.
    ///
    /// # Errors
    /// If there is none.
    pub fn bytes_for(&self, index: &SlabIndex) -> io::Result<Bytes> {
        let length = index.bytes() as usize;
        match &self.room {
            Room::Memory => Bytes::in_memory(length),
            Room::Disk(folder) => Bytes::on_disk(length, folder),
        }
    }

    /// Where slabs are kept from now on.
    pub fn set_room(&mut self, room: Room) {
        self.room = room;
    }

    /// Solves a slab from those above it; `None` if that is stopped.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn slab(&self, name: SlabName, above: &Slabs) -> io::Result<Option<Slab>> {
        let index = SlabIndex::new(&self.split, name);
        let mut bytes = self.bytes_for(&index)?;
        let [same, raised] = names_above(name).map(|name| above.get(&name));
        let task = Task {
            tables: &self.tables,
            split: &self.split,
            name,
            same,
            raised,
        };
        let work = |place| {
            let mut rows = Vec::new();
            kernel::solve_frame(&task, place, &mut rows);
            rows
        };
        let frames = 0..self.split.frames(name.frames).len() as u64;
        let mut left = frames.end;
        let added: io::Result<()> = self.jobs.run(frames, work, |_, rows| {
            bytes.add(&rows);
            left -= 1;
            Ok(())
        });
        added?;
        Ok((left == 0).then_some(Slab { index, bytes }))
    }

    /// Holds every state of one in `step` frames of a slab against its turns, by the
    /// rules that are written a second time. Returns how many there were.
    ///
    /// # Errors
    /// The first state with the wrong winner.
    pub fn check(&self, slab: &Slab, above: &Slabs, step: u64) -> Result<u64, SmallState> {
        let name = slab.index.name;
        let frames = self.split.frames(name.frames).len() as u64;
        let look = |piece: u64| self.check_frame(slab, above, (piece * step) as usize);
        let mut count = 0;
        self.jobs
            .run(0..frames.div_ceil(step), look, |_, (states, wrong)| {
                count += states;
                wrong.map_or(Ok(()), Err)
            })?;
        Ok(count)
    }

    /// The states of a frame, and the first one with the wrong winner.
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
                        crews: [1 << mover, 1 << other],
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
    pub fn wins(&self, slab: &Slab, state: &SmallState) -> bool {
        let symmetries = &self.game.symmetries;
        let located = self.split.locate(&state.heights, symmetries);
        let [frame, core] = located.standing;
        let start = slab.index.frame(located.frame) + slab.index.core(frame, core, located.core);
        let symmetry = &self.tables.symmetries[located.symmetry];
        let [mover, other] = state
            .crews
            .map(|crew| symmetry.image_of(crew.trailing_zeros() as usize));
        let standing = symmetry.image(Standing::new(self.game, &state.heights, &symmetries[0]).set);
        let row = &slab.bytes.all()[start..];
        rows::wins(&self.tables.spread, row, standing, other) >> mover & 1 != 0
    }

    /// The slab of a state.
    pub fn name_of(&self, state: &SmallState) -> SlabName {
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
                let slab = above.get(&self.name_of(&after));
                slab.is_some_and(|slab| !self.wins(slab, &after))
            }
        })
    }

    /// All slabs of a game in the order in which they are solved.
    pub fn names(&self) -> Vec<SlabName> {
        let most = self.split.highest_frame_sum();
        let all = (0..=self.game.highest_total()).rev().flat_map(|total| {
            let frames = (0..=most.min(total)).rev();
            frames.map(move |frames| SlabName { total, frames })
        });
        all.filter(|name| !self.split.cores(name.total - name.frames).is_empty())
            .collect()
    }

    /// The length of a slab in bytes.
    pub fn bytes(&self, name: SlabName) -> u64 {
        slab_bytes(&self.split, name)
    }

    /// The most bytes of slabs that are needed at the same time.
    pub fn most_memory(&self) -> u64 {
        let names = self.names();
        let need = |&name: &SlabName| -> u64 {
            let live = names
                .iter()
                .filter(|&&other| other == name || is_needed(other, name));
            live.map(|&name| self.bytes(name)).sum()
        };
        names.iter().map(need).max().unwrap_or(0)
    }
}

/// The slabs that a slab is solved from: with the same frames, and with those of one
/// level more.
const fn names_above(name: SlabName) -> [SlabName; 2] {
    let total = name.total + 1;
    let same = SlabName {
        total,
        frames: name.frames,
    };
    let raised = SlabName {
        total,
        frames: name.frames + 1,
    };
    [same, raised]
}

/// Whether a slab solved before is needed for `next` or for those behind it.
pub const fn is_needed(name: SlabName, next: SlabName) -> bool {
    let of_layer = name.total == next.total && name.frames > next.frames;
    let of_above = name.total == next.total + 1 && name.frames <= next.frames + 1;
    of_layer || of_above
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
