//! Draws a plot: the layout, the axes, the shapes, the legend.

use super::plot::{Places, Plot, PlotShape, Symbol};
use super::svg::{Pen, Svg};
use super::text::number;
use super::{Measured, Tone};

/// Sizes in pixels of a picture.
pub(super) struct Canvas {
    pub class: &'static str,
    pub width: f64,
    /// The height of a plot without rows.
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

/// A file, and a page with room.
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

/// A phone, which shows the picture about as large as it is.
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

/// The height of a bar with its gap, and the gap between two rows.
const BAR: f64 = 22.0;
const GAP: f64 = 12.0;
/// The heights of the title of a file, of a row of the legend, and of the numbers and
/// the title below a plot.
const TITLE: f64 = 44.0;
const ENTRY: f64 = 28.0;
const BELOW: f64 = 52.0;
/// The width of a symbol of the legend.
const SYMBOL: f64 = 44.0;
/// Room for half a symbol, and between a symbol and its number.
const SPACE: f64 = 11.0;
/// Half the width of the end of an error bar.
const CAP: f64 = 5.0;
/// The maximum number of labels along the y axis.
const LEVELS: usize = 10;

const GRID: Pen = Pen(Tone::Ink, 1.0, 0.12, "");
const AXIS: Pen = Pen(Tone::Ink, 1.0, 0.6, "");
const DASHES: Pen = Pen(Tone::Ink, 2.0, 0.55, "7 5");

/// A row of the legend: its width, and each entry with the distance from its left edge.
type LegendRow<'a> = (f64, Vec<(f64, &'a (String, Symbol))>);

/// A plot at a size: the edges of the part that the axes enclose.
pub(super) struct PlotFrame<'a> {
    plot: &'a Plot,
    canvas: &'a Canvas,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl<'a> PlotFrame<'a> {
    /// Lays out a plot, with room for its numbers, names and titles.
    pub(super) fn new(plot: &'a Plot, canvas: &'a Canvas, file: bool) -> Self {
        let top = if file { TITLE } else { canvas.margin };
        let mut frame = Self {
            plot,
            canvas,
            left: canvas.margin + SPACE,
            right: canvas.width - canvas.margin - SPACE,
            top,
            bottom: top + canvas.height,
        };
        if let Places::Rows(names, _) = &plot.places {
            if canvas.name == 0.0 {
                frame.left += frame.width(names);
            }
            frame.right -= frame.width(&plot.written_values());
            // Leave room for half a number at each end of the axis.
            let numbers: Vec<String> = plot
                .numbers(canvas.ticks)
                .into_iter()
                .map(|it| it.1)
                .collect();
            let half = frame.width(&numbers) / 2.0;
            frame.left = frame.left.max(half);
            frame.right = frame.right.min(canvas.width - half);
            frame.bottom = top + names.len() as f64 * frame.row_height();
        } else {
            let numbers: Vec<String> = plot.numbers(LEVELS).into_iter().map(|it| it.1).collect();
            frame.left += frame.width(&numbers) + canvas.font;
        }
        frame
    }

    /// The approximate width of the longest text.
    fn width(&self, texts: &[String]) -> f64 {
        let letters = texts.iter().map(|text| text.chars().count());
        self.canvas.letter * letters.max().unwrap_or(0) as f64
    }

    fn row_height(&self) -> f64 {
        self.canvas.name + BAR * self.plot.bars() as f64 + GAP
    }

    /// The point of a place and a value, in pixels.
    fn at(&self, place: f64, value: f64) -> [f64; 2] {
        let [low, high] = self.plot.values;
        let [low, high, value] = [low, high, value].map(|value| self.plot.scaled(value));
        let value = (value - low) / (high - low);
        let across = |share: f64| self.left + share * (self.right - self.left);
        let up = self.bottom - value * (self.bottom - self.top);
        match &self.plot.places {
            Places::Rows(..) => {
                let bars = self.plot.bars() as f64;
                let row = self.top + self.row_height() * (place / bars).floor();
                let bar = BAR * (place % bars + 0.5);
                [across(value), row + GAP / 2.0 + self.canvas.name + bar]
            }
            Places::Labels(labels) => [across((place + 0.5) / labels.len() as f64), up],
            Places::Numbers([first, last]) => [across((place - first) / (last - first)), up],
        }
    }

    /// Draws everything and returns the height of the picture.
    pub(super) fn draw(&self, svg: &mut Svg) -> f64 {
        self.axes(svg);
        for shape in &self.plot.shapes {
            self.shape(svg, shape);
        }
        self.legend(svg) + self.canvas.margin
    }

    fn axes(&self, svg: &mut Svg) {
        let (plot, canvas) = (self.plot, self.canvas);
        let [left, right, top, bottom] = [self.left, self.right, self.top, self.bottom];
        let (below, beside) = (bottom + 16.0, left - 8.0);
        let column = |svg: &mut Svg, x: f64, text: &str| svg.text([x, below], "middle", text);
        let upright = |svg: &mut Svg, x: f64| svg.path([[x, top], [x, bottom]], GRID, "");
        let level = |svg: &mut Svg, y: f64| svg.path([[left, y], [right, y]], GRID, "");
        let rows = matches!(plot.places, Places::Rows(..));
        for (value, text) in plot.numbers(if rows { canvas.ticks } else { LEVELS }) {
            let [x, y] = self.at(0.0, value);
            if rows {
                upright(svg, x);
                column(svg, x, &text);
            } else {
                level(svg, y);
                svg.text([beside, y], "end", &text);
            }
        }
        match &plot.places {
            Places::Rows(names, bars) => {
                for (row, name) in names.iter().enumerate() {
                    let [_, first] = self.at((row * bars) as f64, plot.values[0]);
                    if canvas.name > 0.0 {
                        let above = first - (BAR + canvas.name) / 2.0;
                        svg.text([left + 3.0, above], "start", name);
                    } else {
                        let middle = first + BAR * (*bars as f64 - 1.0) / 2.0;
                        level(svg, middle);
                        svg.text([beside, middle], "end", name);
                    }
                }
            }
            Places::Labels(labels) => {
                // Skip labels that do not fit, but never the last.
                let fit = (right - left) / (self.width(labels) + canvas.letter);
                let every = labels.len().div_ceil((fit as usize).max(1)).max(1);
                for (place, text) in labels.iter().enumerate().rev().step_by(every) {
                    column(svg, self.at(place as f64, plot.values[0])[0], text);
                }
            }
            Places::Numbers(range) => {
                for place in ticks(*range, canvas.ticks, 0.0) {
                    let [x, _] = self.at(place, plot.values[0]);
                    upright(svg, x);
                    column(svg, x, &number(place));
                }
            }
        }
        svg.path([[left, top], [left, bottom], [right, bottom]], AXIS, "");
        let [x, y] = [(left + right) / 2.0, (top + bottom) / 2.0];
        let titles = [&plot.value_title, &plot.place_title];
        let [title, turned] = if rows { titles } else { [titles[1], titles[0]] };
        svg.text([x, bottom + BELOW - 14.0], "middle", title);
        svg.turned_text([canvas.font, y], turned);
    }

    fn shape(&self, svg: &mut Svg, shape: &PlotShape) {
        match shape {
            PlotShape::Line(tone, points, hover) => {
                let points = points.iter().map(|&[place, value]| self.at(place, value));
                svg.line(points, *tone, hover);
            }
            &PlotShape::Interval(tone, place, measured, ref hover) => {
                let Measured { value, low, high } = measured;
                let [low, middle, high] = [low, value, high].map(|value| self.at(place, value));
                let rows = matches!(self.plot.places, Places::Rows(..));
                let cap = |[x, y]: [f64; 2], side: f64| match rows {
                    true => [x, y + side],
                    false => [x + side, y],
                };
                let [first, last] = [low, high].map(|end| [cap(end, -CAP), cap(end, CAP)]);
                let path = first.into_iter().chain([low, high]).chain(last);
                if measured.low < measured.high {
                    svg.path(path, Pen(tone, 1.0, 1.0, ""), hover);
                }
                if tone != Tone::Ink {
                    svg.point(middle, tone, hover);
                }
                if rows {
                    let text = (self.plot.label)(value);
                    svg.text([high[0] + SPACE, high[1]], "start", &text);
                }
            }
            PlotShape::Bar(tone, place, ends, hover) => {
                let [from, to] = ends.map(|value| self.at(*place, value));
                let half = BAR / 2.0 - 1.0;
                svg.bar(
                    [from[0], from[1] - half],
                    [to[0], to[1] + half],
                    *tone,
                    hover,
                );
            }
            PlotShape::Across(value, name) => {
                let [x, y] = self.at(0.0, *value);
                let ends = match self.plot.places {
                    Places::Rows(..) => [[x, self.top], [x, self.bottom]],
                    _ => [[self.left, y], [self.right, y]],
                };
                svg.path(ends, DASHES, "");
                svg.text([self.left + 6.0, y - self.canvas.font], "start", name);
            }
            PlotShape::Diamond([place, value], hover) => {
                svg.diamond(self.at(*place, *value), hover)
            }
        }
    }

    /// Draws the legend, with as many entries in a row as fit. Returns its lower edge.
    fn legend(&self, svg: &mut Svg) -> f64 {
        let whole = self.canvas.width - 2.0 * self.canvas.margin;
        let mut rows: Vec<LegendRow<'_>> = Vec::new();
        for entry in &self.plot.legend {
            let width = SYMBOL + self.canvas.letter * entry.0.chars().count() as f64;
            match rows.last_mut() {
                Some((used, row)) if *used + width <= whole => {
                    row.push((*used, entry));
                    *used += width;
                }
                _ => rows.push((width, vec![(0.0, entry)])),
            }
        }
        let mut y = self.bottom + BELOW;
        for (used, row) in rows {
            let left = ((self.canvas.width - used) / 2.0).max(0.0);
            for (start, (name, symbol)) in row {
                let [x, y] = [left + start, y + ENTRY / 2.0];
                let [begin, middle, end] = [0.0, 12.0, 24.0].map(|right| [x + right, y]);
                match *symbol {
                    Symbol::Line(tone) => {
                        svg.line([begin, end], tone, "");
                        svg.point(middle, tone, "");
                    }
                    Symbol::Box(tone) => svg.bar([x + 5.0, y - 7.0], [x + 21.0, y + 7.0], tone, ""),
                    Symbol::Dashes => svg.path([begin, end], DASHES, ""),
                    Symbol::Diamond => svg.diamond(middle, ""),
                }
                svg.text([x + SYMBOL - 12.0, y], "start", name);
            }
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
