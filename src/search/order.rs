//! Turn ordering: the turn from the table first, then killers, then by the
//! history of what has cut off elsewhere.

use crate::rules::{Bitboard, Position, SQUARE_SLOTS, Square, Turn};

use super::cases::{CASES, Cases, Step};
use super::params::{HISTORY_MAX, KILLER_VALUE, Params};

/// How well moves and builds have done in the search so far.
///
/// `moves` is indexed by player (parity of the turn number), start and end of
/// the move; `builds` by player, where the worker stands and what it builds.
/// `step_cases` and `build_cases` are by what a turn is like wherever it is,
/// see [`super::cases`]. A turn's history is the weighted sum of all four.
pub struct History {
    moves: [Box<[i16; SQUARE_SLOTS * SQUARE_SLOTS]>; 2],
    builds: [Box<[i16; SQUARE_SLOTS * SQUARE_SLOTS]>; 2],
    step_cases: Box<[i16; CASES]>,
    build_cases: Box<[i16; CASES]>,
}

impl Default for History {
    fn default() -> Self {
        let table = || Box::new([0; SQUARE_SLOTS * SQUARE_SLOTS]);
        Self {
            moves: [table(), table()],
            builds: [table(), table()],
            step_cases: Box::new([0; CASES]),
            build_cases: Box::new([0; CASES]),
        }
    }
}

impl History {
    fn step(&self, player: usize, from: usize, to: usize) -> i32 {
        i32::from(self.moves[player][from * SQUARE_SLOTS + to])
    }

    fn build(&self, player: usize, from: usize, build: usize) -> i32 {
        i32::from(self.builds[player][from * SQUARE_SLOTS + build])
    }

    fn step_case(&self, case: usize, params: &Params) -> i32 {
        (i32::from(self.step_cases[case]) * params.step_case_weight) >> 4
    }

    fn build_case(&self, case: usize, params: &Params) -> i32 {
        (i32::from(self.build_cases[case]) * params.build_case_weight) >> 4
    }

    /// Gives a bonus to the turn that cut off, and takes it from those that
    /// were tried before it.
    pub fn update<const N: usize>(
        &mut self,
        position: &Position<N>,
        bonus: i32,
        best: Turn,
        others: &[Turn],
    ) {
        let cases = Cases::of(position);
        let mut add = |turn, bonus| {
            let step = cases.step(position, turn);
            let build = turn.build().map_or(0, |build| cases.build(&step, build));
            self.add(player(position), turn, [step.case, build], bonus);
        };
        add(best, bonus);
        others.iter().for_each(|&turn| add(turn, -bonus));
    }

    fn add(&mut self, player: usize, turn: Turn, cases: [usize; 2], bonus: i32) {
        let (from, to, build) = indices(turn);
        for value in [
            &mut self.step_cases[cases[0]],
            &mut self.build_cases[cases[1]],
            &mut self.moves[player][from * SQUARE_SLOTS + to],
            &mut self.builds[player][to * SQUARE_SLOTS + build],
        ] {
            // A value drifts towards the bonus the less the nearer it is to
            // the bound, so that it never passes it ("history gravity").
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
        }
    }
}

fn player<const N: usize>(position: &Position<N>) -> usize {
    (position.turn() & 1) as usize
}

fn indices(turn: Turn) -> (usize, usize, usize) {
    let build = turn.build().map_or(0, |square| square.index());
    (turn.from().index(), turn.to().index(), build)
}

/// The turns of a position, handed out best first.
///
/// A turn, its ordering value and its place in the list are packed into one
/// word, value above turn above place, so that the best is simply the largest
/// and tells where it is.
#[derive(Default)]
pub struct Picker {
    words: Vec<i64>,
}

// A word: value (22 bits) | turn (29) | place (12)
const PLACE_BITS: u32 = 12;
const TURN_BITS: u32 = 29;
const VALUE: u32 = PLACE_BITS + TURN_BITS;
/// The bits of the place.
const PLACES: i64 = (1 << PLACE_BITS) - 1;
/// What is added to a value to make it positive: more than any sum of
/// histories and climbs.
const BIAS: i32 = 1 << 20;
/// More than the value of any turn that is neither first nor a killer.
pub const TRIED_VALUE: i32 = KILLER_VALUE / 2;
/// The value of the turn that comes first.
const FIRST: i32 = (1 << 22) - 1 - BIAS;

impl Picker {
    /// Takes all turns that do not win at once and build on `builds`, `first`
    /// and then the killers before all others, which are valued by history
    /// and by the levels that they climb.
    pub fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        first: Option<Turn>,
        killers: [Option<Turn>; 2],
        history: &History,
        params: &Params,
    ) {
        self.words.clear();
        let player = player(position);
        let cases = Cases::of(position);
        let (mut squares, mut step, mut step_value) = ((0, 0), Step::default(), 0);
        position.for_each_quiet(builds, |turn| {
            let (from, to, build) = indices(turn);
            // The turns of one step come one after the other.
            if squares != (from, to) {
                squares = (from, to);
                step = cases.step(position, turn);
                step_value = history.step(player, from, to)
                    + history.step_case(step.case, params)
                    + params.climb_value * step.climb;
            }
            let mut value = step_value
                + history.build(player, to, build)
                + history.build_case(cases.build(&step, Square::new(build)), params);
            if Some(turn) == first {
                value = FIRST;
            } else if killers.contains(&Some(turn)) {
                value += KILLER_VALUE;
            }
            self.words.push(pack(value, turn, self.words.len()));
        });
    }

    /// Takes out the best turn left. With it comes its value, which for the
    /// first turn and for killers is [`TRIED_VALUE`] at least.
    pub fn pick(&mut self) -> Option<(Turn, i32)> {
        let best = largest(&self.words)?;
        let place = best & PLACES;
        // The last one takes its place.
        let last = self.words.pop()?;
        if last != best {
            self.words[place as usize] = last & !PLACES | place;
        }
        let turn = Turn::from_raw((best >> PLACE_BITS) as u32 & ((1 << TURN_BITS) - 1))?;
        Some((turn, (best >> VALUE) as i32 - BIAS))
    }
}

// Measured: 1.1 times the nodes a second of the whole search (AVX-512).
for_widest_vectors! {
    fn largest(words: &[i64]) -> Option<i64> {
        words.iter().copied().max()
    }
}

fn pack(value: i32, turn: Turn, place: usize) -> i64 {
    debug_assert!((-BIAS..=FIRST).contains(&value) && place as i64 <= PLACES);
    i64::from(value + BIAS) << VALUE | i64::from(turn.bits()) << PLACE_BITS | place as i64
}
