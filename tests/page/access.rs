//! Accessibility: the page works with little or no sight, without a mouse, and on phones.
//! `access.js` finds the obstacles.

use serde_json::json;

use super::harness::Server;
use super::person::{READY, open};
use crate::browser::Browser;

const SIZES: [[u32; 2]; 2] = [[1280, 900], [390, 844]];

/// What is opened before each check, and when it is open.
const VIEWS: [(&str, &str); 10] = [
    (
        "newGame({ seats: state.seats, size: 6, cards: null })",
        "state.mode === 'place'",
    ),
    (
        "newGame({ seats: state.seats, size: 5, cards: null }); analysis.toggle(true)",
        "document.querySelectorAll('#openingCard li').length > 0",
    ),
    (
        "analysis.toggle(false); files.openGame({ boards: [BOARD] })",
        "state.mode === 'play' && state.root.view.turns !== undefined",
    ),
    (
        "analysis.toggle(true); $('lossesButton').click(); $('threatButton').click()",
        "document.querySelectorAll('#lines .turnLine').length === 3 &&
         document.querySelectorAll('.overlay text').length > 0 && threat.ways().length > 0",
    ),
    ("showNew()", "$('newDialog').open"),
    (
        "$('newDialog').close(); showRules()",
        "$('rulesDialog').open",
    ),
    (
        "$('rulesDialog').close(); files.showOpen()",
        "$('openDialog').open",
    ),
    (
        "$('openDialog').close(); saving.show()",
        "$('saveDialog').open",
    ),
    (
        "$('saveDialog').close(); guide.open('Artemis')",
        "state.mode === 'guide'",
    ),
    ("setup.open()", "state.mode === 'setup'"),
];

const BOARD: &str = r#"{"players":[{"card":"Pan","tokens":[[2,3],[4,4]]},
    {"card":"Atlas","tokens":[[2,5],[3,5]]}],
    "spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]],"turn":18}"#;

#[test]
fn names_sizes_and_contrasts_are_right_everywhere() {
    let server = Server::start(&[]);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for scheme in ["light", "dark"] {
        for [width, height] in SIZES {
            browser.resize(width, height);
            browser.prefer(scheme);
            browser.open(&server.page());
            browser.wait_for(READY);
            for (act, seen) in VIEWS {
                browser.evaluate(&format!("{{ {} }}", act.replace("BOARD", BOARD)));
                browser.wait_for(seen);
                let faults = browser.evaluate(include_str!("access.js"));
                assert_eq!(faults, json!([]), "{scheme}, {width} wide, after {act}");
            }
            browser.evaluate("localStorage.clear(); sessionStorage.clear()");
        }
    }
    assert_eq!(browser.complaints(), [""; 0], "errors in the page");
}

#[test]
fn a_game_can_be_played_by_keys_alone() {
    let server = Server::start(&[]);
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.prefer("light");
    browser.open(&server.page());
    browser.wait_for(READY);
    browser.evaluate(
        "newGame({ seats: [{ kind: 'person' }, { kind: 'person' }], size: 5, cards: null })",
    );
    // Tab moves from button to button to the board, which is one stop.
    let mut stops = 0;
    while browser
        .evaluate("document.activeElement.dataset.at ?? null")
        .is_null()
    {
        browser.key("Tab");
        stops += 1;
        assert!(stops < 20, "the board is not reached");
    }
    let mut at = browser
        .evaluate("document.activeElement.dataset.at")
        .as_str()
        .unwrap()
        .to_string();
    let mut go = |browser: &mut Browser, to: &str| {
        let [column, row] =
            [0, 1].map(|index| i32::from(to.as_bytes()[index]) - i32::from(at.as_bytes()[index]));
        let keys = [
            (column, "ArrowLeft", "ArrowRight"),
            (row, "ArrowUp", "ArrowDown"),
        ];
        for (steps, less, more) in keys {
            for _ in 0..steps.abs() {
                browser.key(if steps < 0 { less } else { more });
            }
        }
        assert_eq!(browser.evaluate("document.activeElement.dataset.at"), to);
        browser.key("Enter");
        at = to.to_string();
    };
    for name in ["b2", "d4", "b4", "d2"] {
        go(&mut browser, name);
    }
    browser.see("state.mode", "play");
    for name in ["b2", "b3", "b2"] {
        go(&mut browser, name);
    }
    browser.see("state.node.turn", "b2-b3+b2");
    // A screen reader announces it.
    let label = "document.querySelector('[data-at=b2]').getAttribute('aria-label')";
    browser.see(label, "b2, level 1");
    let label = "document.querySelector('[data-at=b3]').getAttribute('aria-label')";
    browser.see(label, "b3, ground, worker of Red");
    let said = "$('status').textContent";
    browser.see(
        said,
        "Red moves from b2 to b3, builds level 1 on b2. Violet is to move.",
    );
    // A button that disables itself leaves the focus to its group.
    for (button, group) in [("backButton", "steps"), ("redoButton", "actions")] {
        browser.evaluate(&format!("$('{button}').focus()"));
        browser.key("Enter");
        browser.see(&format!("$('{button}').disabled"), true);
        browser.see("document.activeElement.className", group);
    }
    browser.evaluate(
        "newGame({ seats: [{ kind: 'person' }, { kind: 'level', level: 1 }], size: 5, cards: null });
         placeWorker('b3')",
    );
    browser.see(label, "b3, ground, your worker");
    browser.evaluate("setup.open()");
    browser.see(label, "b3, ground, red worker");
    assert_eq!(browser.complaints(), [""; 0], "errors in the page");
}

#[test]
fn the_menu_closes_and_the_focus_stays_on_a_button() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    let is_open = "$('menu').classList.contains('open')";
    let focus = "document.activeElement.id";
    let open_menu = |browser: &mut Browser| {
        browser.evaluate("$('menuButton').focus()");
        browser.key("Enter");
        browser.see(is_open, true);
    };
    open_menu(&mut browser);
    browser.key("Escape");
    browser.see(is_open, false);
    browser.see(focus, "menuButton");
    // A choice closes it, and a dialog gives the focus back.
    for (button, seen) in [
        ("rulesButton", "$('rulesDialog').open"),
        ("puzzlesButton", "state.mode === 'puzzle'"),
    ] {
        open_menu(&mut browser);
        browser.evaluate(&format!("$('{button}').focus()"));
        browser.key("Enter");
        browser.wait_for(seen);
        browser.evaluate("$('rulesDialog').close()");
        browser.see(is_open, false);
        browser.see(focus, "menuButton");
    }
    // So does a click elsewhere.
    browser.press("#menuButton");
    browser.see(is_open, true);
    browser.press("#player0");
    browser.see(is_open, false);
    assert_eq!(browser.complaints(), [""; 0], "errors in the page");
}
