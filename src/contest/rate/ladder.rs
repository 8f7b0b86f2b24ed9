//! The opponents that programs are rated against, and their ratings.
//!
//! They are limited by random games, plies or nodes, not by the clock, so their strength
//! does not depend on the machine. They are of several kinds, so that a rating does not
//! depend on the blind spots of one kind: random games, plain searches of the study,
//! levels with human-like mistakes, and this program's engine. The last one searches as
//! much as the highest level. The levels have their own parameters here, so they stay the
//! same when the levels for people change. Omitted parameters are those of level 1.
//!
//! The ratings come from games of each opponent against the next three, rated together,
//! with random play at 0. This command plays them:
//!
//! ```sh
//! santorini rate --ladder --games 100 --output ladder.jsonl
//! ```
//!
//! The games start from the even openings of the built-in book, like those of rated
//! programs.
//!
//! The ratings here come from its first 3,428 games, about 44 of each pairing. The 95%
//! interval of an opponent's distance from the mean is 80 to 95 Elo to each side, from
//! alphabeta:depth=1 to the engine with 500 nodes. It is up to 145 for weaker opponents and
//! up to 175 for stronger ones.

use crate::fnv::Fnv;
use crate::levels::Level;
use crate::openings::OpeningNumber;
use crate::record::GameRecord;
use crate::search::bench_signature;
use crate::stats::Ratings;
use crate::tournament::{Results, ResultsError, ScheduledGame};

/// An opponent of the ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LadderRung {
    /// An agent of the laboratory.
    pub agent: &'static str,
    /// Its measured rating, in Elo above random play.
    pub elo: f64,
    /// A short description.
    pub words: &'static str,
}

/// The engine and opponents that were measured. Changed ones have other strengths: the
/// command above measures them again and prints this value.
pub const LADDER_MEASURED_WITH: &str = "bench 356269, opponents 132bd221";

/// How exact the interval of a rating is, for people. [`measured`] computes the intervals of the
/// opponents, from the mean of all.
pub const LADDER_ERROR: &str = "The interval takes the opponents' ratings as exact. Their own \
                                95% intervals are 80 to 175 Elo to each side.";

/// The signature of the engine, as `santorini bench` prints it, and a checksum of the
/// opponents.
pub fn ladder_signature() -> String {
    let mut opponents = Fnv::default();
    for rung in LADDER {
        opponents.add(rung.agent.as_bytes());
    }
    // Omitted parameters default to those of level 1.
    opponents.add(format!("{:?}", Level::LOWEST.strength()).as_bytes());
    let opponents = opponents.value() >> 32;
    format!("bench {}, opponents {opponents:08x}", bench_signature())
}

/// The opponents, the weakest first.
#[rustfmt::skip]
pub const LADDER: [LadderRung; 28] = [
    rung("random",                           0.0, "any legal turn, by chance"),
    rung("mc:episodes=5",                  215.0, "5 random games before each turn"),
    rung("mc:episodes=20",                 237.0, "20 random games before each turn"),
    rung("mc:episodes=200",                492.0, "200 random games before each turn"),
    rung("mc:episodes=1000",               573.0, "1,000 random games before each turn"),
    rung("mc:episodes=3000,pick=share",    726.0, "3,000 random games before each turn"),
    rung("level:number=1,lines=20,temperature=250,attention=0,alertness=1", 1070.0,
         "errs like a beginner, blind to threats"),
    rung("alphabeta:depth=1",             1137.0, "looks 1 turn ahead"),
    rung("level:number=1,lines=20,temperature=250,attention=0.72,alertness=1", 1256.0,
         "errs like a beginner, looks 1 turn ahead"),
    rung("alphabeta:depth=1,eval=tuned",  1269.0, "looks 1 turn ahead, with better weights"),
    rung("alphabeta:depth=2",             1459.0, "looks 2 turns ahead"),
    rung("level:number=1,lines=13,temperature=82,attention=0.92,alertness=1", 1546.0,
         "seldom errs, looks 1 turn ahead"),
    rung("alphabeta:depth=3,eval=tuned",  1756.0, "looks 3 turns ahead, with better weights"),
    rung("alphabeta:depth=4,eval=tuned",  1882.0, "looks 4 turns ahead, with better weights"),
    rung("level:number=1,nodes=500,lines=8,temperature=125,attention=0.89,alertness=1", 1908.0,
         "errs often, 500 boards a turn"),
    rung("level:number=1,nodes=1000,lines=6,temperature=55,attention=0.96,alertness=1", 2235.0,
         "errs at times, 1,000 boards a turn"),
    rung("engine:nodes=100",              2377.0, "the engine, 100 boards a turn"),
    rung("level:number=1,nodes=1600,lines=5,temperature=25,attention=1,alertness=1", 2434.0,
         "seldom errs, 1,600 boards a turn"),
    rung("level:number=1,nodes=3500,lines=4,temperature=13,attention=1,alertness=1", 2704.0,
         "seldom errs, 3,500 boards a turn"),
    rung("engine:nodes=500",              2734.0, "the engine, 500 boards a turn"),
    rung("level:number=1,nodes=8500,lines=3,temperature=9,attention=1,alertness=1", 3055.0,
         "seldom errs, 8,500 boards a turn"),
    rung("engine:nodes=2000",             3091.0, "the engine, 2,000 boards a turn"),
    rung("engine:nodes=8000",             3440.0, "the engine, 8,000 boards a turn"),
    rung("level:number=1,nodes=24000,lines=2,temperature=6,attention=1,alertness=1", 3477.0,
         "seldom errs, 24,000 boards a turn"),
    rung("engine:nodes=30000",            3683.0, "the engine, 30,000 boards a turn"),
    rung("level:number=1,nodes=100000,lines=2,temperature=4,attention=1,alertness=1", 3686.0,
         "seldom errs, 100,000 boards a turn"),
    rung("engine:nodes=120000",           4074.0, "the engine, 120,000 boards a turn"),
    rung("engine:nodes=400000",           4311.0, "the engine, 400,000 boards a turn"),
];

const fn rung(agent: &'static str, elo: f64, words: &'static str) -> LadderRung {
    LadderRung { agent, elo, words }
}

/// The neighbours of a rating interval: the strongest opponent below it and the weakest
/// above.
pub(super) fn neighbours([low, high]: [f64; 2]) -> [Option<LadderRung>; 2] {
    let below = LADDER.iter().rfind(|rung| rung.elo < low);
    let above = LADDER.iter().find(|rung| rung.elo > high);
    [below.copied(), above.copied()]
}

/// How many stronger opponents each one is measured against.
const NEIGHBOURS: usize = 3;

/// The games that measure the ladder: in each round, each opponent plays a pair of games
/// against each of the next ones. All games of a round share an opening.
pub fn ladder_pairs(rounds: u64) -> impl Iterator<Item = ScheduledGame> + Send {
    let pairings: Vec<[usize; 2]> = (0..LADDER.len())
        .flat_map(|a| (a + 1..LADDER.len().min(a + 1 + NEIGHBOURS)).map(move |b| [a, b]))
        .collect();
    (0..rounds).flat_map(move |round| {
        let first = round * pairings.len() as u64;
        let opening = OpeningNumber::of_one_game(round);
        let pairs = (first..).zip(pairings.clone());
        pairs.flat_map(move |(pair, players)| {
            ScheduledGame::pair(pair, players, [None, None], opening)
        })
    })
}

/// The ratings of all opponents, in the order of the ladder, from games between them: the
/// Elo above random play, and half the width of the 95% interval. The interval is that of
/// the distance from the mean of all.
///
/// # Errors
/// If a game is not between opponents of the ladder.
pub fn measured(games: &[GameRecord]) -> Result<Vec<[f64; 2]>, ResultsError> {
    let names = LADDER.iter().map(|rung| rung.agent.to_string());
    let mut results = Results::new(names.collect());
    for game in games {
        results.add(game)?;
    }
    let ratings = Ratings::of(&results.points());
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

    #[test]
    fn the_ladder_was_measured_with_the_current_engine() {
        assert_eq!(
            LADDER_MEASURED_WITH,
            ladder_signature(),
            "the engine or the opponents have changed since the opponents of `santorini rate` were \
             rated; `santorini rate --ladder --games 100 --output ladder.jsonl` rates them again: \
             put its table into LADDER of src/contest/rate/ladder.rs, and its last line into \
             LADDER_MEASURED_WITH"
        );
    }

    #[test]
    fn a_rating_has_its_neighbours() {
        let around =
            |low: f64, high: f64| neighbours([low, high]).map(|rung| rung.map(|rung| rung.agent));
        let rungs = |numbers: [usize; 2]| numbers.map(|rung| Some(LADDER[rung].agent));
        let [below, above] = [LADDER[2].elo, LADDER[3].elo];
        assert_eq!(around(below + 1.0, above - 1.0), rungs([2, 3]));
        assert_eq!(around(below - 1.0, above + 1.0), rungs([1, 4]));
        assert_eq!(around(-50.0, -10.0), [None, Some("random")]);
        assert_eq!(around(5000.0, 6000.0), [Some("engine:nodes=400000"), None]);
        assert_eq!(around(-880.0, 6000.0), [None, None]);
    }

    #[test]
    fn the_ladder_starts_at_random_and_rises() {
        assert_eq!((LADDER[0].agent, LADDER[0].elo), ("random", 0.0));
        assert!(LADDER.is_sorted_by(|a, b| a.elo < b.elo));
    }

    #[test]
    fn opponents_meet_their_neighbours_in_both_seats() {
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
