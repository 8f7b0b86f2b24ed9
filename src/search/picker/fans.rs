//! The turns of the base game, by their steps. All builds after a step are
//! valued together, with vectors: 1.1 times the nodes a second of the whole
//! search.

use crate::rules::{Bitboard, Position, SQUARE_SLOTS, Side, Square, Turn};

use super::super::history::{BySquares, player};
use super::super::policy::PART;
use super::super::policy::cases::{Cases, KINDS_OF_STEPS};
use super::{Early, Ordering, VALUE_BITS};

/// The squares of a board that one vector of values is for.
const LANES: usize = PART;

/// Turns of the base game: all that begin with the same step and build on the
/// same part of the board.
#[derive(Clone, Copy)]
struct Fan {
    step: Turn,
    /// What their values have in common.
    value: i32,
    /// The first square of the part of the board.
    start: usize,
    /// Where they build in it.
    builds: u32,
    /// The place of what was learned of their builds.
    cases: usize,
}

/// The turns that are left.
///
/// A turn is a word, its value above its place among all words, so that the
/// best is simply the largest and tells where it is.
#[derive(Default)]
pub struct Fans {
    fans: Vec<Fan>,
    /// For each fan the words of its builds. What lies behind them is of fans
    /// before.
    words: Vec<[i32; LANES]>,
    /// What was learned of builds, for some kind of step and some part of the
    /// board.
    cases: Vec<[i32; LANES]>,
}

/// A word: value | place, which is below the greatest number of fans, twice that
/// of steps, times [`LANES`].
const PLACE_BITS: u32 = i32::BITS - VALUE_BITS;
const _: () = assert!(2 * 16 * LANES <= 1 << PLACE_BITS);
/// The word of a build that is not possible, or is taken out.
const NO_TURN: i32 = i32::MIN;

impl Fans {
    /// Takes all turns of the base game that do not win at once and build on
    /// `builds`, but not the early ones.
    pub fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        early: Early,
        ordering: &Ordering,
    ) {
        generate(self, position, builds, ordering);
        if self.words.len() < self.fans.len() {
            self.words.resize(self.fans.len(), [NO_TURN; LANES]);
        }
        let history = ordering.history.builds(player(position));
        weigh(&mut self.words, &self.fans, history, &self.cases);
        for turn in early.into_iter().flatten() {
            self.take_out(turn);
        }
    }

    /// Takes out a turn if it is among these.
    fn take_out(&mut self, turn: Turn) {
        let Some(build) = turn.build() else {
            return;
        };
        for (fan, words) in self.fans.iter().zip(&mut self.words) {
            let lane = build.index().wrapping_sub(fan.start);
            if lane < LANES && fan.step.building(build) == turn {
                words[lane] = NO_TURN;
            }
        }
    }

    /// Takes out the best turn left, with its value.
    pub fn pick(&mut self) -> Option<(Turn, i32)> {
        let best = largest(&self.words[..self.fans.len()]);
        if best == NO_TURN {
            return None;
        }
        let place = best as usize & ((1 << PLACE_BITS) - 1);
        self.words[place / LANES][place % LANES] = NO_TURN;
        let fan = &self.fans[place / LANES];
        let build = Square::new(fan.start + place % LANES);
        Some((fan.step.building(build), best >> PLACE_BITS))
    }
}

// Measured: compiled for processors with instructions that count bits, 1.04
// times the nodes a second of the whole search. There is no closure in it, since
// that would not be compiled so.
for_widest_vectors! {
    fn generate<const N: usize>(
        fans: &mut Fans,
        position: &Position<N>,
        builds: Bitboard,
        ordering: &Ordering<'_>,
    ) {
        fans.fans.clear();
        fans.cases.clear();
        let cases = Cases::of(position);
        for start in (0..N * N).step_by(LANES) {
            // Where the values of a kind of step are.
            let mut known = [None; KINDS_OF_STEPS];
            let part = builds & Bitboard(u64::from(u32::MAX) << start);
            for from in position.workers(Side::Mover) {
                for to in position.quiet_steps(from) {
                    let builds = position.quiet_builds(from, to) & part;
                    if builds.is_empty() {
                        continue;
                    }
                    let turn = Turn::winning(from, to);
                    let step = cases.step(position, turn);
                    let place = known[step.kind()].unwrap_or(fans.cases.len());
                    if place == fans.cases.len() {
                        fans.cases.push(ordering.policy.builds(&cases, &step, start));
                        known[step.kind()] = Some(place);
                    }
                    fans.fans.push(Fan {
                        step: turn,
                        value: ordering.step(position, turn, &step),
                        start,
                        builds: (builds.0 >> start) as u32,
                        cases: place,
                    });
                }
            }
        }
    }
}

// All squares of a part are valued, whether they can be built on or not: that
// takes a few vectors, and no loop over the builds. Measured, with `largest`: see
// the head of this file.
for_widest_vectors! {
    fn weigh(
        words: &mut [[i32; LANES]],
        fans: &[Fan],
        history: &BySquares,
        cases: &[[i32; LANES]],
    ) {
        for (index, (words, fan)) in words.iter_mut().zip(fans).enumerate() {
            let history = &history[fan.step.to().index() * SQUARE_SLOTS + fan.start..][..LANES];
            let cases = &cases[fan.cases];
            for lane in 0..LANES {
                let value = fan.value + i32::from(history[lane]) + cases[lane];
                let word = value << PLACE_BITS | (index * LANES + lane) as i32;
                let is_possible = fan.builds >> lane & 1 != 0;
                words[lane] = if is_possible { word } else { NO_TURN };
            }
        }
    }
}

for_widest_vectors! {
    fn largest(words: &[[i32; LANES]]) -> i32 {
        words.as_flattened().iter().copied().fold(NO_TURN, i32::max)
    }
}
