//! The study's Fig. 7: Monte Carlo's win rate against alpha-beta, by episodes.
//! Its text says depth 3, its caption depth 2: both are played.

use super::Settings;
use super::depth::REVERSED;
use super::games::{Games, Pairing, Tally, by_series, rate_text};
use super::section::{Figure, Finding, Holds, Section};
use crate::chart::{ChartError, Line, LineChart, Marks, percent, time};
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
const QUICK: [u32; 3] = [100, 300, 1000];

fn episodes(quick: bool) -> &'static [u32] {
    if quick { &QUICK } else { &EPISODES }
}

/// The games of this experiment.
pub fn experiment(settings: Settings) -> Games {
    let mut pairings = Vec::new();
    for (series, depth, weights, most) in OPPONENTS {
        for &episodes in episodes(settings.quick) {
            if episodes <= most {
                pairings.push(Pairing {
                    series,
                    agent: format!("mc:episodes={episodes}"),
                    opponent: format!("alphabeta:depth={depth}{weights}"),
                    seeds: episodes.into(),
                });
            }
        }
    }
    let games = if settings.quick { 4 } else { 100 };
    Games::new("fig7", pairings, games, settings, section)
}

fn section(tallies: &[Tally]) -> Result<Section, ChartError> {
    let series = by_series(tallies);
    let chart = LineChart {
        title: "Monte Carlo against alpha-beta (Fig. 7)".into(),
        x_title: "episodes of Monte Carlo before each action (logarithmic)".into(),
        y_title: "win rate of Monte Carlo".into(),
        labels: EPISODES[..series[0].len()]
            .iter()
            .map(u32::to_string)
            .collect(),
        y: [0.0, 1.0],
        y_label: percent,
        joined: true,
        lines: series
            .iter()
            .map(|tallies| Line {
                name: tallies[0].series.clone(),
                values: tallies.iter().map(|tally| Some(tally.win_rate())).collect(),
            })
            .collect(),
        marks: Marks::default(),
        baseline: Some((0.5, "equally strong".into())),
    };
    Ok(Section {
        title: "Monte Carlo against alpha-beta, by episodes (Fig. 7)".into(),
        method: format!(
            "{} games for each number of episodes and each opponent, seats swapped after every game. \
             Alpha-beta has the study's weights; beside that, as in Fig. 6, the same with reversed \
             signs and a win above all else.",
            tallies[0].games
        ),
        findings: vec![rises(series[0], series[2]), rises(series[1], series[3])],
        figures: vec![Figure {
            name: "fig7".into(),
            svg: chart.svg()?,
            caption: "Win rate of Monte Carlo by its number of episodes.".into(),
        }],
        table: table(tallies),
    })
}

/// Whether the success rises with the episodes; `reversed` is that against
/// weights with reversed sign.
fn rises(tallies: &[Tally], reversed: &[Tally]) -> Finding {
    let (first, last) = (&tallies[0], &tallies[tallies.len() - 1]);
    let (from, to) = (first.win_rate(), last.win_rate());
    // The first number of episodes whose rate is above the first one's for sure.
    let risen = tallies
        .iter()
        .find(|tally| tally.win_rate().low > from.high);
    Finding {
        study: format!(
            "More episodes bring Monte Carlo more success {} (the text says depth 3, the caption depth 2).",
            first.series
        ),
        here: format!(
            "{} with {}, {} with {}.",
            rate_text(&from),
            first.agent,
            rate_text(&to),
            last.agent
        ),
        holds: match risen {
            Some(_) if to.value > 0.5 => Holds::Yes,
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
                    rate_text(&tally.win_rate())
                ),
                None =>
                    "There is no rise that chance could not explain: against this heuristic so \
                         many episodes are not enough."
                        .to_string(),
            },
            rate_text(&reversed[0].win_rate()),
            reversed[0].agent,
            rate_text(&reversed[reversed.len() - 1].win_rate()),
            reversed[reversed.len() - 1].agent,
        ),
    }
}

fn table(tallies: &[Tally]) -> Table {
    let mut table = Table::new([
        "agent",
        "opponent",
        "won",
        "win rate",
        "turns a game",
        "time an action",
    ]);
    for tally in tallies {
        table.add([
            tally.agent.clone(),
            tally.opponent.clone(),
            format!("{} of {}", tally.won, tally.games),
            rate_text(&tally.win_rate()),
            format!("{:.1}", tally.turns),
            time(tally.action_seconds),
        ]);
    }
    table
}
