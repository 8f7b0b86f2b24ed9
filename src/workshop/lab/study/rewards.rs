//! The study's Figs. 3 to 5: average rewards while learning, over bulks of 100
//! episodes, for values of one parameter.

use serde::{Deserialize, Serialize};

use super::section::{Figure, Finding, Holds, Section};
use super::tally::mean;
use super::{Experiment, StudySettings};
use crate::chart::{ChartError, LineChart, Marks, Measured, Series, Threshold};
use crate::lab::Fault;
use crate::lab::qlearning::{Learning, Trainer};
use crate::seeds::derive_seed;
use crate::table::{Column, Table};

/// Episodes over which rewards are averaged, as in the study.
const BULK: u64 = 100;

/// Values of one parameter of learning; the others have their defaults.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// The name of the experiment.
    name: &'static str,
    figure: u64,
    parameter: &'static str,
    values: [f64; 5],
    set: fn(&mut Learning, f64),
}

pub const SWEEPS: [Sweep; 3] = [
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
pub struct Rewards {
    sweep: Sweep,
    seed: u64,
    bulks: u64,
    /// Times that learning is repeated with other seeds.
    runs: u64,
    /// Bulks that make one point of the chart.
    bulks_per_point: usize,
}

/// The average reward of one bulk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BulkRow {
    parameter: String,
    value: f64,
    run: u64,
    bulk: u64,
    reward: f64,
}

impl Rewards {
    pub fn new(sweep: Sweep, settings: StudySettings) -> Self {
        let quick = settings.quick;
        Self {
            sweep,
            seed: derive_seed(settings.seed, &[sweep.figure]),
            bulks: if quick { 4 } else { 100 },
            runs: if quick { 2 } else { 20 },
            bulks_per_point: if quick { 1 } else { 10 },
        }
    }

    fn episodes(&self) -> u64 {
        self.bulks * BULK
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

    fn run(&self, unit: u64) -> Result<Vec<BulkRow>, Fault> {
        let (index, run) = (unit / self.runs, unit % self.runs);
        let value = self.sweep.values[index as usize];
        let mut learning = Learning::default();
        (self.sweep.set)(&mut learning, value);
        let mut trainer = Trainer::new(learning, derive_seed(self.seed, &[unit]));
        let bulks = (0..self.bulks).map(|bulk| {
            let rewards: f64 = (0..BULK).map(|_| f64::from(trainer.episode())).sum();
            BulkRow {
                parameter: self.sweep.parameter.to_string(),
                value,
                run,
                bulk,
                reward: rewards / BULK as f64,
            }
        });
        Ok(bulks.collect())
    }

    fn section(&self, rows: &[BulkRow]) -> Result<Section, ChartError> {
        let name = self.sweep.parameter;
        let curves: Vec<Curve> = rows
            .chunks(self.rows_per_unit() * self.runs as usize)
            .map(|rows| self.curve(rows))
            .collect();
        let labels = 1..=self.rows_per_unit() / self.bulks_per_point;
        let labels =
            labels.map(|point| (point as u64 * self.bulks_per_point as u64 * BULK).to_string());
        let chart = LineChart {
            title: format!(
                "Average reward while learning, by {name} (Fig. {})",
                self.sweep.figure
            ),
            x_title: "training episodes".into(),
            y_title: "average reward a game".into(),
            labels: labels.collect(),
            y: [-0.22, 0.22],
            y_label: |reward| match reward.abs() {
                r if r < 1e-9 => "0".into(),
                _ => format!("{reward:+.2}"),
            },
            lines: curves
                .iter()
                .map(|curve| Series {
                    name: format!("{name} = {}", curve.value),
                    values: curve.points.iter().copied().map(Some).collect(),
                })
                .collect(),
            marks: Marks::default(),
            baseline: Some(Threshold {
                name: "as many won as lost".into(),
                value: 0.0,
            }),
        };
        Ok(Section {
            title: format!(
                "Average rewards for values of {name} (Fig. {})",
                self.sweep.figure
            ),
            method: format!(
                "{} episodes of learning against random, the rewards (1 for a won game, -1 for a lost \
                 one) averaged over bulks of {BULK} episodes; repeated {} times with other seeds. A \
                 point of the chart is the mean of {} bulks; the bars are 95% confidence intervals.",
                self.episodes(),
                self.runs,
                self.bulks_per_point,
            ),
            findings: vec![self.finding(&curves)],
            figures: vec![Figure {
                name: Experiment::name(self).into(),
                picture: chart.picture()?,
                caption: format!(
                    "One line for each value of {name}; the other parameters have their defaults."
                ),
            }],
            table: table(name, &curves),
        })
    }
}

/// Learning with one value.
struct Curve {
    value: f64,
    points: Vec<Measured>,
    /// The change of the reward from the first fifth of the bulks to the last.
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
        let over_runs = |value: &dyn Fn(&[BulkRow]) -> f64| {
            mean(&runs.iter().map(|run| value(run)).collect::<Vec<f64>>())
        };
        let step = self.bulks_per_point;
        let points = (0..bulks / step)
            .map(|point| over_runs(&|run| average(run, point * step, (point + 1) * step)));
        let fifth = (bulks / 5).max(1);
        Curve {
            value: rows[0].value,
            points: points.collect(),
            change: over_runs(&|run| average(run, bulks - fifth, bulks) - average(run, 0, fifth)),
            last: over_runs(&|run| average(run, bulks - fifth, bulks)),
        }
    }

    fn finding(&self, curves: &[Curve]) -> Finding {
        let by_change = |a: &&Curve, b: &&Curve| a.change.value.total_cmp(&b.change.value);
        let ends = [
            curves.iter().min_by(by_change),
            curves.iter().max_by(by_change),
        ];
        let [least, most] = ends.map(|curve| curve.map_or(Measured::exactly(0.0), |c| c.change));
        let risen = curves.iter().filter(|curve| curve.change.low > 0.0).count();
        Finding {
            figure: format!("Fig. {}", self.sweep.figure),
            setting: format!(
                "Rewards averaged over bulks of {BULK} episodes, {} varied, the others constant. The \
                 same; the study does not print the constants or its number of episodes, here {}.",
                self.sweep.parameter,
                self.episodes()
            ),
            study: format!(
                "All values of {} react in much the same way; none improves the average reward.",
                self.sweep.parameter
            ),
            here: format!(
                "From the first fifth of the {} episodes to the last the reward changes by {} to \
                 {}; the scale goes from -1 to 1.",
                self.episodes(),
                reward_text(&least),
                reward_text(&most)
            ),
            holds: if most.value < 0.1 {
                Holds::Yes
            } else {
                Holds::Partly
            },
            verdict: format!(
                "No value learns to play. For {risen} of {} values the change is more than chance, but \
                 {:+.3} is only {:.1} more games won of 100.",
                curves.len(),
                most.value,
                50.0 * most.value
            ),
        }
    }
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
    let Measured { value, low, high } = *reward;
    format!("{value:+.3} [{low:+.3}, {high:+.3}]")
}
