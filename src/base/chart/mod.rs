//! Draws charts as SVG.
//!
//! | to see or change | look at |
//! |---|---|
//! | what all charts have: fonts, a measured value | `mod.rs` (here) |
//! | the file and the part of a page that a chart becomes | `picture.rs` |
//! | its sizes on wide and narrow pages | `canvas.rs` |
//! | its colours, in light and dark | `tone.rs`, `chart.css` |
//! | lines and boxes, with dashes and stripes where colours run out | `shape.rs` |
//! | lines with error bars over labelled places | `line.rs` |
//! | curves over numbers, with named levels | `curve.rs` |
//! | rows with a name each | `rows.rs` |
//! | bars on a logarithmic scale | `bar.rs` |
//! | one value with its interval a row | `row.rs` |
//! | one bar a row, divided into parts | `stacked.rs` |
//! | the legend below a chart | `legend.rs` |
//! | how numbers are written | `text.rs` |

mod bar;
mod canvas;
mod curve;
mod legend;
mod line;
mod picture;
mod row;
mod rows;
mod shape;
mod stacked;
mod text;
mod tone;

use std::fmt::Display;

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;

use canvas::Canvas;
use legend::{LegendEntry, Symbol};

pub use bar::BarChart;
pub use curve::{Curve, CurveChart};
pub use line::LineChart;
pub use picture::Picture;
pub use row::RowChart;
pub use stacked::StackedChart;
pub use text::{percent, time, whole};
pub use tone::Tone;

/// The style of charts in pages. It stands behind `markup::LOOK_STYLE`.
pub const CHART_STYLE: &str = include_str!("chart.css");

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

/// A line across a chart with a name, such as a bound.
#[derive(Clone, Debug)]
pub struct Threshold {
    pub name: String,
    pub value: f64,
}

impl Threshold {
    fn entry(&self) -> LegendEntry {
        LegendEntry {
            name: self.name.clone(),
            symbol: Symbol::Dashes,
        }
    }
}

/// Values that the study gives, to be drawn beside ours.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    pub name: String,
    /// The place among the labels or rows, and the value.
    pub points: Vec<(usize, f64)>,
}

impl Marks {
    fn entry(&self) -> Option<LegendEntry> {
        (!self.points.is_empty()).then(|| LegendEntry {
            name: self.name.clone(),
            symbol: Symbol::Diamond,
        })
    }
}

/// The error of a chart that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("a chart cannot be drawn: {0}")]
pub struct ChartError(String);

fn cannot(cause: impl Display) -> ChartError {
    ChartError(cause.to_string())
}

const FONT: &str = "sans-serif";
/// Half the width of the end of an error bar, in pixels.
const CAP: i32 = 5;
/// How strong lines are that only help to read the others.
const GRID: f64 = 0.12;
const AXIS: f64 = 0.6;
const FAINT: f64 = 0.55;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The grid, axes and fonts that all charts have.
fn set_look<X, Y>(mesh: &mut MeshStyle<'_, '_, X, Y, SVGBackend<'_>>, canvas: &Canvas)
where
    X: Ranged + ValueFormatter<<X as Ranged>::ValueType>,
    Y: Ranged + ValueFormatter<<Y as Ranged>::ValueType>,
{
    let ink = Tone::Ink.on_paper();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(ink.mix(GRID))
        .axis_style(ink.mix(AXIS))
        .axis_desc_style((FONT, canvas.axis))
        .label_style((FONT, canvas.label));
}

/// A dashed line from one point to the other.
fn dashes(ends: [(f64, f64); 2]) -> DashedLineSeries<std::array::IntoIter<(f64, f64), 2>, u32> {
    let style = Tone::Ink.on_paper().mix(FAINT).stroke_width(2);
    DashedLineSeries::new(ends, 7, 5, style)
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

    /// Checks that a chart holds each of the texts in an element of its own, in
    /// its file and for each width of a page.
    pub fn shows(picture: &Picture, title: &str, texts: &[&str]) {
        let Picture { svg, html } = picture;
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.lines().any(|line| line.trim() == title));
        assert!(html.contains(&format!("<p class=\"chart-title\">{title}</p>")));
        let fixed = html.matches("=\"#").count();
        assert_eq!(fixed, 0, "a colour that no page can change: {html}");
        for (shown, times) in [(svg, 1), (html, 2)] {
            for text in texts {
                let found = shown.lines().filter(|line| line.trim() == *text);
                assert!(found.count() >= times, "no {text} in {shown}");
            }
        }
    }
}
