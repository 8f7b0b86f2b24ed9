//! Draws charts as SVG.
//!
//! | to see or change | look at |
//! |---|---|
//! | what all charts have: colours, fonts, a measured value | `mod.rs` (here); the colours of endings are in `tournament/report/figures.rs` |
//! | lines with error bars over labelled places | `line.rs` |
//! | curves over numbers, with named levels | `curve.rs` |
//! | bars on a logarithmic scale | `bar.rs` |
//! | one value with its interval a row | `row.rs` |
//! | one bar a row, divided into parts | `stacked.rs` |
//! | the legend below a chart | `legend.rs` |
//! | how numbers are written | `text.rs` |

mod bar;
mod curve;
mod legend;
mod line;
mod row;
mod stacked;
mod text;

use std::fmt::Display;

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;

pub use bar::BarChart;
pub use curve::{Curve, CurveChart, Threshold};
pub use line::{LineChart, Marks};
pub use row::RowChart;
pub use stacked::StackedChart;
pub use text::{percent, time};

pub use plotters::style::RGBColor;

/// A measured value with its 95% confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Measured {
    /// A value that is known.
    pub const fn exactly(value: f64) -> Self {
        Self {
            value,
            low: value,
            high: value,
        }
    }
}

/// Named values, one for each place along the x axis.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// `None` where nothing was measured.
    pub values: Vec<Option<Measured>>,
}

/// The error of a chart that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("a chart cannot be drawn: {0}")]
pub struct ChartError(String);

fn cannot(cause: impl Display) -> ChartError {
    ChartError(cause.to_string())
}

const WIDTH: u32 = 900;
const HEIGHT: u32 = 500;
const FONT: &str = "sans-serif";
const TITLE_SIZE: u32 = 24;
const AXIS_SIZE: u32 = 19;
const LABEL_SIZE: u32 = 17;
/// Half the width of the end of an error bar, in pixels.
const CAP: i32 = 5;
const GRID: f64 = 0.12;
const AXIS: f64 = 0.6;

/// Colours that people with any colour vision can tell apart (M. Okabe and
/// K. Ito, "Color Universal Design", 2002).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The grid, axes and fonts that all charts have.
fn set_look<X, Y>(mesh: &mut MeshStyle<'_, '_, X, Y, SVGBackend<'_>>)
where
    X: Ranged + ValueFormatter<<X as Ranged>::ValueType>,
    Y: Ranged + ValueFormatter<<Y as Ranged>::ValueType>,
{
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(GRID))
        .axis_style(BLACK.mix(AXIS))
        .axis_desc_style((FONT, AXIS_SIZE))
        .label_style((FONT, LABEL_SIZE));
}

/// Draws into a new SVG picture.
fn picture(
    height: u32,
    draw: impl FnOnce(&Area) -> Result<(), ChartError>,
) -> Result<String, ChartError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        area.fill(&WHITE).map_err(cannot)?;
        draw(&area)?;
        area.present().map_err(cannot)?;
    }
    Ok(svg)
}

/// The label at a place, nothing between places.
fn label_at(labels: &[String], x: f64) -> String {
    let place = x.round();
    match labels.get(place.max(0.0) as usize) {
        Some(label) if (x - place).abs() < 1e-6 && place >= 0.0 => label.clone(),
        _ => String::new(),
    }
}

/// What tests of charts have in common.
#[cfg(test)]
mod testing {
    use super::*;

    pub fn measured(value: f64) -> Measured {
        Measured {
            value,
            low: value * 0.9,
            high: value * 1.1,
        }
    }

    pub fn lines() -> Vec<Series> {
        let line = |name: &str, scale: f64| Series {
            name: name.to_string(),
            values: vec![
                Some(measured(0.1 * scale)),
                None,
                Some(measured(0.3 * scale)),
            ],
        };
        vec![line("one & two", 1.0), line("other", 2.0)]
    }

    /// Checks that the picture holds each of the texts in an element of its
    /// own.
    pub fn shows(svg: &str, texts: &[&str]) {
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for text in texts {
            let found = svg.lines().any(|line| line.trim() == *text);
            assert!(found, "no {text} in {svg}");
        }
    }
}
