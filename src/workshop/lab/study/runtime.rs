//! The study's sections V.C and V.D: run time of minimax, alpha-beta and Monte
//! Carlo against random.

use super::StudySettings;
use super::costs::ActionWork;
use super::games::{Matchup, Matchups};
use super::prose::Prose;
use super::section::{Finding, Holds};
use super::tally::{
    ACTION_TIME, AGENT, GAME_TIME, TURNS, Tally, WON, interval_text, paired_ratio, rate_text,
    ratio, win_rate,
};
use crate::chart::{Chart, Measured, Picture, Series, time};
use crate::table::{Column, Table};

const PROSE: Prose = Prose(include_str!("text/runtime.txt"));

/// The study's times in seconds a game; the last is "under 3 seconds".
const STUDY: [f64; 3] = [319.0, 49.0, 3.0];

/// The episodes of Monte Carlo.
const EPISODES: f64 = 500.0;

const MONTE_CARLO: &str = "Monte Carlo, 500";

/// Series and agents. The study measured the first three.
const AGENTS: [(&str, &str); 5] = [
    ("minimax, depth 2", "minimax:depth=2"),
    ("alpha-beta, depth 2", "alphabeta:depth=2"),
    (MONTE_CARLO, "mc:episodes=500"),
    ("alpha-beta, depth 3", "alphabeta:depth=3"),
    ("alpha-beta, depth 4", "alphabeta:depth=4"),
];

/// The matchups: each agent against random.
pub(super) fn matchups(settings: StudySettings) -> Matchups {
    // Equal seeds: all agents meet the same random opponents.
    let matchup = |(series, agent)| Matchup::new(series, agent, "random", 0);
    Matchups {
        name: "runtime",
        prose: PROSE,
        games: settings.games(100),
        matchups: AGENTS.map(matchup).into(),
        chart,
        table: times,
        findings: |tallies| {
            vec![
                same_games(tallies),
                faster(tallies),
                against_monte_carlo(tallies),
            ]
        },
    }
}

fn chart(tallies: &[Tally]) -> Picture {
    let series = [
        Series {
            name: PROSE.text("chart study", &[]),
            values: STUDY.map(Measured::exactly).into(),
        },
        Series {
            name: PROSE.text("chart here", &[]),
            values: tallies.iter().map(|tally| tally.game_seconds).collect(),
        },
    ];
    let titles = PROSE.texts(["chart", "chart x"]);
    let groups = tallies.iter().map(|tally| tally.series.clone()).collect();
    Chart::bars(titles, time, groups, &series).picture()
}

fn same_games(tallies: &[Tally]) -> Finding {
    let [minimax, alphabeta] = [&tallies[0], &tallies[1]];
    let pairs = minimax.moves.iter().zip(&alphabeta.moves);
    let same = pairs.filter(|(a, b)| a == b).count() as u64;
    let holds = match same == minimax.games {
        true => Holds::Yes,
        false => Holds::No,
    };
    PROSE.finding(
        "same",
        holds,
        &[
            ("same", &same),
            ("games", &minimax.games),
            ("rate", &rate_text(&win_rate(same, minimax.games))),
        ],
    )
}

fn faster(tallies: &[Tally]) -> Finding {
    let [minimax, alphabeta] = [0, 1].map(|index| &tallies[index].game_seconds);
    let faster = paired_ratio(&tallies[0].seconds, &tallies[1].seconds);
    let gain = |study: f64, here: &Measured| two_digits(study / here.value);
    PROSE.finding(
        "faster",
        above_one(&faster),
        &[
            ("study", &format!("{:.1}", STUDY[0] / STUDY[1])),
            ("minimax", &interval_text(minimax, time)),
            ("alphabeta", &interval_text(alphabeta, time)),
            ("faster", &ratio_text(&faster)),
            ("minimax gain", &gain(STUDY[0], minimax)),
            ("alphabeta gain", &gain(STUDY[1], alphabeta)),
        ],
    )
}

/// Whether a ratio is above 1 with confidence.
fn above_one(ratio: &Measured) -> Holds {
    match ratio {
        _ if ratio.low > 1.0 => Holds::Yes,
        _ if ratio.high < 1.0 => Holds::No,
        _ => Holds::Open,
    }
}

fn against_monte_carlo(tallies: &[Tally]) -> Finding {
    let [minimax, alphabeta, monte_carlo] = [&tallies[0], &tallies[1], &tallies[2]];
    let [depth_3, depth_4] = [&tallies[3], &tallies[4]];
    let slower = ratio(&monte_carlo.game_seconds, &alphabeta.game_seconds);
    let action = |tally: &Tally| time(tally.action_seconds);
    let overtaken = [alphabeta, depth_3, depth_4]
        .iter()
        .position(|tally| monte_carlo.action_seconds < tally.action_seconds);
    let overtaken = match overtaken {
        Some(index) => PROSE.text("overtaken", &[("depth", &(2 + index))]),
        None => PROSE.text("not overtaken", &[]),
    };
    let work = ActionWork::count();
    // The cost of evaluating a board, in random turns.
    let price = |minimax: f64, monte_carlo: f64| {
        (minimax / work.boards) / (monte_carlo / (EPISODES * work.random_turns))
    };
    let here = price(minimax.action_seconds, monte_carlo.action_seconds);
    let study = price(STUDY[0] / minimax.turns, STUDY[2] / monte_carlo.turns);
    PROSE.finding(
        "slower",
        above_one(&ratio(&alphabeta.game_seconds, &monte_carlo.game_seconds)),
        &[
            ("alphabeta", &interval_text(&alphabeta.game_seconds, time)),
            (
                "monte carlo",
                &interval_text(&monte_carlo.game_seconds, time),
            ),
            ("slower", &ratio_text(&slower)),
            ("action", &action(monte_carlo)),
            ("depth 2", &action(alphabeta)),
            ("depth 3", &action(depth_3)),
            ("depth 4", &action(depth_4)),
            ("overtaken", &overtaken),
            ("boards", &format!("{:.0}", work.boards)),
            (
                "random turns",
                &format!("{:.0}", EPISODES * work.random_turns),
            ),
            ("price", &format!("{here:.1}")),
            ("study price", &format!("{study:.0}")),
        ],
    )
}

fn ratio_text(ratio: &Measured) -> String {
    interval_text(ratio, |ratio| format!("{ratio:.1}"))
}

fn times(tallies: &[Tally]) -> Table {
    let columns: [Column<Tally>; 8] = [
        AGENT,
        ("the study, a game", |tally| of_study(tally, time)),
        ("here, a game", GAME_TIME.1),
        ("faster", |tally| {
            of_study(tally, |study| {
                format!("{} times", two_digits(study / tally.game_seconds.value))
            })
        }),
        ("an action", ACTION_TIME.1),
        ("longest action", |tally| time(tally.longest_action)),
        WON,
        TURNS,
    ];
    Table::of(&columns, tallies)
}

/// The study's time of the same agent, written by `show`. For Monte Carlo it is only an upper
/// bound.
fn of_study(tally: &Tally, show: impl Fn(f64) -> String) -> String {
    match study(tally).map(show) {
        None => "-".into(),
        Some(text) if tally.series == MONTE_CARLO => format!("under {text}"),
        Some(text) => text,
    }
}

/// A number of at least 10, rounded to two digits: times vary more than that.
fn two_digits(number: f64) -> String {
    let unit = 10f64.powf(number.log10().floor() - 1.0);
    format!("{:.0}", (number / unit).round() * unit)
}

/// The study's time of the same agent.
fn study(tally: &Tally) -> Option<f64> {
    let agent = AGENTS
        .iter()
        .position(|(series, _)| tally.series == *series);
    STUDY.get(agent?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_say_no_more_than_is_known() {
        let tallies = |seconds: [f64; 5]| {
            let all = AGENTS.iter().zip(seconds);
            let tally = all.map(|(&(series, agent), seconds)| Tally {
                series: series.into(),
                game_seconds: Measured::exactly(20.0 * seconds),
                action_seconds: seconds,
                ..Tally::counted(agent, "random", 99, 100)
            });
            tally.collect::<Vec<_>>()
        };
        let verdict = |seconds| against_monte_carlo(&tallies(seconds)).verdict;
        let usual = verdict([5e-4, 8e-5, 1e-3, 9e-4, 7e-3]);
        assert!(usual.contains("faster only from depth 4 on"), "{usual}");
        let slow = verdict([5e-4, 8e-5, 1e-2, 9e-4, 7e-3]);
        assert!(slow.contains("faster at none of these depths"), "{slow}");
        let table = times(&tallies([2.41e-4, 8e-5, 1e-3, 9e-4, 7e-3])).text();
        assert!(table.contains("66000 times"), "{table}");
        assert!(table.contains("under 150 times"), "{table}");
    }
}
