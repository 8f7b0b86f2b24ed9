//! A chart: two axes, shapes, a legend and a title.

use super::frame::{Canvas, ChartFrame, NARROW, WIDE, ticks};
use super::svg::Svg;
use super::{Measured, Picture, Tone};
use crate::markup::escape;

/// A chart: values along one axis, places along the other. `kinds.rs` has its constructors.
pub(crate) struct Chart {
    pub(super) title: String,
    pub(super) x_title: String,
    pub(super) y_title: String,
    pub(super) places: Places,
    /// The range of the value axis.
    pub(super) values: [f64; 2],
    /// Formats the numbers of the value axis.
    pub(super) label: fn(f64) -> String,
    /// Whether the value axis is logarithmic.
    pub(super) log: bool,
    /// The minimum step between two numbers of the value axis.
    pub(super) step: f64,
    pub(super) shapes: Vec<ChartShape>,
    pub(super) legend: Vec<(String, Symbol)>,
}

/// The axis of places.
pub(super) enum Places {
    /// Named rows from the top down, and the number of bars in each. Place `n` is bar `n`,
    /// counted over all rows. Values grow to the right; in other charts they grow upwards.
    Rows(Vec<String>, usize),
    /// Labels at the places 0, 1, 2, ...
    Labels(Vec<String>),
    /// A range of numbers.
    Numbers([f64; 2]),
}

/// A shape. Points are pairs of a place and a value. The last text is the hover title, except
/// in `Across`.
pub(super) enum ChartShape {
    Line(Tone, Vec<[f64; 2]>, String),
    /// An error bar, with a point at its value unless its tone is ink. In a row, the value
    /// is written to its right.
    Interval(Tone, f64, Measured, String),
    /// A bar at a place between two values.
    Bar(Tone, f64, [f64; 2], String),
    /// A dashed line at a value, with a text above it.
    Across(f64, String),
    Diamond([f64; 2], String),
}

/// The symbol of a legend entry.
#[derive(Clone, Copy)]
pub(super) enum Symbol {
    Line(Tone),
    Box(Tone),
    Dashes,
    Diamond,
}

impl Chart {
    /// The position of a value along its axis: its logarithm if the axis is logarithmic.
    pub(super) fn scaled(&self, value: f64) -> f64 {
        if self.log { value.log10() } else { value }
    }

    /// At most `most` numbers of the value axis, with their labels.
    pub(super) fn numbers(&self, most: usize) -> Vec<(f64, String)> {
        let range = self.values.map(|value| self.scaled(value));
        let step = if self.log { 1.0 } else { self.step };
        let numbers = ticks(range, most, step).into_iter();
        let numbers = numbers.map(|it| if self.log { 10f64.powf(it) } else { it });
        numbers.map(|value| (value, (self.label)(value))).collect()
    }

    /// The chart as a file and as a part of a page.
    pub(crate) fn picture(&self) -> Picture {
        let [wide, narrow] = [WIDE, NARROW].map(|canvas| self.draw(&canvas, false));
        let title = escape(&self.title);
        Picture {
            svg: self.draw(&WIDE, true),
            html: format!("<p class=\"chart-title\">{title}</p>\n{wide}{narrow}"),
        }
    }

    fn draw(&self, canvas: &Canvas, file: bool) -> String {
        let mut svg = Svg::new(file);
        let height = ChartFrame::new(self, canvas, file).draw(&mut svg);
        let (width, font) = (canvas.width, canvas.font);
        let (size, paper) = if file {
            let style = "text-anchor=\"middle\" font-size=\"19\"";
            svg.styled_text([width / 2.0, 24.0], style, &self.title);
            let size = format!("width=\"{width}\" height=\"{height}\"");
            (
                format!("xmlns=\"http://www.w3.org/2000/svg\" {size}"),
                "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n",
            )
        } else {
            (format!("class=\"{}\"", canvas.class), "")
        };
        format!(
            "<svg {size} viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" \
             font-family=\"sans-serif\" font-size=\"{font}\">\n{paper}{}</svg>\n",
            escape(&self.title),
            svg.text
        )
    }
}
