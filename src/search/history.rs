//! How well moves and builds have done in the search so far: what turns are
//! ordered by, besides what was learned of them before.

use crate::rules::{Position, SQUARE_SLOTS, Turn};

use super::params::HISTORY_MAX;
use super::policy::cases::{BUILD_ENTRIES, Cases, LEVELS, STEP_ENTRIES, Step};

/// Values by two squares, the second of which varies fastest.
pub type BySquares = [i16; SQUARE_SLOTS * SQUARE_SLOTS];

/// What has cut off elsewhere, and what was tried there in vain.
///
/// `moves` is indexed by player (parity of the turn number), start and end of
/// the move; `builds` by player, where the worker stands and what it builds.
/// The others are by what squares are like (see `policy/cases.rs`): by player,
/// the level where the worker starts, and the end of its step; by player, the
/// level where it stands, and what it builds on. A turn's history is the sum of
/// all four.
pub struct History {
    moves: [Box<BySquares>; 2],
    builds: [Box<BySquares>; 2],
    step_cases: [[[i32; STEP_ENTRIES]; LEVELS]; 2],
    build_cases: [[[i32; BUILD_ENTRIES]; LEVELS]; 2],
}

impl Default for History {
    fn default() -> Self {
        let table = || Box::new([0; SQUARE_SLOTS * SQUARE_SLOTS]);
        Self {
            moves: [table(), table()],
            builds: [table(), table()],
            step_cases: [[[0; STEP_ENTRIES]; LEVELS]; 2],
            build_cases: [[[0; BUILD_ENTRIES]; LEVELS]; 2],
        }
    }
}

impl History {
    /// What all turns of a player that begin with this step have in common.
    #[inline(always)]
    pub fn step(&self, player: usize, turn: Turn, step: &Step) -> i32 {
        let (from, to, _) = indices(turn);
        i32::from(self.moves[player][from * SQUARE_SLOTS + to])
            + self.step_cases[player][step.start()][step.entry]
    }

    /// The values of a player's builds by squares: where the worker stands,
    /// and what it builds.
    pub fn builds(&self, player: usize) -> &BySquares {
        &self.builds[player]
    }

    /// The values of a player's builds after a step by what squares are like.
    #[inline(always)]
    pub fn build_cases(&self, player: usize, step: &Step) -> &[i32; BUILD_ENTRIES] {
        &self.build_cases[player][step.end()]
    }

    /// What a player's turn is worth for its build, whatever that is like.
    #[inline(always)]
    pub fn build(&self, player: usize, turn: Turn) -> i32 {
        let (_, to, build) = indices(turn);
        i32::from(self.builds[player][to * SQUARE_SLOTS + build])
    }

    /// Gives a bonus to the turn that cut off in a position, and takes it from
    /// those that were tried before it; where there were some, what they are
    /// like counts `case_weight` sixteenths of that.
    pub fn update<const N: usize>(
        &mut self,
        position: &Position<N>,
        bonus: i32,
        case_weight: i32,
        best: Turn,
        others: &[Turn],
    ) {
        let player = player(position);
        self.add(player, best, bonus);
        for &turn in others {
            self.add(player, turn, -bonus);
        }
        if !others.is_empty() {
            let cases = Cases::of(position);
            self.add_to_cases(position, &cases, best, bonus, case_weight);
            for &turn in others {
                self.add_to_cases(position, &cases, turn, -bonus, case_weight);
            }
        }
    }

    fn add(&mut self, player: usize, turn: Turn, bonus: i32) {
        let (from, to, build) = indices(turn);
        for value in [
            &mut self.moves[player][from * SQUARE_SLOTS + to],
            &mut self.builds[player][to * SQUARE_SLOTS + build],
        ] {
            *value = drifted((*value).into(), bonus, 16) as i16;
        }
    }

    fn add_to_cases<const N: usize>(
        &mut self,
        position: &Position<N>,
        cases: &Cases,
        turn: Turn,
        bonus: i32,
        weight: i32,
    ) {
        let player = player(position);
        let step = cases.step(position, turn);
        let value = &mut self.step_cases[player][step.start()][step.entry];
        *value = drifted(*value, bonus, weight);
        if let Some(build) = turn.build() {
            let entry = cases.build(&step, build);
            let value = &mut self.build_cases[player][step.end()][entry];
            *value = drifted(*value, bonus, weight);
        }
    }
}

/// A value drifts towards the bonus the less the nearer it is to the bound, so
/// that it never passes it ("history gravity"). The bound is `weight`
/// sixteenths of [`HISTORY_MAX`].
#[inline(always)]
fn drifted(value: i32, bonus: i32, weight: i32) -> i32 {
    value + bonus * weight / 16 - value * bonus.abs() / HISTORY_MAX
}

/// The player whose history is that of the position's mover.
pub fn player<const N: usize>(position: &Position<N>) -> usize {
    (position.turn() & 1) as usize
}

fn indices(turn: Turn) -> (usize, usize, usize) {
    let build = turn.build().map_or(0, |square| square.index());
    (turn.from().index(), turn.to().index(), build)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: &str = "b3-b2+b1";

    fn opening(text: &str, turn: &str) -> (Position<5>, Turn) {
        (text.parse().unwrap(), Turn::parse::<5>(turn).unwrap())
    }

    /// What the cases of a turn add to its value.
    fn by_cases(history: &History, position: &Position<5>, turn: Turn) -> i32 {
        let cases = Cases::of(position);
        let step = cases.step(position, turn);
        let player = player(position);
        let build = cases.build(&step, turn.build().unwrap());
        history.step_cases[player][step.start()][step.entry]
            + history.build_cases(player, &step)[build]
    }

    #[test]
    fn what_cuts_off_somewhere_counts_for_turns_alike_elsewhere() {
        let (position, best) = opening("01000/01000/00000/00000/00000 b3d3 a5e5 0", TURN);
        let (elsewhere, alike) = opening("00000/00000/00000/00100/00100 b4e3 a1e1 2", "b4-c4+c5");
        let other = Turn::parse::<5>("b3-b4+a3").unwrap();
        let mut history = History::default();
        history.update(&position, 800, 8, best, &[]);
        assert_eq!(
            by_cases(&history, &elsewhere, alike),
            0,
            "nothing was passed over"
        );
        history.update(&position, 800, 8, best, &[other]);
        // Half of the bonus for the step and for the build.
        assert_eq!(by_cases(&history, &elsewhere, alike), 800);
        assert_eq!(by_cases(&history, &position, other), -800);
        let (opponents, _) = opening("00000/00000/00000/00100/00100 b4e3 a1e1 3", TURN);
        assert_eq!(by_cases(&history, &opponents, alike), 0);
    }

    #[test]
    fn values_stay_within_their_bounds() {
        let (position, best) = opening("01000/01000/00000/00000/00000 b3d3 a5e5 0", TURN);
        let other = Turn::parse::<5>("b3-b4+a3").unwrap();
        let mut history = History::default();
        for _ in 0..1000 {
            history.update(&position, 6000, 12, best, &[other]);
        }
        let greatest = by_cases(&history, &position, best);
        assert!((HISTORY_MAX * 11 / 8..=HISTORY_MAX * 12 / 8).contains(&greatest));
        assert!(history.build(0, best) > HISTORY_MAX * 15 / 16);
        assert!(history.build(0, best) <= HISTORY_MAX);
    }
}
