//! Games played by clicks: take back, variations, refused turns.

use serde_json::Value;

use super::harness::Server;
use super::person::{begin, choose, finish, open, play, select, space, text, whole_game};
use crate::place::fake;

#[test]
fn a_whole_game_on_a_wide_page() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    whole_game(&mut browser);
    // The game is still there after a reload.
    let turns = browser.evaluate("tree.write(state.root).length");
    browser.open(&server.page());
    browser.wait_for(
        "typeof state === 'object' && state.root !== null && state.root.children.length > 0",
    );
    browser.see("tree.write(state.root).length", turns);
    finish(&mut browser, 1280);
}

#[test]
fn a_whole_game_on_a_phone_in_dark_mode() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    whole_game(&mut browser);
    finish(&mut browser, 390);
}

#[test]
fn other_turns_become_variations() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "dark") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    play(&mut browser, "b4-a4+a5");
    choose(&mut browser, "#actions", "Take back");
    browser.see("state.node.turn", "b2-b3+b2");
    // The worker can be dragged and the build clicked.
    browser.drag("[data-at=d2]", "[data-at=e1]");
    browser.see("state.entry.steps.length", 1);
    space(&mut browser, "e2");
    browser.see("state.node.turn", "d2-e1+e2");
    browser.see("document.querySelectorAll('#moves .aside').length", 1);
    // The variation gets a comment, and is made the main line.
    browser.evaluate(
        "$('nodeTools').querySelector('textarea').value = '<b id=evil>';
        $('nodeTools').querySelector('textarea').dispatchEvent(new Event('input'))",
    );
    browser.see(
        "document.querySelector('#moves .note').textContent",
        "<b id=evil>",
    );
    browser.see("document.querySelectorAll('#evil').length", 0);
    choose(&mut browser, "#nodeTools", "Make it the main line");
    browser.see(
        "tree.after(state.root).map(node => node.turn).join()",
        "b2-b3+b2,d2-e1+e2",
    );
    // Keys step back and forth.
    browser.evaluate("document.activeElement.blur()");
    browser.key("ArrowLeft");
    browser.see("state.node.turn", "b2-b3+b2");
    browser.key("ArrowRight");
    browser.see("state.node.turn", "d2-e1+e2");
    choose(&mut browser, "#nodeTools", "Delete from here");
    browser.see("tree.write(state.root).length", 3);
    finish(&mut browser, 1280);
}

#[test]
fn an_illegal_click_shows_the_referees_reason() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    for (clicks, words) in [
        (vec!["b4"], "The worker on b4 is your opponent's"),
        (vec!["c3"], "Choose one of your workers first"),
        (vec!["b2", "e5"], "The worker on b2 cannot move to e5: "),
        (vec!["b3", "b4"], "Nothing can be built on b4, where "),
    ] {
        for name in clicks {
            space(&mut browser, name);
        }
        let said = format!("$('status').textContent.includes({words:?}) && $('status').className");
        browser.see(&said, "bad");
    }
    finish(&mut browser, 1280);
}

#[test]
fn a_crashed_program_shows_its_standard_error() {
    let program = fake("Mine", "crash");
    let server = Server::start(&["--against", &program]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    space(&mut browser, "b2");
    space(&mut browser, "d4");
    browser.wait_for("document.querySelector('#status pre')?.textContent.includes('crash')");
    browser.see(
        "$('status').firstChild.textContent.trim()",
        "Mine exited without an answer: exit code 3; its standard error:",
    );
    choose(&mut browser, "#actions", "Take back");
    browser.see("document.querySelector('#status pre')", Value::Null);
    finish(&mut browser, 390);
}

#[test]
fn a_turn_typed_in_part_lists_how_it_can_go_on() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    for (typed, words) in [
        (
            "b2-",
            "/^[0-9]+ turns begin like this: (b2-[^,]+, ){8}and [0-9]+ more[.]$/",
        ),
        (
            "b2-a1+",
            "/^3 turns begin like this: (b2-a1[+]..(, )?){3}[.]$/",
        ),
        (
            "b2-b3+b4",
            "/^Nothing can be built on b4, where the opponent's worker stands[.]$/",
        ),
    ] {
        browser.evaluate(&format!(
            "$('typed').value = '{typed}'; $('typeForm').requestSubmit()"
        ));
        browser.wait_for(&format!("{words}.test($('status').textContent)"));
    }
    finish(&mut browser, 1280);
}

#[test]
fn cards_are_explained_and_played_step_by_step() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    begin(
        &mut browser,
        Some(["Artemis", "Minotaur"]),
        ["b2", "d4", "b5", "e2"],
    );
    assert!(text(&mut browser, "#cardsCard").contains("may move twice"));
    space(&mut browser, "b2");
    space(&mut browser, "b3");
    choose(&mut browser, "#choices", "Move again");
    space(&mut browser, "c4");
    space(&mut browser, "c3");
    browser.see("state.node.turn", "b2-b3-c4+c3");
    // The second player pushes a worker.
    play(&mut browser, "b5xc4+b5");
    browser.see("view().scene.workers[0].map(nameOf).sort().join()", "d3,d4");
    browser.see(
        "$('status').textContent",
        "Violet moves from b5 to c4, pushing the opponent's worker to d3, builds level 1 on b5. Red is to move.",
    );
    finish(&mut browser, 390);
}

#[test]
fn a_game_starts_once_in_spite_of_a_lost_connection() {
    let token = Some("the-token-of-a-test");
    let server = Server::start_with(token, &[]);
    let host = server.host.clone();
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    let new_game =
        "newGame({ seats: [{ kind: 'person' }, { kind: 'person' }], size: 5, cards: null })";
    // Two simultaneous touches place one worker.
    browser.evaluate(new_game);
    for name in ["b2", "d4", "b4"] {
        space(&mut browser, name);
    }
    browser.evaluate(
        "['d2', 'e2'].forEach(name => document.querySelector(`[data-at=${name}]`).click())",
    );
    browser.see("state.mode", "play");
    browser.see("state.placed.flat().join()", "b2,d4,b4,d2");
    browser.evaluate(new_game);
    for name in ["b2", "d4", "b4"] {
        space(&mut browser, name);
    }
    drop(server);
    let trouble = "$('connection').hidden ? '' : $('connection').textContent";
    let ended = "No connection: the program has ended, or cannot be reached.";
    browser.see(trouble, ended);
    for name in ["d2", "e2", "a1"] {
        space(&mut browser, name);
    }
    browser.see("state.placed.flat().join()", "b2,d4,b4,d2");
    browser.see(trouble, ended);
    // The page has another token.
    let server = Server::start_at(&host, None, &[]);
    let restarted =
        "No connection: the program was restarted; open the new address that it printed.";
    browser.see(trouble, restarted);
    drop(server);
    let server = Server::start_at(&host, token, &[]);
    browser.see("state.mode", "play");
    browser.see(trouble, "");
    play(&mut browser, "b2-b3+b2");
    drop(server);
    browser.see(trouble, ended);
    let server = Server::start_at(&host, token, &[]);
    let said = "$('status').textContent";
    browser.see(said, "Connected again. Violet is to move.");
    drop(server);
    browser.see(trouble, ended);
    browser.see(said, "Violet is to move.");
}

#[test]
fn an_opponent_resumes_after_a_lost_connection() {
    let token = Some("the-token-of-a-test");
    let server = Server::start_with(token, &["--time", "50"]);
    let host = server.host.clone();
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    browser.evaluate(
        "client.ask({ do: 'read', text: '00000/00000/00000/00000/00000 b2d4 b4d2 0' })
           .then(start => files.beginFrom(start, [{ kind: 'person' }, { kind: 'level', level: fullStrength() }]))",
    );
    play(&mut browser, "b2-b3+b2");
    browser.wait_for("state.thinking !== null");
    drop(server);
    browser.see("$('connection').hidden", false);
    browser.see(
        "document.querySelector('#player1 .tag').textContent",
        "waiting",
    );
    // A page that is opened meanwhile resumes it, too.
    browser.see("storage.get('game').isThinking", true);
    let _server = Server::start_at(&host, token, &["--time", "0.2"]);
    browser.wait_for("state.node.view.scene.turn === 2 && mayAct()");
    browser.see("$('connection').hidden", true);
}

#[test]
fn a_comment_can_be_edited_while_the_game_goes_on() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    let write = |words: &str| {
        format!(
            "document.activeElement.value = '{words}';
             document.activeElement.dispatchEvent(new Event('input'))"
        )
    };
    browser.evaluate("$('nodeTools').querySelector('textarea').focus()");
    browser.evaluate(&write("good"));
    browser.evaluate("playTurn('b4-a4+a5')");
    browser.see("state.node.turn", "b4-a4+a5");
    browser.see("document.activeElement.value", "good");
    browser.evaluate(&write("good?"));
    browser.see("state.node.parent.comment", "good?");
    browser.see("state.node.comment", "");
    browser.evaluate("document.activeElement.blur()");
    let field = "$('nodeTools').querySelector('textarea').value";
    browser.see(field, "");
    finish(&mut browser, 1280);
}

#[test]
fn messages_belong_to_the_board_that_is_shown() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "dark") else {
        return;
    };
    begin(
        &mut browser,
        Some(["Prometheus", "Artemis"]),
        ["b2", "d4", "b5", "e2"],
    );
    let said = "$('status').textContent";
    space(&mut browser, "b2");
    choose(&mut browser, "#choices", "Build first");
    browser.see(said, "Choose where to build first, or move.");
    space(&mut browser, "b1");
    browser.see(said, "Choose where to move.");
    choose(&mut browser, "#choices", "Start over");
    browser.see(said, "Red is to move.");
    play(&mut browser, "b2-b3+b2");
    choose(&mut browser, ".steps", "«");
    browser.see(said, "Turn 0. Red is to move.");
    choose(&mut browser, ".steps", "»");
    browser.see(
        said,
        "Turn 1: Red moves from b2 to b3, builds level 1 on b2. Violet is to move.",
    );
    finish(&mut browser, 1280);
}

#[test]
fn after_a_game_another_one_begins_by_one_click() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [1280, 800], "light") else {
        return;
    };
    for said in ["Again", "Two wins in a row: try level 3."] {
        browser.evaluate(
            "client.ask({ do: 'read', text: '00000/01200/00320/00000/00023 c2d4 e4a1 6' }).then(start =>
                files.beginFrom(start, [{ kind: 'person' }, { kind: 'level', level: 2 }]))",
        );
        browser.wait_for("mayAct()");
        browser.evaluate("playTurn('c2-c3#')");
        browser.wait_for(&format!(
            "document.querySelector('main').textContent.includes('{said}')"
        ));
    }
    let strong = "$('choices').querySelector('.strong').textContent";
    browser.see(strong, "Harder: level 3");
    browser
        .evaluate("[...$('choices').children].find(it => it.textContent === 'Other side').click()");
    browser.see("state.mode === 'place' && state.seats[0].level", 2);
    browser.see("state.placed[0].length", 2);
    browser.evaluate("showNew()");
    browser.wait_for(
        "$('about0').textContent.includes('Elo ') && $('measured').textContent.includes('bench ')",
    );
    // Level 1 is where the count begins.
    select(&mut browser, "seat0", "level 1");
    browser.see(
        "/Elo|bench/.test($('about0').textContent + $('measured').textContent)",
        false,
    );
    // In a small window the buttons of a dialog cover nothing.
    let position =
        "getComputedStyle(document.querySelector('#newDialog > .ends:last-child')).position";
    browser.resize(390, 844);
    browser.see(position, "sticky");
    browser.resize(320, 256);
    browser.see(position, "static");
    browser.resize(1280, 900);
    finish(&mut browser, 1280);
}
