//! Curves over numbers, with named levels.

use super::plot::{Places, Plot, PlotShape, Symbol};
use super::text::number;
use super::{Picture, Threshold, Tone};

/// A chart of curves over numbers.
pub(crate) struct CurveChart {
    /// The heading above the chart.
    pub title: String,
    /// What the x axis measures, with its unit.
    pub x_title: String,
    /// What the y axis measures, with its unit.
    pub y_title: String,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
    /// Horizontal lines across the chart.
    pub levels: Vec<Threshold>,
}

/// A curve through points in the order of their first coordinate.
pub(crate) struct Curve {
    /// The text in the legend.
    pub name: String,
    /// Pairs of x and y, x ascending.
    pub points: Vec<[f64; 2]>,
}

impl CurveChart {
    /// Draws the chart; `None` if no curve has a point.
    pub(crate) fn picture(&self) -> Option<Picture> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let levels = self.levels.iter().map(|level| level.value);
        points().next()?;
        let x = range(points().map(|point| point[0]))?;
        let y = range(points().map(|point| point[1]).chain(levels))?;
        let titles = [&self.title, &self.x_title, &self.y_title].map(String::as_str);
        let mut plot = Plot::new(titles, Places::Numbers(x), y, number);
        for Threshold { name, value } in &self.levels {
            plot.shapes.push(PlotShape::Across(*value, name.clone()));
        }
        for (index, Curve { name, points }) in self.curves.iter().enumerate() {
            let tone = Tone::Series(index);
            // A single curve is named by the title.
            if self.curves.len() > 1 {
                plot.legend.push((name.clone(), Symbol::Line(tone)));
            }
            plot.shapes
                .push(PlotShape::Line(tone, points.clone(), name.clone()));
        }
        Some(plot.picture())
    }
}

/// From the least to the greatest value, with some room; `None` of nothing.
fn range(values: impl Iterator<Item = f64> + Clone) -> Option<[f64; 2]> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    let room = if low < high { 0.05 * (high - low) } else { 1.0 };
    (low <= high).then_some([low - room, high + room])
}

#[cfg(test)]
mod tests {
    use super::super::testing::shows;
    use super::*;

    fn chart(points: Vec<[f64; 2]>) -> CurveChart {
        let curve = |name: &str| Curve {
            name: name.into(),
            points: points.clone(),
        };
        CurveChart {
            title: "Title".into(),
            x_title: "games".into(),
            y_title: "points".into(),
            curves: vec![curve("one & two"), curve("other")],
            levels: vec![Threshold {
                name: "bound".into(),
                value: 3.0,
            }],
        }
    }

    #[test]
    fn curves_and_levels_are_named() {
        let picture = chart(vec![[1.0, 0.0], [2.0, 1.0]]).picture();
        let picture = picture.unwrap();
        let texts = ["games", "points", "one &amp; two", "other", "bound"];
        shows(&picture, "Title", &texts);
        // The curve and its line in the legend, once for each width of a page.
        let lines = |text: &str, colour: &str| {
            let lines = text.lines().filter(|line| line.starts_with("<polyline"));
            lines
                .filter(|line| line.contains(&format!("stroke=\"{colour}\"")))
                .count()
        };
        assert_eq!(lines(&picture.svg, "#0072B2"), 2);
        assert_eq!(lines(&picture.html, "var(--chart-0)"), 4);
    }

    #[test]
    fn without_points_there_is_no_chart() {
        assert_eq!(chart(Vec::new()).picture(), None);
        assert!(chart(vec![[1.0, 5.0]]).picture().is_some());
    }

    #[test]
    fn a_range_has_room() {
        assert_eq!(range([0.0, 10.0, 5.0].into_iter()), Some([-0.5, 10.5]));
        assert_eq!(range([4.0].into_iter()), Some([3.0, 5.0]));
        assert_eq!(range(std::iter::empty()), None);
    }
}
