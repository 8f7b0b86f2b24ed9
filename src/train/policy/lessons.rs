//! Positions that searches looked at, their turns with what short searches
//! think of each.
//!
//! The games in which the searches are made start as those of `datagen`.

use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::leaves::search_with_leaves;
use super::super::opening::opening;
use crate::eval::EvalKind;
use crate::jobs::Jobs;
use crate::rules::{Position, Side, Turn};
use crate::search::policy::Learned;
use crate::search::policy::cases::{
    BUILD_CASES, Cases, REACH_CASES, STEP_CASES, build_case, step_case,
};
use crate::search::{Engine, EngineOptions, Limits, is_proved};

/// What the lessons are made of.
#[derive(Clone, Copy, Debug)]
pub struct LessonOptions {
    pub eval: EvalKind,
    /// The lessons wanted.
    pub lessons: u64,
    /// The nodes of the searches whose positions are taken.
    pub nodes: u64,
    /// How many plies deep the position after each turn is searched.
    pub depth: u32,
    pub seed: u64,
}

/// The turns of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// The places of a turn's three values among all.
    pub turns: Vec<[u16; 3]>,
    /// How likely each is to be the best.
    pub targets: Vec<f32>,
}

/// A turn so many hundredths of a level worse than another is e times less
/// likely to be the best.
const TEMPERATURE: f32 = 40.0;

/// The positions taken of each search.
const POSITIONS_A_SEARCH: usize = 2;

/// The most random turns at the start of a game.
const RANDOM_TURNS: u32 = 10;

/// The lessons of one piece of work.
const PIECE: u64 = 100;

/// The engines' tables in MiB: plenty for a few thousand nodes.
const HASH_MIB: usize = 1;

/// Makes the lessons; `None` if the jobs were stopped. `report` is told how many
/// more there are.
pub fn lessons(
    options: &LessonOptions,
    jobs: &Jobs,
    mut report: impl FnMut(u64),
) -> Option<Vec<Lesson>> {
    let mut lessons = Vec::new();
    let pieces = options.lessons.div_ceil(PIECE);
    let piece = |number| Teacher::new(options, number, jobs.stop).piece();
    let done = jobs.run(0..pieces, piece, |_, piece| {
        report(piece.len() as u64);
        lessons.extend(piece);
        Ok::<(), ()>(())
    });
    lessons.truncate(options.lessons as usize);
    (done.is_ok() && lessons.len() as u64 == options.lessons).then_some(lessons)
}

/// Makes the lessons of one piece, with random numbers of its own.
struct Teacher<'a> {
    options: &'a LessonOptions,
    /// Plays the games.
    player: Engine<5>,
    /// Searches what comes after each turn of a lesson.
    judge: Engine<5>,
    rng: Xoshiro256PlusPlus,
    stop: &'a AtomicBool,
    lessons: Vec<Lesson>,
}

impl<'a> Teacher<'a> {
    fn new(options: &'a LessonOptions, piece: u64, stop: &'a AtomicBool) -> Self {
        let engine = || {
            Engine::new(EngineOptions {
                hash_mib: HASH_MIB,
                threads: 1,
                eval: options.eval,
                // So that what is learned does not depend on what is known.
                policy: Learned::nothing(),
                ..EngineOptions::default()
            })
        };
        let seed = options.seed ^ piece.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self {
            options,
            player: engine(),
            judge: engine(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            stop,
            lessons: Vec::new(),
        }
    }

    fn piece(mut self) -> Vec<Lesson> {
        use std::sync::atomic::Ordering::Relaxed;
        while (self.lessons.len() as u64) < PIECE && !self.stop.load(Relaxed) {
            self.game();
        }
        self.lessons.truncate(PIECE as usize);
        self.lessons
    }

    /// Plays a game and takes lessons from its searches.
    fn game(&mut self) {
        self.player.clear();
        let limits = Limits::nodes(self.options.nodes);
        let mut position = opening(RANDOM_TURNS, false, &mut self.rng);
        loop {
            let (report, seen) = search_with_leaves(
                &mut self.player,
                self.options.eval,
                &position,
                &limits,
                POSITIONS_A_SEARCH,
                &mut self.rng,
                self.stop,
            );
            let Some(turn) = report.turn().filter(|_| !is_proved(report.score())) else {
                break;
            };
            for position in seen {
                let lesson = self.lesson(&position);
                self.lessons.extend(lesson);
            }
            position = position.play(turn);
        }
    }

    /// The lesson of a position, if nobody wins at once and there is a choice.
    fn lesson(&mut self, position: &Position<5>) -> Option<Lesson> {
        if position.has_win() || position.winning_squares(Side::Other).any() {
            return None;
        }
        let mut turns = Vec::new();
        position.for_each_quiet(position.safe_builds().squares, |turn| turns.push(turn));
        if turns.len() < 2 {
            return None;
        }
        self.judge.clear();
        let scores: Vec<i32> = turns
            .iter()
            .map(|&turn| self.score(&position.play(turn)))
            .collect();
        let cases = Cases::of(position);
        Some(Lesson {
            turns: turns
                .iter()
                .map(|&it| places(position, &cases, it))
                .collect(),
            targets: targets(&scores),
        })
    }

    /// What a turn is worth that leads to the position.
    fn score(&mut self, after: &Position<5>) -> i32 {
        let limits = Limits::depth(self.options.depth);
        let report = self.judge.search(after, &limits, self.stop, &mut |_| {});
        -report.score()
    }
}

/// The places of a turn's values among all.
fn places(position: &Position<5>, cases: &Cases, turn: Turn) -> [u16; 3] {
    let step = cases.step(position, turn);
    let build = turn.build().expect("a turn that does not win builds");
    let places = [
        step_case(step.row, step.entry),
        STEP_CASES + step.reach,
        STEP_CASES + REACH_CASES + build_case(step.builds, cases.build(&step, build)),
    ];
    places.map(|place| place as u16)
}

const _: () = assert!(STEP_CASES + REACH_CASES + BUILD_CASES <= 1 << 16);

/// How likely each turn is to be the best, by the scores of all.
fn targets(scores: &[i32]) -> Vec<f32> {
    let best = scores.iter().copied().max().unwrap_or(0);
    let weights: Vec<f32> = scores
        .iter()
        .map(|&score| ((score - best) as f32 / TEMPERATURE).exp())
        .collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_probabilities_that_fall_with_the_score() {
        let targets = targets(&[0, -40, 12, -30_000]);
        assert!((targets.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(targets[2] > targets[0] && targets[1] > targets[3]);
        assert!((targets[0] / targets[1] - 1f32.exp()).abs() < 1e-5);
        assert_eq!(targets[3], 0.0);
    }

    #[test]
    fn lessons_do_not_depend_on_the_threads() {
        let options = LessonOptions {
            eval: EvalKind::default(),
            lessons: 120,
            nodes: 200,
            depth: 1,
            seed: 5,
        };
        let stop = AtomicBool::new(false);
        let made = [1, 2].map(|threads| {
            let jobs = Jobs {
                threads,
                stop: &stop,
            };
            lessons(&options, &jobs, |_| {}).unwrap()
        });
        assert_eq!(made[0], made[1]);
        assert_eq!(made[0].len(), 120);
        assert!(
            made[0]
                .iter()
                .all(|lesson| lesson.turns.len() == lesson.targets.len())
        );
    }
}
