//! How well moves and builds have done in the search so far: what turns are
//! ordered by.

use crate::rules::{Position, SQUARE_SLOTS, Square, Turn};

use super::features::{CLASSES, Features, LEVELS, PART, RANKS};
use super::lookup::look_up;
use super::params::HISTORY_MAX;

/// Values by two squares, the second of which varies fastest.
pub type BySquares = [i16; SQUARE_SLOTS * SQUARE_SLOTS];

/// Values by a level, a rank and the class of a square, see [`super::features`].
type ByFeatures = [[[i16; CLASSES]; RANKS]; LEVELS];

/// What has cut off elsewhere, and what was tried there in vain.
///
/// `moves` is indexed by player (parity of the turn number), start and end of
/// the move; `builds` by player, where the worker stands and what it builds.
///
/// The others are for both players and for all turns alike. `step_features` is
/// indexed by the level where the step starts, the greatest rank of an opponent
/// beside that, and the class of its end; `build_features` by the level where
/// the worker stands, the rank of the player's other worker if that is beside
/// the build, and the class of the build.
pub struct History {
    moves: [Box<BySquares>; 2],
    builds: [Box<BySquares>; 2],
    step_features: Box<ByFeatures>,
    build_features: Box<ByFeatures>,
}

impl Default for History {
    fn default() -> Self {
        let by_squares = || Box::new([0; SQUARE_SLOTS * SQUARE_SLOTS]);
        let by_features = || Box::new([[[0; CLASSES]; RANKS]; LEVELS]);
        Self {
            moves: [by_squares(), by_squares()],
            builds: [by_squares(), by_squares()],
            step_features: by_features(),
            build_features: by_features(),
        }
    }
}

impl History {
    /// The value of a player's step by its squares.
    #[inline(always)]
    pub fn step(&self, player: usize, from: Square, to: Square) -> i32 {
        i32::from(self.moves[player][by_squares(from, to)])
    }

    /// The value of a step by its features.
    #[inline(always)]
    pub fn step_features(&self, features: &Features, from: Square, to: Square) -> i32 {
        let row = &self.step_features[features.level(from)][features.rank(from)];
        i32::from(row[features.class(to)])
    }

    /// The value of a player's build by its squares.
    #[inline(always)]
    pub fn build(&self, player: usize, to: Square, build: Square) -> i32 {
        i32::from(self.builds[player][by_squares(to, build)])
    }

    /// The values by squares of a player's builds on the [`PART`] squares from
    /// `start` on.
    #[inline(always)]
    pub fn builds(&self, player: usize, to: Square, start: usize) -> &[i16; PART] {
        let from_start = &self.builds[player][to.index() * SQUARE_SLOTS + start..];
        from_start
            .first_chunk()
            .expect("a row has room for whole parts")
    }

    /// The value of a build by its features, after a step.
    #[inline(always)]
    pub fn build_features(
        &self,
        features: &Features,
        from: Square,
        to: Square,
        build: Square,
    ) -> i32 {
        let row = &self.build_features[features.level(to)][features.other_rank(from, build)];
        i32::from(row[features.class(build)])
    }

    /// The values by features of builds on the [`PART`] squares from `start` on,
    /// after a step from `from` onto `level`.
    #[inline(always)]
    pub fn builds_features(
        &self,
        features: &Features,
        from: Square,
        level: usize,
        start: usize,
    ) -> [i16; PART] {
        let rows = &self.build_features[level];
        let (rank, beside) = features.other_worker(from);
        let is_beside = (beside.0 >> start) as u32;
        look_up([&rows[0], &rows[rank]], features.classes(start), is_beside)
    }

    /// Gives a bonus to the turn that cut off in a position, and takes it from
    /// those that were tried before it.
    pub fn update<const N: usize>(
        &mut self,
        position: &Position<N>,
        bonus: i32,
        best: Turn,
        others: &[Turn],
    ) {
        let features = Features::of(position);
        let player = player(position);
        self.add(player, &features, best, bonus);
        for &turn in others {
            self.add(player, &features, turn, -bonus);
        }
    }

    fn add(&mut self, player: usize, features: &Features, turn: Turn, bonus: i32) {
        let (from, to) = (turn.from(), turn.to());
        let step_row = &mut self.step_features[features.level(from)][features.rank(from)];
        drift(&mut step_row[features.class(to)], bonus);
        drift(&mut self.moves[player][by_squares(from, to)], bonus);
        if let Some(build) = turn.build() {
            let rank = features.other_rank(from, build);
            let build_row = &mut self.build_features[features.level(to)][rank];
            drift(&mut build_row[features.class(build)], bonus);
            drift(&mut self.builds[player][by_squares(to, build)], bonus);
        }
    }
}

/// Lets a value drift towards the bonus, the less the nearer it is to the bound,
/// so that it never passes it ("history gravity").
fn drift(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

/// The player whose history is that of the position's mover.
pub fn player<const N: usize>(position: &Position<N>) -> usize {
    (position.turn() & 1) as usize
}

#[inline(always)]
fn by_squares(first: Square, second: Square) -> usize {
    first.index() * SQUARE_SLOTS + second.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of the values of a turn by its features.
    fn by_features(history: &History, position: &Position<5>, turn: Turn) -> i32 {
        let features = Features::of(position);
        let (from, to, build) = (turn.from(), turn.to(), turn.build().unwrap());
        history.step_features(&features, from, to)
            + history.build_features(&features, from, to, build)
    }

    #[test]
    fn what_cuts_off_counts_for_turns_alike_wherever_they_are() {
        let position = |text: &str| text.parse::<Position<5>>().unwrap();
        let turn = |text| Turn::parse::<5>(text).unwrap();
        let here = position("01000/01000/00000/00000/00000 b3d3 a5e5 0");
        let (best, other) = (turn("b3-b2+b1"), turn("b3-b4+a3"));
        let mut history = History::default();
        history.update(&here, 800, best, &[other]);
        assert_eq!(by_features(&history, &here, best), 1600);
        assert_eq!(by_features(&history, &here, other), -1600);
        assert_eq!(history.step(0, best.from(), best.to()), 800);
        assert_eq!(history.step(1, best.from(), best.to()), 0);
        // Turned by a quarter, and for either player.
        let alike = turn("b4-c4+c5");
        for number in [2, 3] {
            let there = position(&format!("00000/00000/00000/00100/00100 b4e3 a1e1 {number}"));
            assert_eq!(by_features(&history, &there, alike), 1600);
        }
        let beside_an_opponent = position("00000/00000/00000/00100/00100 b4e3 a1d5 2");
        assert_eq!(by_features(&history, &beside_an_opponent, alike), 0);
    }
}
