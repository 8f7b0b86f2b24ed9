//! A live game of two pages: who is admitted, what each page may do, and two browsers.

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;

use super::admission::{get, host, request};
use super::harness::{Page, Server};
use super::person::{choose, click, finish, open, open_at, play, play_from, select, space, text};
use crate::browser::Browser;

/// A page at the live game, with the query of its address.
fn enter(server: &Server, query: &str) -> Result<Page, String> {
    let address = format!("ws://{}/live{query}", server.host);
    server.try_open(address.into_client_request().unwrap())
}

/// Skips to a message with a game that fits.
fn see(page: &mut Page, fits: impl Fn(&Value) -> bool) -> Value {
    loop {
        let heard = page.hear().expect("the game goes on");
        if fits(&heard["live"]) {
            return heard["live"].clone();
        }
    }
}

/// The refusal of a request.
fn refused(page: &mut Page, request: Value) -> String {
    page.send(&request.to_string());
    loop {
        let heard = page.hear().expect("the game goes on");
        if let Some(error) = heard["error"].as_str() {
            return error.to_string();
        }
    }
}

/// Opens a game in which the host is the first player. Returns the host's page and its view.
fn hosted(server: &Server) -> (Page, Value) {
    let mut page = enter(server, &server.query).unwrap();
    assert_eq!(page.hear().unwrap(), json!({ "live": null }));
    page.send(&json!({ "do": "open", "seat": 0, "size": 5 }).to_string());
    let view = see(&mut page, Value::is_object);
    (page, view)
}

fn invitation(view: &Value) -> String {
    let token = view["host"]["invitation"].as_str().unwrap();
    format!("/join?invitation={token}")
}

/// Accepts an invitation. Returns the query of the guest's page.
fn join(server: &Server, path: &str) -> String {
    let answer = request(server, "POST", path, &host(server));
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    let location = answer
        .lines()
        .find_map(|line| line.strip_prefix("location: ./"));
    location.unwrap().to_string()
}

#[test]
fn an_invitation_admits_one_browser() {
    let server = Server::start(&[]);
    let here = host(&server);
    for path in ["/join?invitation=", "/join?invitation=0"] {
        assert!(get(&server, path, &here).starts_with("HTTP/1.1 403"));
    }
    let (_host, view) = hosted(&server);
    let path = invitation(&view);
    // Looking at it does not use it up, and neither does another site.
    for _ in 0..2 {
        let shown = get(&server, &path, &here);
        assert!(shown.starts_with("HTTP/1.1 200") && shown.contains("Join the game"));
    }
    let foreign = format!("{here}Origin: http://evil.example\r\n");
    let answer = request(&server, "POST", &path, &foreign);
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    let wrong = path.replace("invitation=", "invitation=0");
    let answer = request(&server, "POST", &wrong, &here);
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    let guest = join(&server, &path);
    let page = get(&server, &format!("/{guest}"), &here);
    assert!(page.starts_with("HTTP/1.1 200"), "{guest}");
    for method in ["GET", "POST"] {
        let answer = request(&server, method, &path, &here);
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
        assert!(answer.contains("it has been used"), "{answer}");
    }
    for query in ["?guest=", "?guest=0", &guest[..guest.len() - 1]] {
        for path in ["/", "/socket", "/live"] {
            let answer = get(&server, &format!("{path}{query}"), &here);
            assert!(answer.starts_with("HTTP/1.1 403"), "{path}{query}");
        }
    }
}

#[test]
fn a_guest_gets_nothing_but_the_game() {
    let file = "tests/data/outputs/input/cards-1.jsonl";
    let server = Server::start(&["--from", file]);
    let (_host, view) = hosted(&server);
    let guest = join(&server, &invitation(&view));
    let watch = format!("?guest={}", view["host"]["watch"].as_str().unwrap());
    let position = "00000/00000/00000/00000/00000 c2c4 b3d3 0";
    for query in [&guest, &watch] {
        let as_token = query.replace("guest", "token");
        for path in [format!("/games{query}"), format!("/games{as_token}")] {
            let answer = get(&server, &path, &host(&server));
            assert!(answer.starts_with("HTTP/1.1 403"), "{path}: {answer}");
            assert!(!answer.contains("turns"), "{path}");
        }
        let address = format!("ws://{}/socket{query}", server.host);
        let socket = server.try_open(address.into_client_request().unwrap());
        let mut page = socket.unwrap();
        let hello = page.ask(json!({ "do": "hello" })).unwrap();
        assert_eq!(hello["start"], json!(null));
        assert_eq!(hello["programs"], json!([]));
        let look = json!({ "do": "look", "position": position });
        assert!(page.ask(look).is_ok());
        for question in [
            json!({ "do": "play", "position": position, "who": { "level": 1 } }),
            json!({ "do": "analyze", "position": position, "seconds": 1 }),
            json!({ "do": "review", "position": position, "turns": [] }),
        ] {
            let error = page.ask(question).unwrap_err();
            assert!(error.contains("guests of a live game"), "{error}");
        }
    }
    let mut own = server.open();
    assert_ne!(
        own.ask(json!({ "do": "hello" })).unwrap()["start"],
        json!(null)
    );
}

#[test]
fn the_rules_and_the_seat_decide_what_a_page_may_do() {
    let server = Server::start(&[]);
    let (mut host, view) = hosted(&server);
    let mut guest = enter(&server, &join(&server, &invitation(&view))).unwrap();
    let watch = format!("?guest={}", view["host"]["watch"].as_str().unwrap());
    let mut spectator = enter(&server, &watch).unwrap();
    // Another page of the host knows of the game.
    let mut other = server.open();
    let told = |live: bool| Some(json!({ "id": null, "live": live, "joined": live }));
    assert_eq!(other.hear(), told(true));
    for (page, role, seat) in [
        (&mut guest, "guest", json!(1)),
        (&mut spectator, "spectator", json!(null)),
    ] {
        let seen = see(page, Value::is_object);
        assert_eq!((&seen["role"], &seen["seat"]), (&json!(role), &seat));
        assert_eq!(seen.get("host"), None);
        let open = json!({ "do": "open", "seat": 1, "size": 5 });
        for request in [open, json!({ "do": "invite" })] {
            assert!(refused(page, request).contains("unknown name"));
        }
    }
    let place = |a: &str, b: &str| json!({ "do": "place", "squares": [a, b] });
    assert!(refused(&mut spectator, place("a1", "a2")).contains("only watch"));
    assert!(refused(&mut guest, place("a1", "a2")).contains("first player places"));
    host.send(&place("b2", "d4").to_string());
    see(&mut guest, |game| game["placed"][0].is_array());
    guest.send(&place("b4", "d2").to_string());
    for page in [&mut host, &mut guest, &mut spectator] {
        see(page, |game| game["start"].is_string());
    }
    let turn = |turn: &str| json!({ "do": "turn", "number": 0, "turn": turn });
    assert!(refused(&mut guest, turn("b4-a4+a3")).contains("other player's turn"));
    assert!(refused(&mut host, turn("b2-b5+b4")).contains("not legal"));
    host.send(&turn("b2-b3+b2").to_string());
    for page in [&mut guest, &mut spectator] {
        see(page, |game| game["turns"] == json!(["b2-b3+b2"]));
    }
    assert!(refused(&mut spectator, json!({ "do": "resign" })).contains("only watch"));
    for (text, words) in [
        ("", "not JSON"),
        ("[]", "must be an object"),
        (r#"{"do":"resign","more":1}"#, "unknown argument"),
        (r#"{"do":"answer-back","yes":true}"#, "no request"),
    ] {
        guest.send(text);
        let error = guest.hear().unwrap()["error"].to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    // A message that is too long closes only its own connection.
    guest.send(&format!("{:5000}", "{}"));
    while guest.hear().is_some() {}
    see(&mut host, |game| game["here"] == json!([true, false]));
    host.send(&json!({ "do": "resign" }).to_string());
    let end = see(&mut spectator, |game| game["resigned"] == true);
    assert_eq!(end["winner"], 1);
    assert_eq!(other.hear(), told(false));
}

#[test]
fn a_seat_belongs_to_the_last_page_and_invitation() {
    let server = Server::start(&[]);
    let (mut host, view) = hosted(&server);
    let query = join(&server, &invitation(&view));
    let mut first = enter(&server, &query).unwrap();
    see(&mut first, Value::is_object);
    let mut second = enter(&server, &query).unwrap();
    see(&mut second, Value::is_object);
    while first.hear().is_some() {}
    see(&mut host, |game| game["here"] == json!([true, true]));
    // A new game keeps a guest who is here, a new invitation does not.
    let open = json!({ "do": "open", "seat": 1, "size": 6 }).to_string();
    host.send(&open);
    see(&mut second, |game| game["size"] == 6 && game["seat"] == 0);
    host.send(&json!({ "do": "invite" }).to_string());
    while second.hear().is_some() {}
    assert!(enter(&server, &query).is_err_and(|why| why.contains("403")));
    let renewed = see(&mut host, |game| game["host"]["invitation"].is_string());
    let other = join(&server, &invitation(&renewed));
    assert_ne!(other, query);
    let third = enter(&server, &other).unwrap();
    see(&mut host, |game| game["here"] == json!([true, true]));
    drop(third);
    // A new game makes an invitation if the guest is gone. It keeps one that is not used.
    see(&mut host, |game| game["here"] == json!([false, true]));
    host.send(&open);
    let again = see(&mut host, |game| game["host"]["invitation"].is_string());
    assert!(enter(&server, &other).is_err_and(|why| why.contains("403")));
    host.send(&open);
    let kept = see(&mut host, |game| game["id"] != again["id"]);
    assert_eq!(kept["host"], again["host"]);
    let wrong = json!({ "do": "open", "seat": 2, "size": 5 });
    assert!(refused(&mut host, wrong).contains("a seat must be 0 or 1"));
    let wrong = json!({ "do": "open", "seat": 0, "size": 9 });
    assert!(refused(&mut host, wrong).contains("the sizes are 5 and 6"));
}

/// Hosts a live game in a browser. Returns the links for the friend and for spectators.
fn invite(browser: &mut Browser) -> [String; 2] {
    click(browser, "#newButton");
    select(browser, "seat0", "live");
    select(browser, "seat1", "live");
    choose(browser, "#newDialog", "Begin");
    browser.wait_for("$('newTrouble').textContent !== ''");
    select(browser, "seat0", "person");
    choose(browser, "#newDialog", "Begin");
    browser.wait_for("$('saveDialog').open");
    let links = ["Link for your friend", "Link to watch"].map(|label| {
        let field = format!("document.querySelector('#saveDialog [aria-label=\"{label}\"]').value");
        browser.evaluate(&field).as_str().unwrap().to_string()
    });
    choose(browser, "#saveDialog", "Close");
    links
}

/// Accepts an invitation in another browser. Both players place their workers.
fn start_with_guest(host: &mut Browser, link: &str) -> Browser {
    let mut guest = Browser::start().unwrap();
    guest.resize(390, 844);
    guest.prefer("dark");
    guest.open(link);
    guest.wait_for("document.querySelector('button') !== null");
    guest.evaluate("document.querySelector('button').click()");
    guest.wait_for("typeof live === 'object' && live.now() !== null");
    host.see("live.now().here.join()", "true,true");
    space(host, "b2");
    host.reload();
    host.wait_for("typeof live === 'object' && live.now() !== null && state.placed[0][0] === 'b2' && mayAct()");
    space(host, "d4");
    guest.wait_for("state.placed[0].length === 2 && mayAct()");
    space(&mut guest, "b4");
    space(&mut guest, "d2");
    for browser in [host, &mut guest] {
        browser.see("state.mode", "play");
    }
    guest
}

#[test]
fn a_host_goes_back_to_the_live_game_in_a_new_tab() {
    let server = Server::start(&[]);
    let Some(mut host) = open(&server, [1280, 900], "light") else {
        return;
    };
    assert_eq!(
        server.open().ask(json!({ "do": "hello" })).unwrap()["live"],
        false
    );
    let [link, _] = invite(&mut host);
    let mut guest = start_with_guest(&mut host, &link);
    play(&mut host, "b2-b3+b2");
    host.open("about:blank");
    guest.wait_for("$('player0').textContent.includes('away')");
    host.open_tab(&server.page());
    // A page that was never in the game asks before it takes the seat.
    let may_return = "$('choices').textContent.includes('Go back to the live game')";
    host.wait_for("$('choices').textContent.includes('Take over the live game')");
    host.see(
        "$('status').textContent",
        "This is a copy of a live game. Violet is to move.",
    );
    host.see(may_return, false);
    choose(&mut host, "#choices", "Take over the live game");
    choose(&mut host, "#saveDialog", "Take over");
    host.wait_for("live.isOn() && state.node?.turn === 'b2-b3+b2'");
    guest.wait_for("!$('player0').textContent.includes('away')");
    play(&mut guest, "d2-c2+b1");
    host.wait_for("state.node.turn === 'd2-c2+b1' && mayAct()");
    // Also after another game.
    host.evaluate(
        "newGame({ seats: [{ kind: 'person' }, { kind: 'person' }], size: 5, cards: null })",
    );
    guest.wait_for("$('player0').textContent.includes('away')");
    host.wait_for(may_return);
    // Another live game does not end this one unasked.
    click(&mut host, "#newButton");
    select(&mut host, "seat1", "live");
    choose(&mut host, "#newDialog", "Begin");
    host.wait_for("$('newTrouble').textContent.startsWith('Your live game is not over.')");
    // It is seen on a phone too.
    host.resize(360, 740);
    host.see(
        "(({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2).id)
           ($('newTrouble').getBoundingClientRect())",
        "newTrouble",
    );
    host.resize(1280, 900);
    choose(&mut host, "#newDialog", "Cancel");
    // The engine answers about no other board either.
    play_from(&mut host, "00000/00010/00000/00000/00000 b3d3 c2c4 1");
    host.see(
        "['hintButton', 'analysisButton'].map(id => $(id).disabled).join()",
        "true,true",
    );
    host.see("$('hintButton').title", "Off while a live game runs");
    play_from(&mut host, "00000/00000/00230/00000/00001 c3a1 e5a5 2");
    play(&mut host, "c3-d3#");
    host.wait_for("$('choices').textContent.includes('New game')");
    let choices = text(&mut host, "#choices");
    assert!(
        choices.contains("Hint, Analysis and Review are off"),
        "{choices}"
    );
    assert!(!choices.contains("Review this game"), "{choices}");
    choose(&mut host, "#choices", "Go back to the live game");
    host.wait_for("state.node?.turn === 'd2-c2+b1' && mayAct()");
    // Turns that the program holds are not deleted here.
    host.see("$('nodeTools').textContent.includes('Delete')", false);
    finish(&mut host, 1280);
}

#[test]
fn an_unused_invitation_closes_nothing_and_can_be_ended() {
    let server = Server::start(&[]);
    let Some(mut host) = open(&server, [1280, 900], "light") else {
        return;
    };
    invite(&mut host);
    play_from(&mut host, "00000/00010/00000/00000/00000 b3d3 c2c4 1");
    host.wait_for("$('choices').textContent.includes('Go back to the live game')");
    host.see(
        "['hintButton', 'analysisButton'].map(id => $(id).disabled).join()",
        "false,false",
    );
    choose(&mut host, "#choices", "Go back to the live game");
    host.wait_for("$('choices').textContent.includes('End the live game')");
    choose(&mut host, "#choices", "End the live game");
    choose(&mut host, "#saveDialog", "End the game");
    host.see(
        "$('status').textContent",
        "The live game has ended before its first turn. You can play on by hand.",
    );
    host.see("live.isOn() || state.hello.live", false);
    // Another page can end it without taking it over.
    invite(&mut host);
    host.open_tab(&server.page());
    host.wait_for(
        "typeof state === 'object' && $('choices').textContent.includes('Take over the live game')",
    );
    choose(&mut host, "#choices", "Take over the live game");
    choose(&mut host, "#saveDialog", "End the game");
    host.see("$('status').textContent", "The live game has ended.");
    host.see("live.isOn() || state.hello.live", false);
    host.see("$('choices').textContent.includes('live game')", false);
    finish(&mut host, 1280);
}

#[test]
fn a_resigned_game_is_over_after_a_restart_too() {
    let token = Some("the-token-of-a-test");
    let server = Server::start_with(token, &[]);
    let address = server.host.clone();
    let Some(mut host) = open(&server, [1280, 900], "light") else {
        return;
    };
    let [link, _] = invite(&mut host);
    let mut guest = start_with_guest(&mut host, &link);
    play(&mut host, "b2-b3+b2");
    guest.wait_for("state.node.turn === 'b2-b3+b2' && mayAct()");
    choose(&mut guest, "#choices", "Resign");
    choose(&mut guest, "#saveDialog", "Resign");
    for (browser, title) in [
        (&mut host, "You – Friend: you won"),
        (&mut guest, "Friend – You: Friend won"),
    ] {
        browser.wait_for("$('status').textContent.includes('resigned')");
        browser.see(
            "games.list().map(game => games.title(game).split(',')[0]).join()",
            title,
        );
    }
    drop(server);
    host.see("$('connection').hidden", false);
    let _server = Server::start_at(&address, token, &[]);
    let said = "$('status').textContent";
    host.see(said, "Connected again. Friend resigned. You win!");
    host.reload();
    host.see(said, "Violet resigned. Red wins.");
    space(&mut host, "b4");
    // The same text is said again.
    host.see(said, "Violet resigned. Red wins.\u{a0}");
    host.wait_for("toMove() === null && $('choices').textContent.includes('New game')");
}

#[test]
fn two_browsers_play_a_live_game() {
    let server = Server::start(&[]);
    let Some(mut host) = open(&server, [1280, 900], "light") else {
        return;
    };
    let [link, watch] = invite(&mut host);
    assert!(!format!("{link}{watch}").contains("token"));
    let mut spectator = open_at(&watch, [1280, 900], "light").unwrap();
    spectator.see("$('status').textContent", "Red is placing workers.");
    spectator.open("about:blank");
    let mut guest = start_with_guest(&mut host, &link);
    for browser in [&mut host, &mut guest] {
        let is_closed = "$('hintButton').disabled && $('analysisButton').disabled";
        browser.wait_for(is_closed);
    }
    play(&mut host, "b2-b3+b2");
    assert_eq!(host.evaluate("mayAct()"), json!(false));
    guest.wait_for("state.node.turn === 'b2-b3+b2' && mayAct()");
    play(&mut guest, "d2-c2+b1");
    host.wait_for("state.node.turn === 'd2-c2+b1' && mayAct()");
    for browser in [&mut host, &mut guest] {
        browser.see("$('reviewCard').hidden", true);
    }

    // Both continue where they were after a reload. No turn can be played on an earlier board.
    for browser in [&mut host, &mut guest] {
        browser.reload();
        let is_back = "typeof state === 'object' && state.node?.turn === 'd2-c2+b1' && live.isOn()";
        browser.wait_for(is_back);
    }
    host.wait_for("mayAct()");
    click(&mut host, "#backButton");
    host.see("mayAct()", false);
    click(&mut host, "#endButton");
    play(&mut host, "b3-b2+b3");
    guest.see("state.node.turn", "b3-b2+b3");

    choose(&mut host, "#actions", "Take back");
    guest.wait_for("$('choices').textContent.includes('Let them')");
    // The server pauses after each request, so an instant answer would overtake it.
    host.see("live.now().asksBack", 0);
    guest.reload();
    guest.wait_for("typeof live === 'object' && live.now()?.asksBack === 0");
    guest.see(
        "$('status').textContent",
        "Your friend asks to take back a turn.",
    );
    choose(&mut guest, "#choices", "Refuse");
    host.wait_for("$('status').textContent.startsWith('Your friend refused')");
    guest.wait_for("$('status').textContent.startsWith('You refused the take-back.')");
    // What the server refuses stays in the status line, and the board stays as it is.
    guest.evaluate("live.ask({ do: 'answer-back', yes: true })");
    let trouble = "There is no request to take back a turn.";
    guest.see("$('status').textContent", trouble);
    guest.evaluate("new Promise(done => setTimeout(done, 300))");
    guest.see("$('status').textContent", trouble);
    guest.see("state.node.turn", "b3-b2+b3");
    assert_eq!(host.evaluate("state.node.turn"), json!("b3-b2+b3"));
    choose(&mut host, "#actions", "Take back");
    guest.wait_for("$('choices').textContent.includes('Let them')");
    choose(&mut guest, "#choices", "Let them");
    for browser in [&mut host, &mut guest] {
        browser.see("state.node.turn", "d2-c2+b1");
    }
    // Later than the second click of a double click.
    host.wait_for("performance.now() - pressed.time > DOUBLE_TAP");
    play(&mut host, "b3-a3+b3");
    guest.see("state.node.turn", "b3-a3+b3");
    finish(&mut guest, 390);

    spectator.open(&watch);
    spectator.wait_for("typeof state === 'object' && state.node?.turn === 'b3-a3+b3'");
    assert_eq!(spectator.evaluate("mayAct()"), json!(false));
    spectator.open(&link);
    let is_refused = "document.body?.textContent.includes('it has been used')";
    spectator.wait_for(is_refused);

    guest.open("about:blank");
    host.wait_for("$('player1').textContent.includes('away')");
    choose(&mut host, "#choices", "Resign");
    choose(&mut host, "#saveDialog", "Resign");
    host.see("$('status').textContent", "You resigned. Friend wins.");
    host.see("mayAct()", false);
    host.see("$('undoButton').disabled", true);
    host.see("$('reviewCard').hidden", false);
    finish(&mut host, 1280);
}
