//! Self-play games to find puzzles in.

use crate::arena::{Action, PlayedGame};
use crate::jobs::NEVER;
use crate::openings::balanced::{RandomStart, Start};
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, MAX_EVAL};

/// Nodes per turn.
const NODES: u64 = 5000;

/// The number of random turns before the engine plays, so that games differ.
const RANDOM_TURNS: u32 = 4;

/// The engine's table in MiB.
const HASH_MIB: usize = 4;

/// The boards of a game up to the winning turn, without the last board. The same seed and
/// number give the same game.
pub fn play_game<const N: usize>(seed: u64, number: u64, cards: bool) -> Vec<Position<N>> {
    let start = Start::Random(RandomStart {
        cards,
        turns: RANDOM_TURNS,
        margin: MAX_EVAL,
    });
    let start = start.board(seed, number, &NEVER);
    let mut engine = Engine::new(EngineOptions {
        hash_mib: HASH_MIB,
        ..EngineOptions::default()
    });
    let mut boards = Vec::new();
    PlayedGame::play(start, |_, position| {
        boards.push(*position);
        // A search finds a turn if there is one.
        let turn = engine.best(position, &Limits::nodes(NODES)).turn();
        turn.map_or(Action::Adjudicate { mover_wins: false }, Action::Play)
    });
    boards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    #[test]
    fn games_are_played_to_the_win_and_reproducible() {
        for (number, cards) in [(0, false), (1, true)] {
            let boards = play_game::<5>(1, number, cards);
            let last = boards.last().unwrap();
            // The last turn wins, or leaves the opponent none.
            let mut turns = last.turns().into_iter();
            let ends = turns.any(|turn| turn.wins() || !last.play(turn).has_turn());
            assert!(ends || !last.has_turn(), "{last}");
            assert_eq!(last.card(Side::Mover).is_some(), cards);
            assert_eq!(play_game::<5>(1, number, cards), boards);
            assert_ne!(play_game::<5>(2, number, cards), boards);
        }
        assert!(play_game::<6>(1, 0, false).len() > 4);
    }
}
