//! The legend, below a chart, where it hides nothing.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Area, ChartError, FONT, LABEL_SIZE, WIDTH, cannot};

/// One thing a legend explains.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    pub name: String,
    pub symbol: Symbol,
}

/// How it is drawn.
#[derive(Clone, Copy, Debug)]
pub enum Symbol {
    Line(RGBColor),
    Box(RGBColor),
    Dashes,
    Diamond,
}

/// A hollow diamond at a point: what the study gives.
macro_rules! diamond {
    ($point:expr) => {
        EmptyElement::at($point)
            + PathElement::new(
                [(-8, 0), (0, -8), (8, 0), (0, 8), (-8, 0)],
                BLACK.stroke_width(2),
            )
    };
}
pub(super) use diamond;

const ROW_HEIGHT: i32 = 28;
/// The room for a symbol, in pixels.
const SYMBOL: i32 = 44;
/// The radius of a point on a line.
const POINT: i32 = 5;
/// About the width of a letter, in pixels.
const LETTER: i32 = 8;
const MARGIN: i32 = 30;

/// Draws a legend at the bottom of an area and gives back what is left.
pub fn draw<'a>(area: &Area<'a>, entries: &[LegendEntry]) -> Result<Area<'a>, ChartError> {
    let rows = rows(entries);
    let (_, height) = area.dim_in_pixel();
    let legend_height = ROW_HEIGHT * rows.len() as i32 + 10;
    let (above, below) = area.split_vertically(height as i32 - legend_height);
    for (row, entries) in rows.iter().enumerate() {
        let y = ROW_HEIGHT * row as i32 + ROW_HEIGHT / 2;
        let mut x = (WIDTH as i32 - entries.iter().map(|entry| width(entry)).sum::<i32>()) / 2;
        for entry in entries {
            draw_symbol(&below, entry.symbol, (x, y))?;
            let middle = Pos::new(HPos::Left, VPos::Center);
            let style = (FONT, LABEL_SIZE).into_text_style(&below).pos(middle);
            let at = (x + SYMBOL - 12, y);
            below
                .draw(&Text::new(entry.name.clone(), at, style))
                .map_err(cannot)?;
            x += width(entry);
        }
    }
    Ok(above)
}

fn width(entry: &LegendEntry) -> i32 {
    SYMBOL + LETTER * entry.name.chars().count() as i32
}

/// The entries, as many in a row as fit.
fn rows(entries: &[LegendEntry]) -> Vec<Vec<&LegendEntry>> {
    let mut rows: Vec<Vec<&LegendEntry>> = Vec::new();
    let mut left = 0;
    for entry in entries {
        if width(entry) > left {
            rows.push(Vec::new());
            left = WIDTH as i32 - 2 * MARGIN;
        }
        left -= width(entry);
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    rows
}

fn draw_symbol(area: &Area, symbol: Symbol, (x, y): (i32, i32)) -> Result<(), ChartError> {
    let path = |from: i32, to: i32, style: ShapeStyle| {
        let path = PathElement::new([(x + from, y), (x + to, y)], style);
        area.draw(&path).map_err(cannot)
    };
    match symbol {
        Symbol::Line(colour) => {
            path(0, 24, colour.stroke_width(2))?;
            let point = Circle::new((x + 12, y), POINT, colour.filled());
            area.draw(&point).map_err(cannot)
        }
        Symbol::Box(colour) => {
            let corners = [(x + 5, y - 7), (x + 21, y + 7)];
            let shape = Rectangle::new(corners, colour.filled());
            area.draw(&shape).map_err(cannot)
        }
        Symbol::Dashes => {
            let style = BLACK.mix(0.55).stroke_width(2);
            path(0, 7, style)?;
            path(10, 17, style)?;
            path(20, 27, style)
        }
        Symbol::Diamond => area.draw(&diamond!((x + 12, y))).map_err(cannot),
    }
}
