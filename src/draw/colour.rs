//! Boards in colour on a terminal: a picture of half-line pixels, with a few
//! characters laid over it.
//!
//! A character cell of a terminal is about twice as high as wide, so half a
//! line (one `▀` has two colours) is a nearly square pixel.

use std::fmt;

use anstyle::{Ansi256Color, Color, Reset, Style};

use super::scene::{Cell, Mark, Scene};
use super::text::{self, column_names};

/// How large a space is drawn.
pub(super) struct Size {
    /// Characters from left to right; odd, so that there is a middle.
    width: usize,
    /// Lines from top to bottom; odd too.
    lines: usize,
    /// Whether each level of a tower is drawn one pixel further in than the
    /// one below; if not, the colour of the whole tower tells its level.
    steps: bool,
}

pub(super) const SMALL: Size = Size {
    width: 7,
    lines: 3,
    steps: false,
};

pub(super) const LARGE: Size = Size {
    width: 11,
    lines: 5,
    steps: true,
};

/// Colours by their number in the 256-colour palette.
const GRASS: [u8; 2] = [65, 71];
/// Towers of level 1 to 3, from sand to white.
const TOWER: [u8; 3] = [180, 223, 231];
const DOME: u8 = 26;
const WORKERS: [u8; 2] = [160, 55];
/// Around the space that was built on, and around those of the move.
const BUILT: u8 = 214;
const MOVED: u8 = 226;
const INK: u8 = 16;
const PAPER: u8 = 231;

/// One character of the picture: the colours of its upper and lower half,
/// and what is written over it.
#[derive(Clone, Copy, PartialEq)]
struct Glyph {
    halves: [u8; 2],
    written: Option<(char, u8)>,
}

/// Writes the board with its coordinates.
pub(super) fn board<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    scene: &Scene<N>,
    size: &Size,
) -> fmt::Result {
    column_names::<N>(f, size.width, 3, |column| (b'a' + column as u8) as char)?;
    for row in 0..N {
        let cells: Vec<Vec<Vec<Glyph>>> = (0..N)
            .map(|column| paint(&scene.cell(row, column), size, GRASS[(row + column) % 2]))
            .collect();
        for line in 0..size.lines {
            if line == size.lines / 2 {
                write!(f, " {} ", row + 1)?;
            } else {
                write!(f, "   ")?;
            }
            write_line(f, cells.iter().flat_map(|cell| &cell[line]))?;
        }
    }
    column_names::<N>(f, size.width, 3, |column| (b'1' + column as u8) as char)
}

/// The lines of one space.
fn paint(cell: &Cell, size: &Size, grass: u8) -> Vec<Vec<Glyph>> {
    let pixel = |x, y| pixel(cell, size, grass, x, y);
    let mut lines: Vec<Vec<Glyph>> = (0..size.lines)
        .map(|line| {
            let glyph = |x| Glyph {
                halves: [pixel(x, 2 * line), pixel(x, 2 * line + 1)],
                written: None,
            };
            (0..size.width).map(glyph).collect()
        })
        .collect();
    write_over(cell, size, &mut lines[size.lines / 2]);
    lines
}

/// The colour of a pixel of a space.
fn pixel(cell: &Cell, size: &Size, grass: u8, x: usize, y: usize) -> u8 {
    let height = 2 * size.lines;
    let inset_x = x.min(size.width - 1 - x);
    let inset_y = y.min(height - 1 - y);
    let inset = inset_x.min(inset_y);
    if inset == 0 {
        return match cell {
            Cell { built: true, .. } => BUILT,
            Cell { mark: Some(_), .. } => MOVED,
            _ => grass,
        };
    }
    let level = usize::from(cell.level);
    if level == 0 {
        return grass;
    }
    if !size.steps {
        let corner = inset_x == 1 && inset_y == 1;
        return match level {
            4 if corner => grass,
            4 => DOME,
            _ => TOWER[level - 1],
        };
    }
    let dome = level == 4 && inset >= 2 && !(inset_x == 2 && inset_y == 2);
    if dome {
        DOME
    } else {
        TOWER[inset.min(level).min(3) - 1]
    }
}

/// Puts the level and the worker on the middle line of a space.
fn write_over(cell: &Cell, size: &Size, line: &mut [Glyph]) {
    let middle = size.width / 2;
    let digit = char::from(b'0' + cell.level);
    let ink = if cell.level == 4 { PAPER } else { INK };
    match cell.worker {
        None if cell.level > 0 => line[middle].written = Some((digit, ink)),
        None => {}
        Some(seat) => {
            for glyph in &mut line[middle - 1..=middle + 1] {
                glyph.halves = [WORKERS[seat as usize]; 2];
            }
            line[middle].written = Some((text::Style::Colour.worker(seat), PAPER));
            if cell.level > 0 {
                line[1].written = Some((digit, ink));
            }
        }
    }
    let sign = match cell.mark {
        Some(Mark::Displaced) => Some('x'),
        Some(Mark::Left) => Some('-'),
        _ => None,
    };
    if let Some(sign) = sign {
        line[size.width - 2].written = Some((sign, INK));
    }
}

fn write_line<'a>(
    f: &mut fmt::Formatter<'_>,
    glyphs: impl Iterator<Item = &'a Glyph>,
) -> fmt::Result {
    let colour = |number| Some(Color::Ansi256(Ansi256Color(number)));
    let mut now = None;
    for glyph in glyphs {
        let [upper, lower] = glyph.halves;
        let (character, foreground) = match glyph.written {
            Some(written) => written,
            None if upper == lower => (' ', upper),
            None => ('▀', upper),
        };
        let mut style = Style::new()
            .fg_color(colour(foreground))
            .bg_color(colour(lower));
        if glyph.written.is_some() {
            style = style.bold();
        }
        if now != Some(style) {
            write!(f, "{Reset}{style}")?;
            now = Some(style);
        }
        write!(f, "{character}")?;
    }
    writeln!(f, "{Reset}")
}
