//! Minimax and alpha-beta with the weighted heuristic, as in the study
//! (section IV.A). A whole turn is one ply, and so is the placement of both
//! workers, which has a depth limit of its own.
//!
//! Both give the same answers for the same seed. Ties are broken at random: the
//! root actions are shuffled and the first best one is played.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::seq::SliceRandom;

use super::agent::{Agent, Board, Fault, Rng, placements, start};
use crate::eval::{Features, Weights};
use crate::rules::{Placement, Turn};

/// Greater than any value, and safe to negate.
const INFINITE: i32 = i32::MAX;

/// Plays the action with the best value after a fixed number of plies.
pub struct Minimax<'a> {
    /// How deep it searches and how it scores boards.
    pub search: SearchSpec,
    /// Chooses between actions of equal value.
    pub rng: Rng,
    /// Once set, it answers at once, with any action.
    pub stop: &'a AtomicBool,
}

/// A search to a fixed depth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSpec {
    /// With or without alpha-beta cutoffs.
    pub method: Method,
    /// Plies searched for a turn, at least 1.
    pub depth: u32,
    /// Maximum plies for a placement, at least 1. The first player always looks
    /// two plies ahead, since the heuristic needs all four workers.
    pub setup: u32,
    /// The weights of the heuristic at the leaves.
    pub weights: Weights,
}

/// How the game tree is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Visits every node.
    Minimax,
    /// Visits only nodes that can change the result.
    AlphaBeta,
}

impl Agent for Minimax<'_> {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let depth = self.search.depth.min(self.search.setup);
        let (own, _) = self.best(placements(first), |this, own, bound| match first {
            Some(first) => -this.value(&start(first, own), depth - 1, -INFINITE, -bound),
            None => this.first_placement(own, depth.saturating_sub(2), bound),
        });
        Ok(own)
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        Ok(self.evaluate(board).0)
    }
}

impl Minimax<'_> {
    /// The best turn and its value for the player to move.
    pub fn evaluate(&mut self, board: &Board) -> (Turn, i32) {
        let depth = self.search.depth - 1;
        self.best(board.turns(), |this, turn, bound| {
            this.turn_value(board, turn, depth, bound, INFINITE)
        })
    }

    /// The first best action in random order, with its value. `value` receives a
    /// bound; it may return any number up to the bound for a value not above it.
    fn best<A: Copy>(
        &mut self,
        mut actions: Vec<A>,
        value: impl Fn(&Self, A, i32) -> i32,
    ) -> (A, i32) {
        actions.shuffle(&mut self.rng);
        let mut best = (actions[0], -INFINITE);
        for action in actions {
            if self.is_stopped() {
                break;
            }
            let value = value(self, action, best.1);
            if value > best.1 {
                best = (action, value);
            }
        }
        best
    }

    /// The value of a placement for the first player after the best reply and
    /// `depth` more plies.
    fn first_placement(&self, own: Placement, depth: u32, alpha: i32) -> i32 {
        let mut worst = INFINITE;
        for reply in placements(Some(own)) {
            let value = self.value(&start(own, reply), depth, alpha, worst);
            worst = worst.min(value);
            if self.search.method == Method::AlphaBeta && worst <= alpha {
                break;
            }
        }
        worst
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The value of a board for the player to move after `depth` plies. With
    /// pruning it is exact between `alpha` and `beta` and a bound outside.
    fn value(&self, board: &Board, depth: u32, alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return if board.has_turn() {
                self.heuristic(board)
            } else {
                self.lost(board)
            };
        }
        if self.is_stopped() {
            return 0;
        }
        match self.search.method {
            Method::Minimax => self.exhaustive_value(board, depth),
            Method::AlphaBeta => self.pruned_value(board, depth, alpha, beta),
        }
    }

    fn exhaustive_value(&self, board: &Board, depth: u32) -> i32 {
        let turns = board.turns().into_iter();
        turns
            .map(|turn| self.turn_value(board, turn, depth - 1, -INFINITE, INFINITE))
            .max()
            .unwrap_or_else(|| self.lost(board))
    }

    fn pruned_value(&self, board: &Board, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        let mut turns = board.turns();
        if turns.is_empty() {
            return self.lost(board);
        }
        if depth > 1 {
            turns.sort_by_cached_key(|&turn| -self.turn_value(board, turn, 0, -INFINITE, INFINITE));
        }
        let mut best = -INFINITE;
        for turn in turns {
            best = best.max(self.turn_value(board, turn, depth - 1, alpha, beta));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The value of a turn for its player, with `depth` plies after it.
    fn turn_value(&self, board: &Board, turn: Turn, depth: u32, alpha: i32, beta: i32) -> i32 {
        let next = board.play(turn);
        if turn.wins() {
            -self.lost(&next)
        } else {
            -self.value(&next, depth, -beta, -alpha)
        }
    }

    fn heuristic(&self, board: &Board) -> i32 {
        Features::of(board).weighted(&self.search.weights)
    }

    /// The value of a lost board. The study adds the feature "winning state" to
    /// the others.
    fn lost(&self, board: &Board) -> i32 {
        self.heuristic(board) - self.search.weights.win
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::NEVER;
    use crate::seeds::seeded;

    fn agent(method: Method, depth: u32) -> Minimax<'static> {
        Minimax {
            search: SearchSpec {
                method,
                depth,
                setup: 2,
                weights: Weights::PAPER,
            },
            rng: seeded(3),
            stop: &NEVER,
        }
    }

    #[test]
    fn a_stopped_search_answers_at_once() {
        let board: Board = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        let stop = AtomicBool::new(true);
        for method in [Method::Minimax, Method::AlphaBeta] {
            let mut agent = agent(method, 20);
            agent.stop = &stop;
            assert!(board.turns().contains(&agent.turn(&board).unwrap()));
            assert!(agent.place(None).is_ok());
        }
    }

    /// The boards of random games before each turn.
    fn boards(games: u64) -> Vec<Board> {
        let mut boards = Vec::new();
        for game in 0..games {
            let mut rng = seeded(game);
            let first = crate::lab::random::random_placement(None, &mut rng);
            let second = crate::lab::random::random_placement(Some(first), &mut rng);
            let mut board = start(first, second);
            while let Some(turn) = board.random_turn(&mut rng) {
                boards.push(board);
                if turn.wins() {
                    break;
                }
                board = board.play(turn);
            }
        }
        boards
    }

    #[test]
    fn alpha_beta_plays_as_minimax() {
        let boards = boards(40);
        assert!(boards.len() > 1000);
        for (every, depth) in [(2, 1), (10, 2), (200, 3)] {
            for board in boards.iter().step_by(every) {
                let [plain, pruned] = [Method::Minimax, Method::AlphaBeta]
                    .map(|method| agent(method, depth).evaluate(board));
                assert_eq!(plain, pruned, "depth {depth} of {board}");
            }
        }
    }

    #[test]
    fn alpha_beta_places_as_minimax() {
        for setup in [1, 2] {
            let [plain, pruned] = [Method::Minimax, Method::AlphaBeta].map(|method| {
                let mut agent = agent(method, 2);
                agent.search.setup = setup;
                let first = agent.place(None).unwrap();
                (first, agent.place(Some(first)))
            });
            assert_eq!(plain, pruned);
        }
    }

    /// An agent that values a win above everything else.
    fn decided(depth: u32) -> Minimax<'static> {
        let mut agent = agent(Method::AlphaBeta, depth);
        agent.search.weights.win = 100_000;
        agent
    }

    #[test]
    fn depth_one_wins_and_depth_two_defends() {
        let win: Board = "23000/22000/00000/00000/00000 a1b2 e4e5 8".parse().unwrap();
        assert!(decided(1).turn(&win).unwrap().wins());
        // The opponent on e4 threatens to step up to e5; d4 can cap it.
        let threat: Board = "00000/00000/00000/00012/00003 c3c4 e4a1 8".parse().unwrap();
        let turn = decided(2).turn(&threat).unwrap();
        assert!(!threat.play(turn).has_win(), "{turn:?}");
    }

    #[test]
    fn a_board_without_a_turn_is_lost() {
        let stuck: Board = "04440/44444/44444/44444/00444 a1e1 a5b5 9".parse().unwrap();
        for method in [Method::Minimax, Method::AlphaBeta] {
            let agent = agent(method, 2);
            for depth in [0, 1, 2] {
                assert_eq!(
                    agent.value(&stuck, depth, -INFINITE, INFINITE),
                    agent.lost(&stuck)
                );
            }
        }
    }
}
