//! The colours of charts, for light paper and for pages that may be dark.

/// What a colour is for. A page gives each its own colours, light and dark, in
/// `chart.css`; a file has the colours for light paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    /// Text, axes and intervals.
    Ink,
    /// A line, and the bars and points that belong together.
    Series(usize),
    /// A kind of won games, the most frequent first.
    Won(usize),
    /// A kind of lost games, the most frequent first.
    Lost(usize),
}

/// The colours of M. Okabe and K. Ito ("Color Universal Design", 2002), which people with
/// any colour vision can distinguish. Light ones are darkened to a contrast of 3:1 with white
/// paper. Four more are added, as far apart as the others.
const SERIES: [u32; 10] = [
    0x0072b2, 0xd55e00, 0x00916a, 0xc0689a, 0xad7500, 0x6b3fa0, 0x7a7a7a, 0x8c1d18, 0x0097b5,
    0x4d5a00,
];
/// From dark to light: neighbours in a bar differ, and each has an outline.
const WON: [u32; 5] = [0x1b7837, 0x5aae61, 0xa6dba0, 0xc7e9c0, 0xe5f5e0];
const LOST: [u32; 8] = [
    0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xc51b7d, 0xde77ae, 0xf1b6da, 0xfde0ef,
];

impl Tone {
    /// The colours of its kind, the prefix of their custom properties, and the tone's index,
    /// which may exceed the number of colours.
    const fn colours(self) -> (&'static [u32], &'static str, usize) {
        match self {
            Self::Ink => (&[0x000000], "--ink", 0),
            Self::Series(index) => (&SERIES, "--chart", index),
            Self::Won(index) => (&WON, "--won", index),
            Self::Lost(index) => (&LOST, "--lost", index),
        }
    }

    /// The colour on light paper, as 0xRRGGBB.
    pub(crate) const fn on_paper(self) -> u32 {
        let (colours, _, index) = self.colours();
        colours[index % colours.len()]
    }

    /// The custom property of the style sheet.
    pub(crate) fn property(self) -> String {
        let (colours, name, index) = self.colours();
        match self {
            Self::Ink => name.into(),
            _ => format!("{name}-{}", index % colours.len()),
        }
    }

    /// How many tones before this one have its colour.
    pub(crate) const fn round(self) -> usize {
        let (colours, _, index) = self.colours();
        index / colours.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::CHART_STYLE;
    use super::*;
    use crate::markup::LOOK_STYLE;

    /// All tones, each once.
    fn all() -> impl Iterator<Item = Tone> {
        let series = (0..SERIES.len()).map(Tone::Series);
        let won = (0..WON.len()).map(Tone::Won);
        let lost = (0..LOST.len()).map(Tone::Lost);
        [Tone::Ink].into_iter().chain(series).chain(won).chain(lost)
    }

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
            for tone in all() {
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
        for tone in all().filter(|&tone| tone != Tone::Ink) {
            let [light, _] = themes(&tone.property());
            assert_eq!(light, tone.on_paper(), "{tone:?}");
            // It is repeated for browsers without light-dark().
            let plain = format!("{}: #{light:06x};", tone.property());
            assert!(CHART_STYLE.contains(&plain), "{plain}");
        }
    }

    #[test]
    fn no_two_tones_share_a_colour() {
        let all: Vec<u32> = all().map(Tone::on_paper).collect();
        for (index, colour) in all.iter().enumerate() {
            assert!(!all[..index].contains(colour), "{colour:?}");
        }
    }
}
