//! Boards as SVG pictures: one board, or the boards of a whole game on one
//! sheet.
//!
//! A space is 100 units wide, with 50 units around the board for the
//! coordinates; the shapes come from `look.svg`. The script for web pages,
//! `board.js`, lays its boards out in the same way.

use std::fmt::Write;

use super::any::AnyScene;
use super::scene::{LastTurn, Scene, Seat};
use crate::at_size;
use crate::files::{Kind, begins_and_holds};
use crate::markup::escape;
use crate::rules::{Position, Square};

/// The shapes of everything on a board, as SVG definitions.
const LOOK: &str = include_str!("look.svg");
/// The file of a picture.
pub const PICTURE_FILE: Kind = Kind {
    name: "a picture of boards of this program",
    begins: |head| begins_and_holds(head, "<svg ", ".sn-"),
};
/// The margin around the board, for the coordinates.
const MARGIN: usize = 50;
/// The height of the caption below a board.
const CAPTION: usize = 110;
/// The height of the players below the caption of a single board.
const PLAYERS: usize = 80;
/// The gap between the boards of a sheet, and around them.
const GAP: usize = 40;
/// The height of the players above the boards of a sheet.
const HEADER: usize = 210;
/// The background of a picture.
const PAPER: &str = "#fbf8f1";
/// Names are cut after this many characters.
const LONGEST_NAME: usize = 40;
/// Units of a sheet per pixel of its natural size.
const SHEET_SCALE: f64 = 0.4;

impl<const N: usize> Scene<N> {
    /// The width of the board with its coordinates.
    const fn width(&self) -> usize {
        self.shown()[1] * 100 + 2 * MARGIN
    }

    /// Its height.
    const fn height(&self) -> usize {
        self.shown()[0] * 100 + 2 * MARGIN
    }

    /// The scene as an SVG document: the board, and below it the last turn,
    /// how the game stands, and the players.
    pub fn svg(&self) -> String {
        let (width, height) = (self.width(), self.height());
        let mut svg = open([width, height + CAPTION + PLAYERS], 1.0);
        let title = self.text(super::Style::Ascii).headline();
        let _ = write!(svg, "<title>{}</title>", escape(&title));
        svg += &board(self);
        let standing = self.standing(|seat| short(self.name(seat)));
        let lines = [Some(standing), self.note().map(short)];
        svg += &caption(
            self,
            &lines.into_iter().flatten().collect::<Vec<_>>().join("; "),
        );
        svg += &player(self, Seat::First, [30, height + CAPTION + 20], 22);
        svg += &player(self, Seat::Second, [30, height + CAPTION + 60], 22);
        svg + "</svg>\n"
    }
}

/// Boards of a game as one SVG document, row by row in the order of play,
/// each with its turn number and turn.
pub fn contact_sheet(scenes: &[AnyScene]) -> String {
    let sizes = scenes
        .iter()
        .map(|any| at_size!(any, scene => [scene.width(), scene.height()]));
    let [width, height] = sizes.fold([0; 2], |most, size| {
        [0, 1].map(|side| most[side].max(size[side]))
    });
    let step = [width + GAP, height + CAPTION + GAP];
    let columns = columns(scenes.len());
    let rows = scenes.len().div_ceil(columns);
    let size = [columns * step[0] + GAP, rows * step[1] + GAP + HEADER];
    let mut svg = open(size, SHEET_SCALE);
    svg += "<title>A game of Santorini</title>";
    if let Some(last) = scenes.last() {
        for (row, seat) in Seat::BOTH.into_iter().enumerate() {
            let at = [GAP + 20, GAP + 60 + row * 90];
            svg += &at_size!(last, scene => player(scene, seat, at, 60));
        }
    }
    for (index, any) in scenes.iter().enumerate() {
        let x = GAP + index % columns * step[0];
        let y = GAP + HEADER + index / columns * step[1];
        let (board, caption) = at_size!(any, scene => (board(scene), sheet_caption(scene)));
        let _ = writeln!(
            svg,
            "<g transform=\"translate({x} {y})\">{board}{caption}</g>"
        );
    }
    svg + "</svg>\n"
}

/// The number of columns of a sheet, chosen so that it is about 4:3.
fn columns(boards: usize) -> usize {
    (1..)
        .find(|columns| columns * columns * 3 >= boards * 4)
        .unwrap_or(1)
        .min(boards)
        .max(1)
}

/// The beginning of a document of a size in units.
fn open([width, height]: [usize; 2], scale: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{}\" height=\"{}\">\n{LOOK}\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n",
        (width as f64 * scale).round(),
        (height as f64 * scale).round(),
    )
}

/// The board with its coordinates; its upper left corner is at 0, 0.
fn board<const N: usize>(scene: &Scene<N>) -> String {
    let (width, height) = (scene.width(), scene.height());
    let mut svg = format!(
        "<g class=\"sn-board\" transform=\"translate({MARGIN} {MARGIN})\">\
         <rect x=\"-{MARGIN}\" y=\"-{MARGIN}\" width=\"{width}\" height=\"{height}\" \
         rx=\"24\" fill=\"url(#sn-cliff)\"/>"
    );
    coordinates(&mut svg, scene.shown());
    for square in squares(scene) {
        tower(&mut svg, scene.position(), square);
    }
    if let Some(last) = scene.last() {
        marks::<N>(&mut svg, last);
    }
    for square in squares(scene) {
        let cell = scene.cell(square.row::<N>(), square.column::<N>());
        if let Some(seat) = cell.worker {
            place::<N>(&mut svg, &format!("worker{}", seat as usize), square);
        }
    }
    svg + "</g>"
}

/// The squares that are shown.
fn squares<const N: usize>(scene: &Scene<N>) -> impl Iterator<Item = Square> {
    let [rows, columns] = scene.shown();
    let is_shown =
        move |square: &Square| square.row::<N>() < rows && square.column::<N>() < columns;
    (0..N * N).map(Square::new).filter(is_shown)
}

/// Letters above and row numbers at the left, as in the notation; numbers of
/// the columns below, as in JSON.
fn coordinates(svg: &mut String, [rows, columns]: [usize; 2]) {
    for index in 0..rows.max(columns) {
        let along = index * 100 + 50;
        let number = index + 1;
        if index < columns {
            let letter = char::from(b'a' + index as u8);
            let _ = write!(
                svg,
                "<text class=\"sn-text\" font-size=\"26\" x=\"{along}\" y=\"-14\">{letter}</text>"
            );
        }
        if index < rows {
            let down = along + 9;
            let _ = write!(
                svg,
                "<text class=\"sn-text\" font-size=\"26\" x=\"-24\" y=\"{down}\">{number}</text>"
            );
        }
        if index < columns {
            let below = rows * 100 + 31;
            let _ = write!(
                svg,
                "<text class=\"sn-text sn-minor\" font-size=\"20\" x=\"{along}\" y=\"{below}\">\
                 {number}</text>"
            );
        }
    }
}

/// Places a shape of `look.svg` on a space.
fn place<const N: usize>(svg: &mut String, shape: &str, square: Square) {
    let (x, y) = (square.column::<N>() * 100, square.row::<N>() * 100);
    let _ = write!(svg, "<use href=\"#sn-{shape}\" x=\"{x}\" y=\"{y}\"/>");
}

fn tower<const N: usize>(svg: &mut String, position: &Position<N>, square: Square) {
    let (row, column) = (square.row::<N>(), square.column::<N>());
    let level = position.level(square);
    place::<N>(svg, &format!("grass{}", (row + column) % 2), square);
    place::<N>(svg, &format!("level{level}"), square);
    if level > 0 {
        let (x, y) = (column * 100 + 85, row * 100 + 91);
        let _ = write!(
            svg,
            "<text class=\"sn-level\" x=\"{x}\" y=\"{y}\">{level}</text>"
        );
    }
}

/// What the last turn did: spaces left and reached, builds, and the paths of
/// the workers.
fn marks<const N: usize>(svg: &mut String, last: &LastTurn) {
    let path = last.path();
    for &square in &path[..path.len() - 1] {
        place::<N>(svg, "left", square);
    }
    place::<N>(svg, "arrived", last.turn.to());
    for square in last.built {
        place::<N>(svg, "built", square);
    }
    let aside = if last.displaced.is_some() { 12.0 } else { 0.0 };
    way::<N>(svg, &path, "head", aside, ["#4a3a00", "#ffd84a"]);
    if let Some((from, to)) = last.displaced {
        way::<N>(svg, &[from, to], "push", aside, ["#333333", "#ffffff"]);
    }
}

/// An arrow through the centres of the squares that stops short of the last one;
/// `aside` shifts it to its right so that two arrows do not overlap.
fn way<const N: usize>(
    svg: &mut String,
    squares: &[Square],
    head: &str,
    aside: f64,
    [rim, core]: [&str; 2],
) {
    let middle = |square: &Square| {
        let along = |index: usize| index as f64 * 100.0 + 50.0;
        [along(square.column::<N>()), along(square.row::<N>())]
    };
    let mut points: Vec<[f64; 2]> = squares.iter().map(middle).collect();
    let [.., start, end] = points.as_mut_slice() else {
        return;
    };
    let length = (end[0] - start[0]).hypot(end[1] - start[1]);
    let (dx, dy) = ((end[0] - start[0]) / length, (end[1] - start[1]) / length);
    *end = [end[0] - dx * 40.0, end[1] - dy * 40.0];
    let point = |[x, y]: &[f64; 2]| format!("{:.1} {:.1}", x - dy * aside, y + dx * aside);
    let path = format!(
        "M{}",
        points.iter().map(point).collect::<Vec<_>>().join("L")
    );
    let _ = write!(
        svg,
        "<path class=\"sn-way\" d=\"{path}\" stroke=\"{rim}\" stroke-width=\"11\"/>\
         <path class=\"sn-way\" d=\"{path}\" stroke=\"{core}\" stroke-width=\"6\" \
         marker-end=\"url(#sn-{head})\"/>"
    );
}

/// The caption below a board: the turn that led to it, with a worker of its
/// player, and a second line.
fn caption<const N: usize>(scene: &Scene<N>, second: &str) -> String {
    let middle = scene.width() / 2;
    let (first_line, second_line) = (scene.height() + 46, scene.height() + 86);
    let number = scene.position().turn();
    let mut svg = String::new();
    let turn = match scene.turn_text() {
        Some(turn) => {
            let seat = Seat::to_move(scene.position()).other();
            let line = format!("{number}. {turn}");
            // A character of this font is 0.6 times as wide as its size.
            let left = middle as f64 - 0.3 * 38.0 * line.len() as f64;
            svg += &icon(seat, [left - 60.0, first_line as f64], 38);
            line
        }
        None if number == 0 => "start".to_string(),
        None => format!("turn {number}"),
    };
    svg += &text(38, [middle, first_line], "middle", &turn);
    svg + &text(30, [middle, second_line], "middle", second)
}

/// The caption of a board on a sheet. It omits the state of the game where the
/// neighbouring boards show it.
fn sheet_caption<const N: usize>(scene: &Scene<N>) -> String {
    let standing = || scene.standing(|seat| short(scene.name(seat)));
    let second = match (scene.note(), scene.winner()) {
        (Some(note), _) => short(note),
        (None, Some(_)) => standing(),
        (None, None) => String::new(),
    };
    caption(scene, &second)
}

/// A player's worker, name and card on a line that begins at a place.
fn player<const N: usize>(scene: &Scene<N>, seat: Seat, [x, y]: [usize; 2], size: usize) -> String {
    let card = scene.card(seat).map(|card| format!(" ({card})"));
    let name = short(scene.name(seat)) + &card.unwrap_or_default();
    icon(seat, [x as f64, y as f64], size) + &text(size, [x + size * 2, y], "start", &name)
}

/// A worker on a line of text of a size, a little higher than the text.
fn icon(seat: Seat, [x, y]: [f64; 2], size: usize) -> String {
    let scale = size as f64 / 44.0;
    format!(
        "<use href=\"#sn-worker{}\" transform=\"translate({:.1} {:.1}) scale({scale:.3})\"/>",
        seat as usize,
        x - 20.0 * scale,
        y - 66.0 * scale,
    )
}

/// A line of text; `anchor` is start, middle or end.
fn text(size: usize, [x, y]: [usize; 2], anchor: &str, content: &str) -> String {
    format!(
        "<text class=\"sn-notation\" text-anchor=\"{anchor}\" font-size=\"{size}\" \
         x=\"{x}\" y=\"{y}\">{}</text>",
        escape(content)
    )
}

/// A name, shortened to fit.
fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_string();
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}
