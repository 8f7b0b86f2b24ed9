//! Proves a puzzle: a search of all turns of both players to the end of the game.
//!
//! A position is won within `n` plies if some turn wins at once, or leaves the
//! opponent a position that is lost within `n - 1`: she has no turn, or every turn
//! of hers leaves one that is won. So who walls the opponent in wins with that turn,
//! as with a step up. Nothing is pruned and no evaluation is asked, so
//! the rules alone stand behind the answer. Only the order in which turns are tried
//! is chosen: those that refuted a neighbour come first.

use std::collections::HashMap;

use super::puzzle::Puzzle;
use crate::rules::{Position, Turn};

/// A search that would take more boards than it may.
struct TooLong;

/// Proves wins within a number of plies, and remembers what it proved.
pub struct Prover<const N: usize> {
    /// What is known of a position to be moved from, within this many plies.
    known: HashMap<(u64, u32), bool>,
    /// The last turns that won, and that refuted, by plies left.
    killers: [Vec<Turn>; MOST_PLIES as usize + 1],
    /// The boards that may still be looked at.
    left: u64,
}

/// The most plies within which a win is looked for.
const MOST_PLIES: u32 = 15;
/// The turns remembered as promising for each number of plies.
const KILLERS: usize = 6;

impl<const N: usize> Default for Prover<N> {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
            killers: Default::default(),
            left: 0,
        }
    }
}

impl<const N: usize> Prover<N> {
    /// The puzzle of a position with a turn that is thought to win: `None` unless
    /// that turn wins within `most` plies, and all others lose within `most` too,
    /// and this is proved by looking at no more than `boards` boards. The plies of
    /// the puzzle are the fewest within which the win can be forced.
    pub fn puzzle(
        &mut self,
        position: &Position<N>,
        solution: Turn,
        most: u32,
        boards: u64,
    ) -> Option<Puzzle<N>> {
        self.known.clear();
        self.left = boards;
        let most = most.min(MOST_PLIES);
        let plies = self.wins_by(position, solution, most).ok()??;
        let mut others = position
            .turns()
            .into_iter()
            .filter(|&turn| turn != solution);
        let all_lose = others.all(|turn| self.loses_by(position, turn, most));
        all_lose.then_some(Puzzle {
            position: *position,
            solution,
            plies,
        })
    }

    /// Whether the puzzle is one, for certain.
    pub fn confirms(&mut self, puzzle: &Puzzle<N>, most: u32, boards: u64) -> bool {
        let Puzzle {
            position,
            solution,
            plies,
        } = *puzzle;
        self.puzzle(&position, solution, most.max(plies), boards) == Some(*puzzle)
    }

    /// The fewest plies within which a turn wins for certain, the turn included.
    fn wins_by(
        &mut self,
        position: &Position<N>,
        turn: Turn,
        most: u32,
    ) -> Result<Option<u32>, TooLong> {
        if wins_at_once(position, turn) {
            return Ok(Some(1));
        }
        let after = position.play(turn);
        for plies in (3..=most).step_by(2) {
            if self.is_lost(&after, plies - 1)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// Whether a turn loses for certain, within this many plies after it.
    fn loses_by(&mut self, position: &Position<N>, turn: Turn, most: u32) -> bool {
        let after = position.play(turn);
        let within = |plies| matches!(self.is_won(&after, plies), Ok(true));
        !turn.wins() && (1..=most).step_by(2).any(within)
    }

    /// Whether the mover of a position wins within an odd number of plies.
    fn is_won(&mut self, position: &Position<N>, plies: u32) -> Result<bool, TooLong> {
        if position.has_win() {
            return Ok(true);
        }
        if plies < 3 {
            return Ok(can_wall_in(position));
        }
        let key = (position.key(), plies);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let mut won = false;
        for turn in self.ordered(position, plies) {
            let after = position.play(turn);
            if !after.has_win() && self.is_lost(&after, plies - 1)? {
                self.promising(turn, plies);
                won = true;
                break;
            }
        }
        self.known.insert(key, won);
        Ok(won)
    }

    /// Whether the mover of a position loses within an even number of plies.
    fn is_lost(&mut self, position: &Position<N>, plies: u32) -> Result<bool, TooLong> {
        self.left = self.left.checked_sub(1).ok_or(TooLong)?;
        if position.has_win() {
            return Ok(false);
        }
        let turns = self.ordered(position, plies);
        // Where the opponent would win at once is looked at first: it is cheap, and
        // one turn that holds is enough.
        let mut later = Vec::new();
        for turn in turns {
            let after = position.play(turn);
            if after.has_win() {
                continue;
            }
            if plies >= 4 {
                later.push((turn, after));
            } else if !can_wall_in(&after) {
                self.promising(turn, plies);
                return Ok(false);
            }
        }
        for (turn, after) in later {
            if !self.is_won(&after, plies - 1)? {
                self.promising(turn, plies);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The turns of a position that do not win at once, promising ones first.
    fn ordered(&self, position: &Position<N>, plies: u32) -> Vec<Turn> {
        let killers = &self.killers[plies as usize];
        let mut turns = position.turns();
        turns.sort_by_key(|turn| {
            let rank = killers.iter().rposition(|killer| killer == turn);
            std::cmp::Reverse(rank.map_or(0, |rank| rank + 1))
        });
        turns
    }

    fn promising(&mut self, turn: Turn, plies: u32) {
        let killers = &mut self.killers[plies as usize];
        killers.retain(|killer| *killer != turn);
        killers.push(turn);
        if killers.len() > KILLERS {
            killers.remove(0);
        }
    }
}

/// Whether a turn ends the game: by a step up, or since the opponent has no turn left.
pub fn wins_at_once<const N: usize>(position: &Position<N>, turn: Turn) -> bool {
    turn.wins() || !position.play(turn).has_turn()
}

/// Whether a turn of a position, in which no step wins, leaves the opponent none.
fn can_wall_in<const N: usize>(position: &Position<N>) -> bool {
    let mut turns = position.turns().into_iter();
    turns.any(|turn| !position.play(turn).has_turn())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::random_opening;
    use crate::rules::{Card, Cards};

    fn puzzle(text: &str, turn: &str) -> Option<Puzzle<5>> {
        let position = text.parse().unwrap();
        let turn = Turn::parse::<5>(turn).unwrap();
        Prover::default().puzzle(&position, turn, 5, 1_000_000)
    }

    #[test]
    fn only_the_win_is_a_solution_where_all_else_loses() {
        // Both could win at once, and neither can stop the other.
        let both = "23000/00000/00000/00000/00032 a1b2 e5e1 10";
        assert_eq!(puzzle(both, "a1-b1#").unwrap().plies, 1);
        assert!(puzzle(both, "b2-b3+b2").is_none());
        // Here the other one threatens nothing, so that other turns do not lose.
        let one = "23000/00000/00000/00000/00002 a1b2 e5e1 10";
        assert!(puzzle(one, "a1-b1#").is_none());
        // With two ways to win neither is the only one.
        let two = "23000/30000/00000/00000/00032 a1b2 e5e1 10";
        assert!(puzzle(two, "a1-b1#").is_none());
    }

    #[test]
    fn walling_in_wins_with_that_turn() {
        // A build on a4 leaves the other workers nowhere to go.
        let walled = "44444/44424/42224/24444/01000 d3a4 d2c3 71";
        assert_eq!(puzzle(walled, "a4-b3+a4").unwrap().plies, 1);
        let walled: Position<5> = walled.parse().unwrap();
        let mut prover = Prover::<5> {
            left: u64::MAX,
            ..Prover::default()
        };
        assert!(matches!(prover.is_won(&walled, 1), Ok(true)));
    }

    #[test]
    fn a_search_that_takes_too_long_proves_nothing() {
        let position = "00000/00030/00200/00000/00032 c3a1 e1e5 10"
            .parse()
            .unwrap();
        let turn = Turn::parse::<5>("c3-c2+b2").unwrap();
        assert!(
            Prover::<5>::default()
                .puzzle(&position, turn, 9, 3)
                .is_none()
        );
    }

    /// Whether the mover wins within this many plies, by the definition alone.
    fn won<const N: usize>(position: &Position<N>, plies: u32) -> bool {
        let mut turns = position.turns().into_iter();
        turns.any(|turn| turn.wins() || lost(&position.play(turn), plies - 1))
    }

    fn lost<const N: usize>(position: &Position<N>, plies: u32) -> bool {
        let mut turns = position.turns().into_iter();
        turns.all(|turn| plies > 1 && !turn.wins() && won(&position.play(turn), plies - 1))
    }

    fn check<const N: usize>(cards: Cards) {
        let mut seen = [0, 0];
        for number in 0..40 {
            let position: Position<N> = random_opening(20, 3, number, cards);
            let mut prover = Prover {
                left: u64::MAX,
                ..Prover::default()
            };
            let found = matches!(prover.is_won(&position, 3), Ok(true));
            assert_eq!(found, won(&position, 3), "{position}");
            seen[usize::from(found)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
    }

    #[test]
    fn proofs_are_those_of_the_definition() {
        check::<5>([None; 2]);
        check::<6>([None; 2]);
        check::<5>([Some(Card::Pan), Some(Card::Minotaur)]);
    }
}
