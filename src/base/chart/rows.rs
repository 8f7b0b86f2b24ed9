//! Rows with a name each: beside them, or above them where the page is narrow.

use std::ops::Range;

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::Canvas;
use super::{Area, ChartError, FONT, cannot, label_at, set_look};

/// The height of a bar with what lies between it and the next, in pixels.
const BAR: u32 = 22;
/// The height of a name that stands above its row.
const NAME: u32 = 20;
/// What lies between two rows.
const GAP: u32 = 12;

/// The rows of a chart, from the top down, with as many bars each.
pub struct NamedRows<'a> {
    pub names: Vec<&'a str>,
    pub bars: usize,
    pub canvas: &'a Canvas,
}

/// A chart of rows.
pub type RowContext<'a, 'b, X> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, RangedCoordf64>>;

impl NamedRows<'_> {
    /// The height of the chart, without legend.
    pub fn height(&self) -> u32 {
        let canvas = self.canvas;
        self.names.len() as u32 * self.row_height() + canvas.x_area + 2 * canvas.margin
    }

    fn row_height(&self) -> u32 {
        self.name_height() + BAR * self.bars as u32 + GAP
    }

    fn name_height(&self) -> u32 {
        self.canvas.names.map_or(NAME, |_| 0)
    }

    /// The y axis, which goes up while the rows go down.
    pub fn range(&self) -> Range<f64> {
        -0.5..self.names.len() as f64 - 0.5
    }

    /// The y coordinate so many pixels below the top of a row.
    fn below(&self, row: usize, pixels: f64) -> f64 {
        let top = (self.names.len() - row) as f64 - 0.5;
        top - pixels / f64::from(self.row_height())
    }

    /// The middle of a bar.
    pub fn middle(&self, row: usize, bar: usize) -> f64 {
        let [above, half] = [GAP / 2 + self.name_height() + BAR * bar as u32, BAR / 2];
        self.below(row, f64::from(above + half))
    }

    /// The lower and the upper edge of a bar.
    pub fn edges(&self, row: usize, bar: usize) -> [f64; 2] {
        let half = f64::from(BAR / 2 - 1) / f64::from(self.row_height());
        let middle = self.middle(row, bar);
        [middle - half, middle + half]
    }

    /// A chart over `x` with its grid and the names drawn, of which those above the
    /// rows begin at `left`.
    pub fn chart<'a, 'b, X>(
        &self,
        area: &'a Area<'b>,
        x: X,
        left: f64,
        x_title: &str,
        x_label: fn(f64) -> String,
    ) -> Result<RowContext<'a, 'b, X::CoordDescType>, ChartError>
    where
        X: AsRangedCoord<Value = f64>,
        X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let mut chart = ChartBuilder::on(area)
            .margin(self.canvas.margin)
            .x_label_area_size(self.canvas.x_area)
            .y_label_area_size(self.canvas.names.unwrap_or(0))
            .build_cartesian_2d(x, self.range())
            .map_err(cannot)?;
        let mut upwards: Vec<String> = self.names.iter().map(|&name| name.into()).collect();
        upwards.reverse();
        let beside = self.canvas.names.is_some();
        let label = |y: &f64| match beside {
            true => label_at(&upwards, *y),
            false => String::new(),
        };
        let x_label = |x: &f64| x_label(*x);
        let mut mesh = chart.configure_mesh();
        set_look(&mut mesh, self.canvas);
        mesh.x_desc(x_title)
            .x_labels(self.canvas.ticks)
            .y_labels(self.names.len() + 1)
            .y_label_formatter(&label)
            .x_label_formatter(&x_label);
        if !beside {
            mesh.disable_y_mesh();
        }
        mesh.draw().map_err(cannot)?;
        if beside {
            return Ok(chart);
        }
        let texts = self.names.iter().enumerate().map(|(row, &name)| {
            let above = Pos::new(HPos::Left, VPos::Center);
            let style = TextStyle::from((FONT, self.canvas.label).into_font()).pos(above);
            let y = self.below(row, f64::from(GAP + NAME) / 2.0);
            EmptyElement::at((left, y)) + Text::new(name.to_string(), (3, 0), style)
        });
        chart.draw_series(texts).map_err(cannot)?;
        Ok(chart)
    }
}
