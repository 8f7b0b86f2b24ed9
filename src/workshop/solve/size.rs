//! The size of a game: its states, and the bytes of its layers.

use super::game::{Heights, SmallGame};
use super::layer::LayerIndex;
use super::parts::PartSize;
use super::placement_index::placement_count;
use super::shape::{Permutation, SquareSet, squares_of};
use crate::rules::CAP;

/// The number of states of a game.
pub fn states(game: &SmallGame) -> u64 {
    fixed_states(game, &game.symmetries[0])
}

/// The number of states up to symmetry (Burnside's lemma).
pub fn states_up_to_symmetry(game: &SmallGame) -> u64 {
    let fixed = game.symmetries.iter().map(|map| fixed_states(game, map));
    fixed.sum::<u64>() / game.symmetries.len() as u64
}

/// The number of states that a symmetry does not change.
fn fixed_states(game: &SmallGame, map: &Permutation) -> u64 {
    let standing = u64::from(game.highest_standing()) + 1;
    let levels = u64::from(CAP) + 1;
    let workers = game.workers;
    // Indexed by the workers of both players on the cycles so far.
    let mut ways = [[0; 3]; 3];
    ways[0][0] = 1u64;
    for length in cycles(map, game.shape.all()) {
        let mut next = [[0; 3]; 3];
        for mover in 0..=workers {
            for other in 0..=workers {
                let count = ways[mover][other];
                next[mover][other] += count * levels;
                if mover + length <= workers {
                    next[mover + length][other] += count * standing;
                }
                if other + length <= workers {
                    next[mover][other + length] += count * standing;
                }
            }
        }
        ways = next;
    }
    ways[workers][workers] * game.sides() as u64
}

/// The lengths of a permutation's cycles on a set of squares that it maps onto itself.
pub(super) fn cycles(map: &Permutation, squares: SquareSet) -> Vec<usize> {
    let mut left = squares;
    let mut lengths = Vec::new();
    while left != 0 {
        let mut square = left.trailing_zeros() as usize;
        let mut length = 0;
        while left >> square & 1 != 0 {
            left &= !(1 << square);
            square = map[square].into();
            length += 1;
        }
        lengths.push(length);
    }
    lengths
}

/// The sizes of the layers, lowest first, of all heights nowhere below `low`. `symmetries`
/// is the number of symmetries that map `low` onto itself. The lengths are a little too low.
pub(super) fn layer_sizes(
    game: &SmallGame,
    low: &Heights,
    symmetries: usize,
) -> Vec<PartSize<usize>> {
    let (squares, most) = (game.squares(), game.highest_total());
    // Indexed by the sum of levels and the number of standing squares.
    let mut ways = vec![vec![0u128; squares + 1]; most + 1];
    ways[0][0] = 1;
    for square in squares_of(game.shape.all()) {
        let mut next = vec![vec![0u128; squares + 1]; most + 1];
        for (sum, by_standing) in ways.iter().enumerate() {
            for (standing, &count) in by_standing
                .iter()
                .enumerate()
                .filter(|(_, count)| **count > 0)
            {
                for level in low[square]..=CAP {
                    let stands = usize::from(level <= game.highest_standing());
                    if let Some(row) = next.get_mut(sum + usize::from(level)) {
                        row[(standing + stands).min(squares)] += count;
                    }
                }
            }
        }
        ways = next;
    }
    let bytes = |standing: usize| {
        let placements = placement_count(standing, game.workers);
        (placements * placements * game.sides()) as u128
    };
    let size = |(name, by_standing): (usize, &Vec<u128>)| {
        let rows = by_standing.iter().enumerate();
        let whole: u128 = rows.map(|(standing, count)| count * bytes(standing)).sum();
        PartSize {
            name,
            bytes: (whole / symmetries as u128) as u64,
            index: by_standing.iter().sum::<u128>() as u64 * LayerIndex::ENTRY,
        }
    };
    ways.iter().enumerate().map(size).collect()
}

#[cfg(test)]
mod tests {
    use super::super::parts::PartSolver;
    use super::super::solver::Solver;
    use super::*;
    use crate::jobs::Jobs;
    use crate::rules::Card;

    fn game(shape: &str, workers: usize) -> SmallGame {
        SmallGame::new(shape.parse().unwrap(), workers, None)
    }

    #[test]
    fn states_are_counted() {
        // C(9,2) 2 3^2 5^7 and C(9,4) C(4,2) 3^4 5^5.
        assert_eq!(states(&game("3x3", 1)), 36 * 2 * 9 * 78_125);
        assert_eq!(states(&game("3x3", 2)), 126 * 6 * 81 * 3125);
        let cards = Some([Card::Pan, Card::Atlas]);
        let with_cards = SmallGame::new("2x2".parse().unwrap(), 1, cards);
        assert_eq!(states(&with_cards), 2 * 12 * 16 * 25);
    }

    #[test]
    fn states_up_to_symmetry_count_classes() {
        use std::collections::BTreeSet;
        let game = game("2x2", 1);
        let mut classes = BTreeSet::new();
        for code in 0..625 * 16 {
            let levels = [code % 5, code / 5 % 5, code / 25 % 5, code / 125 % 5];
            let workers = [code / 625 % 4, code / 2500];
            if workers[0] == workers[1] || workers.iter().any(|&square| levels[square] > 2) {
                continue;
            }
            let images = game.symmetries.iter().map(|map| {
                let mut image = [0; 4];
                for square in 0..4 {
                    image[usize::from(map[square])] = levels[square];
                }
                (image, workers.map(|square| map[square]))
            });
            classes.insert(images.min().unwrap());
        }
        assert_eq!(states_up_to_symmetry(&game), classes.len() as u64);
    }

    #[test]
    fn layer_sizes_are_about_right() {
        let game = game("3x3", 2);
        let sizes = layer_sizes(&game, &[0; 16], 1);
        let indexes: u64 = sizes.iter().map(|size| size.index).sum();
        assert_eq!(indexes, 5u64.pow(9) * LayerIndex::ENTRY);
        // The empty board: 36 placements of either player.
        assert_eq!(
            [sizes[0].bytes, sizes[0].index],
            [36 * 36, LayerIndex::ENTRY]
        );
        let solver = Solver::new(&game, [0; 16], Jobs::unstoppable(1));
        let memory = |size: &PartSize<usize>| size.bytes + size.index;
        let needed = solver.most_at_once(memory);
        let sizes = solver.sizes();
        let of_two = |layers: &[PartSize<usize>]| -> u64 { layers.iter().map(memory).sum() };
        assert_eq!(sizes.windows(2).map(of_two).max(), Some(needed));
        assert!(needed > memory(&sizes[18]));
    }
}
