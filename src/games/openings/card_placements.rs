//! The placements of games with cards: a book for each pair of cards, from shorter searches
//! than the book of the base game.
//!
//! In the text, each book starts with a line that names the two cards:
//!
//! ```text
//! Apollo Artemis
//! b2c3: c4d3 12, b4d2 15
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::rules::{Card, Cards};
use crate::search::placement::{BookEntry, PlacementBook, PlacementBookError};

/// The books of all pairs of cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardPlacements(Vec<([Card; 2], PlacementBook)>);

/// The number of replies kept for each first placement.
const REPLIES: usize = 2;

/// The book for the base game, or for the cards of the first and the second player. `None` if
/// only one player has a card, or both have the same.
pub fn placement_book(cards: Cards) -> Option<&'static PlacementBook> {
    match cards {
        [None, None] => Some(PlacementBook::built_in()),
        [Some(first), Some(second)] => {
            let mut books = CardPlacements::built_in().books().iter();
            let found = books.find(|(pair, _)| *pair == [first, second]);
            found.map(|(_, book)| book)
        }
        _ => None,
    }
}

impl CardPlacements {
    /// The books that are part of the program.
    pub fn built_in() -> &'static Self {
        static BOOKS: LazyLock<CardPlacements> = LazyLock::new(|| {
            let text = include_str!("card_placements.txt");
            text.parse()
                .expect("the file in the repository has the books")
        });
        &BOOKS
    }

    /// Takes the entries of these books, each with its best replies only.
    pub fn new(books: Vec<([Card; 2], PlacementBook)>) -> Self {
        let best = |entry: &BookEntry| BookEntry {
            replies: entry.replies.iter().take(REPLIES).copied().collect(),
            ..*entry
        };
        let short =
            |book: PlacementBook| PlacementBook::new(book.entries().iter().map(best).collect());
        Self(
            books
                .into_iter()
                .map(|(pair, book)| (pair, short(book)))
                .collect(),
        )
    }

    /// The pairs of cards, each with its book.
    pub fn books(&self) -> &[([Card; 2], PlacementBook)] {
        &self.0
    }
}

impl fmt::Display for CardPlacements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|([first, second], book)| write!(f, "{first} {second}\n{book}"))
    }
}

impl FromStr for CardPlacements {
    type Err = PlacementBookError;

    fn from_str(text: &str) -> Result<Self, PlacementBookError> {
        let mut texts: Vec<([Card; 2], String)> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            match (pair_of(line), texts.last_mut()) {
                // Empty lines keep the line numbers of errors right.
                (Some(pair), _) => texts.push((pair, "\n".repeat(index + 1))),
                (None, Some((_, text))) => *text += &format!("{line}\n"),
                (None, None) if line.is_empty() || line.starts_with('#') => {}
                (None, None) => return Err(PlacementBookError::Form(index + 1, line.into())),
            }
        }
        let books = texts
            .into_iter()
            .map(|(pair, text)| Ok((pair, text.parse()?)));
        Ok(Self(books.collect::<Result<_, PlacementBookError>>()?))
    }
}

/// The two cards, if the line names two.
fn pair_of(line: &str) -> Option<[Card; 2]> {
    let (first, second) = line.split_once(' ')?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_cards_has_a_book_of_all_placements() {
        let books = CardPlacements::built_in();
        let pairs = books.books().iter().map(|(pair, _)| *pair);
        assert!(pairs.eq(Card::pairs()));
        for (pair, book) in books.books() {
            assert_eq!(book.entries().len(), 49, "{pair:?}");
            assert_eq!(placement_book(pair.map(Some)), Some(book));
            let replies = book.entries().iter().map(|entry| entry.replies.len());
            assert!(replies.eq([REPLIES; 49]), "{pair:?}");
        }
        assert_eq!(books.to_string().parse().as_ref(), Ok(books));
        assert_eq!(CardPlacements::new(books.0.clone()), *books);
    }

    #[test]
    fn text_of_another_form_is_refused() {
        let read = |text: &str| text.parse::<CardPlacements>();
        assert!(read("Pan Atlas\nc2c3: b2b3 1\n").is_ok());
        for wrong in [
            "c2c3: b2b3 1",
            "Pan Atlant\nc2c3: b2b3 1",
            "Pan Atlas\nc2c3 b2b3",
        ] {
            assert!(
                matches!(read(wrong), Err(PlacementBookError::Form(..))),
                "{wrong}"
            );
        }
        assert!(read("Pan Atlas\nc2c3: c2b3 1").is_err());
        let third = PlacementBookError::Form(3, "c2c3 b2b3".into());
        assert_eq!(read("# made\nPan Atlas\nc2c3 b2b3"), Err(third));
    }

    #[test]
    fn games_with_one_card_or_equal_cards_have_no_book() {
        assert!(placement_book([None, None]).is_some());
        assert!(placement_book([Some(Card::Pan), None]).is_none());
        assert!(placement_book([Some(Card::Pan); 2]).is_none());
    }
}
