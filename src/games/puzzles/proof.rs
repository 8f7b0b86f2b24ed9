//! Proves puzzles by search, with the rules alone.

use super::puzzle::Puzzle;
use crate::prover::Prover;
use crate::rules::{Position, Turn};

/// The prover's table in MiB.
const TABLE_MIB: usize = 8;

impl<const N: usize> Puzzle<N> {
    /// Proves that `solution` wins within `most` plies and that all other turns lose within
    /// `most` plies, and returns the puzzle with the fewest plies of a forced win. `None`
    /// if that is wrong or takes more than `nodes` nodes.
    pub fn prove(position: &Position<N>, solution: Turn, most: u32, nodes: u64) -> Option<Self> {
        let mut prover = Prover::new(TABLE_MIB);
        let mut ends_within = |position: &Position<N>, plies| {
            let left = nodes.saturating_sub(prover.nodes());
            prover.ends_within(position, plies, left)
        };
        let after = position.play(solution);
        let plies = (1..=most).step_by(2).find_map(|plies| {
            let wins = solution.wins() || ends_within(&after, plies - 1)?;
            wins.then_some(plies)
        })?;
        let mut others = (position.turns().into_iter()).filter(|&turn| turn != solution);
        let all_lose = others.all(|turn| {
            let after = position.play(turn);
            let mut loses = |plies| ends_within(&after, plies) == Some(true);
            !turn.wins() && (1..=most).step_by(2).any(&mut loses)
        });
        all_lose.then_some(Self {
            position: *position,
            solution,
            plies,
        })
    }

    /// Whether [`Self::prove`] finds this same puzzle.
    pub fn is_proved(&self, most: u32, nodes: u64) -> bool {
        Self::prove(&self.position, self.solution, most.max(self.plies), nodes) == Some(*self)
    }
}

/// Whether a turn wins at once: by a step up, or because the opponent has no turn left.
pub(super) fn wins_at_once<const N: usize>(position: &Position<N>, turn: Turn) -> bool {
    turn.wins() || !position.play(turn).has_turn()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(text: &str, turn: &str) -> Option<Puzzle<5>> {
        let position = text.parse().unwrap();
        let turn = Turn::parse::<5>(turn).unwrap();
        Puzzle::prove(&position, turn, 5, 1_000_000)
    }

    #[test]
    fn the_only_win_is_a_solution_if_all_else_loses() {
        // Both could win at once, and neither can stop the other.
        let both = "23000/00000/00000/00000/00032 a1b2 e5e1 10";
        assert_eq!(puzzle(both, "a1-b1#").unwrap().plies, 1);
        assert!(puzzle(both, "b2-b3+b2").is_none());
        // Here the opponent threatens nothing, so other turns do not lose.
        let one = "23000/00000/00000/00000/00002 a1b2 e5e1 10";
        assert!(puzzle(one, "a1-b1#").is_none());
        // With two ways to win neither is the only one.
        let two = "23000/30000/00000/00000/00032 a1b2 e5e1 10";
        assert!(puzzle(two, "a1-b1#").is_none());
    }

    #[test]
    fn leaving_the_opponent_without_a_turn_wins_in_one() {
        let position = "44444/44424/42224/24444/01000 d3a4 d2c3 71";
        assert_eq!(puzzle(position, "a4-b3+a4").unwrap().plies, 1);
    }

    #[test]
    fn a_search_that_takes_too_long_proves_nothing() {
        let position = "00000/00030/00200/00000/00032 c3a1 e1e5 10"
            .parse()
            .unwrap();
        let turn = Turn::parse::<5>("c3-c2+b2").unwrap();
        assert!(Puzzle::<5>::prove(&position, turn, 9, 3).is_none());
    }
}
