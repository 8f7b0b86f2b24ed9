//! Embeds small boards in larger ones.
//!
//! A 5x5 board with domes everywhere except on a rectangle plays like a board of that
//! rectangle: a dome blocks steps and builds like the edge of the board. In games with one
//! worker each, the second worker of each player is enclosed by domes and can neither move
//! nor build. So everything that plays 5x5 and 6x6 plays small boards too.

use super::game::SmallGame;
use super::shape::{Shape, SquareSet, squares_of};
use super::state::SmallState;
use crate::rules::{AnyPosition, CAP, Position, Side, Square};

/// Whether the boards of a game fit on an `N`x`N` board.
const fn fits<const N: usize>(game: &SmallGame) -> bool {
    let (rows, columns) = (game.shape.rows(), game.shape.columns());
    let has_room = game.workers == 2 || rows + ASIDE <= N || columns + ASIDE <= N;
    rows <= N && columns <= N && has_room
}

/// The rows or columns beside a small board: one of domes, and one for the enclosed workers.
const ASIDE: usize = 2;

/// The square of the larger board for a square of the small one. The small board is at the
/// upper left, so squares keep their names.
fn square<const N: usize>(game: &SmallGame, square: usize) -> Square {
    let [row, column] = game.shape.place(square);
    Square::at::<N>(row, column)
}

/// The corners where the enclosed workers stand: of the last row or, beside a board that is
/// too tall, of the last column.
fn corners<const N: usize>(shape: Shape) -> [Square; 2] {
    let first = match shape.rows() + ASIDE <= N {
        true => Square::at::<N>(N - 1, 0),
        false => Square::at::<N>(0, N - 1),
    };
    [first, Square::at::<N>(N - 1, N - 1)]
}

/// A state on a 5x5 board or, if its game does not fit there, on a 6x6 board.
pub fn embedded_any(game: &SmallGame, state: &SmallState) -> AnyPosition {
    match fits::<5>(game) {
        true => AnyPosition::Five(embedded(game, state)),
        false => AnyPosition::Six(embedded(game, state)),
    }
}

/// A state on an `N`x`N` board.
pub(super) fn embedded<const N: usize>(game: &SmallGame, state: &SmallState) -> Position<N> {
    debug_assert!(fits::<N>(game));
    let mut levels = [[CAP; N]; N];
    let mut set = |at: Square, level| levels[at.row::<N>()][at.column::<N>()] = level;
    for index in 0..game.squares() {
        set(square::<N>(game, index), state.heights[index]);
    }
    // Each player keeps the same corner, whether to move or not.
    let total = state.total();
    let first_moves = match game.cards {
        Some(_) => state.side == 0,
        None => total.is_multiple_of(2),
    };
    let mut corners = corners::<N>(game.shape);
    if !first_moves {
        corners.reverse();
    }
    if game.workers == 1 {
        corners.iter().for_each(|&corner| set(corner, 0));
    }
    let placement = |placement: SquareSet, corner: Square| {
        let mut squares = squares_of(placement).map(|index| square::<N>(game, index));
        let first = squares.next().unwrap_or(corner);
        [first, squares.next().unwrap_or(corner)]
    };
    let workers = [0, 1].map(|side| placement(state.workers[side], corners[side]));
    let cards = match game.cards {
        Some(cards) => [0, 1].map(|side| Some(cards[side ^ state.side])),
        None => [None; 2],
    };
    let turn = match game.cards {
        Some(_) => state.side as u32,
        None => total as u32,
    };
    Position::new(&levels, workers, cards, turn).expect("a state is a position")
}

/// The inverse of [`embedded`], also after turns.
pub(super) fn extracted<const N: usize>(game: &SmallGame, position: &Position<N>) -> SmallState {
    let mut state = SmallState::start([0; 2]);
    for index in 0..game.squares() {
        let at = square::<N>(game, index);
        state.heights[index] = position.level(at);
        for (placement, side) in [Side::Mover, Side::Other].into_iter().enumerate() {
            if position.workers(side).has(at) {
                state.workers[placement] |= 1 << index;
            }
        }
    }
    let first = game.cards.map(|cards| cards[0]);
    state.side = usize::from(position.card(Side::Mover) != first);
    state
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::RngExt;

    use super::super::random::random_start;
    use super::*;
    use crate::rules::{Card, Turn};
    use crate::seeds::seeded;

    /// Plays random games. In every state the turns of both generators must lead to the
    /// same states and have the same notation.
    fn check<const N: usize>(game: &SmallGame, games: u64) {
        let mut seen = 0;
        for seed in 0..games {
            let mut rng = seeded(seed);
            let mut state = random_start(game, &mut rng);
            loop {
                let position: Position<N> = embedded(game, &state);
                assert_eq!(extracted(game, &position), state);
                let turns = state.turns(game);
                let expected: BTreeSet<String> = position
                    .turns()
                    .iter()
                    .map(|&turn| result(game, &position, turn))
                    .collect();
                let found: BTreeSet<String> = turns
                    .iter()
                    .map(|turn| match turn.wins() {
                        true => format!("win {:?}", turn.workers_after(state.workers)),
                        false => state.after(turn, game).text(game),
                    })
                    .collect();
                assert_eq!(found, expected, "{} on {game}", state.text(game));
                seen += turns.len();
                let quiet: Vec<_> = turns.iter().filter(|turn| !turn.wins()).collect();
                if quiet.is_empty() {
                    break;
                }
                state = state.after(quiet[rng.random_range(0..quiet.len())], game);
            }
        }
        assert!(seen as u64 > 50 * games, "{game}: {seen} turns");
    }

    fn result<const N: usize>(game: &SmallGame, position: &Position<N>, turn: Turn) -> String {
        let after = extracted(game, &position.play(turn));
        match turn.wins() {
            true => format!("win {:?}", after.workers),
            false => after.text(game),
        }
    }

    #[test]
    fn small_boards_have_the_turns_of_larger_ones() {
        for (shape, workers) in [("3x3", 1), ("3x3", 2), ("3x4", 1), ("3x4", 2), ("2x5", 2)] {
            check::<5>(&SmallGame::new(shape.parse().unwrap(), workers, None), 30);
        }
        check::<5>(&SmallGame::new("4x4".parse().unwrap(), 2, None), 30);
        check::<6>(&SmallGame::new("4x4".parse().unwrap(), 1, None), 30);
        check::<6>(&SmallGame::new("2x6".parse().unwrap(), 2, None), 30);
        for shape in ["4x3", "5x2", "5x3"] {
            check::<5>(&SmallGame::new(shape.parse().unwrap(), 1, None), 30);
        }
        check::<6>(&SmallGame::new("6x2".parse().unwrap(), 1, None), 30);
        for cards in Card::pairs() {
            check::<5>(&SmallGame::new("3x4".parse().unwrap(), 2, Some(cards)), 4);
            check::<5>(&SmallGame::new("3x3".parse().unwrap(), 1, Some(cards)), 4);
        }
    }

    #[test]
    fn a_state_is_written_as_its_turns_are() {
        let game = SmallGame::new(
            "3x3".parse().unwrap(),
            1,
            Some([Card::Artemis, Card::Apollo]),
        );
        let state = SmallState::parse("000/000/000 a1 c3 Artemis Apollo", &game).unwrap();
        let texts: Vec<String> = state
            .turns(&game)
            .iter()
            .map(|turn| turn.text(&game))
            .collect();
        for text in ["a1-b2+a1", "a1-b2-c2+b2"] {
            assert!(texts.iter().any(|found| found == text), "{texts:?}");
        }
        assert!(!texts.contains(&"a1-b2-a1+b2".to_string()));
    }
}
