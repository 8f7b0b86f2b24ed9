//! The study's Fig. 2: Q-learning's win rate against random by training episodes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::prose::Prose;
use super::section::{Figure, Finding, Holds, Section};
use super::store::{Misfit, check_row};
use super::tally::{difference, grouped_share, interval_text, rate_text};
use super::{Experiment, StudySettings, cannot_learn, stopped};
use crate::chart::{Chart, Measured, Series};
use crate::lab::Fault;
use crate::lab::factory::{Factory, learn_until};
use crate::lab::games::Match;
use crate::lab::qlearning::{Learning, QTable, Rule, board_state};
use crate::lab::spec::AgentSpec;
use crate::openings::Openings;
use crate::seeds::derive_seed;
use crate::table::{Column, Table, percent};

const PROSE: Prose = Prose(include_str!("text/training.txt"));

/// Tables by training episodes, each learned several times with different seeds.
pub(super) struct Training {
    seed: u64,
    episodes: Vec<u32>,
    /// Tables learned for each point.
    runs: u64,
    /// Games played with each table.
    games: u64,
}

const RULES: [(Rule, &str); 2] = [
    (Rule::Standard, "standard update rule"),
    (Rule::Printed, "update rule as printed"),
];

/// The games of one table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TableRow {
    rule: String,
    episodes: u32,
    run: u64,
    games: u64,
    won: u64,
    /// States and state-action pairs in the table.
    states: usize,
    pairs: usize,
    /// Turns the agent chose, and how many of them in a known state.
    decisions: u64,
    known: u64,
}

impl Training {
    pub(super) fn new(settings: StudySettings) -> Self {
        let quick = settings.quick;
        Self {
            seed: derive_seed(settings.seed, &[2]),
            episodes: if quick {
                vec![0, 100, 1000]
            } else {
                vec![0, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]
            },
            runs: if quick { 2 } else { 10 },
            games: if quick { 20 } else { 100 },
        }
    }

    fn points(&self) -> u64 {
        self.episodes.len() as u64 * self.runs
    }

    /// The rule of a unit with its name, the episodes and the run.
    fn unit(&self, unit: u64) -> ((Rule, &'static str), u32, u64) {
        let rule = RULES[(unit / self.points()) as usize];
        let episodes = self.episodes[(unit % self.points() / self.runs) as usize];
        (rule, episodes, unit % self.runs)
    }
}

impl Experiment for Training {
    type Row = TableRow;

    fn name(&self) -> &'static str {
        "fig2"
    }

    fn units(&self) -> u64 {
        RULES.len() as u64 * self.points()
    }

    fn run(&self, unit: u64, stop: &AtomicBool) -> Result<Vec<TableRow>, Fault> {
        let ((rule, name), episodes, run) = self.unit(unit);
        let learning = Learning {
            episodes,
            rule,
            ..Learning::default()
        };
        let seed = derive_seed(self.seed, &[run, episodes.into()]);
        let table = learn_until(learning, seed, stop, &mut |_, _| {}).map_err(cannot_learn)?;
        let table = Arc::new(table.ok_or_else(stopped)?);
        let mut row = TableRow {
            rule: name.to_string(),
            episodes,
            run,
            games: self.games,
            won: 0,
            states: table.states(),
            pairs: table.entries(),
            decisions: 0,
            known: 0,
        };
        self.play(table, seed, stop, &mut row)?;
        Ok(vec![row])
    }

    fn check(&self, index: u64, row: &TableRow) -> Result<(), Misfit> {
        let ((_, name), episodes, run) = self.unit(index);
        let placed =
            row.rule == name && (row.episodes, row.run, row.games) == (episodes, run, self.games);
        let possible = row.won <= row.games && row.known <= row.decisions;
        check_row(placed, possible)
    }

    fn section(&self, rows: &[TableRow]) -> Section {
        let per_rule = self.points() as usize;
        let points: Vec<Vec<Point>> = rows
            .chunks(per_rule)
            .map(|rows| rows.chunks(self.runs as usize).map(Point::of).collect())
            .collect();
        let labels: Vec<String> = self.episodes.iter().map(u32::to_string).collect();
        let line = |value: fn(&Point) -> Measured| -> Vec<Series<Measured>> {
            let lines = RULES.iter().zip(&points);
            lines
                .map(|((_, name), points)| Series {
                    name: name.to_string(),
                    values: points.iter().map(value).collect(),
                })
                .collect()
        };
        let rates = PROSE.rate_chart(labels.clone(), 1.0, &line(|point| point.rate));
        let most = points.iter().flatten().map(|point| point.known.high);
        let most = most.fold(0.0, f64::max);
        let known = Chart::lines(
            PROSE.texts(["known", "chart x", "known y"]),
            labels,
            [0.0, 1.2 * most.max(0.01)],
            percent,
            &line(|point| point.known),
        );
        let mut section = PROSE.section(
            self.name(),
            rates.baseline(PROSE.baseline(), 0.5).picture(),
            table(&points),
            vec![flat(&points[0]), printed(&points)],
            &[("tables", &self.runs), ("games", &self.games)],
        );
        section.figures.push(Figure {
            name: "fig2-known".into(),
            picture: known.picture(),
            caption: PROSE.text("known caption", &[]),
        });
        section
    }
}

impl Training {
    /// Plays a table against random and counts wins and known states.
    fn play(
        &self,
        table: Arc<QTable>,
        seed: u64,
        stop: &AtomicBool,
        row: &mut TableRow,
    ) -> Result<(), Fault> {
        let random = Factory::new(&AgentSpec::Random, 0, &mut |_, _| {});
        let random = random.expect("a random agent needs no file");
        let games = Match {
            players: [Factory::of_table(Arc::clone(&table)), random],
            seed,
            swap: true,
            openings: Openings::SetUp,
        };
        for number in 0..self.games {
            let game = games.play_until(number, stop)?.ok_or_else(stopped)?;
            row.won += u64::from(game.winner() == 0);
            for (seat, board) in game.played.boards() {
                if seat == game.seat_of(0) {
                    row.decisions += 1;
                    row.known += u64::from(table.knows(board_state(&board)));
                }
            }
        }
        Ok(())
    }
}

/// The tables of one rule and number of episodes.
struct Point {
    rule: String,
    episodes: u32,
    rate: Measured,
    known: Measured,
    pairs: f64,
    /// Mean turns of the agent a game.
    turns: f64,
    /// Games won by each table.
    won: Vec<u64>,
}

impl Point {
    fn of(rows: &[TableRow]) -> Self {
        let average =
            |value: fn(&TableRow) -> f64| rows.iter().map(value).sum::<f64>() / rows.len() as f64;
        let share = |value: fn(&TableRow) -> (u64, u64)| {
            grouped_share(&rows.iter().map(value).collect::<Vec<_>>())
        };
        Self {
            rule: rows[0].rule.clone(),
            episodes: rows[0].episodes,
            rate: share(|row| (row.won, row.games)),
            known: share(|row| (row.known, row.decisions)),
            pairs: average(|row| row.pairs as f64),
            turns: average(|row| row.decisions as f64 / row.games as f64),
            won: rows.iter().map(|row| row.won).collect(),
        }
    }
}

/// Compares the most training with none.
fn flat(points: &[Point]) -> Finding {
    let (first, last) = (&points[0], &points[points.len() - 1]);
    let gain = difference(&last.rate, &first.rate);
    let gain_text = points_text(&gain);
    let rise = match gain {
        _ if gain.low > 0.0 => "rise",
        _ if gain.high < 0.0 => "fall",
        _ => "no rise",
    };
    PROSE.finding(
        "flat",
        Holds::below(gain.value, 0.05, 0.25),
        &[
            ("first", &rate_text(&first.rate)),
            ("last", &rate_text(&last.rate)),
            ("episodes", &last.episodes),
            ("gain", &gain_text),
            ("rise", &PROSE.text(rise, &[("gain", &gain_text)])),
            ("pairs", &count_text(last.pairs)),
            ("known", &format!("{:.1}", 100.0 * last.known.value)),
        ],
    )
}

/// Compares the printed update rule with the usual one.
fn printed(points: &[Vec<Point>]) -> Finding {
    let [standard, printed] = [0, 1].map(|rule: usize| &points[rule][points[rule].len() - 1]);
    let gain = difference(&printed.rate, &points[1][0].rate);
    let pairs = || points[0].iter().zip(&points[1]);
    let tables = || pairs().flat_map(|(a, b)| a.won.iter().zip(&b.won));
    let same = tables().filter(|(a, b)| a == b).count();
    PROSE.finding(
        "printed",
        Holds::below(gain.value, 0.05, 0.25),
        &[
            ("episodes", &standard.episodes),
            ("printed", &rate_text(&printed.rate)),
            ("standard", &rate_text(&standard.rate)),
            ("gain", &points_text(&gain)),
            ("tables", &tables().count()),
            ("same", &same),
            ("turns", &format!("{:.0}", standard.turns)),
            ("pairs", &count_text(standard.pairs)),
        ],
    )
}

/// A difference of shares in percentage points: `+2 [-3, +6]`.
fn points_text(difference: &Measured) -> String {
    interval_text(difference, |share| format!("{:+.0}", 100.0 * share))
}

/// A count with all digits, or in millions.
fn count_text(count: f64) -> String {
    if count < 1e6 {
        format!("{count:.0}")
    } else {
        format!("{:.1} million", count / 1e6)
    }
}

fn table(points: &[Vec<Point>]) -> Table {
    let columns: [Column<Point>; 5] = [
        ("rule", |point| point.rule.clone()),
        ("episodes", |point| point.episodes.to_string()),
        ("win rate", |point| rate_text(&point.rate)),
        ("values in the table", |point| format!("{:.0}", point.pairs)),
        ("turns in known states", |point| {
            format!("{:.2}%", 100.0 * point.known.value)
        }),
    ];
    Table::of(&columns, points.iter().flatten())
}
