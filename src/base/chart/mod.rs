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
pub(crate) use text::{percent, time, whole};
pub(crate) use tone::Tone;

/// The style of charts in pages, to follow `markup::LOOK_STYLE`.
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
    /// A value that is known.
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

/// What tests of charts have in common.
#[cfg(test)]
mod testing {
    use super::*;

    pub(super) fn measured(value: f64) -> Measured {
        Measured {
            value,
            low: value * 0.9,
            high: value * 1.1,
        }
    }

    pub(super) fn lines() -> Vec<Series<Measured>> {
        let line = |name: &str, scale: f64| Series {
            name: name.to_string(),
            values: [0.1, 0.3].map(|value| measured(value * scale)).into(),
        };
        vec![line("one & two", 1.0), line("other", 2.0)]
    }

    /// Checks that a chart holds each of the texts, in its file and for each width of
    /// a page, and that no text is cut off.
    pub(super) fn shows(picture: &Picture, title: &str, texts: &[&str]) {
        let Picture { svg, html } = picture;
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(svg.contains(&format!(">{title}</text>")));
        assert!(html.contains(&format!("<p class=\"chart-title\">{title}</p>")));
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
            }
        }
    }
}
