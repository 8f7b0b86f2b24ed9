//! Curves over numbers, with named levels.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::Canvas;
use super::legend::{self, LegendEntry, Symbol};
use super::picture::{Drawing, picture};
use super::shape::draw_line;
use super::text::number;
use super::{Area, ChartError, FONT, Picture, Threshold, Tone, cannot, dashes, set_look};

/// A chart of curves over numbers.
pub struct CurveChart {
    pub title: String,
    pub x_title: String,
    pub y_title: String,
    pub curves: Vec<Curve>,
    pub levels: Vec<Threshold>,
}

/// A curve through points in the order of their first coordinate.
pub struct Curve {
    pub name: String,
    pub points: Vec<[f64; 2]>,
}

impl CurveChart {
    /// Draws the chart; `None` if no curve has a point.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn picture(&self) -> Result<Option<Picture>, ChartError> {
        match self.ranges() {
            None => Ok(None),
            Some(_) => picture(self).map(Some),
        }
    }

    /// What both axes show; `None` without points.
    fn ranges(&self) -> Option<[[f64; 2]; 2]> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        points().next()?;
        let levels = self.levels.iter().map(|level| level.value);
        let x = range(points().map(|point| point[0]))?;
        let y = range(points().map(|point| point[1]).chain(levels))?;
        Some([x, y])
    }

    /// What needs a word: a single curve is named by the title.
    fn entries(&self) -> Vec<LegendEntry> {
        if self.curves.len() == 1 {
            return Vec::new();
        }
        let curves = self.curves.iter().enumerate();
        let entries = curves.map(|(index, curve)| LegendEntry {
            name: curve.name.clone(),
            symbol: Symbol::Line(Tone::Series(index)),
        });
        entries.collect()
    }
}

impl Drawing for CurveChart {
    fn title(&self) -> &str {
        &self.title
    }

    fn height(&self, canvas: &Canvas) -> u32 {
        canvas.height + legend::height(&self.entries(), canvas)
    }

    fn draw(&self, area: &Area, canvas: &Canvas) -> Result<(), ChartError> {
        let Some([x, y]) = self.ranges() else {
            return Ok(());
        };
        let below = legend::draw(area, &self.entries(), canvas)?;
        let mut chart = ChartBuilder::on(&below)
            .margin(canvas.margin)
            .x_label_area_size(canvas.x_area)
            .y_label_area_size(canvas.y_area)
            .build_cartesian_2d(x[0]..x[1], y[0]..y[1])
            .map_err(cannot)?;
        let mut mesh = chart.configure_mesh();
        set_look(&mut mesh, canvas);
        mesh.x_desc(&self.x_title)
            .y_desc(&self.y_title)
            .x_labels(canvas.ticks)
            .x_label_formatter(&|&x| number(x))
            .y_label_formatter(&|&y| number(y))
            .draw()
            .map_err(cannot)?;
        for Threshold { name, value } in &self.levels {
            let ends = [(x[0], *value), (x[1], *value)];
            chart.draw_series(dashes(ends)).map_err(cannot)?;
            let above = Pos::new(HPos::Left, VPos::Bottom);
            let style = (FONT, canvas.label).into_text_style(&below).pos(above);
            let text = EmptyElement::at((x[0], *value)) + Text::new(name.clone(), (6, -4), style);
            chart.draw_series([text]).map_err(cannot)?;
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let points = curve.points.iter().map(|&[x, y]| (x, y));
            draw_line(&mut chart, points.collect(), Tone::Series(index))?;
        }
        Ok(())
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
        let picture = picture.unwrap().unwrap();
        let texts = ["games", "points", "one &amp; two", "other", "bound"];
        shows(&picture, "Title", &texts);
        // The curve and its line in the legend, once for each width of a page.
        let lines = |text: &str, colour: &str| {
            let line = format!("<polyline fill=\"none\" opacity=\"1\" stroke=\"{colour}\"");
            text.matches(&line).count()
        };
        assert_eq!(lines(&picture.svg, "#0072B2"), 2);
        assert_eq!(lines(&picture.html, "var(--chart-0)"), 4);
    }

    #[test]
    fn without_points_there_is_no_chart() {
        assert_eq!(chart(Vec::new()).picture().unwrap(), None);
        assert!(chart(vec![[1.0, 5.0]]).picture().unwrap().is_some());
    }

    #[test]
    fn a_range_has_room() {
        assert_eq!(range([0.0, 10.0, 5.0].into_iter()), Some([-0.5, 10.5]));
        assert_eq!(range([4.0].into_iter()), Some([3.0, 5.0]));
        assert_eq!(range(std::iter::empty()), None);
    }
}
