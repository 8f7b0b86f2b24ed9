//! What an experiment has to say: findings, charts and tables.

use crate::chart::Picture;
use crate::table::Table;

/// One experiment's part of the report.
#[derive(Clone, Debug)]
pub struct Section {
    pub title: String,
    /// What was done, in a few sentences.
    pub method: String,
    pub findings: Vec<Finding>,
    pub figures: Vec<Figure>,
    /// The numbers behind the charts.
    pub table: Table,
}

/// Something the study found, and what was found here.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Where the study has it: a figure or section.
    pub figure: String,
    /// The study's setting, and how far it is the same here.
    pub setting: String,
    /// The study's number or words.
    pub study: String,
    /// Ours.
    pub here: String,
    pub holds: Holds,
    /// A sentence on whether it holds, and where it does not, why.
    pub verdict: String,
}

/// Whether a finding of the study was found here too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    Yes,
    Partly,
    No,
    /// There were too few games to say.
    Open,
}

impl Holds {
    /// Whether a number is so small that a finding holds, or holds in part.
    pub fn below(number: f64, holds: f64, partly: f64) -> Self {
        match number {
            number if number < holds => Self::Yes,
            number if number < partly => Self::Partly,
            _ => Self::No,
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Yes => "holds",
            Self::Partly => "holds in part",
            Self::No => "does not hold",
            Self::Open => "not decided",
        }
    }
}

impl Section {
    /// The section without verdicts, where there were too few games for them.
    pub fn undecided(mut self) -> Self {
        for finding in &mut self.findings {
            finding.holds = Holds::Open;
            finding.verdict = "A quick run plays too few games for a verdict.".into();
        }
        self
    }
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of its file, without `.svg`.
    pub name: String,
    pub picture: Picture,
    pub caption: String,
}
