//! Writes the shapes of a chart as SVG.

use super::Tone;
use super::parts::Symbol;
use crate::markup::escape;
use crate::table::shortened_to;

/// Shapes of an SVG picture, coloured by the style of its page or, in a file, for
/// white paper.
pub(super) struct Svg {
    pub text: String,
    file: bool,
}

/// The stroke of a path: colour, width, opacity, and dashes as in `stroke-dasharray`.
#[derive(Clone, Copy)]
pub(super) struct Pen(pub Tone, pub f64, pub f64, pub &'static str);

/// The pen of lines across a chart at a value.
pub(super) const DASHES: Pen = Pen(Tone::Ink, 2.0, 0.55, "7 5");

/// The width of a legend entry without its text: the symbol and the gaps around the text.
pub(super) const SYMBOL: f64 = 44.0;

/// The dashes of lines and the stripes of boxes, which tell tones of one colour apart.
const fn pattern(tone: Tone) -> [&'static str; 2] {
    match tone.round() % 4 {
        0 => ["", ""],
        1 => ["9 5", "1 4"],
        2 => ["3 4", "1 9"],
        _ => ["16 4", "4 4"],
    }
}

impl Svg {
    /// A picture without shapes.
    pub(super) const fn new(file: bool) -> Self {
        let text = String::new();
        Self { text, file }
    }

    fn colour(&self, tone: Tone) -> String {
        match self.file {
            true => format!("#{:06X}", tone.on_paper()),
            false => format!("var({})", tone.property()),
        }
    }

    /// Adds a shape, with a hover title unless `hover` is empty.
    fn add(&mut self, name: &str, attributes: &str, hover: &str) {
        self.text += &match hover {
            "" => format!("<{name} {attributes}/>\n"),
            hover => {
                let hover = escape(hover);
                format!("<{name} {attributes}><title>{hover}</title></{name}>\n")
            }
        };
    }

    /// A path through points.
    pub(super) fn path(
        &mut self,
        points: impl IntoIterator<Item = [f64; 2]>,
        Pen(tone, width, opacity, dashes): Pen,
        hover: &str,
    ) {
        let points = points.into_iter().map(|[x, y]| format!("{x:.1},{y:.1}"));
        let points = points.collect::<Vec<_>>().join(" ");
        let colour = self.colour(tone);
        let mut shape = format!(
            "points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\""
        );
        if opacity < 1.0 {
            shape += &format!(" stroke-opacity=\"{opacity}\"");
        }
        if !dashes.is_empty() {
            shape += &format!(" stroke-dasharray=\"{dashes}\"");
        }
        self.add("polyline", &shape, hover);
    }

    /// A line of a series through points.
    pub(super) fn line(
        &mut self,
        points: impl IntoIterator<Item = [f64; 2]>,
        tone: Tone,
        hover: &str,
    ) {
        let [dashes, _] = pattern(tone);
        self.path(points, Pen(tone, 2.0, 1.0, dashes), hover);
    }

    /// A box between its upper left and its lower right corner.
    pub(super) fn bar(&mut self, corners: [[f64; 2]; 2], tone: Tone, hover: &str) {
        let [[left, top], [right, bottom]] = corners;
        let (width, height) = (right - left, bottom - top);
        let [fill, ink] = [tone, Tone::Ink].map(|tone| self.colour(tone));
        let shape = format!(
            "x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{fill}\" stroke=\"{ink}\" stroke-opacity=\".6\""
        );
        self.add("rect", &shape, hover);
        let [_, stripes] = pattern(tone);
        if !stripes.is_empty() {
            let middle = (top + bottom) / 2.0;
            let pen = Pen(Tone::Ink, height, 0.6, stripes);
            self.path([[left, middle], [right, middle]], pen, hover);
        }
    }

    /// A point of a series.
    pub(super) fn point(&mut self, [x, y]: [f64; 2], tone: Tone, hover: &str) {
        let fill = self.colour(tone);
        let shape = format!("cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{fill}\"");
        self.add("circle", &shape, hover);
    }

    /// A hollow diamond, for a value of another study.
    pub(super) fn diamond(&mut self, [x, y]: [f64; 2], hover: &str) {
        let corners = [
            [-8.0, 0.0],
            [0.0, -8.0],
            [8.0, 0.0],
            [0.0, 8.0],
            [-8.0, 0.0],
        ];
        let corners = corners.map(|[right, down]| [x + right, y + down]);
        self.path(corners, Pen(Tone::Ink, 2.0, 1.0, ""), hover);
    }

    /// An entry of the legend: a symbol and what it stands for.
    pub(super) fn entry(&mut self, [x, y]: [f64; 2], (name, symbol): &(String, Symbol)) {
        let ends = [[x, y], [x + 24.0, y]];
        let middle = [x + 12.0, y];
        match *symbol {
            Symbol::Line(tone) => {
                self.line(ends, tone, "");
                self.point(middle, tone, "");
            }
            Symbol::Box(tone) => self.bar([[x + 5.0, y - 7.0], [x + 21.0, y + 7.0]], tone, ""),
            Symbol::Dashes => self.path(ends, DASHES, ""),
            Symbol::Diamond => self.diamond(middle, ""),
        }
        self.text([x + SYMBOL - 12.0, y], "start", name);
    }

    /// A line of text, vertically centred on `y`. `anchor` is the `text-anchor`.
    pub(super) fn text(&mut self, at: [f64; 2], anchor: &str, text: &str) {
        self.styled_text(at, &format!("text-anchor=\"{anchor}\""), text);
    }

    /// The same, cut to this many letters. A cut name has a hover title with the whole one.
    pub(super) fn name(&mut self, at: [f64; 2], anchor: &str, name: &str, longest: usize) {
        let shown = shortened_to(longest, name);
        self.text(at, anchor, &shown);
        if shown != name {
            let end = self.text.len() - "</text>\n".len();
            self.text
                .insert_str(end, &format!("<title>{}</title>", escape(name)));
        }
    }

    /// A line of text that reads upwards, centred on a point.
    pub(super) fn turned_text(&mut self, [x, y]: [f64; 2], text: &str) {
        let turned = format!("text-anchor=\"middle\" transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.styled_text([x, y], &turned, text);
    }

    /// A line of text with the attributes of its element.
    pub(super) fn styled_text(&mut self, [x, y]: [f64; 2], style: &str, text: &str) {
        if !text.is_empty() {
            let (y, fill, text) = (y + 4.7, self.colour(Tone::Ink), escape(text));
            self.text +=
                &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{fill}\" {style}>{text}</text>\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_of_one_colour_differ_in_dashes_and_stripes() {
        for (tone, count) in [
            (Tone::Series as fn(usize) -> Tone, 40),
            (Tone::Won, 20),
            (Tone::Lost, 32),
        ] {
            let mut seen = Vec::new();
            for tone in (0..count).map(tone) {
                let mut svg = Svg::new(true);
                svg.line([[0.0, 0.0], [9.0, 9.0]], tone, "");
                svg.bar([[0.0, 0.0], [30.0, 20.0]], tone, "");
                let [line, bar] =
                    [0, 1].map(|shape| svg.text.lines().skip(shape).collect::<String>());
                assert!(!seen.contains(&(line.clone(), bar.clone())), "{tone:?}");
                seen.push((line, bar));
            }
        }
    }
}
