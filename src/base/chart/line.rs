//! Lines with error bars over labelled places.

use plotters::prelude::*;

use super::canvas::Canvas;
use super::legend::{self, LegendEntry, Symbol, diamond};
use super::picture::{Drawing, picture};
use super::shape::draw_line;
use super::{
    Area, CAP, ChartError, Marks, Measured, Picture, Series, Threshold, Tone, cannot, dashes,
    label_at, set_look,
};

/// A chart of lines over labelled places.
pub struct LineChart {
    pub title: String,
    pub x_title: String,
    pub y_title: String,
    /// One label for each place along the x axis.
    pub labels: Vec<String>,
    /// What the y axis shows at least; it shows all error bars whole.
    pub y: [f64; 2],
    /// How the numbers along the y axis are written.
    pub y_label: fn(f64) -> String,
    pub lines: Vec<Series>,
    pub marks: Marks,
    /// A value that means "no better than chance".
    pub baseline: Option<Threshold>,
}

impl LineChart {
    /// Draws the chart.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn picture(&self) -> Result<Picture, ChartError> {
        picture(self)
    }

    /// The labels, as many of them as there is room for, the last one always.
    fn shown_labels(&self, canvas: &Canvas) -> Vec<String> {
        let letters = self.labels.iter().map(|label| label.chars().count());
        let width = canvas.letter * (letters.max().unwrap_or(0) as i32 + 1);
        let fit = (canvas.plot_width() / width).max(1) as usize;
        let every = self.labels.len().div_ceil(fit).max(1);
        let labels = self.labels.iter().enumerate();
        let shown = |index: usize| (self.labels.len() - 1 - index).is_multiple_of(every);
        labels
            .map(|(index, label)| match shown(index) {
                true => label.clone(),
                false => String::new(),
            })
            .collect()
    }

    /// What the y axis shows.
    fn range(&self) -> [f64; 2] {
        let values = self.lines.iter().flat_map(|line| &line.values).flatten();
        let [low, high] = self.y;
        values.fold([low, high], |[low, high], value| {
            [low.min(value.low), high.max(value.high)]
        })
    }

    /// The points of each line, those of one place a little beside each
    /// other, so that no error bar hides another.
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

    fn entries(&self) -> Vec<LegendEntry> {
        let lines = self
            .lines
            .iter()
            .enumerate()
            .map(|(index, line)| LegendEntry {
                name: line.name.clone(),
                symbol: Symbol::Line(Tone::Series(index)),
            });
        let baseline = self.baseline.iter().map(Threshold::entry);
        lines.chain(self.marks.entry()).chain(baseline).collect()
    }
}

impl Drawing for LineChart {
    fn title(&self) -> &str {
        &self.title
    }

    fn height(&self, canvas: &Canvas) -> u32 {
        canvas.height + legend::height(&self.entries(), canvas)
    }

    fn draw(&self, area: &Area, canvas: &Canvas) -> Result<(), ChartError> {
        let area = legend::draw(area, &self.entries(), canvas)?;
        let places = self.labels.len() as f64;
        let [low, high] = self.range();
        let mut chart = ChartBuilder::on(&area)
            .margin(canvas.margin)
            .x_label_area_size(canvas.x_area)
            .y_label_area_size(canvas.y_area)
            .build_cartesian_2d(-0.5..places - 0.5, low..high)
            .map_err(cannot)?;
        let labels = self.shown_labels(canvas);
        let mut mesh = chart.configure_mesh();
        set_look(&mut mesh, canvas);
        mesh.disable_x_mesh()
            .x_desc(&self.x_title)
            .y_desc(&self.y_title)
            .x_labels(self.labels.len() + 1)
            .x_label_formatter(&|&x| label_at(&labels, x))
            .y_label_formatter(&|&y| (self.y_label)(y))
            .draw()
            .map_err(cannot)?;
        if let Some(Threshold { value, .. }) = &self.baseline {
            let ends = [(-0.5, *value), (places - 0.5, *value)];
            chart.draw_series(dashes(ends)).map_err(cannot)?;
        }
        for (index, points) in self.points().into_iter().enumerate() {
            let colour = Tone::Series(index).on_paper();
            let path = points.iter().map(|&(x, measured)| (x, measured.value));
            draw_line(&mut chart, path.collect(), Tone::Series(index))?;
            let bars = points.iter().map(|&(x, measured)| {
                let Measured { value, low, high } = measured;
                ErrorBar::new_vertical(x, low, value, high, colour.filled(), 2 * CAP as u32)
            });
            chart.draw_series(bars).map_err(cannot)?;
        }
        let marks = self.marks.points.iter();
        chart
            .draw_series(marks.map(|&(place, y)| diamond!((place as f64, y))))
            .map_err(cannot)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{NARROW, WIDE};
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
        let picture = chart.picture().unwrap();
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
        let shown = |canvas: &Canvas| -> Vec<String> {
            let labels = chart.shown_labels(canvas).into_iter();
            labels.filter(|label| !label.is_empty()).collect()
        };
        assert_eq!(shown(&WIDE)[0], "3000");
        assert_eq!(
            shown(&NARROW),
            ["5000", "10000", "15000", "20000", "25000", "30000"]
        );
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
    }
}
