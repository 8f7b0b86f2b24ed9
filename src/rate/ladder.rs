//! The opponents that programs are rated by, and their ratings.
//!
//! They think by numbers of random games, plies or nodes, not by the clock, so
//! that they are as strong on every machine. Their ratings were measured by
//! games of each against the next ones:
//!
//! ```sh
//! santorini rate --ladder --games 20 --output ladder.jsonl
//! ```
//!
//! which prints the ratings on the scale of this list, random play at 0. To its
//! 960 games were added 1,680 of a tournament of the opponents up to 500 nodes,
//! everybody against everybody. The distance between two neighbours is known to
//! about 100 Elo, at the upper end to 200. The
//! games start on the even openings of the built-in book, as those of programs
//! to rate do.

use crate::openings::OpeningNumber;
use crate::record::GameRecord;
use crate::rules::Cards;
use crate::stats::{PRIOR_DRAWS, Ratings};
use crate::tournament::{Results, ResultsError, ScheduledGame};

/// An opponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rung {
    /// An agent of the laboratory.
    pub agent: &'static str,
    pub elo: f64,
}

/// All opponents, the weakest first.
pub const LADDER: [Rung; 18] = [
    rung("random", 0.0),
    rung("mc:episodes=5", 170.0),
    rung("mc:episodes=20", 230.0),
    rung("mc:episodes=200", 470.0),
    rung("mc:episodes=1000", 590.0),
    rung("mc:episodes=3000,pick=share", 720.0),
    rung("alphabeta:depth=1", 1090.0),
    rung("alphabeta:depth=1,eval=tuned", 1220.0),
    rung("alphabeta:depth=2", 1420.0),
    rung("alphabeta:depth=3,eval=tuned", 1820.0),
    rung("alphabeta:depth=4,eval=tuned", 1970.0),
    rung("engine:nodes=100", 2300.0),
    rung("engine:nodes=500", 2650.0),
    rung("engine:nodes=2000", 3050.0),
    rung("engine:nodes=8000", 3530.0),
    rung("engine:nodes=30000", 3980.0),
    rung("engine:nodes=120000", 4100.0),
    rung("engine:nodes=400000", 4290.0),
];

const fn rung(agent: &'static str, elo: f64) -> Rung {
    Rung { agent, elo }
}

/// How many of the next opponents each one is measured against.
const NEIGHBOURS: usize = 3;

/// The games that measure the ladder, without end: in every round each opponent
/// plays a pair of games against each of the next ones. Every round has its
/// opening.
pub fn ladder_pairs(rounds: u64) -> impl Iterator<Item = ScheduledGame> + Send {
    let pairings: Vec<[usize; 2]> = (0..LADDER.len())
        .flat_map(|a| (a + 1..LADDER.len().min(a + 1 + NEIGHBOURS)).map(move |b| [a, b]))
        .collect();
    let cards: Cards = [None, None];
    (0..rounds).flat_map(move |round| {
        let first = round * pairings.len() as u64;
        let pairs = (first..).zip(pairings.clone());
        pairs
            .flat_map(move |(pair, [a, b])| {
                [[a, b], [b, a]].map(|players| ScheduledGame {
                    game: 2 * pair + u64::from(players == [b, a]),
                    pair,
                    players,
                    cards,
                    opening: OpeningNumber::of_one_game(round),
                })
            })
            .collect::<Vec<_>>()
    })
}

/// The ratings that games between the opponents lead to, in the order of the
/// ladder: the Elo above random play, and half the width of the 95% interval of
/// the distance to the mean of all.
///
/// # Errors
/// If the games are of other players.
pub fn measured(games: &[GameRecord]) -> Result<Vec<[f64; 2]>, ResultsError> {
    let names = LADDER.iter().map(|rung| rung.agent.to_string());
    let mut results = Results::new(names.collect());
    for game in games {
        results.add(game)?;
    }
    let ratings = Ratings::of(&results.points(), PRIOR_DRAWS);
    let zero = ratings.players()[0].elo;
    let rated = ratings.players().iter();
    Ok(rated
        .map(|rating| [rating.elo - zero, rating.error])
        .collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::lab::spec::AgentSpec;

    #[test]
    fn the_ladder_begins_at_random_and_rises() {
        assert_eq!(LADDER[0], rung("random", 0.0));
        assert!(LADDER.is_sorted_by(|a, b| a.elo < b.elo));
        for rung in LADDER {
            let spec: AgentSpec = rung.agent.parse().unwrap();
            assert_eq!(spec.to_string(), rung.agent);
        }
    }

    #[test]
    fn every_opponent_meets_its_neighbours_from_both_seats() {
        let games: Vec<ScheduledGame> = ladder_pairs(2).collect();
        let numbers: Vec<u64> = games.iter().map(|game| game.game).collect();
        assert_eq!(numbers, (0..games.len() as u64).collect::<Vec<_>>());
        let met: BTreeSet<[usize; 2]> = games.iter().map(|game| game.players).collect();
        assert_eq!(met.len() * 2, games.len());
        for game in &games {
            let [a, b] = game.players;
            assert!((1..=NEIGHBOURS).contains(&a.abs_diff(b)));
            assert!(met.contains(&[b, a]));
            assert_eq!(game.opening.of_all, game.game / met.len() as u64);
        }
    }
}
