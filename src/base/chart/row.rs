//! One value a row, on a horizontal scale.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::Canvas;
use super::legend::{self, LegendEntry, Symbol, diamond};
use super::picture::{Drawing, picture};
use super::rows::NamedRows;
use super::{
    Area, CAP, ChartError, FONT, Marks, Measured, Picture, Threshold, Tone, cannot, dashes,
};

/// A chart of one value a row, on a horizontal scale.
pub struct RowChart {
    pub title: String,
    pub x_title: String,
    /// How the values and the numbers along the x axis are written.
    pub x_label: fn(f64) -> String,
    /// From the top down.
    pub rows: Vec<(String, Measured)>,
    pub marks: Marks,
    /// A value that means "no better than chance".
    pub baseline: Option<Threshold>,
}

impl RowChart {
    /// Draws the chart.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn picture(&self) -> Result<Picture, ChartError> {
        picture(self)
    }

    /// From the least end of an error bar to the greatest, with some room.
    fn range(&self, canvas: &Canvas) -> [f64; 2] {
        let ends = || self.rows.iter().flat_map(|(_, row)| [row.low, row.high]);
        let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
        let size = (high - low).max(1.0);
        [low - 0.05 * size, high + canvas.number * size]
    }

    fn rows<'a>(&'a self, canvas: &'a Canvas) -> NamedRows<'a> {
        NamedRows {
            names: self.rows.iter().map(|(name, _)| name.as_str()).collect(),
            bars: 1,
            canvas,
        }
    }

    /// What needs a word: the rows have their names.
    fn entries(&self) -> Vec<LegendEntry> {
        let here = LegendEntry {
            name: "here".into(),
            symbol: Symbol::Line(Tone::Series(0)),
        };
        let marks = self.marks.entry().into_iter();
        let marks = marks.flat_map(|marks| [here.clone(), marks]);
        let baseline = self.baseline.iter().map(Threshold::entry);
        marks.chain(baseline).collect()
    }
}

impl Drawing for RowChart {
    fn title(&self) -> &str {
        &self.title
    }

    fn height(&self, canvas: &Canvas) -> u32 {
        self.rows(canvas).height() + legend::height(&self.entries(), canvas)
    }

    fn draw(&self, area: &Area, canvas: &Canvas) -> Result<(), ChartError> {
        let above = legend::draw(area, &self.entries(), canvas)?;
        let rows = self.rows(canvas);
        let [low, high] = self.range(canvas);
        let x = low..high;
        let mut chart = rows.chart(&above, x, low, &self.x_title, self.x_label)?;
        if let Some(Threshold { value, .. }) = &self.baseline {
            let ends = [rows.range().start, rows.range().end].map(|y| (*value, y));
            chart.draw_series(dashes(ends)).map_err(cannot)?;
        }
        let colour = Tone::Series(0).on_paper();
        let values = || {
            let values = self.rows.iter().enumerate();
            values.map(|(row, (_, value))| (rows.middle(row, 0), *value))
        };
        let bars = values().map(|(y, row)| {
            let Measured { value, low, high } = row;
            ErrorBar::new_horizontal(y, low, value, high, colour.filled(), 2 * CAP as u32)
        });
        chart.draw_series(bars).map_err(cannot)?;
        let marks = self.marks.points.iter();
        let marks = marks.map(|&(row, value)| diamond!((value, rows.middle(row, 0))));
        chart.draw_series(marks).map_err(cannot)?;
        let texts = values().map(|(y, row)| {
            let right = Pos::new(HPos::Left, VPos::Center);
            let style = TextStyle::from((FONT, canvas.label).into_font()).pos(right);
            let text = Text::new((self.x_label)(row.value), (11, 0), style);
            EmptyElement::at((row.high, y)) + text
        });
        chart.draw_series(texts).map_err(cannot)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas::WIDE;
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
        shows(&chart.picture().unwrap(), "Title", &texts);
        let [low, high] = chart.range(&WIDE);
        assert!(low < 0.0 && high > 1100.0);
    }
}
