//! The colours of charts, for light paper and for pages that may be dark.

use plotters::style::RGBColor;

/// What a colour is for. A page gives each its own colours, light and dark, in
/// `chart.css`; a picture of its own has those of light paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Text, axes and intervals.
    Ink,
    /// A line, and the bars and points that belong together.
    Series(usize),
    /// A kind of won games, and one of lost games, from the commonest on.
    Won(usize),
    Lost(usize),
}

/// After the colours that people with any colour vision can tell apart (M. Okabe
/// and K. Ito, "Color Universal Design", 2002), the light ones darker until they
/// stand out from white paper by 3:1; then four more, as far from these as they are apart.
const SERIES: [u32; 10] = [
    0x0072b2, 0xd55e00, 0x00916a, 0xc0689a, 0xad7500, 0x6b3fa0, 0x7a7a7a, 0x8c1d18, 0x0097b5,
    0x4d5a00,
];
/// From dark to light: neighbours in a bar differ, and each has an outline.
const WON: [u32; 5] = [0x1b7837, 0x5aae61, 0xa6dba0, 0xc7e9c0, 0xe5f5e0];
const LOST: [u32; 8] = [
    0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xc51b7d, 0xde77ae, 0xf1b6da, 0xfde0ef,
];
const INK: [u32; 1] = [0x000000];

impl Tone {
    /// The colours of its kind, and its number among them, which may be greater.
    const fn colours(self) -> (&'static [u32], usize) {
        match self {
            Self::Ink => (&INK, 0),
            Self::Series(index) => (&SERIES, index),
            Self::Won(index) => (&WON, index),
            Self::Lost(index) => (&LOST, index),
        }
    }

    /// The colour on light paper.
    pub fn on_paper(self) -> RGBColor {
        let (colours, index) = self.colours();
        let [_, red, green, blue] = colours[index % colours.len()].to_be_bytes();
        RGBColor(red, green, blue)
    }

    /// How many tones of its kind that come before have the same colour. `shape.rs` draws
    /// those after the first in another way.
    pub const fn round(self) -> usize {
        let (colours, index) = self.colours();
        index / colours.len()
    }

    /// All of them, each once.
    fn all() -> impl Iterator<Item = Self> {
        let series = (0..SERIES.len()).map(Self::Series);
        let won = (0..WON.len()).map(Self::Won);
        let lost = (0..LOST.len()).map(Self::Lost);
        [Self::Ink].into_iter().chain(series).chain(won).chain(lost)
    }

    /// The custom property of the style sheet.
    fn property(self) -> String {
        match self {
            Self::Ink => "--ink".into(),
            Self::Series(index) => format!("--chart-{index}"),
            Self::Won(index) => format!("--won-{index}"),
            Self::Lost(index) => format!("--lost-{index}"),
        }
    }
}

/// A picture whose colours are those of the style sheet of its page.
pub fn follow_page(svg: &str) -> String {
    Tone::all().fold(svg.to_string(), |svg, tone| {
        let RGBColor(red, green, blue) = tone.on_paper();
        // As the drawing library writes attributes; in texts it escapes quotes.
        let fixed = format!("=\"#{red:02X}{green:02X}{blue:02X}\"");
        svg.replace(&fixed, &format!("=\"var({})\"", tone.property()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::CHART_STYLE;
    use super::*;
    use crate::markup::LOOK_STYLE;

    /// The relative luminance of a colour and the contrast of two, as the Web
    /// Content Accessibility Guidelines 2.2 define them.
    fn luminance(colour: u32) -> f64 {
        let [_, red, green, blue] = colour.to_be_bytes();
        let [red, green, blue] = [red, green, blue].map(|part| match f64::from(part) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(a: u32, b: u32) -> f64 {
        let [a, b] = [a, b].map(|colour| luminance(colour) + 0.05);
        a.max(b) / a.min(b)
    }

    /// A custom property of the style sheets, on light and on dark pages.
    fn themes(property: &str) -> [u32; 2] {
        let styles = format!("{LOOK_STYLE}{CHART_STYLE}");
        let begin = format!("{property}: light-dark(");
        let value = styles.split(&begin).nth(1);
        let value = value.unwrap_or_else(|| panic!("no {property}"));
        let colours = value.split(')').next().unwrap().split(", ");
        let colours = colours.map(|text| u32::from_str_radix(&text[1..], 16).unwrap());
        <[u32; 2]>::try_from(colours.collect::<Vec<u32>>()).unwrap()
    }

    #[test]
    fn every_tone_can_be_seen_in_light_and_dark() {
        for (theme, paper) in themes("--card").into_iter().enumerate() {
            for tone in Tone::all() {
                let least = match tone {
                    Tone::Ink => 4.5,
                    Tone::Series(_) => 3.0,
                    // The outline shows where a part ends.
                    Tone::Won(_) | Tone::Lost(_) => continue,
                };
                let ratio = contrast(themes(&tone.property())[theme], paper);
                assert!(ratio >= least, "{tone:?} in theme {theme}: {ratio:.2}");
            }
        }
        assert!((contrast(0x000000, 0xffffff) - 21.0).abs() < 1e-9);
    }

    #[test]
    fn the_light_colours_of_pages_are_those_of_paper() {
        for tone in Tone::all().filter(|&tone| tone != Tone::Ink) {
            let RGBColor(red, green, blue) = tone.on_paper();
            let [light, _] = themes(&tone.property());
            assert_eq!(light.to_be_bytes(), [0, red, green, blue], "{tone:?}");
            // Browsers that know no light-dark() have it once more.
            let plain = format!("{}: #{light:06x};", tone.property());
            assert!(CHART_STYLE.contains(&plain), "{plain}");
        }
    }

    #[test]
    fn no_two_tones_share_a_colour() {
        let all: Vec<RGBColor> = Tone::all().map(Tone::on_paper).collect();
        for (index, colour) in all.iter().enumerate() {
            assert!(!all[..index].contains(colour), "{colour:?}");
        }
    }
}
