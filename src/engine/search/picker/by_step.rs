//! Turns of the base game, grouped by step. Vector instructions score all builds after a
//! step at once. Measured: 1.1 times the nodes a second of the whole search.

use crate::rules::{Bitboard, Position, Side, Square, Turn};

use super::super::move_features::{LEVELS, MoveFeatures};
use super::{LANES, MoveOrdering, NO_TURN, SCORE_BITS, TtAndKillers};

/// The turns with the same step that build on the same part of the board.
#[derive(Clone, Copy)]
struct StepTurns {
    step: Turn,
    /// The first square of the part.
    start: usize,
}

/// The turns left. Each is a key: its score, then its index. The largest key is the best
/// turn and says where it is.
#[derive(Default)]
pub(super) struct TurnsByStep {
    steps: Vec<StepTurns>,
    /// The keys of the builds of each step.
    keys: Vec<[i32; LANES]>,
}

/// A key: score | index. The index is below the number of steps (16, in two parts each) times
/// [`LANES`].
const INDEX_BITS: u32 = i32::BITS - SCORE_BITS;
const _: () = assert!(2 * 16 * LANES <= 1 << INDEX_BITS);

impl TurnsByStep {
    /// Fills in all turns that do not win at once and build on `builds`, except the table's
    /// turn and the killers.
    pub(super) fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        builds: Bitboard,
        tt_and_killers: TtAndKillers,
        ordering: &MoveOrdering,
    ) {
        generate(self, position, builds, ordering);
        for turn in tt_and_killers.into_iter().flatten() {
            self.remove(turn);
        }
    }

    /// Removes a turn if it is there.
    fn remove(&mut self, turn: Turn) {
        let Some(build) = turn.build() else {
            return;
        };
        for (&StepTurns { step, start }, keys) in self.steps.iter().zip(&mut self.keys) {
            let lane = build.index().wrapping_sub(start);
            if lane < LANES && step.building(build) == turn {
                keys[lane] = NO_TURN;
            }
        }
    }

    /// Picks the best turn left, with its score.
    pub(super) fn pick(&mut self) -> Option<(Turn, i32)> {
        let best = largest(&self.keys);
        if best == NO_TURN {
            return None;
        }
        let index = best as usize & ((1 << INDEX_BITS) - 1);
        self.keys[index / LANES][index % LANES] = NO_TURN;
        let StepTurns { step, start } = self.steps[index / LANES];
        let build = Square::new(start + index % LANES);
        Some((step.building(build), best >> INDEX_BITS))
    }
}

// Measured with instructions that count bits: 1.04 times the nodes a second of the whole
// search. Closures would be compiled without them, so there are none.
for_widest_vectors! {
    fn generate<const N: usize>(
        turns: &mut TurnsByStep,
        position: &Position<N>,
        builds: Bitboard,
        ordering: &MoveOrdering<'_>,
    ) {
        turns.steps.clear();
        turns.keys.clear();
        let (player, features) = (position.player(), MoveFeatures::of(position));
        for start in (0..N * N).step_by(LANES) {
            let responses = ordering.build_responses(player, start);
            let part = builds & Bitboard(u64::from(u32::MAX) << start);
            for from in position.workers(Side::Mover) {
                let steps = position.quiet_steps(from);
                let beside_other = position.beside_other_worker(from);
                for level in 0..LEVELS {
                    let steps = steps & position.at_level(level);
                    if steps.is_empty() {
                        continue;
                    }
                    // The same after all these steps.
                    let mut by_level = ordering.build_features_chunk(&features, features.classes(start), from, level, start);
                    for lane in 0..LANES {
                        by_level[lane] += i32::from(responses[lane]);
                    }
                    for to in steps {
                        let builds = position.quiet_builds(from, to) & part;
                        if builds.is_empty() {
                            continue;
                        }
                        let step = Turn::winning(from, to);
                        let score = ordering.step(position, &features, step);
                        let by_squares = ordering.history.builds.chunk(player, to, start);
                        let threatening = position.threatening_builds(from, to, beside_other);
                        let builds = Builds {
                            possible: (builds.0 >> start) as u32,
                            threatening: (threatening.0 >> start) as u32,
                            threat_value: ordering.params.threat_value,
                            by_squares,
                            by_turn: &ordering.whole_turns(player, step, start),
                            by_level: &by_level,
                        };
                        let first = turns.steps.len() * LANES;
                        turns.steps.push(StepTurns { step, start });
                        turns.keys.push(keys(first, score, &builds));
                    }
                }
            }
        }
    }
}

/// The builds after a step on one part of the board, and the parts of their scores.
struct Builds<'a> {
    possible: u32,
    /// Builds that leave a threat to win, possible or not.
    threatening: u32,
    threat_value: i32,
    by_squares: &'a [i16; LANES],
    by_turn: &'a [i32; LANES],
    /// The same after all steps to a level: features and responses.
    by_level: &'a [i32; LANES],
}

/// The keys of the builds after a step with this score; `first` is the first index. All
/// squares of a part are scored, possible or not: a few vectors and no loop over builds.
#[inline(always)]
fn keys(first: usize, step: i32, builds: &Builds) -> [i32; LANES] {
    let Builds {
        possible,
        threatening,
        threat_value,
        by_squares,
        by_turn,
        by_level,
    } = *builds;
    let mut keys = [NO_TURN; LANES];
    for lane in 0..LANES {
        let is_threat = threatening >> lane & 1 != 0;
        let threat = if is_threat { threat_value } else { 0 };
        let history = i32::from(by_squares[lane]) + by_turn[lane];
        let score = step + threat + history + by_level[lane];
        let key = score << INDEX_BITS | (first + lane) as i32;
        let is_possible = possible >> lane & 1 != 0;
        keys[lane] = if is_possible { key } else { NO_TURN };
    }
    keys
}

for_widest_vectors! {
    fn largest(keys: &[[i32; LANES]]) -> i32 {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return largest_by_simd128(keys);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        keys.as_flattened().iter().copied().fold(NO_TURN, i32::max)
    }
}

/// For WebAssembly, where the compiler would make each vector wait for the last.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn largest_by_simd128(keys: &[[i32; LANES]]) -> i32 {
    use std::arch::wasm32::{i32x4_max, i32x4_splat, v128};
    let mut best = [i32x4_splat(NO_TURN); 4];
    let (vectors, _) = keys.as_flattened().as_chunks::<16>();
    for &[a, b, c, d] in bytemuck::cast_slice::<[i32; 16], [[i32; 4]; 4]>(vectors) {
        let new = [a, b, c, d].map(|lanes| -> v128 { bytemuck::cast(lanes) });
        best[0] = i32x4_max(best[0], new[0]);
        best[1] = i32x4_max(best[1], new[1]);
        best[2] = i32x4_max(best[2], new[2]);
        best[3] = i32x4_max(best[3], new[3]);
    }
    let best = i32x4_max(i32x4_max(best[0], best[1]), i32x4_max(best[2], best[3]));
    let best: [i32; 4] = bytemuck::cast(best);
    best.into_iter().fold(NO_TURN, i32::max)
}
