//! Setting up positions, opening and saving files, by clicks.

use serde_json::{Value, json};

use super::harness::Server;
use super::person::{choose, click, finish, open, play, play_from, space};
use crate::browser::Browser;

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
        "Red needs two workers on the board.",
    );
    choose(&mut browser, "#setupCard", "With cards");
    browser.see(
        "[...document.querySelectorAll('#setupCard select')].map(card => card.labels[0].firstChild.textContent)",
        ["Red's card", "Violet's card"],
    );
    choose(&mut browser, "#setupCard", "Without cards");
    let tool = |browser: &mut Browser, value: &str| {
        click(browser, &format!("#setupCard input[value='{value}']"));
    };
    let said = "$('status').textContent";
    tool(&mut browser, "0");
    for (name, words) in [
        ("e4", "Red worker on e4."),
        ("e5", "Red worker on e5."),
        ("b2", "Red worker moved from e4 to b2."),
        ("e5", "Red worker removed from e5."),
    ] {
        space(&mut browser, name);
        browser.see(said, words);
    }
    choose(&mut browser, "#setupCard", "Make it 6 by 6");
    browser.see(said, "The board is 6 by 6.");
    choose(&mut browser, "#setupCard", "Make it 5 by 5");
    browser.see(said, "The board is 5 by 5.");
    choose(&mut browser, "#setupCard", "Make it 6 by 6");
    space(&mut browser, "f6");
    choose(&mut browser, "#setupCard", "Make it 5 by 5");
    browser.see(
        said,
        "The board is 5 by 5. What stood in row 6 and column f is gone; Take back restores it.",
    );
    for (value, names) in [
        ("0", vec!["d5"]),
        ("1", vec!["b4", "d2"]),
        ("up", vec!["c3", "c3", "c3", "b2", "b2"]),
        ("dome", vec!["a1", "b2"]),
    ] {
        tool(&mut browser, value);
        for name in names {
            space(&mut browser, name);
        }
    }
    browser.drag("[data-at=d5]", "[data-at=a1]");
    browser.see(
        "$('status').textContent",
        "a1 has a dome; no worker can stand there.",
    );
    browser.drag("[data-at=d5]", "[data-at=d4]");
    browser.see("$('status').textContent", "Red worker on d4.");
    choose(&mut browser, "#setupCard", "Start from here");
    browser.see("state.mode", "play");
    let position = "40000/02000/00300/00000/00000 b2d4 d2b4 ";
    browser.wait_for(&format!("view().position.startsWith('{position}')"));
    play(&mut browser, "b2-c3#");
    browser.wait_for("$('status').textContent.includes('Red wins')");
    finish(&mut browser, 390);
}

#[test]
fn a_board_being_set_up_is_shared_and_comes_back() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let start = "00000/00010/00000/00000/00000 b3d3 c2c4 1";
    play_from(&mut browser, start);
    click(&mut browser, "#setupButton");
    space(&mut browser, "c3");
    let shared = "$('saveDialog').querySelectorAll('input')[2].value";
    click(&mut browser, "#saveButton");
    browser.see(shared, "00000/00010/00100/00000/00000 b3d3 c2c4 3");
    browser.evaluate("$('saveDialog').close()");
    // A board that cannot be played says why.
    click(&mut browser, "#setupCard input[value='1']");
    space(&mut browser, "b3");
    click(&mut browser, "#saveButton");
    browser.see(
        "document.querySelector('#saveDialog [role=alert]').textContent",
        "Violet needs one more worker on the board.",
    );
    browser.evaluate("$('saveDialog').close()");
    let board = browser.evaluate("JSON.stringify(setup.now())");
    let is_back = |browser: &mut Browser| {
        browser.see("state.mode", "setup");
        browser.see("JSON.stringify(setup.now())", board.clone());
    };
    click(&mut browser, "#setupButton");
    is_back(&mut browser);
    let read = format!("client.ask({{ do: 'read', text: '{start}' }})");
    for leave in [
        "document.querySelector('#setupCard .ends button').click()",
        "puzzles.open()",
        "guide.open('Pan')",
        "newGame({ seats: state.seats, size: 6, cards: null })",
        &format!("{read}.then(start => files.beginFrom(start))"),
    ] {
        browser.evaluate(leave);
        browser.wait_for("state.mode !== 'setup' && undo.isHere()");
        choose(&mut browser, "#choices", "Back to setting up");
        is_back(&mut browser);
    }
    browser.reload();
    is_back(&mut browser);
    browser.evaluate("puzzles.open()");
    browser.see("state.mode", "puzzle");
    browser.control_key("z");
    is_back(&mut browser);
    // The first change is undone, too.
    browser.control_key("z");
    browser.see("setup.now().levels[2][2]", 0);
    // Both cards differ.
    choose(&mut browser, "#setupCard", "With cards");
    browser.evaluate(
        "(select => { select.value = 'Artemis'; select.dispatchEvent(new Event('change')); })(document.querySelector('#setupCard select'))",
    );
    browser.see("setup.now().cards.join()", "Artemis,Apollo");
    // A board that is played from is no longer set up.
    space(&mut browser, "c3");
    choose(&mut browser, "#setupCard", "Start from here");
    browser.wait_for("$('choices').textContent.includes('Back to the game before')");
    choose(&mut browser, "#choices", "Back to the game before");
    browser.see("view().position", start);
    finish(&mut browser, 1280);
}

#[test]
fn a_game_of_a_tournament_is_opened_and_saved() {
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
    browser.see("$('openDialog').open", false);
    browser.see("state.root.children.length", 1);
    browser.evaluate("document.activeElement.blur()");
    browser.key("End");
    browser.wait_for("$('nextButton').disabled && !$('backButton').disabled");
    click(&mut browser, "#saveButton");
    browser.see("$('saveDialog').querySelectorAll('input').length", 5);
    let saved = browser.evaluate("$('saveDialog').querySelectorAll('input')[4].value");
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

#[test]
fn the_games_of_a_file_are_listed_again() {
    let file = "tests/data/outputs/input/cards-1.jsonl";
    let server = Server::start(&["--from", file]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let games = "document.querySelectorAll('#openDialog .games button').length";
    browser.see(games, 8);
    browser.evaluate("$('openDialog').close()");
    click(&mut browser, "#openButton");
    browser.see(games, 8);
    choose(&mut browser, "#openDialog .games", "Game 2");
    browser.see("$('openDialog').open", false);
    let said = "random – wins, 24 turns. wins wins. Step through the game with the arrows.";
    browser.see("$('status').textContent", said);
    click(&mut browser, "#openButton");
    browser.see(games, 8);
    // Another page continues the game, and has the file, too.
    let turns = browser.evaluate("tree.write(state.root).length");
    browser.open_tab(&server.page());
    browser.wait_for(
        "typeof state === 'object' && state.root !== null && state.root.children.length > 0",
    );
    browser.see("tree.write(state.root).length", turns);
    browser.see("$('openDialog').open", false);
    click(&mut browser, "#openButton");
    choose(&mut browser, "#openDialog", &format!("Open {file}"));
    browser.see(games, 8);
    choose(&mut browser, "#openDialog .games", "Game 1");
    browser.see("nameOfSeat(0)", "wins");
    // Games that were only looked at are not games of the person.
    browser.see("games.list().length", 0);
    browser.evaluate("state.node.comment = 'even'; changed()");
    browser.see("games.list().length", 1);
    finish(&mut browser, 1280);
}

#[test]
fn a_recorded_game_is_played_on_as_another_game() {
    let file = "tests/data/outputs/input/cards-1.jsonl";
    let options = [
        "--time", "0.2", "--level", "2", "--from", file, "--game", "2",
    ];
    let server = Server::start(&options);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    let names = "[0, 1].map(nameOfSeat).join()";
    browser.see(names, "random,wins");
    browser.evaluate("goEnd()");
    let said = "$('status').textContent";
    browser.wait_for(&format!(
        "{said}.startsWith('Turn 24: wins moves from') && {said}.endsWith('. wins wins.')"
    ));
    browser.see("$('choices').textContent.startsWith('New game')", true);
    browser.evaluate("goStart()");
    browser.wait_for("view().turns?.length > 0");
    browser.evaluate("playTurn(view().turns[0])");
    browser.wait_for("tree.turns(state.node).length === 2 && mayAct()");
    browser.see(names, "You,Level 2");
    browser.see("tree.after(state.root).length", 2);
    browser.see("games.list().map(games.playersOf).join()", "You,Level 2");
    choose(&mut browser, "#actions", "Take back");
    choose(&mut browser, "#choices", "Back to the game before");
    browser.see(names, "random,wins");
    browser.see("tree.write(state.root).length", 25);
    finish(&mut browser, 390);
}

#[test]
fn a_board_is_played_on_against_the_opponent() {
    let file = "tests/data/outputs/input/six.json";
    let server = Server::start(&["--time", "0.2", "--level", "2", "--from", file]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    browser.see("[0, 1].map(nameOfSeat).join()", "You,Level 2");
    browser.wait_for("mayAct() && view().turns?.length > 0");
    browser.evaluate("playTurn(view().turns[0])");
    browser.wait_for("tree.turns(state.node).length >= 2 && mayAct()");
    finish(&mut browser, 390);
}

#[test]
fn a_file_with_one_game_or_board_opens_at_once() {
    let file = "tests/data/outputs/input/cards-1.jsonl";
    for options in [
        &["--from", file, "--game", "2"][..],
        &["--from", "tests/data/outputs/input/six.json"][..],
    ] {
        let server = Server::start(options);
        let Some(mut browser) = open(&server, [390, 844], "dark") else {
            return;
        };
        browser.wait_for("state.mode === 'play' && state.root !== null");
        browser.see("$('openDialog').open", false);
        browser.wait_for("state.seats.every(seat => seat.kind === 'person')");
        browser.see("games.list().length", 0);
        finish(&mut browser, 390);
    }
}

#[test]
fn long_or_nameless_files_open_or_are_refused() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let trouble = "$('openDialog').querySelector('[role=alert]').textContent";
    click(&mut browser, "#openButton");
    browser.evaluate("$('pasted').value = 'x'.repeat(10_000_000)");
    choose(&mut browser, "#openDialog .ends", "Open");
    browser.wait_for(&format!(
        "{trouble}.startsWith('This is too long: 9766 kB')"
    ));
    // A game a line, over many lines each, and as a list.
    let games = |first: &str| {
        [
            json!({"turns": [], "winner": 0, "players": [first, "B"]}),
            json!({"turns": [], "winner": 0}),
        ]
    };
    let long = |game: Value| serde_json::to_string_pretty(&game).unwrap();
    for (first, text) in [
        ("A1", games("A1").map(|game| game.to_string()).join("\n")),
        ("A2", games("A2").map(long).join("\n")),
        ("A3", long(json!(games("A3")))),
    ] {
        browser.evaluate(&format!("$('pasted').value = {}", Value::from(text)));
        choose(&mut browser, "#openDialog .ends", "Open");
        let listed = "[...document.querySelectorAll('#openDialog .games button')].map(game => game.textContent)";
        browser.see(
            listed,
            json!([
                format!("Game 1: {first} – B, 0 turns, {first} wins"),
                "Game 2: First player – Second player, 0 turns, First player wins",
            ]),
        );
    }
    // Errors are sentences.
    for (text, words) in [
        (
            "[]",
            "The value: expected a board (a JSON object), found [].",
        ),
        (
            r#"{"turns":[]}"#,
            "This is not a game record: it has no key `game`.",
        ),
    ] {
        browser.evaluate(&format!("$('pasted').value = '{text}'"));
        choose(&mut browser, "#openDialog .ends", "Open");
        browser.see(trouble, words);
    }
    finish(&mut browser, 1280);
}

#[test]
fn boards_that_end_in_a_win_name_the_winner() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let position = "00000/02300/00000/00000/00000 b2d4 e4e2 30";
    browser.evaluate(&format!(
        "Promise.all([{{}}, {{ turn: 'b2-c2#' }}].map(turn => client.ask({{ do: 'look', position: '{position}', ...turn }})))
           .then(views => files.openGame({{ boards: views.map(({{ board }}) => board) }}))"
    ));
    browser.see(
        "$('status').textContent",
        "First player – Second player, 1 turn. First player wins. Step through the game with the arrows.",
    );
    // A picture has room for a long name and the word after it.
    browser.evaluate("goEnd()");
    browser.wait_for(
        "pictures.svg({ node: state.node, names: ['Wolfgang Amadeus', 'B'] }).includes('>Wolfgang… wins<')",
    );
    finish(&mut browser, 1280);
}

#[test]
fn boards_and_games_are_saved_as_they_are_seen() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    play_from(&mut browser, "00000/02300/00000/00000/00000 b2d4 e4e2 30");
    play(&mut browser, "d4-d3+d4");
    play(&mut browser, "e4-e3+e4");
    click(&mut browser, "#flatButton");
    click(&mut browser, "#turnButton");
    browser.evaluate(
        "window.saved = [];
         (create => { URL.createObjectURL = file => { saved.push(file); return create.call(URL, file); }; })(URL.createObjectURL)",
    );
    click(&mut browser, "#saveButton");
    browser.wait_for("$('saveDialog').querySelector('progress') !== null");
    let said = "document.querySelector('#saveDialog p[role=status]').textContent";
    for (index, (words, file)) in [
        ("Board as SVG", "board.svg"),
        ("Board as PNG", "board.png"),
        ("Game as GIF", "game.gif"),
    ]
    .into_iter()
    .enumerate()
    {
        choose(&mut browser, "#saveDialog", words);
        browser.see("saved.length", json!(index + 1));
        browser.wait_for(&format!("{said}.startsWith('Saved as {file}, ')"));
    }
    // The flat board after a quarter turn, with the players and the last turn.
    let svg = browser.evaluate("saved[0].text()");
    let svg = svg.as_str().unwrap();
    for part in ["#sn-flat-grass0", ">Red<", ">Violet<", ">e4-e3+e4<"] {
        assert!(svg.contains(part), "{part}");
    }
    browser.see(
        "createImageBitmap(saved[1]).then(({ width, height }) => [width, height])",
        json!([1176, 1240]),
    );
    // Three boards; the last one has the colours of the picture.
    let frames = "(async () => {
        const decoder = new ImageDecoder({ data: await saved[2].arrayBuffer(), type: 'image/gif' });
        await Promise.all([decoder.tracks.ready, decoder.completed]);
        const { frameCount } = decoder.tracks.selectedTrack;
        const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
        const pixels = source => {
            const context = make('canvas', { width: 588, height: 620 }).getContext('2d');
            context.drawImage(source, 0, 0, 588, 620);
            return context.getImageData(0, 0, 588, 620).data;
        };
        const [drawn, wanted] = [pixels(image), pixels(await createImageBitmap(saved[1]))];
        const far = drawn.filter((part, at) => Math.abs(part - wanted[at]) > 40).length;
        return [frameCount, far / drawn.length < 0.02];
    })()";
    browser.see(frames, json!([3, true]));
    // A browser that does not let pages read what was drawn.
    browser.evaluate(
        "CanvasRenderingContext2D.prototype.getImageData = () => ({ data: new Uint8ClampedArray(4) })",
    );
    for words in ["Board as PNG", "Game as GIF"] {
        choose(&mut browser, "#saveDialog", words);
        browser.wait_for(&format!(
            "{said}.startsWith('This browser does not let pages read')"
        ));
    }
    assert_eq!(browser.evaluate("saved.length"), json!(3));
    finish(&mut browser, 1280);
}

#[test]
fn a_reloaded_page_continues_where_it_was() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    let load = |browser: &mut Browser| {
        browser.evaluate("window.isOld = true");
        browser.open(&server.page());
        browser.wait_for("typeof state === 'object' && state.hello !== null && !window.isOld");
    };
    browser.evaluate(
        "newGame({ seats: [{ kind: 'person' }, { kind: 'level', level: 3 }], size: 6, cards: ['Pan', 'Atlas'] })",
    );
    space(&mut browser, "f6");
    load(&mut browser);
    browser.see(
        "[state.mode, state.placed[0].join(), state.cards?.join(), state.seats[1].level].join()",
        "place,f6,Pan,Atlas,3",
    );
    click(&mut browser, "#menuButton");
    click(&mut browser, "#puzzlesButton");
    browser.see("state.mode", "puzzle");
    choose(&mut browser, "#puzzleCard", "Next puzzle");
    browser.see(
        "document.querySelector('#puzzleCard h2').textContent.trim()",
        "Puzzle 2",
    );
    browser.evaluate("setup.open()");
    space(&mut browser, "c3");
    let board = browser.evaluate("JSON.stringify(setup.scene())");
    load(&mut browser);
    browser.see("state.mode", "setup");
    browser.see("JSON.stringify(setup.scene())", board);
    choose(&mut browser, "#setupCard", "Cancel");
    browser.see("state.mode", "puzzle");
    browser.see(
        "document.querySelector('#puzzleCard h2').textContent.trim()",
        "Puzzle 2",
    );
    choose(&mut browser, "#puzzleCard", "Leave");
    browser.see("state.mode", "place");
    browser.see("state.placed[0].join()", "f6");
    finish(&mut browser, 390);
}
