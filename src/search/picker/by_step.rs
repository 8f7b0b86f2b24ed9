//! The turns of the base game, by their steps. All builds after a step are
//! valued together, with vectors: 1.1 times the nodes a second of the whole
//! search.

use crate::rules::{Bitboard, Position, Side, Square, Turn};

use super::super::features::{Features, LEVELS, PART};
use super::super::history::player;
use super::{Early, Ordering, VALUE_BITS};

/// The turns that begin with the same step and build on the same part of the
/// board.
#[derive(Clone, Copy)]
struct Group {
    step: Turn,
    /// The first square of the part.
    start: usize,
}

/// The turns that are left.
///
/// A turn is a word, its value above its place among all words, so that the
/// best is simply the largest and tells where it is.
#[derive(Default)]
pub struct ByStep {
    groups: Vec<Group>,
    /// For each group the words of its builds.
    words: Vec<[i32; PART]>,
}

/// A word: value | place, which is below the greatest number of groups, twice
/// that of steps, times [`PART`].
const PLACE_BITS: u32 = i32::BITS - VALUE_BITS;
const _: () = assert!(2 * 16 * PART <= 1 << PLACE_BITS);
/// The word of a build that is not possible, or is taken out.
const NO_TURN: i32 = i32::MIN;

impl ByStep {
    /// Takes all turns of the base game that do not win at once and build on
    /// `builds`, but not the early ones.
    pub fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        early: Early,
        ordering: &Ordering,
    ) {
        self.groups.clear();
        self.words.clear();
        generate(self, position, builds, ordering);
        for turn in early.into_iter().flatten() {
            self.take_out(turn);
        }
    }

    /// Takes out a turn if it is among these.
    fn take_out(&mut self, turn: Turn) {
        let Some(build) = turn.build() else {
            return;
        };
        for (Group { step, start }, words) in self.groups.iter().zip(&mut self.words) {
            let lane = build.index().wrapping_sub(*start);
            if lane < PART && step.building(build) == turn {
                words[lane] = NO_TURN;
            }
        }
    }

    /// Takes out the best turn left, with its value.
    pub fn pick(&mut self) -> Option<(Turn, i32)> {
        let best = largest(&self.words);
        if best == NO_TURN {
            return None;
        }
        let place = best as usize & ((1 << PLACE_BITS) - 1);
        self.words[place / PART][place % PART] = NO_TURN;
        let Group { step, start } = self.groups[place / PART];
        let build = Square::new(start + place % PART);
        Some((step.building(build), best >> PLACE_BITS))
    }
}

// Measured: compiled for processors with instructions that count bits, 1.04
// times the nodes a second of the whole search. There is no closure in it, since
// that would not be compiled so.
for_widest_vectors! {
    fn generate<const N: usize>(
        turns: &mut ByStep,
        position: &Position<N>,
        builds: Bitboard,
        ordering: &Ordering<'_>,
    ) {
        let features = Features::of(position);
        let player = player(position);
        for start in (0..N * N).step_by(PART) {
            let part = builds & Bitboard(u64::from(u32::MAX) << start);
            for from in position.workers(Side::Mover) {
                let steps = position.quiet_steps(from);
                for level in 0..LEVELS {
                    let steps = steps & position.at_level(level);
                    if steps.is_empty() {
                        continue;
                    }
                    // The same after all these steps.
                    let by_features = ordering.builds(&features, from, level, start);
                    for to in steps {
                        let builds = position.quiet_builds(from, to) & part;
                        if builds.is_empty() {
                            continue;
                        }
                        let step = Turn::winning(from, to);
                        let value = ordering.step(player, &features, step);
                        let by_squares = ordering.history.builds(player, to, start);
                        let first = turns.groups.len() * PART;
                        let builds = (builds.0 >> start) as u32;
                        turns.groups.push(Group { step, start });
                        turns.words.push(words(first, builds, value, by_squares, &by_features));
                    }
                }
            }
        }
    }
}

/// The words of the builds after a step. All squares are valued, whether they can
/// be built on or not: that takes a few vectors, and no loop over the builds.
#[inline(always)]
fn words(
    first: usize,
    builds: u32,
    step: i32,
    by_squares: &[i16; PART],
    by_features: &[i32; PART],
) -> [i32; PART] {
    let mut words = [NO_TURN; PART];
    for lane in 0..PART {
        let value = step + i32::from(by_squares[lane]) + by_features[lane];
        if builds >> lane & 1 != 0 {
            words[lane] = value << PLACE_BITS | (first + lane) as i32;
        }
    }
    words
}

for_widest_vectors! {
    fn largest(words: &[[i32; PART]]) -> i32 {
        words.as_flattened().iter().copied().fold(NO_TURN, i32::max)
    }
}
