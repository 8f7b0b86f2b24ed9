//! What is visible without scrolling.

use serde_json::json;

use super::harness::Server;
use super::person::{begin, choose, click, finish, is_seen, open, play, play_from, space};
use crate::browser::Browser;

/// The parts of the page that a player needs for a turn.
const TABLE: [&str; 5] = ["#board", "#player0", "#player1", "#status", ".steps"];

#[test]
fn a_turn_is_played_without_scrolling() {
    let server = Server::start(&[]);
    for (size, has_list) in [
        ([1280, 900], true),
        ([1280, 800], true),
        ([1366, 768], true),
        ([1366, 650], false),
        ([1024, 768], true),
        ([2560, 1440], true),
        ([390, 844], false),
    ] {
        let Some(mut browser) = open(&server, size, "light") else {
            return;
        };
        let mut table = TABLE.to_vec();
        let at = format!("at {size:?}");
        choices_are_seen(&mut browser, &table, &at);
        play(&mut browser, "b2-b3+b2");
        play(&mut browser, "b5-a4+a5");
        table.push("#actions");
        if has_list {
            table.push("#moves");
        }
        is_seen(&mut browser, &table, &at);
        click(&mut browser, "#analysisButton");
        browser.see("document.querySelectorAll('#lines .turnLine').length", 3);
        table.push("#evalBar");
        is_seen(&mut browser, &table, &at);
        finish(&mut browser, size[0]);
    }
}

#[test]
fn the_board_is_as_large_as_the_window_allows() {
    let server = Server::start(&[]);
    // Windows, each with the minimum height and width of the board.
    for (size, least) in [
        ([1280, 800], 700),
        ([1366, 650], 560),
        ([1920, 1080], 1000),
        ([2560, 1440], 1100),
        ([390, 844], 330),
        ([768, 1024], 600),
        ([844, 390], 350),
    ] {
        let Some(mut browser) = open(&server, size, "light") else {
            return;
        };
        let large = format!(
            "(box => [box.height >= {least}, box.width >= {least}, box.bottom <= innerHeight])
             ($('board').getBoundingClientRect())"
        );
        let all = json!([true, true, true]);
        assert_eq!(browser.evaluate(&large), all, "at {size:?}");
        click(&mut browser, "#flatButton");
        let square = large.replace(&least.to_string(), &(least * 9 / 10).to_string());
        assert_eq!(browser.evaluate(&square), all, "flat at {size:?}");
        finish(&mut browser, size[0]);
    }
}

#[test]
fn a_turn_of_the_list_brings_the_board_into_view() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b5", "e2"]);
    play(&mut browser, "b2-b3+b2");
    play(&mut browser, "b5-a4+a5");
    browser.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    browser.wait_for("$('board').getBoundingClientRect().top < 0");
    choose(&mut browser, "#moves", "b2-b3+b2");
    browser.wait_for("$('board').getBoundingClientRect().top >= 0");
    is_seen(&mut browser, &["#board"], "after a tap on the list");
    finish(&mut browser, 390);
}

/// Starts a game with cards, begins a turn, and checks that its choices are visible.
fn choices_are_seen(browser: &mut Browser, table: &[&str], at: &str) {
    let cards = Some(["Artemis", "Prometheus"]);
    begin(browser, cards, ["b2", "d4", "b5", "e2"]);
    space(browser, "b2");
    space(browser, "b3");
    browser.see("$('choices').children.length", 3);
    is_seen(browser, table, at);
    is_seen(browser, &["#choices"], at);
    choose(browser, "#choices", "Start over");
}

#[test]
fn names_buttons_and_lines_are_not_cut() {
    let server = Server::start(&[]);
    for size in [[1280, 800], [390, 844], [320, 640], [308, 640]] {
        let Some(mut browser) = open(&server, size, "light") else {
            return;
        };
        let board = "000000/001000/002100/000000/000000/000000 b3d3 c2c4 4";
        play_from(&mut browser, board);
        browser.evaluate(
            "state.seats = [{ kind: 'person' }, { kind: 'level', level: fullStrength() }]; changed()",
        );
        browser.see(
            "document.querySelector('#player1 b').textContent",
            "Full strength",
        );
        let whole = "[...document.querySelectorAll('.who b')].every(name => name.scrollWidth <= name.clientWidth)";
        browser.wait_for(whole);
        let height =
            "((row, text) => (row.selectNodeContents($(text)), row.getClientRects().length))
             (document.createRange(), 'undoButton')";
        browser.see(height, 1);
        let top = "['newButton', 'menuButton'].map(id => $(id).offsetTop)";
        let top = browser.evaluate(top);
        assert_eq!(top[0], top[1], "one row at {size:?}");
        click(&mut browser, "#analysisButton");
        browser.see("document.querySelectorAll('#lines .turnLine').length", 3);
        // The list of turns has room for whole rows.
        browser.see("parseFloat(getComputedStyle($('moves')).maxHeight) % 44", 0);
        // A line that is longer than its room fades out.
        browser.wait_for(
            "getComputedStyle(document.querySelector('#lines .turnLine')).maskImage.includes('gradient')",
        );
        finish(&mut browser, size[0]);
    }
}

#[test]
fn a_screen_with_room_for_few_letters_cuts_nothing() {
    let server = Server::start(&[]);
    // Like a larger phone with text of twice the size.
    let Some(mut browser) = open(&server, [195, 422], "light") else {
        return;
    };
    play_from(&mut browser, "00000/00100/00210/00000/00000 b3d3 c2c4 4");
    browser.evaluate(
        "state.seats = [{ kind: 'person' }, { kind: 'level', level: fullStrength() }]; changed()",
    );
    browser.see(
        "document.querySelector('#player1 b').textContent",
        "Full strength",
    );
    browser.wait_for(
        "[...document.querySelectorAll('.who b, .tag')].every(name => name.scrollWidth <= name.clientWidth)",
    );
    browser.wait_for(
        "[...document.querySelectorAll('.actions button, .looks button')].every(button => {
           const text = document.createRange();
           text.selectNodeContents(button);
           return text.getClientRects().length === 1 && button.scrollWidth <= button.clientWidth; })",
    );
    for (open, dialog) in [
        ("showRules", "rulesDialog"),
        ("saving.show", "saveDialog"),
        ("showNew", "newDialog"),
        ("files.showOpen", "openDialog"),
    ] {
        browser.evaluate(&format!("{open}()"));
        browser.wait_for(&format!(
            "$('{dialog}').open && $('{dialog}').scrollWidth <= $('{dialog}').clientWidth"
        ));
        browser.evaluate(&format!("$('{dialog}').close()"));
    }
    finish(&mut browser, 195);
    // The text is as large as the browser's settings ask.
    browser.evaluate("document.documentElement.style.fontSize = '32px'");
    browser.see("getComputedStyle($('status')).fontSize", "32px");
}

#[test]
fn long_names_stay_inside_the_page() {
    let server = Server::start(&[]);
    for size in [[1280, 800], [320, 640]] {
        let Some(mut browser) = open(&server, size, "light") else {
            return;
        };
        play_from(&mut browser, "23000/00000/00000/00000/00032 a1b2 e1e5 10");
        browser.evaluate(
            "state.names = ['first', 'second'].map(name => `/home/anna/santorini/target/release/${name}`); changed()",
        );
        play(&mut browser, "a1-a2+a1");
        play(&mut browser, "e5-d5#");
        choose(&mut browser, "#reviewCard", "Review this game");
        browser.wait_for("document.querySelector('#reviewCard .counts') !== null");
        let width = "document.documentElement.scrollWidth";
        browser.see(width, size[0]);
        click(&mut browser, "#analysisButton");
        browser.evaluate("goStart()");
        browser.see("document.querySelectorAll('#lines .turnLine').length", 1);
        browser.see(width, size[0]);
        // Nor is anything cut in the list of games.
        browser.evaluate("files.showOpen()");
        browser.wait_for("$('openDialog').scrollWidth <= $('openDialog').clientWidth");
        finish(&mut browser, size[0]);
    }
}

#[test]
fn a_phone_in_landscape_shows_board_and_choices() {
    let server = Server::start(&[]);
    for size in [[667, 375], [740, 360], [844, 390], [932, 430], [640, 400]] {
        let Some(mut browser) = open(&server, size, "dark") else {
            return;
        };
        let table = TABLE;
        let at = format!("at {size:?}");
        choices_are_seen(&mut browser, &table, &at);
        is_seen(&mut browser, &table, &at);
        is_seen(&mut browser, &["#actions"], &at);
        click(&mut browser, "#analysisButton");
        browser.see("document.querySelectorAll('#lines .turnLine').length", 3);
        is_seen(&mut browser, &table, &at);
        is_seen(&mut browser, &["#actions", "#evalBar"], &at);
        // The board stays in place while the rest scrolls.
        browser.evaluate("scrollTo(0, 200)");
        is_seen(&mut browser, &["#board"], &at);
        finish(&mut browser, size[0]);
    }
}

#[test]
fn a_finger_on_the_board_scrolls_unless_it_drags_a_worker() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    let touch = |name: &str| {
        format!("getComputedStyle(document.querySelector('[data-at={name}]')).touchAction")
    };
    browser.see(&touch("b2"), "manipulation");
    begin(&mut browser, None, ["b2", "d4", "b5", "e2"]);
    for (name, action) in [
        ("b2", "none"),
        ("d4", "none"),
        ("b5", "manipulation"),
        ("c3", "manipulation"),
    ] {
        browser.see(&touch(name), json!(action));
    }
    finish(&mut browser, 390);
}
