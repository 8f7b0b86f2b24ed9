//! Perft counts of fixed boards of many sizes, with all cards.
//!
//! A position reached by several lines is expanded once, with the number of lines; so are
//! symmetric positions. Whole positions are compared, not hashes, so the counts are exact.

use std::collections::HashMap;

use rand::RngExt;
use serde_json::{Value, json};

use super::embed::embedded_any;
use super::game::SmallGame;
use super::key_hasher::KeyBuilder;
use super::parts::for_each_piece;
use super::random::random_start;
use super::shape::{Shape, SquareSet, squares_of};
use super::state::SmallState;
use crate::at_size;
use crate::jobs::Jobs;
use crate::openings::random_opening;
use crate::protocol::exchange::write_board;
use crate::rules::{AnyPosition, Card, Cards, Position, Square, Symmetry};
use crate::seeds::seeded;

/// A board of the table.
#[derive(Clone)]
pub struct PerftBoard {
    /// The board as JSON.
    pub json: Value,
    position: AnyPosition,
}

/// The number of random turns before a middlegame board.
const MIDDLE: u32 = 12;

/// The maximum number of random turns before a late board; fewer if the game would end. Few
/// turns are left then, so it can be counted to a greater depth.
const fn late(squares: usize) -> u32 {
    (9 * squares / 5) as u32
}

/// The boards of the table: small boards with one and two workers, 3x3 with each pair of
/// cards, and 5x5 and 6x6 with and without each pair. There is an opening, a middlegame
/// position if the game reaches one and, on 5x5 and 6x6, a late position.
pub fn perft_boards() -> Vec<PerftBoard> {
    let mut boards = Vec::new();
    for shape in ["2x2", "2x3", "2x4", "3x3", "2x5", "2x6", "3x4", "4x4"] {
        let shape: Shape = shape.parse().expect("a shape");
        for workers in 1..=2 {
            if shape.squares() > 2 * workers {
                small_boards(&SmallGame::new(shape, workers, None), &mut boards);
            }
        }
    }
    let three: Shape = "3x3".parse().expect("a shape");
    for cards in Card::pairs() {
        small_boards(&SmallGame::new(three, 2, Some(cards)), &mut boards);
    }
    let pairs = std::iter::once([None; 2]).chain(Card::pairs().map(|cards| cards.map(Some)));
    let pairs: Vec<Cards> = pairs.collect();
    boards.extend(pairs.iter().flat_map(|&cards| large_boards::<5>(cards)));
    boards.extend(pairs.iter().flat_map(|&cards| large_boards::<6>(cards)));
    boards
}

/// The workers around the centre of the empty board, and boards after random turns.
fn large_boards<const N: usize>(cards: Cards) -> [PerftBoard; 3]
where
    AnyPosition: From<Position<N>>,
{
    let at = |row, column| Square::at::<N>(row, column);
    let start = if N == 5 {
        [[at(1, 2), at(3, 2)], [at(2, 1), at(2, 3)]]
    } else {
        [[at(2, 2), at(3, 3)], [at(2, 3), at(3, 2)]]
    };
    let start = Position::start(start, cards).expect("the workers stand apart");
    let after = |turns| random_opening(turns, 1, 0, cards);
    [start, after(MIDDLE), after(late(N * N))].map(|position| PerftBoard {
        json: write_board(&position),
        position: position.into(),
    })
}

fn small_boards(game: &SmallGame, boards: &mut Vec<PerftBoard>) {
    let mut rng = seeded(1);
    let start = random_start(game, &mut rng);
    let mut states = vec![start];
    let mut state = start;
    for _ in 0..MIDDLE {
        let turns = state.turns(game);
        let quiet: Vec<_> = turns.iter().filter(|turn| !turn.wins()).collect();
        if quiet.is_empty() {
            break;
        }
        state = state.after(quiet[rng.random_range(0..quiet.len())], game);
        if state.total() > game.squares() && !state.turns(game).is_empty() {
            states.push(state);
            break;
        }
    }
    boards.extend(states.iter().map(|state| PerftBoard {
        json: small_json(game, state),
        position: embedded_any(game, state),
    }));
}

/// A small board as JSON, in the format of larger boards.
fn small_json(game: &SmallGame, state: &SmallState) -> Value {
    let spaces = state.heights[..game.squares()].chunks(game.shape.columns());
    let spaces: Vec<&[u8]> = spaces.collect();
    let place = |square| {
        let [row, column] = game.shape.place(square);
        [row + 1, column + 1]
    };
    let tokens = |placement: SquareSet| squares_of(placement).map(place).collect::<Vec<_>>();
    let player = |index: usize| match game.cards {
        None => json!(tokens(state.workers[index])),
        Some(cards) => json!({
            "card": cards[index ^ state.side],
            "tokens": tokens(state.workers[index]),
        }),
    };
    json!({"players": [player(0), player(1)], "spaces": spaces, "turn": state.total()})
}

/// The limits of a count.
#[derive(Clone, Copy, Debug)]
pub struct PerftLimits {
    /// The maximum depth, in turns.
    pub depth: u32,
    /// The maximum number of leaves counted one by one; greater depths are omitted.
    pub leaves: u64,
}

impl PerftBoard {
    /// The number of lines of 1, 2, ... turns; fewer counts if the work was stopped.
    pub fn counts(&self, limits: PerftLimits, jobs: &Jobs) -> Vec<u64> {
        at_size!(&self.position, position => counts(position, limits, jobs))
    }
}

#[cfg(test)]
impl PerftBoard {
    /// The number of lines of 1 to `depth` turns.
    pub fn perft(&self, depth: u32) -> Vec<u64> {
        let depths = 1..=depth;
        at_size!(&self.position, position => depths.map(|depth| position.perft(depth)).collect())
    }
}

/// Positions with the number of lines that lead to them.
type Lines<const N: usize> = HashMap<Position<N>, u64, KeyBuilder>;

/// The approximate number of leaves counted in the time it takes to merge one position.
const LEAVES_IN_TIME: u64 = 1000;

fn counts<const N: usize>(start: &Position<N>, limits: PerftLimits, jobs: &Jobs) -> Vec<u64> {
    let mut lines = Lines::<N>::default();
    lines.insert(*start, 1);
    let mut counts: Vec<u64> = Vec::new();
    // The turns that lead to the positions.
    let mut turns = 0;
    for depth in 1..=limits.depth {
        let growth = match counts[..] {
            [.., before, last] => last.div_ceil(before.max(1)),
            [last] => last,
            [] => 1,
        };
        // Merge positions as long as that is faster than counting leaves.
        let work = (lines.len() as u64 * growth).saturating_mul(LEAVES_IN_TIME);
        if depth > turns + 1 && work < limits.leaves {
            lines = after_turns(&lines);
            turns += 1;
        }
        let each = growth.saturating_pow(depth - turns);
        if (lines.len() as u64).saturating_mul(each) > limits.leaves {
            break;
        }
        let Some(count) = leaves(&lines, depth - turns, jobs) else {
            break;
        };
        counts.push(count);
        if count == 0 {
            break;
        }
    }
    counts
}

/// The positions one turn later, up to symmetry.
fn after_turns<const N: usize>(lines: &Lines<N>) -> Lines<N> {
    let mut next = Lines::<N>::default();
    for (position, count) in lines {
        for turn in position.quiet_turns() {
            *next.entry(first_image(&position.play(turn))).or_insert(0) += count;
        }
    }
    next
}

/// The canonical one of all symmetric positions.
fn first_image<const N: usize>(position: &Position<N>) -> Position<N> {
    let images = Symmetry::all().map(|symmetry| position.transformed(symmetry));
    images.min_by_key(Position::key).unwrap_or(*position)
}

/// The number of lines of `depth` more turns; `None` if the work was stopped.
fn leaves<const N: usize>(lines: &Lines<N>, depth: u32, jobs: &Jobs) -> Option<u64> {
    const TOGETHER: usize = 256;
    let positions: Vec<(&Position<N>, &u64)> = lines.iter().collect();
    let pieces = positions.len().div_ceil(TOGETHER) as u64;
    let count = |piece: u64| -> u64 {
        let positions = positions
            .chunks(TOGETHER)
            .nth(piece as usize)
            .unwrap_or_default();
        positions
            .iter()
            .map(|(position, lines)| position.perft(depth) * **lines)
            .sum()
    };
    let mut sum = 0;
    for_each_piece(jobs, pieces, count, |count| sum += count).ok()?;
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs() -> Jobs<'static> {
        Jobs::unstoppable(2)
    }

    #[test]
    fn perft_tables_count_what_perft_counts() {
        let limits = PerftLimits {
            depth: 4,
            leaves: 1 << 20,
        };
        let boards = perft_boards();
        assert!(boards.len() > 300, "{}", boards.len());
        let mut checked = 0;
        for board in boards.iter().step_by(11) {
            let counts = board.counts(limits, &jobs());
            let shallow = PerftLimits { depth: 3, ..limits };
            let by_perft = board.perft(3);
            for (depth, count) in (1..).zip(board.counts(shallow, &jobs())) {
                assert_eq!(count, counts[depth - 1]);
                assert_eq!(Some(&count), by_perft.get(depth - 1), "{}", board.json);
                checked += 1;
            }
        }
        assert!(checked > 60, "{checked}");
    }

    #[test]
    fn published_counts_are_correct() {
        let published = include_str!("perft.jsonl").lines();
        let boards = perft_boards();
        assert_eq!(published.clone().count(), boards.len());
        let limits = PerftLimits {
            depth: 6,
            leaves: 20_000,
        };
        let mut checked = 0;
        for (line, board) in published.zip(&boards) {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(row["board"], board.json);
            let counts = board.counts(limits, &jobs());
            let published: Vec<u64> = serde_json::from_value(row["perft"].clone()).unwrap();
            assert_eq!(published[..counts.len()], counts, "{}", board.json);
            checked += counts.len();
        }
        assert!(checked > 1000, "{checked}");
    }
}
