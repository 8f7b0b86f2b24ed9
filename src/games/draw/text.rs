//! Boards as text: one line a row of the board for pipes and logs.

use std::fmt;
use std::io::{self, IsTerminal};

use super::colour;
use super::scene::{Mark, Scene, Seat, SpaceView};

/// What a text drawing may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// ASCII alone.
    Ascii,
    /// Box-drawing characters and figures, no colour.
    Unicode,
    /// A picture of three lines a space, in 256 colours.
    Colour,
    /// The same with five lines a space, towers drawn step by step.
    LargeColour,
}

impl Style {
    /// What suits standard output: colour on a terminal, none if `NO_COLOR`
    /// is set and not empty, plain ASCII in a pipe or on a dumb terminal.
    pub fn for_stdout() -> Self {
        Self::choose(io::stdout().is_terminal())
    }

    /// The same for standard error.
    pub fn for_stderr() -> Self {
        Self::choose(io::stderr().is_terminal())
    }

    fn choose(terminal: bool) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if !terminal || std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
            Self::Ascii
        } else if set("NO_COLOR") {
            Self::Unicode
        } else {
            Self::Colour
        }
    }

    /// The figure of a player's workers.
    pub const fn worker(self, seat: Seat) -> char {
        match (self, seat) {
            (Self::Ascii, _) => seat.letter(),
            (_, Seat::First) => '●',
            (_, Seat::Second) => '▲',
        }
    }

    /// The figure of a player's workers as it stands in captions.
    pub fn figure(self, seat: Seat) -> String {
        match self {
            Self::Ascii | Self::Unicode => self.worker(seat).to_string(),
            Self::Colour | Self::LargeColour => colour::figure(seat),
        }
    }
}

/// A [`Scene`] as text of several lines, each ended; see [`Scene::text`].
pub struct SceneText<'a, const N: usize> {
    scene: &'a Scene<N>,
    style: Style,
}

impl<const N: usize> Scene<N> {
    /// The scene as text: a line that names the last turn and who is to move,
    /// one that names the players, and the board.
    ///
    /// ```text
    ///      a      b      c
    ///   +------+------+------+     level 1; a dome (level 4)
    /// 1 | 1    | (4)  | 2+   |     2+ built by the last turn
    ///   +------+------+------+
    /// 2 |   X* | 1  - |   Ox |     X* has moved from -, Ox was displaced
    ///   +------+------+------+
    ///      1      2      3
    /// ```
    ///
    /// The letters above are those of the turn notation, the numbers below
    /// and at the left are columns and rows as in JSON.
    pub fn text(&self, style: Style) -> SceneText<'_, N> {
        SceneText { scene: self, style }
    }
}

impl<const N: usize> SceneText<'_, N> {
    /// The first line alone: `turn 19: O to move; X played c3-c4+b4`.
    pub fn headline(&self) -> String {
        self.scene.headline(|seat| self.style.figure(seat))
    }
}

impl<const N: usize> fmt::Display for SceneText<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.headline())?;
        writeln!(f, "{}", players(self.scene, self.style))?;
        match self.style {
            Style::Ascii => board(f, self.scene, &ASCII),
            Style::Unicode => board(f, self.scene, &UNICODE),
            Style::Colour => colour::board(f, self.scene, &colour::SMALL),
            Style::LargeColour => colour::board(f, self.scene, &colour::LARGE),
        }
    }
}

/// `X first player (Pan), O second player (Apollo)`.
fn players<const N: usize>(scene: &Scene<N>, style: Style) -> String {
    let player = |seat| format!("{} {}", style.figure(seat), scene.title(seat));
    format!("{}, {}", player(Seat::First), player(Seat::Second))
}

/// The characters of a board without colour.
struct Pen {
    style: Style,
    /// Left, between and right, of the line at the top, between rows, and at
    /// the bottom.
    edges: [[char; 3]; 3],
    dash: char,
    bar: char,
    /// What fills a space of each level, so that height can be seen.
    shade: [char; 5],
}

const ASCII: Pen = Pen {
    style: Style::Ascii,
    edges: [['+'; 3]; 3],
    dash: '-',
    bar: '|',
    shade: [' '; 5],
};

const UNICODE: Pen = Pen {
    style: Style::Unicode,
    edges: [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']],
    dash: '─',
    bar: '│',
    shade: [' ', '░', '▒', '▓', ' '],
};

const CELL_WIDTH: usize = 6;

fn board<const N: usize>(f: &mut fmt::Formatter<'_>, scene: &Scene<N>, pen: &Pen) -> fmt::Result {
    column_names::<N>(f, CELL_WIDTH + 1, 3, |column| (b'a' + column as u8) as char)?;
    for row in 0..N {
        rule::<N>(f, pen, usize::from(row > 0))?;
        write!(f, " {} ", row + 1)?;
        for column in 0..N {
            write!(f, "{}{}", pen.bar, inside(&scene.cell(row, column), pen))?;
        }
        writeln!(f, "{}", pen.bar)?;
    }
    rule::<N>(f, pen, 2)?;
    column_names::<N>(f, CELL_WIDTH + 1, 3, |column| (b'1' + column as u8) as char)
}

/// A line with a name in the middle of every column `width` wide.
pub(super) fn column_names<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    width: usize,
    indent: usize,
    name: impl Fn(usize) -> char,
) -> fmt::Result {
    let names: String = (0..N)
        .map(|column| format!("{:^width$}", name(column)))
        .collect();
    writeln!(f, "{:indent$}{}", "", names.trim_end())
}

fn rule<const N: usize>(f: &mut fmt::Formatter<'_>, pen: &Pen, which: usize) -> fmt::Result {
    let [left, between, right] = pen.edges[which];
    write!(f, "   {left}")?;
    for column in 0..N {
        for _ in 0..CELL_WIDTH {
            write!(f, "{}", pen.dash)?;
        }
        write!(f, "{}", if column + 1 < N { between } else { right })?;
    }
    writeln!(f)
}

/// The six characters of a space: level, build mark, worker, move mark.
fn inside(cell: &SpaceView, pen: &Pen) -> String {
    let shade = pen.shade[usize::from(cell.level)];
    let built = if cell.built { '+' } else { shade };
    let level = match cell.level {
        0 => [shade, shade, shade],
        4 => ['(', '4', ')'],
        level => [shade, char::from(b'0' + level), built],
    };
    let after_dome = if cell.level == 4 { built } else { shade };
    let worker = cell
        .worker
        .map_or(after_dome, |seat| pen.style.worker(seat));
    let mark = match cell.mark {
        None => shade,
        Some(Mark::Left) => '-',
        Some(Mark::Arrived) => '*',
        Some(Mark::Displaced) => 'x',
    };
    level.into_iter().chain([worker, mark, shade]).collect()
}
