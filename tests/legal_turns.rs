//! Compares the fast rules with the slow ones of `reference/`: both must allow the same
//! boards, under all eight symmetries.

use std::collections::HashSet;
use std::mem::replace;

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::protocol::exchange::{read_board, write_board};
use santorini::rules::{Card, Cards, Position, Side, Square, Turn};

use crate::reference::{Board, Space, transformed};

/// The reference board of a position. (Converting through JSON would take most of the time;
/// [`Comparison::check_texts`] compares the JSON with this.)
pub fn board_of<const N: usize>(position: &Position<N>) -> Board {
    board_with(position, |square| {
        (square.row::<N>() as u8, square.column::<N>() as u8)
    })
}

/// The reference board of a position, with its squares mapped by `space`.
fn board_with<const N: usize>(position: &Position<N>, space: impl Fn(Square) -> Space) -> Board {
    let mut board = Board {
        levels: [[0; 6]; 6],
        workers: [Side::Mover, Side::Other].map(|side| {
            let mut places = position.workers(side).map(&space);
            let mut workers = [(); 2].map(|()| places.next().unwrap());
            workers.sort_unstable();
            workers
        }),
        cards: position.cards(),
        turn: position.turn(),
        size: N as u8,
    };
    for level in 0..4 {
        for (row, column) in position.above(level).map(&space) {
            board.levels[row as usize][column as usize] += 1;
        }
    }
    board
}

/// The position of a reference board.
fn position_of<const N: usize>(board: &Board) -> Position<N> {
    let mut levels = [[0; N]; N];
    for (row, values) in levels.iter_mut().enumerate() {
        values.copy_from_slice(&board.levels[row][..N]);
    }
    let square = |(row, column)| Square::at::<N>(row as usize, column as usize);
    let workers = board.workers.map(|places| places.map(square));
    Position::new(&levels, workers, board.cards, board.turn).unwrap()
}

/// Compares the fast rules with the slow ones.
struct Comparison<const N: usize> {
    /// For each symmetry and each square of the transformed board, the space on the
    /// original board. (Transforming every board back would take most of the time.)
    symmetries: [Vec<Space>; 8],
    /// The turns whose text was read back already.
    read_back: HashSet<Turn>,
}

impl<const N: usize> Comparison<N> {
    fn new() -> Self {
        let symmetries = std::array::from_fn(|symmetry| {
            let mut spaces = vec![(0, 0); N * N];
            for space in (0..N as u8).flat_map(|r| (0..N as u8).map(move |c| (r, c))) {
                let (row, column) = transformed(space, symmetry, N as u8);
                spaces[usize::from(row) * N + usize::from(column)] = space;
            }
            spaces
        });
        Self {
            symmetries,
            read_back: HashSet::new(),
        }
    }

    /// Compares the legal turns of both rules under all eight symmetries.
    fn compare(&mut self, position: &Position<N>) {
        let board = board_of(position);
        let slow: Vec<Board> = board.after_turns().into_iter().collect();
        for (symmetry, spaces) in self.symmetries.iter().enumerate() {
            let seen: Position<N> = position_of(&board.transformed(symmetry));
            let turns = seen.turns();
            let mut found = vec![false; slow.len()];
            // Each board occurs once: the fast rules list no turn twice.
            let is_new = |turn: &Turn| {
                let after = board_with(&seen.play(*turn), |square| spaces[square.index()]);
                let place = slow.binary_search(&after);
                place.is_ok_and(|place| !replace(&mut found[place], true))
            };
            if turns.len() != slow.len() || !turns.iter().all(is_new) {
                let expected: Vec<Board> = slow.iter().map(|it| it.transformed(symmetry)).collect();
                panic!("{}", difference(&seen, &turns, &expected));
            }
            check_counts(&seen, &turns);
        }
        self.check_texts(position);
    }

    /// Checks that turns, the text of a position and its JSON read back unchanged.
    fn check_texts(&mut self, position: &Position<N>) {
        for turn in position.turns() {
            if self.read_back.insert(turn) {
                let text = turn.text::<N>().to_string();
                assert_eq!(Turn::parse::<N>(&text), Ok(turn), "{text} on {position}");
            }
        }
        assert_eq!(position.to_string().parse(), Ok(*position));
        let json = write_board(position);
        assert_eq!(read_board(&json).as_ref(), Ok(position));
        assert_eq!(Board::from_json(&json), board_of(position));
    }
}

fn difference<const N: usize>(
    position: &Position<N>,
    turns: &[Turn],
    expected: &[Board],
) -> String {
    let texts = |turns: Vec<&Turn>| -> Vec<String> {
        turns
            .iter()
            .map(|turn| turn.text::<N>().to_string())
            .collect()
    };
    let illegal = |turn: &&Turn| !expected.contains(&board_of(&position.play(**turn)));
    let made: Vec<Board> = turns
        .iter()
        .map(|&turn| board_of(&position.play(turn)))
        .collect();
    let missing = expected.iter().filter(|board| !made.contains(board));
    let missing: Vec<String> = missing
        .map(|board| position_of::<N>(board).to_string())
        .collect();
    format!(
        "{position}: {} turns for {} boards; illegal: {:?}; missing: {missing:?}",
        turns.len(),
        expected.len(),
        texts(turns.iter().filter(illegal).collect()),
    )
}

/// Compares the counts and predicates of the rules with the list of turns.
fn check_counts<const N: usize>(position: &Position<N>, turns: &[Turn]) {
    let wins = turns.iter().take_while(|turn| turn.wins()).count();
    assert!(
        turns[wins..].iter().all(|turn| !turn.wins()),
        "{position}: wins come first"
    );
    assert_eq!(position.count_turns(), turns.len() as u64, "{position}");
    assert_eq!(position.has_turn(), !turns.is_empty(), "{position}");
    assert_eq!(position.has_win(), wins > 0, "{position}");
    assert_eq!(
        position.win(),
        turns.first().copied().filter(|turn| turn.wins()),
        "{position}"
    );
}

/// Both players' workers on four random squares.
pub fn random_workers<const N: usize>(rng: &mut impl Rng) -> [[Square; 2]; 2] {
    let mut squares = Vec::new();
    while squares.len() < 4 {
        let square = Square::new(rng.random_range(0..N * N));
        if !squares.contains(&square) {
            squares.push(square);
        }
    }
    [[squares[0], squares[1]], [squares[2], squares[3]]]
}

/// Compares the positions of games from random placements. The players climb now and then,
/// to reach the heights of real games, and skip most wins, to make the games long.
fn compare_games<const N: usize>(cards: Cards, positions: usize, rng: &mut Xoshiro256PlusPlus) {
    let mut comparison = Comparison::<N>::new();
    let mut compared = 0;
    while compared < positions {
        let mut position = Position::<N>::start(random_workers::<N>(rng), cards).unwrap();
        loop {
            comparison.compare(&position);
            compared += 1;
            let turns = position.turns();
            let quiet: Vec<Turn> = turns.into_iter().filter(|turn| !turn.wins()).collect();
            let climbs = |turn: &&Turn| position.level(turn.to()) > position.level(turn.from());
            let climbing: Vec<Turn> = quiet.iter().filter(climbs).copied().collect();
            let choice = if rng.random_bool(0.4) && !climbing.is_empty() {
                climbing
            } else {
                quiet
            };
            if choice.is_empty() || compared >= positions {
                break;
            }
            position = position.play(choice[rng.random_range(0..choice.len())]);
        }
    }
}

/// Compares random boards, reachable or not: any levels, workers on any space without a
/// dome.
fn compare_boards<const N: usize>(cards: Cards, positions: usize, rng: &mut Xoshiro256PlusPlus) {
    let mut comparison = Comparison::<N>::new();
    let mut compared = 0;
    while compared < positions {
        let mut levels = [[0; N]; N];
        let highest = rng.random_range(1..=4);
        let mut level = || rng.random_range(0..=highest);
        levels
            .as_flattened_mut()
            .iter_mut()
            .for_each(|space| *space = level());
        // Boards with workers on a dome are refused and skipped.
        if let Ok(position) = Position::<N>::new(&levels, random_workers::<N>(rng), cards, 7) {
            comparison.compare(&position);
            compared += 1;
        }
    }
}

/// Compares positions of the base game, `scale` times as many as the usual tests.
pub fn compare_base(scale: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    compare_games::<5>([None; 2], 17_000 * scale, &mut rng);
    compare_boards::<5>([None; 2], 1_000 * scale, &mut rng);
    compare_games::<6>([None; 2], 3_000 * scale, &mut rng);
    compare_boards::<6>([None; 2], 400 * scale, &mut rng);
}

/// Compares positions of the pairs of cards in which the first player has one of the given
/// cards, `scale` times as many as the usual tests.
pub fn compare_cards(first: &[Card], seed: u64, scale: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for pair in Card::pairs().filter(|pair| first.contains(&pair[0])) {
        let cards = pair.map(Some);
        compare_games::<5>(cards, 240 * scale, &mut rng);
        compare_boards::<5>(cards, 80 * scale, &mut rng);
        compare_games::<6>(cards, 30 * scale, &mut rng);
        compare_boards::<6>(cards, 10 * scale, &mut rng);
    }
}
