//! The study's section V.C: run time of minimax and alpha-beta against random;
//! and of Monte Carlo (V.D).

use super::StudySettings;
use super::costs::ActionWork;
use super::games::{Matchup, Matchups};
use super::section::{Finding, Holds};
use super::tally::{
    ACTION_TIME, AGENT, GAME_TIME, TURNS, Tally, WON, rate_text, ratio, ratio_text, win_rate,
};
use crate::chart::{BarChart, ChartError, Measured, Picture, Series, time};
use crate::table::{Column, Table};

/// What the study measured, in seconds a game; the last is "under 3 seconds".
const STUDY: [f64; 3] = [319.0, 49.0, 3.0];

/// The episodes of Monte Carlo.
const EPISODES: f64 = 500.0;

const MONTE_CARLO: &str = "Monte Carlo, 500";

/// The agents, the first of which the study measured.
const AGENTS: [(&str, &str); 5] = [
    ("minimax, depth 2", "minimax:depth=2"),
    ("alpha-beta, depth 2", "alphabeta:depth=2"),
    (MONTE_CARLO, "mc:episodes=500"),
    ("alpha-beta, depth 3", "alphabeta:depth=3"),
    ("alpha-beta, depth 4", "alphabeta:depth=4"),
];

/// Who plays, and what is shown of it.
pub fn matchups(settings: StudySettings) -> Matchups {
    let games = settings.games(100);
    // The same random opponents for all, so that games can be compared.
    let matchup = |(series, agent)| Matchup::new(series, agent, "random", 0);
    Matchups {
        name: "runtime",
        title: "Run time of minimax and alpha-beta (V.C) and of Monte Carlo (V.D)",
        method: format!(
            "{games} games of each agent against random, seats swapped after every game. All agents meet \
             the same random opponents. The times are those of whole games, set-up included; the bars \
             are 95% confidence intervals."
        ),
        games,
        matchups: AGENTS.map(matchup).into(),
        chart,
        caption: "Mean time of a game. The study gives no times for depths 3 and 4; \
                  its 3 s for Monte Carlo are an upper bound.",
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

fn chart(tallies: &[Tally]) -> Result<Picture, ChartError> {
    let chart = BarChart {
        title: "Time of a game against random".into(),
        x_title: "time of a game (logarithmic)".into(),
        x_label: time,
        groups: tallies.iter().map(|tally| tally.series.clone()).collect(),
        series: vec![
            Series {
                name: "the study (Python)".into(),
                values: STUDY.map(|value| Some(Measured::exactly(value))).into(),
            },
            Series {
                name: "here".into(),
                values: tallies
                    .iter()
                    .map(|tally| Some(tally.game_seconds))
                    .collect(),
            },
        ],
    };
    chart.picture()
}

fn same_games(tallies: &[Tally]) -> Finding {
    let [minimax, alphabeta] = [&tallies[0], &tallies[1]];
    let pairs = minimax.moves.iter().zip(&alphabeta.moves);
    let same = pairs.filter(|(a, b)| a == b).count() as u64;
    Finding {
        figure: "V.C".into(),
        setting: "Depth 2, the same opponents and seeds for both.".into(),
        study: "Minimax and alpha-beta yield an identical win ratio.".into(),
        here: format!(
            "{same} of {} games are the same turn for turn, {}.",
            minimax.games,
            rate_text(&win_rate(same, minimax.games))
        ),
        holds: if same == minimax.games {
            Holds::Yes
        } else {
            Holds::No
        },
        verdict:
            "With the same seed and depth both answer every position alike, so one of the two \
                  can stand for both."
                .into(),
    }
}

fn faster(tallies: &[Tally]) -> Finding {
    let [minimax, alphabeta] = [0, 1].map(|index| &tallies[index].game_seconds);
    let faster = ratio(minimax, alphabeta);
    Finding {
        figure: "V.C".into(),
        setting:
            "Depth 2 against random. The same; the study ran Python on a computer it does not name."
                .into(),
        study: format!(
            "At depth 2 a game of minimax takes 5:19 minutes, one of alpha-beta 49 seconds: {:.1} \
             times faster.",
            STUDY[0] / STUDY[1]
        ),
        here: format!(
            "{} and {}: {} times faster.",
            time_text(minimax),
            time_text(alphabeta),
            ratio_text(&faster)
        ),
        holds: match faster {
            _ if faster.low > 1.0 => Holds::Yes,
            _ if faster.high < 1.0 => Holds::No,
            _ => Holds::Open,
        },
        verdict: format!(
            "Pruning pays here as it did there. Minimax is {:.0} times as fast as in the study, \
             alpha-beta {:.0} times.",
            STUDY[0] / minimax.value,
            STUDY[1] / alphabeta.value
        ),
    }
}

fn against_monte_carlo(tallies: &[Tally]) -> Finding {
    let [minimax, alphabeta, monte_carlo] = [&tallies[0], &tallies[1], &tallies[2]];
    let slower = ratio(&monte_carlo.game_seconds, &alphabeta.game_seconds);
    let action = |index: usize| time(tallies[index].action_seconds);
    let work = ActionWork::count();
    // What judging a board costs, in random turns, by the times of an action.
    let price = |minimax: f64, monte_carlo: f64| {
        (minimax / work.boards) / (monte_carlo / (EPISODES * work.random_turns))
    };
    Finding {
        figure: "V.D".into(),
        setting: "Depth 2, and 500 episodes, each against random. The same.".into(),
        study: "Alpha-beta (49 s a game) lags considerably behind Monte Carlo with 500 episodes \
                (under 3 s)."
            .into(),
        here: format!(
            "Alpha-beta at depth 2 takes {}, Monte Carlo {}.",
            time_text(&alphabeta.game_seconds),
            time_text(&monte_carlo.game_seconds)
        ),
        holds: match slower {
            _ if slower.high < 1.0 => Holds::Yes,
            _ if slower.low > 1.0 => Holds::No,
            _ => Holds::Open,
        },
        verdict: format!(
            "Here Monte Carlo takes {} times as long. It plays 500 games to their end for \
             each action, in {}; alpha-beta takes {} at depth 2, {} at depth 3 and {} at depth 4. So \
             Monte Carlo is the faster one only from depth {} on. On the boards of random games, \
             minimax at depth 2 judges {:.0} boards for an action and Monte Carlo plays {:.0} random \
             turns. By their times a board costs as much as {:.1} random turns here, but as {:.0} in the \
             study.",
            ratio_text(&slower),
            action(2),
            action(1),
            action(3),
            action(4),
            match monte_carlo.action_seconds {
                time if time < alphabeta.action_seconds => "2",
                time if time < tallies[3].action_seconds => "3",
                time if time < tallies[4].action_seconds => "4",
                _ => "5",
            },
            work.boards,
            EPISODES * work.random_turns,
            price(minimax.action_seconds, monte_carlo.action_seconds),
            price(STUDY[0] / minimax.turns, STUDY[2] / monte_carlo.turns)
        ),
    }
}

/// A time with its interval.
fn time_text(seconds: &Measured) -> String {
    let Measured { value, low, high } = *seconds;
    format!("{} [{}, {}]", time(value), time(low), time(high))
}

fn times(tallies: &[Tally]) -> Table {
    let columns: [Column<Tally>; 8] = [
        AGENT,
        ("the study, a game", |tally| match study(tally) {
            None => "-".into(),
            Some(seconds) if tally.series == MONTE_CARLO => format!("under {}", time(seconds)),
            Some(seconds) => time(seconds),
        }),
        ("here, a game", GAME_TIME.1),
        ("faster", |tally| {
            let faster = study(tally).map(|study| study / tally.game_seconds.value);
            faster.map_or("-".into(), |faster| format!("{faster:.0} times"))
        }),
        ("an action", ACTION_TIME.1),
        ("longest action", |tally| time(tally.longest_action)),
        WON,
        TURNS,
    ];
    Table::of(&columns, tallies)
}

/// What the study measured of the same agent.
fn study(tally: &Tally) -> Option<f64> {
    let agent = AGENTS
        .iter()
        .position(|(series, _)| tally.series == *series);
    STUDY.get(agent?).copied()
}
