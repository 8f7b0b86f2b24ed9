//! The web page: the server's answers to it, and the page in a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::harness::{Bot, Server};
use crate::browser::Browser;
use crate::program::{HANG, wait_until};

/// A name that becomes an element if it is used as HTML.
const NASTY: &str = "<b id=evil>\"&'</b>";

/// The answer to a request: its head, and its body as it arrives.
pub struct Asked {
    pub head: String,
    body: BufReader<TcpStream>,
}

/// Requests a path of the page, with the token.
pub fn ask(server: &Server, path: &str) -> Asked {
    let (host, _) = parts(server);
    ask_on(TcpStream::connect(host).unwrap(), &with_token(server, path))
}

/// The address and port of the page, and its token.
pub fn parts(server: &Server) -> (&str, &str) {
    let page = server
        .page
        .as_deref()
        .unwrap()
        .trim_start_matches("http://");
    page.split_once("/?").unwrap()
}

/// The path with the token of the page.
pub fn with_token(server: &Server, path: &str) -> String {
    let (_, token) = parts(server);
    let sign = if path.contains('?') { '&' } else { '?' };
    format!("{path}{sign}{token}")
}

/// Sends a request on this connection.
pub fn ask_on(stream: TcpStream, path: &str) -> Asked {
    let host = stream.peer_addr().unwrap().to_string();
    ask_as(stream, path, &host)
}

/// Sends a request with a `Host` header.
fn ask_as(mut stream: TcpStream, path: &str, host: &str) -> Asked {
    stream.set_read_timeout(Some(HANG)).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut body = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(body.read_line(&mut head).unwrap(), 0, "{head}");
    }
    Asked { head, body }
}

impl Asked {
    fn text(mut self) -> String {
        let mut text = String::new();
        self.body.read_to_string(&mut text).unwrap();
        text
    }

    /// The next event's name and data.
    pub fn event(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(
                self.body.read_line(&mut line).unwrap(),
                0,
                "the events ended"
            );
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.trim_end().to_string();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return (name, serde_json::from_str(data).unwrap());
            }
        }
    }
}

/// Plays these answers, each when its bot is asked.
fn play(bots: &mut [Bot; 2], answers: &[(usize, &str)]) {
    for (player, answer) in answers {
        bots[*player].hear_turn();
        bots[*player].say(answer);
    }
}

/// The game of the guide, TCP.txt, in three parts. ann wins with the last answer.
const OPENING: [(usize, &str); 4] = [(0, "1 1"), (1, "4 4"), (0, "5 5"), (1, "0 5")];
const MIDDLE: [(usize, &str); 12] = [
    (0, "1 1 2"),
    (0, "2 2"),
    (1, "1 4 3"),
    (1, "3 2"),
    (0, "1 2 2"),
    (0, "3 2"),
    (1, "1 5 3"),
    (1, "4 2"),
    (0, "1 3 2"),
    (0, "4 2"),
    (1, "1 4 3"),
    (1, "4 2"),
];
const LAST: [(usize, &str); 1] = [(0, "1 4 2")];

const WATCHED: [&str; 4] = ["--watch", "127.0.0.1:0", "--rounds", "2"];

#[test]
fn the_page_is_one_file_that_loads_nothing_else() {
    let server = Server::start(&WATCHED);
    let asked = ask(&server, "/");
    let head = asked.head.to_lowercase();
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(
        head.contains("content-security-policy: default-src 'none'"),
        "{head}"
    );
    let page = asked.text();
    assert!(
        page.contains("const santorini ="),
        "the script that draws boards"
    );
    for outside in ["src=\"", "@import", "url(http", "href=\"http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(ask(&server, "/games/0").head.starts_with("HTTP/1.1 404"));
    assert!(ask(&server, "/games/x").head.starts_with("HTTP/1.1 400"));
    assert!(
        ask(&server, "/no/such/page")
            .head
            .starts_with("HTTP/1.1 404")
    );
}

#[test]
fn spectators_see_events_as_they_happen() {
    let server = Server::start(&WATCHED);
    let mut table = ask(&server, "/table");
    assert_eq!(table.event().1["phase"], "entry");
    let mut bots = [server.enter("ann"), server.enter(NASTY)];
    bots[0].hear_turn();
    let mut game = ask(&server, "/games/0");
    let (_, first) = game.event();
    assert_eq!([&first[0], &first[1]], ["placeWorker", "ann"]);
    bots[0].say("1 1");
    let (_, second) = game.event();
    assert_eq!(second[3], json!(["ann", [1, 1]]));
    play(&mut bots, &OPENING[1..]);
    play(&mut bots, &MIDDLE);
    play(&mut bots, &LAST);
    let mut states = 2;
    let end = loop {
        match game.event() {
            (name, end) if name == "end" => break end,
            _ => states += 1,
        }
    };
    assert_eq!(states, 18);
    assert_eq!((&end["winner"], &end["ending"]), (&json!(0), &json!("win")));
    // A later spectator gets the same.
    let past = ask(&server, "/games/0").text();
    assert_eq!(past.matches("data: [").count(), 18);
    assert!(past.contains("event: end"));
    let games = ask(&server, "/games?bot=ann").text();
    assert!(games.contains("\"place\":0"), "{games}");
    assert!(!ask(&server, "/games?bot=bob").text().contains("place"));
    assert!(!ask(&server, "/games?before=0").text().contains("place"));
    let row = loop {
        let (_, now) = table.event();
        if now["played"] == 1 {
            break now["rows"][0].clone();
        }
    };
    assert_eq!((&row["name"], &row["points"]), (&json!("ann"), &json!(1.0)));
}

#[test]
fn a_spectator_who_does_not_read_delays_nothing() {
    let server = Server::start(&["--watch", "127.0.0.1:0", "--rounds", "20"]);
    let _idle: Vec<Asked> = (0..20).map(|_| ask(&server, "/table")).collect();
    let bots = server.decent(&["a", "b"]);
    for bot in bots {
        bot.join().unwrap();
    }
    // The page stays when the tournament is over.
    server.notice("stays until Ctrl-C");
    assert_eq!(server.games().len(), 20);
    assert_eq!(ask(&server, "/table").event().1["phase"], "over");
}

/// The status of the answer to a request with this `Host`.
fn status(server: &Server, path: &str, host: &str) -> String {
    let stream = TcpStream::connect(parts(server).0).unwrap();
    let head = ask_as(stream, path, host).head;
    head.split(' ').nth(1).unwrap_or_default().to_string()
}

#[test]
fn a_local_page_needs_its_token_and_a_local_host_name() {
    let server = Server::start(&WATCHED);
    let (here, _) = parts(&server);
    for path in ["/", "/table", "/games"] {
        let whole = with_token(&server, path);
        assert_eq!(status(&server, &whole, here), "200", "{path}");
        assert_eq!(status(&server, &whole, "localhost"), "200", "{path}");
        assert_eq!(status(&server, &whole, "evil.example"), "403", "{path}");
        assert_eq!(status(&server, path, here), "403", "{path}");
        assert_eq!(
            status(&server, &format!("{path}?token=0"), here),
            "403",
            "{path}"
        );
    }
}

#[test]
fn a_public_page_needs_an_allowed_host_name_only() {
    let open = ["--watch", "0.0.0.0:0"];
    let named = [open[0], open[1], "--origin", "https://cup.example"];
    for (options, status_of_name) in [(&open[..], "403"), (&named[..], "200")] {
        let server = Server::start(options);
        let page = server.page.as_deref().unwrap();
        assert!(!page.contains("0.0.0.0"), "{page} cannot be opened");
        let port = page.trim_end_matches('/').rsplit(':').next().unwrap();
        let local = format!("127.0.0.1:{port}");
        let status = |host: &str| {
            let stream = TcpStream::connect(&local).unwrap();
            let head = ask_as(stream, "/", host).head;
            head.split(' ').nth(1).unwrap_or_default().to_string()
        };
        assert_eq!(status(&local), "200");
        assert_eq!(status("192.168.1.5"), "200");
        assert_eq!(status("evil.example"), "403");
        assert_eq!(status("cup.example"), status_of_name);
    }
}

fn text(id: &str) -> String {
    format!("document.querySelector('{id}').textContent")
}

fn count(selector: &str) -> String {
    format!("document.querySelectorAll('{selector}').length")
}

#[test]
fn a_phone_shows_both_names_of_a_game() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Server::start(&WATCHED);
    browser.resize(320, 740);
    browser.open(&format!("{}#game=99", server.page.as_deref().unwrap()));
    browser.wait_for("document.querySelector('#caption').textContent.includes('no such game')");
    browser.wait_for("document.documentElement.scrollWidth <= 320");
    browser.resize(360, 740);
    let _bots = [
        server.enter("a_very_long_name_of_one_tcp_bot"),
        server.enter("opponent"),
    ];
    browser.see(&text("#liveGames .who span:last-child"), "opponent");
    let is_seen = "((name, card) => name.right <= card.right && name.width > 0)
         (...['#liveGames .who span:last-child', '#liveGames .who'].map(part =>
             document.querySelector(part).getBoundingClientRect()))";
    browser.wait_for(is_seen);
}

#[test]
fn a_page_that_is_refused_says_why() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Server::start(&WATCHED);
    let link = server.page.clone().unwrap();
    browser.open(&link);
    browser.see(&text("#phase"), "waiting for bots");
    // The new server has another token.
    let (address, _) = link["http://".len()..].split_once('/').unwrap();
    let server = server.restart(&["--watch", address]);
    browser.wait_for("document.querySelector('#phase').textContent.startsWith('the token is')");
    drop(server);
    let trying = "the server does not answer; trying again";
    browser.see(&text("#phase"), trying);
}

#[test]
fn the_page_shows_the_lists_of_the_newest_response() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Server::start(&WATCHED);
    browser.open(server.page.as_deref().unwrap());
    browser.see(&text("#phase"), "waiting for bots");
    // The response to the first of two requests comes last.
    let who = browser.evaluate(
        "(async () => {
            const answers = [];
            window.fetch = () => new Promise(done =>
                answers.push(games => done({ json: () => ({ games }) })));
            const game = name => [{ game: 0, names: [name, 'b'], winner: null, ending: 'absent' }];
            const lists = [loadPast(), loadPast()];
            answers[1](game('new'));
            await lists[1];
            answers[0](game('old'));
            await lists[0];
            return document.querySelector('#pastGames .who').textContent;
        })()",
    );
    assert_eq!(who, "new : b");
    // One bot leaves and another connects.
    browser.evaluate(
        "['ann', 'bob'].forEach(name => showTable({ data: JSON.stringify(
            { phase: 'entry', played: 0, total: 0, live: [], rows: [{ name }] }) }))",
    );
    let bots = "[...document.querySelector('#bot').options].map(bot => bot.value).join()";
    browser.see(bots, ",bob");
}

#[test]
fn a_browser_shows_games_live_and_afterwards() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let server = Server::start(&WATCHED);
    browser.open(server.page.as_deref().unwrap());
    browser.see(&text("#phase"), "waiting for bots");
    let mut bots = [server.enter("ann"), server.enter(NASTY)];

    // The board follows the game.
    browser.see(&text("#title"), "Game 1");
    browser.see(&text("#second b"), json!(NASTY));
    play(&mut bots, &OPENING);
    browser.see(&count("#board use[href=\"#sn-worker0\"]"), 2);
    browser.see(&count("#board use[href=\"#sn-worker1\"]"), 2);
    browser.see(&count("#first.turn"), 1);
    play(&mut bots, &MIDDLE);
    browser.see(&count("#board use[href=\"#sn-level3\"]"), 1);
    let caption = format!("{NASTY} built floor 3 on e3 (4 2)step 16 of 16 · ann moves");
    browser.see(&text("#caption"), json!(caption));
    play(&mut bots, &LAST);
    browser.see(&count("#first.won"), 1);
    browser.see(&text("#rows tr td:nth-child(3)"), "1");
    browser.see(&text("#pastGames .how"), "reached level 3");
    let image = browser.screenshot();
    assert!(image.len() > 20_000, "a picture of {} bytes", image.len());

    // The next game is shown automatically, and the past one step by step.
    bots[1].hear_until(|line| line.starts_with("[\"placeWorker\",\"<b"));
    browser.see(&text("#title"), "Game 2");
    browser.evaluate("document.querySelector('#pastGames button').click()");
    browser.see(&text("#title"), "Game 1");
    browser.see(&count("#first.won"), 1);
    browser.evaluate("document.querySelector('#start').click()");
    browser.see(&count("#board use[href^=\"#sn-worker\"]"), 0);
    for (step, shown) in [
        (1, "ann placed worker 1 on b2 (1 1)"),
        (2, "placed worker 1 on e5 (4 4)"),
    ] {
        browser.evaluate("document.querySelector('#next').click()");
        browser.see(&count("#board use[href^=\"#sn-worker\"]"), json!(step));
        let caption = browser.evaluate(&text("#caption"));
        assert!(caption.as_str().unwrap().contains(shown), "{caption}");
    }
    browser.evaluate("document.querySelector('#back').click()");
    browser.see(&count("#board use[href^=\"#sn-worker\"]"), 1);
    browser.evaluate("document.querySelector('#live').click()");
    browser.see(&count("#first.won"), 1);

    // After the last game none is to follow.
    let follow = "document.querySelector('#follow').checkVisibility()";
    browser.see(follow, true);
    browser.evaluate(
        "showTable({ data: JSON.stringify({ phase: 'over', played: 2, total: 2, live: [], rows: [] }) })",
    );
    browser.see(follow, false);

    // On a phone nothing is wider than the screen.
    browser.resize(360, 740);
    let fits = "document.documentElement.scrollWidth <= 360";
    browser.wait_for(fits);

    browser.see(&count("#evil"), 0);
    assert_eq!(browser.complaints(), [""; 0], "errors in the page");
    drop(bots);
    wait_until("the second game", || server.games().len() == 2);
}
