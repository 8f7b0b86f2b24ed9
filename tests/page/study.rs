//! Analysis, reviews and puzzles, by clicks.

use serde_json::json;

use super::harness::Server;
use super::person::{begin, choose, click, finish, open, play, play_from, select, space};
use crate::browser::Browser;

#[test]
fn lines_and_arrows_show_only_during_analysis() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    click(&mut browser, "#analysisButton");
    browser.see("document.querySelectorAll('#lines .turnLine').length", 3);
    browser.wait_for("document.querySelectorAll('#board .sn-way').length >= 6");
    browser.wait_for("/^[0-9]+%$/.test($('evalBar').textContent)");
    browser.see("$('whose').textContent", "Chances are shown for Red.");
    click(&mut browser, "#lines button");
    browser.see("state.node.view.scene.turn", 1);
    browser.wait_for("$('depth').textContent.startsWith('depth')");
    // A hint interrupts the analysis, which then continues.
    click(&mut browser, "#hintButton");
    browser.wait_for("$('status').textContent.startsWith('Hint: ')");
    browser.evaluate("$('depth').textContent = ''");
    browser.wait_for("$('depth').textContent.startsWith('depth')");
    click(&mut browser, "#analysisButton");
    browser.wait_for("$('analysisCard').hidden && $('evalBar').hidden");
    click(&mut browser, "#hintButton");
    browser.wait_for("$('status').textContent.startsWith('Hint: ')");
    finish(&mut browser, 1280);
}

#[test]
fn a_game_is_reviewed_and_a_mistake_tried_again() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    // The first turn misses a win, and the second one wins.
    play_from(&mut browser, "23000/00000/00000/00000/00032 a1b2 e1e5 10");
    play(&mut browser, "a1-a2+a1");
    play(&mut browser, "e5-d5#");
    choose(&mut browser, "#reviewCard", "Review this game");
    browser.see(
        "document.querySelectorAll('#reviewCard .graph path').length",
        2,
    );
    browser.see(
        "document.querySelector('#moves .blunder').textContent",
        "??",
    );
    // The review scrolls into view, and then the board.
    let is_seen = |part: &str| {
        format!(
            "(({{ top, bottom }}) => top >= 0 && bottom <= innerHeight)($('{part}').getBoundingClientRect())"
        )
    };
    browser.wait_for(&is_seen("reviewCard"));
    // It stays while the game does not change.
    browser.evaluate("window.graph = document.querySelector('#reviewCard .graph'); changed()");
    browser.wait_for("window.graph.isConnected");
    browser.evaluate("state.seats = [{ kind: 'person' }, { kind: 'level', level: 2 }]");
    browser.see(
        "[...document.querySelectorAll('#reviewCard .counts tr')][1].textContent",
        "accuracy2%100%",
    );
    browser.wait_for(
        "document.querySelector('#reviewCard .judged').textContent.includes('after: the game is won')",
    );
    choose(&mut browser, "#reviewCard", "Learn from");
    browser.wait_for(&is_seen("board"));
    browser.wait_for(&is_seen("status"));
    // The lesson is above the list of turns, near the board.
    browser.wait_for(
        "$('reviewCard').getBoundingClientRect().bottom < $('movesCard').getBoundingClientRect().top",
    );
    browser.wait_for("state.node === state.root");
    browser.wait_for("isPerson(1)");
    browser.see(
        "$('status').textContent",
        "Turn 11: find a better turn than a1-a2+a1.",
    );
    browser.see("storage.get('game').seats[1].kind", "level");
    // It goes on while another page plays a live game.
    browser.evaluate("Object.assign(state.hello, { live: true, joined: true }); changed()");
    browser.see("$('hintButton').disabled && !$('reviewCard').hidden", true);
    browser.evaluate("Object.assign(state.hello, { live: false, joined: false }); changed()");
    choose(&mut browser, "#reviewCard", "Why was it wrong?");
    browser.see(
        "$('status').textContent",
        "a1-a2+a1 is answered by e5-d5#, which wins.",
    );
    let line = "[...document.querySelectorAll('#reviewCard .turnLine button')].map(turn => turn.textContent)";
    browser.see(line, ["a1-a2+a1", "e5-d5#"]);
    play(&mut browser, "a1-b1#");
    browser.see("$('status').className", "good");
    browser.see("document.querySelectorAll('#moves .aside').length", 1);
    choose(&mut browser, "#reviewCard", "End the lesson");
    browser.see("lesson.isOn()", false);
    browser.see("isPerson(1)", false);
    // The review says if it is not of the main line.
    let is_other = "$('reviewCard').textContent.includes('The main line has changed')";
    browser.see(is_other, false);
    choose(&mut browser, "#nodeTools", "Make it the main line");
    browser.wait_for(is_other);
    finish(&mut browser, 390);
}

#[test]
fn a_game_left_during_a_lesson_keeps_its_players() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    play_from(&mut browser, "23000/00000/00000/00000/00032 a1b2 e1e5 10");
    play(&mut browser, "a1-a2+a1");
    play(&mut browser, "e5-d5#");
    browser.evaluate("state.seats = [{ kind: 'person' }, { kind: 'level', level: 2 }]; changed()");
    let learn = |browser: &mut Browser| {
        choose(browser, "#reviewCard", "Review this game");
        browser.wait_for("$('reviewCard').textContent.includes('Learn from')");
        choose(browser, "#reviewCard", "Learn from");
        browser.wait_for("lesson.isOn() && isPerson(1)");
    };
    let go_back = |browser: &mut Browser| {
        browser.wait_for("$('choices').textContent.includes('Back to the game before')");
        choose(browser, "#choices", "Back to the game before");
        browser.see(
            "[state.seats, storage.get('game').seats].map(seats => seats[1].kind).join()",
            "level,level",
        );
        browser.see("lesson.isOn()", false);
    };
    learn(&mut browser);
    click(&mut browser, "#setupButton");
    choose(&mut browser, "#setupCard", "Cancel");
    browser.see("lesson.isOn() && isPerson(1)", true);
    click(&mut browser, "#setupButton");
    choose(&mut browser, "#setupCard", "Start from here");
    go_back(&mut browser);
    learn(&mut browser);
    open_puzzles(&mut browser);
    choose(&mut browser, "#puzzleCard", "Leave");
    browser.see("lesson.isOn() && isPerson(1)", true);
    open_puzzles(&mut browser);
    browser.evaluate("newGame({ seats: state.seats, size: 5, cards: null })");
    go_back(&mut browser);
    finish(&mut browser, 1280);
}

#[test]
fn repeated_hints_do_not_keep_the_opponent_waiting() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    browser.evaluate(
        "client.ask({ do: 'read', text: '00000/00000/00000/00000/00000 b2d4 b4d2 0' })
           .then(start => files.beginFrom(start, [{ kind: 'person' }, { kind: 'level', level: 1 }]))",
    );
    browser.wait_for("state.mode === 'play' && mayAct()");
    // More than a page may search at a time.
    browser.evaluate("for (let press = 0; press < 6; press += 1) $('hintButton').click()");
    play(&mut browser, "b2-b3+b2");
    browser.wait_for("state.node.view.scene.turn === 2 && mayAct()");
    browser.see("$('status').className", "");
    click(&mut browser, "#hintButton");
    browser.wait_for("$('status').textContent.startsWith('Hint: ')");
    finish(&mut browser, 1280);
}

#[test]
fn a_puzzle_is_tried_solved_and_remembered() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    click(&mut browser, "#menuButton");
    click(&mut browser, "#puzzlesButton");
    browser.see("state.mode", "puzzle");
    browser.wait_for("view().turns.length > 1");
    browser.wait_for("$('analysisButton').disabled");
    let puzzle = browser.evaluate("client.ask({ do: 'puzzles' }).then(all => all.puzzles[0])");
    let solution = puzzle["solution"].as_str().unwrap();
    browser.see("view().position", puzzle["position"].clone());
    // First another turn, which does not win.
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
    browser.wait_for("$('status').textContent.includes('does not win by force')");
    browser.wait_for("state.node === state.root");
    browser.see("storage.get('solved', []).length", 0);
    choose(&mut browser, "#puzzleCard", "Start over");
    browser.see("state.root.children.length", 0);
    assert_eq!(puzzle["turns"], 1, "the first puzzle is the easiest");
    play(&mut browser, solution);
    browser
        .wait_for("$('status').textContent.startsWith('You win. A puzzle counts as solved only')");
    browser.see("storage.get('solved', []).length", 0);
    choose(&mut browser, "#puzzleCard", "Leave");
    open_puzzles(&mut browser);
    browser.see("view().position", puzzle["position"].clone());
    play(&mut browser, solution);
    browser.wait_for("$('status').textContent.startsWith('Solved!')");
    browser.see("storage.get('solved', []).length", 1);
    browser.see(
        "document.querySelector('#puzzleCard h2').textContent",
        "Puzzle 1 solved",
    );
    // Now both sides can be played, with the analysis.
    choose(&mut browser, "#puzzleCard", "Analyse");
    browser.see("$('analysisCard').hidden", false);
    browser.see("document.querySelectorAll('#lines .turnLine').length", 1);
    play(&mut browser, wrong);
    browser.see("mayAct() && state.node.turn", json!(wrong));
    choose(&mut browser, "#puzzleCard", "Leave");
    browser.see("state.mode", "place");
    finish(&mut browser, 390);
}

#[test]
fn the_analysis_of_a_puzzle_speaks_for_its_solver() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let puzzle = browser.evaluate(
        "client.ask({ do: 'puzzles' }).then(all => all.puzzles.find(({ turns, position }) =>
           turns === 1 && position.split(' ')[3] % 2 === 1))",
    );
    let position = puzzle["position"].as_str().unwrap();
    browser.evaluate(&format!("puzzles.openAt('{position}')"));
    browser.see("state.mode === 'puzzle' && view().position", position);
    play(&mut browser, puzzle["solution"].as_str().unwrap());
    browser.wait_for("$('status').textContent.startsWith('Solved!')");
    choose(&mut browser, "#puzzleCard", "Analyse");
    browser.see(
        "$('whose').textContent",
        "Chances are shown for you (violet).",
    );
    browser.see(
        "document.querySelector('#lines b').textContent",
        "wins in 1",
    );
    // There was nothing to search.
    browser.see("$('depth').textContent", "");
    finish(&mut browser, 1280);
}

fn open_puzzles(browser: &mut Browser) {
    click(browser, "#puzzlesButton");
    browser.see("state.mode", "puzzle");
}

#[test]
fn games_and_puzzles_resume_after_each_other() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    // During placement.
    browser.evaluate(
        "newGame({ seats: [{ kind: 'person' }, { kind: 'level', level: 1 }], size: 6, cards: ['Pan', 'Atlas'] })",
    );
    space(&mut browser, "f6");
    open_puzzles(&mut browser);
    choose(&mut browser, "#puzzleCard", "Leave");
    browser.see("state.mode", "place");
    browser.see(
        "[state.size, state.placed[0].join(), state.cards.join(), state.seats[1].level].join()",
        "6,f6,Pan,Atlas,1",
    );
    // In a game.
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    let kept = browser.evaluate("localStorage.getItem('santorini.game')");
    open_puzzles(&mut browser);
    let puzzle = browser.evaluate("view().position");
    click(&mut browser, "#setupButton");
    space(&mut browser, "c3");
    choose(&mut browser, "#setupCard", "Cancel");
    browser.see("state.mode", "puzzle");
    browser.see("view().position", puzzle);
    browser.see("$('puzzleCard').hidden", false);
    browser.see("localStorage.getItem('santorini.game')", kept);
    choose(&mut browser, "#puzzleCard", "Leave");
    browser.see("state.mode", "play");
    browser.see("state.node.turn", "b2-b3+b2");
    play(&mut browser, "b4-a4+a5");
    finish(&mut browser, 1280);
}

#[test]
fn the_answer_of_a_puzzle_is_shown_to_its_end() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    click(&mut browser, "#menuButton");
    open_puzzles(&mut browser);
    select(&mut browser, "puzzleLength", "3");
    browser.wait_for("$('puzzleCard').textContent.includes('a win in 3 turns')");
    let turns = "state.root.view.scene.turn";
    browser.wait_for(&format!(
        "$('moves').textContent === `No turn has been played since turn ${{{turns}}}.` && $('turnNumber').textContent === ''"
    ));
    choose(&mut browser, "#puzzleCard", "Show the answer");
    browser.wait_for("view().winner === state.names.indexOf('You')");
    browser.see("tree.turns(state.node).length", 5);
    browser.wait_for(
        "$('status').textContent === `The answer: ${tree.turns(state.node).join(', ')}.`",
    );
    browser.see("$('status').className", "");
    browser.see("storage.get('solved', []).length", 0);
    browser.see(
        "document.querySelector('#puzzleCard .strong').textContent",
        "Next puzzle",
    );
    // A puzzle whose answer was shown cannot be solved by starting over.
    choose(&mut browser, "#puzzleCard", "Start over");
    browser.wait_for("state.node === state.root");
    browser.see(
        "[puzzles.now().result, puzzles.now().isShown]",
        json!(["failed", true]),
    );
    // Nor by opening it again.
    let puzzle = browser.evaluate("puzzles.now().id");
    choose(&mut browser, "#puzzleCard", "Leave");
    browser.evaluate("puzzles.open()");
    browser.see("puzzles.now()?.id", puzzle);
    browser.see("puzzles.now().isShown", true);
    finish(&mut browser, 390);
}

#[test]
fn a_puzzles_opponent_cannot_be_played_by_hand() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "dark") else {
        return;
    };
    open_puzzles(&mut browser);
    let puzzle = browser.evaluate(
        "client.ask({ do: 'puzzles' }).then(all => all.puzzles.find(puzzle => puzzle.turns === 2))",
    );
    select(&mut browser, "puzzleLength", "2");
    browser.see("view().position", puzzle["position"].clone());
    play(&mut browser, puzzle["solution"].as_str().unwrap());
    browser.see("tree.turns(state.node).length", 2);
    choose(&mut browser, "#actions", "Take back");
    browser.wait_for("state.node === state.root");
    choose(&mut browser, "#actions", "Redo");
    browser.see("tree.turns(state.node).length", 2);
    choose(&mut browser, ".steps", "‹");
    browser.see("tree.turns(state.node).length", 1);
    browser.see("mayAct()", false);
    space(&mut browser, "a1");
    browser.wait_for("$('status').textContent.startsWith('It is ')");
    finish(&mut browser, 1280);
}
