//! Makes a book of even openings.
//!
//! Most random openings favour one seat so much that it wins between any two players. Pairs
//! of games with swapped seats then end 1-1 and hide which player is stronger. A book holds
//! openings that give both seats about the same chance.
//!
//! First, some candidates are searched deeply and played to the end, to fit the win share
//! at a score. Then candidates are searched deeply until enough have a win share near one
//! half (`judge.rs`). Given boards, for example from other books, are judged first. A
//! candidate depends only on the seed and its number, so the book is the same for any
//! number of threads. A book with cards has the same number of openings for each pair of
//! cards. If too few candidates are even, the closest to even fill the book
//! (`selection.rs`).

use std::collections::HashMap;
use std::convert::Infallible;

use super::book::{Book, Shortfall};
use super::book_options::{BookError, BookOptions, BookProgress};
use super::judge::{Judge, first_candidate};
use super::selection::Selection;
use crate::arena::WinShare;
use crate::jobs::Jobs;
use crate::rules::Position;

/// Makes a book. The `given` boards are judged before candidates are made; boards of games
/// that the book is not for are ignored. `report` is called after each game and each
/// candidate. If the jobs are stopped, the book has the even openings found so far.
///
/// # Errors
/// If the win share cannot be fitted, or the jobs are stopped before it is.
pub fn make_book(
    options: &BookOptions,
    given: &[Position<5>],
    jobs: &Jobs,
    mut report: impl FnMut(BookProgress),
) -> Result<Book, BookError> {
    let mut searched = HashMap::new();
    let mut results = Vec::new();
    let mut played = 0;
    let play = |number| first_candidate(options, jobs, number);
    let Ok(()) = jobs.run_whole(0..options.games, play, |number, done| {
        played += 1;
        report(BookProgress::Games(played));
        if let Some((opening @ (_, score), won)) = done {
            results.push((score, won));
            searched.insert(number, opening);
        }
        Ok::<(), Infallible>(())
    });
    if played < options.games {
        return Err(BookError::Stopped);
    }
    let judge = Judge {
        options,
        jobs,
        share: WinShare::fit(&results).ok_or(BookError::TooFewGames(results.len()))?,
        searched: &searched,
    };
    let mut pairs = given_openings(&judge, given, &mut |judged| {
        report(BookProgress::Given(judged));
    });
    for (number, pair) in pairs.iter_mut().enumerate() {
        let before = number * options.openings;
        add_candidates(&judge, number as u64, pair, &mut |found| {
            report(BookProgress::Openings {
                found: before + found,
                of: options.wanted(),
            });
        });
    }
    Ok(collect(options, judge.share, pairs))
}

/// Judges the given boards, by pair of cards. `report` is called with the number judged.
fn given_openings(
    judge: &Judge,
    boards: &[Position<5>],
    report: &mut impl FnMut(u64),
) -> Vec<Selection> {
    let options = judge.options;
    let given = options.given(boards);
    let none = options.pairs().into_iter();
    let mut pairs: Vec<Selection> = none.map(|_| Selection::new(options.openings)).collect();
    let look = |number| judge.judged_board(given[number as usize].1);
    let all = given.len() as u64;
    let mut seen = 0;
    let Ok(()) = judge.jobs.run_whole(0..all, look, |number, judged| {
        pairs[given[number as usize].0].offer(judged);
        seen += 1;
        report(seen);
        Ok::<(), Infallible>(())
    });
    for pair in &mut pairs {
        pair.is_stopped = seen < all;
    }
    pairs
}

/// Adds candidates for the pair of cards with this number until it has enough even
/// openings. `report` is called with the number found, or the share of candidates searched
/// if that is more.
fn add_candidates(
    judge: &Judge,
    number: u64,
    pair: &mut Selection,
    report: &mut impl FnMut(usize),
) {
    let options = judge.options;
    let pairs = options.pairs().len() as u64;
    let first = options.games.saturating_sub(number).div_ceil(pairs);
    if pair.is_stopped || pair.is_full() {
        pair.candidates += first;
        return;
    }
    let last = first + options.candidates * options.openings as u64;
    let mut seen = 0;
    let look = |candidate| judge.judged(candidate * pairs + number);
    // An error ends the jobs when there are enough openings.
    let _ = judge.jobs.run_whole(0..last, look, |_, judged| {
        pair.offer(judged);
        seen += 1;
        let share = (options.openings as u64 * seen / last) as usize;
        report(pair.even().max(share));
        match pair.is_full() {
            true => Err(()),
            false => Ok(()),
        }
    });
    pair.is_stopped = seen < last && !pair.is_full();
    pair.candidates += first.saturating_sub(seen);
}

/// The book of the selected openings.
fn collect(options: &BookOptions, share: WinShare, pairs: Vec<Selection>) -> Book {
    let mut book = Book {
        share,
        openings: Vec::new(),
        candidates: pairs.iter().map(|pair| pair.candidates).sum(),
        short: Vec::new(),
        is_interrupted: pairs.iter().any(|pair| pair.is_stopped),
    };
    for (number, pair) in pairs.into_iter().enumerate() {
        let (even, candidates) = (pair.even(), pair.candidates);
        let is_short = !pair.is_full() && !pair.is_stopped;
        let openings = pair.finish();
        if is_short {
            book.short.push(Shortfall {
                cards: options.cards_of(number as u64),
                even,
                nearest: openings.len() - even,
                candidates,
            });
        }
        book.openings.extend(openings);
    }
    book
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::super::candidate::Variety;
    use super::*;
    use crate::eval::EvalKind;
    use crate::openings::{Openings, random_opening};
    use crate::rules::Card;

    fn basic() -> BookOptions {
        BookOptions {
            eval: EvalKind::default(),
            cards: false,
            openings: 8,
            candidates: 400,
            nodes: 500,
            margin: 0.2,
            variety: Variety {
                turns: 2,
                slack: 30,
                nodes: 1000,
            },
            games: 120,
            trials: 0,
            game_nodes: 100,
            seed: 3,
        }
    }

    fn make(options: &BookOptions, threads: usize, stop: bool) -> Result<Book, BookError> {
        let stop = AtomicBool::new(stop);
        let jobs = Jobs {
            threads,
            stop: &stop,
        };
        make_book(options, &[], &jobs, |_| {})
    }

    #[test]
    fn a_book_is_even_distinct_and_reproducible() {
        let book = make(&basic(), 1, false).unwrap();
        assert_eq!(make(&basic(), 3, false).as_ref(), Ok(&book));
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
            candidates: 2,
            nodes: 1000,
            games: 112,
            game_nodes: 600,
            margin: 0.4,
            variety: Variety {
                turns: 1,
                slack: 30,
                nodes: 100,
            },
            ..basic()
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
    fn the_closest_to_even_fill_a_book() {
        let strict = BookOptions {
            openings: 4,
            candidates: 100,
            margin: 0.0001,
            ..basic()
        };
        let book = make(&strict, 2, false).unwrap();
        let distances: Vec<f64> = book
            .openings
            .iter()
            .map(|&(_, score)| (book.share.of(score) - 0.5).abs())
            .collect();
        assert_eq!(distances.len(), 4);
        let even = distances
            .iter()
            .filter(|&&far| far <= strict.margin)
            .count();
        assert!(even < 4, "{distances:?}");
        assert!(distances[even..].is_sorted(), "{distances:?}");
        let candidates = 400 + basic().games;
        let short = Shortfall {
            cards: [None, None],
            even,
            nearest: 4 - even,
            candidates,
        };
        assert_eq!(book.short, [short]);
        assert_eq!(book.candidates, candidates);
        assert!(book.text("").contains(&format!("# {short}.\n")));
    }

    #[test]
    fn openings_with_lopsided_trials_are_left_out() {
        let options = BookOptions {
            trials: 4,
            ..basic()
        };
        let book = make(&options, 1, false).unwrap();
        assert_eq!(make(&options, 2, false).as_ref(), Ok(&book));
        let without = make(&basic(), 1, false).unwrap();
        assert_eq!(book.openings.len(), without.openings.len());
        let left_out = |opening| !book.openings.contains(opening);
        assert!(without.openings.iter().any(left_out));
    }

    #[test]
    fn the_first_trials_are_short() {
        let options = BookOptions {
            game_nodes: 1000,
            ..basic()
        };
        let nodes = (1..=6).map(|trial| options.trial_nodes(trial));
        assert!(nodes.eq([250, 500, 750, 1000, 1000, 1000]));
    }

    #[test]
    fn an_interrupted_book_has_the_even_openings_found() {
        let book = make(&basic(), 1, false).unwrap();
        let stop = AtomicBool::new(false);
        let jobs = Jobs {
            threads: 1,
            stop: &stop,
        };
        let part = make_book(&basic(), &[], &jobs, |progress| {
            if let BookProgress::Openings { found: 3, .. } = progress {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let part = part.unwrap();
        assert!(part.is_interrupted && !book.is_interrupted);
        let found = part.openings.len();
        assert!((3..8).contains(&found), "{found}");
        assert_eq!(part.openings, book.openings[..found]);
        assert!(part.text("").contains("\n# Interrupted"));
        assert!(!book.text("").contains("Interrupted"));
    }

    #[test]
    fn given_boards_come_before_candidates() {
        let Book {
            share,
            openings: mut even,
            ..
        } = make(&basic(), 1, false).unwrap();
        // The closest to even also count as even with another fit.
        even.sort_by(|a, b| {
            let far = |score| (share.of(score) - 0.5).abs();
            far(a.1).total_cmp(&far(b.1))
        });
        let boards: Vec<_> = even.iter().map(|&(board, _)| board).collect();
        let with_cards = random_opening(0, 1, 0, [Some(Card::Pan), Some(Card::Atlas)]);
        let random = (0..100).map(|number| random_opening(8, 1, number, [None, None]));
        let given: Vec<_> = std::iter::once(with_cards)
            .chain(boards[..4].repeat(2))
            .chain(random)
            .collect();
        let with = |candidates, threads| {
            let options = BookOptions {
                openings: 6,
                candidates,
                ..basic()
            };
            let jobs = Jobs::unstoppable(threads);
            let mut judged = 0;
            let book = make_book(&options, &given, &jobs, |progress| {
                if let BookProgress::Given(done) = progress {
                    judged = done;
                }
            });
            assert_eq!(judged, 104);
            book.unwrap()
        };
        let book = with(400, 2);
        assert_eq!(book, with(400, 1));
        assert_eq!(book.openings.len(), 6);
        assert_eq!(
            book.openings[..4].iter().map(|it| it.0).collect::<Vec<_>>(),
            boards[..4]
        );
        let is_even = |score| (book.share.of(score) - 0.5).abs() <= basic().margin;
        assert!(book.openings.iter().all(|&(_, score)| is_even(score)));
        // Without further candidates only the first ones are added.
        assert_eq!(with(0, 2).candidates, 104 + basic().games);
    }

    #[test]
    fn missing_results_and_a_stop_are_errors() {
        let no_games = BookOptions {
            games: 1,
            ..basic()
        };
        assert!(matches!(
            make(&no_games, 1, false),
            Err(BookError::TooFewGames(_))
        ));
        assert_eq!(make(&basic(), 2, true), Err(BookError::Stopped));
    }
}
