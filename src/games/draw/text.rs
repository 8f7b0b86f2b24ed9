//! Boards as text for terminals, pipes and logs.

use std::fmt;
use std::io::{self, IsTerminal};

use super::colour;
use super::scene::{Mark, Scene, Seat, SpaceView};

/// The characters and colours of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// ASCII only.
    Ascii,
    /// Box-drawing characters and figures, no colour.
    Unicode,
    /// A picture in 256 colours, three lines a space.
    Colour,
    /// The same with five lines a space; towers show each level.
    LargeColour,
}

impl Style {
    /// The style for standard output: colour on a terminal, none if `NO_COLOR` is set and
    /// not empty, ASCII in a pipe, on a dumb terminal or in a locale without UTF-8.
    pub fn for_stdout() -> Self {
        Self::choose(io::stdout().is_terminal())
    }

    /// The same for standard error.
    pub fn for_stderr() -> Self {
        Self::choose(io::stderr().is_terminal())
    }

    fn choose(terminal: bool) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let value = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(value);
        if !terminal || value("TERM") == "dumb" || !shows_utf8(&locale) {
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

    /// The figure of a player's workers for captions.
    pub fn figure(self, seat: Seat) -> String {
        match self {
            Self::Ascii | Self::Unicode => self.worker(seat).to_string(),
            Self::Colour | Self::LargeColour => colour::figure(seat),
        }
    }
}

/// Whether the locale has UTF-8, by the first of these variables that is set and not empty.
/// If there is none, it has: most containers set none, and their terminals show UTF-8.
fn shows_utf8(variables: &[String]) -> bool {
    let locale = variables.iter().find(|value| !value.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// A [`Scene`] as text of several lines, each with its newline; see [`Scene::text`].
pub struct SceneText<'a, const N: usize> {
    scene: &'a Scene<N>,
    style: Style,
}

impl<const N: usize> Scene<N> {
    /// The scene as text: a line with the player to move and the last turn, a line with the
    /// players' names, and the board.
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
    /// The letters above are the columns of the turn notation; the numbers on the left and
    /// below are the rows and columns as in JSON.
    pub fn text(&self, style: Style) -> SceneText<'_, N> {
        SceneText { scene: self, style }
    }
}

impl<const N: usize> SceneText<'_, N> {
    /// Only the first line: `turn 19: O to move; X played c3-c4+b4`.
    pub fn headline(&self) -> String {
        self.scene.headline(|seat| self.style.figure(seat))
    }
}

impl<const N: usize> fmt::Display for SceneText<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |seat| format!("{} {}", self.style.figure(seat), self.scene.title(seat));
        writeln!(f, "{}", self.headline())?;
        writeln!(f, "{}", Seat::BOTH.map(player).join(", "))?;
        match self.style {
            Style::Ascii => board(f, self.scene, &ASCII),
            Style::Unicode => board(f, self.scene, &UNICODE),
            Style::Colour => colour::board(f, self.scene, &colour::SMALL),
            Style::LargeColour => colour::board(f, self.scene, &colour::LARGE),
        }
    }
}

/// The characters of a board without colour.
struct Charset {
    style: Style,
    /// The left, inner and right joints of the top line, of lines between rows, and of the
    /// bottom line.
    edges: [[char; 3]; 3],
    dash: char,
    bar: char,
    /// The fill of a space by its level.
    shade: [char; 5],
}

const ASCII: Charset = Charset {
    style: Style::Ascii,
    edges: [['+'; 3]; 3],
    dash: '-',
    bar: '|',
    shade: [' '; 5],
};

const UNICODE: Charset = Charset {
    style: Style::Unicode,
    edges: [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']],
    dash: '─',
    bar: '│',
    shade: [' ', '░', '▒', '▓', ' '],
};

const CELL_WIDTH: usize = 6;

fn board<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    scene: &Scene<N>,
    charset: &Charset,
) -> fmt::Result {
    column_names::<N>(f, CELL_WIDTH + 1, b'a')?;
    for row in 0..N {
        rule::<N>(f, charset, usize::from(row > 0))?;
        write!(f, " {} ", row + 1)?;
        for column in 0..N {
            write!(
                f,
                "{}{}",
                charset.bar,
                inside(&scene.cell(row, column), charset)
            )?;
        }
        writeln!(f, "{}", charset.bar)?;
    }
    rule::<N>(f, charset, 2)?;
    column_names::<N>(f, CELL_WIDTH + 1, b'1')
}

/// Writes a line with a name centred over each column of `width` characters: `first` and the
/// characters after it.
pub(super) fn column_names<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    width: usize,
    first: u8,
) -> fmt::Result {
    let names = (first..).take(N).map(char::from);
    let names: String = names.map(|name| format!("{name:^width$}")).collect();
    writeln!(f, "   {}", names.trim_end())
}

fn rule<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    charset: &Charset,
    which: usize,
) -> fmt::Result {
    let [left, between, right] = charset.edges[which].map(String::from);
    let dashes = String::from(charset.dash).repeat(CELL_WIDTH);
    let line = vec![dashes; N].join(&between);
    writeln!(f, "   {left}{line}{right}")
}

/// The six characters of a space: level, build mark, worker, move mark.
fn inside(cell: &SpaceView, charset: &Charset) -> String {
    let shade = charset.shade[usize::from(cell.level)];
    let built = if cell.built { '+' } else { shade };
    let level = match cell.level {
        0 => [shade, shade, shade],
        4 => ['(', '4', ')'],
        level => [shade, char::from(b'0' + level), built],
    };
    let after_dome = if cell.level == 4 { built } else { shade };
    let worker = cell
        .worker
        .map_or(after_dome, |seat| charset.style.worker(seat));
    let mark = match cell.mark {
        None => shade,
        Some(Mark::Left) => '-',
        Some(Mark::Arrived) => '*',
        Some(Mark::Displaced) => 'x',
    };
    level.into_iter().chain([worker, mark, shade]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_tells_whether_there_is_utf8() {
        let shows = |variables: [&str; 3]| shows_utf8(&variables.map(str::to_string));
        for variables in [
            ["", "", ""],
            ["", "", "C.UTF-8"],
            ["de_DE.utf8", "C", "C"],
            ["", "UTF-8", "C"],
        ] {
            assert!(shows(variables), "{variables:?}");
        }
        for variables in [
            ["", "", "C"],
            ["POSIX", "", "C.UTF-8"],
            ["", "de_DE.ISO-8859-1", "C.UTF-8"],
        ] {
            assert!(!shows(variables), "{variables:?}");
        }
    }
}
