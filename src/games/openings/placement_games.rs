//! Games of the engine against itself from both players' placements: who wins from where.
//!
//! The text of the results has a first line that says how the games were played, and a
//! line for each pair of placements, with the players' cards if they have any: the games
//! won by the first player, and all games.
//!
//! ```text
//! # Self-play, 500000 nodes for each turn, engine 356269
//! c2c3 b3d3: 13 of 24
//! ```
//!
//! Games are played in rounds of one game per pair. An interrupted run leaves every pair
//! with about the same number of games, and a later run resumes it.

use std::fmt;
use std::sync::LazyLock;

use super::card_placements::CardPlacements;
use super::fixed_nodes::FixedNodeEngine;
use super::placements::BEST;
use crate::digits::parse_digits;
use crate::eval::EvalKind;
use crate::jobs::Jobs;
use crate::printable::excerpt;
use crate::rules::{Cards, Placement, Position};
use crate::search::placement::{PlacementBook, Reply, placement_text};
use crate::search::{bench_signature, card_signature};
use crate::seeds::{derive_seed, seeded};
use crate::stats::win_interval;
use crate::table::{Table, percent};

/// How the text of results begins.
pub const PLACEMENT_GAMES: &str = "# Self-play, ";

/// The size of the board.
const N: usize = 5;
/// The maximum number of games from a pair.
pub const MOST_PLACEMENT_GAMES: u64 = 1_000_000;
/// The transposition table of an engine in MiB.
const HASH_MIB: usize = 64;

/// The games from a pair of placements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairGames {
    /// The cards of the first and the second player.
    pub cards: Cards,
    /// The placements of the first and the second player.
    pub placements: [Placement; 2],
    /// The score of the book for the first player, in hundredths of a level.
    pub score: i32,
    /// The games won by the first player.
    pub won: u64,
    /// All games.
    pub games: u64,
    /// The key of the position after both placements, equal for symmetric ones.
    key: u64,
}

/// Games from pairs of placements. Without cards: every first placement with its best reply,
/// and the best ones with their second reply too. With cards: for each pair of cards, the best
/// first placement with its best reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacementGames {
    nodes: u64,
    engine: u64,
    pairs: Vec<PairGames>,
}

/// Why a text is not the results of games.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlacementGamesError {
    /// The games are of other placements, another engine or other nodes.
    #[error(
        "these games were played from other placements, by another engine or with other nodes ({0:?})"
    )]
    Other(String),
    /// A line, counted from 1, has another form.
    #[error(
        "line {0}: {1:?} is not a result; a result looks like c2c3 b3d3: 13 of 24, with cards \
         Pan Atlas c2c3 b3d3: 13 of 24"
    )]
    Form(usize, String),
    /// A line has another number of games than its place in the rounds.
    #[error("line {0}: {1} games instead of {2}, as the number of all games requires")]
    Rounds(usize, u64, u64),
}

/// The maximum number of characters of a text that an error repeats.
const LONGEST: usize = 80;

impl PlacementGames {
    /// The results that are part of the program, without cards or with them.
    pub fn built_in(with_cards: bool) -> &'static Self {
        static GAMES: LazyLock<[PlacementGames; 2]> = LazyLock::new(|| {
            let without = include_str!("placement_games.txt");
            let with = include_str!("card_placement_games.txt");
            [(false, without), (true, with)].map(|(with_cards, text)| {
                let games = PlacementGames::new(with_cards, 0).read(text);
                games.expect("the files in the repository have the games of the books")
            })
        });
        &GAMES[usize::from(with_cards)]
    }

    /// No games yet from the placements of the built-in books. `nodes` are the mean nodes of
    /// each turn.
    pub fn new(with_cards: bool, nodes: u64) -> Self {
        let (engine, pairs) = match with_cards {
            true => (card_signature(), pairs_with_cards()),
            false => (bench_signature(), pairs_without_cards()),
        };
        Self {
            nodes,
            engine,
            pairs,
        }
    }

    /// The pairs, in the order of the books.
    pub fn pairs(&self) -> &[PairGames] {
        &self.pairs
    }

    /// The number of all games.
    pub fn games(&self) -> u64 {
        self.pairs.iter().map(|pair| pair.games).sum()
    }

    /// Reads results of games from these placements.
    ///
    /// # Errors
    /// If the text is something else, or results of other placements.
    fn read(&self, text: &str) -> Result<Self, PlacementGamesError> {
        let (head, lines) = text.split_once('\n').unwrap_or((text, ""));
        let other = |text: &str| PlacementGamesError::Other(excerpt(text, LONGEST));
        let (nodes, engine) = parse_head(head).ok_or_else(|| other(head))?;
        let mut found = Self {
            nodes,
            engine,
            pairs: self.pairs.clone(),
        };
        let mut lines = lines.lines();
        for (number, pair) in (2..).zip(&mut found.pairs) {
            let line = lines.next().unwrap_or_default();
            let form = || PlacementGamesError::Form(number, excerpt(line, LONGEST));
            let (name, won, games) = parse_line(line).ok_or_else(form)?;
            if name != pair.title() {
                return Err(other(name));
            }
            (pair.won, pair.games) = (won, games);
        }
        if let Some(line) = lines.find(|line| !line.is_empty()) {
            return Err(other(line));
        }
        let all = found.games();
        let count = found.pairs.len() as u64;
        for (index, pair) in (0..).zip(&found.pairs) {
            let expected = all / count + u64::from(index < all % count);
            if pair.games != expected {
                let number = index as usize + 2;
                return Err(PlacementGamesError::Rounds(number, pair.games, expected));
            }
        }
        Ok(found)
    }

    /// Resumes from the text of earlier results.
    ///
    /// # Errors
    /// If the text is something else, or results of other games.
    pub fn resume(self, text: &str) -> Result<Self, PlacementGamesError> {
        let found = self.read(text)?;
        match found.head() == self.head() {
            true => Ok(found),
            false => Err(PlacementGamesError::Other(found.head())),
        }
    }

    /// The games from these placements, or from symmetric ones.
    pub fn of(&self, cards: Cards, placements: [Placement; 2]) -> Option<&PairGames> {
        let key = start(cards, placements).symmetric_key();
        self.pairs.iter().find(|pair| pair.key == key)
    }

    /// Plays until there are `games` games from each pair; less if the jobs are stopped.
    /// `report` is called after each game.
    ///
    /// # Errors
    /// The first error of `report`.
    pub fn play<E>(
        &mut self,
        games: u64,
        jobs: &Jobs,
        mut report: impl FnMut(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let count = self.pairs.len() as u64;
        let start = |pair: &PairGames| start(pair.cards, pair.placements);
        let starts: Vec<Position<N>> = self.pairs.iter().map(start).collect();
        let nodes = self.nodes;
        let play = |number: u64| {
            let mut engine = FixedNodeEngine::new(EvalKind::default(), HASH_MIB, jobs.stop);
            let mut rng = seeded(derive_seed(nodes, &[number]));
            engine.mover_wins_trial(&starts[(number % count) as usize], nodes, &mut rng)
        };
        jobs.run_whole(self.games()..games * count, play, |number, won| {
            let pair = &mut self.pairs[(number % count) as usize];
            pair.won += u64::from(won);
            pair.games += 1;
            report(self)
        })
    }

    fn head(&self) -> String {
        let Self { nodes, engine, .. } = self;
        format!("{PLACEMENT_GAMES}{nodes} nodes for each turn, engine {engine}")
    }

    /// The results as a table, with 95% intervals of the first player's share.
    pub fn table(&self) -> String {
        let with_cards = self.pairs.iter().any(|pair| pair.cards != [None, None]);
        let head = [
            "cards",
            "first",
            "reply",
            "score",
            "won",
            "games",
            "share",
            "95% interval",
        ];
        let mut table = Table::new(head.into_iter().skip(usize::from(!with_cards)));
        for pair in &self.pairs {
            let [first, second] = pair.names();
            let PairGames {
                score, won, games, ..
            } = pair;
            let share = match games {
                0 => "-".into(),
                _ => percent(*won as f64 / *games as f64),
            };
            let interval = win_interval(*won, *games).unwrap_or([0.0, 1.0]);
            let row = [
                first,
                second,
                score.to_string(),
                won.to_string(),
                games.to_string(),
                share,
                interval.map(percent).join(" to "),
            ];
            table.add(with_cards.then(|| pair.card_names()).into_iter().chain(row));
        }
        table.with_names_in(0).text()
    }
}

/// Each first placement of the book with its best reply, and the best ones with two.
fn pairs_without_cards() -> Vec<PairGames> {
    let replies = |number| if number < BEST { 2 } else { 1 };
    let entries = PlacementBook::built_in().entries().iter().enumerate();
    let pairs = entries.flat_map(|(number, entry)| {
        let replies = entry.replies.iter().take(replies(number));
        replies.map(|reply| PairGames::none([None, None], entry.first, reply))
    });
    pairs.collect()
}

/// The best first placement with its best reply, for each pair of cards.
fn pairs_with_cards() -> Vec<PairGames> {
    let best = CardPlacements::built_in()
        .books()
        .iter()
        .map(|(cards, book)| {
            let entry = &book.entries()[0];
            PairGames::none(cards.map(Some), entry.first, &entry.replies[0])
        });
    best.collect()
}

/// The position after both placements.
fn start(cards: Cards, placements: [Placement; 2]) -> Position<N> {
    let start = Position::start(placements, cards);
    start.expect("replies leave out the occupied squares")
}

/// The nodes and the engine.
fn parse_head(head: &str) -> Option<(u64, u64)> {
    let (nodes, engine) = head
        .strip_prefix(PLACEMENT_GAMES)?
        .split_once(" nodes for each turn, engine ")?;
    Some((parse_digits(nodes)?, parse_digits(engine)?))
}

/// The placements, the games won and all games.
fn parse_line(line: &str) -> Option<(&str, u64, u64)> {
    let (name, result) = line.split_once(": ")?;
    let (won, games) = result.split_once(" of ")?;
    let (won, games) = (parse_digits(won)?, parse_digits(games)?);
    (won <= games && games <= MOST_PLACEMENT_GAMES).then_some((name, won, games))
}

impl PairGames {
    fn none(cards: Cards, first: Placement, reply: &Reply) -> Self {
        let placements = [first, reply.placement];
        Self {
            cards,
            placements,
            score: reply.score,
            won: 0,
            games: 0,
            key: start(cards, placements).symmetric_key(),
        }
    }

    /// The squares of both placements: c2c3, b3d3.
    pub fn names(&self) -> [String; 2] {
        self.placements.map(placement_text)
    }

    /// The names of the cards; empty without cards.
    fn card_names(&self) -> String {
        let names = self.cards.into_iter().flatten().map(|card| card.name());
        names.collect::<Vec<_>>().join(" ")
    }

    /// The cards, if any, and the squares of both placements.
    fn title(&self) -> String {
        let [first, second] = self.names();
        format!("{} {first} {second}", self.card_names())
            .trim_start()
            .into()
    }
}

impl fmt::Display for PairGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} of {}", self.title(), self.won, self.games)
    }
}

impl fmt::Display for PlacementGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.head())?;
        self.pairs.iter().try_for_each(|pair| writeln!(f, "{pair}"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::rules::Symmetry;

    fn played(begin: &PlacementGames, games: u64, most: u64) -> PlacementGames {
        let stop = AtomicBool::new(false);
        let jobs = Jobs {
            threads: 2,
            stop: &stop,
        };
        let mut done = begin.clone();
        let begun = begin.games();
        let report = |done: &PlacementGames| {
            if done.games() - begun >= most {
                stop.store(true, Ordering::Relaxed);
            }
            Ok::<(), ()>(())
        };
        done.play(games, &jobs, report).unwrap();
        done
    }

    #[test]
    fn stopped_games_are_resumed_from_their_text() {
        let none = PlacementGames::new(false, 20);
        assert_eq!(none.pairs().len(), 49 + BEST);
        let whole = played(&none, 2, u64::MAX);
        assert_eq!(whole.games(), 2 * 61);
        assert!((10..112).contains(&whole.pairs().iter().map(|pair| pair.won).sum::<u64>()));
        let begun = played(&none, 2, 70);
        // Others may have ended before the stop.
        assert!((70..80).contains(&begun.games()));
        let resumed = none.resume(&begun.to_string()).unwrap();
        assert_eq!(resumed, begun);
        assert_eq!(played(&resumed, 2, u64::MAX), whole);
        // Finished, there is nothing to play.
        assert_eq!(played(&whole, 2, u64::MAX), whole);
    }

    #[test]
    fn results_of_other_games_are_refused() {
        use PlacementGamesError::{Form, Other, Rounds};
        let none = PlacementGames::new(false, 20);
        let text = none.to_string();
        for (with_cards, nodes) in [(false, 30), (true, 20)] {
            let other = PlacementGames::new(with_cards, nodes);
            assert!(matches!(other.resume(&text), Err(Other(_))));
        }
        let read = |from: &str, to: &str| none.read(&text.replacen(from, to, 1)).unwrap_err();
        assert!(matches!(read("0 of 0", "1 of 0"), Form(2, _)));
        assert!(matches!(read(": 0", " 0"), Form(2, _)));
        assert!(matches!(
            read("0 of 0", "0 of 18446744073709551615"),
            Form(2, _)
        ));
        assert_eq!(read("0 of 0", "0 of 7"), Rounds(2, 7, 1));
        assert!(matches!(read("# Self-play", ""), Other(_)));
        assert!(matches!(none.read(""), Err(Other(_))));
        let (short, _) = text.trim_end().rsplit_once('\n').unwrap();
        assert_eq!(none.read(short), Err(Form(62, String::new())));
        assert!(matches!(none.read(&format!("{text}more")), Err(Other(_))));
    }

    #[test]
    fn the_games_were_played_by_the_current_engine() {
        let guide = include_str!("OPENINGS.txt");
        let books = include_str!("card_placements.txt");
        assert!(books.contains(&format!("signature {},", card_signature())));
        let longer = format!("the engine of signature {} won", bench_signature());
        assert!(guide.contains(&longer), "play the longer games again");
        for (with_cards, signature) in [(false, bench_signature()), (true, card_signature())] {
            let games = PlacementGames::built_in(with_cards);
            assert_eq!(
                games.engine, signature,
                "the engine has changed: run `santorini placements` and `santorini placements \
                 play --force`, both with --cards too; put the tables into OPENINGS.txt, and \
                 read there whether the sentences are still true"
            );
            assert!(games.games() > 0);
            for row in games.table().lines() {
                assert!(
                    guide.contains(&format!("\n  {row}\n")),
                    "{row:?} is missing"
                );
            }
        }
    }

    #[test]
    fn symmetric_placements_have_the_same_games() {
        for with_cards in [false, true] {
            let games = PlacementGames::new(with_cards, 20);
            for pair in games.pairs() {
                for symmetry in Symmetry::all() {
                    let turned = pair
                        .placements
                        .map(|placement| placement.map(|square| symmetry.square::<N>(square)));
                    assert_eq!(games.of(pair.cards, turned), Some(pair));
                }
            }
        }
    }
}
