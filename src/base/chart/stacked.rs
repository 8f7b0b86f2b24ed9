//! One bar a row, divided into parts.

use plotters::prelude::*;

use super::canvas::Canvas;
use super::legend::{self, LegendEntry, Symbol};
use super::picture::{Drawing, picture};
use super::rows::NamedRows;
use super::shape::draw_bar;
use super::{AXIS, Area, ChartError, Picture, Tone, cannot, whole};

/// A chart of one bar a row, divided into parts.
pub struct StackedChart {
    pub title: String,
    pub x_title: String,
    /// The parts' names and colours, from the left.
    pub parts: Vec<(String, Tone)>,
    /// From the top down; a count for each part.
    pub rows: Vec<(String, Vec<u64>)>,
}

impl StackedChart {
    /// Draws the chart; `None` if nothing was counted.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn picture(&self) -> Result<Option<Picture>, ChartError> {
        match self.longest() {
            0 => Ok(None),
            _ => picture(self).map(Some),
        }
    }

    fn longest(&self) -> u64 {
        let totals = self.rows.iter().map(|(_, counts)| counts.iter().sum());
        totals.max().unwrap_or(0)
    }

    fn rows<'a>(&'a self, canvas: &'a Canvas) -> NamedRows<'a> {
        NamedRows {
            names: self.rows.iter().map(|(name, _)| name.as_str()).collect(),
            bars: 1,
            canvas,
        }
    }

    fn entries(&self) -> Vec<LegendEntry> {
        let entries = self.parts.iter().map(|(name, tone)| LegendEntry {
            name: name.clone(),
            symbol: Symbol::Box(*tone),
        });
        entries.collect()
    }
}

impl Drawing for StackedChart {
    fn title(&self) -> &str {
        &self.title
    }

    fn height(&self, canvas: &Canvas) -> u32 {
        self.rows(canvas).height() + legend::height(&self.entries(), canvas)
    }

    fn draw(&self, area: &Area, canvas: &Canvas) -> Result<(), ChartError> {
        let above = legend::draw(area, &self.entries(), canvas)?;
        let rows = self.rows(canvas);
        let x = 0.0..self.longest() as f64;
        let mut chart = rows.chart(&above, x, 0.0, &self.x_title, whole)?;
        let outline = Tone::Ink.on_paper().mix(AXIS);
        for (row, (_, counts)) in self.rows.iter().enumerate() {
            let [bottom, top] = rows.edges(row, 0);
            let mut end = 0.0;
            for (&part, (_, tone)) in counts.iter().zip(&self.parts) {
                let start = end;
                end += part as f64;
                if part > 0 {
                    let corners = [(start, bottom), (end, top)];
                    draw_bar(&mut chart, corners, *tone)?;
                    let edge = Rectangle::new(corners, outline);
                    chart.draw_series([edge]).map_err(cannot)?;
                }
            }
        }
        Ok(())
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
        let picture = chart([3, 1]).picture().unwrap().unwrap();
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
        assert_eq!(chart([0, 0]).picture().unwrap(), None);
    }
}
