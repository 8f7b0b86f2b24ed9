//! Bars in groups on a logarithmic scale.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::Canvas;
use super::legend::{self, LegendEntry, Symbol};
use super::picture::{Drawing, picture};
use super::rows::NamedRows;
use super::shape::draw_bar;
use super::{Area, CAP, ChartError, FONT, Measured, Picture, Series, Tone, cannot};

/// A chart of bars in groups, on a logarithmic scale.
pub struct BarChart {
    pub title: String,
    pub x_title: String,
    pub x_label: fn(f64) -> String,
    /// One label for each group of bars, from the top down.
    pub groups: Vec<String>,
    /// The bars of one colour: a value for each group, above 0.
    pub series: Vec<Series>,
}

impl BarChart {
    /// Draws the chart.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn picture(&self) -> Result<Picture, ChartError> {
        picture(self)
    }

    /// The powers of ten around all bars, and room for the last number: that behind
    /// the longest bar, and that of the last power of ten below the axis.
    fn range(&self, canvas: &Canvas) -> [f64; 2] {
        let bars = self.series.iter().flat_map(|series| series.values.iter());
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for bar in bars.flatten() {
            let least = if bar.low > 0.0 {
                bar.low
            } else {
                bar.value / 10.0
            };
            low = low.min(least);
            high = high.max(bar.high);
        }
        let [low, high] = [low.log10().floor(), high.log10()];
        let room = canvas.number * (high - low);
        let high = high + 1.5 * room;
        let last = high.floor();
        // A power of ten too near the end would be cut off: the axis ends before it.
        let high = if high - last < 0.6 * room {
            last - 0.01
        } else {
            high
        };
        [low, high].map(|exponent| 10f64.powf(exponent))
    }

    fn rows<'a>(&'a self, canvas: &'a Canvas) -> NamedRows<'a> {
        NamedRows {
            names: self.groups.iter().map(String::as_str).collect(),
            bars: self.series.len(),
            canvas,
        }
    }

    fn entries(&self) -> Vec<LegendEntry> {
        let series = self.series.iter().enumerate();
        series
            .map(|(index, series)| LegendEntry {
                name: series.name.clone(),
                symbol: Symbol::Box(Tone::Series(index)),
            })
            .collect()
    }
}

impl Drawing for BarChart {
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
        let x = (low..high).log_scale();
        let mut chart = rows.chart(&above, x, low, &self.x_title, self.x_label)?;
        let ink = Tone::Ink.on_paper();
        for (index, series) in self.series.iter().enumerate() {
            for (row, bar) in series.values.iter().enumerate() {
                let Some(bar) = bar else { continue };
                let (y, [bottom, top]) = (rows.middle(row, index), rows.edges(row, index));
                let corners = [(low, bottom), (bar.value, top)];
                draw_bar(&mut chart, corners, Tone::Series(index))?;
                if is_interval(bar) {
                    let line = PathElement::new([(bar.low, y), (bar.high, y)], ink);
                    chart.draw_series([line]).map_err(cannot)?;
                    let ends = [bar.low, bar.high].map(|end| {
                        EmptyElement::at((end, y)) + PathElement::new([(0, -CAP), (0, CAP)], ink)
                    });
                    chart.draw_series(ends).map_err(cannot)?;
                }
                let right = Pos::new(HPos::Left, VPos::Center);
                let style = TextStyle::from((FONT, canvas.label).into_font()).pos(right);
                let text = Text::new((self.x_label)(bar.value), (8, 0), style);
                let text = EmptyElement::at((bar.high, y)) + text;
                chart.draw_series([text]).map_err(cannot)?;
            }
        }
        Ok(())
    }
}

/// Whether there is an interval that a logarithmic scale can show.
fn is_interval(bar: &Measured) -> bool {
    bar.low > 0.0 && bar.low < bar.high
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{NARROW, WIDE};
    use super::super::testing::{lines, shows};
    use super::super::text::time;
    use super::*;

    #[test]
    fn bar_charts_show_every_value() {
        let chart = BarChart {
            title: "Title".into(),
            x_title: "time a game".into(),
            x_label: time,
            groups: ["A", "B", "C"].map(String::from).into(),
            series: lines(),
        };
        let texts = ["time a game", "A", "B", "C", "one &amp; two", "other"];
        let picture = chart.picture().unwrap();
        shows(&picture, "Title", &texts);
        let values = ["100 ms", "200 ms", "300 ms", "600 ms"];
        shows(&picture, "Title", &values);
        for canvas in [WIDE, NARROW] {
            let [low, high] = chart.range(&canvas);
            assert!((low - 0.01).abs() < 1e-12 && high > 0.7, "{high}");
        }
    }

    #[test]
    fn the_last_power_of_ten_has_room() {
        for low in [1e-6, 1e-3, 0.02, 0.5] {
            for high in [1.0, 3.0, 49.0, 319.0, 900.0] {
                let bars = [low, high].map(|value| Some(Measured::exactly(value)));
                let chart = BarChart {
                    title: String::new(),
                    x_title: String::new(),
                    x_label: time,
                    groups: vec!["A".into(), "B".into()],
                    series: vec![Series {
                        name: String::new(),
                        values: bars.into(),
                    }],
                };
                for canvas in [WIDE, NARROW] {
                    let [low, high] = chart.range(&canvas).map(f64::log10);
                    // Half of a number stands behind its power of ten, without the gap
                    // that there is behind a bar.
                    let behind = (high - high.floor()) / (high - low);
                    assert!(behind > 0.4 * canvas.number, "{low} {high}");
                }
            }
        }
    }
}
