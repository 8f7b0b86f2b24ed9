//! Steps through an analysis: lines, losses, threats, the opening table.

use serde_json::json;

use super::harness::Server;
use super::person::{begin, choose, click, finish, open, play_from, space};

/// A board on which the second player threatens to win at once, and the first player
/// cannot win.
const THREAT: &str = "00000/00000/00000/00000/00032 a1b2 c1e5 10";

#[test]
fn a_line_is_previewed_and_walked() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    click(&mut browser, "#analysisButton");
    browser.wait_for("document.querySelector('#lines .turnLine').children.length > 2");
    // Pointing at a turn shows its board; its line no longer changes.
    let turns = browser.evaluate(
        "(() => { const [, second] = document.querySelector('#lines .turnLine').children;
           second.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
           return [...document.querySelectorAll('#lines .turnLine button')].slice(0, 2).map(turn => turn.textContent); })()",
    );
    browser.see(
        "[preview.isOn(), shownScene().mover, state.node.view.scene.turn].join()",
        "true,0,0",
    );
    let second = turns[1].as_str().unwrap();
    let end = browser.evaluate(&format!("standsAt(readTurn('{second}'))"));
    let end = end.as_str().unwrap();
    let label = format!("document.querySelector('[data-at={end}]').getAttribute('aria-label')");
    browser.wait_for(&format!("{label}.includes('worker of Violet')"));
    browser.evaluate(
        "document.querySelector('#lines .turnLine').dispatchEvent(new MouseEvent('mouseleave'))",
    );
    browser.see("preview.isOn()", false);
    // The line is no stop for Tab, and does not cut off the ring of a turn.
    let line = "document.querySelector('#lines .turnLine')";
    browser.see(
        &format!("[{line}.tabIndex, getComputedStyle({line}).scrollbarWidth].join()"),
        "-1,none",
    );
    browser.key("Tab");
    browser.evaluate(&format!("{line}.firstElementChild.focus()"));
    browser.see(
        "getComputedStyle(document.activeElement).outlineOffset",
        "-3px",
    );
    browser.evaluate("document.activeElement.blur()");
    browser.see("preview.isOn()", false);
    // A click goes to that board.
    let second = browser.evaluate(
        "(() => { const [, second] = document.querySelector('#lines .turnLine').children;
           second.click(); return second.textContent; })()",
    );
    browser.see("state.node.turn", second);
    browser.see("state.node.view.scene.turn", 2);
    finish(&mut browser, 1280);
}

#[test]
fn threats_and_proved_outcomes_are_shown() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    play_from(&mut browser, THREAT);
    browser.evaluate("state.seats = [{ kind: 'level', level: 1 }, { kind: 'person' }]");
    click(&mut browser, "#analysisButton");
    browser.see(
        "document.querySelector('#lines b').textContent",
        "wins in 1",
    );
    browser.see("$('evalBar').textContent", "wins");
    browser.see(
        "$('whose').textContent",
        "Chances are shown for you (violet).",
    );
    click(&mut browser, "#threatButton");
    browser.see(
        "$('threatWords').textContent",
        "You threaten to win: move from e5 to d5 and win.",
    );
    browser.see("document.querySelectorAll('.overlay .threat').length", 1);
    click(&mut browser, "#hintButton");
    browser
        .wait_for("$('status').textContent.startsWith(\"Hint: Level 1's best turn moves from \")");
    click(&mut browser, "#threatButton");
    browser.see("document.querySelectorAll('.overlay g').length", 0);
    // The best turn is that of the search, not of a weak opponent.
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    browser.evaluate("state.seats = [{ kind: 'person' }, { kind: 'level', level: 1 }]");
    click(&mut browser, "#threatButton");
    browser.wait_for(
        "$('threatWords').textContent.startsWith(\"No win is threatened. Level 1's best turn would be \")",
    );
    finish(&mut browser, 390);
}

#[test]
fn each_space_shows_what_it_loses() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    // A step to b1 wins; every other turn loses.
    play_from(&mut browser, "23000/00000/00000/00000/00032 a1b2 e1e5 10");
    click(&mut browser, "#analysisButton");
    click(&mut browser, "#lossesButton");
    let words = |name: &str| format!("losses.words('{name}')");
    browser.see(&words("b1"), "best");
    browser.see(&words("b2"), "loses 100%");
    browser.see("document.querySelectorAll('.overlay .best').length", 2);
    space(&mut browser, "b2");
    browser.see("document.querySelectorAll('.overlay .best').length", 0);
    let label = "document.querySelector('[data-at=b3]').getAttribute('aria-label')";
    browser.see(label, "b3, ground, can move here, loses 100%");
    // Two turns win at once; others win, but later.
    play_from(&mut browser, "00000/00230/00000/00000/00000 c2b4 e2e4 2");
    browser.see(&words("d2"), "best");
    browser.see(&words("c3"), "good");
    browser.see("document.querySelectorAll('.overlay .best').length", 2);
    browser
        .wait_for("$('lossesNote').textContent.endsWith('Turns marked good win too, but later.')");
    finish(&mut browser, 1280);
}

#[test]
fn placements_show_the_table_and_can_be_chosen() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    let people = "[{ kind: 'person' }, { kind: 'person' }]";
    browser.evaluate(&format!(
        "newGame({{ seats: {people}, size: 5, cards: null }})"
    ));
    click(&mut browser, "#analysisButton");
    browser.see("document.querySelectorAll('.overlay text').length", 25);
    space(&mut browser, "c3");
    browser.see("document.querySelectorAll('.overlay text').length", 24);
    let first = browser.evaluate(
        "client.ask({ do: 'placements' }).then(({ placements }) => \
         placements.find(({ squares }) => squares.includes('c3')).squares.sort().join())",
    );
    click(&mut browser, "#openingCard li button");
    browser.see("[...state.placed[0]].sort().join()", first);
    browser.see("toMove()", 1);
    // The second player has the best replies.
    browser.wait_for("document.querySelectorAll('#openingCard li').length >= 4");
    click(&mut browser, "#openingCard li button");
    browser.see("state.mode", "play");
    browser.wait_for("$('openingCard').hidden");
    // Each pair of cards has a table, and there is none for other boards.
    let dots = "document.querySelectorAll('.overlay text').length";
    let card = "$('openingCard').textContent";
    browser.evaluate(&format!(
        "newGame({{ seats: {people}, size: 5, cards: ['Pan', 'Atlas'] }})"
    ));
    browser.see(dots, 25);
    browser.wait_for(&format!("{card}.includes('short searches')"));
    browser.evaluate(&format!(
        "newGame({{ seats: {people}, size: 6, cards: null }})"
    ));
    browser.wait_for(&format!("{card}.includes('only on 5 by 5')"));
    browser.see(dots, 0);
    finish(&mut browser, 390);
}

#[test]
fn a_file_of_many_games_is_searched() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    click(&mut browser, "#menuButton");
    click(&mut browser, "#openButton");
    // Ann wins every seventh game.
    browser.evaluate(
        "(() => { const line = index => JSON.stringify({ game: index, players: ['Ann', 'Bob'],
             winner: index % 7 ? 1 : 0, turns: Array(10 + index % 30).fill('a1-a2+a1') });
           const input = $('openFile'), files = new DataTransfer();
           files.items.add(new File([Array.from({ length: 30_000 }, (_, index) => line(index)).join('\\n')], 'games.jsonl'));
           input.files = files.files; input.onchange(); })()",
    );
    let count = "document.querySelector('#openDialog .search ~ [role=status]')?.textContent";
    browser.see(count, "30,000 games; choose one.");
    let rows = "document.querySelectorAll('#openDialog .games button').length";
    browser.see(rows, 101);
    choose(&mut browser, "#openDialog .games", "Show more");
    browser.see(rows, 201);
    browser.evaluate("$('gameWinner').value = 'Ann'; $('gameWinner').onchange()");
    browser.see(count, "4,286 of 30,000 games.");
    browser.evaluate("$('gameLeast').value = 39; $('gameLeast').dispatchEvent(new Event('input'))");
    browser.see(count, "143 of 30,000 games.");
    let faults = browser.evaluate(include_str!("access.js"));
    assert_eq!(faults, json!([]));
    finish(&mut browser, 390);
}
