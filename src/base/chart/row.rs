//! One value a row, on a horizontal scale.

use super::plot::{Places, Plot, PlotShape, Symbol};
use super::{Marks, Measured, Picture, Threshold, Tone};

/// A chart of one value a row, on a horizontal scale.
pub(crate) struct RowChart {
    /// The heading above the chart.
    pub title: String,
    /// What the x axis measures, with its unit.
    pub x_title: String,
    /// How the values and the numbers along the x axis are written.
    pub x_label: fn(f64) -> String,
    /// From the top down.
    pub rows: Vec<(String, Measured)>,
    /// Values of the study, drawn as points; empty if there are none.
    pub marks: Marks,
    /// A value that means "no better than chance".
    pub baseline: Option<Threshold>,
}

impl RowChart {
    /// Draws the chart.
    pub(crate) fn picture(&self) -> Picture {
        let names = self.rows.iter().map(|(name, _)| name.clone()).collect();
        let titles = [&self.title, "", &self.x_title];
        let mut plot = Plot::new(titles, Places::Rows(names, 1), self.range(), self.x_label);
        let tone = Tone::Series(0);
        for (row, (name, measured)) in self.rows.iter().enumerate() {
            let hover = plot.hover(name, measured);
            plot.shapes
                .push(PlotShape::Interval(tone, row as f64, *measured, hover));
        }
        if !self.marks.points.is_empty() {
            plot.legend.push(("here".into(), Symbol::Line(tone)));
        }
        plot.mark(&self.marks);
        plot.baseline(self.baseline.as_ref());
        plot.picture()
    }

    /// From the least end of an error bar to the greatest, with some room.
    fn range(&self) -> [f64; 2] {
        let ends = || self.rows.iter().flat_map(|(_, row)| [row.low, row.high]);
        let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
        let size = (high - low).max(1.0);
        [low - 0.05 * size, high.max(low + size)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{measured, shows};
    use super::super::whole;
    use super::*;

    #[test]
    fn row_charts_show_every_row() {
        let rows = [("best", 1000.0), ("worst", 200.0)];
        let chart = RowChart {
            title: "Title".into(),
            x_title: "Elo".into(),
            x_label: whole,
            rows: rows
                .map(|(name, value)| (name.into(), measured(value)))
                .into(),
            marks: Marks {
                name: "the study".into(),
                points: vec![(1, 300.0)],
            },
            baseline: Some(Threshold {
                name: "chance".into(),
                value: 500.0,
            }),
        };
        let texts = [
            "Elo",
            "best",
            "worst",
            "1000",
            "200",
            "here",
            "the study",
            "chance",
        ];
        shows(&chart.picture(), "Title", &texts);
        let [low, high] = chart.range();
        assert!(low < 0.0 && (high - 1100.0).abs() < 1e-9);
    }
}
