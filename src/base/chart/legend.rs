//! The legend, below a chart, where it hides nothing.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::Canvas;
use super::shape::{dash_of, stripes_of};
use super::{AXIS, Area, ChartError, FAINT, FONT, Tone, cannot};

/// One thing a legend explains.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    pub name: String,
    pub symbol: Symbol,
}

/// How it is drawn.
#[derive(Clone, Copy, Debug)]
pub enum Symbol {
    Line(Tone),
    Box(Tone),
    Dashes,
    Diamond,
}

/// A hollow diamond at a point: what the study gives.
macro_rules! diamond {
    ($point:expr) => {
        EmptyElement::at($point)
            + PathElement::new(
                [(-8, 0), (0, -8), (8, 0), (0, 8), (-8, 0)],
                Tone::Ink.on_paper().stroke_width(2),
            )
    };
}
pub(super) use diamond;

const ROW_HEIGHT: i32 = 28;
/// The room for a symbol, in pixels.
const SYMBOL: i32 = 44;
/// The radius of a point on a line.
const POINT: i32 = 5;
/// What is left free below the legend.
const BELOW: i32 = 10;

/// The height of a legend; none if there is nothing to explain.
pub fn height(entries: &[LegendEntry], canvas: &Canvas) -> u32 {
    match rows(entries, canvas).len() as i32 {
        0 => 0,
        rows => (ROW_HEIGHT * rows + BELOW) as u32,
    }
}

/// Draws a legend at the bottom of an area and gives back what is left.
pub fn draw<'a>(
    area: &Area<'a>,
    entries: &[LegendEntry],
    canvas: &Canvas,
) -> Result<Area<'a>, ChartError> {
    let (_, whole) = area.dim_in_pixel();
    let above = whole as i32 - height(entries, canvas) as i32;
    let (above, below) = area.split_vertically(above);
    let width = |entry: &LegendEntry| width(entry, canvas);
    for (row, entries) in rows(entries, canvas).iter().enumerate() {
        let y = ROW_HEIGHT * row as i32 + ROW_HEIGHT / 2;
        let widths = entries.iter().map(|entry| width(entry));
        let mut x = ((canvas.width as i32 - widths.sum::<i32>()) / 2).max(0);
        for entry in entries {
            draw_symbol(&below, entry.symbol, (x, y))?;
            let middle = Pos::new(HPos::Left, VPos::Center);
            let style = (FONT, canvas.label).into_text_style(&below).pos(middle);
            let at = (x + SYMBOL - 12, y);
            below
                .draw(&Text::new(entry.name.clone(), at, style))
                .map_err(cannot)?;
            x += width(entry);
        }
    }
    Ok(above)
}

fn width(entry: &LegendEntry, canvas: &Canvas) -> i32 {
    SYMBOL + canvas.letter * entry.name.chars().count() as i32
}

/// The entries, as many in a row as fit.
fn rows<'a>(entries: &'a [LegendEntry], canvas: &Canvas) -> Vec<Vec<&'a LegendEntry>> {
    let mut rows: Vec<Vec<&LegendEntry>> = Vec::new();
    let mut left = 0;
    for entry in entries {
        if width(entry, canvas) > left {
            rows.push(Vec::new());
            left = (canvas.width - 2 * canvas.margin) as i32;
        }
        left -= width(entry, canvas);
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
        Symbol::Line(tone) => {
            let colour = tone.on_paper();
            let [dash, gap] = dash_of(tone).map_or([24, 1], |dash| dash.map(|size| size as i32));
            for start in (0..24).step_by((dash + gap) as usize) {
                path(start, 24.min(start + dash), colour.stroke_width(2))?;
            }
            let point = Circle::new((x + 12, y), POINT, colour.filled());
            area.draw(&point).map_err(cannot)
        }
        Symbol::Box(tone) => {
            let corners = [(x + 5, y - 7), (x + 21, y + 7)];
            let shape = Rectangle::new(corners, tone.on_paper().filled());
            area.draw(&shape).map_err(cannot)?;
            let ink = Tone::Ink.on_paper().mix(AXIS);
            let [(left, top), (right, bottom)] = corners;
            for ends in stripes_of(tone, [right - left, bottom - top]) {
                let ends = ends.map(|(across, down)| (left + across, top + down));
                area.draw(&PathElement::new(ends, ink)).map_err(cannot)?;
            }
            let outline = Tone::Ink.on_paper().mix(FAINT);
            area.draw(&Rectangle::new(corners, outline)).map_err(cannot)
        }
        Symbol::Dashes => {
            let style = Tone::Ink.on_paper().mix(FAINT).stroke_width(2);
            path(0, 7, style)?;
            path(10, 17, style)?;
            path(20, 27, style)
        }
        Symbol::Diamond => area.draw(&diamond!((x + 12, y))).map_err(cannot),
    }
}
