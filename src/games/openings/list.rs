//! The openings of a tournament. Without them, deterministic players would repeat one game.

use std::collections::BTreeMap;

use rand::seq::SliceRandom;
use serde_json::Value;

use crate::fnv::Fnv;
use crate::protocol::exchange::{ExchangeError, read_board, write_board};
use crate::protocol::reason_in_line;
use crate::rules::{Card, Cards, Position, PositionTextError, random_opening};
use crate::seeds::seeded;

/// The openings of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub enum Openings {
    /// The empty board: the players place their workers.
    SetUp,
    /// A random placement and this many random turns.
    Random {
        /// The number of random turns after the placement.
        turns: u32,
        /// The seed of placement and turns.
        seed: u64,
    },
    /// Given boards in random order, repeated once all were played.
    Boards(Vec<Position<5>>),
    /// The same, separately for each pair of cards of the first and second player.
    OfCards(BTreeMap<Cards, Vec<Position<5>>>),
}

/// The number of an opening in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningNumber {
    /// Counted over all pairs of cards.
    pub of_all: u64,
    /// Counted among openings with the same cards.
    pub of_cards: u64,
}

/// A checksum of boards and their order.
pub fn digest_of<const N: usize>(boards: &[Position<N>]) -> String {
    let mut digest = Fnv::default();
    for board in boards {
        digest.add(write_board(board).to_string().as_bytes());
    }
    format!("{:016x}", digest.value())
}

impl OpeningNumber {
    /// The number if all games have the same cards or none.
    pub fn of_one_game(number: u64) -> Self {
        Self {
            of_all: number,
            of_cards: number,
        }
    }
}

/// The built-in book of even openings; its first lines say how it was made.
const EVEN: &str = include_str!("even.txt");

/// The built-in book of even openings with cards, for every pair.
const EVEN_WITH_CARDS: &str = include_str!("even_cards.txt");

/// The maximum length of a line in bytes; a board takes a few hundred.
const LONGEST_LINE: usize = 1 << 16;

/// Why a text cannot be read as openings.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// A line is over the limit. Lines are counted from 1 here and below.
    #[error("line {0}: more than {LONGEST_LINE} bytes; it should hold one board")]
    Long(usize),
    /// A line starts neither like JSON nor like the text form of a board.
    #[error("line {0}: neither a board in JSON nor one as a line of text")]
    Form(usize),
    /// A line that starts like JSON cannot be parsed.
    #[error("line {0}: not JSON: {1}")]
    Json(usize, String),
    /// A line of JSON is not a valid board.
    #[error("line {0}: {1}")]
    Board(usize, ExchangeError),
    /// A line of text is not a valid position.
    #[error("line {0}: {1}")]
    Text(usize, PositionTextError),
    /// The player to move has already won or lost.
    #[error("line {0}: the game is over on this board")]
    Over(usize),
    /// The text has no board at all.
    #[error("it has no board; it must have a board on each line, in JSON or as text")]
    Empty,
    /// A book with cards lacks one of the pairs to be played.
    #[error(
        "it has no board with {first} against {second}; \
         `santorini book --cards` makes books for all pairs of cards"
    )]
    NoBoard {
        /// The card of the first player.
        first: Card,
        /// The card of the second player.
        second: Card,
    },
}

impl Openings {
    /// The even openings of the built-in book, shuffled by the seed.
    ///
    /// # Errors
    /// As [`Openings::from_lines`]; a test checks that there is none.
    pub fn even(seed: u64) -> Result<Self, OpeningError> {
        Self::from_lines(EVEN, seed)
    }

    /// The openings of the built-in book with cards, for all pairs, shuffled by the seed.
    ///
    /// # Errors
    /// As [`Openings::even`].
    pub fn even_with_cards(seed: u64) -> Result<Self, OpeningError> {
        Self::from_lines(EVEN_WITH_CARDS, seed)
    }

    /// Groups the boards by their cards, for a tournament with these pairs of cards. Boards
    /// with other cards are dropped.
    ///
    /// # Errors
    /// If a pair of cards has no board.
    pub fn of_cards(self, choices: &[Cards]) -> Result<Self, OpeningError> {
        let Self::Boards(boards) = self else {
            return Ok(self);
        };
        let mut of_cards: BTreeMap<Cards, Vec<_>> =
            choices.iter().map(|&cards| (cards, Vec::new())).collect();
        for board in boards {
            if let Some(list) = of_cards.get_mut(&board.first_cards()) {
                list.push(board);
            }
        }
        match of_cards.iter().find(|(_, boards)| boards.is_empty()) {
            Some((&[Some(first), Some(second)], _)) => Err(OpeningError::NoBoard { first, second }),
            Some(_) => Err(OpeningError::Empty),
            None => Ok(Self::OfCards(of_cards)),
        }
    }

    /// All given boards; boards with the same cards are in the order of play.
    pub fn boards(&self) -> Vec<Position<5>> {
        match self {
            Self::SetUp | Self::Random { .. } => Vec::new(),
            Self::Boards(boards) => boards.clone(),
            Self::OfCards(boards) => boards.values().flatten().copied().collect(),
        }
    }

    /// Reads one board per line, in JSON or in the text form of a [`Position`], and
    /// shuffles them by the seed. Empty lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// If a line is not a board, the game on a board is over, or there is no board.
    pub fn from_lines(text: &str, seed: u64) -> Result<Self, OpeningError> {
        let mut boards = boards_of_lines(text)?;
        boards.shuffle(&mut seeded(seed));
        Ok(Self::Boards(boards))
    }

    /// The board of the opening with this number; `None` if the players place their own
    /// workers.
    pub fn board(&self, number: OpeningNumber, cards: Cards) -> Option<Position<5>> {
        let nth = |boards: &[Position<5>], number| {
            let index = number % boards.len() as u64;
            boards.get(index as usize).copied()
        };
        match self {
            Self::SetUp => None,
            Self::Random { turns, seed } => {
                Some(random_opening(*turns, *seed, number.of_all, cards))
            }
            Self::Boards(boards) => nth(boards, number.of_all),
            Self::OfCards(boards) => nth(boards.get(&cards)?, number.of_cards),
        }
    }
}

/// The boards that [`Openings::from_lines`] reads, in the order of the lines.
///
/// # Errors
/// As [`Openings::from_lines`].
pub fn boards_of_lines(text: &str) -> Result<Vec<Position<5>>, OpeningError> {
    let lines = text.lines().enumerate();
    let lines = lines.map(|(index, line)| (index, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let boards = lines.map(|(index, line)| board_of_line(line, index + 1));
    let boards = boards.collect::<Result<Vec<_>, _>>()?;
    match boards.is_empty() {
        true => Err(OpeningError::Empty),
        false => Ok(boards),
    }
}

fn board_of_line(line: &str, number: usize) -> Result<Position<5>, OpeningError> {
    if line.len() > LONGEST_LINE {
        return Err(OpeningError::Long(number));
    }
    // The text form begins with the levels, boards in JSON with a brace.
    let is_text = line.len() > 1 && line.bytes().take(2).all(|byte| byte.is_ascii_digit());
    let board = if is_text {
        let board = line.parse::<Position<5>>();
        board.map_err(|error| OpeningError::Text(number, error))?
    } else {
        if !line.starts_with(['{', '[']) {
            return Err(OpeningError::Form(number));
        }
        let value: Value = serde_json::from_str(line)
            .map_err(|error| OpeningError::Json(number, reason_in_line(&error)))?;
        read_board::<5>(&value).map_err(|error| OpeningError::Board(number, error))?
    };
    if board.shows_win() || !board.has_turn() {
        return Err(OpeningError::Over(number));
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::is_open;

    fn nth(openings: &Openings, number: u64) -> Option<Position<5>> {
        openings.board(OpeningNumber::of_one_game(number), [None, None])
    }

    #[test]
    fn random_openings_differ_and_are_reproducible() {
        let openings = Openings::Random { turns: 3, seed: 7 };
        let board = |number| nth(&openings, number).unwrap();
        let texts: BTreeSet<String> = (0..50).map(|n| board(n).to_string()).collect();
        assert_eq!(texts.len(), 50);
        for number in 0..50 {
            assert_eq!(board(number), board(number));
            assert_eq!(board(number).turn(), 3);
            assert!(is_open(&board(number)));
        }
        let other = Openings::Random { turns: 3, seed: 8 };
        assert_ne!(nth(&other, 0), Some(board(0)));
    }

    #[test]
    fn all_boards_are_played_in_the_order_of_the_seed() {
        let lines: Vec<String> = (0..20)
            .map(|number| write_board(&random_opening::<5>(2, 1, number, [None, None])).to_string())
            .collect();
        let text = lines.join("\n\n");
        let boards = |seed| Openings::from_lines(&text, seed).unwrap();
        let played: Vec<String> = (0..20)
            .map(|number| write_board(&nth(&boards(3), number).unwrap()).to_string())
            .collect();
        assert_ne!(played, lines);
        assert_eq!(
            played.iter().collect::<BTreeSet<_>>(),
            lines.iter().collect()
        );
        assert_eq!(boards(3), boards(3));
        assert_ne!(boards(3), boards(4));
        assert_eq!(nth(&boards(3), 20), nth(&boards(3), 0));
    }

    #[test]
    fn lines_may_be_text_and_comments() {
        let board = random_opening::<5>(2, 1, 0, [None, None]);
        let text = format!("# a book\n\n{board}\n  {}\n", write_board(&board));
        let read = Openings::from_lines(&text, 1);
        assert_eq!(read, Ok(Openings::Boards(vec![board, board])));
    }

    fn check_different_and_quiet(boards: &[Position<5>], least: usize) {
        let keys: BTreeSet<u64> = boards.iter().map(Position::symmetric_key).collect();
        assert!(keys.len() >= least && keys.len() == boards.len());
        for board in boards {
            assert!((1..=12).contains(&board.turn()), "{board}");
            assert!(is_open(board) && !board.with_players_swapped().has_win());
        }
    }

    #[test]
    fn the_built_in_book_has_500_different_quiet_openings() {
        let Ok(Openings::Boards(boards)) = Openings::even(1) else {
            panic!("the book cannot be read");
        };
        check_different_and_quiet(&boards, 500);
        assert_eq!(Openings::even(1), Openings::even(1));
        assert_ne!(Openings::even(1), Openings::even(2));
    }

    #[test]
    fn the_card_book_has_at_least_ten_openings_per_pair() {
        let choices: Vec<Cards> = Card::pairs().map(|pair| pair.map(Some)).collect();
        let book = Openings::even_with_cards(1).and_then(|book| book.of_cards(&choices));
        let Ok(Openings::OfCards(boards)) = book else {
            panic!("the book cannot be read: {book:?}");
        };
        assert!(boards.keys().eq(&choices));
        for boards in boards.values() {
            check_different_and_quiet(boards, 10);
        }
    }

    #[test]
    fn card_boards_are_played_with_their_cards_and_in_turn() {
        let pairs = [[Card::Pan, Card::Atlas], [Card::Atlas, Card::Pan]].map(|p| p.map(Some));
        // Two boards for each pair, and one without cards.
        let boards = [0, 1, 2, 3].map(|n| random_opening::<5>(3, 1, n, pairs[n as usize % 2]));
        let base = random_opening::<5>(3, 1, 4, [None, None]);
        let texts = boards.iter().chain([&base]).map(Position::to_string);
        let text = texts.collect::<Vec<_>>().join("\n");
        let book = || Openings::from_lines(&text, 1).unwrap();
        let openings = book().of_cards(&pairs).unwrap();
        let mut played = BTreeSet::new();
        for of_all in 0..4 {
            let cards = pairs[of_all as usize % 2];
            let of_cards = of_all / 2;
            let board = openings.board(OpeningNumber { of_all, of_cards }, cards);
            let board = board.unwrap();
            assert_eq!(board.first_cards(), cards);
            played.insert(board.to_string());
        }
        assert_eq!(played.len(), 4);
        assert_eq!(openings.boards().len(), 4);
        let [first, second] = [Card::Pan, Card::Apollo];
        assert_eq!(
            book().of_cards(&[[Some(first), Some(second)]]),
            Err(OpeningError::NoBoard { first, second })
        );
    }

    #[test]
    fn a_bad_line_of_a_file_is_named() {
        let board = write_board(&random_opening::<5>(2, 1, 0, [None, None]));
        let mut over = board.clone();
        over["spaces"] = serde_json::json!(vec![vec![3; 5]; 5]);
        let bad = |line: &str| Openings::from_lines(&format!("{board}\n{line}\n"), 1);
        assert!(matches!(bad("{\"players\""), Err(OpeningError::Json(2, _))));
        let error = bad("{]").unwrap_err().to_string();
        assert_eq!(error, "line 2: not JSON: key must be a string at column 2");
        assert_eq!(bad("turn,board"), Err(OpeningError::Form(2)));
        assert!(matches!(bad("[]"), Err(OpeningError::Board(2, _))));
        assert!(matches!(bad("00000/1"), Err(OpeningError::Text(2, _))));
        assert_eq!(bad(&over.to_string()), Err(OpeningError::Over(2)));
        assert_eq!(Openings::from_lines("\n \n", 1), Err(OpeningError::Empty));
    }
}
