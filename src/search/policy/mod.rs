//! What turns are worth for what they are like, learned before the game: most
//! of the order in which they are searched.
//!
//! The value of a turn is the sum of three entries of tables, those of the
//! cases of its step, of where its worker can go next and of its build (see
//! `cases.rs`). A difference of one means that the better turn is e times as
//! likely to be the best. `train/policy/` fits them to the base game on 5x5
//! spaces; all other games use the same.

pub mod cases;
mod lookup;

use super::params::HISTORY_MAX;
use super::picker::TRIED_VALUE;
use crate::files::Kind;
use crate::rules::Square;
use cases::{
    BUILD_CASES, BUILD_ENTRIES, Cases, REACH_CASES, ROWS, STEP_CASES, STEP_ENTRIES, Step,
    build_case, step_case,
};
pub use lookup::PART;
use lookup::look_up;

/// The first bytes of a file of values.
const MAGIC: &[u8] = b"SANTOP1\n";

/// A file of values.
pub const POLICY_FILE: Kind = Kind {
    name: "a file of values of turns of `santorini policy`",
    begins: |head| head.starts_with(b"SANTOP"),
};

/// The parts of one in which a file holds values.
const ONE: f32 = 1024.0;

/// The bound of a weighed value: the three of a turn and its history remain
/// below the values of turns that are tried first.
const LARGEST: i32 = (TRIED_VALUE - 2 * HISTORY_MAX - 1) / 3;

/// The values of all cases, as a file holds them: little-endian 16-bit
/// integers, steps, reaches and builds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Learned(&'static [u8]);

/// The error of reading a file of values.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a file of values of turns has {wanted} bytes and begins with SANTOP1; this is not one", wanted = Learned::BYTES)]
pub struct PolicyError;

impl Learned {
    /// The number of all values.
    pub const VALUES: usize = STEP_CASES + REACH_CASES + BUILD_CASES;
    const BYTES: usize = MAGIC.len() + 2 * Self::VALUES;

    /// The values that are part of the program.
    pub const fn embedded() -> Self {
        Self(include_bytes!("policy.bin"))
    }

    /// All values 0: nothing is known of turns.
    pub const fn nothing() -> Self {
        Self(&[0; Self::BYTES])
    }

    /// The values of a file.
    ///
    /// # Errors
    /// If it holds something else.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, PolicyError> {
        if bytes.len() == Self::BYTES && bytes.starts_with(MAGIC) {
            Ok(Self(bytes.leak()))
        } else {
            Err(PolicyError)
        }
    }

    /// The file of these values: those of steps, of reaches and of builds.
    pub fn to_bytes(values: &[f32]) -> Vec<u8> {
        let values = values.iter().map(|value| (value * ONE).round() as i16);
        let values = values.flat_map(i16::to_le_bytes);
        MAGIC.iter().copied().chain(values).collect()
    }

    fn values(self) -> impl Iterator<Item = i16> {
        let pairs = self.0[MAGIC.len()..].as_chunks().0;
        pairs.iter().copied().map(i16::from_le_bytes)
    }
}

/// The values in the units of the order of turns, arranged in rows (see
/// `cases.rs`).
pub struct Policy {
    steps: Box<[[i32; STEP_ENTRIES]]>,
    reaches: Box<[i32]>,
    builds: Box<[[i32; BUILD_ENTRIES]]>,
}

impl Policy {
    /// The learned values, each times `weight`.
    pub fn new(learned: Learned, weight: i32) -> Self {
        let mut values = learned
            .values()
            .map(|value| (f32::from(value) / ONE * weight as f32) as i32)
            .map(|value| value.clamp(-LARGEST, LARGEST));
        let mut take = |count: usize| values.by_ref().take(count).collect::<Vec<i32>>();
        let (steps, reaches, builds) = (take(STEP_CASES), take(REACH_CASES), take(BUILD_CASES));
        Self {
            steps: rows(|row, entry| steps[step_case(row, entry)]),
            reaches: reaches.into(),
            builds: rows(|row, entry| builds[build_case(row, entry)]),
        }
    }

    /// What all turns that begin with a step have in common.
    #[inline(always)]
    pub fn step(&self, step: &Step) -> i32 {
        self.steps[step.row][step.entry] + self.reaches[step.reach]
    }

    /// What a build after a step adds.
    #[inline(always)]
    pub fn build(&self, cases: &Cases, step: &Step, square: Square) -> i32 {
        self.builds[step.builds][cases.build(step, square)]
    }

    /// What the builds after a step on the [`PART`] squares from one on add.
    #[inline(always)]
    pub fn builds(&self, cases: &Cases, step: &Step, start: usize) -> [i32; PART] {
        let (entries, _) = cases.entries()[start..]
            .split_first_chunk()
            .expect("a board has room for whole parts");
        let beside_still = (cases.beside_still(step).0 >> start) as u32;
        look_up(&self.builds[step.builds], entries, beside_still)
    }
}

/// The rows of the values of all rows' entries.
fn rows<const ENTRIES: usize>(value: impl Fn(usize, usize) -> i32) -> Box<[[i32; ENTRIES]]> {
    (0..ROWS)
        .map(|row| std::array::from_fn(|entry| value(row, entry)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Position, Turn};

    fn values(policy: &Policy, text: &str, turn: &str) -> [i32; 2] {
        let position: Position<5> = text.parse().unwrap();
        let turn = Turn::parse::<5>(turn).unwrap();
        let cases = Cases::of(&position);
        let step = cases.step(&position, turn);
        let build = policy.build(&cases, &step, turn.build().unwrap());
        [policy.step(&step), build]
    }

    #[test]
    fn it_was_learned_to_climb_and_not_to_help_the_opponent_to() {
        let policy = Policy::new(Learned::embedded(), 1000);
        let of = |turn| values(&policy, "01000/00000/00100/00010/00000 b2e1 a5d4 4", turn);
        let ([climb, _], [flat, _]) = (of("b2-b1+c1"), of("b2-a2+a1"));
        assert!(climb > flat + 200, "{climb} {flat}");
        // The opponent on d4 can climb to c3 when it has level 2.
        let ([_, help], [_, quiet]) = (of("b2-c2+c3"), of("b2-c2+d1"));
        assert!(quiet > help + 1000, "{quiet} {help}");
    }

    #[test]
    fn a_file_is_read_back_and_no_other_is_taken() {
        let values = (0..Learned::VALUES).map(|number| (number % 7) as f32 - 3.5);
        let bytes = Learned::to_bytes(&values.clone().collect::<Vec<f32>>());
        let learned = Learned::from_bytes(bytes.clone()).unwrap();
        let read: Vec<f32> = learned.values().map(|it| f32::from(it) / ONE).collect();
        assert_eq!(read, values.collect::<Vec<f32>>());
        let short = bytes[1..].to_vec();
        assert_eq!(Learned::from_bytes(short), Err(PolicyError));
        let foreign = vec![0; bytes.len()];
        assert_eq!(Learned::from_bytes(foreign), Err(PolicyError));
    }

    #[test]
    fn turns_never_pass_those_that_are_tried_first() {
        let bytes = Learned::to_bytes(&[31.9; Learned::VALUES]);
        let learned = Learned::from_bytes(bytes).unwrap();
        let policy = Policy::new(learned, 30_000);
        let board = "00000/00000/00000/00000/00000 b3d3 c2c4 0";
        let greatest: i32 = values(&policy, board, "b3-b2+b1").iter().sum();
        assert!(greatest > 400_000 && greatest + 2 * HISTORY_MAX < TRIED_VALUE);
    }
}
