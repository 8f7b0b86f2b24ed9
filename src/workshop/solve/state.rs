//! A state of a small game, and its text.

use super::game::{Heights, SmallGame};
use super::shape::{MOST_SQUARES, SquareSet, set_of, squares_of};
use crate::digits::parse_digits;
use crate::printable::excerpt;
use crate::rules::{CAP, Card};

/// A state between two turns: levels, workers and side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SmallState {
    /// The level of each square.
    pub heights: Heights,
    /// The workers of the player to move and of the other.
    pub workers: [SquareSet; 2],
    /// The side to move: always 0 without cards, else an index into [`SmallGame::cards`].
    pub side: usize,
}

/// Why a text is not a state of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The text is not levels and workers of this game.
    #[error(
        "{text:?} is not a position on {game}; one looks like {example}: levels row by row, the \
         workers of the player to move, the opponent's workers"
    )]
    Form {
        /// The text as given.
        text: String,
        /// The game it should be of.
        game: String,
        /// A valid text for that game.
        example: String,
    },
    /// A square, and its level above 4.
    #[error("{0} has level {1}; a level is 0, 1, 2, 3 or 4")]
    Level(String, u8),
    /// The square that two workers have.
    #[error("two workers stand on {0}")]
    Shared(String),
    /// A worker is where it cannot be before a turn.
    #[error("a worker stands on {square} of level {level}: {why}")]
    Standing {
        /// The square of the worker.
        square: String,
        /// The level of the square.
        level: u8,
        /// The rule that excludes it.
        why: &'static str,
    },
    /// The text names other cards than the game's, which follow.
    #[error(
        "the cards of the game are {0} and {1}; name both, first the card of the player to move"
    )]
    Cards(Card, Card),
}

/// The maximum number of characters that an error quotes.
const LONGEST: usize = 80;

impl SmallState {
    /// The sum of all levels. Every turn that does not win increases it.
    pub fn total(&self) -> usize {
        total(&self.heights)
    }

    /// All squares with workers.
    pub const fn occupied(&self) -> SquareSet {
        self.workers[0] | self.workers[1]
    }

    /// The empty board, the first player to move.
    pub const fn start(workers: [SquareSet; 2]) -> Self {
        Self {
            heights: [0; MOST_SQUARES],
            workers,
            side: 0,
        }
    }

    /// The text of the state, such as `000/010/000 a1 c3`, followed by both cards if there
    /// are any. The player to move comes first.
    pub fn text(&self, game: &SmallGame) -> String {
        let rows = self.heights[..game.squares()].chunks(game.shape.columns());
        let digits = |row: &[u8]| row.iter().map(u8::to_string).collect::<String>();
        let rows: Vec<String> = rows.map(digits).collect();
        let [mover, other] = self.workers.map(|workers| game.shape.set_text(workers));
        let cards = game.cards.map_or(String::new(), |cards| {
            format!(" {} {}", cards[self.side], cards[1 - self.side])
        });
        format!("{} {mover} {other}{cards}", rows.join("/"))
    }

    /// Parses [`Self::text`]. A turn number after the workers, as in the text of larger
    /// boards, is optional.
    ///
    /// # Errors
    /// If the text has another form, or the state is impossible or the game is over in it.
    pub fn parse(text: &str, game: &SmallGame) -> Result<Self, StateError> {
        let form = || StateError::Form {
            text: excerpt(text, LONGEST),
            game: game.to_string(),
            example: example(game),
        };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (&[rows, mover, other], mut rest) = words.split_first_chunk::<3>().ok_or_else(form)?;
        if let [number, others @ ..] = rest
            && parse_digits::<u32>(number).is_some()
        {
            rest = others;
        }
        let side = side(rest, game).ok_or_else(|| match game.cards {
            Some([first, second]) => StateError::Cards(first, second),
            None => form(),
        })?;
        let heights = parse_heights(rows, game).ok_or_else(form)??;
        let placement = |text| parse_placement(text, game).ok_or_else(form);
        let state = Self {
            heights,
            workers: [placement(mover)?, placement(other)?],
            side,
        };
        state.check(game)?;
        Ok(state)
    }

    fn check(&self, game: &SmallGame) -> Result<(), StateError> {
        let name = |square| game.shape.square_text(square);
        if let Some(shared) = squares_of(self.workers[0] & self.workers[1]).next() {
            return Err(StateError::Shared(name(shared)));
        }
        let too_high = |&square: &usize| self.heights[square] > game.highest_standing();
        match squares_of(self.occupied()).find(too_high) {
            None => Ok(()),
            Some(square) => Err(StateError::Standing {
                square: name(square),
                level: self.heights[square],
                why: match self.heights[square] {
                    CAP => "no worker can stand on a dome",
                    _ => "the game is over",
                },
            }),
        }
    }
}

/// The sum of all levels.
pub(super) fn total(heights: &Heights) -> usize {
    heights.iter().map(|&level| usize::from(level)).sum()
}

/// An example of a text, for messages.
fn example(game: &SmallGame) -> String {
    let placement = |from: usize| set_of(from..from + game.workers);
    SmallState::start([placement(0), placement(game.workers)]).text(game)
}

/// The side to move, by the names of the cards.
fn side(words: &[&str], game: &SmallGame) -> Option<usize> {
    match (game.cards, words) {
        (None, []) => Some(0),
        (Some([first, second]), [mover, other]) => {
            let cards = [mover.parse::<Card>().ok()?, other.parse().ok()?];
            [[first, second], [second, first]]
                .iter()
                .position(|order| *order == cards)
        }
        _ => None,
    }
}

fn parse_heights(text: &str, game: &SmallGame) -> Option<Result<Heights, StateError>> {
    let mut heights = [0; MOST_SQUARES];
    let rows: Vec<&str> = text.split('/').collect();
    let width = game.shape.columns();
    if rows.len() != game.shape.rows() || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    for (square, digit) in rows.concat().bytes().enumerate() {
        let level = digit.checked_sub(b'0').filter(|&level| level <= 9)?;
        if level > CAP {
            let name = game.shape.square_text(square);
            return Some(Err(StateError::Level(name, level)));
        }
        heights[square] = level;
    }
    Some(Ok(heights))
}

fn parse_placement(text: &str, game: &SmallGame) -> Option<SquareSet> {
    if text.len() != 2 * game.workers || !text.is_ascii() {
        return None;
    }
    let mut placement: SquareSet = 0;
    for start in (0..text.len()).step_by(2) {
        placement |= 1 << game.shape.parse_square(&text[start..start + 2])?;
    }
    (placement.count_ones() as usize == game.workers).then_some(placement)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(shape: &str, workers: usize, cards: Option<[Card; 2]>) -> SmallGame {
        SmallGame::new(shape.parse().unwrap(), workers, cards)
    }

    #[test]
    fn the_text_of_a_state_reads_back() {
        let plain = game("3x4", 2, None);
        let text = "0010/2304/0000 a1c3 d1b3";
        let state = SmallState::parse(text, &plain).unwrap();
        assert_eq!((state.text(&plain).as_str(), state.total()), (text, 10));
        assert_eq!(SmallState::parse(&format!("{text} 10"), &plain), Ok(state));
        let cards = game("3x3", 1, Some([Card::Pan, Card::Atlas]));
        let text = "010/000/003 a1 c3 Atlas Pan";
        let state = SmallState::parse(text, &cards).unwrap();
        assert_eq!((state.side, state.text(&cards).as_str()), (1, text));
    }

    #[test]
    fn invalid_states_are_refused() {
        let plain = game("2x3", 1, None);
        let error = |text: &str| SmallState::parse(text, &plain).unwrap_err().to_string();
        for text in [
            "",
            "000/000",
            "000/000 a1",
            "000/000 a1 a1b1",
            "00/000 a1 b1",
            "é",
        ] {
            assert!(error(text).contains("000/000 a1 b1"), "{}", error(text));
        }
        assert!(error("000/000 a1 a1").contains("two workers stand on a1"));
        assert!(error("050/000 a1 b2").contains("b1 has level 5"));
        assert!(error("400/000 a1 b2").contains("dome"));
        assert!(error("300/000 a1 b2").contains("over"));
        assert!(error("000/000 a1 b1 Pan Atlas").contains("is not a position"));
        let cards = game("2x3", 1, Some([Card::Pan, Card::Atlas]));
        let error = SmallState::parse("000/000 a1 b1", &cards).unwrap_err();
        assert!(error.to_string().contains("Pan and Atlas"), "{error}");
    }
}
