//! The view of the board: a click on a tower of any height hits its space; the board can be
//! turned, shown flat and without digits; sounds, motion and celebration.

use serde_json::json;

use super::harness::Server;
use super::person::{begin, click, finish, open, play, play_from, space};

/// A board of each size with towers of all heights side by side.
const BOARDS: [&str; 2] = [
    "03012/31230/02331/34130/12034 b2e4 c1e2 30",
    "030123/312302/023313/341301/120343/013230 b2e4 c1e2 30",
];

/// The spaces that a click in the middle of their drawn top does not hit.
const MISSED: &str = "(() => {
    const scene = shownScene();
    const plan = santorini.layout(scene, looks.now());
    const box = document.querySelector('#board .picture').getBoundingClientRect();
    const scale = box.width / plan.box[2];
    return scene.levels.flatMap((row, r) => row.map((_, c) => [r, c])).filter(at => {
        const [x, y] = plan.middle(at);
        const [left, top] = [box.left + (x - plan.box[0]) * scale, box.top + (y - plan.box[1]) * scale];
        return document.elementFromPoint(left, top)?.dataset.at !== nameOf(at);
    }).map(nameOf);
})()";

#[test]
fn no_tower_hides_the_space_behind_it_from_a_click() {
    let server = Server::start(&[]);
    for size in [[1366, 650], [390, 844]] {
        let Some(mut browser) = open(&server, size, "light") else {
            return;
        };
        for board in BOARDS {
            play_from(&mut browser, board);
            // Four quarter turns with towers, four of the flat board.
            for quarter in 0..8 {
                browser.evaluate("scrollTo(0, 0)");
                let missed = browser.evaluate(MISSED);
                assert_eq!(missed, json!([]), "{board}, {size:?}, quarter {quarter}");
                click(&mut browser, "#turnButton");
                if quarter == 3 {
                    click(&mut browser, "#flatButton");
                }
            }
            click(&mut browser, "#flatButton");
        }
        finish(&mut browser, size[0]);
    }
}

#[test]
fn coordinates_and_keys_turn_with_the_board() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 800], "light") else {
        return;
    };
    // Down the left, then along the bottom, for each quarter.
    let labels = "[...document.querySelectorAll('#board .sn-text')].map(text => text.textContent)";
    let ends = format!("(all => [0, 8, 1, 9].map(index => all[index]).join(''))({labels})");
    for (quarter, seen) in ["15ae", "ae51", "51ea", "ea15"].into_iter().enumerate() {
        browser.see(&ends, json!(seen));
        // A key goes to the neighbour in its direction on the screen.
        let middle = |name: &str| format!("[data-at={name}]");
        browser.evaluate("document.querySelector('[data-at=c3]').focus()");
        browser.evaluate("document.querySelector('[data-at=c3]').click()");
        browser.evaluate("board.focus()");
        let before = browser.middle(&middle("c3"));
        browser.key("ArrowUp");
        let name = browser.evaluate("document.activeElement.dataset.at");
        let after = browser.middle(&middle(name.as_str().unwrap()));
        assert!(
            after[1] < before[1] && (after[0] - before[0]).abs() < 1.0,
            "{name} after {quarter} quarters"
        );
        click(&mut browser, "#turnButton");
        browser.evaluate(
            "newGame({ seats: [{ kind: 'person' }, { kind: 'person' }], size: 5, cards: null })",
        );
    }
    finish(&mut browser, 1280);
}

#[test]
fn the_browser_keeps_how_the_board_is_looked_at() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 800], "light") else {
        return;
    };
    play_from(&mut browser, BOARDS[0]);
    let digits = "[...document.querySelectorAll('#board .sn-level')].filter(text => text.checkVisibility()).length > 0";
    browser.wait_for(digits);
    for button in [
        "#turnButton",
        "#flatButton",
        "#digitsButton",
        "#soundsButton",
    ] {
        click(&mut browser, button);
    }
    browser.reload();
    browser.wait_for("typeof state === 'object' && state.node !== null && state.hello !== null");
    browser.see(digits, false);
    browser.see(
        "JSON.stringify(looks.now())",
        json!(r#"{"flat":true,"turned":1}"#),
    );
    browser
        .wait_for("document.querySelectorAll('#board use[href=\"#sn-flat-level1\"]').length > 0");
    browser.see("$('soundsButton').getAttribute('aria-pressed')", "true");
    finish(&mut browser, 1280);
}

#[test]
fn forced_colours_tell_what_is_chosen() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 800], "light") else {
        return;
    };
    browser.force_colours();
    play_from(&mut browser, BOARDS[0]);
    click(&mut browser, "#analysisButton");
    browser.evaluate("showNew()");
    for (chosen, other, property) in [
        ("#analysisButton", "#hintButton", "color"),
        ("#digitsButton", "#flatButton", "color"),
        (
            ".chips label:has(:checked)",
            ".chips label:not(:has(:checked))",
            "color",
        ),
        ("#evalBar .fill", "#evalBar", "backgroundColor"),
        ("#movesCard", ".side", "borderTopStyle"),
    ] {
        browser.wait_for(&format!(
            "(([chosen, other]) => chosen !== other)(['{chosen}', '{other}'].map(selector =>
               getComputedStyle(document.querySelector(selector)).{property}))"
        ));
    }
    finish(&mut browser, 1280);
}

#[test]
fn paper_shows_the_board_from_above() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 800], "dark") else {
        return;
    };
    play_from(&mut browser, BOARDS[0]);
    let flat = "document.querySelectorAll('#board use[href=\"#sn-flat-level1\"]').length > 0";
    for (event, seen) in [("beforeprint", true), ("afterprint", false)] {
        browser.evaluate(&format!("dispatchEvent(new Event('{event}'))"));
        browser.see(flat, json!(seen));
    }
    finish(&mut browser, 1280);
}

#[test]
fn a_win_is_celebrated_and_sounds_if_wanted() {
    let server = Server::start(&[]);
    for (motion, petals) in [("no-preference", 1), ("reduce", 0)] {
        let Some(mut browser) = open(&server, [1280, 800], "light") else {
            return;
        };
        browser.prefer_motion("light", motion);
        browser.evaluate(
            "window.started = 0;
             const start = OscillatorNode.prototype.start;
             OscillatorNode.prototype.start = function(when) { window.started++; return start.call(this, when); }",
        );
        play_from(&mut browser, "00000/02300/00000/00000/00000 b2d4 e4e2 30");
        browser.see("document.title", "Red is to move – Santorini");
        // Sounds are off at first.
        space(&mut browser, "d4");
        space(&mut browser, "d3");
        browser.see("state.entry.steps.length", 1);
        assert_eq!(browser.evaluate("started"), json!(0));
        browser.key("Escape");
        click(&mut browser, "#soundsButton");
        browser.wait_for("started > 0");
        browser.evaluate("started = 0");
        space(&mut browser, "b2");
        space(&mut browser, "c2");
        browser.see("view().winner", 0);
        browser.see("document.querySelectorAll('.petals').length", json!(petals));
        browser.wait_for("started >= 4");
        browser.see("document.title", "Red wins – Santorini");
        // The petals are gone after a while.
        browser.see("document.querySelectorAll('.petals').length", 0);
        finish(&mut browser, 1280);
    }
}

/// Lists what is animated from now on, as `window.moved`: shapes, delays and first places.
const LIST_ANIMATIONS: &str = "window.moved = [];
    (animate => {
        Element.prototype.animate = function(frames, options) {
            window.moved.push([this.getAttribute('href'), options.delay ?? 0, frames[0].transform]);
            return animate.call(this, frames, options);
        };
    })(Element.prototype.animate)";

#[test]
fn two_blocks_on_one_space_fall_one_after_the_other() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 800], "light") else {
        return;
    };
    let workers = ["b2", "d4", "b4", "e2"];
    begin(&mut browser, Some(["Hephastus", "Pan"]), workers);
    play(&mut browser, "b2-b3+c3+c3");
    click(&mut browser, "#backButton");
    browser.wait_for("state.node === state.root");
    browser.prefer_motion("light", "no-preference");
    browser.evaluate(LIST_ANIMATIONS);
    click(&mut browser, "#nextButton");
    browser.see(
        "window.moved.map(([shape]) => shape)",
        json!(["#sn-worker0", "#sn-level1", "#sn-level2"]),
    );
    browser.wait_for("window.moved[1][1] < window.moved[2][1]");
    finish(&mut browser, 1280);
}

#[test]
fn swaps_and_pushes_are_seen_to_move_both_workers() {
    let server = Server::start(&[]);
    for (card, frames) in [
        ("Apollo", ["translate(0px, -82px)", "translate(0px, 82px)"]),
        (
            "Minotaur",
            ["translate(0px, -82px)", "translate(0px, -82px)"],
        ),
    ] {
        let Some(mut browser) = open(&server, [1280, 800], "light") else {
            return;
        };
        begin(&mut browser, Some([card, "Pan"]), ["b2", "d4", "b3", "e2"]);
        browser.prefer_motion("light", "no-preference");
        browser.evaluate(LIST_ANIMATIONS);
        space(&mut browser, "b2");
        space(&mut browser, "b3");
        let moved = json!([["#sn-worker0", frames[0]], ["#sn-worker1", frames[1]]]);
        browser.see(
            "window.moved.map(([shape, , place]) => [shape, place])",
            moved,
        );
        finish(&mut browser, 1280);
    }
}
