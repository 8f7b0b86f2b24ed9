//! Solves the base game with vector instructions: all placements of the opponent at once.
//!
//! A turn is computed in two steps, from its end. `built` holds the opponent's minimum
//! value over all builds, for each placement of the mover after the move and each worker
//! that may have moved. `moved` holds the minimum of `built` over all moves. Both have one
//! row of bytes per placement of the mover, with a byte for each placement of the opponent.

use super::game::{Heights, SmallGame};
use super::height_ranking::HeightRanking;
use super::layer::{Layer, LayerIndex, for_each_heights};
use super::placement_index::{MOST_PLACEMENTS, Standing, pair_number, placement_list};
use super::shape::{MOST_SQUARES, squares_of};
use super::value::{NO_STATE, byte_before};
use crate::rules::CAP;

/// The bytes of a vector.
const LANES: usize = 32;
/// The maximum length of a row, rounded up to whole vectors.
const LONGEST: usize = MOST_PLACEMENTS.next_multiple_of(LANES);

/// The input that all chunks of a layer share.
pub(super) struct ChunkTask<'a> {
    pub game: &'a SmallGame,
    pub ranking: &'a HeightRanking,
    /// The layer to solve.
    pub index: &'a LayerIndex,
    /// The solved layer above; `None` for the highest layer.
    pub next: Option<&'a Layer>,
    pub placements: &'a PlacementTables,
}

/// The placements for each number of squares, and which of them overlap.
pub(super) struct PlacementTables(Vec<PlacementTable>);

struct PlacementTable {
    placements: Vec<[u8; 2]>,
    /// For two placements, [`NO_STATE`] if they share a square, else 0. Rows are padded to
    /// whole vectors.
    shared: Vec<u8>,
}

impl PlacementTables {
    /// The tables for this number of workers.
    pub(super) fn new(workers: usize) -> Self {
        let list = |squares| {
            let placements = placement_list(squares, workers);
            let stride = placements.len().next_multiple_of(LANES);
            let mut shared = vec![0; placements.len() * stride];
            for (a, first) in placements.iter().enumerate() {
                for (b, second) in placements.iter().enumerate() {
                    if first.iter().any(|square| second.contains(square)) {
                        shared[a * stride + b] = NO_STATE;
                    }
                }
            }
            PlacementTable { placements, shared }
        };
        Self((0..=MOST_SQUARES).map(list).collect())
    }
}

/// Buffers reused for all heights.
struct Scratch {
    built: Vec<u8>,
    moved: Vec<u8>,
    /// A row of the layer above in the order of this layer, and the index of each of its
    /// bytes there.
    line: [u8; LONGEST],
    from: [u8; LONGEST],
    /// [`NO_STATE`] for the placements of the opponent that block the build.
    blocked: [u8; LONGEST],
}

for_widest_vectors! {
    // Measured: 1.6 times the states a second.
    /// Solves the heights of a chunk and appends their rows to `rows`.
    pub(super) fn solve_chunk(task: &ChunkTask, chunk: u64, rows: &mut Vec<u8>) -> () {
        let mut scratch = Scratch {
            built: vec![0; MOST_PLACEMENTS * 2 * LONGEST],
            moved: vec![0; MOST_PLACEMENTS * LONGEST],
            line: [0; LONGEST],
            from: [0; LONGEST],
            blocked: [0; LONGEST],
        };
        for_each_heights(task.ranking, task.index.total, chunk, |rank, heights| {
            if task.index.has_row(rank) {
                task.solve(heights, &mut scratch, rows);
            }
        });
    }
}

/// The heights to solve, with the squares on which workers can stand.
struct Here<'a> {
    heights: &'a Heights,
    standing: Standing,
    squares: [u8; MOST_SQUARES],
    list: &'a PlacementTable,
    /// The length of a row, and the same rounded up to whole vectors.
    places: usize,
    stride: usize,
}

impl ChunkTask<'_> {
    #[inline(always)]
    fn solve(&self, heights: &Heights, scratch: &mut Scratch, rows: &mut Vec<u8>) {
        let standing = Standing::new(self.game, heights, &self.ranking.symmetries()[0]);
        let list = &self.placements.0[standing.count];
        let places = list.placements.len();
        let start = rows.len();
        rows.resize(start + places * places, NO_STATE);
        if standing.count < 2 * self.game.workers {
            return;
        }
        let mut squares = [0; MOST_SQUARES];
        for (number, square) in squares_of(standing.set).enumerate() {
            squares[number] = square as u8;
        }
        let here = Here {
            heights,
            standing,
            squares,
            list,
            places,
            stride: places.next_multiple_of(LANES),
        };
        let workers = self.game.workers;
        scratch.built[..places * workers * here.stride].fill(NO_STATE);
        scratch.moved[..places * here.stride].fill(NO_STATE);
        if let Some(next) = self.next {
            let squares = heights[..self.game.squares()].iter().enumerate();
            for (square, _) in squares.filter(|(_, level)| **level < CAP) {
                self.build(&here, square, next, scratch);
            }
        }
        self.step(&here, scratch);
        here.finish(&mut scratch.moved, &mut rows[start..]);
    }

    /// Updates `built` with the values after a build on the square.
    #[inline(always)]
    fn build(&self, here: &Here, square: usize, next: &Layer, scratch: &mut Scratch) {
        let mut raised = *here.heights;
        raised[square] += 1;
        let row = next.index.row(self.game, self.ranking, &raised);
        let bytes = &next.bytes.all()[row.start..];
        // No worker may stand on the square that is built on.
        let number = |place: u8| {
            usize::from(row.standing.number[usize::from(here.squares[usize::from(place)])])
        };
        let is_square = |place: u8| usize::from(here.squares[usize::from(place)]) == square;
        for (place, &[a, b]) in here.list.placements.iter().enumerate() {
            let is_blocked = is_square(a) || is_square(b);
            scratch.blocked[place] = if is_blocked { NO_STATE } else { 0 };
            scratch.from[place] = if is_blocked {
                0
            } else if self.game.workers == 1 {
                number(a) as u8
            } else {
                pair_number(number(a), number(b)) as u8
            };
        }
        let in_order = row.symmetry == 0 && row.placements == here.places;
        let near = self.game.neighbours[square];
        for (place, &[a, b]) in here.list.placements.iter().enumerate() {
            let beside = |worker: u8| near >> here.squares[usize::from(worker)] & 1 != 0;
            let (first, second) = (beside(a), a != b && beside(b));
            if scratch.blocked[place] != 0 || !(first || second) {
                continue;
            }
            let start = usize::from(scratch.from[place]) * row.placements;
            let line: &[u8] = if in_order {
                &bytes[start..start + here.stride]
            } else {
                let line = &bytes[start..start + row.placements];
                for (to, &from) in scratch.line[..here.places].iter_mut().zip(&scratch.from) {
                    *to = line[usize::from(from)];
                }
                &scratch.line[..here.stride]
            };
            for (moved, is_beside) in [first, second].into_iter().enumerate() {
                if is_beside {
                    let at = (place * self.game.workers + moved) * here.stride;
                    let built = &mut scratch.built[at..at + here.stride];
                    take_least(built, line, &scratch.blocked[..here.stride]);
                }
            }
        }
    }

    /// Updates `moved` with the minima over all moves.
    #[inline(always)]
    fn step(&self, here: &Here, scratch: &mut Scratch) {
        let goals = squares_of(self.game.shape.all()).filter(|&square| here.heights[square] == 3);
        let goals = goals.fold(0, |set, square| set | 1 << square);
        let workers = self.game.workers;
        for (place, placement) in here.list.placements.iter().enumerate() {
            let moved = &mut scratch.moved[place * here.stride..(place + 1) * here.stride];
            for worker in 0..workers {
                let from = usize::from(here.squares[usize::from(placement[worker])]);
                let stays = usize::from(placement[workers - 1 - worker]);
                let near = self.game.neighbours[from];
                if here.heights[from] == 2 && near & goals != 0 {
                    moved.fill(0);
                    break;
                }
                for to in squares_of(near & here.standing.set) {
                    let number = usize::from(here.standing.number[to]);
                    let is_own = workers == 2 && number == stays;
                    if here.heights[to] > here.heights[from] + 1 || is_own {
                        continue;
                    }
                    let built = match workers {
                        1 => number,
                        _ => pair_number(number, stays) * 2 + usize::from(number > stays),
                    } * here.stride;
                    take_least(moved, &scratch.built[built..built + here.stride], &[]);
                }
            }
        }
    }
}

impl Here<'_> {
    /// Writes the values of all states, transposed to the order of the row.
    #[inline(always)]
    fn finish(&self, moved: &mut [u8], row: &mut [u8]) {
        for place in 0..self.places {
            let at = place * self.stride..(place + 1) * self.stride;
            let moved = &mut moved[at.clone()];
            for (value, shared) in moved.iter_mut().zip(&self.list.shared[at]) {
                *value = byte_before(*value) | shared;
            }
        }
        for (other, row) in row.chunks_exact_mut(self.places).enumerate() {
            for (mover, value) in row.iter_mut().enumerate() {
                *value = moved[mover * self.stride + other];
            }
        }
    }
}

/// Sets `least` to the bytewise minimum of itself and `row`. Bytes blocked in `row` count
/// as [`NO_STATE`]; none are if `blocked` is empty.
#[inline(always)]
fn take_least(least: &mut [u8], row: &[u8], blocked: &[u8]) {
    let (least, _) = least.as_chunks_mut::<LANES>();
    let (row, _) = row.as_chunks::<LANES>();
    let (blocked, _) = blocked.as_chunks::<LANES>();
    for (index, (least, row)) in least.iter_mut().zip(row).enumerate() {
        let blocked = blocked.get(index).unwrap_or(&[0; LANES]);
        for lane in 0..LANES {
            least[lane] = least[lane].min(row[lane] | blocked[lane]);
        }
    }
}
