//! A chart drawn: as a file of its own, and as a part of a page.

use plotters::prelude::*;

use super::canvas::{Canvas, NARROW, WIDE};
use super::tone::follow_page;
use super::{Area, ChartError, FONT, cannot};
use crate::markup::escape;

/// A drawn chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// A file of its own: with the title, in colours for white paper, which it
    /// brings with it.
    pub svg: String,
    /// A part of a page that has the style [`CHART_STYLE`](super::CHART_STYLE), for
    /// a `figure`: in the colours of the page, drawn once for wide and once for
    /// narrow pages, of which the style shows one.
    pub html: String,
}

/// What can be drawn.
pub trait Drawing {
    fn title(&self) -> &str;
    /// Its height without the title.
    fn height(&self, canvas: &Canvas) -> u32;
    fn draw(&self, area: &Area, canvas: &Canvas) -> Result<(), ChartError>;
}

/// The room for the title.
const TITLE_HEIGHT: u32 = 44;

/// Draws a chart for all places where it may be shown.
pub fn picture(drawing: &impl Drawing) -> Result<Picture, ChartError> {
    let size = |height: u32| (WIDE.width, height);
    let mut svg = String::new();
    {
        let height = TITLE_HEIGHT + drawing.height(&WIDE);
        let area = SVGBackend::with_string(&mut svg, size(height)).into_drawing_area();
        area.fill(&WHITE).map_err(cannot)?;
        let (_, below) = area.split_vertically(TITLE_HEIGHT as i32 - WIDE.margin as i32);
        let titled = area.titled(drawing.title(), (FONT, WIDE.title));
        titled.map_err(cannot)?;
        drawing.draw(&below, &WIDE)?;
        area.present().map_err(cannot)?;
    }
    let title = escape(drawing.title());
    let html = format!(
        "<p class=\"chart-title\">{title}</p>\n{}{}",
        in_page(drawing, "wide", &WIDE)?,
        in_page(drawing, "narrow", &NARROW)?
    );
    Ok(Picture { svg, html })
}

/// The picture without title and paper, which the page has.
fn in_page(drawing: &impl Drawing, class: &str, canvas: &Canvas) -> Result<String, ChartError> {
    let (width, height) = (canvas.width, drawing.height(canvas));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        drawing.draw(&area, canvas)?;
        area.present().map_err(cannot)?;
    }
    let shapes = svg.split_once('>').map_or("", |(_, shapes)| shapes);
    Ok(format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">{}",
        escape(drawing.title()),
        follow_page(shapes)
    ))
}
