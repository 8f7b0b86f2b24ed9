//! The study's section V.D: how often each agent wins against random.

use super::StudySettings;
use super::games::{Matchup, Matchups};
use super::section::{Finding, Holds};
use super::tally::{ACTION_TIME, AGENT, GAME_TIME, TURNS, Tally, WIN_RATE, WON, differ, win_rate};
use crate::chart::{ChartError, Marks, Picture, RowChart, Threshold, percent, time};
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

/// Who plays, and what is shown of it.
pub fn matchups(settings: StudySettings, more: &[&str]) -> Matchups {
    let games = settings.games(100);
    let new = more.iter().filter(|name| !AGENTS.contains(name));
    let matchup = |agent| Matchup::new("against random", agent, "random", 0);
    Matchups {
        name: "random",
        title: "Every agent against random (V.D)",
        method: format!(
            "{games} games of each agent against random, seats swapped after every game."
        ),
        games,
        matchups: AGENTS.iter().chain(new).copied().map(matchup).collect(),
        chart,
        caption: "Win rate of each agent against random.",
        table: |tallies| {
            let columns = [AGENT, WON, WIN_RATE, TURNS, GAME_TIME, ACTION_TIME];
            Table::of(&columns, tallies)
        },
        findings: |tallies| {
            vec![
                finding(
                    &tallies[ALPHA_BETA],
                    "100 games against random; the study does not name the depth, here it is 2",
                    "Alpha-beta won 100 of 100 games.",
                    100,
                ),
                finding(
                    &tallies[MONTE_CARLO],
                    "500 episodes, 100 games against random",
                    "Monte Carlo with 500 episodes won 99 of 100 games, each in under 3 seconds.",
                    99,
                ),
            ]
        },
    }
}

fn chart(tallies: &[Tally]) -> Result<Picture, ChartError> {
    let row = |tally: &Tally| (tally.agent.clone(), tally.win_rate());
    let chart = RowChart {
        title: "Every agent against random".into(),
        x_title: "win rate".into(),
        x_label: percent,
        rows: tallies.iter().map(row).collect(),
        marks: Marks {
            name: "the study".into(),
            points: vec![(MONTE_CARLO, 0.99), (ALPHA_BETA, 1.0)],
        },
        baseline: Some(Threshold {
            name: "random against random".into(),
            value: 0.5,
        }),
    };
    chart.picture()
}

fn finding(tally: &Tally, setting: &str, study: &str, study_won: u64) -> Finding {
    let ours = tally.win_rate();
    let differs = differ(&ours, &win_rate(study_won, 100));
    Finding {
        figure: "V.D".into(),
        setting: format!("{setting}. Here {} games.", tally.games),
        study: study.into(),
        here: format!(
            "{} of {} games, {}; {} a game.",
            tally.won,
            tally.games,
            tally.rate_text(),
            time(tally.game_seconds.value)
        ),
        holds: match ours.value {
            _ if !differs => Holds::Yes,
            rate if rate > 0.9 => Holds::Partly,
            _ => Holds::No,
        },
        verdict: format!(
            "It easily wins against random: {}. From the study's number that differs {}.",
            tally.rate_text(),
            if differs {
                "by more than chance"
            } else {
                "by no more than chance can"
            }
        ),
    }
}
