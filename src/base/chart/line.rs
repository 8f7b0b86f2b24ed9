//! Lines with error bars over labelled places.

use super::plot::{Places, Plot, PlotShape, Symbol};
use super::{Marks, Measured, Picture, Series, Threshold, Tone};

/// A chart of lines over labelled places.
pub(crate) struct LineChart {
    /// The heading above the chart.
    pub title: String,
    /// What the labels along the x axis name.
    pub x_title: String,
    /// What the y axis measures, with its unit.
    pub y_title: String,
    /// One label for each place along the x axis.
    pub labels: Vec<String>,
    /// What the y axis shows at least; it shows all error bars whole.
    pub y: [f64; 2],
    /// How the numbers along the y axis are written.
    pub y_label: fn(f64) -> String,
    /// One line each, with a value for every label.
    pub lines: Vec<Series>,
    /// Values of the study, drawn as points; empty if there are none.
    pub marks: Marks,
    /// A value that means "no better than chance".
    pub baseline: Option<Threshold>,
}

impl LineChart {
    /// Draws the chart.
    pub(crate) fn picture(&self) -> Picture {
        let titles = [&self.title, &self.x_title, &self.y_title].map(String::as_str);
        let labels = Places::Labels(self.labels.clone());
        let mut plot = Plot::new(titles, labels, self.range(), self.y_label);
        for (index, (line, points)) in self.lines.iter().zip(self.points()).enumerate() {
            let tone = Tone::Series(index);
            plot.legend.push((line.name.clone(), Symbol::Line(tone)));
            let path = points
                .iter()
                .map(|(place, it)| [*place, it.value])
                .collect();
            plot.shapes
                .push(PlotShape::Line(tone, path, line.name.clone()));
            for (place, measured) in points {
                let hover = plot.hover(&line.name, &measured);
                plot.shapes
                    .push(PlotShape::Interval(tone, place, measured, hover));
            }
        }
        plot.mark(&self.marks);
        plot.baseline(self.baseline.as_ref());
        plot.picture()
    }

    /// What the y axis shows.
    fn range(&self) -> [f64; 2] {
        let values = self.lines.iter().flat_map(|line| &line.values).flatten();
        let [low, high] = self.y;
        values.fold([low, high], |[low, high], value| {
            [low.min(value.low), high.max(value.high)]
        })
    }

    /// The points of each line. Points at the same place are moved apart a little, so no
    /// error bar hides another.
    fn points(&self) -> Vec<Vec<(f64, Measured)>> {
        let middle = (self.lines.len() as f64 - 1.0) / 2.0;
        let lines = self.lines.iter().enumerate();
        lines
            .map(|(index, line)| {
                let offset = 0.06 * (index as f64 - middle);
                let values = line.values.iter().enumerate();
                values
                    .filter_map(|(place, value)| Some((place as f64 + offset, (*value)?)))
                    .collect()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{lines, shows};
    use super::super::text::percent;
    use super::*;

    #[test]
    fn line_charts_name_everything() {
        let chart = LineChart {
            title: "Title".into(),
            x_title: "depth (plies)".into(),
            y_title: "win rate".into(),
            labels: ["1", "10", "100"].map(String::from).into(),
            y: [0.0, 1.0],
            y_label: percent,
            lines: lines(),
            marks: Marks {
                name: "the study".into(),
                points: vec![(1, 0.5)],
            },
            baseline: Some(Threshold {
                name: "chance".into(),
                value: 0.5,
            }),
        };
        let picture = chart.picture();
        let texts = ["depth (plies)", "win rate", "1", "10", "100", "50%"];
        shows(&picture, "Title", &texts);
        let names = ["one &amp; two", "other", "the study", "chance"];
        shows(&picture, "Title", &names);
        // One point of each line was not measured.
        let points = chart.points();
        assert_eq!(points.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        assert!(points[0][0].0 < 0.0 && points[1][0].0 > 0.0);
    }

    #[test]
    fn labels_are_left_out_where_they_would_overlap() {
        let labels = (1..=30).map(|label| (1000 * label).to_string());
        let chart = LineChart {
            title: String::new(),
            x_title: String::new(),
            y_title: String::new(),
            labels: labels.collect(),
            y: [0.0, 1.0],
            y_label: percent,
            lines: lines(),
            marks: Marks::default(),
            baseline: None,
        };
        let html = chart.picture().html;
        let (wide, narrow) = html.split_at(html.rfind("<svg").unwrap());
        let shown = |picture: &str| -> Vec<u32> {
            let labels = (1..=30).map(|label| 1000 * label).rev();
            let shown = |label: &u32| picture.contains(&format!(">{label}</text>"));
            labels.filter(shown).collect()
        };
        let thirds: Vec<u32> = (1..=10).map(|third| 3000 * third).rev().collect();
        assert_eq!(shown(wide), thirds);
        assert_eq!(shown(narrow), [30000, 25000, 20000, 15000, 10000, 5000]);
    }

    #[test]
    fn no_error_bar_is_cut_off() {
        let mut lines = lines();
        lines[0].values[0] = Some(Measured {
            value: 0.1,
            low: -0.3,
            high: 1.4,
        });
        let chart = LineChart {
            title: String::new(),
            x_title: String::new(),
            y_title: String::new(),
            labels: ["1", "2", "3"].map(String::from).into(),
            y: [0.0, 1.0],
            y_label: percent,
            lines,
            marks: Marks::default(),
            baseline: None,
        };
        assert_eq!(chart.range(), [-0.3, 1.4]);
        let html = chart.picture().html;
        assert!(html.contains("one &amp; two: 10% (-30% to 140%)</title>"));
    }
}
