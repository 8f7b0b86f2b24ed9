//! Bars in groups on a logarithmic scale.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::legend::{self, LegendEntry, Symbol};
use super::{
    Area, CAP, ChartError, FONT, HEIGHT, LABEL_SIZE, Measured, Series, TITLE_SIZE, cannot, colour,
    label_at, picture, set_look,
};

/// A chart of bars in groups, on a logarithmic scale.
pub struct BarChart {
    pub title: String,
    pub y_title: String,
    pub y_label: fn(f64) -> String,
    /// One label for each group of bars.
    pub groups: Vec<String>,
    /// The bars of one colour: a value for each group, above 0.
    pub series: Vec<Series>,
}

/// One bar: where it begins along the x axis, and its value.
type Bar = (f64, Measured);

impl BarChart {
    /// The chart as an SVG picture.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn svg(&self) -> Result<String, ChartError> {
        picture(HEIGHT, |area| self.draw(area))
    }

    /// The powers of ten around all bars.
    fn range(&self) -> [f64; 2] {
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
        let power = |exponent: f64| 10f64.powf(exponent);
        [
            power(low.log10().floor()),
            power((high * 2.0).log10().ceil()),
        ]
    }

    fn draw(&self, area: &Area) -> Result<(), ChartError> {
        let area = legend::draw(area, &self.entries())?;
        let groups = self.groups.len() as f64;
        let [bottom, top] = self.range();
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, (FONT, TITLE_SIZE))
            .margin(16)
            .x_label_area_size(38)
            .y_label_area_size(86)
            .build_cartesian_2d(-0.5..groups - 0.5, (bottom..top).log_scale())
            .map_err(cannot)?;
        let mut mesh = chart.configure_mesh();
        set_look(&mut mesh);
        mesh.disable_x_mesh()
            .y_desc(&self.y_title)
            .x_labels(self.groups.len() + 1)
            .x_label_formatter(&|&x| label_at(&self.groups, x))
            .y_label_formatter(&|&y| (self.y_label)(y))
            .draw()
            .map_err(cannot)?;
        let width = self.width();
        for index in 0..self.series.len() {
            let bars = self.bars(index);
            let boxes = bars.iter().map(|&(left, bar)| {
                let corners = [(left + 0.02, bottom), (left + width - 0.02, bar.value)];
                Rectangle::new(corners, colour(index).filled())
            });
            chart.draw_series(boxes).map_err(cannot)?;
            let measured = |bar: &&Bar| bar.1.low > 0.0 && bar.1.low < bar.1.high;
            for &(left, bar) in bars.iter().filter(measured) {
                let middle = left + width / 2.0;
                let line = PathElement::new([(middle, bar.low), (middle, bar.high)], BLACK);
                chart.draw_series([line]).map_err(cannot)?;
                let ends = [bar.low, bar.high].map(|end| {
                    EmptyElement::at((middle, end)) + PathElement::new([(-CAP, 0), (CAP, 0)], BLACK)
                });
                chart.draw_series(ends).map_err(cannot)?;
            }
            let texts = bars.iter().map(|&(left, bar)| {
                let above = Pos::new(HPos::Center, VPos::Bottom);
                let style = (FONT, LABEL_SIZE).into_text_style(&area).pos(above);
                let text = Text::new((self.y_label)(bar.value), (0, -6), style);
                EmptyElement::at((left + width / 2.0, bar.high)) + text
            });
            chart.draw_series(texts).map_err(cannot)?;
        }
        Ok(())
    }

    /// The width of a bar, where the groups are 1 apart.
    fn width(&self) -> f64 {
        0.8 / self.series.len() as f64
    }

    fn bars(&self, index: usize) -> Vec<Bar> {
        let left = |group: usize| group as f64 - 0.4 + self.width() * index as f64;
        let values = self.series[index].values.iter().enumerate();
        values
            .filter_map(|(group, value)| Some((left(group), (*value)?)))
            .collect()
    }

    fn entries(&self) -> Vec<LegendEntry> {
        let series = self.series.iter().enumerate();
        series
            .map(|(index, series)| LegendEntry {
                name: series.name.clone(),
                symbol: Symbol::Box(colour(index)),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{lines, shows};
    use super::super::text::time;
    use super::*;

    #[test]
    fn bar_charts_show_every_value() {
        let chart = BarChart {
            title: "Title".into(),
            y_title: "time a game".into(),
            y_label: time,
            groups: ["A", "B", "C"].map(String::from).into(),
            series: lines(),
        };
        let svg = chart.svg().unwrap();
        shows(
            &svg,
            &[
                "Title",
                "time a game",
                "A",
                "B",
                "C",
                "one &amp; two",
                "other",
            ],
        );
        shows(&svg, &["100 ms", "200 ms", "300 ms", "600 ms"]);
        assert_eq!(chart.range(), [0.01, 10.0]);
    }
}
