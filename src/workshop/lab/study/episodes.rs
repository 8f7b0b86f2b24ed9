//! The study's Fig. 7: Monte Carlo's win rate against alpha-beta, by episodes.
//! Its text says depth 3, its caption depth 2: both are played.

use super::StudySettings;
use super::depth::REVERSED;
use super::games::{Matchup, Matchups};
use super::section::{Finding, Holds};
use super::tally::{
    ACTION_TIME, AGENT, OPPONENT, TURNS, Tally, WIN_RATE, WON, by_series, rate_lines,
};
use crate::chart::{ChartError, LineChart, Marks, Picture, Threshold, percent};
use crate::table::Table;

/// Alpha-beta at two depths with the study's weights, and with a heuristic
/// that works against its player (see `depth.rs`): the opponents' depths and
/// further parameters, and the most episodes to play against them.
const OPPONENTS: [(&str, u32, &str, u32); 4] = [
    ("against depth 2", 2, "", 30_000),
    ("against depth 3", 3, "", 30_000),
    ("depth 2, weights reversed, wins first", 2, REVERSED, 10_000),
    ("depth 3, weights reversed, wins first", 3, REVERSED, 10_000),
];

const EPISODES: [u32; 6] = [100, 300, 1000, 3000, 10_000, 30_000];
/// How many of these a quick run plays.
const QUICK: usize = 3;

/// Who plays, and what is shown of it.
pub fn matchups(settings: StudySettings) -> Matchups {
    let games = settings.games(100);
    let episodes = if settings.quick {
        &EPISODES[..QUICK]
    } else {
        &EPISODES
    };
    let against = |(series, depth, weights, most)| {
        let played = episodes.iter().filter(move |&&episodes| episodes <= most);
        played.map(move |&episodes| {
            let agent = format!("mc:episodes={episodes}");
            let opponent = format!("alphabeta:depth={depth}{weights}");
            Matchup::new(series, agent, &opponent, episodes.into())
        })
    };
    Matchups {
        name: "fig7",
        title: "Monte Carlo against alpha-beta, by episodes (Fig. 7)",
        method: format!(
            "{games} games for each number of episodes and each opponent, seats swapped after every game. \
             Alpha-beta has the study's weights; beside that, as in Fig. 6, the same with reversed \
             signs and a win above all else."
        ),
        games,
        matchups: OPPONENTS.into_iter().flat_map(against).collect(),
        chart,
        caption: "Win rate of Monte Carlo by its number of episodes.",
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

fn chart(tallies: &[Tally]) -> Result<Picture, ChartError> {
    let series = by_series(tallies);
    let episodes = &EPISODES[..series[0].len()];
    let chart = LineChart {
        title: "Monte Carlo against alpha-beta (Fig. 7)".into(),
        x_title: "episodes for each action (logarithmic)".into(),
        y_title: "win rate of Monte Carlo".into(),
        labels: episodes.iter().map(u32::to_string).collect(),
        y: [0.0, 1.0],
        y_label: percent,
        lines: rate_lines(&series),
        marks: Marks::default(),
        baseline: Some(Threshold {
            name: "equally strong".into(),
            value: 0.5,
        }),
    };
    chart.picture()
}

/// Whether the success rises with the episodes; `reversed` is that against
/// weights with reversed sign.
fn rises(tallies: &[Tally], reversed: &[Tally]) -> Finding {
    let (first, last) = (&tallies[0], &tallies[tallies.len() - 1]);
    let (few, many) = (&reversed[0], &reversed[reversed.len() - 1]);
    // The first number of episodes whose rate is above the first one's for sure.
    let bound = first.win_rate().high;
    let risen = tallies.iter().find(|tally| tally.win_rate().low > bound);
    Finding {
        figure: "Fig. 7".into(),
        setting: format!(
            "Alpha-beta with the study's weights, {}; Monte Carlo with {} to {} episodes. The study \
             prints neither its numbers of episodes nor of games; here {} games.",
            first.opponent,
            first.agent.trim_start_matches("mc:episodes="),
            last.agent.trim_start_matches("mc:episodes="),
            first.games,
        ),
        study: format!(
            "More episodes bring Monte Carlo more success {} (the text says depth 3, the caption depth 2).",
            first.series
        ),
        here: format!(
            "{} with {}, {} with {}.",
            first.rate_text(),
            first.agent,
            last.rate_text(),
            last.agent
        ),
        holds: match risen {
            Some(_) if last.win_rate().value > 0.5 => Holds::Yes,
            Some(_) => Holds::Partly,
            None => Holds::No,
        },
        verdict: format!(
            "{} A curve that rises, as in the study, comes about against a heuristic that works against \
             its player: at the same depth with reversed weights the rate goes from {} with {} to {} \
             with {}.",
            match risen {
                Some(tally) => format!(
                    "It rises, but late: the first number that is better for sure is {} ({}).",
                    tally.agent,
                    tally.rate_text()
                ),
                None =>
                    "There is no rise that chance could not explain: against this heuristic so \
                         many episodes are not enough."
                        .to_string(),
            },
            few.rate_text(),
            few.agent,
            many.rate_text(),
            many.agent,
        ),
    }
}
