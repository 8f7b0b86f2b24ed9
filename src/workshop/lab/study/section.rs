//! A section of the report: findings, charts and a table.

use crate::chart::Picture;
use crate::table::Table;

/// One experiment's part of the report.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What was done, in a few sentences.
    pub method: String,
    /// Results of the study beside those of this run.
    pub findings: Vec<Finding>,
    /// The charts, in the order of the text.
    pub figures: Vec<Figure>,
    /// The numbers behind the charts.
    pub table: Table,
}

/// A result of the study, compared with ours.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The figure or section of the study.
    pub figure: String,
    /// The study's setting, and how ours differs.
    pub setting: String,
    /// The study's result.
    pub study: String,
    /// Our result.
    pub here: String,
    /// The outcome of the comparison.
    pub holds: Holds,
    /// Why it holds or does not.
    pub verdict: String,
}

/// Whether a finding of the study holds here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// Both results agree.
    Yes,
    /// They agree in a part of the settings.
    Partly,
    /// They contradict each other.
    No,
    /// Too few games to decide.
    Open,
}

impl Holds {
    /// `Yes` below `holds`, `Partly` below `partly`, else `No`.
    pub fn below(number: f64, holds: f64, partly: f64) -> Self {
        match number {
            number if number < holds => Self::Yes,
            number if number < partly => Self::Partly,
            _ => Self::No,
        }
    }

    /// How a report says it.
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
    /// The section without verdicts, for a quick run.
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
    /// The file name without `.svg`.
    pub name: String,
    /// The chart to draw.
    pub picture: Picture,
    /// The text below it.
    pub caption: String,
}
