//! A person's actions in a browser: clicks, drags and keys.

use serde_json::json;

use super::harness::Server;
use crate::browser::Browser;

/// The page is loaded, and has asked how to start.
pub const READY: &str = "typeof state === 'object' && state.hello !== null";

/// Opens the page in a browser, if one is installed.
pub fn open(server: &Server, size: [u32; 2], scheme: &str) -> Option<Browser> {
    open_at(&server.page(), size, scheme)
}

/// Like [`open`], at any address.
pub fn open_at(address: &str, [width, height]: [u32; 2], scheme: &str) -> Option<Browser> {
    let mut browser = Browser::start()?;
    browser.resize(width, height);
    browser.prefer(scheme);
    browser.open(address);
    browser.wait_for(READY);
    browser.wait_for(&format!(
        "document.documentElement.dataset.theme === '{scheme}'"
    ));
    Some(browser)
}

/// Clicks an element, which must exist, be visible and not be disabled. Opens the menu if the
/// element is in it.
pub fn click(browser: &mut Browser, selector: &str) {
    let script = format!(
        "(() => {{ const all = [...document.querySelectorAll({selector:?})];
         const find = () => all.find(element => element.checkVisibility() && !element.disabled);
         if (!find() && all.some(element => element.closest('#menu'))) $('menuButton').click();
         const found = find();
         if (!found) return 'nothing to click';
         found.click(); return 'done'; }})()"
    );
    assert_eq!(browser.evaluate(&script), "done", "{selector}");
}

/// Clicks the button with this text in a part of the page.
pub fn choose(browser: &mut Browser, part: &str, words: &str) {
    let script = format!(
        "(() => {{ const found = [...document.querySelectorAll('{part} button')]
           .find(button => button.textContent.trim().startsWith({words:?}) && button.checkVisibility());
         if (!found) return 'nothing to click';
         found.click(); return 'done'; }})()"
    );
    assert_eq!(browser.evaluate(&script), "done", "{part}: {words}");
}

pub fn space(browser: &mut Browser, name: &str) {
    click(browser, &format!("[data-at={name}]"));
}

pub fn select(browser: &mut Browser, id: &str, value: &str) {
    browser.evaluate(&format!(
        "$('{id}').value = '{value}'; $('{id}').dispatchEvent(new Event('change'))"
    ));
    browser.see(&format!("$('{id}').value"), json!(value));
}

/// Plays a turn click by click and waits until it is played. Spaces can be clicked once the
/// page knows the legal turns.
pub fn play(browser: &mut Browser, turn: &str) {
    browser.wait_for("(state.node.view.turns ?? []).length > 0");
    let before = browser
        .evaluate("state.node.view.scene.turn")
        .as_u64()
        .unwrap();
    let clicks = browser.evaluate(&format!(
        "(turn => [turn.from, ...turn.steps.map(step => step.at)])(readTurn('{turn}'))"
    ));
    for name in clicks.as_array().unwrap() {
        space(browser, name.as_str().unwrap());
    }
    browser.wait_for(&format!("state.node.view.scene.turn > {before}"));
}

/// Starts a two-person game with workers on these spaces.
pub fn begin(browser: &mut Browser, cards: Option<[&str; 2]>, workers: [&str; 4]) {
    click(browser, "#newButton, #menuButton");
    if browser.evaluate("$('newDialog').open") == json!(false) {
        click(browser, "#newButton");
    }
    select(browser, "seat0", "person");
    select(browser, "seat1", "person");
    select(browser, "card0", cards.map_or("", |cards| cards[0]));
    if let Some([_, second]) = cards {
        select(browser, "card1", second);
    }
    choose(browser, "#newDialog", "Begin");
    browser.see("state.mode", "place");
    for name in workers {
        space(browser, name);
    }
    browser.see("state.mode", "play");
}

pub fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.evaluate(&format!("document.querySelector('{selector}').textContent"));
    text.as_str().unwrap_or_default().to_string()
}

/// Checks that nothing is wider than the screen and that the page reported no errors.
pub fn finish(browser: &mut Browser, width: u32) {
    browser.wait_for(&format!("document.documentElement.scrollWidth <= {width}"));
    assert_eq!(browser.complaints(), [""; 0], "errors in the page");
}

/// Plays the best turns against level 1 to the end.
pub fn whole_game(browser: &mut Browser) {
    browser.see("state.mode", "place");
    space(browser, "b2");
    space(browser, "d4");
    browser.wait_for("state.mode === 'play' && mayAct()");
    for turn in 0.. {
        assert!(turn < 60, "the game does not end");
        let best = browser.evaluate(
            "client.ask({ do: 'analyze', position: view().position, lines: 1, seconds: 0.2, depth: 6 })
               .then(answer => answer.lines[0].turns[0])",
        );
        play(browser, best.as_str().unwrap());
        browser.wait_for("mayAct() || toMove() === null");
        if browser.evaluate("toMove() === null") == json!(true) {
            break;
        }
    }
    assert_eq!(text(browser, ".player.won b"), "You");
    assert!(text(browser, "#status").contains("You win!"));
}

/// Plays from a position, both sides by hand.
pub fn play_from(browser: &mut Browser, position: &str) {
    browser.evaluate(&format!(
        "client.ask({{ do: 'read', text: '{position}' }}).then(start => files.beginFrom(start))"
    ));
    browser.wait_for("state.mode === 'play' && view().turns.length > 0");
}

/// Checks that these parts of the page are completely visible.
pub fn is_seen(browser: &mut Browser, parts: &[&str], when: &str) {
    for part in parts {
        let script = format!(
            "(() => {{ const box = document.querySelector('{part}').getBoundingClientRect();
               return [box.height > 0, box.top >= 0, box.bottom <= innerHeight]; }})()"
        );
        assert_eq!(
            browser.evaluate(&script),
            json!([true, true, true]),
            "{part} {when}"
        );
    }
}
