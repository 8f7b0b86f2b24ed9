//! The study's section V.D: how often each agent wins against random.

use super::StudySettings;
use super::games::{Matchup, Matchups};
use super::prose::Prose;
use super::section::{Finding, Holds};
use super::tally::{ACTION_TIME, AGENT, GAME_TIME, TURNS, Tally, WIN_RATE, WON, differ, win_rate};
use crate::chart::{Chart, Picture, time};
use crate::table::{Table, whole_percent};

const PROSE: Prose = Prose(include_str!("text/against_random.txt"));

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

/// The matchups: each agent, and each of `more`, against random.
pub(super) fn matchups(settings: StudySettings, more: &[&str]) -> Matchups {
    let new = more.iter().filter(|name| !AGENTS.contains(name));
    let matchup = |agent| Matchup::new("against random", agent, "random", 0);
    Matchups {
        name: "random",
        prose: PROSE,
        games: settings.games(100),
        matchups: AGENTS.iter().chain(new).copied().map(matchup).collect(),
        chart,
        table: |tallies| {
            let columns = [AGENT, WON, WIN_RATE, TURNS, GAME_TIME, ACTION_TIME];
            Table::of(&columns, tallies)
        },
        findings: |tallies| {
            vec![
                finding("alphabeta", &tallies[ALPHA_BETA], 100),
                finding("mc", &tallies[MONTE_CARLO], 99),
            ]
        },
    }
}

fn chart(tallies: &[Tally]) -> Picture {
    let row = |tally: &Tally| (tally.agent.clone(), tally.win_rate());
    let rows: Vec<_> = tallies.iter().map(row).collect();
    let titles = PROSE.texts(["chart", "chart x"]);
    let study = [(MONTE_CARLO, 0.99), (ALPHA_BETA, 1.0)];
    Chart::rows(titles, whole_percent, &rows)
        .marks(PROSE.text("chart marks", &[]), &study)
        .baseline(PROSE.baseline(), 0.5)
        .picture()
}

/// Compares the games won with those that the study won of 100.
fn finding(name: &str, tally: &Tally, study_won: u64) -> Finding {
    let ours = tally.win_rate();
    let differs = differ(&ours, &win_rate(study_won, 100));
    let holds = match ours.value {
        _ if !differs => Holds::Yes,
        rate if rate > 0.9 => Holds::Partly,
        _ => Holds::No,
    };
    let differs = if differs {
        "more than chance"
    } else {
        "within chance"
    };
    PROSE.finding(
        name,
        holds,
        &[
            ("games", &tally.games),
            ("won", &tally.won),
            ("rate", &tally.rate_text()),
            ("time", &time(tally.game_seconds.value)),
            ("differs", &differs),
        ],
    )
}
