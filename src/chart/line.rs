//! Lines with error bars over labelled places.

use plotters::prelude::*;

use super::legend::{self, LegendEntry, Symbol, diamond};
use super::{
    Area, CAP, ChartError, FONT, HEIGHT, Measured, Series, TITLE_SIZE, cannot, colour, label_at,
    picture, set_look,
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
    /// Whether the points of a line are joined: not if the places have no
    /// order.
    pub joined: bool,
    pub lines: Vec<Series>,
    pub marks: Marks,
    /// A value that means "no better than chance", and its name.
    pub baseline: Option<(f64, String)>,
}

/// Values that the study gives, to be drawn beside ours.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    pub name: String,
    /// The place along the x axis, and the value.
    pub points: Vec<(usize, f64)>,
}

impl LineChart {
    /// The chart as an SVG picture.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn svg(&self) -> Result<String, ChartError> {
        picture(HEIGHT, |area| self.draw(area))
    }

    fn draw(&self, area: &Area) -> Result<(), ChartError> {
        let area = legend::draw(area, &self.entries())?;
        let places = self.labels.len() as f64;
        let [low, high] = self.range();
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, (FONT, TITLE_SIZE))
            .margin(16)
            .x_label_area_size(58)
            .y_label_area_size(78)
            .build_cartesian_2d(-0.5..places - 0.5, low..high)
            .map_err(cannot)?;
        let mut mesh = chart.configure_mesh();
        set_look(&mut mesh);
        mesh.disable_x_mesh()
            .x_desc(&self.x_title)
            .y_desc(&self.y_title)
            .x_labels(self.labels.len() + 1)
            .x_label_formatter(&|&x| label_at(&self.labels, x))
            .y_label_formatter(&|&y| (self.y_label)(y))
            .draw()
            .map_err(cannot)?;
        if let Some((value, _)) = &self.baseline {
            let style = BLACK.mix(0.55).stroke_width(2);
            let ends = [(-0.5, *value), (places - 0.5, *value)];
            let line = DashedLineSeries::new(ends, 7, 5, style);
            chart.draw_series(line).map_err(cannot)?;
        }
        for (index, points) in self.points().into_iter().enumerate() {
            let colour = colour(index);
            let path = points.iter().map(|&(x, measured)| (x, measured.value));
            if self.joined {
                let line = LineSeries::new(path, colour.stroke_width(2));
                chart.draw_series(line).map_err(cannot)?;
            }
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
                symbol: Symbol::Line(colour(index)),
            });
        let marks = (!self.marks.points.is_empty()).then(|| LegendEntry {
            name: self.marks.name.clone(),
            symbol: Symbol::Diamond,
        });
        let baseline = self.baseline.iter().map(|(_, name)| LegendEntry {
            name: name.clone(),
            symbol: Symbol::Dashes,
        });
        lines.chain(marks).chain(baseline).collect()
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
            joined: true,
            lines: lines(),
            marks: Marks {
                name: "the study".into(),
                points: vec![(1, 0.5)],
            },
            baseline: Some((0.5, "chance".into())),
        };
        let svg = chart.svg().unwrap();
        shows(
            &svg,
            &[
                "Title",
                "depth (plies)",
                "win rate",
                "1",
                "10",
                "100",
                "50%",
            ],
        );
        shows(&svg, &["one &amp; two", "other", "the study", "chance"]);
        // One point of each line was not measured.
        let points = chart.points();
        assert_eq!(points.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        assert!(points[0][0].0 < 0.0 && points[1][0].0 > 0.0);
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
            joined: false,
            lines,
            marks: Marks::default(),
            baseline: None,
        };
        assert_eq!(chart.range(), [-0.3, 1.4]);
    }
}
