//! The learned policy: weights of move features, which decide most of the move
//! ordering.
//!
//! The score of a turn is the sum of three weights, for the features of its step,
//! of its mobility and of its build (see `features.rs`). A difference of 1 means
//! that the better turn is e times as likely to be the best. `train/policy/` fits
//! the weights to the base game on 5x5 spaces; all games use them.

pub mod features;
mod lookup;

use super::params::HISTORY_MAX;
use super::picker::MIN_KILLER_SCORE;
use crate::files::Kind;
use crate::rules::Square;
use features::{
    BUILD_COLUMNS, BUILD_FEATURES, MOBILITY_FEATURES, MoveFeatures, ROWS, STEP_COLUMNS,
    STEP_FEATURES, StepFeatures, build_feature, step_feature,
};
pub use lookup::CHUNK;
use lookup::gather;

/// The first bytes of a policy file.
const MAGIC: &[u8] = b"SANTOP1\n";

/// A policy file.
pub const POLICY_FILE: Kind = Kind {
    name: "a file of values of turns of `santorini policy`",
    begins: |head| head.starts_with(b"SANTOP"),
};

/// The integer that stands for a weight of 1 in a file.
const ONE: f32 = 1024.0;

/// The bound of a scaled weight: with it the sum of a turn's three weights and its
/// history stays below [`MIN_KILLER_SCORE`].
const MAX_WEIGHT: i32 = (MIN_KILLER_SCORE - 2 * HISTORY_MAX - 1) / 3;

/// The weights of all features, as a file holds them: little-endian 16-bit
/// integers for steps, mobilities and builds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolicyWeights(&'static [u8]);

/// The error of reading a policy file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a file of values of turns has {wanted} bytes and begins with SANTOP1; this is not one", wanted = PolicyWeights::BYTES)]
pub struct PolicyFileError;

impl PolicyWeights {
    /// The number of weights.
    pub const COUNT: usize = STEP_FEATURES + MOBILITY_FEATURES + BUILD_FEATURES;
    const BYTES: usize = MAGIC.len() + 2 * Self::COUNT;

    /// The built-in weights.
    pub const fn embedded() -> Self {
        Self(include_bytes!("policy.bin"))
    }

    /// All weights 0: the ordering is by history alone.
    pub const fn zero() -> Self {
        Self(&[0; Self::BYTES])
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a policy file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, PolicyFileError> {
        if bytes.len() == Self::BYTES && bytes.starts_with(MAGIC) {
            Ok(Self(bytes.leak()))
        } else {
            Err(PolicyFileError)
        }
    }

    /// The file of these weights, for steps, mobilities and builds.
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

/// The weights in units of the ordering score, as tables (see `features.rs`).
pub struct Policy {
    steps: Box<[[i32; STEP_COLUMNS]]>,
    mobilities: Box<[i32]>,
    builds: Box<[[i32; BUILD_COLUMNS]]>,
}

impl Policy {
    /// The tables of the learned weights, each times `scale`.
    pub fn new(learned: PolicyWeights, scale: i32) -> Self {
        let mut values = learned
            .values()
            .map(|value| (f32::from(value) / ONE * scale as f32) as i32)
            .map(|value| value.clamp(-MAX_WEIGHT, MAX_WEIGHT));
        let mut take = |count: usize| values.by_ref().take(count).collect::<Vec<i32>>();
        let (steps, mobilities, builds) = (
            take(STEP_FEATURES),
            take(MOBILITY_FEATURES),
            take(BUILD_FEATURES),
        );
        Self {
            steps: rows(|row, column| steps[step_feature(row, column)]),
            mobilities: mobilities.into(),
            builds: rows(|row, column| builds[build_feature(row, column)]),
        }
    }

    /// The score of a step and its mobility.
    #[inline(always)]
    pub fn step(&self, step: &StepFeatures) -> i32 {
        self.steps[step.row][step.column] + self.mobilities[step.mobility]
    }

    /// The score of a build after a step.
    #[inline(always)]
    pub fn build(&self, features: &MoveFeatures, step: &StepFeatures, square: Square) -> i32 {
        self.builds[step.builds][features.build(step, square)]
    }

    /// The score of a second level on a square of level 0 to 2, as that of a build on
    /// the level above.
    pub fn second_level(
        &self,
        features: &MoveFeatures,
        step: &StepFeatures,
        square: Square,
    ) -> i32 {
        self.builds[step.builds][features.build(step, square) + 1]
    }

    /// The scores of the builds after a step on [`CHUNK`] squares from `start` on.
    #[inline(always)]
    pub fn builds(
        &self,
        features: &MoveFeatures,
        step: &StepFeatures,
        start: usize,
    ) -> [i32; CHUNK] {
        let (columns, _) = features.columns()[start..]
            .split_first_chunk()
            .expect("a board has room for whole parts");
        let near_other = (features.near_other(step).0 >> start) as u32;
        gather(&self.builds[step.builds], columns, near_other)
    }
}

/// A table with the value of each row and column.
fn rows<const COLUMNS: usize>(value: impl Fn(usize, usize) -> i32) -> Box<[[i32; COLUMNS]]> {
    (0..ROWS)
        .map(|row| std::array::from_fn(|column| value(row, column)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Position, Turn};

    fn values(policy: &Policy, text: &str, turn: &str) -> [i32; 2] {
        let position: Position<5> = text.parse().unwrap();
        let turn = Turn::parse::<5>(turn).unwrap();
        let features = MoveFeatures::of(&position);
        let step = features.step(&position, turn);
        let build = policy.build(&features, &step, turn.build().unwrap());
        [policy.step(&step), build]
    }

    #[test]
    fn the_policy_climbs_and_does_not_help_the_opponent_to() {
        let policy = Policy::new(PolicyWeights::embedded(), 1000);
        let of = |turn| values(&policy, "01000/00000/00100/00010/00000 b2e1 a5d4 4", turn);
        let ([climb, _], [flat, _]) = (of("b2-b1+c1"), of("b2-a2+a1"));
        assert!(climb > flat + 200, "{climb} {flat}");
        // The opponent on d4 can climb to c3 when it has level 2.
        let ([_, help], [_, quiet]) = (of("b2-c2+c3"), of("b2-c2+d1"));
        assert!(quiet > help + 1000, "{quiet} {help}");
    }

    #[test]
    fn a_file_is_read_back_and_no_other_is_taken() {
        let values = (0..PolicyWeights::COUNT).map(|number| (number % 7) as f32 - 3.5);
        let bytes = PolicyWeights::to_bytes(&values.clone().collect::<Vec<f32>>());
        let learned = PolicyWeights::from_bytes(bytes.clone()).unwrap();
        let read: Vec<f32> = learned.values().map(|it| f32::from(it) / ONE).collect();
        assert_eq!(read, values.collect::<Vec<f32>>());
        let short = bytes[1..].to_vec();
        assert_eq!(PolicyWeights::from_bytes(short), Err(PolicyFileError));
        let foreign = vec![0; bytes.len()];
        assert_eq!(PolicyWeights::from_bytes(foreign), Err(PolicyFileError));
    }

    #[test]
    fn scores_stay_below_those_of_killers() {
        let bytes = PolicyWeights::to_bytes(&[31.9; PolicyWeights::COUNT]);
        let learned = PolicyWeights::from_bytes(bytes).unwrap();
        let policy = Policy::new(learned, 30_000);
        let board = "00000/00000/00000/00000/00000 b3d3 c2c4 0";
        let greatest: i32 = values(&policy, board, "b3-b2+b1").iter().sum();
        assert!(greatest > 400_000 && greatest + 2 * HISTORY_MAX < MIN_KILLER_SCORE);
    }
}
