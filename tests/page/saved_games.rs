//! No game is lost: deletions can be undone, the browser saves replaced games, and its
//! saved data may be damaged.

use serde_json::{Value, json};

use super::harness::Server;
use super::person::{READY, begin, choose, click, finish, open, play, space};
use crate::browser::Browser;

const TURNS: &str = "tree.write(state.root).length - 1";

/// Plays a two-person game with two turns and a variation.
fn two_turns(browser: &mut Browser) {
    begin(browser, None, ["b2", "d4", "b4", "d2"]);
    play(browser, "b2-b3+b2");
    play(browser, "b4-a4+a5");
    choose(browser, "#actions", "Take back");
    play(browser, "d2-e1+e2");
    browser.see(TURNS, 3);
}

fn kept_games(browser: &mut Browser) -> Value {
    browser.evaluate("games.list().map(({ tree }) => tree.length - 1)")
}

#[test]
fn deleted_turns_can_be_restored() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    two_turns(&mut browser);
    let whole = browser.evaluate("JSON.stringify(tree.write(state.root))");
    let delete = |browser: &mut Browser| {
        choose(browser, ".steps", "«");
        choose(browser, ".steps", "›");
        choose(browser, "#nodeTools", "Delete from here");
        browser.see(TURNS, 0);
        browser.wait_for("$('status').textContent.startsWith('3 turns deleted')");
    };
    delete(&mut browser);
    browser.control_key("z");
    browser.see("JSON.stringify(tree.write(state.root))", whole.clone());
    browser.see("state.node.turn", "b2-b3+b2");
    delete(&mut browser);
    choose(&mut browser, "#choices", "Undo: delete");
    browser.see("JSON.stringify(tree.write(state.root))", whole.clone());
    // By key, the focus stays on the button for the next board.
    choose(&mut browser, ".steps", "»");
    browser.key("Tab");
    browser.evaluate("[...$('nodeTools').children].at(-1).focus()");
    browser.key("Enter");
    browser.see("state.node.turn", "b2-b3+b2");
    browser.see("document.activeElement.textContent", "Delete from here");
    browser.control_key("z");
    browser.see("JSON.stringify(tree.write(state.root))", whole.clone());
    // Also after other turns, once these are taken back.
    delete(&mut browser);
    play(&mut browser, "d4-c3+c4");
    browser.control_key("z");
    browser.wait_for("state.node === state.root");
    browser.control_key("z");
    browser.see(TURNS, 4);
    // And after a reload.
    delete_all(&mut browser);
    browser.open(&server.page());
    browser.wait_for(READY);
    browser.see("state.root?.children.length", 0);
    choose_kept(&mut browser, 2);
    browser.see(TURNS, 4);
    finish(&mut browser, 390);
}

#[test]
fn taking_back_to_the_placement_keeps_the_turns() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    for is_by_key in [true, false] {
        browser.control_key("z");
        browser.wait_for("state.node === state.root");
        browser.control_key("z");
        browser.see("state.mode", "place");
        if is_by_key {
            browser.control_key("z");
        } else {
            choose(&mut browser, "#choices", "Back to the game before");
        }
        browser.see(&format!("state.mode === 'play' && {TURNS}"), 1);
        choose(&mut browser, "#actions", "Redo");
        browser.see("state.node.turn", "b2-b3+b2");
    }
    finish(&mut browser, 1280);
}

/// Deletes both lines of the game.
fn delete_all(browser: &mut Browser) {
    for turns in [1, 0] {
        choose(browser, ".steps", "«");
        choose(browser, ".steps", "›");
        choose(browser, "#nodeTools", "Delete from here");
        browser.wait_for(&format!("{TURNS} <= {turns}"));
    }
}

/// Continues the saved game with this many turns in its main line.
fn choose_kept(browser: &mut Browser, turns: u32) {
    browser.evaluate("files.showOpen()");
    let words = format!("Red – Violet: not finished, {turns} turns");
    choose(browser, ".library", &words);
    browser.see("$('openDialog').open", false);
}

#[test]
fn a_replaced_game_can_be_reopened() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "dark") else {
        return;
    };
    two_turns(&mut browser);
    let record = browser.evaluate("session.written(state.root, state.node)");
    let start = "00000/00010/00000/00000/00000 b3d3 c2c4 1";
    let replacements = [
        "newGame({ seats: state.seats, size: 6, cards: ['Pan', 'Atlas'] })".to_string(),
        format!(
            "client.ask({{ do: 'read', text: '{start}' }}).then(start => files.beginFrom(start))"
        ),
        format!("files.openGame({})", json!({ "boards": [board()] })),
    ];
    for replacement in &replacements {
        browser.evaluate(replacement);
        browser.see(&format!("state.root !== null && {TURNS} === 3"), false);
        browser.wait_for("document.querySelectorAll('#choices button').length > 0");
        browser.control_key("z");
        browser.see(&format!("state.mode === 'play' && {TURNS}"), 3);
        browser.see(
            "JSON.stringify(session.written(state.root, state.node).at)",
            json!(record["at"].to_string()),
        );
        browser.evaluate(replacement);
        browser.see(&format!("state.root !== null && {TURNS} === 3"), false);
        choose(&mut browser, "#choices", "Back to the game before");
        browser.see(&format!("state.mode === 'play' && {TURNS}"), 3);
    }
    // Taking back turns by key stops at the start of a game.
    browser.evaluate(&replacements[1]);
    browser.wait_for(&format!(
        "view().position === '{start}' && view().turns !== undefined"
    ));
    browser.evaluate("playTurn(view().turns[0])");
    browser.see("state.node.view.scene.turn", 2);
    for _ in 0..3 {
        browser.control_key("z");
        browser.see("view().position", start);
    }
    choose(&mut browser, "#choices", "Back to the game before");
    browser.see(&format!("state.mode === 'play' && {TURNS}"), 3);
    // The steps of setting up a position can be undone.
    click(&mut browser, "#setupButton");
    space(&mut browser, "c3");
    choose(&mut browser, "#setupCard", "Clear the board");
    browser.control_key("z");
    browser.wait_for("setup.now().levels[2][2] === 1");
    choose(&mut browser, "#actions", "Take back");
    browser.wait_for("setup.now().levels[2][2] === 0");
    browser.wait_for("$('undoButton').disabled");
    // So can the cards and the player to move, even while a list has the focus.
    let chosen = "[setup.now().cards, setup.now().mover].join()";
    let card = "document.querySelector('#setupCard select')";
    let mover = browser.evaluate("setup.now().mover").as_u64().unwrap();
    choose(&mut browser, "#setupCard", "With cards");
    browser.see(chosen, json!(format!("Apollo,Artemis,{mover}")));
    browser.evaluate(&format!(
        "{card}.focus(); {card}.value = 'Atlas'; {card}.dispatchEvent(new Event('change'))"
    ));
    browser.see(chosen, json!(format!("Atlas,Artemis,{mover}")));
    click(
        &mut browser,
        &format!("#setupCard [name=mover][value='{}']", 1 - mover),
    );
    browser.see(chosen, json!(format!("Atlas,Artemis,{}", 1 - mover)));
    browser.evaluate(&format!("{card}.focus()"));
    browser.control_key("z");
    browser.see(chosen, json!(format!("Atlas,Artemis,{mover}")));
    browser.control_key("z");
    browser.see(chosen, json!(format!("Apollo,Artemis,{mover}")));
    browser.see(&format!("{card}.value"), "Apollo");
    choose(&mut browser, "#actions", "Take back");
    browser.see(chosen, json!(format!(",{mover}")));
    choose(&mut browser, "#setupCard", "Start from here");
    browser.see("state.mode === 'play' && state.root.children.length", 0);
    play(&mut browser, "d4-c3+c4");
    // The game is still in the list after the browser was closed.
    browser.evaluate("sessionStorage.clear()");
    browser.open(&server.page());
    browser.wait_for(READY);
    browser.see(&format!("state.root && {TURNS}"), 1);
    assert_eq!(kept_games(&mut browser), json!([1, 1, 3]));
    choose_kept(&mut browser, 2);
    browser.see(TURNS, 3);
    finish(&mut browser, 1280);
}

fn board() -> Value {
    json!({ "players": [[[2, 3], [4, 4]], [[2, 5], [3, 5]]], "turn": 18, "spaces": [
        [0, 0, 0, 0, 2], [1, 1, 2, 0, 0], [1, 0, 0, 3, 0], [0, 0, 3, 0, 0], [0, 0, 0, 1, 4]] })
}

#[test]
fn each_tab_keeps_its_own_game() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    two_turns(&mut browser);
    let first = browser.tab();
    browser.open_tab(&server.page());
    browser.wait_for(READY);
    browser.see(&format!("state.root && {TURNS}"), 3);
    begin(&mut browser, None, ["a1", "e5", "a5", "e1"]);
    play(&mut browser, "a1-b2+a1");
    let second = browser.tab();
    for (tab, turns) in [(&first, 3), (&second, 1)] {
        browser.use_tab(tab);
        browser.open(&server.page());
        browser.wait_for(READY);
        browser.see(&format!("state.root && {TURNS}"), json!(turns));
    }
    // If two tabs continue the same game differently, both games are kept.
    browser.use_tab(&first);
    browser.evaluate("goTo(state.root)");
    play(&mut browser, "d4-c3+c4");
    browser.use_tab(&second);
    play(&mut browser, "a5-b4+a5");
    let kept = kept_games(&mut browser);
    let kept = kept.as_array().unwrap();
    assert!(kept.contains(&json!(4)), "{kept:?}");
    finish(&mut browser, 1280);
}

#[test]
fn a_reloaded_page_continues_thinking() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    browser.evaluate(
        "newGame({ seats: [{ kind: 'person' }, { kind: 'level', level: 1 }], size: 5, cards: null })",
    );
    space(&mut browser, "b2");
    space(&mut browser, "d4");
    browser.wait_for("state.mode === 'play' && mayAct()");
    // No answer arrives.
    let turn = browser.evaluate("view().turns[0]");
    browser.evaluate(&format!(
        "client.study = () => ({{ answer: new Promise(() => {{}}), stop: () => {{}} }}); playTurn({turn})"
    ));
    browser.wait_for("state.thinking !== null");
    browser.see(TURNS, 1);
    browser.open(&server.page());
    browser.wait_for(READY);
    browser.wait_for(&format!("state.root && {TURNS} === 2 && mayAct()"));
    // After a turn is taken back, the level does not play by itself.
    browser.evaluate("stopThinking(); goTo(state.root.children[0])");
    browser.see("storage.get('game').isThinking", false);
    browser.open(&server.page());
    browser.wait_for(READY);
    browser.wait_for("state.root && state.node === state.root.children[0]");
    browser.wait_for("$('choices').textContent.startsWith('Let Level 1 play')");
    finish(&mut browser, 1280);
}

/// Values written by something else, or by another version.
const FOREIGN: [&str; 14] = [
    "{",
    "null",
    "0",
    "true",
    "\"x\"",
    "[]",
    "{}",
    "[null,[],{}]",
    r#"{"seats":[{"kind":"level","level":99},{"kind":"program","program":"length"}],"size":7,"cards":["Pan","Pan"]}"#,
    r#"{"seats":"ab","size":"5","cards":"Pan"}"#,
    r#"{"size":5,"cards":null,"placed":[["b2","z9"],[]],"seats":[]}"#,
    r#"{"id":1e99,"result":[],"isShown":{}}"#,
    r#"{"levels":"abcde","workers":[[],[]],"mover":2,"cards":{}}"#,
    r#"{"position":"x","tree":[{"after":9}],"at":[[]],"seats":[null],"names":[1],"when":"x"}"#,
];

#[test]
fn damaged_browser_data_does_no_harm() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let keys = [
        "wishes",
        "theme",
        "analysis",
        "solved",
        "puzzleLength",
        "guided",
        "learned",
        "start",
        "game",
        "placing",
        "puzzle",
        "setup",
        "earlier",
        "tab",
    ];
    for foreign in FOREIGN {
        browser.evaluate(&format!(
            "window.addEventListener('pagehide', () => {{
               sessionStorage.clear();
               for (const key of {keys:?}) localStorage.setItem('santorini.' + key, {foreign:?});
               for (const value of ['null', {foreign:?}]) localStorage.setItem('santorini.earlier', `[${{value}}]`);
               for (const id of ['', '7', 'x']) localStorage.setItem('santorini.game.' + id, {foreign:?});
             }})"
        ));
        browser.open("about:blank");
        browser.open(&server.page());
        browser.wait_for(READY);
        browser.see("localStorage.getItem('santorini.wishes')", json!(foreign));
        browser.wait_for("$('status').textContent.startsWith('Place')");
        browser.see("state.mode", "place");
        for dialog in ["newDialog", "openDialog"] {
            let button = dialog.replace("Dialog", "Button");
            click(&mut browser, &format!("#{button}"));
            browser.wait_for(&format!("$('{dialog}').open"));
            browser.evaluate(&format!("$('{dialog}').close()"));
        }
        click(&mut browser, "#puzzlesButton");
        let can_leave = "state.mode === 'puzzle' && $('puzzleCard').textContent.includes('Leave')";
        browser.wait_for(can_leave);
        choose(&mut browser, "#puzzleCard", "Leave");
    }
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    browser.see("storage.get('game').tree.length", 2);
    finish(&mut browser, 1280);
}

#[test]
fn a_review_is_offered_only_where_there_are_turns() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let walled_in = "04003/04000/44000/00000/00000 a1a2 e1e3 18";
    browser.evaluate(&format!(
        "client.ask({{ do: 'read', text: '{walled_in}' }}).then(start => files.beginFrom(start))"
    ));
    browser.wait_for("state.mode === 'play' && toMove() === null");
    browser.wait_for("$('choices').textContent.startsWith('New game')");
    let offered = "document.querySelector('main').textContent.includes('Review this game')
        && !$('reviewCard').hidden";
    browser.see(offered, false);
    browser.see("$('choices').textContent.includes('Review')", false);
    finish(&mut browser, 1280);
}

#[test]
fn own_games_are_listed_reviewed_saved_and_deleted() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    two_turns(&mut browser);
    browser.evaluate(
        "client.ask({ do: 'read', text: '00000/00000/00320/00000/00000 d3a1 e5a5 5' })
           .then(start => files.beginFrom(start, [{ kind: 'level', level: 1 }, { kind: 'person' }]))",
    );
    browser.wait_for("state.mode === 'play' && mayAct()");
    play(&mut browser, "d3-c3#");
    browser.see(
        "games.list().map(game => games.title(game).split(',')[0])",
        json!(["Level 1 – You: you won", "Red – Violet: not finished"]),
    );
    // Deleted games can be restored, and do not come back by themselves.
    click(&mut browser, "#menuButton");
    click(&mut browser, "#openButton");
    for _ in 0..2 {
        choose(&mut browser, ".library", "Delete");
    }
    browser.see("games.list().length", 0);
    browser.evaluate("changed()");
    choose(&mut browser, ".library", "Undo: delete");
    choose(&mut browser, ".library", "Undo: delete");
    browser.see("games.list().length", 2);
    // A finished game is reviewed from its list.
    choose(&mut browser, ".library", "Review");
    browser.see("$('openDialog').open", false);
    browser.wait_for("review.isDone()");
    browser.see(
        "state.root.children.length === 1 && $('reviewCard').hidden",
        false,
    );
    browser.evaluate("files.showOpen()");
    choose(&mut browser, ".library", "Level 1 – You");
    browser.see("view().winner", 1);
    // They are saved together, without the word "You", and opened again.
    browser.evaluate(
        "(create => { URL.createObjectURL = file => { window.saved = file; return create.call(URL, file); }; })(URL.createObjectURL)",
    );
    browser.evaluate("files.showOpen()");
    choose(&mut browser, ".library", "Save all");
    browser.see(
        "saved.text().then(text => text.trim().split('\\n').map(JSON.parse).map(({ game, players }) => [game, ...players]))",
        json!([[0, "Level 1", "Violet"], [1, "Red", "Violet"]]),
    );
    browser.evaluate("saved.text().then(text => { $('pasted').value = text; })");
    choose(&mut browser, "#openDialog .ends", "Open");
    browser.see(
        "[...document.querySelectorAll('#openDialog .games:not(ul) button')].map(game => game.textContent)",
        json!(["Game 1: Level 1 – Violet, 1 turn, Violet wins", "Game 2: Red – Violet, 2 turns, not finished"]),
    );
    choose(&mut browser, "#openDialog .games:not(ul)", "Game 2");
    browser.see("$('openDialog').open", false);
    browser.evaluate("goEnd()");
    play(&mut browser, "d4-c3+c4");
    finish(&mut browser, 390);
}
