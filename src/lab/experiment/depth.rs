//! The study's Fig. 6: alpha-beta's win rate against Monte Carlo with 500
//! episodes, by search depth.

use super::Settings;
use super::chart::{ChartError, Line, LineChart, Marks, percent, time};
use super::games::{Games, Pairing, Tally, by_series, rate_text};
use super::section::{Figure, Finding, Holds, Section, Table};

/// The heuristics compared: the study's, none at all, and one that works
/// against its player.
const HEURISTICS: [(&str, &str); 3] = [
    ("weights of the study", ""),
    (
        "no heuristic, only wins",
        ",height=0,centre=0,mobility=0,distance=0",
    ),
    (
        "weights with reversed sign",
        ",height=-100,centre=-10,mobility=-20,distance=-70",
    ),
];

/// The parameters of a heuristic that is the study's with its signs reversed.
pub const REVERSED: &str = ",height=-100,centre=-10,mobility=-20,distance=-70";

/// The depths at which the study's text gives a result, and which.
const STUDY: [(u32, f64); 2] = [(2, 0.0), (4, 1.0)];

fn depths(quick: bool) -> u32 {
    if quick { 2 } else { 4 }
}

/// The games of this experiment.
pub fn experiment(settings: Settings) -> Games {
    let depths = depths(settings.quick);
    let pairings = HEURISTICS.iter().flat_map(|&(series, weights)| {
        (1..=depths).map(move |depth| Pairing {
            series,
            agent: format!("alphabeta:depth={depth}{weights}"),
            opponent: "mc:episodes=500".to_string(),
            seeds: depth.into(),
        })
    });
    let games = if settings.quick { 4 } else { 100 };
    Games::new("fig6", pairings.collect(), games, settings, section)
}

fn section(tallies: &[Tally]) -> Result<Section, ChartError> {
    let series = by_series(tallies);
    let depths = series[0].len();
    let marks = STUDY.iter().filter(|(depth, _)| *depth as usize <= depths);
    let chart = LineChart {
        title: "Alpha-beta against Monte Carlo with 500 episodes (Fig. 6)".into(),
        x_title: "search depth of alpha-beta (plies)".into(),
        y_title: "win rate of alpha-beta".into(),
        labels: (1..=depths).map(|depth| depth.to_string()).collect(),
        y: [0.0, 1.05],
        y_label: percent,
        lines: series
            .iter()
            .map(|tallies| Line {
                name: tallies[0].series.clone(),
                values: tallies.iter().map(|tally| Some(tally.win_rate())).collect(),
            })
            .collect(),
        marks: Marks {
            name: "the study, as its text says".into(),
            points: marks
                .map(|&(depth, rate)| (depth as usize - 1, rate))
                .collect(),
        },
        baseline: Some((0.5, "equally strong".into())),
    };
    Ok(Section {
        title: "Alpha-beta against Monte Carlo, by depth (Fig. 6)".into(),
        method: format!(
            "{} games for each depth, seats swapped after every game. The study prints neither what a \
             tile nor what a distance is worth; to see how much hangs on the heuristic, the same is \
             played without any heuristic (a board is worth nothing unless it is won or lost) and with \
             the sign of the four weights reversed.",
            tallies[0].games
        ),
        findings: vec![shallow(&series), deep(&series)],
        figures: vec![Figure {
            name: "fig6".into(),
            svg: chart.svg()?,
            caption: "Win rate of alpha-beta by depth, for three heuristics.".into(),
        }],
        table: table(tallies),
    })
}

fn shallow(series: &[&[Tally]]) -> Finding {
    let at_two = |series: &[Tally]| series[1].win_rate();
    let [ours, none, reversed] = [0, 1, 2].map(|index| at_two(series[index]));
    let holds = match ours.value {
        rate if rate < 0.1 => Holds::Yes,
        rate if rate < 0.5 => Holds::Partly,
        _ => Holds::No,
    };
    Finding {
        study: "At depth 2 alpha-beta is incapable of winning against 500 episodes.".into(),
        here: format!("At depth 2 it wins {}.", rate_text(&ours)),
        holds,
        verdict: format!(
            "Seeing two plies ahead is worth something even without a heuristic: {}. With the signs \
             reversed, so that the heuristic works against its player, the rate is {}{}",
            rate_text(&none),
            rate_text(&reversed),
            if reversed.high < 0.5 {
                ", as in the study. Monte Carlo is not what differs (it does as well against random \
                 here as there), so the study's heuristic must: the values of tiles and distances, \
                 which are not printed, must have led its player astray."
            } else {
                "."
            }
        ),
    }
}

fn deep(series: &[&[Tally]]) -> Finding {
    let deepest = |index: usize| series[index][series[index].len() - 1].win_rate();
    let depth = series[0].len();
    let ours = deepest(0);
    let rises = deepest(1).value >= series[1][0].win_rate().value
        && deepest(2).value >= series[2][0].win_rate().value;
    Finding {
        study: "At depth 4 it wins consistently: deeper is better.".into(),
        here: format!("At depth {depth} it wins {}.", rate_text(&ours)),
        holds: match ours.value {
            rate if rate > 0.9 && rises => Holds::Yes,
            rate if rate > 0.5 => Holds::Partly,
            _ => Holds::No,
        },
        verdict: format!(
            "Depth helps, which shows where the heuristic leaves room for it: from depth 1 to {depth} \
             the rate goes from {} to {} without a heuristic and from {} to {} with a reversed one.",
            percent(series[1][0].win_rate().value),
            percent(deepest(1).value),
            percent(series[2][0].win_rate().value),
            percent(deepest(2).value)
        ),
    }
}

fn table(tallies: &[Tally]) -> Table {
    let mut table = Table::new(&[
        "heuristic",
        "agent",
        "won",
        "win rate",
        "turns a game",
        "time an action",
    ]);
    for tally in tallies {
        table.add([
            tally.series.clone(),
            tally.agent.clone(),
            format!("{} of {}", tally.won, tally.games),
            rate_text(&tally.win_rate()),
            format!("{:.1}", tally.turns),
            time(tally.action_seconds),
        ]);
    }
    table
}
