//! Constructors for each kind of chart. `titles` names the chart, the x axis and, in charts
//! with three titles, the y axis.

use super::parts::{Chart, ChartShape, Places, Symbol};
use super::text::{number, whole};
use super::{Measured, Series, Tone};

impl Chart {
    /// Lines with error bars over labelled places: a line for each series, with a value for
    /// each label. The y axis covers `y` and every error bar.
    pub(crate) fn lines(
        titles: [impl Into<String>; 3],
        labels: Vec<String>,
        y: [f64; 2],
        y_label: fn(f64) -> String,
        lines: &[Series<Measured>],
    ) -> Self {
        let values = lines.iter().flat_map(|line| &line.values);
        let range = values.fold(y, |[low, high], it| [low.min(it.low), high.max(it.high)]);
        let mut chart = Self::new(titles, Places::Labels(labels), range, y_label);
        let mut values = lines.iter().flat_map(|line| &line.values);
        let has_intervals = values.any(|it| it.low < it.high);
        // Points at the same place are moved apart a little, so no error bar hides another.
        let apart = if has_intervals { 0.06 } else { 0.0 };
        for (index, Series { name, values }) in lines.iter().enumerate() {
            let tone = Tone::Series(index);
            let offset = apart * (index as f64 - (lines.len() as f64 - 1.0) / 2.0);
            let place = |place: usize| place as f64 + offset;
            let points = values.iter().enumerate();
            let points = points.map(|(index, it)| [place(index), it.value]);
            chart.legend.push((name.clone(), Symbol::Line(tone)));
            chart.add(ChartShape::Line(tone, points.collect(), name.clone()));
            for (index, value) in values.iter().enumerate() {
                chart.interval(tone, place(index), name, *value);
            }
        }
        chart
    }

    /// Curves through points, x ascending, and named horizontal lines. `None` without points.
    pub(crate) fn curves(
        titles: [impl Into<String>; 3],
        curves: &[Series<[f64; 2]>],
        levels: &[(String, f64)],
    ) -> Option<Self> {
        let points = || curves.iter().flat_map(|curve| &curve.values);
        let x = with_room(points().map(|point| point[0]))?;
        let values = points().map(|point| point[1]);
        let y = with_room(values.chain(levels.iter().map(|level| level.1)))?;
        let mut chart = Self::new(titles, Places::Numbers(x), y, number);
        for (name, value) in levels {
            chart.add(ChartShape::Across(*value, name.clone()));
        }
        for (index, Series { name, values }) in curves.iter().enumerate() {
            let tone = Tone::Series(index);
            // A single curve is named by the title.
            if curves.len() > 1 {
                chart.legend.push((name.clone(), Symbol::Line(tone)));
            }
            chart.add(ChartShape::Line(tone, values.clone(), name.clone()));
        }
        Some(chart)
    }

    /// A value with its error bar for each row, from the top down. The x axis includes 0.
    pub(crate) fn rows(
        titles: [impl Into<String>; 2],
        x_label: fn(f64) -> String,
        rows: &[(String, Measured)],
    ) -> Self {
        let ends = || rows.iter().flat_map(|(_, row)| [row.low, row.high]);
        let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
        let size = (high - low).max(1.0);
        let range = [low - 0.05 * size, high.max(low + size)];
        let names = rows.iter().map(|(name, _)| name.clone()).collect();
        let mut chart = Self::new(without_y(titles), Places::Rows(names, 1), range, x_label);
        for (row, (name, value)) in rows.iter().enumerate() {
            chart.interval(Tone::Series(0), row as f64, name, *value);
        }
        chart
    }

    /// Bars in groups, from the top down, on a logarithmic scale. Each series has one colour
    /// and a bar in each group, or only in the first groups. All values are above 0.
    pub(crate) fn bars(
        titles: [impl Into<String>; 2],
        x_label: fn(f64) -> String,
        groups: Vec<String>,
        series: &[Series<Measured>],
    ) -> Self {
        // From the power of ten below all bars to the highest end of an interval.
        let least = |bar: &Measured| {
            if bar.low > 0.0 {
                bar.low
            } else {
                bar.value / 10.0
            }
        };
        let bars = || series.iter().flat_map(|series| &series.values);
        let low = bars().map(least).fold(f64::INFINITY, f64::min);
        let high = bars().map(|bar| bar.high).fold(0.0, f64::max);
        let low = 10f64.powf(low.log10().floor());
        let places = Places::Rows(groups, series.len());
        let mut chart = Self::new(without_y(titles), places, [low, high], x_label);
        chart.log = true;
        for (index, Series { name, values }) in series.iter().enumerate() {
            let tone = Tone::Series(index);
            chart.legend.push((name.clone(), Symbol::Box(tone)));
            for (row, bar) in values.iter().enumerate() {
                let place = (row * series.len() + index) as f64;
                let hover = chart.hover(name, *bar);
                chart.add(ChartShape::Bar(
                    tone,
                    place,
                    [low, bar.value],
                    hover.clone(),
                ));
                // A logarithmic axis cannot show an interval that reaches 0.
                let bar = if bar.low > 0.0 {
                    *bar
                } else {
                    Measured::exactly(bar.value)
                };
                chart.add(ChartShape::Interval(Tone::Ink, place, bar, hover));
            }
        }
        chart
    }

    /// A bar for each row, from the top down, divided into parts by their counts. `None` if
    /// all counts are 0.
    pub(crate) fn stacked(
        titles: [impl Into<String>; 2],
        parts: &[(String, Tone)],
        rows: &[(String, Vec<u64>)],
    ) -> Option<Self> {
        let totals = rows.iter().map(|(_, counts)| counts.iter().sum());
        let longest = totals.max().filter(|&longest: &u64| longest > 0)?;
        let places = Places::Rows(rows.iter().map(|(name, _)| name.clone()).collect(), 1);
        let mut chart = Self::new(without_y(titles), places, [0.0, longest as f64], whole);
        chart.step = 1.0;
        let entry = |(name, tone): &(String, Tone)| (name.clone(), Symbol::Box(*tone));
        chart.legend = parts.iter().map(entry).collect();
        for (row, (player, counts)) in rows.iter().enumerate() {
            let mut end = 0.0;
            for (&count, (name, tone)) in counts.iter().zip(parts).filter(|it| *it.0 > 0) {
                let ends = [end, end + count as f64];
                end = ends[1];
                let hover = format!("{player}, {name}: {count}");
                chart.add(ChartShape::Bar(*tone, row as f64, ends, hover));
            }
        }
        Some(chart)
    }

    /// Adds a diamond at each point, such as a result of another study, and a legend entry for
    /// them. A row chart also gets an entry for its own values. Does nothing without points.
    /// Call it before [`Self::baseline`]: the legend follows the order of the calls.
    pub(crate) fn marks(mut self, name: String, points: &[(usize, f64)]) -> Self {
        if points.is_empty() {
            return self;
        }
        if let Places::Rows(..) = self.places {
            self.legend
                .push(("here".into(), Symbol::Line(Tone::Series(0))));
        }
        for &(place, value) in points {
            let hover = format!("{name}: {}", (self.label)(value));
            self.add(ChartShape::Diamond([place as f64, value], hover));
        }
        self.legend.push((name, Symbol::Diamond));
        self
    }

    /// Adds a dashed line behind all shapes, with a legend entry. It marks a value such as "no
    /// better than chance".
    pub(crate) fn baseline(mut self, name: String, value: f64) -> Self {
        self.legend.push((name, Symbol::Dashes));
        self.shapes
            .insert(0, ChartShape::Across(value, String::new()));
        self
    }

    fn new(
        titles: [impl Into<String>; 3],
        places: Places,
        [low, high]: [f64; 2],
        label: fn(f64) -> String,
    ) -> Self {
        let [title, x_title, y_title] = titles.map(Into::into);
        Self {
            title,
            places,
            x_title,
            y_title,
            values: [low, if low < high { high } else { low + 1.0 }],
            label,
            log: false,
            step: 0.0,
            shapes: Vec::new(),
            legend: Vec::new(),
        }
    }

    fn add(&mut self, shape: ChartShape) {
        self.shapes.push(shape);
    }

    fn interval(&mut self, tone: Tone, place: f64, name: &str, value: Measured) {
        let hover = self.hover(name, value);
        self.add(ChartShape::Interval(tone, place, value, hover));
    }

    /// The hover title of a value with its interval.
    fn hover(&self, name: &str, Measured { value, low, high }: Measured) -> String {
        let [value, low_text, high_text] = [value, low, high].map(self.label);
        match low < high {
            true => format!("{name}: {value} ({low_text} to {high_text})"),
            false => format!("{name}: {value}"),
        }
    }
}

/// The titles with an empty one for the y axis.
fn without_y(titles: [impl Into<String>; 2]) -> [String; 3] {
    let [title, x_title] = titles.map(Into::into);
    [title, x_title, String::new()]
}

/// The range of the values, with some room at both ends. `None` if there are no values.
fn with_room(values: impl Iterator<Item = f64> + Clone) -> Option<[f64; 2]> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    let room = if low < high { 0.05 * (high - low) } else { 1.0 };
    (low <= high).then_some([low - room, high + room])
}

#[cfg(test)]
mod tests {
    use super::super::{Picture, time};
    use super::*;
    use crate::table::whole_percent;

    fn measured(value: f64) -> Measured {
        Measured {
            value,
            low: value * 0.9,
            high: value * 1.1,
        }
    }

    fn lines() -> Vec<Series<Measured>> {
        let line = |name: &str, scale: f64| Series {
            name: name.to_string(),
            values: [0.1, 0.3].map(|value| measured(value * scale)).into(),
        };
        vec![line("one & two", 1.0), line("other", 2.0)]
    }

    /// Checks that a chart with the title "Title" holds each of the texts, in its file and for
    /// each width of a page, and that no text is cut off.
    fn shows(picture: &Picture, texts: &[&str]) {
        let Picture { svg, html } = picture;
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(svg.contains(">Title</text>"));
        assert!(html.contains("<p class=\"chart-title\">Title</p>"));
        let fixed = html.matches("=\"#").count();
        assert_eq!(fixed, 0, "a colour that no page can change: {html}");
        let (wide, narrow) = html.split_at(html.rfind("<svg").unwrap());
        for (picture, width, letter) in [
            (svg.as_str(), 720.0, 7.0),
            (wide, 720.0, 7.0),
            (narrow, 360.0, 6.2),
        ] {
            for text in texts {
                assert!(
                    picture.contains(&format!(">{text}</text>")),
                    "no {text} in {picture}"
                );
            }
            // Axes and error bars go straight up or across.
            let thin = |line: &&str| line.contains("stroke-width=\"1\"") && !line.contains("dash");
            for line in picture.lines().filter(thin) {
                let points = line.split('"').nth(1).unwrap().split(' ');
                let points: Vec<_> = points.map(|point| point.split_once(',').unwrap()).collect();
                let straight =
                    |ends: &[(&str, &str)]| ends[0].0 == ends[1].0 || ends[0].1 == ends[1].1;
                assert!(points.windows(2).all(straight), "{line}");
            }
            let mut centred = Vec::new();
            for text in picture.lines().filter(|line| line.starts_with("<text")) {
                let value =
                    |name: &str| text.split(&format!(" {name}=\"")).nth(1)?.split('"').next();
                let letters = text.split('>').nth(1).unwrap().len() - "</text".len();
                let size = letter * letters as f64;
                let before = match value("text-anchor") {
                    Some("start") => 0.0,
                    Some("end") => size,
                    _ if text.contains("rotate") => letter,
                    _ => size / 2.0,
                };
                let left = value("x").unwrap().parse::<f64>().unwrap() - before;
                let right = if text.contains("rotate") {
                    left
                } else {
                    left + size
                };
                assert!(left >= 0.0 && right <= width, "cut off: {text}");
                if value("text-anchor") == Some("middle") && !text.contains("rotate") {
                    centred.push((value("y").unwrap(), left, right, text));
                }
            }
            for (index, (y, left, right, text)) in centred.iter().enumerate() {
                let overlaps = |other: &&(&str, f64, f64, &str)| {
                    other.0 == *y && other.1 < *right && *left < other.2
                };
                let other = centred[..index].iter().find(overlaps);
                assert!(other.is_none(), "{text} overlaps {other:?}");
            }
        }
    }

    fn line_chart(labels: Vec<String>, lines: &[Series<Measured>]) -> Chart {
        Chart::lines(
            ["Title", "depth (plies)", "win rate"],
            labels,
            [0.0, 1.0],
            whole_percent,
            lines,
        )
    }

    #[test]
    fn line_charts_name_everything() {
        let chart = line_chart(["10", "100"].map(String::from).into(), &lines());
        let chart = chart
            .marks("the study".into(), &[(1, 0.5)])
            .baseline("chance".into(), 0.5);
        let picture = chart.picture();
        let texts = ["depth (plies)", "win rate", "10", "100", "50%"];
        shows(&picture, &texts);
        let names = ["one &amp; two", "other", "the study", "chance"];
        shows(&picture, &names);
        let places = chart.shapes.iter().filter_map(|shape| match shape {
            ChartShape::Interval(_, place, ..) => Some(*place),
            _ => None,
        });
        assert_eq!(places.collect::<Vec<_>>(), [-0.03, 0.97, 0.03, 1.03]);
    }

    #[test]
    fn points_without_error_bars_stay_at_their_places() {
        let exact = |mut line: Series<Measured>| {
            line.values = line
                .values
                .iter()
                .map(|it| Measured::exactly(it.value))
                .collect();
            line
        };
        let lines: Vec<_> = lines().into_iter().map(exact).collect();
        let chart = line_chart(["1", "2"].map(String::from).into(), &lines);
        let places = chart.shapes.iter().filter_map(|shape| match shape {
            ChartShape::Interval(_, place, ..) => Some(*place),
            _ => None,
        });
        assert_eq!(places.collect::<Vec<_>>(), [0.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn labels_are_left_out_where_they_would_overlap() {
        let labels = (1..=30).map(|label| (1000 * label).to_string());
        let html = line_chart(labels.collect(), &lines()).picture().html;
        let (wide, narrow) = html.split_at(html.rfind("<svg").unwrap());
        let shown = |picture: &str| -> Vec<u32> {
            let labels = (1..=30).map(|label| 1000 * label).rev();
            let shown = |label: &u32| picture.contains(&format!(">{label}</text>"));
            labels.filter(shown).collect()
        };
        let thirds: Vec<u32> = (1..=10).map(|third| 3000 * third).rev().collect();
        assert_eq!(shown(wide), thirds);
        assert_eq!(shown(narrow), [30000, 25000, 20000, 15000, 10000, 5000]);
    }

    #[test]
    fn no_error_bar_is_cut_off() {
        let mut lines = lines();
        lines[0].values[0] = Measured {
            value: 0.1,
            low: -0.3,
            high: 1.4,
        };
        let chart = line_chart(["1", "2"].map(String::from).into(), &lines);
        assert_eq!(chart.values, [-0.3, 1.4]);
        let html = chart.picture().html;
        assert!(html.contains("one &amp; two: 10% (-30% to 140%)</title>"));
    }

    fn curve_chart(points: &[[f64; 2]]) -> Option<Chart> {
        let curve = |name: &str| Series {
            name: name.into(),
            values: points.to_vec(),
        };
        let curves = ["one & two", "other"].map(curve);
        Chart::curves(
            ["Title", "games", "points"],
            &curves,
            &[("bound".into(), 3.0)],
        )
    }

    #[test]
    fn curves_and_levels_are_named() {
        let picture = curve_chart(&[[1.0, 0.0], [2.0, 1.0]]).unwrap().picture();
        let texts = ["games", "points", "one &amp; two", "other", "bound"];
        shows(&picture, &texts);
        // The curve and its line in the legend, once for each width of a page.
        let lines = |text: &str, colour: &str| {
            let lines = text.lines().filter(|line| line.starts_with("<polyline"));
            lines
                .filter(|line| line.contains(&format!("stroke=\"{colour}\"")))
                .count()
        };
        assert_eq!(lines(&picture.svg, "#0072B2"), 2);
        assert_eq!(lines(&picture.html, "var(--chart-0)"), 4);
    }

    #[test]
    fn without_points_there_is_no_chart() {
        assert!(curve_chart(&[]).is_none());
        assert!(curve_chart(&[[1.0, 5.0]]).is_some());
    }

    #[test]
    fn a_range_has_room() {
        assert_eq!(with_room([0.0, 10.0, 5.0].into_iter()), Some([-0.5, 10.5]));
        assert_eq!(with_room([4.0].into_iter()), Some([3.0, 5.0]));
        assert_eq!(with_room(std::iter::empty()), None);
    }

    #[test]
    fn row_charts_show_every_row() {
        let rows = [("best", 1000.0), ("worst", 200.0)];
        let rows = rows.map(|(name, value)| (name.into(), measured(value)));
        let chart = Chart::rows(["Title", "Elo"], whole, &rows);
        let chart = chart
            .marks("the study".into(), &[(1, 300.0)])
            .baseline("chance".into(), 500.0);
        let values = ["Elo", "best", "worst", "1000", "200"];
        shows(&chart.picture(), &values);
        let names = ["here", "the study", "chance"];
        shows(&chart.picture(), &names);
        let [low, high] = chart.values;
        assert!(low < 0.0 && (high - 1100.0).abs() < 1e-9);
    }

    #[test]
    fn long_row_names_are_shortened_and_leave_room_for_numbers() {
        let name = "a long name ".repeat(20) + "end";
        for name in ["alphabeta:depth=6", &name] {
            let rows = [(name.to_string(), measured(1700.0))];
            let picture = Chart::rows(["Title", "Elo"], whole, &rows).picture();
            shows(&picture, &["Elo", "0", "1000", "1700"]);
            let title = format!("<title>{name}</title></text>");
            assert_eq!(
                picture.html.matches(&title).count(),
                [0, 2][usize::from(name.len() > 30)]
            );
        }
    }

    #[test]
    fn numbers_along_the_x_axis_are_left_out_where_they_would_overlap() {
        let rows = [("a row".to_string(), measured(1.7e9))];
        shows(
            &Chart::rows(["Title", "Elo"], whole, &rows).picture(),
            &["0"],
        );
    }

    /// The last group has no bar.
    fn bar_chart(series: &[Series<Measured>]) -> Chart {
        let groups = ["A", "B", "C"].map(String::from).into();
        Chart::bars(["Title", "time a game"], time, groups, series)
    }

    #[test]
    fn bar_charts_show_every_value() {
        let chart = bar_chart(&lines());
        let texts = ["time a game", "A", "B", "C", "one &amp; two", "other"];
        shows(&chart.picture(), &texts);
        let values = ["100 ms", "200 ms", "300 ms", "600 ms"];
        shows(&chart.picture(), &values);
        let [low, high] = chart.values;
        assert!((low - 0.01).abs() < 1e-12 && (high - 0.66).abs() < 1e-12);
    }

    #[test]
    fn numbers_at_the_ends_are_not_cut_off() {
        for low in [1e-6, 1e-3, 0.02, 0.5] {
            for high in [1.0, 3.0, 49.0, 319.0, 900.0] {
                let series = Series {
                    name: String::new(),
                    values: [low, high].map(Measured::exactly).into(),
                };
                let picture = bar_chart(&[series]).picture();
                shows(&picture, &[&time(low), &time(high)]);
            }
        }
    }

    fn stacked_chart(counts: [u64; 2]) -> Option<Chart> {
        let parts = [("won".into(), Tone::Won(0)), ("lost".into(), Tone::Lost(0))];
        let rows = [("one".into(), counts.into()), ("two".into(), vec![0, 0])];
        Chart::stacked(["Title", "games"], &parts, &rows)
    }

    #[test]
    fn every_row_and_part_is_named() {
        let picture = stacked_chart([3, 1]).unwrap().picture();
        shows(&picture, &["games", "won", "lost", "one", "two"]);
        let width = |colour: &str| -> f64 {
            let bar = picture.svg.lines().filter(|line| line.starts_with("<rect"));
            let bars = bar.filter(|line| line.contains(colour));
            let widths = bars.map(|line| {
                let after = line.split(" width=\"").nth(1).unwrap();
                after.split('"').next().unwrap().parse::<f64>().unwrap()
            });
            widths.fold(0.0, f64::max)
        };
        let ratio = width("#1B7837") / width("#B2182B");
        assert!((ratio - 3.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn without_counts_there_is_no_chart() {
        assert!(stacked_chart([0, 0]).is_none());
    }
}
