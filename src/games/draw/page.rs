//! A self-contained web page that replays games step by step.

use serde_json::{Value, json};

use super::any::AnyScene;
use super::scene::Seat;
use super::web::BOARD_SCRIPT;
use crate::at_size;
use crate::files::{Kind, begins_and_holds};
use crate::markup::HtmlPage;

/// Identifies the page as made by this command.
const GENERATOR: &str = "<meta name=\"generator\" content=\"santorini draw\">";

/// The page's file, also as earlier releases wrote it.
pub const PAGE_FILE: Kind = Kind {
    name: "a page of `santorini draw --html`",
    begins: |head| {
        begins_and_holds(head, "<!DOCTYPE html>\n", GENERATOR)
            || begins_and_holds(
                head,
                "<!doctype html>\n",
                "<title>Santorini</title>\n<style>",
            )
    },
};

/// The style of pages that show one game at a time.
pub const REPLAY_STYLE: &str = include_str!("page.css");

/// The page that replays these games, listed by their titles. With `flat` boards are first
/// drawn from above. Every game must have a board.
pub fn replay_page(games: &[(String, Vec<AnyScene>)], flat: bool) -> String {
    // One by one, because a JSON value takes a hundred times the memory of its text.
    let games: Vec<String> = games
        .iter()
        .map(|(title, scenes)| script_game(title, scenes).to_string())
        .collect();
    let flat = if flat { " data-flat" } else { "" };
    HtmlPage {
        generator: GENERATOR,
        title: "Santorini",
        styles: &[REPLAY_STYLE],
        main: format!(
            "<div class=\"card\">\n<h1>Santorini</h1>\n\
             <label id=\"choice\" hidden>Game <select></select></label>\n\
             <div id=\"game\"{flat}></div>\n\
             <footer>Arrow keys step back and forward, the space bar plays the game, F shows the \
             board from above.</footer>\n</div>"
        ),
        data: Some(format!("[{}]", games.join(","))),
        scripts: &[BOARD_SCRIPT, include_str!("page.js")],
    }
    .html()
}

/// A game as the page shows it: `title`, the players' `names`, and `scenes` as `board.js`
/// draws them.
fn script_game(title: &str, scenes: &[AnyScene]) -> Value {
    let names = scenes
        .first()
        .map(|first| Seat::BOTH.map(|seat| at_size!(first, scene => scene.title(seat))));
    let scenes: Vec<Value> = scenes
        .iter()
        .map(|any| at_size!(any, scene => scene.script()))
        .collect();
    json!({ "title": title, "names": names, "scenes": scenes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_pages_are_recognized_and_the_page_to_play_on_is_not() {
        let begins = |text: &str| (PAGE_FILE.begins)(text.as_bytes());
        assert!(begins(&replay_page(&[], false)));
        let earlier =
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<title>Santorini</title>\n<style>\n";
        assert!(begins(earlier));
        assert!(!begins(
            &earlier.replace("<style>", "<meta name=\"description\">")
        ));
    }
}
