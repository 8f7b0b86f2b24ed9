//! Analysis, reviews and puzzles, by clicks.

use serde_json::json;

use super::harness::Server;
use super::person::{begin, choose, click, finish, open, play, play_from, space};

#[test]
fn the_analysis_shows_lines_and_arrows_only_while_it_is_wanted() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    click(&mut browser, "#analysisButton");
    browser.see("$('lines').querySelectorAll('button').length", json!(3));
    browser.see(
        "document.querySelectorAll('#board .sn-way').length >= 6",
        json!(true),
    );
    browser.see("/^[0-9]+%$/.test($('evalBar').textContent)", json!(true));
    click(&mut browser, "#lines button");
    browser.see("state.node.view.scene.turn", json!(1));
    browser.see("$('depth').textContent.startsWith('depth')", json!(true));
    // The analysis makes room for a hint, and goes on after it.
    click(&mut browser, "#hintButton");
    browser.see("$('status').textContent.startsWith('Hint: ')", json!(true));
    browser.evaluate("$('depth').textContent = ''");
    browser.see("$('depth').textContent.startsWith('depth')", json!(true));
    click(&mut browser, "#analysisButton");
    browser.see(
        "$('analysisCard').hidden && $('evalBar').hidden",
        json!(true),
    );
    click(&mut browser, "#hintButton");
    browser.see("$('status').textContent.startsWith('Hint: ')", json!(true));
    finish(&mut browser, 1280);
}

#[test]
fn a_game_is_reviewed_and_a_mistake_tried_again() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    // The first turn misses a win, and the second one is one.
    play_from(&mut browser, "23000/00000/00000/00000/00032 a1b2 e1e5 10");
    play(&mut browser, "a1-a2+a1");
    play(&mut browser, "e5-d5#");
    choose(&mut browser, "#reviewCard", "Review this game");
    browser.see(
        "document.querySelectorAll('#reviewCard .graph path').length",
        json!(2),
    );
    browser.see(
        "document.querySelector('#moves .blunder').textContent",
        json!("??"),
    );
    browser.evaluate("state.seats = [{ kind: 'person' }, { kind: 'level', level: 2 }]");
    choose(&mut browser, "#reviewCard", "Learn from");
    browser.see("state.node === state.root", json!(true));
    browser.see("isPerson(1)", json!(true));
    browser.see("kept.get('game').seats[1].kind", json!("level"));
    play(&mut browser, "a1-b1#");
    browser.see("$('status').className", json!("good"));
    browser.see(
        "document.querySelectorAll('#moves .aside').length",
        json!(1),
    );
    choose(&mut browser, "#reviewCard", "End the lesson");
    browser.see("review.isTeaching()", json!(false));
    browser.see("isPerson(1)", json!(false));
    finish(&mut browser, 390);
}

#[test]
fn a_puzzle_is_tried_solved_and_remembered() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    click(&mut browser, "#menuButton");
    click(&mut browser, "#puzzlesButton");
    browser.see("state.mode", json!("puzzle"));
    browser.see("view().turns.length > 1", json!(true));
    let puzzle = browser.evaluate("desk.ask({ do: 'puzzles' }).then(all => all.puzzles[0])");
    let solution = puzzle["solution"].as_str().unwrap();
    browser.see("view().position", puzzle["position"].clone());
    // Something else first, which does not win.
    let wrong = browser.evaluate(&format!(
        "view().turns.find(turn => turn !== '{solution}' && !turn.endsWith('#'))"
    ));
    let wrong = wrong.as_str().unwrap();
    let clicks = browser.evaluate(&format!(
        "(turn => [turn.from, ...turn.steps.map(step => step.at)])(readTurn('{wrong}'))"
    ));
    for name in clicks.as_array().unwrap() {
        space(&mut browser, name.as_str().unwrap());
    }
    browser.see(
        "$('status').textContent.includes('does not win by force')",
        json!(true),
    );
    browser.see("state.node === state.root", json!(true));
    browser.see("kept.get('solved', []).length", json!(0));
    choose(&mut browser, "#puzzleCard", "Start over");
    browser.see("state.root.children.length", json!(0));
    assert_eq!(puzzle["turns"], 1, "the first puzzle is the easiest");
    play(&mut browser, solution);
    browser.see("$('status').textContent.startsWith('Solved!')", json!(true));
    browser.see("kept.get('solved', []).length", json!(1));
    browser.see(
        "document.querySelector('#puzzleCard h2').textContent",
        json!("Puzzle 1 solved"),
    );
    choose(&mut browser, "#puzzleCard", "Leave");
    browser.see("state.mode", json!("place"));
    finish(&mut browser, 390);
}
