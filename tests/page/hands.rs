//! Mouse and keys on the board, and visible motion.

use serde_json::json;

use super::harness::Server;
use super::person::{begin, choose, finish, open};
use crate::browser::Browser;

/// The number of workers drawn away from their space.
const DRAGGED: &str = "document.querySelectorAll('#board .picture use[transform]').length";
/// The selected worker, or null.
const CHOSEN: &str = "state.entry.from";

fn at(name: &str) -> String {
    format!("[data-at={name}]")
}

/// Moves the mouse over a space, its button up or down.
fn hover(browser: &mut Browser, name: &str, is_down: bool) {
    let middle = browser.middle(&at(name));
    browser.mouse("mouseMoved", middle, is_down);
}

fn start(size: [u32; 2]) -> Option<(Server, Browser)> {
    let server = Server::start(&[]);
    let mut browser = open(&server, size, "light")?;
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    Some((server, browser))
}

#[test]
fn a_clicked_worker_stays_and_a_second_click_puts_it_down() {
    let Some((_server, mut browser)) = start([1280, 900]) else {
        return;
    };
    browser.press(&at("b2"));
    browser.see(CHOSEN, "b2");
    for name in ["c3", "e5"] {
        hover(&mut browser, name, false);
        browser.see(DRAGGED, 0);
    }
    // Later than the second click of a double click.
    browser.wait_for("performance.now() - pressed.time > DOUBLE_TAP");
    browser.press(&at("b2"));
    browser.see(CHOSEN, json!(null));
    hover(&mut browser, "c3", false);
    browser.see(DRAGGED, 0);
    // Releasing the button elsewhere ends the drag.
    let middle = browser.middle(&at("b2"));
    browser.mouse("mousePressed", middle, true);
    hover(&mut browser, "b3", true);
    browser.see(DRAGGED, 1);
    hover(&mut browser, "c3", false);
    browser.see(DRAGGED, 0);
    finish(&mut browser, 1280);
}

#[test]
fn escape_returns_a_dragged_worker() {
    let Some((_server, mut browser)) = start([1280, 900]) else {
        return;
    };
    let middle = browser.middle(&at("b2"));
    browser.mouse("mousePressed", middle, true);
    hover(&mut browser, "b3", true);
    browser.see(DRAGGED, 1);
    browser.see(CHOSEN, "b2");
    browser.key("Escape");
    browser.see(CHOSEN, json!(null));
    browser.see(DRAGGED, 0);
    hover(&mut browser, "c3", true);
    browser.see(DRAGGED, 0);
    let middle = browser.middle(&at("c3"));
    browser.mouse("mouseReleased", middle, false);
    browser.see(CHOSEN, json!(null));
    // Keys and clicks work as before.
    browser.press(&at("b2"));
    browser.see(CHOSEN, "b2");
    browser.press(&at("b3"));
    browser.see("state.entry.steps.length", 1);
    finish(&mut browser, 1280);
}

#[test]
fn arrow_keys_step_through_a_game_played_by_mouse() {
    let Some((_server, mut browser)) = start([1280, 900]) else {
        return;
    };
    for (turn, clicks) in [
        ("b2-b3+b2", ["b2", "b3", "b2"]),
        ("b4-a4+a5", ["b4", "a4", "a5"]),
    ] {
        for name in clicks {
            browser.press(&at(name));
        }
        browser.see("state.node.turn", json!(turn));
    }
    browser.key("ArrowLeft");
    browser.see("state.node.turn", "b2-b3+b2");
    browser.key("ArrowLeft");
    browser.wait_for("state.node === state.root");
    browser.key("ArrowRight");
    browser.see("state.node.turn", "b2-b3+b2");
    // They still do after a click on a button that disappears.
    browser.press(&at("d2"));
    browser.press(&at("d3"));
    browser.see("$('choices').children.length", 1);
    browser.press("#choices button");
    browser.see(CHOSEN, json!(null));
    browser.key("ArrowLeft");
    browser.wait_for("state.node === state.root");
    // With focus on the board, keys move on it.
    browser.evaluate("document.querySelector('[data-at=c3]').focus()");
    browser.key("Tab");
    browser.evaluate("board.focus()");
    let before = browser.evaluate("document.activeElement.dataset.at");
    browser.key("ArrowUp");
    let after = browser.evaluate("document.activeElement.dataset.at");
    assert!(after.is_string() && before != after, "{before} {after}");
    finish(&mut browser, 1280);
}

/// The animations so far: the first and last place of each worker, relative to where it is
/// drawn.
const MOVED: &str =
    "window.moved.map(places => places.map(({ transform }) => transform).join('; '))";

#[test]
fn a_clicked_turn_is_animated_once() {
    let Some((_server, mut browser)) = start([1280, 900]) else {
        return;
    };
    browser.prefer_motion("light", "no-preference");
    browser.evaluate(
        "window.moved = [];
         window.built = [];
         const animate = Element.prototype.animate;
         Element.prototype.animate = function(places, options) {
           if (this.matches('use[href^=\"#sn-worker\"]')) window.moved.push(places);
           else window.built.push(this.getAttribute('href'));
           return animate.call(this, places, options);
         }",
    );
    let once = json!(["translate(0px, -82px); translate(0px, 0px)"]);
    browser.press(&at("b2"));
    browser.press(&at("b3"));
    browser.see("state.entry.steps.length", 1);
    browser.see(MOVED, once.clone());
    // Until the answer arrives the board stays as clicked.
    browser.evaluate(
        "window.boards = new Set();
         new MutationObserver(() => boards.add(document.querySelectorAll(
           '#board .picture use[href=\"#sn-worker0\"][x=\"100\"][y=\"59\"]').length))
           .observe($('board'), { childList: true, subtree: true })",
    );
    browser.press(&at("b2"));
    browser.see("state.node.turn", "b2-b3+b2");
    browser.see("[...boards].join()", "0");
    browser.see("window.built.join()", "#sn-level1");
    assert_eq!(browser.evaluate(MOVED), once);
    // A dragged worker is not animated again.
    browser.drag(&at("b4"), &at("a4"));
    browser.press(&at("a5"));
    browser.see("state.node.turn", "b4-a4+a5");
    assert_eq!(browser.evaluate(MOVED), once);
    // Stepping animates a whole turn.
    choose(&mut browser, ".steps", "‹");
    choose(&mut browser, ".steps", "›");
    browser.see("window.moved.length", 2);
    finish(&mut browser, 1280);
}

#[test]
fn redo_takes_as_many_turns_as_take_back() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    browser.evaluate(
        "newGame({ seats: [{ kind: 'person' }, { kind: 'level', level: 1 }], size: 5, cards: null })",
    );
    browser.press(&at("b2"));
    browser.press(&at("d4"));
    browser.wait_for("state.mode === 'play' && mayAct()");
    let turns = "tree.turns(state.node).length";
    let turn = browser.evaluate("view().turns[0]");
    browser.evaluate(&format!("playTurn({turn})"));
    browser.wait_for(&format!("{turns} === 2 && mayAct()"));
    choose(&mut browser, "#actions", "Take back");
    browser.see(turns, 0);
    choose(&mut browser, "#actions", "Redo");
    browser.see(turns, 2);
    browser.control_key("z");
    browser.see(turns, 0);
    browser.control_key("y");
    browser.see(turns, 2);
    // A turn that was taken back before its answer is answered after a redo.
    browser.evaluate("tree.remove(state.node); goTo(state.root)");
    choose(&mut browser, "#actions", "Redo");
    browser.wait_for(&format!("{turns} === 2 && mayAct()"));
    finish(&mut browser, 1280);
}
