//! The study's section V.D: how often each agent wins against random.

use super::Settings;
use super::games::{Games, Pairing, Tally, differ, rate_text, win_rate};
use super::section::{Figure, Finding, Holds, Section};
use crate::chart::{ChartError, Line, LineChart, Marks, percent, time};
use crate::table::Table;

const AGENTS: [&str; 6] = [
    "random",
    "qlearning:episodes=10000",
    "mc:episodes=500",
    "minimax:depth=2",
    "alphabeta:depth=2",
    "engine:time=0.01",
];
const MONTE_CARLO: usize = 2;
const ALPHA_BETA: usize = 4;

/// The games of this experiment.
pub fn experiment(settings: Settings) -> Games {
    let pairing = |agent: &str| Pairing {
        series: "against random",
        agent: agent.to_string(),
        opponent: "random".to_string(),
        seeds: 0,
    };
    let games = if settings.quick { 4 } else { 100 };
    Games::new(
        "random",
        AGENTS.map(pairing).into(),
        games,
        settings,
        section,
    )
}

fn section(tallies: &[Tally]) -> Result<Section, ChartError> {
    let chart = LineChart {
        title: "Every agent against random".into(),
        x_title: "agent".into(),
        y_title: "win rate".into(),
        labels: tallies
            .iter()
            .map(|tally| tally.agent.replace("episodes=", "").replace("depth=", ""))
            .collect(),
        y: [0.0, 1.05],
        y_label: percent,
        joined: false,
        lines: vec![Line {
            name: "here".into(),
            values: tallies.iter().map(|tally| Some(tally.win_rate())).collect(),
        }],
        marks: Marks {
            name: "the study".into(),
            points: vec![(MONTE_CARLO, 0.99), (ALPHA_BETA, 1.0)],
        },
        baseline: Some((0.5, "random against random".into())),
    };
    let [monte_carlo, alpha_beta] = [&tallies[MONTE_CARLO], &tallies[ALPHA_BETA]];
    Ok(Section {
        title: "Every agent against random (V.D)".into(),
        method: format!(
            "{} games of each agent against random, seats swapped after every game.",
            tallies[0].games
        ),
        findings: vec![
            finding(alpha_beta, "Alpha-beta won 100 of 100 games.", 100),
            finding(
                monte_carlo,
                "Monte Carlo with 500 episodes won 99 of 100 games, each in under 3 seconds.",
                99,
            ),
        ],
        figures: vec![Figure {
            name: "random".into(),
            svg: chart.svg()?,
            caption: "Win rate of each agent against random.".into(),
        }],
        table: table(tallies),
    })
}

fn finding(tally: &Tally, study: &str, study_won: u64) -> Finding {
    let ours = tally.win_rate();
    let differs = differ(&ours, &win_rate(study_won, 100));
    let games = tally.games;
    Finding {
        study: study.into(),
        here: format!(
            "{} of {games} games; {} a game.",
            tally.won,
            time(tally.game_seconds.value)
        ),
        holds: match ours.value {
            _ if !differs => Holds::Yes,
            rate if rate > 0.9 => Holds::Partly,
            _ => Holds::No,
        },
        verdict: format!(
            "It easily wins against random: {}. From the study's number that differs {}.",
            rate_text(&ours),
            if differs {
                "by more than chance"
            } else {
                "by no more than chance can"
            }
        ),
    }
}

fn table(tallies: &[Tally]) -> Table {
    let mut table = Table::new([
        "agent",
        "won",
        "win rate",
        "turns a game",
        "time a game",
        "time an action",
    ]);
    for tally in tallies {
        table.add([
            tally.agent.clone(),
            format!("{} of {}", tally.won, tally.games),
            rate_text(&tally.win_rate()),
            format!("{:.1}", tally.turns),
            time(tally.game_seconds.value),
            time(tally.action_seconds),
        ]);
    }
    table
}
