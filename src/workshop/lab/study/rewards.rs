//! The study's Figs. 3 to 5: average rewards while learning, for values of one
//! parameter.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::prose::{Placeholders, Prose};
use super::section::{Finding, Holds, Section};
use super::store::{Misfit, check_row};
use super::tally::{interval_text, mean};
use super::{Experiment, StudySettings, cannot_learn, stopped};
use crate::chart::{Chart, Measured, Series};
use crate::lab::Fault;
use crate::lab::qlearning::{Learning, Trainer};
use crate::seeds::derive_seed;
use crate::table::{Column, Table};

const PROSE: Prose = Prose(include_str!("text/rewards.txt"));

/// Episodes of a bulk, over which rewards are averaged as in the study.
const BULK: u64 = 100;

/// Values of one learning parameter; the others have their defaults.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// The name of the experiment.
    name: &'static str,
    figure: u64,
    parameter: &'static str,
    values: [f64; 5],
    set: fn(&mut Learning, f64),
}

pub(super) const SWEEPS: [Sweep; 3] = [
    Sweep {
        name: "fig3",
        figure: 3,
        parameter: "alpha",
        values: [0.1, 0.3, 0.5, 0.7, 0.9],
        set: |learning, value| learning.alpha = value,
    },
    Sweep {
        name: "fig4",
        figure: 4,
        parameter: "epsilon",
        values: [0.0, 0.1, 0.3, 0.6, 0.9],
        set: |learning, value| learning.epsilon = value,
    },
    Sweep {
        name: "fig5",
        figure: 5,
        parameter: "gamma",
        values: [0.1, 0.5, 0.9, 0.99, 1.0],
        set: |learning, value| learning.gamma = value,
    },
];

/// Learning with different values of one parameter, several times each.
pub(super) struct Rewards {
    sweep: Sweep,
    seed: u64,
    bulks: u64,
    /// Runs of each value with different seeds.
    runs: u64,
    /// Bulks averaged in one point of the chart.
    bulks_per_point: usize,
}

/// The average reward of one bulk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BulkRow {
    parameter: String,
    value: f64,
    run: u64,
    bulk: u64,
    reward: f64,
}

impl Rewards {
    pub(super) fn new(sweep: Sweep, settings: StudySettings) -> Self {
        let quick = settings.quick;
        Self {
            sweep,
            seed: derive_seed(settings.seed, &[sweep.figure]),
            bulks: if quick { 5 } else { 100 },
            runs: if quick { 3 } else { 20 },
            bulks_per_point: if quick { 1 } else { 10 },
        }
    }
}

impl Experiment for Rewards {
    type Row = BulkRow;

    fn name(&self) -> &'static str {
        self.sweep.name
    }

    fn units(&self) -> u64 {
        self.sweep.values.len() as u64 * self.runs
    }

    fn rows_per_unit(&self) -> usize {
        self.bulks as usize
    }

    fn run(&self, unit: u64, stop: &AtomicBool) -> Result<Vec<BulkRow>, Fault> {
        let (index, run) = (unit / self.runs, unit % self.runs);
        let value = self.sweep.values[index as usize];
        let mut learning = Learning::default();
        (self.sweep.set)(&mut learning, value);
        let mut trainer = Trainer::new(learning, derive_seed(self.seed, &[unit]));
        let mut bulks = Vec::new();
        for bulk in 0..self.bulks {
            if stop.load(Ordering::Relaxed) {
                return Err(stopped());
            }
            let mut rewards = 0.0;
            for _ in 0..BULK {
                trainer.try_reserve().map_err(cannot_learn)?;
                rewards += f64::from(trainer.episode());
            }
            bulks.push(BulkRow {
                parameter: self.sweep.parameter.to_string(),
                value,
                run,
                bulk,
                reward: rewards / BULK as f64,
            });
        }
        Ok(bulks)
    }

    fn check(&self, index: u64, row: &BulkRow) -> Result<(), Misfit> {
        let (unit, bulk) = (index / self.bulks, index % self.bulks);
        let value = self.sweep.values[(unit / self.runs) as usize];
        let placed = row.parameter == self.sweep.parameter
            && row.value == value
            && (row.run, row.bulk) == (unit % self.runs, bulk);
        check_row(placed, row.reward.abs() <= 1.0)
    }

    fn section(&self, rows: &[BulkRow]) -> Section {
        let Sweep {
            parameter, figure, ..
        } = self.sweep;
        let curves: Vec<Curve> = rows
            .chunks(self.rows_per_unit() * self.runs as usize)
            .map(|rows| self.curve(rows))
            .collect();
        let bulks = match self.bulks_per_point {
            1 => "one bulk".to_string(),
            many => format!("{many} bulks"),
        };
        let values: [(&str, &dyn Display); 6] = [
            ("name", &parameter),
            ("figure", &figure),
            ("episodes", &(self.bulks * BULK)),
            ("bulk", &BULK),
            ("bulks", &bulks),
            ("runs", &self.runs),
        ];
        let per_point = self.bulks_per_point as u64;
        let labels =
            (1..=self.bulks / per_point).map(|point| (point * per_point * BULK).to_string());
        let line = |curve: &Curve| Series {
            name: format!("{parameter} = {}", curve.value),
            values: curve.points.clone(),
        };
        let lines: Vec<Series<Measured>> = curves.iter().map(line).collect();
        let chart = Chart::lines(
            ["chart", "chart x", "chart y"].map(|key| PROSE.text(key, &values)),
            labels.collect(),
            [-0.22, 0.22],
            |reward| match reward.abs() {
                r if r < 1e-9 => "0".into(),
                _ => format!("{reward:+.2}"),
            },
            &lines,
        );
        PROSE.section(
            self.sweep.name,
            chart.baseline(PROSE.baseline(), 0.0).picture(),
            table(parameter, &curves),
            vec![finding(&curves, &values)],
            &values,
        )
    }
}

/// The rewards for one value.
struct Curve {
    value: f64,
    points: Vec<Measured>,
    /// The change from the first fifth of the bulks to the last fifth.
    change: Measured,
    last: Measured,
}

impl Rewards {
    fn curve(&self, rows: &[BulkRow]) -> Curve {
        let bulks = self.rows_per_unit();
        let runs: Vec<&[BulkRow]> = rows.chunks(bulks).collect();
        let average = |run: &[BulkRow], from: usize, to: usize| {
            run[from..to].iter().map(|row| row.reward).sum::<f64>() / (to - from) as f64
        };
        // The mean of a value that lies between -most and most.
        let over_runs = |most: f64, value: &dyn Fn(&[BulkRow]) -> f64| {
            let measured = mean(&runs.iter().map(|run| value(run)).collect::<Vec<f64>>());
            Measured {
                low: measured.low.max(-most),
                high: measured.high.min(most),
                ..measured
            }
        };
        let step = self.bulks_per_point;
        let points = (0..bulks / step)
            .map(|point| over_runs(1.0, &|run| average(run, point * step, (point + 1) * step)));
        let fifth = bulks / 5;
        Curve {
            value: rows[0].value,
            points: points.collect(),
            change: over_runs(2.0, &|run| {
                average(run, bulks - fifth, bulks) - average(run, 0, fifth)
            }),
            last: over_runs(1.0, &|run| average(run, bulks - fifth, bulks)),
        }
    }
}

fn finding(curves: &[Curve], values: &Placeholders) -> Finding {
    let mut changes: Vec<Measured> = curves.iter().map(|curve| curve.change).collect();
    changes.sort_by(|a, b| a.value.total_cmp(&b.value));
    let (least, most) = (changes[0], changes[changes.len() - 1]);
    let risen = changes.iter().filter(|change| change.low > 0.0).count();
    // One of several 95% intervals is more often above 0 by chance than one alone.
    let luck = 1.0 - 0.975f64.powi(curves.len() as i32);
    let rise = PROSE.text(
        if risen > 0 { "rise" } else { "no rise" },
        &[
            ("risen", &risen),
            ("values", &curves.len()),
            ("luck", &format!("{:.0}", 100.0 * luck)),
            ("best", &format!("{:+.3}", most.value)),
            ("won", &format!("{:.1}", 50.0 * most.value)),
        ],
    );
    let found: [(&str, &dyn Display); 3] = [
        ("least", &reward_text(&least)),
        ("most", &reward_text(&most)),
        ("rise", &rise),
    ];
    let holds = if most.value < 0.1 {
        Holds::Yes
    } else {
        Holds::Partly
    };
    PROSE.finding("change", holds, &[values, &found].concat())
}

fn table(name: &'static str, curves: &[Curve]) -> Table {
    let columns: [Column<Curve>; 3] = [
        (name, |curve| curve.value.to_string()),
        ("reward in the last fifth", |curve| reward_text(&curve.last)),
        ("change since the first fifth", |curve| {
            reward_text(&curve.change)
        }),
    ];
    Table::of(&columns, curves)
}

fn reward_text(reward: &Measured) -> String {
    interval_text(reward, |reward| format!("{reward:+.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_stay_within_possible_rewards() {
        let settings = StudySettings {
            seed: 1,
            quick: true,
        };
        let rewards = Rewards::new(SWEEPS[0], settings);
        assert!(rewards.bulks.is_multiple_of(5), "a fifth is a whole number");
        let row = |run, bulk| BulkRow {
            parameter: "alpha".into(),
            value: 0.1,
            run,
            bulk,
            reward: [1.0, -1.0, 1.0][run as usize],
        };
        let runs =
            (0..rewards.runs).flat_map(|run| (0..rewards.bulks).map(move |bulk| (run, bulk)));
        let rows: Vec<BulkRow> = runs.map(|(run, bulk)| row(run, bulk)).collect();
        let curve = rewards.curve(&rows);
        for mean in curve.points.iter().chain([&curve.last]) {
            assert_eq!([mean.low, mean.high], [-1.0, 1.0]);
        }
    }
}
