//! History heuristic: how often moves and builds have caused cutoffs, by their
//! squares and by their features. Turns are ordered by it.

use crate::cache;
use crate::rules::{Bitboard, Extra, Position, SQUARE_SLOTS, Side, Square, Turn};

use super::correction::Corrections;
use super::features::{CHUNK, CLASSES, Features, LEVELS, MoveFeatures, RANKS};
use super::lookup::look_up;
use super::params::HISTORY_MAX;
use super::steps_by_workers::StepsByWorkers;

/// Values by two squares; the second varies fastest.
type BySquares = [i16; SQUARE_SLOTS * SQUARE_SLOTS];

/// Values by the end of the opponent's last step, the start and the end of a step; for
/// the squares of the largest board alone, since there are so many.
type Responses = [[[i16; SQUARES]; SQUARES]; SQUARES];
const SQUARES: usize = 6 * 6;

/// Values by the start and the direction of a step and the square of a build.
type ByTurns = [[[i16; SQUARE_SLOTS]; DIRECTIONS]; SQUARES];

/// All directions of a step.
pub(super) const DIRECTIONS: usize = 8;

/// Values by [`Features`].
type ByFeatures = [[[i16; CLASSES]; RANKS]; LEVELS];

/// The history tables of one thread.
///
/// `moves` is indexed by player (parity of the turn number), start and end of
/// the move; `builds` by player, where the worker stands and what it builds;
/// `extras` by player, where the worker stands and the square of what only the
/// player's card allows; `responses` by player, end of the opponent's last step, start
/// and end of the move; `steps_after_build` and `builds_after_build` by player, the square
/// of the opponent's last build, and where one steps or builds; `turns` by player, start and
/// direction of a step and where a level is built. `step_features` and
/// `build_features` are for both players. A turn's history is the sum of all.
/// `corrections` are of evaluations, not of turns.
pub struct History {
    moves: [Box<BySquares>; 2],
    builds: [Box<BySquares>; 2],
    extras: [Box<BySquares>; 2],
    responses: [Box<Responses>; 2],
    steps_after_build: [Box<BySquares>; 2],
    builds_after_build: [Box<BySquares>; 2],
    turns: [Box<ByTurns>; 2],
    steps_by_workers: StepsByWorkers,
    step_features: Box<ByFeatures>,
    build_features: Box<ByFeatures>,
    pub corrections: Corrections,
}

impl Default for History {
    fn default() -> Self {
        let table = || Box::new([0; SQUARE_SLOTS * SQUARE_SLOTS]);
        let responses = || Box::new([[[0; SQUARES]; SQUARES]; SQUARES]);
        let turns = || Box::new([[[0; SQUARE_SLOTS]; DIRECTIONS]; SQUARES]);
        let by_features = || Box::new([[[0; CLASSES]; RANKS]; LEVELS]);
        Self {
            moves: [table(), table()],
            builds: [table(), table()],
            extras: [table(), table()],
            responses: [responses(), responses()],
            steps_after_build: [table(), table()],
            builds_after_build: [table(), table()],
            turns: [turns(), turns()],
            steps_by_workers: StepsByWorkers::default(),
            step_features: by_features(),
            build_features: by_features(),
            corrections: Corrections::default(),
        }
    }
}

impl History {
    /// Reads the tables into the caches.
    pub fn warm(&self) {
        let by_squares = [
            &self.moves,
            &self.builds,
            &self.extras,
            &self.steps_after_build,
            &self.builds_after_build,
        ];
        for table in by_squares.into_iter().flatten() {
            cache::warm(&table[..]);
        }
        for player in 0..2 {
            cache::warm(self.responses[player].as_flattened().as_flattened());
            cache::warm(self.turns[player].as_flattened().as_flattened());
        }
        self.steps_by_workers.warm();
        cache::warm(self.step_features.as_flattened().as_flattened());
        cache::warm(self.build_features.as_flattened().as_flattened());
        self.corrections.warm();
    }

    /// The value of a player's step by its squares.
    #[inline(always)]
    pub fn step(&self, player: usize, turn: Turn) -> i32 {
        i32::from(self.moves[player][index(turn.from(), turn.to())])
    }

    /// The value of a player's step after the opponent's `last` turn.
    #[inline(always)]
    pub fn response(&self, player: usize, last: Turn, turn: Turn) -> i32 {
        let [last, from, to] = response_index(last, turn);
        i32::from(self.responses[player][last][from][to])
    }

    /// The value of a player's step after the opponent's `last` turn by what that built.
    #[inline(always)]
    pub fn step_after_build(&self, player: usize, last: Turn, turn: Turn) -> i32 {
        last.build().map_or(0, |build| {
            i32::from(self.steps_after_build[player][index(build, turn.to())])
        })
    }

    /// The values of a player's builds on a chunk of squares after the opponent's build on
    /// the square `last`.
    #[inline(always)]
    pub fn builds_after_build(&self, player: usize, last: Square, start: usize) -> &[i16; CHUNK] {
        chunk(row(&self.builds_after_build[player], last, start))
    }

    /// The values of a player's turns with a step and a level built on a chunk of squares.
    #[inline(always)]
    pub fn turns(&self, player: usize, step: Turn, start: usize) -> &[i16; CHUNK] {
        chunk(&self.turns[player][step.from().index()][direction(step)][start..])
    }

    /// The value of the mover's step where all workers stand as in this position.
    #[inline(always)]
    pub fn step_by_workers<const N: usize>(&self, position: &Position<N>, step: Turn) -> i32 {
        self.steps_by_workers.get(position, step)
    }

    /// The value of a step by its features.
    #[inline(always)]
    pub fn step_features(&self, features: &MoveFeatures, turn: Turn) -> i32 {
        let [level, rank, class] = features.step(turn);
        i32::from(self.step_features[level][rank][class])
    }

    /// The value of a player's build by its squares.
    #[inline(always)]
    pub fn build(&self, player: usize, to: Square, build: Square) -> i32 {
        i32::from(self.builds[player][index(to, build)])
    }

    /// The value by its square of what only a card allows.
    #[inline(always)]
    pub fn extra(&self, player: usize, to: Square, square: Square) -> i32 {
        i32::from(self.extras[player][index(to, square)])
    }

    /// The values by squares of a player's builds on a chunk of squares.
    #[inline(always)]
    pub fn builds(&self, player: usize, to: Square, start: usize) -> &[i16; CHUNK] {
        chunk(row(&self.builds[player], to, start))
    }

    /// The values by squares of what only a card allows on a chunk of squares.
    #[inline(always)]
    pub fn extras(&self, player: usize, to: Square, start: usize) -> &[i16; CHUNK] {
        chunk(row(&self.extras[player], to, start))
    }

    /// The values by features of builds on a chunk of squares of these classes, after a
    /// step from `from` to a square of this level.
    #[inline(always)]
    pub fn builds_features(
        &self,
        features: &MoveFeatures,
        classes: &[u16; CHUNK],
        from: Square,
        level: usize,
        start: usize,
    ) -> [i16; CHUNK] {
        let rows = &self.build_features[level];
        let (rank, near) = features.other_worker(from);
        let near = (near.0 >> start) as u32;
        look_up([&rows[0], &rows[rank]], classes, near)
    }

    /// The value of a build by its features.
    #[inline(always)]
    pub fn build_features(&self, [level, rank, class]: Features) -> i32 {
        i32::from(self.build_features[level][rank][class])
    }

    /// Gives a bonus to the turn that caused a cutoff in a position, and a malus to
    /// those searched before it; also as responses to the turn before, if there is one.
    /// With cards, where a step goes with many builds, a step has one malus however many
    /// of these turns share it.
    pub fn update<const N: usize>(
        &mut self,
        position: &Position<N>,
        cutoff: &Cutoff,
        best: Turn,
        others: &[Turn],
    ) {
        let &Cutoff {
            last,
            bonus,
            learns_builds,
        } = cutoff;
        let (player, features) = (player(position), MoveFeatures::of(position));
        let has_card = position.card(Side::Mover).is_some();
        let mut steps = Steps::default();
        let others = others.iter().map(|&turn| (turn, -bonus));
        for (turn, bonus) in std::iter::once((best, bonus)).chain(others) {
            if bonus > 0 || !has_card || steps.insert(turn) {
                self.add_step(player, &features, last, turn, bonus);
                self.steps_by_workers.add(position, turn, bonus);
            }
            if learns_builds {
                self.add_builds(player, &features, last, turn, bonus);
                self.add_turn(player, turn, bonus);
            }
        }
    }

    fn add_step(
        &mut self,
        player: usize,
        features: &MoveFeatures,
        before: Option<Turn>,
        turn: Turn,
        bonus: i32,
    ) {
        let [level, rank, class] = features.step(turn);
        add(&mut self.step_features[level][rank][class], bonus);
        add(
            &mut self.moves[player][index(turn.from(), turn.to())],
            bonus,
        );
        if let Some(last) = before {
            let [last, from, to] = response_index(last, turn);
            add(&mut self.responses[player][last][from][to], bonus);
        }
        if let Some(build) = before.and_then(Turn::build) {
            let index = index(build, turn.to());
            add(&mut self.steps_after_build[player][index], bonus);
        }
    }

    fn add_turn(&mut self, player: usize, turn: Turn, bonus: i32) {
        let by_build = &mut self.turns[player][turn.from().index()][direction(turn)];
        for square in raised(turn) {
            add(&mut by_build[square.index()], bonus);
        }
    }

    fn add_builds(
        &mut self,
        player: usize,
        features: &MoveFeatures,
        before: Option<Turn>,
        turn: Turn,
        bonus: i32,
    ) {
        for [level, rank, class] in features.builds(turn) {
            add(&mut self.build_features[level][rank][class], bonus);
        }
        let to = turn.to();
        let builds = &mut self.builds[player];
        if let Some(build) = turn.build() {
            add(&mut builds[index(to, build)], bonus);
            if let Some(last) = before.and_then(Turn::build) {
                add(
                    &mut self.builds_after_build[player][index(last, build)],
                    bonus,
                );
            }
        }
        match extra_of(turn) {
            Some(CardPart::Build(square)) => add(&mut builds[index(to, square)], bonus),
            Some(CardPart::Other(square)) => {
                add(&mut self.extras[player][index(to, square)], bonus);
            }
            None => {}
        }
    }
}

/// What is learned of a cutoff besides the turns.
#[derive(Clone, Copy, Debug)]
pub struct Cutoff {
    /// The opponent's turn before.
    pub last: Option<Turn>,
    pub bonus: i32,
    /// Whether builds are learned of, and not only steps.
    pub learns_builds: bool,
}

/// The steps among some turns of a player.
#[derive(Default)]
struct Steps {
    /// The start of one worker.
    from: Option<Square>,
    /// Where that worker steps, and where the other one does.
    to: [Bitboard; 2],
}

impl Steps {
    /// Adds the step of a turn; whether it is new.
    fn insert(&mut self, turn: Turn) -> bool {
        let from = *self.from.get_or_insert(turn.from());
        let to = &mut self.to[usize::from(turn.from() == from)];
        let is_new = !to.has(turn.to());
        *to |= Bitboard::of(turn.to());
        is_new
    }
}

/// History gravity: the nearer a value is to the bound, the less it moves, so that it
/// never passes the bound.
pub(super) fn add(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

/// What only a card allows in a turn, with its square.
enum CardPart {
    /// A build on a second square, which counts as any build.
    Build(Square),
    /// A dome, two levels on a square, a build before the move; or a step that displaces
    /// an opponent's worker, with the square that it leaves.
    Other(Square),
}

fn extra_of(turn: Turn) -> Option<CardPart> {
    match turn.extra() {
        Extra::SecondBuild(square) if turn.build() != Some(square) => Some(CardPart::Build(square)),
        Extra::SecondBuild(square) | Extra::FirstBuild(square) => Some(CardPart::Other(square)),
        Extra::None if turn.is_dome() => turn.build().map(CardPart::Other),
        Extra::None if turn.displaces() => Some(CardPart::Other(turn.from())),
        Extra::Via(_) | Extra::None => None,
    }
}

/// The squares on which a turn builds levels, but for a dome on a low tower.
pub(super) fn raised(turn: Turn) -> impl Iterator<Item = Square> {
    let build = turn.build().filter(|_| !turn.is_dome());
    let other = match turn.extra() {
        Extra::SecondBuild(square) | Extra::FirstBuild(square) => Some(square),
        Extra::Via(_) | Extra::None => None,
    };
    let other = other.filter(|_| other != build);
    build.into_iter().chain(other)
}

/// The index of the mover in the history tables.
pub fn player<const N: usize>(position: &Position<N>) -> usize {
    (position.turn() & 1) as usize
}

/// The indices of a step after the opponent's `last` turn.
#[inline(always)]
fn response_index(last: Turn, turn: Turn) -> [usize; 3] {
    [last.to(), turn.from(), turn.to()].map(Square::index)
}

/// The direction of a single step, as a number: the highest bits of a product, by a factor
/// with which they differ for all directions on boards of 5x5 and of 6x6 squares.
#[inline(always)]
pub(super) fn direction(step: Turn) -> usize {
    let difference = step.to().index().wrapping_sub(step.from().index()) as u8;
    usize::from(difference.wrapping_mul(90) >> 5)
}

fn index(first: Square, second: Square) -> usize {
    first.index() * SQUARE_SLOTS + second.index()
}

/// The values of a first square and second ones from `start` on.
#[inline(always)]
fn row(values: &BySquares, first: Square, start: usize) -> &[i16] {
    &values[first.index() * SQUARE_SLOTS + start..]
}

/// The first chunk of what is left of a row.
#[inline(always)]
fn chunk(row: &[i16]) -> &[i16; CHUNK] {
    row.first_chunk().expect("a row has room for whole chunks")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Geometry;

    fn cutoff(last: Option<Turn>, bonus: i32) -> Cutoff {
        Cutoff {
            last,
            bonus,
            learns_builds: true,
        }
    }

    /// The value of a turn by its features.
    fn by_features(history: &History, position: &Position<5>, turn: Turn) -> i32 {
        let features = MoveFeatures::of(position);
        let builds = features.builds(turn).map(|it| history.build_features(it));
        history.step_features(&features, turn) + builds.sum::<i32>()
    }

    #[test]
    fn a_cutoff_counts_for_turns_with_the_same_features_anywhere() {
        let position = |text: &str| text.parse::<Position<5>>().unwrap();
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let here = position("01000/01000/00000/00000/00000 b3d3 a5e5 0");
        let (best, other) = (turn("b3-b2+b1"), turn("b3-b4+a3"));
        let mut history = History::default();
        history.update(&here, &cutoff(None, 800), best, &[other]);
        assert_eq!(by_features(&history, &here, best), 1600);
        assert_eq!(by_features(&history, &here, other), -1600);
        assert_eq!(history.step(0, best), 800);
        assert_eq!(history.step(1, best), 0);
        // Rotated, and for either player.
        let same = turn("b4-c4+c5");
        for number in [2, 3] {
            let there = position(&format!("00000/00000/00000/00100/00100 b4e3 a1e1 {number}"));
            assert_eq!(by_features(&history, &there, same), 1600);
        }
        let near_an_opponent = position("00000/00000/00000/00100/00100 b4e3 a1d5 2");
        assert_eq!(by_features(&history, &near_an_opponent, same), 0);
    }

    #[test]
    fn a_response_counts_after_the_same_step_of_the_opponent() {
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let text = "00000/00000/00000/00000/00000 b3d3 a5e1 0 Pan Atlas";
        let position: Position<5> = text.parse().unwrap();
        let (best, other) = (turn("b3-b4+a3"), turn("b3-b2+a3"));
        let last = turn("e2-e1+e2");
        let mut history = History::default();
        history.update(&position, &cutoff(Some(last), 100), best, &[other]);
        for (last, value) in [(last, 100), (turn("d1-e1+d1"), 100), (turn("e2-d1+e2"), 0)] {
            assert_eq!(history.response(0, last, best), value);
            assert_eq!(history.response(0, last, other), -value);
            assert_eq!(history.response(1, last, best), 0);
        }
    }

    #[test]
    fn a_response_counts_after_a_build_of_the_opponent_on_the_same_square() {
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let position = "00000/00000/00000/00000/00000 b3d3 a5e1 0".parse();
        let position: Position<5> = position.unwrap();
        let (best, other) = (turn("b3-b4+a3"), turn("b3-b2+c1"));
        let mut history = History::default();
        let last = turn("d1-e1+e2");
        history.update(&position, &cutoff(Some(last), 100), best, &[other]);
        let build = |turn: Turn, after: Turn| {
            let builds = history.builds_after_build(0, after.build().unwrap(), 0);
            builds[turn.build().unwrap().index()]
        };
        for (last, value) in [(turn("a5-a4+e2"), 100), (turn("d1-e1+d1"), 0)] {
            assert_eq!(history.step_after_build(0, last, best), value);
            assert_eq!(history.step_after_build(0, last, other), -value);
            assert_eq!(i32::from(build(best, last)), value);
            assert_eq!(i32::from(build(other, last)), -value);
        }
        let by_turn = |turn: Turn| history.turns(0, turn, 0)[turn.build().unwrap().index()];
        assert_eq!([best, other].map(by_turn), [100, -100]);
        assert_eq!(by_turn(turn("b3-c4+a3")), 0);
    }

    #[test]
    fn a_cutoff_may_say_nothing_of_builds() {
        let position = "00000/00000/00000/00000/00000 b3d3 a5e1 0".parse();
        let position: Position<5> = position.unwrap();
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let (best, other) = (turn("b3-b4+c3"), turn("b3-b2+c3"));
        let mut history = History::default();
        let cutoff = Cutoff {
            learns_builds: false,
            ..cutoff(None, 100)
        };
        history.update(&position, &cutoff, best, &[other]);
        for (turn, value) in [(best, 100), (other, -100)] {
            assert_eq!(history.step(0, turn), value);
            assert_eq!(history.build(0, turn.to(), turn.build().unwrap()), 0);
        }
    }

    #[test]
    fn with_cards_a_step_has_one_malus_for_all_its_turns() {
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let best = turn("b3-b2+b1");
        let others = ["d3-c4+d5", "b3-b4+a3", "d3-c4+c5", "b3-c4+b5"].map(turn);
        for (cards, maluses) in [("", 2), (" Demeter Pan", 1)] {
            let text = format!("00000/00000/00000/00000/00000 b3d3 a5e1 0{cards}");
            let position: Position<5> = text.parse().unwrap();
            let mut history = History::default();
            history.update(&position, &cutoff(None, 100), best, &others);
            assert_eq!(history.step(0, best), 100);
            let step = history.step(0, others[0]);
            assert!((step + maluses * 100).abs() < 5, "{step}");
            // The other worker's step to the same square is another one.
            assert_eq!(history.step(0, others[3]), -100);
            for other in others {
                assert_eq!(history.build(0, other.to(), other.build().unwrap()), -100);
            }
        }
    }

    #[test]
    fn all_directions_from_a_square_differ() {
        fn check<const N: usize>() {
            for from in Geometry::<N>::BOARD {
                let steps = Geometry::<N>::NEIGHBOURS[from.index()];
                let directions = steps
                    .into_iter()
                    .map(|to| direction(Turn::winning(from, to)));
                let distinct: std::collections::HashSet<usize> = directions.collect();
                assert_eq!(distinct.len() as u32, steps.count());
            }
        }
        check::<5>();
        check::<6>();
    }
}
