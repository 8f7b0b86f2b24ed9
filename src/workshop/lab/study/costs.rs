//! The work of an action of minimax and Monte Carlo, to compare their costs.

use crate::arena::{Action, PlayedGame};
use crate::lab::agent::start;
use crate::rules::Square;
use crate::seeds::seeded;

/// Random games whose boards are averaged.
const GAMES: u64 = 50;

/// Means over the boards of random games, the same on every machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ActionWork {
    /// Boards that minimax evaluates at depth 2.
    pub boards: f64,
    /// Turns of a random game to its end.
    pub random_turns: f64,
}

impl ActionWork {
    /// Counts both means.
    pub(super) fn count() -> Self {
        let (mut boards, mut random_turns, mut seen) = (0, 0, 0);
        for seed in 0..GAMES {
            let game = random_game(seed);
            let turns = game.turns.len();
            // The rest of the game after each board is a random game.
            random_turns += (1..=turns).sum::<usize>();
            boards += game.boards().map(|(_, board)| board.perft(2)).sum::<u64>();
            seen += turns;
        }
        let mean = |sum: f64| sum / seen as f64;
        Self {
            boards: mean(boards as f64),
            random_turns: mean(random_turns as f64),
        }
    }
}

fn random_game(seed: u64) -> PlayedGame<5> {
    let mut rng = seeded(seed);
    let [first, second] = [[6, 8], [16, 18]].map(|pair| pair.map(Square::new));
    PlayedGame::play(start(first, second), |_, board| {
        let turn = board.random_turn(&mut rng);
        Action::Play(turn.expect("the game goes on while there is a turn"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_in_the_usual_range() {
        let work = ActionWork::count();
        assert_eq!(work, ActionWork::count());
        // Boards have 20 to 80 turns, games 30 to 60.
        assert!((400.0..6400.0).contains(&work.boards), "{work:?}");
        assert!((10.0..40.0).contains(&work.random_turns), "{work:?}");
    }
}
