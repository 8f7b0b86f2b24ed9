//! What an experiment has to say: findings, charts and tables.

/// One experiment's part of the report.
#[derive(Clone, Debug)]
pub struct Section {
    pub title: String,
    /// What was done, in a few sentences.
    pub method: String,
    pub findings: Vec<Finding>,
    pub figures: Vec<Figure>,
    pub table: Table,
}

/// Something the study found, and what was found here.
#[derive(Clone, Debug)]
pub struct Finding {
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
}

impl Holds {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Yes => "holds",
            Self::Partly => "holds in part",
            Self::No => "does not hold",
        }
    }
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of its file, without `.svg`.
    pub name: String,
    pub svg: String,
    pub caption: String,
}

/// The numbers behind the charts.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&str]) -> Self {
        Self {
            head: head.iter().map(|cell| cell.to_string()).collect(),
            rows: Vec::new(),
        }
    }

    pub fn add(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }
}
