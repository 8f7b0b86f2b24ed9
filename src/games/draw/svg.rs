//! Boards as SVG pictures: one board, or all boards of a game on a contact sheet.
//!
//! The layout is in `plan.rs`; the shapes are in `look.svg` and in the file of the view. The
//! script for web pages, `board.js`, draws the same.

use std::fmt::Write;

use super::plan::{Area, Measures, SIDE, View};
use super::scene::{LastTurn, Scene, Seat};
use crate::files::{Kind, begins_and_holds};
use crate::markup::escape;
use crate::printable::excerpt;
use crate::rules::Square;

/// The colours and the shapes of both views, as SVG definitions.
const LOOK: &str = include_str!("look.svg");
/// The kind of a picture's file.
pub const PICTURE_FILE: Kind = Kind {
    name: "a picture of boards of this program",
    begins: |head| begins_and_holds(head, "<svg ", ".sn-"),
};
/// The space below a board, for its caption.
const CAPTION: i32 = 110;
/// The space below the caption of a single board, for the players.
const PLAYERS: i32 = 80;
/// The gap between the boards of a sheet, and around them.
const GAP: i32 = 40;
/// The space above the boards of a sheet, for the players.
const HEADER: i32 = 210;
/// The background of a picture.
const PAPER: &str = "#fbf8f1";
/// The maximum length of names, in characters.
const LONGEST_NAME: usize = 40;
/// The natural size of a sheet in pixels, per unit.
const SHEET_SCALE: f64 = 0.4;

/// What pictures show, apart from their scenes.
#[derive(Clone, Copy, Default, Debug)]
pub struct PictureOptions {
    /// How height is shown.
    pub view: View,
    /// Whether the columns have the numbers of the JSON too, behind their letters.
    pub json_columns: bool,
}

impl<const N: usize> Scene<N> {
    /// The scene as an SVG document: the board, and below it the last turn, the state of
    /// the game and the players.
    pub fn svg(&self, options: PictureOptions) -> String {
        let [width, height] = options.view.measures().size(self.shown());
        let mut svg = open(options, [width, height + CAPTION + PLAYERS], 1.0);
        let title = self.text(super::Style::Ascii).headline();
        let _ = write!(svg, "<title>{}</title>", escape(&title));
        svg += &board(self, options);
        let standing = self.standing(|seat| short(self.name(seat)));
        let lines = [Some(standing), self.note().map(short)];
        let lines: Vec<String> = lines.into_iter().flatten().collect();
        svg += &caption(self, [width, height], &lines.join("; "));
        svg += &player(self, Seat::First, [30, height + CAPTION + 20], 22);
        svg += &player(self, Seat::Second, [30, height + CAPTION + 60], 22);
        svg + "</svg>\n"
    }
}

/// The boards of a game as one SVG document, row by row in the order of play, each with its
/// turn number and turn. All boards must show the same number of rows and columns.
pub fn contact_sheet<const N: usize>(scenes: &[Scene<N>], options: PictureOptions) -> String {
    let measures = options.view.measures();
    debug_assert!(
        scenes
            .iter()
            .all(|scene| scene.shown() == scenes[0].shown())
    );
    let [width, height] = scenes
        .first()
        .map_or([0; 2], |first| measures.size(first.shown()));
    let step = [width + GAP, height + CAPTION + GAP];
    let columns = columns(scenes.len());
    let rows = scenes.len().div_ceil(columns) as i32;
    let size = [
        columns as i32 * step[0] + GAP,
        rows * step[1] + GAP + HEADER,
    ];
    let mut svg = open(options, size, SHEET_SCALE);
    svg += "<title>A game of Santorini</title>";
    if let Some(last) = scenes.last() {
        for (row, seat) in Seat::BOTH.into_iter().enumerate() {
            let at = [GAP + 20, GAP + 60 + row as i32 * 90];
            svg += &player(last, seat, at, 60);
        }
    }
    for (index, scene) in scenes.iter().enumerate() {
        let x = GAP + (index % columns) as i32 * step[0];
        let y = GAP + HEADER + (index / columns) as i32 * step[1];
        let board = board(scene, options);
        let caption = sheet_caption(scene, [width, height]);
        let _ = writeln!(
            svg,
            "<g transform=\"translate({x} {y})\">{board}{caption}</g>"
        );
    }
    svg + "</svg>\n"
}

/// The number of columns, for a sheet of about 4 to 3.
fn columns(boards: usize) -> usize {
    (1..)
        .find(|columns| columns * columns * 3 >= boards * 4)
        .unwrap_or(1)
        .min(boards)
        .max(1)
}

/// The start of a document with this size in units.
fn open(options: PictureOptions, [width, height]: [i32; 2], scale: f64) -> String {
    let shapes = match options.view {
        View::Towers => include_str!("towers.svg"),
        View::Flat => include_str!("flat.svg"),
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{}\" height=\"{}\">\n{LOOK}{shapes}\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n",
        (f64::from(width) * scale).round(),
        (f64::from(height) * scale).round(),
    )
}

/// The board with its coordinates; its upper left corner is at 0, 0.
fn board<const N: usize>(scene: &Scene<N>, options: PictureOptions) -> String {
    let measures = options.view.measures();
    let mut svg = format!(
        "<g class=\"sn-board\" transform=\"translate({SIDE} {})\">",
        measures.above
    );
    island(&mut svg, measures, scene.shown());
    coordinates(&mut svg, measures, scene.shown(), options.json_columns);
    for square in squares(scene) {
        let grass = (square.row::<N>() + square.column::<N>()) % 2;
        let shape = format!("{}grass{grass}", measures.prefix);
        place(&mut svg, &shape, measures.origin::<N>(square));
    }
    for square in squares(scene) {
        space(&mut svg, scene, measures, square);
    }
    if let Some(last) = scene.last() {
        ways(&mut svg, scene, measures, last);
    }
    svg + "</g>"
}

/// The squares that are shown, row by row.
fn squares<const N: usize>(scene: &Scene<N>) -> impl Iterator<Item = Square> {
    let [rows, columns] = scene.shown();
    let is_shown =
        move |square: &Square| square.row::<N>() < rows && square.column::<N>() < columns;
    (0..N * N).map(Square::new).filter(is_shown)
}

/// The sea, and the island in it with its cliff.
fn island(svg: &mut String, measures: &Measures, shown: [usize; 2]) {
    let [width, height] = measures.size(shown);
    let (cliff, above) = (measures.cliff, measures.above);
    let [rows, columns] = shown.map(|count| count as i32);
    let (wide, high) = (columns * 100 + 64, rows * measures.depth + 52);
    let _ = write!(
        svg,
        "<rect class=\"sn-sea\" x=\"-{SIDE}\" y=\"-{above}\" width=\"{width}\" \
         height=\"{height}\" rx=\"22\" fill=\"url(#sn-sea)\"/>"
    );
    // There is open sea above the island if towers need the room.
    let waves = if cliff > 0 { columns } else { 0 };
    for wave in 0..waves {
        let at = [wave * 100 + 10 + wave % 2 * 40, wave % 2 * 11 - 42];
        place(svg, "wave", at);
    }
    let _ = write!(
        svg,
        "<rect x=\"-35\" y=\"-17\" width=\"{}\" height=\"{}\" rx=\"21\" fill=\"#ffffff\" \
         opacity=\"0.45\"/>\
         <rect x=\"-32\" y=\"-14\" width=\"{wide}\" height=\"{}\" rx=\"18\" \
         fill=\"url(#sn-cliff)\"/>\
         <rect class=\"sn-sand\" x=\"-32\" y=\"-14\" width=\"{wide}\" height=\"{high}\" \
         rx=\"18\" fill=\"#ead9ae\"/>",
        wide + 6,
        high + cliff + 6,
        high + cliff,
    );
}

/// Row numbers on the left and column letters below, as in the notation.
fn coordinates(
    svg: &mut String,
    measures: &Measures,
    [rows, columns]: [usize; 2],
    json_columns: bool,
) {
    let mut label = |text: &str, [x, y]: [i32; 2]| {
        let _ = write!(
            svg,
            "<text class=\"sn-text\" font-size=\"21\" x=\"{x}\" y=\"{y}\">{text}</text>"
        );
    };
    for row in 0..rows {
        let y = row as i32 * measures.depth + measures.depth / 2 + 8;
        label(&(row + 1).to_string(), [-16, y]);
    }
    let below = rows as i32 * measures.depth + 26;
    for (column, letter) in ('a'..='f').enumerate().take(columns) {
        let mut text = letter.to_string();
        if json_columns {
            let _ = write!(text, " <tspan class=\"sn-minor\">{}</tspan>", column + 1);
        }
        label(&text, [column as i32 * 100 + 50, below]);
    }
}

/// Puts a shape at a point.
fn place(svg: &mut String, shape: &str, [x, y]: [i32; 2]) {
    let _ = write!(svg, "<use href=\"#sn-{shape}\" x=\"{x}\" y=\"{y}\"/>");
}

/// A space with its tower, its marks and its worker.
fn space<const N: usize>(svg: &mut String, scene: &Scene<N>, measures: &Measures, square: Square) {
    let cell = scene.cell(square.row::<N>(), square.column::<N>());
    let top = measures.top(scene, square);
    for level in 1..=cell.level {
        let shape = format!("{}level{level}", measures.prefix);
        place(svg, &shape, measures.origin::<N>(square));
    }
    if let Some(last) = scene.last() {
        marks(svg, last, top, square);
    }
    let [x, y, width, height] = top;
    let mut right = x + width - 15;
    if let Some(seat) = cell.worker {
        let shape = format!("worker{}", seat as usize);
        place(svg, &shape, measures.stand(scene, square));
        // Right of the worker, which would hide it on a narrow tower.
        right = right.max(measures.origin::<N>(square)[0] + 76);
    }
    if (1..4).contains(&cell.level) {
        let low = y + height - 10;
        let level = cell.level;
        let _ = write!(
            svg,
            "<text class=\"sn-level\" x=\"{right}\" y=\"{low}\">{level}</text>"
        );
    }
}

/// Marks a space that the last turn left, reached or built on.
fn marks(svg: &mut String, last: &LastTurn, [x, y, width, height]: Area, square: Square) {
    let mut mark = |kind: &str| {
        let _ = write!(
            svg,
            "<rect class=\"sn-{kind}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\"/>",
            x + 3,
            y + 3,
            width - 6,
            height - 6,
        );
    };
    if let [left @ .., _] = last.path().as_slice()
        && left.contains(&square)
    {
        mark("left");
    }
    if last.turn.to() == square {
        mark("arrived");
    }
    if last.built.has(square) {
        mark("built");
        place(svg, "plus", [x + width - 4, y + 4]);
    }
}

/// Arrows for the moves of the last turn, above all towers.
fn ways<const N: usize>(svg: &mut String, scene: &Scene<N>, measures: &Measures, last: &LastTurn) {
    let middles = |squares: &[Square]| -> Vec<[f64; 2]> {
        let middle = |&square: &Square| measures.middle(scene, square).map(f64::from);
        squares.iter().map(middle).collect()
    };
    let aside = if last.displaced.is_some() { 12.0 } else { 0.0 };
    let inks = ["#4a3a00", "#ffd84a"];
    arrow(svg, middles(&last.path()), "head", aside, inks);
    if let Some((from, to)) = last.displaced {
        let inks = ["#333333", "#ffffff"];
        arrow(svg, middles(&[from, to]), "push", aside, inks);
    }
}

/// An arrow through these points that stops short of the last one. `aside` shifts it to
/// its right, so that two arrows can pass each other.
fn arrow(
    svg: &mut String,
    mut points: Vec<[f64; 2]>,
    head: &str,
    aside: f64,
    [rim, core]: [&str; 2],
) {
    let [.., start, end] = points.as_mut_slice() else {
        return;
    };
    let length = (end[0] - start[0]).hypot(end[1] - start[1]);
    let (dx, dy) = ((end[0] - start[0]) / length, (end[1] - start[1]) / length);
    *end = [end[0] - dx * 34.0, end[1] - dy * 34.0];
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

/// The caption of a board: the turn that led to it, with the icon of its player, and a
/// second line.
fn caption<const N: usize>(scene: &Scene<N>, [width, height]: [i32; 2], second: &str) -> String {
    let middle = width / 2;
    let (first_line, second_line) = (height + 46, height + 86);
    let number = scene.position().turn();
    let mut svg = String::new();
    let turn = match scene.turn_text() {
        Some(turn) => {
            let seat = Seat::to_move(scene.position()).other();
            let line = format!("{number}. {turn}");
            // A character of this font is 0.6 times as wide as its size.
            let left = f64::from(middle) - 0.3 * 38.0 * line.len() as f64;
            svg += &icon(seat, [left - 60.0, f64::from(first_line)], 38);
            line
        }
        None if number == 0 => "start".to_string(),
        None => format!("turn {number}"),
    };
    svg += &text(38, [middle, first_line], "middle", &turn);
    svg + &text(30, [middle, second_line], "middle", second)
}

/// The caption of a board on a sheet. It omits the player to move, which the next board
/// shows.
fn sheet_caption<const N: usize>(scene: &Scene<N>, size: [i32; 2]) -> String {
    let standing = || scene.standing(|seat| short(scene.name(seat)));
    let second = match (scene.note(), scene.winner()) {
        (Some(note), _) => short(note),
        (None, Some(_)) => standing(),
        (None, None) => String::new(),
    };
    caption(scene, size, &second)
}

/// A line with a player's icon, name and card, which starts at `[x, y]`.
fn player<const N: usize>(scene: &Scene<N>, seat: Seat, [x, y]: [i32; 2], size: i32) -> String {
    let card = scene.card(seat).map(|card| format!(" ({card})"));
    let name = short(scene.name(seat)) + &card.unwrap_or_default();
    icon(seat, [x, y].map(f64::from), size) + &text(size, [x + size * 2, y], "start", &name)
}

/// A worker icon on a line of text of this font size, slightly taller than the text.
fn icon(seat: Seat, [x, y]: [f64; 2], size: i32) -> String {
    let scale = f64::from(size) / 38.0;
    format!(
        "<use href=\"#sn-worker{}\" transform=\"translate({:.1} {:.1}) scale({scale:.3})\"/>",
        seat as usize,
        x - 20.0 * scale,
        y - 66.0 * scale,
    )
}

/// A line of text; `anchor` is start or middle.
fn text(size: i32, [x, y]: [i32; 2], anchor: &str, content: &str) -> String {
    format!(
        "<text class=\"sn-notation\" text-anchor=\"{anchor}\" font-size=\"{size}\" \
         x=\"{x}\" y=\"{y}\">{}</text>",
        escape(content)
    )
}

/// The name, cut to the maximum length.
fn short(name: &str) -> String {
    excerpt(name, LONGEST_NAME)
}
