//! Monte Carlo policy evaluation as the study describes it (section IV.C).
//!
//! An episode picks an action at random and plays the game to its end with
//! random turns. Then the action with the most wins is played. Actions picked more
//! often have an advantage, since the study counts wins, not their share.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;

use super::agent::{Agent, Board, Fault, Rng, placements, start};
use super::random::random_placement;
use crate::rules::{Placement, Side, Turn};

/// Plays the action with the most won random games.
pub struct MonteCarlo<'a> {
    /// Random games before each action, shared by all candidates.
    pub episodes: u32,
    /// How the games decide between the actions.
    pub rule: Choice,
    /// Plays the random games.
    pub rng: Rng,
    /// Once set, no more games are played.
    pub stop: &'a AtomicBool,
}

/// How the action is chosen from the episodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// The most wins, as in the study.
    #[default]
    Wins,
    /// The greatest share of wins.
    Share,
}

/// The episodes of one action.
#[derive(Clone, Copy, Default)]
struct Tally {
    episodes: u32,
    wins: u32,
}

impl Agent for MonteCarlo<'_> {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let actions = placements(first);
        let best = self.best_action(actions.len(), |action, rng| {
            let own = actions[action];
            match first {
                // The first player moves next.
                Some(first) => start(first, own).random_playout(rng) == Side::Other,
                None => {
                    let reply = random_placement(Some(own), rng);
                    start(own, reply).random_playout(rng) == Side::Mover
                }
            }
        });
        Ok(actions[best])
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let turns = board.turns();
        let best = self.best_action(turns.len(), |action, rng| {
            let turn = turns[action];
            turn.wins() || board.play(turn).random_playout(rng) == Side::Other
        });
        Ok(turns[best])
    }
}

impl MonteCarlo<'_> {
    /// The index of the best of `actions` actions, ties broken at random. `wins`
    /// plays a game after an action and returns whether it was won.
    fn best_action(
        &mut self,
        actions: usize,
        mut wins: impl FnMut(usize, &mut Rng) -> bool,
    ) -> usize {
        let mut tallies = vec![Tally::default(); actions];
        for _ in 0..self.episodes {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let action = self.rng.random_range(0..actions);
            tallies[action].episodes += 1;
            tallies[action].wins += u32::from(wins(action, &mut self.rng));
        }
        let value = |tally: &Tally| match self.rule {
            Choice::Wins => f64::from(tally.wins),
            Choice::Share => f64::from(tally.wins) / f64::from(tally.episodes.max(1)),
        };
        let best = tallies.iter().map(value).fold(0.0, f64::max);
        let ties: Vec<usize> = (0..actions)
            .filter(|&action| value(&tallies[action]) == best)
            .collect();
        ties[self.rng.random_range(0..ties.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::NEVER;
    use crate::seeds::seeded;

    /// The mover can win at once on b1, or leave it.
    const WIN: &str = "23000/22000/00000/00000/00000 a1b2 e4e5 8";

    fn agent(episodes: u32, rule: Choice) -> MonteCarlo<'static> {
        MonteCarlo {
            episodes,
            rule,
            stop: &NEVER,
            rng: seeded(5),
        }
    }

    #[test]
    fn many_episodes_find_a_win() {
        let board: Board = WIN.parse().unwrap();
        for rule in [Choice::Wins, Choice::Share] {
            let turn = agent(20_000, rule).turn(&board).unwrap();
            assert!(turn.wins(), "{rule:?}");
        }
    }

    #[test]
    fn most_wins_and_greatest_share_differ() {
        let [wins, share] = [Choice::Wins, Choice::Share].map(|rule| {
            let mut agent = agent(30, rule);
            // Action 0 always wins, action 1 in two of three games.
            let chosen = (0..300)
                .filter(|_| agent.best_action(2, |a, rng| a == 0 || rng.random_bool(0.67)) == 0);
            chosen.count()
        });
        assert!(share >= 299 && wins < 290 && wins > 150, "{wins} {share}");
    }

    #[test]
    fn the_same_seed_gives_the_same_answers() {
        let board: Board = WIN.parse().unwrap();
        let answers = || {
            let mut agent = agent(100, Choice::Wins);
            (agent.place(None), agent.turn(&board))
        };
        assert_eq!(answers(), answers());
    }
}
