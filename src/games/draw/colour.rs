//! Boards in colour on a terminal: a picture of half-line pixels with a few characters on
//! top.
//!
//! A character cell of a terminal is about twice as high as wide. So half a cell is a
//! nearly square pixel: one `▀` shows two colours.

use std::fmt;

use anstyle::{Ansi256Color, Reset, Style};

use super::scene::{Mark, Scene, Seat, SpaceView};
use super::text::{self, column_names};

/// The size and shapes of a drawn space; pixels are counted from 0.
pub(super) struct Size {
    /// Characters from left to right; odd, so that there is a middle.
    width: usize,
    /// Lines from top to bottom; odd too. A line is two pixels high.
    lines: usize,
    /// Whether each level of a tower is inset by one pixel from the one below. If not, the
    /// colour of the whole tower shows its level.
    steps: bool,
    /// The inset of a dome from the edge of the space, in pixels.
    dome: usize,
    /// Whether a worker covers a pixel, by its distance from the middle column and its row
    /// from the top.
    worker: fn(Seat, usize, usize) -> bool,
}

pub(super) const SMALL: Size = Size {
    width: 7,
    lines: 3,
    steps: false,
    dome: 1,
    worker: small_worker,
};

pub(super) const LARGE: Size = Size {
    width: 11,
    lines: 5,
    steps: true,
    dome: 2,
    worker: large_worker,
};

/// Colours by their number in the 256-colour palette.
const GRASS: [u8; 2] = [71, 107];
/// Towers of level 1 to 3, from sand to white.
const TOWER: [u8; 3] = [180, 187, 231];
const DOME: u8 = 26;
const DOME_LIGHT: u8 = 75;
const WORKERS: [u8; 2] = [160, 55];
/// The frame of a space that was built on, and of the spaces of the move.
const BUILT: u8 = 208;
const MOVED: u8 = 220;
const INK: u8 = 16;
const PAPER: u8 = 231;

/// One character of the picture: the colours of its upper and lower half, and the character
/// and colour written over it.
#[derive(Clone, Copy, PartialEq)]
struct Glyph {
    halves: [u8; 2],
    written: Option<(char, u8)>,
}

/// A player's figure for captions.
pub(super) fn figure(seat: Seat) -> String {
    let style = colours(PAPER, WORKERS[seat as usize]).bold();
    format!("{style} {} {Reset}", text::Style::Colour.worker(seat))
}

fn colours(foreground: u8, background: u8) -> Style {
    Ansi256Color(foreground).on(Ansi256Color(background))
}

/// Writes the board with its coordinates.
pub(super) fn board<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    scene: &Scene<N>,
    size: &Size,
) -> fmt::Result {
    column_names::<N>(f, size.width, b'a')?;
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
    column_names::<N>(f, size.width, b'1')
}

/// The lines of one space.
fn paint(cell: &SpaceView, size: &Size, grass: u8) -> Vec<Vec<Glyph>> {
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
fn pixel(cell: &SpaceView, size: &Size, grass: u8, x: usize, y: usize) -> u8 {
    if let Some(seat) = cell.worker
        && (size.worker)(seat, x.abs_diff(size.width / 2), y)
    {
        return WORKERS[seat as usize];
    }
    let inset_x = x.min(size.width - 1 - x);
    let inset_y = y.min(2 * size.lines - 1 - y);
    let inset = inset_x.min(inset_y);
    if inset == 0 {
        return match cell {
            SpaceView { built: true, .. } => BUILT,
            SpaceView { mark: Some(_), .. } => MOVED,
            _ => grass,
        };
    }
    let level = usize::from(cell.level);
    if level == 0 {
        return grass;
    }
    if level == 4 && inset >= size.dome {
        let (across, down) = (inset_x - size.dome, inset_y - size.dome);
        let round = across + down > size.dome - 1;
        if round {
            let light = across == 1 && down == 1 && x < size.width / 2 && y < size.lines;
            return if light { DOME_LIGHT } else { DOME };
        }
    }
    match (level, size.steps) {
        (4, false) => grass,
        (_, false) => TOWER[level - 1],
        (_, true) => TOWER[inset.min(level).min(3) - 1],
    }
}

/// The shape of a small worker.
fn small_worker(_: Seat, aside: usize, y: usize) -> bool {
    match y {
        1 => aside == 0,
        2..=4 => aside <= 1,
        _ => false,
    }
}

/// The shape of a large worker, with a round head or a pointed hat.
fn large_worker(seat: Seat, aside: usize, y: usize) -> bool {
    let (head, neck) = match seat {
        Seat::First => (1, 0),
        Seat::Second => (0, 1),
    };
    match y {
        1 | 2 => aside <= head,
        3 => aside <= neck,
        4 | 5 => aside <= 1,
        6 | 7 => aside <= 2,
        _ => false,
    }
}

/// Writes the level and the worker on the middle line of a space.
fn write_over(cell: &SpaceView, size: &Size, line: &mut [Glyph]) {
    let middle = size.width / 2;
    let digit = char::from(b'0' + cell.level);
    let ink = if cell.level == 4 { PAPER } else { INK };
    match cell.worker {
        None if cell.level > 0 => line[middle].written = Some((digit, ink)),
        None => {}
        Some(seat) => {
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
    let mut now = None;
    for glyph in glyphs {
        let [upper, lower] = glyph.halves;
        let (character, foreground) = match glyph.written {
            Some(written) => written,
            None if upper == lower => (' ', upper),
            None => ('▀', upper),
        };
        let mut style = colours(foreground, lower);
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
