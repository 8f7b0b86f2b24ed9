//! A web page that replays games step by step, with all it needs in itself.

use serde_json::{Value, json};

use super::any::{AnyScene, inside};
use super::scene::{LastTurn, Scene, Seat};
use super::web::BOARD_SCRIPT;
use crate::files::{Kind, begins_and_holds};
use crate::rules::Square;

/// The page's file.
pub const PAGE_FILE: Kind = Kind {
    name: "a page of `santorini draw --html`",
    begins: |head| begins_and_holds(head, "<!doctype html>\n", "<title>Santorini</title>"),
};

/// The text of a page that replays games, each with a title to choose it by.
/// No game may be without a board.
pub fn replay_page(games: &[(String, Vec<AnyScene>)]) -> String {
    let games: Vec<Value> = games
        .iter()
        .map(|(title, scenes)| script_game(title, scenes))
        .collect();
    // In a script element `<` could begin a tag that ends it.
    let games = Value::from(games).to_string().replace('<', "\\u003c");
    include_str!("page.html")
        .replace("/* BOARD_SCRIPT */", BOARD_SCRIPT)
        .replace("/* GAMES */", &games)
}

/// A game as the scripts of pages show it: `title`, the players' `names`, and
/// `scenes` as `board.js` draws them.
pub fn script_game(title: &str, scenes: &[AnyScene]) -> Value {
    let names = scenes
        .first()
        .map(|first| Seat::BOTH.map(|seat| first.title(seat)));
    let scenes: Vec<Value> = scenes
        .iter()
        .map(|any| inside!(any, scene => script_scene(scene)))
        .collect();
    json!({ "title": title, "names": names, "scenes": scenes })
}

/// A scene as `board.js` draws it.
fn script_scene<const N: usize>(scene: &Scene<N>) -> Value {
    let position = scene.position();
    let levels: Vec<Vec<u8>> = (0..N)
        .map(|row| (0..N).map(|column| scene.cell(row, column).level).collect())
        .collect();
    let workers = Seat::BOTH.map(|seat| places::<N>(position.workers(seat.side(position))));
    let over = scene.winner().is_some();
    json!({
        "levels": levels,
        "workers": workers,
        "last": scene.last().map(script_turn::<N>),
        "mover": (!over).then_some(Seat::to_move(position) as u8),
        "caption": scene.headline(|seat| scene.name(seat).to_string()),
        "turn": position.turn(),
        "played": scene.turn_text(),
    })
}

fn script_turn<const N: usize>(last: &LastTurn) -> Value {
    let displaced = last.displaced.map(|(from, to)| places::<N>([from, to]));
    json!({
        "path": places::<N>(last.path()),
        "built": places::<N>(last.built),
        "displaced": displaced,
    })
}

/// Squares as rows and columns from 0.
fn places<const N: usize>(squares: impl IntoIterator<Item = Square>) -> Vec<[usize; 2]> {
    let place = |square: Square| [square.row::<N>(), square.column::<N>()];
    squares.into_iter().map(place).collect()
}
