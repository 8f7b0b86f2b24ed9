//! The study's Fig. 7: Monte Carlo's win rate against alpha-beta, by episodes.
//! Its text says depth 3, its caption depth 2: both are played.

use super::StudySettings;
use super::depth::REVERSED;
use super::games::{Matchup, Matchups};
use super::prose::Prose;
use super::section::{Finding, Holds};
use super::tally::{
    ACTION_TIME, AGENT, OPPONENT, TURNS, Tally, WIN_RATE, WON, by_series, rate_lines,
};
use crate::chart::Picture;
use crate::stats::{Z95, trend};
use crate::table::Table;

const PROSE: Prose = Prose(include_str!("text/episodes.txt"));

/// The opponents, with the study's weights and with reversed ones: series,
/// depth, further parameters, and the maximum number of episodes against it.
const OPPONENTS: [(&str, u32, &str, u32); 4] = [
    ("against depth 2", 2, "", 30_000),
    ("against depth 3", 3, "", 30_000),
    ("depth 2, weights reversed, wins first", 2, REVERSED, 10_000),
    ("depth 3, weights reversed, wins first", 3, REVERSED, 10_000),
];

const EPISODES: [u32; 6] = [100, 300, 1000, 3000, 10_000, 30_000];
/// The number of these that a quick run plays.
const QUICK: usize = 3;

/// The matchups: each number of episodes against each opponent.
pub(super) fn matchups(settings: StudySettings) -> Matchups {
    let count = if settings.quick {
        QUICK
    } else {
        EPISODES.len()
    };
    let against = |(series, depth, weights, most)| {
        let played = EPISODES[..count].iter().filter(move |&&it| it <= most);
        played.map(move |&episodes| {
            let agent = format!("mc:episodes={episodes}");
            let opponent = format!("alphabeta:depth={depth}{weights}");
            Matchup::new(series, agent, &opponent, episodes.into())
        })
    };
    Matchups {
        name: "fig7",
        prose: PROSE,
        games: settings.games(100),
        matchups: OPPONENTS.into_iter().flat_map(against).collect(),
        chart,
        table: |tallies| {
            let columns = [AGENT, OPPONENT, WON, WIN_RATE, TURNS, ACTION_TIME];
            Table::of(&columns, tallies)
        },
        findings: |tallies| {
            let series = by_series(tallies);
            vec![rises(series[0], series[2]), rises(series[1], series[3])]
        },
    }
}

fn chart(tallies: &[Tally]) -> Picture {
    let series = by_series(tallies);
    let labels = EPISODES[..series[0].len()].iter().map(u32::to_string);
    let chart = PROSE.rate_chart(labels.collect(), 1.0, &rate_lines(&series));
    chart.baseline(PROSE.baseline(), 0.5).picture()
}

/// The claim that more episodes win more; `reversed` is the series against
/// reversed weights.
fn rises(tallies: &[Tally], reversed: &[Tally]) -> Finding {
    let (first, last) = (&tallies[0], &tallies[tallies.len() - 1]);
    let (few, many) = (&reversed[0], &reversed[reversed.len() - 1]);
    // The first rate whose interval lies above that of the fewest episodes.
    let bound = first.win_rate().high;
    let risen = tallies.iter().find(|tally| tally.win_rate().low > bound);
    let z = trend_of(tallies);
    let holds = match risen {
        Some(_) if last.win_rate().value > 0.5 => Holds::Yes,
        None if z < Z95 => Holds::No,
        _ => Holds::Partly,
    };
    let rise = match risen {
        Some(tally) => {
            let rate = tally.rate_text();
            PROSE.text("rise", &[("agent", &tally.agent), ("rate", &rate)])
        }
        None if z < Z95 => PROSE.text("no rise", &[]),
        None => PROSE.text("slight rise", &[("z", &format!("{z:.1}"))]),
    };
    let rises = trend_of(reversed) >= Z95;
    let curve = PROSE.text(if rises { "curve" } else { "no curve" }, &[]);
    PROSE.finding(
        "rises",
        holds,
        &[
            ("series", &first.series),
            ("opponent", &first.opponent),
            ("games", &first.games),
            ("fewest", &first.agent.trim_start_matches("mc:episodes=")),
            ("most", &last.agent.trim_start_matches("mc:episodes=")),
            ("first", &first.agent),
            ("first rate", &first.rate_text()),
            ("last", &last.agent),
            ("last rate", &last.rate_text()),
            ("few", &few.agent),
            ("few rate", &few.rate_text()),
            ("many", &many.agent),
            ("many rate", &many.rate_text()),
            ("rise", &rise),
            ("curve", &curve),
        ],
    )
}

/// The rise of the win rates with the number of episodes, in standard deviations of chance.
fn trend_of(tallies: &[Tally]) -> f64 {
    let groups = tallies.iter().map(|tally| [tally.won, tally.games]);
    trend(&groups.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_rise_is_told_from_chance() {
        let series = |won: [u64; 6]| {
            let tally = |(episodes, won)| {
                let agent = format!("mc:episodes={episodes}");
                Tally::counted(&agent, "alphabeta:depth=2", won, 100)
            };
            EPISODES.into_iter().zip(won).map(tally).collect::<Vec<_>>()
        };
        let reversed = series([78, 82, 93, 95, 99, 99]);
        for (won, holds, said) in [
            ([0; 6], Holds::No, "There is no rise beyond chance"),
            ([4, 1, 1, 0, 0, 0], Holds::No, "There is no rise"),
            ([0, 0, 0, 1, 1, 4], Holds::Partly, "chance (z = 2.9)"),
            ([0, 9, 9, 9, 9, 9], Holds::Partly, "It rises: the first"),
            ([0, 9, 20, 30, 40, 60], Holds::Yes, "It rises: the first"),
        ] {
            let finding = rises(&series(won), &reversed);
            assert!(finding.verdict.contains(said), "{}", finding.verdict);
            assert_eq!(finding.holds, holds, "{won:?}");
            assert!(finding.verdict.contains("curve appears"));
            let flat = rises(&reversed, &series(won)).verdict;
            assert_eq!(flat.contains("curve appears"), holds != Holds::No);
        }
    }
}
