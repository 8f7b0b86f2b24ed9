//! Turns with cards, in groups that differ only in their last build: there may be hundreds,
//! of many kinds. Vector instructions score all turns of a group at once.

use crate::rules::{
    Bitboard, Extra, LastBuild, Position, SQUARE_SLOTS, Square, Turn, TurnGroup, WinPaths,
};

use super::super::move_features::MoveFeatures;
use super::{LANES, MoveOrdering, NO_TURN, SCORE_BITS, TtAndKillers};

/// The turns left. Each is a key: its score, then its square within its part of the board.
#[derive(Default)]
pub(super) struct TurnsByGroup {
    groups: Vec<TurnGroup>,
    parts: Vec<Part>,
    /// The keys of each part.
    keys: Vec<[i32; LANES]>,
    /// The largest key of each part, then the part's number: the maximum leads to the best
    /// turn.
    best: Vec<i64>,
}

/// The turns of a group on one part of the board.
#[derive(Clone, Copy)]
struct Part {
    group: usize,
    /// The first square.
    start: usize,
}

const SQUARE_BITS: u32 = LANES.ilog2();
const _: () = assert!(SCORE_BITS + SQUARE_BITS <= i32::BITS);
/// The bits of a part's number: there are some hundreds at most.
const PART_BITS: u32 = 16;

impl TurnsByGroup {
    /// Fills in all turns that do not win at once and change a square of each of the opponent's
    /// `wins`, except the table's turn and the killers.
    pub(super) fn fill<const N: usize>(
        &mut self,
        position: &Position<N>,
        wins: &WinPaths,
        tt_and_killers: TtAndKillers,
        ordering: &MoveOrdering,
    ) {
        self.groups.clear();
        position.for_each_group(|mut group| {
            group.squares = wins.squares_that_meet(position, &group);
            for turn in tt_and_killers.into_iter().flatten() {
                if let Some(square) = group.square_of(turn) {
                    group.squares = group.squares.without(Bitboard::of(square));
                }
            }
            if group.squares.any() {
                self.groups.push(group);
            }
        });
        self.parts.clear();
        self.keys.clear();
        self.best.clear();
        score(self, position, ordering);
    }

    /// Picks the best turn left, with its score.
    pub(super) fn pick(&mut self) -> Option<(Turn, i32)> {
        let best = largest_of(&self.best)?;
        let key = (best >> PART_BITS) as i32;
        if key == NO_TURN {
            return None;
        }
        let number = (best & ((1 << PART_BITS) - 1)) as usize;
        let lane = key as usize % LANES;
        let keys = &mut self.keys[number];
        keys[lane] = NO_TURN;
        self.best[number] = entry(largest(keys), number);
        let Part { group, start } = self.parts[number];
        let turn = self.groups[group].turn(Square::new(start + lane));
        Some((turn, key >> SQUARE_BITS))
    }
}

/// A part's largest key, then its number.
fn entry(key: i32, number: usize) -> i64 {
    debug_assert!(number < 1 << PART_BITS);
    i64::from(key) << PART_BITS | number as i64
}

for_widest_vectors! {
    fn largest(keys: &[i32; LANES]) -> i32 {
        largest_key(keys)
    }
}

/// The largest key, by halving: a fold would be compiled without vectors.
#[inline(always)]
fn largest_key(keys: &[i32; LANES]) -> i32 {
    let mut largest = *keys;
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            largest[lane] = largest[lane].max(largest[lane + half]);
        }
        half /= 2;
    }
    largest[0]
}

for_widest_vectors! {
    fn largest_of(best: &[i64]) -> Option<i64> {
        best.iter().copied().max()
    }
}

// Closures would be compiled without the instructions, so there are none.
for_widest_vectors! {
    fn score<const N: usize>(
        turns: &mut TurnsByGroup,
        position: &Position<N>,
        ordering: &MoveOrdering<'_>,
    ) {
        let features = MoveFeatures::of(position);
        let mut scorer = Scorer {
            position,
            player: position.player(),
            features: &features,
            ordering,
            step: None,
            step_score: 0,
            builds: [0; SQUARE_SLOTS],
        };
        for index in 0..turns.groups.len() {
            let TurnGroup { shared, last, squares } = turns.groups[index];
            scorer.set_step(shared);
            let before = scorer.before_last_build(shared);
            for start in (0..N * N).step_by(LANES) {
                let part = (squares.0 >> start) as u32;
                if part == 0 {
                    continue;
                }
                let builds = scorer.last_builds(shared, last, start);
                let mut keys = [NO_TURN; LANES];
                for lane in 0..LANES {
                    let key = (before + builds[lane]) << SQUARE_BITS | lane as i32;
                    let is_possible = part >> lane & 1 != 0;
                    keys[lane] = if is_possible { key } else { NO_TURN };
                }
                turns.parts.push(Part { group: index, start });
                turns.keys.push(keys);
            }
        }
        for (number, keys) in turns.keys.iter().enumerate() {
            turns.best.push(entry(largest_key(keys), number));
        }
    }
}

/// Scores turns, step by step.
struct Scorer<'a, const N: usize> {
    position: &'a Position<N>,
    player: usize,
    features: &'a MoveFeatures,
    ordering: &'a MoveOrdering<'a>,
    /// The current step, with a build before it.
    step: Option<[Option<Square>; 3]>,
    /// The score of the step and the build before it.
    step_score: i32,
    /// The score of a level built on each square after it.
    builds: [i32; SQUARE_SLOTS],
}

impl<const N: usize> Scorer<'_, N> {
    /// Makes the step of a turn the current one.
    #[inline(always)]
    fn set_step(&mut self, turn: Turn) {
        let first = match turn.extra() {
            Extra::FirstBuild(square) => Some(square),
            Extra::None | Extra::Via(_) | Extra::SecondBuild(_) => None,
        };
        let step = Some([Some(turn.from()), Some(turn.to()), first]);
        if self.step == step {
            return;
        }
        self.step = step;
        self.step_score = self.ordering.step(self.position, self.features, turn);
        let (history, player, to) = (self.ordering.history, self.player, turn.to());
        if turn.displaces() {
            self.step_score += history.extras.get(player, to, turn.from());
        }
        for start in (0..N * N).step_by(LANES) {
            let mut scores = self.features_of_builds(turn, self.features.classes(start), start);
            add(&mut scores, history.builds.chunk(player, to, start));
            add(&mut scores, &self.ordering.whole_turns(player, turn, start));
            self.builds[start..start + LANES].copy_from_slice(&scores);
        }
        if let Some(square) = first {
            let by_square = history.builds.get(player, to, square);
            let build = &mut self.builds[square.index()];
            self.step_score += history.extras.get(player, to, square) + *build - by_square;
            let raised = self.features.build(turn, square, 1);
            *build = by_square + self.ordering.build_features(raised);
        }
    }

    /// The score of a turn without its last build.
    #[inline(always)]
    fn before_last_build(&self, turn: Turn) -> i32 {
        let first = turn.build().map_or(0, |square| self.builds[square.index()]);
        self.step_score + first
    }

    /// The scores of the last build on each square of a part of the board.
    #[inline(always)]
    fn last_builds(&self, turn: Turn, last: LastBuild, start: usize) -> [i32; LANES] {
        let (history, to) = (self.ordering.history, turn.to());
        let mut scores = [0; LANES];
        if last == LastBuild::Dome {
            add(&mut scores, history.builds.chunk(self.player, to, start));
        } else {
            add(&mut scores, &self.builds[start..start + LANES]);
        }
        if last == LastBuild::TwoLevels {
            let raised = self.features.raised_classes(start);
            add(&mut scores, &self.features_of_builds(turn, &raised, start));
        }
        if matches!(last, LastBuild::Dome | LastBuild::TwoLevels) {
            add(&mut scores, history.extras.chunk(self.player, to, start));
        }
        scores
    }

    /// The scores by features of a level on each square of a part of the board, if the squares
    /// have these classes.
    #[inline(always)]
    fn features_of_builds(&self, turn: Turn, classes: &[u16; LANES], start: usize) -> [i32; LANES] {
        let level = self.features.level(turn.to());
        (self.ordering).build_features_chunk(self.features, classes, turn.from(), level, start)
    }
}

#[inline(always)]
fn add(scores: &mut [i32; LANES], values: &[impl Copy + Into<i32>]) {
    for (score, &value) in scores.iter_mut().zip(values) {
        *score += value.into();
    }
}
