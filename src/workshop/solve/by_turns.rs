//! The value of a state from its turns, one after the other: for games with cards,
//! and to check what was solved in vectors.

use super::crews::{Standing, crew_list};
use super::game::{Heights, SmallGame};
use super::lattice::Lattice;
use super::layer::{Layer, LayerIndex, Row, for_each_heights};
use super::shape::{MOST_SQUARES, SquareSet, squares_of};
use super::state::SmallState;
use super::turns::{SmallTurn, for_each_turn};
use super::value::{NO_STATE, byte_before};

/// The layers above one, nearest first.
pub(super) type Above<'a> = [&'a Layer];

/// The ways to build of a turn: one square or two, or one straight to the dome.
const WAYS: usize = (MOST_SQUARES + 1) * (MOST_SQUARES + 1) + MOST_SQUARES;

/// The values of the states with some levels.
pub(super) struct ByTurns<'a> {
    game: &'a SmallGame,
    lattice: &'a Lattice,
    above: &'a Above<'a>,
    heights: Heights,
    /// For each way to build: which layer above has the row, and the row.
    rows: Vec<Option<(usize, Row)>>,
}

impl<'a> ByTurns<'a> {
    pub(super) fn new(game: &'a SmallGame, lattice: &'a Lattice, above: &'a Above<'a>) -> Self {
        Self {
            game,
            lattice,
            above,
            heights: [0; MOST_SQUARES],
            rows: vec![None; WAYS],
        }
    }

    /// Goes over to states with these levels.
    pub(super) fn set(&mut self, heights: &Heights) {
        self.heights = *heights;
        self.rows.fill(None);
    }

    /// The byte of a state with the levels that were set.
    #[inline(always)]
    pub(super) fn byte(&mut self, side: usize, crews: [SquareSet; 2]) -> u8 {
        let state = SmallState {
            heights: self.heights,
            crews,
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
                let row = index.row(self.game, self.lattice, &after.heights);
                self.rows[way] = Some((above, row));
                (above, row)
            }
        };
        let crews = turn.crews_after(state.crews);
        let place = row.place(self.game.next_side(state.side), crews);
        self.above[above].bytes.all()[place]
    }
}

/// The number of a way to build.
#[inline(always)]
fn way(turn: &SmallTurn) -> usize {
    let mut builds = turn.builds();
    let first = builds.next().unwrap_or(MOST_SQUARES);
    if turn.is_dome() {
        return (MOST_SQUARES + 1) * (MOST_SQUARES + 1) + first;
    }
    first * (MOST_SQUARES + 1) + builds.next().unwrap_or(MOST_SQUARES)
}

/// Solves the levels of a piece of work and adds their rows to `rows`.
pub(super) fn solve_chunk(
    game: &SmallGame,
    lattice: &Lattice,
    index: &LayerIndex,
    above: &Above,
    chunk: u64,
    rows: &mut Vec<u8>,
) {
    let mut solver = ByTurns::new(game, lattice, above);
    for_each_heights(lattice, index.total, chunk, |rank, heights| {
        if index.has_row(rank) {
            solver.set(heights);
            for_each_place(game, lattice, heights, |side, crews| {
                rows.push(crews.map_or(NO_STATE, |crews| solver.byte(side, crews)));
            });
        }
    });
}

/// A state whose value is not what its turns make of it.
pub(super) type Difference = (SmallState, u8, u8);

/// Looks at every state of one in `step` of the levels of a piece of work that
/// have a row; returns how many there were, and the first with another value.
pub(super) fn check_chunk(
    game: &SmallGame,
    lattice: &Lattice,
    layer: &Layer,
    above: &Above,
    [chunk, step]: [u64; 2],
) -> (u64, Option<Difference>) {
    let mut solver = ByTurns::new(game, lattice, above);
    let (mut count, mut wrong) = (0, None);
    for_each_heights(lattice, layer.index.total, chunk, |rank, heights| {
        if !layer.index.has_row(rank) || !rank.is_multiple_of(step) {
            return;
        }
        solver.set(heights);
        let row = layer.index.row(game, lattice, heights);
        let mut place = row.start;
        for_each_place(game, lattice, heights, |side, crews| {
            let byte = layer.bytes.all()[place];
            place += 1;
            let expected = crews.map_or(NO_STATE, |crews| solver.byte(side, crews));
            count += u64::from(crews.is_some());
            if byte != expected && wrong.is_none() {
                let crews = crews.unwrap_or_default();
                let state = SmallState {
                    heights: *heights,
                    crews,
                    side,
                };
                wrong = Some((state, byte, expected));
            }
        });
    });
    (count, wrong)
}

/// Calls `visit` for every byte of the row of levels, in their order: with the
/// side and the workers of the player to move and of the other, or with none if
/// two share a square.
#[inline(always)]
fn for_each_place(
    game: &SmallGame,
    lattice: &Lattice,
    heights: &Heights,
    mut visit: impl FnMut(usize, Option<[SquareSet; 2]>),
) {
    let standing = Standing::new(game, heights, &lattice.symmetries()[0]);
    let squares: Vec<usize> = squares_of(standing.set).collect();
    let set = |crew: [u8; 2]| -> SquareSet {
        crew.iter()
            .fold(0, |set, &number| set | 1 << squares[usize::from(number)])
    };
    let crews: Vec<SquareSet> = crew_list(standing.count, game.workers)
        .into_iter()
        .map(set)
        .collect();
    for side in 0..game.sides() {
        for &other in &crews {
            for &mover in &crews {
                let is_state = other & mover == 0;
                visit(side, is_state.then_some([mover, other]));
            }
        }
    }
}
