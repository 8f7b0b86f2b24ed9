//! Draws charts as SVG.
//!
//! | to see or change | look at |
//! |---|---|
//! | shared types: measured values, pictures | `mod.rs` (here) |
//! | what a chart consists of | `parts.rs` |
//! | kinds of charts: lines, curves, rows, bars, stacked bars | `kinds.rs` |
//! | layout on wide and narrow pages | `frame.rs` |
//! | writing shapes as SVG | `svg.rs` |
//! | colours, in light and dark | `tone.rs`, `chart.css` |
//! | formatting numbers | `text.rs` |

mod frame;
mod kinds;
mod parts;
mod svg;
mod text;
mod tone;

pub(crate) use parts::Chart;
pub(crate) use text::{time, whole};
pub(crate) use tone::Tone;

/// The style sheet of charts in pages, for after `markup::LOOK_STYLE`.
pub(crate) const CHART_STYLE: &str = include_str!("chart.css");

/// A measured value with its 95% confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Measured {
    /// The measured value itself.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Measured {
    /// A value without an interval.
    pub(crate) const fn exactly(value: f64) -> Self {
        Self {
            value,
            low: value,
            high: value,
        }
    }
}

/// Values with a name.
#[derive(Clone, Debug)]
pub(crate) struct Series<T> {
    /// The text in the legend.
    pub name: String,
    /// One value for each place, starting with the first, or the points of a curve.
    pub values: Vec<T>,
}

/// A drawn chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// A standalone file with the title, in fixed colours on white.
    pub svg: String,
    /// HTML for a `figure` in a page with the style [`CHART_STYLE`], in the colours of the
    /// page. It holds a wide and a narrow drawing; the style shows the one that fits.
    pub html: String,
}
