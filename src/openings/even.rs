//! Makes the book of even openings.
//!
//! From most random openings the same seat wins between any two players, so pairs
//! of games with swapped seats end one to one and hide which player is stronger.
//! The book holds openings that give both seats about the same chance.
//!
//! First some candidates are searched deeply and played out, to fit the win share
//! of a score. Then candidates are searched deeply until enough have a share near
//! one half. A candidate depends only on the seed and its number, so the book is
//! the same for any number of threads. A book with cards has as many openings for
//! each pair of them.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::analyst::Analyst;
use super::candidate::{Variety, candidate};
use super::share::WinShare;
use crate::eval::EvalKind;
use crate::files::Kind;
use crate::jobs::Jobs;
use crate::rules::{Card, Cards, Position};
use crate::search::{Limits, is_proved};
use crate::seeds::derive_seed;

/// The options of a book.
#[derive(Clone, Copy, Debug)]
pub struct BookOptions {
    pub eval: EvalKind,
    /// Whether the openings are of games with cards, for each pair of them.
    pub cards: bool,
    /// The number of openings wanted, with cards for each pair.
    pub openings: usize,
    /// The nodes of the deep search.
    pub nodes: u64,
    /// How far the expected win share may be from one half.
    pub margin: f64,
    pub variety: Variety,
    /// The number of games to fit the win share, and their nodes a turn.
    pub games: u64,
    pub game_nodes: u64,
    pub seed: u64,
}

/// Even openings, and how they were chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    pub share: WinShare,
    /// Each with its score for the player to move.
    pub openings: Vec<(Position<5>, i32)>,
    /// The number of candidates searched.
    pub candidates: u64,
}

/// Why there is no book.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    #[error("the {0} games do not tell what a score is worth; play more")]
    TooFewGames(usize),
    #[error(
        "only {found} of {candidates} candidates{} are even and different; \
         allow a wider margin, more turns or more slack", of_cards(*.cards)
    )]
    TooFewEven {
        found: usize,
        candidates: u64,
        cards: Cards,
    },
    #[error("interrupted")]
    Stopped,
}

/// The progress of making a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookProgress {
    /// Games to fit the win share.
    Games(u64),
    Openings {
        found: usize,
        of: usize,
    },
}

/// The search is given up after this many candidates for each opening wanted.
const MAX_CANDIDATES: u64 = 400;
/// The transposition table of an engine in MiB.
const HASH_MIB: usize = 16;
/// Before the deep search a shallow one, with the nodes divided by this, sorts
/// out candidates beyond [`SHALLOW_MARGIN`] margins.
const SHALLOW_PART: u64 = 10;
const SHALLOW_MARGIN: f64 = 2.0;

/// " of Pan against Atlas", or nothing in the base game.
fn of_cards(cards: Cards) -> String {
    match cards {
        [Some(first), Some(second)] => format!(" of {first} against {second}"),
        _ => String::new(),
    }
}

impl BookOptions {
    /// The pairs of cards that there are openings for. The candidates have them in
    /// turn, from the first number on.
    fn pairs(&self) -> Vec<Cards> {
        match self.cards {
            true => Card::pairs().map(|pair| pair.map(Some)).collect(),
            false => vec![[None, None]],
        }
    }

    fn cards_of(&self, number: u64) -> Cards {
        let pairs = self.pairs();
        pairs[(number % pairs.len() as u64) as usize]
    }
}

/// A candidate searched deeply.
struct Searched {
    position: Position<5>,
    score: i32,
}

/// Makes a book. `report` is called after each game and each opening found.
///
/// # Errors
/// If the win share cannot be fitted, if there are too few even openings, or if
/// the jobs are stopped.
pub fn make_book(
    options: &BookOptions,
    jobs: &Jobs,
    mut report: impl FnMut(BookProgress),
) -> Result<Book, BookError> {
    let mut searched = Vec::new();
    let mut results = Vec::new();
    let mut played = 0;
    let play = |number| first_candidate(options, jobs, number);
    jobs.run(0..options.games, play, |number, done| {
        let done = done.ok_or(BookError::Stopped)?;
        played += 1;
        report(BookProgress::Games(played));
        if let Some((candidate, won)) = done {
            results.push((candidate.score, won));
            searched.push((number, candidate));
        }
        Ok(())
    })?;
    if played < options.games {
        return Err(BookError::Stopped);
    }
    let share = WinShare::fit(&results).ok_or(BookError::TooFewGames(results.len()))?;
    let pairs = options.pairs();
    let mut selections: Vec<Selection> = (0..pairs.len() as u64)
        .map(|pair| Selection::new(options, share, pair))
        .collect();
    for (number, candidate) in searched {
        selections[number as usize % pairs.len()].offer(candidate);
    }
    let wanted = options.openings * pairs.len();
    let mut book = Book {
        share,
        openings: Vec::new(),
        candidates: 0,
    };
    for mut selection in selections {
        book.candidates += fill(&mut selection, jobs, &mut |found| {
            report(BookProgress::Openings {
                found: book.openings.len() + found,
                of: wanted,
            });
        })?;
        book.openings.append(&mut selection.openings);
    }
    Ok(book)
}

/// Searches candidates until there are enough openings; `report` is called with
/// their number. Returns the number of all candidates, the first ones included.
fn fill(
    selection: &mut Selection,
    jobs: &Jobs,
    report: &mut impl FnMut(usize),
) -> Result<u64, BookError> {
    let Selection {
        options,
        share,
        pair,
        ..
    } = *selection;
    let pairs = options.pairs().len() as u64;
    let first = options.games.saturating_sub(pair).div_ceil(pairs);
    let mut candidates = first;
    if selection.is_full() {
        return Ok(candidates);
    }
    let last = first + MAX_CANDIDATES * options.openings as u64;
    let look = |number| next_candidate(options, share, jobs, number * pairs + pair);
    let end = jobs.run(first..last, look, |_, done| {
        let done = done.ok_or(End::Stopped)?;
        candidates += 1;
        if let Some(candidate) = done {
            selection.offer(candidate);
            report(selection.openings.len());
        }
        if selection.is_full() {
            return Err(End::Full);
        }
        Ok(())
    });
    match end {
        Err(End::Full) => Ok(candidates),
        Ok(()) if candidates == last => Err(BookError::TooFewEven {
            found: selection.openings.len(),
            candidates,
            cards: options.cards_of(pair),
        }),
        Ok(()) | Err(End::Stopped) => Err(BookError::Stopped),
    }
}

/// Why no more candidates are searched.
enum End {
    Full,
    Stopped,
}

/// One of the first candidates, which are played out, and whether its mover wins;
/// `Some(None)` if it is no opening, `None` once stopped.
fn first_candidate(
    options: &BookOptions,
    jobs: &Jobs,
    number: u64,
) -> Option<Option<(Searched, bool)>> {
    let mut analyst = Analyst::new(options.eval, HASH_MIB, jobs.stop);
    let seed = derive_seed(options.seed, &[number]);
    let cards = options.cards_of(number);
    let found = candidate(seed, cards, options.variety, &mut analyst).and_then(|position| {
        let won = analyst.mover_wins(&position, options.game_nodes);
        let score = analyst.score(&position, &Limits::nodes(options.nodes));
        (!is_proved(score)).then_some((Searched { position, score }, won))
    });
    (!analyst.is_stopped()).then_some(found)
}

/// A later candidate that the shallow search finds about even; `Some(None)` and
/// `None` as in [`first_candidate`].
fn next_candidate(
    options: &BookOptions,
    share: WinShare,
    jobs: &Jobs,
    number: u64,
) -> Option<Option<Searched>> {
    let mut analyst = Analyst::new(options.eval, HASH_MIB, jobs.stop);
    let seed = derive_seed(options.seed, &[number]);
    let cards = options.cards_of(number);
    let found = candidate(seed, cards, options.variety, &mut analyst).and_then(|position| {
        let score = analyst.score(&position, &Limits::nodes(options.nodes / SHALLOW_PART));
        if (share.of(score) - 0.5).abs() > SHALLOW_MARGIN * options.margin {
            return None;
        }
        let score = analyst.score(&position, &Limits::nodes(options.nodes));
        Some(Searched { position, score })
    });
    (!analyst.is_stopped()).then_some(found)
}

/// The even openings of a pair of cards found so far, no two of them equal up to
/// symmetry.
struct Selection<'a> {
    options: &'a BookOptions,
    share: WinShare,
    /// The number of the pair.
    pair: u64,
    seen: HashSet<u64>,
    openings: Vec<(Position<5>, i32)>,
}

impl<'a> Selection<'a> {
    fn new(options: &'a BookOptions, share: WinShare, pair: u64) -> Self {
        Self {
            options,
            share,
            pair,
            seen: HashSet::new(),
            openings: Vec::new(),
        }
    }

    fn is_full(&self) -> bool {
        self.openings.len() >= self.options.openings
    }

    /// Adds the candidate if it is even and new.
    fn offer(&mut self, candidate: Searched) {
        let Searched { position, score } = candidate;
        let is_even = (self.share.of(score) - 0.5).abs() <= self.options.margin;
        if is_even && !self.is_full() && self.seen.insert(position.symmetric_key()) {
            self.openings.push((position, score));
        }
    }
}

/// The first words of a book.
const BEGINNING: &str = "# Openings from which";

/// The file of a book.
pub const BOOK_FILE: Kind = Kind {
    name: "a book of openings of `santorini book`",
    begins: |head| head.starts_with(BEGINNING.as_bytes()),
};

impl Book {
    /// The text of the book: comments on how it was made, then a position on each
    /// line. `command` makes the same book again.
    pub fn text(&self, command: &str) -> String {
        let mut text = String::new();
        let WinShare { to_move, level } = self.share;
        let mut line = |line: &dyn std::fmt::Display| {
            let _ = writeln!(text, "{line}");
        };
        line(&format_args!(
            "{BEGINNING} both players have about the same chance. Made by"
        ));
        line(&format_args!("#   {command}"));
        line(&format_args!(
            "# {} of {} candidates. The log-odds of a win of the player to move are {to_move:.3} and",
            self.openings.len(),
            self.candidates
        ));
        line(&format_args!(
            "# {level:.3} more for each level of the score."
        ));
        for (position, _) in &self.openings {
            line(position);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::eval::Weights;
    use crate::openings::Openings;

    const OPTIONS: BookOptions = BookOptions {
        eval: EvalKind::Weighted(Weights::TUNED),
        cards: false,
        openings: 8,
        nodes: 500,
        margin: 0.2,
        variety: Variety {
            turns: 2,
            slack: 30,
            nodes: 1000,
        },
        games: 60,
        game_nodes: 100,
        seed: 3,
    };

    fn make(options: &BookOptions, threads: usize, stop: bool) -> Result<Book, BookError> {
        let stop = AtomicBool::new(stop);
        let jobs = Jobs {
            threads,
            stop: &stop,
        };
        make_book(options, &jobs, |_| {})
    }

    #[test]
    fn a_book_is_even_distinct_and_the_same_for_any_threads() {
        let book = make(&OPTIONS, 1, false).unwrap();
        assert_eq!(make(&OPTIONS, 3, false).as_ref(), Ok(&book));
        let keys: HashSet<u64> = book
            .openings
            .iter()
            .map(|(position, _)| position.symmetric_key())
            .collect();
        assert_eq!((book.openings.len(), keys.len()), (8, 8));
        for &(position, score) in &book.openings {
            assert!((book.share.of(score) - 0.5).abs() <= 0.2);
            assert!(!position.has_win() && !position.with_players_swapped().has_win());
        }
        let read = Openings::from_lines(&book.text("santorini book"), 1).unwrap();
        let Openings::Boards(boards) = read else {
            panic!("openings of a file are boards");
        };
        assert!(
            book.openings
                .iter()
                .all(|(position, _)| boards.contains(position))
        );
        assert_eq!(boards.len(), 8);
    }

    #[test]
    fn a_book_with_cards_has_openings_of_every_pair() {
        let options = BookOptions {
            cards: true,
            openings: 2,
            nodes: 100,
            margin: 0.4,
            variety: Variety {
                turns: 1,
                slack: 30,
                nodes: 100,
            },
            ..OPTIONS
        };
        let book = make(&options, 2, false).unwrap();
        assert_eq!(make(&options, 1, false).as_ref(), Ok(&book));
        let cards = book
            .openings
            .iter()
            .map(|(position, _)| position.first_cards());
        let expected = options.pairs().into_iter().flat_map(|pair| [pair; 2]);
        assert!(cards.eq(expected));
    }

    #[test]
    fn what_is_missing_for_a_book_is_said() {
        let no_games = BookOptions {
            games: 1,
            ..OPTIONS
        };
        assert!(matches!(
            make(&no_games, 1, false),
            Err(BookError::TooFewGames(_))
        ));
        let strict = BookOptions {
            openings: 1,
            margin: 0.0,
            ..OPTIONS
        };
        let error = make(&strict, 2, false).unwrap_err();
        assert!(
            matches!(
                error,
                BookError::TooFewEven {
                    found: 0,
                    candidates: 460,
                    cards: [None, None],
                }
            ),
            "{error}"
        );
        assert_eq!(make(&OPTIONS, 2, true), Err(BookError::Stopped));
    }
}
