//! The rating ladder, which the study does not have: a round robin of all agents.

use super::StudySettings;
use super::games::{Matchup, Matchups};
use super::prose::Prose;
use super::section::{Finding, Holds};
use super::tally::{Tally, mean};
use crate::chart::{Chart, Measured, Picture, time, whole};
use crate::stats::{Ratings, elo_text, rating_text};
use crate::table::{Column, Table};

const PROSE: Prose = Prose(include_str!("text/ladder.txt"));

const AGENTS: [&str; 14] = [
    "random",
    "qlearning:episodes=100000",
    "mc:episodes=100",
    "mc:episodes=500",
    "mc:episodes=5000",
    "alphabeta:depth=1",
    "alphabeta:depth=2",
    "alphabeta:depth=3",
    "alphabeta:depth=4",
    "alphabeta:depth=2,eval=tuned",
    "alphabeta:depth=3,eval=tuned",
    "engine:time=0.001",
    "engine:time=0.01",
    "engine:time=0.1",
];
const QUICK: [&str; 4] = [
    "random",
    "mc:episodes=100",
    "alphabeta:depth=1",
    "engine:time=0.001",
];

/// The matchups: a round robin of all agents and `more`.
pub(super) fn matchups(settings: StudySettings, more: &[&str]) -> Matchups {
    let agents: &[&str] = if settings.quick { &QUICK } else { &AGENTS };
    let new = more.iter().filter(|name| !agents.contains(name));
    let agents: Vec<&str> = agents.iter().chain(new).copied().collect();
    let pairs = agents.iter().enumerate().flat_map(|(index, &agent)| {
        let before = agents[..index].iter();
        before.map(move |&opponent| (agent, opponent))
    });
    let matchup = |(number, (agent, opponent)): (u64, (&str, &str))| {
        Matchup::new("round robin", agent, opponent, number)
    };
    Matchups {
        name: "ladder",
        prose: PROSE,
        games: settings.games(40),
        matchups: (0..).zip(pairs).map(matchup).collect(),
        chart,
        table: |tallies| table(&rungs(tallies)),
        findings: |tallies| vec![search_above_sampling(&rungs(tallies))],
    }
}

fn chart(tallies: &[Tally]) -> Picture {
    let rungs = rungs(tallies);
    let rows = rungs.iter().map(|rung| (rung.agent.clone(), rung.elo));
    let titles = PROSE.texts(["chart", "chart x"]);
    Chart::rows(titles, whole, &rows.collect::<Vec<_>>()).picture()
}

/// An agent and its rating.
struct Rung {
    agent: String,
    /// The Elo above random.
    elo: Measured,
    won: u64,
    games: u64,
    /// The mean over its matchups of the time of an action, in seconds; 0 for random, which is
    /// always the opponent.
    seconds: f64,
}

impl Rung {
    /// The Elo, as `show` writes it, with its error. Random itself has none.
    fn elo_text(&self, show: fn(f64) -> String) -> String {
        let error = self.elo.high - self.elo.value;
        match error > 0.0 {
            true => format!("{} ± {error:.0}", show(self.elo.value)),
            false => show(self.elo.value),
        }
    }
}

/// The agents, best first.
fn rungs(tallies: &[Tally]) -> Vec<Rung> {
    let mut agents: Vec<&str> = Vec::new();
    for agent in tallies.iter().flat_map(|it| [&it.opponent, &it.agent]) {
        if !agents.contains(&agent.as_str()) {
            agents.push(agent);
        }
    }
    let index = |agent: &str| agents.iter().position(|&other| other == agent).unwrap_or(0);
    let mut points = vec![vec![0.0; agents.len()]; agents.len()];
    for tally in tallies {
        let (a, b) = (index(&tally.agent), index(&tally.opponent));
        points[a][b] += tally.won as f64;
        points[b][a] += (tally.games - tally.won) as f64;
    }
    let ratings = Ratings::of(&points);
    let random = index("random");
    let mut rungs: Vec<Rung> = (0..agents.len())
        .map(|a| {
            let above = ratings.difference(a, random);
            let above = above.expect("a round robin connects all agents");
            let won: f64 = points[a].iter().sum();
            let lost: f64 = points.iter().map(|row| row[a]).sum();
            let own = tallies.iter().filter(|tally| tally.agent == agents[a]);
            let seconds: Vec<f64> = own.map(|tally| tally.action_seconds).collect();
            Rung {
                agent: agents[a].to_string(),
                elo: Measured {
                    value: above.elo,
                    low: above.low,
                    high: above.high,
                },
                won: won as u64,
                games: (won + lost) as u64,
                seconds: mean(&seconds).value,
            }
        })
        .collect();
    rungs.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
    rungs
}

fn search_above_sampling(rungs: &[Rung]) -> Finding {
    let best = |start: &str| rungs.iter().find(|rung| rung.agent.starts_with(start));
    let text = |rung: Option<&Rung>| {
        rung.map_or("-".into(), |rung| {
            let elo = rung.elo_text(|elo| elo_text(elo, 0));
            format!("{} {elo}", rung.agent)
        })
    };
    let (search, sampling, engine) = (best("alphabeta"), best("mc"), best("engine"));
    let value = |rung: Option<&Rung>| rung.map_or(0.0, |rung| rung.elo.value);
    let apart = value(search) - value(sampling);
    PROSE.finding(
        "best",
        if apart.abs() < 200.0 {
            Holds::Yes
        } else {
            Holds::Partly
        },
        &[
            ("sampling", &text(sampling)),
            ("search", &text(search)),
            ("engine", &text(engine)),
            ("apart", &format!("{apart:.0}")),
            ("ahead", &format!("{:.0}", value(engine) - value(search))),
        ],
    )
}

fn table(rungs: &[Rung]) -> Table {
    let columns: [Column<Rung>; 4] = [
        ("agent", |rung| rung.agent.clone()),
        ("Elo above random", |rung| rung.elo_text(rating_text)),
        ("won", |rung| format!("{} of {}", rung.won, rung.games)),
        ("time an action", |rung| match rung.seconds {
            seconds if seconds > 0.0 => time(seconds),
            _ => "-".into(),
        }),
    ];
    Table::of(&columns, rungs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Frequencies, estimate};

    #[test]
    fn errors_are_those_of_the_difference_from_random() {
        let tally = Tally::counted("alphabeta:depth=1", "random", 300, 400);
        let rungs = rungs(&[tally]);
        let direct = estimate(&Frequencies([100, 0, 300])).unwrap();
        let error = rungs[0].elo.high - rungs[0].elo.value;
        assert!((error / direct.error() - 1.0).abs() < 0.05, "{error}");
        let shown = [0, 1].map(|rung| rungs[rung].elo_text(rating_text));
        assert_eq!(shown, ["190 ± 39", "0"]);
    }

    #[test]
    fn the_time_of_an_action_is_the_mean_of_all_matchups() {
        let tally = |agent, opponent, action_seconds| Tally {
            action_seconds,
            ..Tally::counted(agent, opponent, 3, 4)
        };
        let rungs = rungs(&[
            tally("b", "random", 1.0),
            tally("c", "random", 2.0),
            tally("c", "b", 4.0),
        ]);
        let seconds = |agent: &str| {
            rungs
                .iter()
                .find(|rung| rung.agent == agent)
                .unwrap()
                .seconds
        };
        assert_eq!(["random", "b", "c"].map(seconds), [0.0, 1.0, 3.0]);
    }
}
