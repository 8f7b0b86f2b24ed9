//! Draws a chart: the layout, the axes, the shapes, the legend.

use super::Tone;
use super::parts::{Chart, ChartShape, Places, Symbol};
use super::svg::{DASHES, Pen, SYMBOL, Svg};
use super::text::number;

/// Sizes in pixels of a picture.
pub(super) struct Canvas {
    pub class: &'static str,
    pub width: f64,
    /// The height of a chart without rows.
    height: f64,
    margin: f64,
    pub font: f64,
    /// The approximate width of a letter.
    letter: f64,
    /// The maximum number of labels along the x axis.
    ticks: usize,
    /// The height of a row's name above its bars, or 0 if the name is beside them.
    name: f64,
}

/// For files and wide pages.
pub(super) const WIDE: Canvas = Canvas {
    class: "wide",
    width: 720.0,
    height: 295.0,
    margin: 16.0,
    font: 13.7,
    letter: 8.0,
    ticks: 10,
    name: 0.0,
};

/// For phones, which show the picture at about its own size.
pub(super) const NARROW: Canvas = Canvas {
    class: "narrow",
    width: 360.0,
    height: 200.0,
    margin: 8.0,
    font: 12.1,
    letter: 7.0,
    ticks: 5,
    name: 20.0,
};

impl Canvas {
    /// The approximate width of the longest text.
    fn longest(&self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> f64 {
        let letters = texts.into_iter().map(|text| text.as_ref().chars().count());
        self.letter * letters.max().unwrap_or(0) as f64
    }
}

/// The height of a bar with its gap, and the gap between two rows.
const BAR: f64 = 22.0;
const GAP: f64 = 12.0;
/// The heights of the title of a file, of a row of the legend, and of the numbers and
/// the title below the axes.
const TITLE: f64 = 44.0;
const ENTRY: f64 = 28.0;
const BELOW: f64 = 52.0;
/// Room for half a symbol, and between a symbol and its number.
const SPACE: f64 = 11.0;
/// Half the width of the end of an error bar.
const CAP: f64 = 5.0;
/// The maximum share of the width for the names beside rows.
const NAMES: f64 = 1.0 / 3.0;
/// The maximum number of labels along the y axis.
const LEVELS: usize = 10;

const GRID: Pen = Pen(Tone::Ink, 1.0, 0.12, "");
const AXIS: Pen = Pen(Tone::Ink, 1.0, 0.6, "");

/// A label of an axis: its point, its text, and whether it has a grid line. A label of the y
/// axis without a line stands inside the chart, above the bars of its row.
type AxisLabel = ([f64; 2], String, bool);

/// A chart at a size: the edges of the part that the axes enclose.
pub(super) struct ChartFrame<'a> {
    chart: &'a Chart,
    canvas: &'a Canvas,
    /// The numbers of the value axis.
    numbers: Vec<(f64, String)>,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl<'a> ChartFrame<'a> {
    /// Lays out a chart, with room for its numbers, names and titles.
    pub(super) fn new(chart: &'a Chart, canvas: &'a Canvas, file: bool) -> Self {
        let top = if file { TITLE } else { canvas.margin };
        let rows = matches!(chart.places, Places::Rows(..));
        let mut frame = Self {
            chart,
            canvas,
            numbers: chart.numbers(if rows { canvas.ticks } else { LEVELS }),
            left: canvas.margin + SPACE,
            right: canvas.width - canvas.margin - SPACE,
            top,
            bottom: top + canvas.height,
        };
        let number_width = canvas.longest(frame.numbers.iter().map(|number| &number.1));
        if let Places::Rows(names, bars) = &chart.places {
            if canvas.name == 0.0 {
                frame.left += canvas.longest(names).min(NAMES * canvas.width);
            }
            let values = chart.shapes.iter().filter_map(|shape| match shape {
                ChartShape::Interval(_, _, it, _) => Some((chart.label)(it.value)),
                _ => None,
            });
            frame.right -= canvas.longest(values);
            // Leave room for half a number at each end of the axis.
            frame.left = frame.left.max(number_width / 2.0);
            frame.right = frame.right.min(canvas.width - number_width / 2.0);
            frame.bottom = top + names.len() as f64 * frame.row_height(*bars);
            let fit = frame.labels_that_fit(number_width);
            frame.numbers = chart.numbers(canvas.ticks.min(fit));
        } else {
            frame.left += number_width + canvas.font;
        }
        frame
    }

    /// The number of labels of this width that fit along the x axis, at least 1.
    fn labels_that_fit(&self, width: f64) -> usize {
        let fit = (self.right - self.left) / (width + self.canvas.letter);
        (fit as usize).max(1)
    }

    /// The maximum number of letters of a row's name.
    fn longest_name(&self) -> usize {
        let room = match self.canvas.name == 0.0 {
            true => NAMES * self.canvas.width,
            false => self.right - self.left,
        };
        (room / self.canvas.letter) as usize
    }

    fn row_height(&self, bars: usize) -> f64 {
        self.canvas.name + BAR * bars as f64 + GAP
    }

    /// The point of a place and a value, in pixels.
    fn at(&self, place: f64, value: f64) -> [f64; 2] {
        let [low, high] = self.chart.values;
        let [low, high, value] = [low, high, value].map(|value| self.chart.scaled(value));
        let value = (value - low) / (high - low);
        let across = |share: f64| self.left + share * (self.right - self.left);
        let up = self.bottom - value * (self.bottom - self.top);
        match &self.chart.places {
            Places::Rows(_, bars) => {
                let count = *bars as f64;
                let row = self.top + self.row_height(*bars) * (place / count).floor();
                let bar = BAR * (place % count + 0.5);
                [across(value), row + GAP / 2.0 + self.canvas.name + bar]
            }
            Places::Labels(labels) => [across((place + 0.5) / labels.len() as f64), up],
            Places::Numbers([first, last]) => [across((place - first) / (last - first)), up],
        }
    }

    /// Draws everything and returns the height of the picture.
    pub(super) fn draw(&self, svg: &mut Svg) -> f64 {
        self.axes(svg);
        for shape in &self.chart.shapes {
            self.shape(svg, shape);
        }
        self.legend(svg) + self.canvas.margin
    }

    fn axes(&self, svg: &mut Svg) {
        let [left, right, top, bottom] = [self.left, self.right, self.top, self.bottom];
        let number = |(value, text): &(f64, String)| (self.at(0.0, *value), text.clone(), true);
        let numbers: Vec<AxisLabel> = self.numbers.iter().map(number).collect();
        let rows = matches!(self.chart.places, Places::Rows(..));
        let longest = self.longest_name();
        for (labels, along_x) in [(numbers, rows), (self.place_labels(), !rows)] {
            for ([x, y], text, has_line) in labels {
                if has_line {
                    let line = match along_x {
                        true => [[x, top], [x, bottom]],
                        false => [[left, y], [right, y]],
                    };
                    svg.path(line, GRID, "");
                }
                match (along_x, has_line) {
                    (true, _) => svg.text([x, bottom + 16.0], "middle", &text),
                    (false, true) => svg.name([left - 8.0, y], "end", &text, longest),
                    (false, false) => svg.name([left + 3.0, y], "start", &text, longest),
                }
            }
        }
        svg.path([[left, top], [left, bottom], [right, bottom]], AXIS, "");
        let [x, y] = [(left + right) / 2.0, (top + bottom) / 2.0];
        svg.text([x, bottom + BELOW - 14.0], "middle", &self.chart.x_title);
        svg.turned_text([self.canvas.font, y], &self.chart.y_title);
    }

    /// The labels of the axis of places.
    fn place_labels(&self) -> Vec<AxisLabel> {
        let canvas = self.canvas;
        let at = |place: f64| self.at(place, self.chart.values[0]);
        match &self.chart.places {
            Places::Rows(names, bars) => {
                let beside = canvas.name == 0.0;
                let down = match beside {
                    true => BAR * (*bars as f64 - 1.0) / 2.0,
                    false => -(BAR + canvas.name) / 2.0,
                };
                let rows = names.iter().enumerate();
                rows.map(|(row, name)| {
                    let [x, first] = at((row * bars) as f64);
                    ([x, first + down], name.clone(), beside)
                })
                .collect()
            }
            Places::Labels(labels) => {
                // Skip labels that do not fit, but never the last.
                let fit = self.labels_that_fit(canvas.longest(labels));
                let every = labels.len().div_ceil(fit).max(1);
                let shown = labels.iter().enumerate().rev().step_by(every);
                shown
                    .map(|(place, text)| (at(place as f64), text.clone(), false))
                    .collect()
            }
            Places::Numbers(range) => ticks(*range, canvas.ticks, 0.0)
                .into_iter()
                .map(|place| (at(place), number(place), true))
                .collect(),
        }
    }

    fn shape(&self, svg: &mut Svg, shape: &ChartShape) {
        let rows = matches!(self.chart.places, Places::Rows(..));
        match shape {
            ChartShape::Line(tone, points, hover) => {
                let points = points.iter().map(|&[place, value]| self.at(place, value));
                svg.line(points, *tone, hover);
            }
            ChartShape::Interval(tone, place, it, hover) => {
                let [low, middle, high] =
                    [it.low, it.value, it.high].map(|value| self.at(*place, value));
                if it.low < it.high {
                    let [right, down] = if rows { [0.0, CAP] } else { [CAP, 0.0] };
                    let cap = |[x, y]: [f64; 2]| [[x - right, y - down], [x + right, y + down]];
                    let path = cap(low).into_iter().chain([low, high]).chain(cap(high));
                    svg.path(path, Pen(*tone, 1.0, 1.0, ""), hover);
                }
                if *tone != Tone::Ink {
                    svg.point(middle, *tone, hover);
                }
                if rows {
                    let text = (self.chart.label)(it.value);
                    svg.text([high[0] + SPACE, high[1]], "start", &text);
                }
            }
            ChartShape::Bar(tone, place, ends, hover) => {
                let [from, to] = ends.map(|value| self.at(*place, value));
                let half = BAR / 2.0 - 1.0;
                let corners = [[from[0], from[1] - half], [to[0], to[1] + half]];
                svg.bar(corners, *tone, hover);
            }
            ChartShape::Across(value, name) => {
                let [x, y] = self.at(0.0, *value);
                let ends = match rows {
                    true => [[x, self.top], [x, self.bottom]],
                    false => [[self.left, y], [self.right, y]],
                };
                svg.path(ends, DASHES, "");
                svg.text([self.left + 6.0, y - self.canvas.font], "start", name);
            }
            ChartShape::Diamond([place, value], hover) => {
                svg.diamond(self.at(*place, *value), hover)
            }
        }
    }

    /// Draws the legend, with as many entries in a row as fit. Returns its lower edge.
    fn legend(&self, svg: &mut Svg) -> f64 {
        let room = self.canvas.width - 2.0 * self.canvas.margin;
        let width = |entry: &(String, Symbol)| SYMBOL + self.canvas.longest([&entry.0]);
        let mut y = self.bottom + BELOW;
        let mut rest = self.chart.legend.as_slice();
        while !rest.is_empty() {
            let used = |count: usize| rest[..count].iter().map(width).sum::<f64>();
            let count = (2..=rest.len()).take_while(|&count| used(count) <= room);
            let count = count.last().unwrap_or(1);
            let mut x = ((self.canvas.width - used(count)) / 2.0).max(0.0);
            for entry in &rest[..count] {
                svg.entry([x, y + ENTRY / 2.0], entry);
                x += width(entry);
            }
            rest = &rest[count..];
            y += ENTRY;
        }
        y
    }
}

/// At most `most` round numbers in a range, at least `step` apart.
pub(super) fn ticks([low, high]: [f64; 2], most: usize, step: f64) -> Vec<f64> {
    if !(high - low).is_finite() {
        return Vec::new();
    }
    let rough = (1.0001 * (high - low) / most as f64).max(step);
    let power = 10f64.powf((rough * 0.9999).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= 0.9999 * rough);
    let step = step.unwrap_or(10.0 * power);
    let [first, last] = [(low / step - 1e-9).ceil(), (high / step + 1e-9).floor()];
    (first as i64..=last as i64)
        .map(|number| number as f64 * step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_round_and_not_too_many() {
        assert_eq!(
            ticks([0.0, 1.0], 5, 0.0),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
        assert_eq!(ticks([-12.0, 31.0], 5, 0.0), [-10.0, 0.0, 10.0, 20.0, 30.0]);
        assert_eq!(ticks([0.0, 3.0], 10, 1.0), [0.0, 1.0, 2.0, 3.0]);
        for number in 1..2000 {
            let high = f64::from(number) * 0.37;
            for most in [5, 10] {
                let ticks = ticks([0.1, high + 0.1], most, 0.0);
                assert!(
                    ticks.len() <= most && ticks.len() >= most / 3,
                    "{high}: {ticks:?}"
                );
            }
        }
    }
}
