//! The value of a state from its turns, one at a time: for games with cards, and to check
//! the results of the kernel.

use super::game::{Heights, SmallGame};
use super::height_ranking::HeightRanking;
use super::layer::{Layer, LayerIndex, Row, for_each_heights};
use super::placement_index::{Standing, placement_list};
use super::shape::{MOST_SQUARES, SquareSet, set_of, squares_of};
use super::state::SmallState;
use super::turns::{SmallTurn, for_each_turn};
use super::value::{ExactValue, NO_STATE, byte_before};

/// The layers above one, nearest first.
pub(super) type Above<'a> = [&'a Layer];

/// The number of different builds: on one square or two, or a dome on any level.
const WAYS: usize = (MOST_SQUARES + 1) * (MOST_SQUARES + 1) + MOST_SQUARES;

/// A state, its value, and the different value that its turns give.
pub(super) type Difference = (SmallState, ExactValue, ExactValue);

/// Values of states with the same heights, each from its turns.
pub(super) struct ByTurns<'a> {
    game: &'a SmallGame,
    ranking: &'a HeightRanking,
    above: &'a Above<'a>,
    heights: Heights,
    /// For each build: the index of the layer above, and the row in it.
    rows: Vec<Option<(usize, Row)>>,
}

impl<'a> ByTurns<'a> {
    pub(super) fn new(
        game: &'a SmallGame,
        ranking: &'a HeightRanking,
        above: &'a Above<'a>,
    ) -> Self {
        Self {
            game,
            ranking,
            above,
            heights: [0; MOST_SQUARES],
            rows: vec![None; WAYS],
        }
    }

    /// Solves the heights of a chunk and appends their rows to `rows`.
    pub(super) fn solve_chunk(mut self, index: &LayerIndex, chunk: u64, rows: &mut Vec<u8>) {
        let (game, ranking) = (self.game, self.ranking);
        for_each_heights(ranking, index.total, chunk, |rank, heights| {
            if index.has_row(rank) {
                self.set(heights);
                for_each_place(game, ranking, heights, |side, workers| {
                    rows.push(workers.map_or(NO_STATE, |workers| self.byte(side, workers)));
                });
            }
        });
    }

    /// Checks all states of every `step`th row of a chunk. Returns the number of states
    /// checked and the first wrong one.
    pub(super) fn check_chunk(
        mut self,
        layer: &Layer,
        chunk: u64,
        step: u64,
    ) -> (u64, Option<Difference>) {
        let (game, ranking) = (self.game, self.ranking);
        let (mut count, mut wrong) = (0, None);
        for_each_heights(ranking, layer.index.total, chunk, |rank, heights| {
            if !layer.index.has_row(rank) || !rank.is_multiple_of(step) {
                return;
            }
            self.set(heights);
            let row = layer.index.row(game, ranking, heights);
            let mut place = row.start;
            for_each_place(game, ranking, heights, |side, workers| {
                let byte = layer.bytes.all()[place];
                place += 1;
                let expected = workers.map_or(NO_STATE, |workers| self.byte(side, workers));
                count += u64::from(workers.is_some());
                if byte != expected && wrong.is_none() {
                    let state = SmallState {
                        heights: *heights,
                        workers: workers.unwrap_or_default(),
                        side,
                    };
                    wrong = Some((state, ExactValue(byte), ExactValue(expected)));
                }
            });
        });
        (count, wrong)
    }

    /// Switches to states with these heights.
    fn set(&mut self, heights: &Heights) {
        self.heights = *heights;
        self.rows.fill(None);
    }

    /// The value of a state with the current heights, as a byte.
    #[inline(always)]
    fn byte(&mut self, side: usize, workers: [SquareSet; 2]) -> u8 {
        let state = SmallState {
            heights: self.heights,
            workers,
            side,
        };
        let mut least = NO_STATE;
        for_each_turn(self.game, &state, |turn| {
            let left = if turn.wins() {
                0
            } else {
                self.after(&state, &turn)
            };
            least = least.min(left);
        });
        byte_before(least)
    }

    #[inline(always)]
    fn after(&mut self, state: &SmallState, turn: &SmallTurn) -> u8 {
        let way = way(turn);
        let (above, row) = match self.rows[way] {
            Some(known) => known,
            None => {
                let after = state.after(turn, self.game);
                let above = after.total() - state.total() - 1;
                let index = &self.above[above].index;
                let row = index.row(self.game, self.ranking, &after.heights);
                self.rows[way] = Some((above, row));
                (above, row)
            }
        };
        let workers = turn.workers_after(state.workers);
        let place = row.place(self.game.next_side(state.side), workers);
        self.above[above].bytes.all()[place]
    }
}

/// The number of a build.
#[inline(always)]
fn way(turn: &SmallTurn) -> usize {
    let mut builds = turn.builds();
    let first = builds.next().unwrap_or(MOST_SQUARES);
    if turn.is_dome() {
        return (MOST_SQUARES + 1) * (MOST_SQUARES + 1) + first;
    }
    first * (MOST_SQUARES + 1) + builds.next().unwrap_or(MOST_SQUARES)
}

/// Calls `visit` for every byte of a row, in order: with the side, and the workers of the
/// player to move and of the other, or `None` if two workers share a square.
#[inline(always)]
fn for_each_place(
    game: &SmallGame,
    ranking: &HeightRanking,
    heights: &Heights,
    mut visit: impl FnMut(usize, Option<[SquareSet; 2]>),
) {
    let standing = Standing::new(game, heights, &ranking.symmetries()[0]);
    let squares: Vec<usize> = squares_of(standing.set).collect();
    let set = |placement: [u8; 2]| set_of(placement.map(|number| squares[usize::from(number)]));
    let placements: Vec<SquareSet> = placement_list(standing.count, game.workers)
        .into_iter()
        .map(set)
        .collect();
    for side in 0..game.sides() {
        for &other in &placements {
            for &mover in &placements {
                let is_state = other & mover == 0;
                visit(side, is_state.then_some([mover, other]));
            }
        }
    }
}
