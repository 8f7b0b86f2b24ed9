//! Links to positions, games and puzzles, a game with a friend by links, and Back.

use serde_json::{Value, json};

use super::harness::Server;
use super::person::{begin, choose, click, finish, open, play, play_from, select, space};
use crate::browser::Browser;

const POSITION: &str = "00000/00010/00000/00000/00000 b3d3 c2c4 1";

/// Opens a link as another browser would, which has no saved data.
fn open_elsewhere(browser: &mut Browser, server: &Server, link: &str) {
    // The page saves the game when it is hidden, too, which is after `pagehide`.
    browser.evaluate(
        "for (const leaving of ['pagehide', 'visibilitychange'])
           addEventListener(leaving, () => { localStorage.clear(); sessionStorage.clear(); })",
    );
    browser.open("about:blank");
    open_link(browser, server, link);
}

fn open_link(browser: &mut Browser, server: &Server, link: &str) {
    let (_, hash) = link.split_once('#').unwrap();
    browser.open("about:blank");
    browser.open(&format!("{}#{hash}", server.page()));
    browser.wait_for("typeof state === 'object' && state.hello !== null && location.hash === ''");
}

/// The link in the field with this label.
fn link_in(browser: &mut Browser, label: &str) -> String {
    let field = format!("document.querySelector('#saveDialog [aria-label^=\"{label}\"]')?.value");
    browser.wait_for("$('saveDialog').open");
    browser.wait_for(&format!("{field} !== undefined"));
    let link = browser.evaluate(&field).as_str().unwrap().to_string();
    choose(browser, "#saveDialog", "Close");
    assert!(!link.contains("token"), "{link}");
    link
}

#[test]
fn positions_games_and_puzzles_are_opened_by_links() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(
        &mut browser,
        Some(["Pan", "Atlas"]),
        ["b2", "d4", "b4", "d2"],
    );
    play(&mut browser, "b2-b3+b2");
    choose(&mut browser, "#actions", "Take back");
    play(&mut browser, "d4-d3+d4");
    browser.evaluate("state.node.comment = 'better? <b>&'; changed()");
    let position = browser.evaluate("view().position");
    let tree = browser.evaluate("JSON.stringify(tree.write(state.root))");
    click(&mut browser, "#saveButton");
    let to_position = link_in(&mut browser, "Link to this position");
    click(&mut browser, "#saveButton");
    let to_game = link_in(&mut browser, "Link to the game");
    click(&mut browser, "#puzzlesButton");
    browser.see("state.mode", "puzzle");
    let puzzle = browser.evaluate("puzzles.now().id");
    click(&mut browser, "#saveButton");
    let to_puzzle = link_in(&mut browser, "Link to this puzzle");

    open_elsewhere(&mut browser, &server, &to_position);
    browser.see("view()?.position", position.clone());
    open_elsewhere(&mut browser, &server, &to_game);
    browser.see(
        "state.root && JSON.stringify(tree.write(state.root))",
        tree.clone(),
    );
    browser.see("nameOfSeat(0)", "Red");
    open_elsewhere(&mut browser, &server, &to_puzzle);
    browser.see("state.mode === 'puzzle' && puzzles.now().id", puzzle);
    // A reload keeps turns played after a link was opened.
    open_link(&mut browser, &server, &to_position);
    browser.see("view()?.position", position.clone());
    play(&mut browser, "b4-a4+a5");
    browser.reload();
    browser.see("typeof state === 'object' && state.node?.turn", "b4-a4+a5");
    browser.wait_for("$('menuButton').onclick !== null");
    // A link inside a pasted message.
    click(&mut browser, "#openButton");
    browser.evaluate(&format!("$('pasted').value = 'Look: {to_game} (nice)'"));
    choose(&mut browser, "#openDialog", "Open");
    browser.see("JSON.stringify(tree.write(state.root))", tree);
    finish(&mut browser, 1280);
}

#[test]
fn a_bad_link_says_so_and_changes_nothing() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    let packed = |browser: &mut Browser, value: Value| {
        let script = format!("links.of.game({value})");
        browser.evaluate(&script).as_str().unwrap().to_string()
    };
    let whole = packed(&mut browser, json!({ "turns": [], "players": ["a", "b"] }));
    let start = json!({ "players": [[[2, 2], [4, 4]], [[2, 4], [4, 2]]], "spaces": vec![[0; 5]; 5], "turn": 0 });
    let illegal = json!({
        "game": 0, "players": ["a", "b"], "start": start, "turns": ["b2-b5+b4"], "seconds": [],
        "winner": null, "ending": "interrupted",
    });
    let mut bad = vec![
        "#p=".to_string(),
        "#p=00000/00010".to_string(),
        "#p=%ff".to_string(),
        "#z=nothing".to_string(),
        "#g=".to_string(),
        format!("#g={}", "A".repeat(300)),
        whole[..whole.len() - 4].to_string(),
        whole,
        packed(&mut browser, illegal.clone()),
    ];
    for link in [
        json!(7),
        json!({ "seat": 2 }),
        json!({ "seat": 0, "id": [] }),
        json!(null),
    ] {
        let mut game = illegal.clone();
        game["friend"] = link;
        bad.push(packed(&mut browser, game));
    }
    for placed in [
        json!([["b2"], []]),
        json!([["b2", "b2"], []]),
        json!([["z9", "b2"], []]),
        json!(3),
    ] {
        let game = json!({ "friend": { "seat": 1 }, "size": 5, "cards": null, "placed": placed });
        bad.push(packed(&mut browser, game));
    }
    for link in bad {
        browser.evaluate("say('')");
        browser.evaluate(&format!("location.hash = {link:?}"));
        browser.wait_for("$('status').textContent.endsWith('Nothing here has changed.')");
        assert_eq!(
            browser.evaluate("state.node.turn"),
            json!("b2-b3+b2"),
            "{link}"
        );
        assert_eq!(browser.evaluate("location.hash"), json!(""), "{link}");
    }
    // A valid link does not lose the current game.
    browser.evaluate(&format!(
        "location.hash = '#p={}'",
        POSITION.replace(' ', "_")
    ));
    browser.see("view().position", json!(POSITION));
    choose(&mut browser, "#choices", "Back to the game before");
    browser.see("state.node.turn", "b2-b3+b2");
    finish(&mut browser, 390);
}

#[test]
fn two_friends_play_by_links() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "dark") else {
        return;
    };
    click(&mut browser, "#menuButton");
    click(&mut browser, "#newButton");
    select(&mut browser, "seat0", "friend");
    select(&mut browser, "seat1", "friend");
    choose(&mut browser, "#newDialog", "Begin");
    browser.wait_for("$('newTrouble').textContent !== ''");
    select(&mut browser, "seat0", "person");
    choose(&mut browser, "#newDialog", "Begin");
    space(&mut browser, "b2");
    space(&mut browser, "d4");
    let mut link = send(&mut browser);
    // The friend places, and it is the first player's turn.
    open_elsewhere(&mut browser, &server, &link);
    browser.wait_for("state.mode === 'place' && state.placed[0].length === 2 && mayAct()");
    space(&mut browser, "b4");
    space(&mut browser, "d2");
    browser.see("state.mode", "play");
    link = send(&mut browser);
    // Each player continues from the link of the other.
    for turn in ["b2-b3+b2", "d2-c2+b1", "b3-b2+b3"] {
        open_elsewhere(&mut browser, &server, &link);
        browser.wait_for("state.mode === 'play' && mayAct()");
        play(&mut browser, turn);
        assert_eq!(browser.evaluate("mayAct()"), json!(false));
        link = send(&mut browser);
    }
    // A browser that has the game adds the turn to it and keeps its own comments.
    let own = browser.evaluate("games.list()[0]");
    assert_eq!(own["tree"].as_array().unwrap().len(), 4);
    browser.evaluate("state.node.comment = 'mine'; changed()");
    let answer = browser.evaluate(
        "(async () => {
           const game = await links.gameIn((await links.of.game(JSON.parse((await client.ask({
             do: 'record', position: state.root.view.position, players: colours,
             tree: [...tree.write(state.root), { after: 3, turn: 'b4-a4+a3' }],
           })).record))).slice(3));
           return links.of.game({ ...game, friend: { seat: 0, id: games.idOf(state.root) } });
         })()",
    );
    let answer = answer.as_str().unwrap();
    browser.evaluate(&format!("location.hash = '{answer}'"));
    browser.see("state.node.turn", "b4-a4+a3");
    browser.see("state.node.parent.comment", "mine");
    browser.see("mayAct() && games.list().length", 1);
    // The same link again has nothing new.
    browser.evaluate(&format!("location.hash = '{answer}'"));
    browser.wait_for("$('status').textContent.startsWith('This link has no turn that is new')");
    browser.see("tree.write(state.root).length", 5);
    // A reload resumes the game with the friend.
    browser.reload();
    browser.see(
        "typeof state === 'object' && state.seats[1].kind === 'friend' && state.node?.turn",
        "b4-a4+a3",
    );
    finish(&mut browser, 390);
}

/// Sends the turn. Returns the link.
fn send(browser: &mut Browser) -> String {
    choose(browser, "#choices", "Send the turn");
    link_in(browser, "Link to your game")
}

#[test]
fn a_friends_link_does_not_lose_the_game() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    let placing = "{ friend: { seat: 1 }, size: 5, cards: null, placed: [['a1', 'a2'], []] }";
    let game = "{ ...JSON.parse((await client.ask({
        do: 'record', position: state.root.view.position, tree: [{}, { after: 0, turn: 'd4-e4+d4' }], players: colours,
      })).record), friend: { seat: 1, id: 7 } }";
    for link in [placing, game] {
        browser.evaluate(&format!(
            "(async () => {{ location.hash = await links.of.game({link}); }})()"
        ));
        browser.see("state.seats[0].kind", "friend");
        choose(&mut browser, "#choices", "Back to the game before");
        browser.see("state.node?.turn", "b2-b3+b2");
    }
    finish(&mut browser, 1280);
}

#[test]
fn the_turn_that_wins_is_sent_too() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    play_from(&mut browser, "00000/00000/00230/00000/00001 c3a1 e5a5 6");
    browser.evaluate("state.seats = [{ kind: 'person' }, { kind: 'friend' }]; changed()");
    play(&mut browser, "c3-d3#");
    let link = send(&mut browser);
    open_elsewhere(&mut browser, &server, &link);
    browser.see("view()?.winner", 0);
    browser.wait_for("$('status').textContent.endsWith('Friend wins.')");
    browser.see("$('choices').textContent.includes('Send')", false);
    finish(&mut browser, 1280);
}

#[test]
fn back_closes_a_dialog_and_stays_on_the_page() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    let page = browser.evaluate("window.mark = 'same page'");
    for (id, dialog) in [
        ("newButton", "newDialog"),
        ("rulesButton", "rulesDialog"),
        ("openButton", "openDialog"),
        ("saveButton", "saveDialog"),
    ] {
        click(&mut browser, &format!("#{id}"));
        browser.wait_for(&format!("$('{dialog}').open && history.state?.dialog"));
        browser.evaluate("history.back()");
        browser.see(&format!("$('{dialog}').open"), false);
        browser.see("history.state?.dialog ?? null", json!(null));
        // Closed in another way, it leaves no entry in the history.
        click(&mut browser, &format!("#{id}"));
        browser.wait_for(&format!("$('{dialog}').open"));
        browser.evaluate(&format!("$('{dialog}').close()"));
        browser.see("history.state?.dialog ?? null", json!(null));
        // Two at once share one entry.
        click(&mut browser, &format!("#{id}"));
        browser.wait_for(&format!("$('{dialog}').open"));
        browser.evaluate(&format!("$('{dialog}').close(); showRules()"));
        browser.wait_for("$('rulesDialog').open && history.state?.dialog");
        browser.evaluate("history.back()");
        browser.see("$('rulesDialog').open", false);
    }
    assert_eq!(browser.evaluate("window.mark"), page);
    finish(&mut browser, 1280);
}

#[test]
fn a_link_is_copied_or_handed_to_the_system() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [390, 844], "light") else {
        return;
    };
    play_from(&mut browser, POSITION);
    browser.evaluate("navigator.share = async what => { window.shared = what; }");
    browser.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }");
    browser.evaluate("saving.show()");
    browser.wait_for("$('saveDialog').open");
    choose(&mut browser, "#saveDialog", "Copy");
    choose(&mut browser, "#saveDialog", "Share");
    browser.wait_for("window.copied === window.shared?.text");
    let link = browser.evaluate("window.copied");
    let expected = format!("#p={}", POSITION.replace(' ', "_"));
    let link = link.as_str().unwrap();
    assert!(
        link.ends_with(&expected) && !link.contains("token"),
        "{link}"
    );
    browser.wait_for("$('saveDialog').textContent.includes('copied')");
    // A text that the browser does not copy is selected.
    browser.evaluate(
        "navigator.clipboard.writeText = async () => { throw new Error('not allowed'); };
         document.execCommand = () => false",
    );
    choose(&mut browser, "#saveDialog", "Copy");
    browser.wait_for("$('saveDialog').textContent.includes('copying failed')");
    browser.see(
        "getSelection().toString() === document.activeElement.value",
        true,
    );
    finish(&mut browser, 390);
}
