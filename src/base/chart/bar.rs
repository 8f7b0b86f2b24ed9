//! Bars in groups on a logarithmic scale.

use super::plot::{Places, Plot, PlotShape, Symbol};
use super::{Picture, Series, Tone};

/// A chart of bars in groups, on a logarithmic scale.
pub(crate) struct BarChart {
    /// The heading above the chart.
    pub title: String,
    /// What the x axis measures, with its unit.
    pub x_title: String,
    /// Writes the numbers along the x axis.
    pub x_label: fn(f64) -> String,
    /// One label for each group of bars, from the top down.
    pub groups: Vec<String>,
    /// The bars of one colour: a value for each group, above 0.
    pub series: Vec<Series>,
}

impl BarChart {
    /// Draws the chart.
    pub(crate) fn picture(&self) -> Picture {
        let places = Places::Rows(self.groups.clone(), self.series.len());
        let range = self.range();
        let titles = [&self.title, "", &self.x_title];
        let mut plot = Plot::new(titles, places, range, self.x_label);
        plot.log = true;
        for (index, series) in self.series.iter().enumerate() {
            let tone = Tone::Series(index);
            plot.legend.push((series.name.clone(), Symbol::Box(tone)));
            for (row, bar) in series.values.iter().enumerate() {
                let Some(mut bar) = *bar else { continue };
                let place = (row * self.series.len() + index) as f64;
                let hover = plot.hover(&series.name, &bar);
                let ends = [range[0], bar.value];
                plot.shapes
                    .push(PlotShape::Bar(tone, place, ends, hover.clone()));
                // Without an interval that the scale can show there is only the value.
                if bar.low <= 0.0 {
                    [bar.low, bar.high] = [bar.value; 2];
                }
                plot.shapes
                    .push(PlotShape::Interval(Tone::Ink, place, bar, hover));
            }
        }
        plot.picture()
    }

    /// From the power of ten below all bars to the longest.
    fn range(&self) -> [f64; 2] {
        let bars = self.series.iter().flat_map(|series| &series.values);
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
        [10f64.powf(low.log10().floor()), high]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Measured;
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
        let picture = chart.picture();
        shows(&picture, "Title", &texts);
        let values = ["100 ms", "200 ms", "300 ms", "600 ms"];
        shows(&picture, "Title", &values);
        let [low, high] = chart.range();
        assert!(
            (low - 0.01).abs() < 1e-12 && (high - 0.66).abs() < 1e-12,
            "{high}"
        );
    }

    #[test]
    fn numbers_at_the_ends_are_not_cut_off() {
        for low in [1e-6, 1e-3, 0.02, 0.5] {
            for high in [1.0, 3.0, 49.0, 319.0, 900.0] {
                let bars = [low, high].map(|value| Some(Measured::exactly(value)));
                let chart = BarChart {
                    title: "Title".into(),
                    x_title: String::new(),
                    x_label: time,
                    groups: vec!["A".into(), "B".into()],
                    series: vec![Series {
                        name: String::new(),
                        values: bars.into(),
                    }],
                };
                shows(&chart.picture(), "Title", &[&time(low), &time(high)]);
            }
        }
    }
}
