//! One bar a row, divided into parts.

use super::plot::{Places, Plot, PlotShape, Symbol};
use super::{Picture, Tone, whole};

/// A chart of one bar a row, divided into parts.
pub(crate) struct StackedChart {
    /// The heading above the chart.
    pub title: String,
    /// What the counts are of.
    pub x_title: String,
    /// The parts' names and colours, from the left.
    pub parts: Vec<(String, Tone)>,
    /// From the top down; a count for each part.
    pub rows: Vec<(String, Vec<u64>)>,
}

impl StackedChart {
    /// Draws the chart; `None` if nothing was counted.
    pub(crate) fn picture(&self) -> Option<Picture> {
        let totals = self.rows.iter().map(|(_, counts)| counts.iter().sum());
        let longest = totals.max().filter(|&longest: &u64| longest > 0)?;
        let names = self.rows.iter().map(|(name, _)| name.clone()).collect();
        let titles = [&self.title, "", &self.x_title];
        let mut plot = Plot::new(titles, Places::Rows(names, 1), [0.0, longest as f64], whole);
        plot.step = 1.0;
        let entries = self.parts.iter();
        plot.legend = entries
            .map(|(name, tone)| (name.clone(), Symbol::Box(*tone)))
            .collect();
        for (row, (player, counts)) in self.rows.iter().enumerate() {
            let mut end = 0.0;
            for (&part, (name, tone)) in counts.iter().zip(&self.parts) {
                let start = end;
                end += part as f64;
                if part > 0 {
                    let hover = format!("{player}, {name}: {part}");
                    plot.shapes
                        .push(PlotShape::Bar(*tone, row as f64, [start, end], hover));
                }
            }
        }
        Some(plot.picture())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::shows;
    use super::*;

    fn chart(counts: [u64; 2]) -> StackedChart {
        StackedChart {
            title: "Title".into(),
            x_title: "games".into(),
            parts: vec![("won".into(), Tone::Won(0)), ("lost".into(), Tone::Lost(0))],
            rows: vec![("one".into(), counts.to_vec()), ("two".into(), vec![0, 0])],
        }
    }

    #[test]
    fn every_row_and_part_is_named() {
        let picture = chart([3, 1]).picture().unwrap();
        shows(&picture, "Title", &["games", "won", "lost", "one", "two"]);
        let width = |colour: &str| -> f64 {
            let bar = picture.svg.lines().filter(|line| line.starts_with("<rect"));
            let bars = bar.filter(|line| line.contains(colour));
            let widths = bars.map(|line| {
                let after = line.split(" width=\"").nth(1).unwrap();
                after.split('"').next().unwrap().parse::<f64>().unwrap()
            });
            widths.fold(0.0, f64::max)
        };
        let ratio = width("#1B7837") / width("#B2182B");
        assert!((ratio - 3.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn without_counts_there_is_no_chart() {
        assert_eq!(chart([0, 0]).picture(), None);
    }
}
