//! The study's Fig. 7: Monte Carlo's win rate against alpha-beta, by episodes.
//! Its text says depth 3, its caption depth 2: both are played.

use super::Settings;
use super::chart::{ChartError, Line, LineChart, Marks, percent, time};
use super::games::{Games, Pairing, Tally, rate_text};
use super::section::{Figure, Finding, Holds, Section, Table};

const OPPONENTS: [(&str, &str); 2] = [
    ("against depth 2", "alphabeta:depth=2"),
    ("against depth 3", "alphabeta:depth=3"),
];

const EPISODES: [u32; 7] = [100, 300, 1000, 3000, 10_000, 30_000, 100_000];
const QUICK: usize = 3;

/// The games of this experiment.
pub fn experiment(settings: Settings) -> Games {
    let points = if settings.quick {
        QUICK
    } else {
        EPISODES.len()
    };
    let pairings = OPPONENTS.iter().flat_map(|&(series, opponent)| {
        EPISODES[..points].iter().map(move |&episodes| Pairing {
            series,
            agent: format!("mc:episodes={episodes}"),
            opponent: opponent.to_string(),
            seeds: episodes.into(),
        })
    });
    let games = if settings.quick { 4 } else { 100 };
    Games::new("fig7", pairings.collect(), games, settings, section)
}

fn section(tallies: &[Tally]) -> Result<Section, ChartError> {
    let points = tallies.len() / OPPONENTS.len();
    let series: Vec<&[Tally]> = tallies.chunks(points).collect();
    let chart = LineChart {
        title: "Monte Carlo against alpha-beta (Fig. 7)".into(),
        x_title: "episodes of Monte Carlo before each action (logarithmic)".into(),
        y_title: "win rate of Monte Carlo".into(),
        labels: EPISODES[..points].iter().map(u32::to_string).collect(),
        y: [0.0, 1.0],
        y_label: percent,
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
            "{} games for each number of episodes and each depth, seats swapped after every game. \
             Alpha-beta has the study's weights.",
            tallies[0].games
        ),
        findings: series.iter().map(|tallies| rises(tallies)).collect(),
        figures: vec![Figure {
            name: "fig7".into(),
            svg: chart.svg()?,
            caption: "Win rate of Monte Carlo by its number of episodes.".into(),
        }],
        table: table(tallies),
    })
}

fn rises(tallies: &[Tally]) -> Finding {
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
        verdict: match risen {
            Some(tally) => format!(
                "It rises, but late: the first number that is better for sure is {} ({}). As in Fig. 6 \
                 the heuristic makes the difference, against which many more episodes are needed than \
                 in the study.",
                tally.agent,
                rate_text(&tally.win_rate())
            ),
            None => "No rise that chance could not explain: against this heuristic (see Fig. 6) so many \
                     episodes are not enough."
                .into(),
        },
    }
}

fn table(tallies: &[Tally]) -> Table {
    let mut table = Table::new(&[
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
