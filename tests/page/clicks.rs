//! The page as people use it, in a browser: clicks, drags and keys.

use serde_json::{Value, json};

use super::harness::Server;
use crate::browser::Browser;

/// A page that is open in a browser, if one is installed.
fn open(server: &Server, size: [u32; 2], scheme: &str) -> Option<Browser> {
    open_at(&server.page(), size, scheme)
}

/// The same, wherever it is.
pub fn open_at(address: &str, [width, height]: [u32; 2], scheme: &str) -> Option<Browser> {
    let mut browser = Browser::start()?;
    browser.resize(width, height);
    browser.prefer(scheme);
    browser.open(address);
    browser.see(
        "typeof state === 'object' && state.desk !== null",
        json!(true),
    );
    browser.see(
        &format!("document.documentElement.dataset.theme === '{scheme}'"),
        json!(true),
    );
    Some(browser)
}

/// Clicks what a selector finds, as fingers do: it must be there, be seen and
/// not be disabled.
pub fn click(browser: &mut Browser, selector: &str) {
    let script = format!(
        "(() => {{ const found = [...document.querySelectorAll({selector:?})]
           .find(element => element.checkVisibility() && !element.disabled);
         if (!found) return 'nothing to click';
         found.click(); return 'done'; }})()"
    );
    assert_eq!(browser.evaluate(&script), "done", "{selector}");
}

/// Clicks the button with these words in a part of the page.
pub fn choose(browser: &mut Browser, part: &str, words: &str) {
    let script = format!(
        "(() => {{ const found = [...document.querySelectorAll('{part} button')]
           .find(button => button.textContent.trim().startsWith({words:?}) && button.checkVisibility());
         if (!found) return 'nothing to click';
         found.click(); return 'done'; }})()"
    );
    assert_eq!(browser.evaluate(&script), "done", "{part}: {words}");
}

fn space(browser: &mut Browser, name: &str) {
    click(browser, &format!("[data-at={name}]"));
}

fn select(browser: &mut Browser, id: &str, value: &str) {
    browser.evaluate(&format!(
        "$('{id}').value = '{value}'; $('{id}').dispatchEvent(new Event('change'))"
    ));
    browser.see(&format!("$('{id}').value"), json!(value));
}

/// Plays a turn click by click, and waits until it is played.
fn play(browser: &mut Browser, turn: &str) {
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
    browser.see(
        &format!("state.node.view.scene.turn > {before}"),
        json!(true),
    );
}

/// A game of two people from workers on these spaces.
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
    browser.see("state.mode", json!("place"));
    for name in workers {
        space(browser, name);
    }
    browser.see("state.mode", json!("play"));
}

fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.evaluate(&format!("document.querySelector('{selector}').textContent"));
    text.as_str().unwrap_or_default().to_string()
}

/// Nothing is wider than the screen, and nothing went wrong.
pub fn finish(browser: &mut Browser, width: u32) {
    browser.see(
        &format!("document.documentElement.scrollWidth <= {width}"),
        json!(true),
    );
    assert_eq!(browser.complaints(), [""; 0], "errors in the page");
}

/// Plays against the first level to the end, with a little help.
pub fn whole_game(browser: &mut Browser) {
    browser.see("state.mode", json!("place"));
    space(browser, "b2");
    space(browser, "d4");
    browser.see("state.mode === 'play' && mayAct()", json!(true));
    for turn in 0.. {
        assert!(turn < 60, "the game does not end");
        let best = browser.evaluate(
            "desk.ask({ do: 'analyze', position: view().position, lines: 1, seconds: 0.2, depth: 6 })
               .then(answer => answer.lines[0].turns[0])",
        );
        play(browser, best.as_str().unwrap());
        browser.see("mayAct() || toMove() === null", json!(true));
        if browser.evaluate("toMove() === null") == json!(true) {
            break;
        }
    }
    assert_eq!(text(browser, ".player.won b"), "You");
    assert!(text(browser, "#status").contains("You win!"));
}

#[test]
fn a_whole_game_against_the_first_level_on_a_wide_page() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    whole_game(&mut browser);
    // The game is still there when the page is loaded again.
    let turns = browser.evaluate("tree.write(state.root).length");
    browser.open(&server.page());
    browser.see(
        "typeof state === 'object' && state.root !== null && state.root.children.length > 0",
        json!(true),
    );
    browser.see("tree.write(state.root).length", turns);
    finish(&mut browser, 1280);
}

#[test]
fn a_whole_game_against_the_first_level_on_a_telephone_in_the_dark() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    whole_game(&mut browser);
    finish(&mut browser, 390);
}

#[test]
fn turns_are_taken_back_and_others_become_variations() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "dark") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    play(&mut browser, "b4-a4+a5");
    choose(&mut browser, "#actions", "Take back");
    browser.see("state.node.turn", json!("b2-b3+b2"));
    // A worker can be dragged as well, and the build clicked.
    browser.drag("[data-at=d2]", "[data-at=e1]");
    browser.see("state.entry.steps.length", json!(1));
    space(&mut browser, "e2");
    browser.see("state.node.turn", json!("d2-e1+e2"));
    browser.see(
        "document.querySelectorAll('#moves .aside').length",
        json!(1),
    );
    // The variation gets a comment, and is made the main line.
    browser.evaluate(
        "$('nodeTools').querySelector('textarea').value = '<b id=evil>';
        $('nodeTools').querySelector('textarea').dispatchEvent(new Event('input'))",
    );
    browser.see(
        "document.querySelector('#moves .note').textContent",
        json!("<b id=evil>"),
    );
    browser.see("document.querySelectorAll('#evil').length", json!(0));
    choose(&mut browser, "#nodeTools", "Make it the main line");
    browser.see(
        "tree.ahead(state.root).map(node => node.turn).join()",
        json!(",b2-b3+b2,d2-e1+e2"),
    );
    // By keys, back and forth.
    browser.evaluate("document.activeElement.blur()");
    browser.key("ArrowLeft");
    browser.see("state.node.turn", json!("b2-b3+b2"));
    browser.key("ArrowRight");
    browser.see("state.node.turn", json!("d2-e1+e2"));
    choose(&mut browser, "#nodeTools", "Delete from here");
    browser.see("tree.write(state.root).length", json!(3));
    finish(&mut browser, 1280);
}

#[test]
fn an_illegal_click_says_why_in_the_words_of_the_referee() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    for (clicks, words) in [
        (vec!["b4"], "no worker on b4"),
        (vec!["c3"], "Choose one of your workers first"),
        (vec!["b2", "e5"], "b2"),
        (vec!["b3", "b4"], "was built on"),
    ] {
        for name in clicks {
            space(&mut browser, name);
        }
        let said = format!("$('status').textContent.includes({words:?}) && $('status').className");
        browser.see(&said, json!("bad"));
    }
    finish(&mut browser, 1280);
}

#[test]
fn a_position_is_set_up_and_played_from() {
    let server = Server::start(&["--time", "0.2"]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    click(&mut browser, "#menuButton");
    click(&mut browser, "#setupButton");
    choose(&mut browser, "#setupCard", "Start from here");
    browser.see(
        "$('status').textContent",
        json!("Red needs two workers on the board."),
    );
    let tool = |browser: &mut Browser, value: &str| {
        click(browser, &format!("#setupCard input[value='{value}']"));
    };
    for (value, names) in [
        ("0", vec!["b2", "d4"]),
        ("1", vec!["b4", "d2"]),
        ("up", vec!["c3", "c3", "c3", "b2", "b2"]),
        ("dome", vec!["a1", "b2"]),
    ] {
        tool(&mut browser, value);
        for name in names {
            space(&mut browser, name);
        }
    }
    choose(&mut browser, "#setupCard", "Start from here");
    browser.see("state.mode", json!("play"));
    let position = "40000/02000/00300/00000/00000 b2d4 d2b4 ";
    browser.see(
        &format!("view().position.startsWith('{position}')"),
        json!(true),
    );
    play(&mut browser, "b2-c3#");
    browser.see("$('status').textContent.includes('Red wins')", json!(true));
    finish(&mut browser, 390);
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
    browser.see("state.node.turn", json!("b2-b3-c4+c3"));
    // The second player pushes a worker.
    play(&mut browser, "b5xc4+b5");
    browser.see(
        "view().scene.workers[0].map(nameOf).sort().join()",
        json!("d3,d4"),
    );
    finish(&mut browser, 390);
}

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
fn a_tournament_is_opened_and_a_game_of_it_saved() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let file = include_str!("../data/outputs/input/cards-1.jsonl");
    let games = file
        .lines()
        .filter(|line| line.contains("\"turns\""))
        .count();
    assert!(games > 1);
    click(&mut browser, "#openButton");
    browser.evaluate(&format!("$('pasted').value = {}", Value::from(file)));
    choose(&mut browser, "#openDialog .ends", "Open");
    browser.see(
        "document.querySelectorAll('#openDialog .games button').length",
        json!(games),
    );
    choose(&mut browser, "#openDialog .games", "Game 2");
    browser.see("$('openDialog').open", json!(false));
    browser.see("state.root.children.length", json!(1));
    browser.evaluate("document.activeElement.blur()");
    browser.key("End");
    browser.see(
        "$('nextButton').disabled && !$('backButton').disabled",
        json!(true),
    );
    click(&mut browser, "#saveButton");
    browser.see("$('saveDialog').querySelectorAll('input').length", json!(3));
    let saved = browser.evaluate("$('saveDialog').querySelectorAll('input')[2].value");
    let saved: Value = serde_json::from_str(saved.as_str().unwrap()).unwrap();
    let second = file
        .lines()
        .filter(|line| line.contains("\"turns\""))
        .nth(1)
        .unwrap();
    let second: Value = serde_json::from_str(second).unwrap();
    for key in ["players", "cards", "start", "turns"] {
        assert_eq!(saved[key], second[key], "{key}");
    }
    finish(&mut browser, 1280);
}

/// Plays on from a position, both sides by hand.
fn play_from(browser: &mut Browser, position: &str) {
    browser.evaluate(&format!(
        "desk.ask({{ do: 'read', text: '{position}' }}).then(start => files.beginFrom(start))"
    ));
    browser.see(
        "state.mode === 'play' && view().turns.length > 0",
        json!(true),
    );
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
    choose(&mut browser, "#reviewCard", "Learn from");
    browser.see("state.node === state.root", json!(true));
    play(&mut browser, "a1-b1#");
    browser.see("$('status').className", json!("good"));
    browser.see(
        "document.querySelectorAll('#moves .aside').length",
        json!(1),
    );
    choose(&mut browser, "#reviewCard", "End the lesson");
    browser.see("review.isTeaching()", json!(false));
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
