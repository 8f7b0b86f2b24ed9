//! A chart at any size: two axes, shapes, a legend and a title.

use super::frame::{Canvas, NARROW, PlotFrame, WIDE, ticks};
use super::svg::Svg;
use super::{Marks, Measured, Picture, Threshold, Tone};
use crate::markup::escape;

/// A chart at any size: values along one axis for places along the other.
pub(super) struct Plot {
    pub title: String,
    pub places: Places,
    pub place_title: String,
    pub value_title: String,
    /// The range of the value axis.
    pub values: [f64; 2],
    /// Formats the numbers of the value axis.
    pub label: fn(f64) -> String,
    /// Whether the value axis is logarithmic.
    pub log: bool,
    /// The minimum step between two numbers of the value axis.
    pub step: f64,
    pub shapes: Vec<PlotShape>,
    pub legend: Vec<(String, Symbol)>,
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

/// A shape. A point is a place and a value. The last text is the hover title.
pub(super) enum PlotShape {
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

/// The background of a file.
const PAPER: &str = "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n";

impl Plot {
    /// A plot without shapes. `titles` name the chart, the place axis and the value axis.
    pub(super) fn new(
        titles: [&str; 3],
        places: Places,
        values: [f64; 2],
        label: fn(f64) -> String,
    ) -> Self {
        let [title, place_title, value_title] = titles.map(String::from);
        let [low, high] = values;
        let values = [low, if low < high { high } else { low + 1.0 }];
        Self {
            title,
            places,
            place_title,
            value_title,
            values,
            label,
            log: false,
            step: 0.0,
            shapes: Vec::new(),
            legend: Vec::new(),
        }
    }

    /// Adds the study's values.
    pub(super) fn mark(&mut self, marks: &Marks) {
        if !marks.points.is_empty() {
            self.legend.push((marks.name.clone(), Symbol::Diamond));
        }
        for &(place, value) in &marks.points {
            let hover = format!("{}: {}", marks.name, (self.label)(value));
            self.shapes
                .push(PlotShape::Diamond([place as f64, value], hover));
        }
    }

    /// Adds a dashed line, named in the legend.
    pub(super) fn baseline(&mut self, baseline: Option<&Threshold>) {
        if let Some(Threshold { name, value }) = baseline {
            self.legend.push((name.clone(), Symbol::Dashes));
            self.shapes
                .insert(0, PlotShape::Across(*value, String::new()));
        }
    }

    /// The hover title of a value with its interval.
    pub(super) fn hover(&self, name: &str, measured: &Measured) -> String {
        let Measured { value, low, high } = *measured;
        let value = format!("{name}: {}", (self.label)(value));
        match low < high {
            true => format!("{value} ({} to {})", (self.label)(low), (self.label)(high)),
            false => value,
        }
    }

    /// The number of bars in a row.
    pub(super) const fn bars(&self) -> usize {
        match self.places {
            Places::Rows(_, bars) => bars,
            _ => 1,
        }
    }

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

    /// The values written to the right of the rows.
    pub(super) fn written_values(&self) -> Vec<String> {
        let values = self.shapes.iter().filter_map(|shape| match shape {
            PlotShape::Interval(_, _, measured, _) => Some((self.label)(measured.value)),
            _ => None,
        });
        values.collect()
    }

    /// The chart as a file and as a part of a page.
    pub(super) fn picture(&self) -> Picture {
        let [wide, narrow] = [WIDE, NARROW].map(|canvas| self.draw(&canvas, false));
        let title = escape(&self.title);
        Picture {
            svg: self.draw(&WIDE, true),
            html: format!("<p class=\"chart-title\">{title}</p>\n{wide}{narrow}"),
        }
    }

    fn draw(&self, canvas: &Canvas, file: bool) -> String {
        let mut svg = Svg::new(file);
        let height = PlotFrame::new(self, canvas, file).draw(&mut svg);
        let Canvas {
            class, width, font, ..
        } = canvas;
        let size = if file {
            let title = "text-anchor=\"middle\" font-size=\"19\"";
            svg.styled_text([width / 2.0, 24.0], title, &self.title);
            format!("xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\"")
        } else {
            format!("class=\"{class}\"")
        };
        let paper = if file { PAPER } else { "" };
        format!(
            "<svg {size} viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" \
             font-family=\"sans-serif\" font-size=\"{font}\">\n{paper}{}</svg>\n",
            escape(&self.title),
            svg.text
        )
    }
}
