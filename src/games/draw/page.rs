//! A self-contained web page that replays games step by step.

use serde_json::{Value, json};

use super::any::AnyScene;
use super::scene::Seat;
use super::web::BOARD_SCRIPT;
use crate::at_size;
use crate::files::{Kind, begins_and_holds};
use crate::markup::{LOOK_STYLE, in_script};

/// The page's file.
pub const PAGE_FILE: Kind = Kind {
    name: "a page of `santorini draw --html`",
    begins: |head| begins_and_holds(head, "<!doctype html>\n", "<title>Santorini</title>"),
};

/// The page that replays these games, listed by their titles. With `flat` boards are first
/// drawn from above. Every game must have a board.
pub fn replay_page(games: &[(String, Vec<AnyScene>)], flat: bool) -> String {
    // One by one, because a JSON value takes a hundred times the memory of its text.
    let games: Vec<String> = games
        .iter()
        .map(|(title, scenes)| in_script(&script_game(title, scenes)))
        .collect();
    let games = format!("[{}]", games.join(","));
    include_str!("page.html")
        .replace("/* LOOK_STYLE */", LOOK_STYLE)
        .replace("/* BOARD_SCRIPT */", BOARD_SCRIPT)
        .replace("/* FLAT */", if flat { "true" } else { "false" })
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
        .map(|any| at_size!(any, scene => scene.script()))
        .collect();
    json!({ "title": title, "names": names, "scenes": scenes })
}
