//! History heuristic: how often steps and builds caused cutoffs, by their squares and by
//! their features. It orders turns.
//!
//! | to see or change | look at |
//! |---|---|
//! | which histories there are, their weights in the ordering, bonus and malus | `mod.rs` (here) |
//! | the tables: their axes, reading and updating | `tables.rs` |
//! | the history of steps by all workers | `by_workers.rs` |

mod by_workers;
mod tables;

use crate::rules::{Bitboard, Extra, Position, Square, Turn};

use super::correction::Corrections;
use super::move_features::MoveFeatures;
use by_workers::StepsByWorkers;
use tables::{ByFeatures, BySquares, Responses, WholeTurns};

pub(super) use tables::ByPlayer;

/// The history tables of one thread. A turn's history is the sum of its values. `last` is
/// the opponent's last turn.
#[derive(Default)]
pub(super) struct History {
    pub steps: BySquares,                 // [player][from][to]
    pub step_features: ByFeatures,        // [level][rank][class]
    pub steps_by_workers: StepsByWorkers, // [player][hash of all workers][worker, direction]
    pub steps_after_build: BySquares,     // [player][build of `last`][to]
    pub responses: Responses,             // [player][end of `last`][from][to]
    pub builds: BySquares,                // [player][worker][build]
    pub build_features: ByFeatures,       // [level][rank][class]
    pub builds_after_build: BySquares,    // [player][build of `last`][build]
    pub extras: BySquares,                // [player][worker][square], what only cards allow
    pub turns: WholeTurns,                // [player][from][direction][build]
    pub corrections: Corrections,         // of evaluations
}

impl History {
    /// Reads the tables into the caches.
    pub(super) fn warm(&self) {
        let by_squares = [
            &self.steps,
            &self.builds,
            &self.extras,
            &self.steps_after_build,
            &self.builds_after_build,
        ];
        by_squares.into_iter().for_each(BySquares::warm);
        self.responses.warm();
        self.turns.warm();
        self.steps_by_workers.warm();
        self.step_features.warm();
        self.build_features.warm();
        self.corrections.warm();
    }

    /// Gives a bonus to the turn that caused a cutoff and a malus to those searched before
    /// it. With cards many turns share a step: the step has one malus for all of them.
    pub(super) fn update<const N: usize>(
        &mut self,
        position: &Position<N>,
        cutoff: &Cutoff,
        best: Turn,
        others: &[Turn],
    ) {
        let features = MoveFeatures::of(position);
        let mut steps = Steps::default();
        let others = others.iter().map(|&turn| (turn, -cutoff.bonus));
        for (turn, bonus) in std::iter::once((best, cutoff.bonus)).chain(others) {
            if bonus > 0 || !position.has_cards() || steps.insert(turn) {
                self.update_step(position, &features, cutoff.last, turn, bonus);
            }
            if cutoff.learns_builds {
                self.update_builds(position.player(), &features, cutoff.last, turn, bonus);
            }
        }
    }

    fn update_step<const N: usize>(
        &mut self,
        position: &Position<N>,
        features: &MoveFeatures,
        last: Option<Turn>,
        turn: Turn,
        bonus: i32,
    ) {
        let player = position.player();
        self.step_features.update(features.step(turn), bonus);
        self.steps.update(player, turn.from(), turn.to(), bonus);
        self.steps_by_workers.update(position, turn, bonus);
        if let Some(last) = last {
            self.responses.update(player, last, turn, bonus);
        }
        if let Some(build) = last.and_then(Turn::build) {
            (self.steps_after_build).update(player, build, turn.to(), bonus);
        }
    }

    fn update_builds(
        &mut self,
        player: usize,
        features: &MoveFeatures,
        last: Option<Turn>,
        turn: Turn,
        bonus: i32,
    ) {
        for build in features.builds(turn) {
            self.build_features.update(build, bonus);
        }
        let to = turn.to();
        if let Some(build) = turn.build() {
            self.builds.update(player, to, build, bonus);
            if let Some(last) = last.and_then(Turn::build) {
                (self.builds_after_build).update(player, last, build, bonus);
            }
        }
        match extra_of(turn) {
            Some(CardPart::Build(square)) => self.builds.update(player, to, square, bonus),
            Some(CardPart::Other(square)) => self.extras.update(player, to, square, bonus),
            None => {}
        }
        for build in raised(turn) {
            self.turns.update(player, turn, build, bonus);
        }
    }
}

/// What the histories learn from a cutoff.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutoff {
    /// The opponent's last turn.
    pub last: Option<Turn>,
    pub bonus: i32,
    /// Whether the histories learn builds too, not only steps.
    pub learns_builds: bool,
}

/// The steps of some turns.
#[derive(Default)]
struct Steps {
    /// The start of one worker.
    from: Option<Square>,
    /// The steps of the other worker, then of the worker on `from`.
    to: [Bitboard; 2],
}

impl Steps {
    /// Adds the step of a turn. Returns whether it is new.
    fn insert(&mut self, turn: Turn) -> bool {
        let from = *self.from.get_or_insert(turn.from());
        let to = &mut self.to[usize::from(turn.from() == from)];
        let is_new = !to.has(turn.to());
        *to |= Bitboard::of(turn.to());
        is_new
    }
}

/// The part of a turn that only a card allows, with its square.
enum CardPart {
    /// A build on a second square, which counts like any build.
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

/// The squares on which a turn builds, except a dome on a low tower.
pub(super) fn raised(turn: Turn) -> impl Iterator<Item = Square> {
    let build = turn.build().filter(|_| !turn.is_dome());
    let other = turn.extra().build().filter(|&other| Some(other) != build);
    build.into_iter().chain(other)
}

/// A cutoff from which the histories learn everything.
#[cfg(test)]
pub(super) const fn cutoff(last: Option<Turn>, bonus: i32) -> Cutoff {
    Cutoff {
        last,
        bonus,
        learns_builds: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a step by its squares.
    fn step(history: &History, player: usize, turn: Turn) -> i32 {
        history.steps.get(player, turn.from(), turn.to())
    }

    /// The value of a turn by its features.
    fn by_features(history: &History, position: &Position<5>, turn: Turn) -> i32 {
        let features = MoveFeatures::of(position);
        let builds = features
            .builds(turn)
            .map(|it| history.build_features.get(it));
        history.step_features.get(features.step(turn)) + builds.sum::<i32>()
    }

    #[test]
    fn a_cutoff_counts_for_turns_with_the_same_features() {
        let position = |text: &str| text.parse::<Position<5>>().unwrap();
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let here = position("01000/01000/00000/00000/00000 b3d3 a5e5 0");
        let (best, other) = (turn("b3-b2+b1"), turn("b3-b4+a3"));
        let mut history = History::default();
        history.update(&here, &cutoff(None, 800), best, &[other]);
        assert_eq!(by_features(&history, &here, best), 1600);
        assert_eq!(by_features(&history, &here, other), -1600);
        assert_eq!(step(&history, 0, best), 800);
        assert_eq!(step(&history, 1, best), 0);
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
    fn a_response_counts_after_the_same_step() {
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let text = "00000/00000/00000/00000/00000 b3d3 a5e1 0 Pan Atlas";
        let position: Position<5> = text.parse().unwrap();
        let (best, other) = (turn("b3-b4+a3"), turn("b3-b2+a3"));
        let last = turn("e2-e1+e2");
        let mut history = History::default();
        history.update(&position, &cutoff(Some(last), 100), best, &[other]);
        for (last, value) in [(last, 100), (turn("d1-e1+d1"), 100), (turn("e2-d1+e2"), 0)] {
            assert_eq!(history.responses.get(0, last, best), value);
            assert_eq!(history.responses.get(0, last, other), -value);
            assert_eq!(history.responses.get(1, last, best), 0);
        }
    }

    #[test]
    fn a_response_counts_after_a_build_on_the_same_square() {
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let position = "00000/00000/00000/00000/00000 b3d3 a5e1 0".parse();
        let position: Position<5> = position.unwrap();
        let (best, other) = (turn("b3-b4+a3"), turn("b3-b2+c1"));
        let mut history = History::default();
        let last = turn("d1-e1+e2");
        history.update(&position, &cutoff(Some(last), 100), best, &[other]);
        let after_build = |after: Turn, turn: Turn| {
            let build = after.build().unwrap();
            history.steps_after_build.get(0, build, turn.to())
        };
        let build = |turn: Turn, after: Turn| {
            let builds = history
                .builds_after_build
                .chunk(0, after.build().unwrap(), 0);
            builds[turn.build().unwrap().index()]
        };
        for (last, value) in [(turn("a5-a4+e2"), 100), (turn("d1-e1+d1"), 0)] {
            assert_eq!(after_build(last, best), value);
            assert_eq!(after_build(last, other), -value);
            assert_eq!(i32::from(build(best, last)), value);
            assert_eq!(i32::from(build(other, last)), -value);
        }
        let by_turn = |turn: Turn| history.turns.chunk(0, turn, 0)[turn.build().unwrap().index()];
        assert_eq!([best, other].map(by_turn), [100, -100]);
        assert_eq!(by_turn(turn("b3-c4+a3")), 0);
    }

    #[test]
    fn a_cutoff_can_leave_out_builds() {
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
            assert_eq!(step(&history, 0, turn), value);
            assert_eq!(history.builds.get(0, turn.to(), turn.build().unwrap()), 0);
        }
    }

    #[test]
    fn with_cards_a_step_has_one_malus_for_its_turns() {
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let best = turn("b3-b2+b1");
        let others = ["d3-c4+d5", "b3-b4+a3", "d3-c4+c5", "b3-c4+b5"].map(turn);
        for (cards, maluses) in [("", 2), (" Demeter Pan", 1)] {
            let text = format!("00000/00000/00000/00000/00000 b3d3 a5e1 0{cards}");
            let position: Position<5> = text.parse().unwrap();
            let mut history = History::default();
            history.update(&position, &cutoff(None, 100), best, &others);
            assert_eq!(step(&history, 0, best), 100);
            let malus = step(&history, 0, others[0]);
            assert!((malus + maluses * 100).abs() < 5, "{malus}");
            // The other worker's step to the same square is another one.
            assert_eq!(step(&history, 0, others[3]), -100);
            for other in others {
                assert_eq!(
                    history.builds.get(0, other.to(), other.build().unwrap()),
                    -100
                );
            }
        }
    }
}
