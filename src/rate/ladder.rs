//! The opponents that programs are rated by, and their ratings.
//!
//! They think by numbers of random games, plies or nodes, not by the clock, so
//! that they are as strong on every machine. They are of several kinds, so that a
//! rating does not hang on what one kind overlooks: random games, plain searches
//! of the study, levels that err by chance as people do, and this program's
//! engine. The last one searches as much as level 10.
//!
//! Their ratings are those of 6,210 games, everybody rated together, random play
//! at 0: 960 of each against the next three, as
//!
//! ```sh
//! santorini rate --ladder --games 20 --output ladder.jsonl
//! ```
//!
//! plays them, and tournaments of everybody against everybody: the 12 up to 500
//! nodes (1,680 games with three others), the 16 from 3,000 random games to 500
//! nodes and level 8 (1,920), those up to level 1 (1,350), those from 500 to 30,000
//! nodes (300). The distance between two neighbours is known to 60 to 100 Elo, at
//! both ends to 140. The games start on the even openings of the built-in book, as
//! those of programs to rate do.

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
pub const LADDER: [Rung; 28] = [
    rung("random", 0.0),
    rung("mc:episodes=5", 160.0),
    rung("mc:episodes=20", 220.0),
    rung("mc:episodes=200", 450.0),
    rung("mc:episodes=1000", 640.0),
    rung("mc:episodes=3000,pick=share", 760.0),
    rung("level:number=1,attention=0", 1020.0),
    rung("alphabeta:depth=1", 1130.0),
    rung("level:number=1", 1210.0),
    rung("alphabeta:depth=1,eval=tuned", 1240.0),
    rung("level:number=2", 1400.0),
    rung("alphabeta:depth=2", 1410.0),
    rung("level:number=3", 1560.0),
    rung("alphabeta:depth=3,eval=tuned", 1770.0),
    rung("alphabeta:depth=4,eval=tuned", 1890.0),
    rung("level:number=4", 1910.0),
    rung("level:number=5", 2030.0),
    rung("engine:nodes=100", 2200.0),
    rung("level:number=6", 2210.0),
    rung("level:number=7", 2480.0),
    rung("engine:nodes=500", 2580.0),
    rung("level:number=8", 2670.0),
    rung("engine:nodes=2000", 2880.0),
    rung("engine:nodes=8000", 3240.0),
    rung("level:number=9", 3390.0),
    rung("engine:nodes=30000", 3610.0),
    rung("engine:nodes=120000", 3750.0),
    rung("engine:nodes=400000", 3930.0),
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
