//! One bar a row, divided into parts.

use plotters::prelude::*;

use super::legend::{self, LegendEntry, Symbol};
use super::{Area, ChartError, FONT, TITLE_SIZE, cannot, label_at, picture, set_look};

/// A chart of one bar a row, divided into parts.
pub struct StackedChart {
    pub title: String,
    pub x_title: String,
    /// The parts' names and colours, from the left.
    pub parts: Vec<(String, RGBColor)>,
    /// From the top down; a count for each part.
    pub rows: Vec<(String, Vec<u64>)>,
}

impl StackedChart {
    /// The chart as an SVG picture; `None` if nothing was counted.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn svg(&self) -> Result<Option<String>, ChartError> {
        let totals = self.rows.iter().map(|(_, counts)| counts.iter().sum());
        match totals.max() {
            None | Some(0) => Ok(None),
            Some(longest) => {
                let height = 190 + 34 * self.rows.len() as u32;
                picture(height, |area| self.draw(area, longest)).map(Some)
            }
        }
    }

    fn draw(&self, area: &Area, longest: u64) -> Result<(), ChartError> {
        let above = legend::draw(area, &self.entries())?;
        let count = self.rows.len();
        let mut names: Vec<String> = self.rows.iter().map(|(name, _)| name.clone()).collect();
        // The y axis goes up, the rows go down.
        names.reverse();
        let mut chart = ChartBuilder::on(&above)
            .caption(&self.title, (FONT, TITLE_SIZE))
            .margin(16)
            .x_label_area_size(58)
            .y_label_area_size(240)
            .build_cartesian_2d(0.0..longest as f64, -0.5..count as f64 - 0.5)
            .map_err(cannot)?;
        let mut mesh = chart.configure_mesh();
        set_look(&mut mesh);
        mesh.x_desc(&self.x_title)
            .y_labels(count + 1)
            .y_label_formatter(&|&y| label_at(&names, y))
            .x_label_formatter(&|x| format!("{x:.0}"))
            .draw()
            .map_err(cannot)?;
        for (index, (_, counts)) in self.rows.iter().enumerate() {
            let y = (count - 1 - index) as f64;
            let mut end = 0.0;
            for (&part, (_, colour)) in counts.iter().zip(&self.parts) {
                let start = end;
                end += part as f64;
                let bar = Rectangle::new([(start, y - 0.36), (end, y + 0.36)], colour.filled());
                chart.draw_series([bar]).map_err(cannot)?;
            }
        }
        Ok(())
    }

    fn entries(&self) -> Vec<LegendEntry> {
        let entries = self.parts.iter().map(|(name, colour)| LegendEntry {
            name: name.clone(),
            symbol: Symbol::Box(*colour),
        });
        entries.collect()
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
            parts: vec![("won".into(), GREEN), ("lost".into(), RED)],
            rows: vec![("one".into(), counts.to_vec()), ("two".into(), vec![0, 0])],
        }
    }

    #[test]
    fn every_row_and_part_is_named() {
        let svg = chart([3, 1]).svg().unwrap().unwrap();
        shows(&svg, &["Title", "games", "won", "lost", "one", "two"]);
        let width = |colour: &str| -> f64 {
            let bar = svg.lines().filter(|line| line.starts_with("<rect"));
            let bars = bar.filter(|line| line.contains(colour));
            let widths = bars.map(|line| {
                let after = line.split(" width=\"").nth(1).unwrap();
                after.split('"').next().unwrap().parse::<f64>().unwrap()
            });
            widths.fold(0.0, f64::max)
        };
        let ratio = width("#00FF00") / width("#FF0000");
        assert!((ratio - 3.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn without_counts_there_is_no_chart() {
        assert_eq!(chart([0, 0]).svg().unwrap(), None);
    }
}
