//! Charts as SVG text: lines, values with error bars, stacked bars.

use std::fmt::Write;

use crate::markup::escape;

const WIDTH: f64 = 560.0;
/// The space left of the plot for the numbers of an axis, and for names.
const NUMBERS: f64 = 56.0;
const NAMES: f64 = 150.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 42.0;
const ROW: f64 = 24.0;
const PLOT: f64 = 220.0;
/// How many ticks an axis has at most.
const TICKS: usize = 7;

/// A colour for each of any number of players; told apart also by most who
/// see few colours (M. Okabe and K. Ito).
pub fn colour(number: usize) -> &'static str {
    const COLOURS: [&str; 8] = [
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#6a3d9a", "#555555",
    ];
    COLOURS[number % COLOURS.len()]
}

/// A line of a line chart.
pub struct Series {
    pub name: String,
    pub colour: &'static str,
    pub points: Vec<[f64; 2]>,
}

/// A horizontal line with a name, such as a bound.
pub struct Level {
    pub name: String,
    pub value: f64,
}

/// Lines over a common horizontal axis; empty text if there is no point.
pub fn lines(title: &str, axes: [&str; 2], series: &[Series], levels: &[Level]) -> String {
    let points = || series.iter().flat_map(|series| &series.points);
    let values = points().map(|p| p[1]).chain(levels.iter().map(|l| l.value));
    let (Some(x), Some(y)) = (
        Axis::over(points().map(|p| p[0]), [NUMBERS, WIDTH - RIGHT]),
        Axis::over(values, [TOP + PLOT, TOP]),
    ) else {
        return String::new();
    };
    let mut svg = String::new();
    y.draw_horizontals(&mut svg, [NUMBERS, WIDTH - RIGHT]);
    x.draw_verticals(&mut svg, [TOP, TOP + PLOT]);
    for level in levels {
        let at = y.place(level.value);
        let _ = write!(
            svg,
            "<line class=\"level\" x1=\"{NUMBERS}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"small\" x=\"{}\" y=\"{:.1}\">{}</text>",
            WIDTH - RIGHT,
            NUMBERS + 6.0,
            at + 14.0,
            escape(&level.name)
        );
    }
    for series in series {
        let path: Vec<String> = series
            .points
            .iter()
            .map(|&[px, py]| format!("{:.1},{:.1}", x.place(px), y.place(py)))
            .collect();
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"><title>{}</title></polyline>",
            series.colour,
            path.join(" "),
            escape(&series.name)
        );
    }
    let mut height = TOP + PLOT + BOTTOM;
    if series.len() > 1 {
        let entries = series
            .iter()
            .map(|series| (series.name.as_str(), series.colour));
        height += legend(&mut svg, entries, height);
    }
    framed(title, axes, &svg, height, TOP + PLOT)
}

/// A value with the interval that it lies in.
pub struct Dot {
    pub name: String,
    pub colour: &'static str,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// A row for each value, with its interval as a bar.
pub fn dots(title: &str, axis: &str, dots: &[Dot]) -> String {
    let ends = dots.iter().flat_map(|dot| [dot.low, dot.high]);
    let Some(x) = Axis::over(ends, [NAMES, WIDTH - RIGHT]) else {
        return String::new();
    };
    let bottom = TOP + dots.len() as f64 * ROW;
    let mut svg = String::new();
    x.draw_verticals(&mut svg, [TOP, bottom]);
    for (row, dot) in dots.iter().enumerate() {
        let y = TOP + (row as f64 + 0.5) * ROW;
        row_name(&mut svg, &dot.name, y);
        let _ = write!(
            svg,
            "<line stroke=\"{0}\" stroke-width=\"3\" stroke-opacity=\".45\" x1=\"{1:.1}\" x2=\"{2:.1}\" y1=\"{y}\" y2=\"{y}\"/>\
             <circle fill=\"{0}\" cx=\"{3:.1}\" cy=\"{y}\" r=\"5\"><title>{4}: {5:.1} ({6:.1} to {7:.1})</title></circle>",
            dot.colour,
            x.place(dot.low),
            x.place(dot.high),
            x.place(dot.value),
            escape(&dot.name),
            dot.value,
            dot.low,
            dot.high
        );
    }
    framed(title, [axis, ""], &svg, bottom + BOTTOM, bottom)
}

/// A row for each name, its length divided into parts; `parts` names and
/// colours them.
pub fn stacked(
    title: &str,
    axis: &str,
    parts: &[(String, &'static str)],
    rows: &[(String, Vec<u64>)],
) -> String {
    let total = |row: &(String, Vec<u64>)| row.1.iter().sum::<u64>() as f64;
    let longest = rows.iter().map(total).fold(0.0, f64::max);
    if longest == 0.0 {
        return String::new();
    }
    let Some(x) = Axis::over([0.0, longest].into_iter(), [NAMES, WIDTH - RIGHT]) else {
        return String::new();
    };
    let bottom = TOP + rows.len() as f64 * ROW;
    let mut svg = String::new();
    x.draw_verticals(&mut svg, [TOP, bottom]);
    for (number, (name, counts)) in rows.iter().enumerate() {
        let y = TOP + number as f64 * ROW;
        row_name(&mut svg, name, y + ROW / 2.0);
        let mut sum = 0.0;
        for ((part, colour), &count) in parts.iter().zip(counts) {
            let from = x.place(sum);
            sum += count as f64;
            let _ = write!(
                svg,
                "<rect fill=\"{colour}\" x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\"><title>{}, {}: {count}</title></rect>",
                y + 3.0,
                x.place(sum) - from,
                ROW - 6.0,
                escape(name),
                escape(part)
            );
        }
    }
    let mut height = bottom + BOTTOM;
    let entries = parts.iter().map(|(name, colour)| (name.as_str(), *colour));
    height += legend(&mut svg, entries, height);
    framed(title, [axis, ""], &svg, height, bottom)
}

/// An axis: which value lies where.
struct Axis {
    values: [f64; 2],
    places: [f64; 2],
    step: f64,
}

impl Axis {
    /// An axis over all finite values; `None` if there are none.
    fn over(values: impl Iterator<Item = f64>, places: [f64; 2]) -> Option<Self> {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for value in values.filter(|value| value.is_finite()) {
            range = [range[0].min(value), range[1].max(value)];
        }
        let [mut low, mut high] = range;
        if low > high {
            return None;
        }
        if low == high {
            (low, high) = (low - 0.5, high + 0.5);
        }
        let step = nice_step((high - low) / TICKS as f64);
        Some(Self {
            values: [(low / step).floor() * step, (high / step).ceil() * step],
            places,
            step,
        })
    }

    fn place(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let [from, to] = self.places;
        from + (value.clamp(low, high) - low) / (high - low) * (to - from)
    }

    fn ticks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let [low, high] = self.values;
        let count = ((high - low) / self.step).round() as usize;
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        (0..=count).map(move |tick| {
            let value = low + tick as f64 * self.step;
            (self.place(value), format!("{:.decimals$}", value + 0.0))
        })
    }

    fn draw_horizontals(&self, svg: &mut String, [from, to]: [f64; 2]) {
        for (at, text) in self.ticks() {
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{from}\" x2=\"{to}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text class=\"small\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                from - 6.0,
                at + 4.0
            );
        }
    }

    fn draw_verticals(&self, svg: &mut String, [from, to]: [f64; 2]) {
        for (at, text) in self.ticks() {
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{from}\" y2=\"{to}\"/>\
                 <text class=\"small\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                to + 16.0
            );
        }
    }
}

/// The smallest of 1, 2, 5, 10, 20, ... that is no less.
fn nice_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|f| f * power >= least * 0.999_999);
    factor.unwrap_or(10.0) * power
}

fn row_name(svg: &mut String, name: &str, y: f64) {
    let _ = write!(
        svg,
        "<text class=\"small\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}<title>{}</title></text>",
        NAMES - 8.0,
        y + 4.0,
        escape(&shortened(name)),
        escape(name)
    );
}

fn shortened(name: &str) -> String {
    const LONGEST: usize = 20;
    if name.chars().count() <= LONGEST {
        return name.to_string();
    }
    name.chars().take(LONGEST - 1).chain("…".chars()).collect()
}

/// Names with their colours from `top` down; the height that it takes.
fn legend<'a>(
    svg: &mut String,
    entries: impl Iterator<Item = (&'a str, &'static str)>,
    top: f64,
) -> f64 {
    const COLUMNS: usize = 3;
    let width = (WIDTH - 2.0 * RIGHT) / COLUMNS as f64;
    let mut rows = 0;
    for (number, (name, colour)) in entries.enumerate() {
        rows = number / COLUMNS + 1;
        let x = RIGHT + (number % COLUMNS) as f64 * width;
        let y = top + (number / COLUMNS) as f64 * 18.0;
        let _ = write!(
            svg,
            "<rect fill=\"{colour}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"12\" height=\"12\"/>\
             <text class=\"small\" x=\"{:.1}\" y=\"{:.1}\">{}<title>{}</title></text>",
            x + 18.0,
            y + 10.0,
            escape(&shortened(name)),
            escape(name)
        );
    }
    rows as f64 * 18.0 + 6.0
}

/// The whole chart: title, names of the axes, and what was drawn.
fn framed(title: &str, [x, y]: [&str; 2], inside: &str, height: f64, bottom: f64) -> String {
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{0}\">\
         <text class=\"title\" x=\"{RIGHT}\" y=\"18\">{0}</text>{inside}\
         <text class=\"small\" x=\"{1}\" y=\"{2}\" text-anchor=\"end\">{3}</text>\
         <text class=\"small\" x=\"{1}\" y=\"18\" text-anchor=\"end\">{4}</text></svg>",
        escape(title),
        WIDTH - RIGHT,
        bottom + 34.0,
        escape(x),
        escape(y)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers() {
        for (least, step) in [
            (0.9, 1.0),
            (1.1, 2.0),
            (3.0, 5.0),
            (6.0, 10.0),
            (0.03, 0.05),
        ] {
            assert!((nice_step(least) - step).abs() < 1e-12, "{least}");
        }
    }

    #[test]
    fn an_axis_holds_its_values() {
        let axis = Axis::over([-37.0, 112.0].into_iter(), [0.0, 100.0]).unwrap();
        assert_eq!(axis.values, [-50.0, 150.0]);
        assert_eq!([axis.place(-50.0), axis.place(150.0)], [0.0, 100.0]);
        let texts: Vec<String> = axis.ticks().map(|(_, text)| text).collect();
        assert_eq!(texts, ["-50", "0", "50", "100", "150"]);
        assert!(Axis::over([f64::NAN, f64::INFINITY].into_iter(), [0.0, 1.0]).is_none());
        assert!(Axis::over([5.0].into_iter(), [0.0, 1.0]).is_some());
    }

    #[test]
    fn charts_without_values_are_left_out() {
        assert_eq!(lines("t", ["x", "y"], &[], &[]), "");
        assert_eq!(dots("t", "x", &[]), "");
        assert_eq!(stacked("t", "x", &[], &[("a".into(), vec![])]), "");
    }

    #[test]
    fn a_point_stands_where_its_values_say() {
        let series = Series {
            name: "<a>".into(),
            colour: colour(0),
            points: vec![[0.0, 0.0], [10.0, 5.0]],
        };
        let svg = lines("t", ["x", "y"], &[series], &[]);
        let (left, right) = (NUMBERS, WIDTH - RIGHT);
        assert!(
            svg.contains(&format!(
                "points=\"{left:.1},{:.1} {right:.1},{TOP:.1}\"",
                TOP + PLOT
            )),
            "{svg}"
        );
        assert!(svg.contains("&lt;a&gt;") && !svg.contains("<a>"));
    }
}
