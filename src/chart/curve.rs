//! Curves over numbers, with named levels.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::legend::{self, LegendEntry, Symbol};
use super::text::number;
use super::{
    Area, ChartError, FONT, HEIGHT, LABEL_SIZE, TITLE_SIZE, cannot, colour, picture, set_look,
};

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

/// A horizontal line with a name, such as a bound.
pub struct Threshold {
    pub name: String,
    pub value: f64,
}

impl CurveChart {
    /// The chart as an SVG picture; `None` if no curve has a point.
    ///
    /// # Errors
    /// If the drawing library refuses it.
    pub fn svg(&self) -> Result<Option<String>, ChartError> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let levels = self.levels.iter().map(|level| level.value);
        let x = range(points().map(|point| point[0]));
        let y = range(points().map(|point| point[1]).chain(levels));
        match (points().next(), x, y) {
            (Some(_), Some(x), Some(y)) => picture(HEIGHT, |area| self.draw(area, x, y)).map(Some),
            _ => Ok(None),
        }
    }

    fn draw(&self, area: &Area, x: [f64; 2], y: [f64; 2]) -> Result<(), ChartError> {
        // A single curve is named by the title.
        let below = match self.curves.as_slice() {
            [_] => area.clone(),
            _ => legend::draw(area, &self.entries())?,
        };
        let mut chart = ChartBuilder::on(&below)
            .caption(&self.title, (FONT, TITLE_SIZE))
            .margin(16)
            .x_label_area_size(58)
            .y_label_area_size(78)
            .build_cartesian_2d(x[0]..x[1], y[0]..y[1])
            .map_err(cannot)?;
        let mut mesh = chart.configure_mesh();
        set_look(&mut mesh);
        mesh.x_desc(&self.x_title)
            .y_desc(&self.y_title)
            .x_label_formatter(&|&x| number(x))
            .y_label_formatter(&|&y| number(y))
            .draw()
            .map_err(cannot)?;
        for Threshold { name, value } in &self.levels {
            let ends = [(x[0], *value), (x[1], *value)];
            let line = DashedLineSeries::new(ends, 7, 5, BLACK.mix(0.55).stroke_width(2));
            chart.draw_series(line).map_err(cannot)?;
            let above = Pos::new(HPos::Left, VPos::Bottom);
            let style = (FONT, LABEL_SIZE).into_text_style(&below).pos(above);
            let text = EmptyElement::at((x[0], *value)) + Text::new(name.clone(), (6, -4), style);
            chart.draw_series([text]).map_err(cannot)?;
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let points = curve.points.iter().map(|&[x, y]| (x, y));
            let line = LineSeries::new(points, colour(index).stroke_width(2));
            chart.draw_series(line).map_err(cannot)?;
        }
        Ok(())
    }

    fn entries(&self) -> Vec<LegendEntry> {
        let curves = self.curves.iter().enumerate();
        let entries = curves.map(|(index, curve)| LegendEntry {
            name: curve.name.clone(),
            symbol: Symbol::Line(colour(index)),
        });
        entries.collect()
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
        let svg = chart(vec![[1.0, 0.0], [2.0, 1.0]]).svg().unwrap().unwrap();
        let texts = [
            "Title",
            "games",
            "points",
            "one &amp; two",
            "other",
            "bound",
        ];
        shows(&svg, &texts);
        assert_eq!(
            svg.matches("<polyline fill=\"none\" opacity=\"1\" stroke=\"#0072B2\"")
                .count(),
            2
        );
    }

    #[test]
    fn without_points_there_is_no_chart() {
        assert_eq!(chart(Vec::new()).svg().unwrap(), None);
        assert!(chart(vec![[1.0, 5.0]]).svg().unwrap().is_some());
    }

    #[test]
    fn a_range_has_room() {
        assert_eq!(range([0.0, 10.0, 5.0].into_iter()), Some([-0.5, 10.5]));
        assert_eq!(range([4.0].into_iter()), Some([3.0, 5.0]));
        assert_eq!(range(std::iter::empty()), None);
    }
}
