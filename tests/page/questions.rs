//! The answers of the page's server to valid and invalid questions.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::harness::{Page, Server};
use crate::place::fake;
use crate::program::{Signal, memory, signal, wait_until};

const START: &str = "00000/00000/00000/00000/00000 c2c4 b3d3 0";

#[test]
fn questions_are_answered() {
    let server = Server::start(&["--time", "0.1"]);
    let mut page = server.open();
    let hello = page.ask(json!({"do": "hello"})).unwrap();
    assert_eq!(hello["levels"].as_array().unwrap().len(), 18);
    assert_eq!(hello["levels"][0]["elo"], 0);
    let measured = hello["measured"].as_str().unwrap();
    assert!(measured.starts_with("bench "), "{measured}");
    assert_eq!(hello["cards"].as_array().unwrap().len(), 8);
    assert_eq!(hello["programs"], json!([]));
    let start = page.ask(json!({"do": "look", "position": START})).unwrap();
    let first = start["turns"][0].clone();
    let next = page.ask(json!({"do": "look", "position": START, "turn": first}));
    assert_eq!(next.unwrap()["scene"]["played"], first);
    let why = page
        .ask(json!({"do": "explain", "position": START, "turn": "c2-c5"}))
        .unwrap();
    assert!(why["illegal"].as_str().unwrap().contains("c5"), "{why}");
    let turn = page
        .ask(json!({"do": "play", "position": START, "who": {"level": 2}}))
        .unwrap();
    assert!(start["turns"].as_array().unwrap().contains(&turn["turn"]));
    let svg = page.ask(json!({"do": "svg", "position": START})).unwrap();
    assert!(svg["svg"].as_str().unwrap().starts_with("<svg "));
}

#[test]
fn an_analysis_reports_until_it_is_stopped() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let study = json!({"do": "analyze", "position": START, "lines": 2, "seconds": 60});
    let id = page.begin(study);
    let mut depths = Vec::new();
    while depths.len() < 3 {
        let heard = page.hear().unwrap();
        if let Some(depth) = heard["part"]["depth"].as_u64() {
            assert_eq!(heard["part"]["lines"].as_array().unwrap().len(), 2);
            let chance = heard["part"]["lines"][0]["chance"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&chance));
            depths.push(depth);
        }
    }
    assert!(depths.is_sorted());
    // Meanwhile other questions are answered.
    page.ask(json!({"do": "look", "position": START})).unwrap();
    let began = Instant::now();
    page.begin(json!({"do": "stop", "what": id}));
    assert!(page.answer(id).is_ok());
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn turns_and_placements_have_chances() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let start = page.ask(json!({"do": "look", "position": START})).unwrap();
    let compare = json!({"do": "compare", "position": START, "seconds": 0.3});
    let compared = page.ask(compare).unwrap();
    let count = |value: &Value| value.as_array().unwrap().len();
    assert_eq!(count(&compared["turns"]), count(&start["turns"]));
    assert!(compared["depth"].as_u64().unwrap() >= 1);
    let endless = json!({"do": "compare", "position": START, "seconds": 1e9});
    assert!(page.ask(endless).unwrap_err().contains("at most 300"));
    let first = page.ask(json!({"do": "placements"})).unwrap();
    assert_eq!(count(&first["placements"]), 300);
    let squares = first["placements"][0]["squares"].clone();
    let replies = page
        .ask(json!({"do": "placements", "first": squares}))
        .unwrap();
    assert!(count(&replies["placements"]) >= 4);
    let cards = json!({"do": "placements", "cards": ["Pan", "Atlas"]});
    let with_cards = page.ask(cards).unwrap();
    assert_eq!(count(&with_cards["placements"]), 300);
    assert_ne!(with_cards, first);
    for (wrong, words) in [
        (json!({"first": ["a1", "z9"]}), "not a space"),
        (
            json!({"cards": ["Pan", "Pan"]}),
            "both players have the card Pan",
        ),
    ] {
        let mut question = wrong;
        question["do"] = "placements".into();
        let error = page.ask(question).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn invalid_messages_are_refused_with_the_reason() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let long = format!(r#"{{"id":1,"do":"read","text":"{}"}}"#, "x".repeat(300_000));
    let deep = "[".repeat(100_000);
    for (text, words) in [
        ("hello", "not JSON"),
        ("{\"id\":1,", "not JSON"),
        (deep.as_str(), "nested too deeply"),
        ("[1,2]", "an object with a number"),
        (r#"{"id":-1,"do":"hello"}"#, "\"id\", a whole one from 0 to"),
        (
            r#"{"id":1,"do":"run","command":"sh"}"#,
            "unknown name `run`, expected one of `hello`",
        ),
        (r#"{"id":1,"do":"look"}"#, "missing argument `position`"),
        (
            r#"{"id":1,"do":"look","position":"x"}"#,
            "is not a position",
        ),
        (
            r#"{"id":1,"do":"analyze","position":"x","seconds":1}"#,
            "is not a position",
        ),
        (
            r#"{"id":1,"do":"play","position":"00000/00000/00000/00000/00000 c2c4 b3d3 0","who":{"program":0}}"#,
            "--against",
        ),
        (long.as_str(), "the maximum is 262144"),
    ] {
        page.send(text);
        let heard = page.hear().expect(words);
        let error = heard["error"].as_str().unwrap();
        assert!(error.contains(words), "{error}");
    }
    for (field, value, words) in [
        ("lines", json!(9), "must be 1 to"),
        (
            "lines",
            json!(-1),
            "lines must be a whole number from 1 to 8, not -1",
        ),
        ("seconds", json!(1e9), "at most 300"),
        ("seconds", json!(-1), "more than 0"),
    ] {
        let mut question = json!({"do": "analyze", "position": START, "lines": 1, "seconds": 1});
        question[field] = value;
        assert!(page.ask(question).unwrap_err().contains(words));
    }
    page.ask(json!({"do": "hello"})).unwrap();
    // Longer messages end the connection.
    page.send(&"x".repeat(2_000_000));
    while page.hear().is_some() {}
    server.open().ask(json!({"do": "hello"})).unwrap();
}

#[test]
fn searches_of_a_page_are_limited() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let study = || json!({"do": "analyze", "position": START, "lines": 1, "seconds": 100});
    let running: Vec<u64> = (0..4).map(|_| page.begin(study())).collect();
    let again = json!({"id": running[0], "do": "analyze", "position": START, "seconds": 9});
    page.send(&again.to_string());
    let refused = page.answer(running[0]).unwrap_err();
    assert!(refused.contains("already running"), "{refused}");
    let refused = page.ask(study()).unwrap_err();
    assert!(refused.contains("already has 4 searches"), "{refused}");
    for &id in running.iter().rev() {
        page.begin(json!({"do": "stop", "what": id}));
    }
    let mut ended = 0;
    while ended < 4 {
        let heard = page.hear().unwrap();
        let is_end = heard.get("ok").is_some() || heard.get("error").is_some();
        ended += usize::from(is_end && running.iter().any(|&id| heard["id"] == id));
    }
    page.ask(json!({"do": "hello"})).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn a_hundred_open_pages_do_no_harm() {
    let server = Server::start(&[]);
    let study = json!({"do": "analyze", "position": START, "lines": 1, "seconds": 300});
    let mut pages = Vec::new();
    let mut refused = 0;
    for _ in 0..100 {
        let mut page = server.open();
        page.begin(study.clone());
        let first = page.hear();
        match first.as_ref().and_then(|heard| heard.get("error")) {
            Some(error) => {
                assert!(
                    error.as_str().unwrap().contains("pages are open"),
                    "{error}"
                );
                refused += 1;
            }
            None => pages.push(page),
        }
    }
    assert_eq!(refused, 36, "64 pages can be open");
    // A question for a turn does not wait for all of them.
    let last = pages.last_mut().unwrap();
    last.ask(json!({"do": "play", "position": START, "who": {"level": 1}}))
        .unwrap();
    let taken = memory(server.program.id(), "VmRSS:").unwrap() >> 10;
    assert!(taken < 400, "{taken} MiB");
    // Closing a page frees its place.
    pages.truncate(10);
    let is_answered = |mut page: Page| {
        page.begin(json!({"do": "hello"}));
        page.hear().is_some_and(|heard| heard.get("ok").is_some())
    };
    wait_until("another page", || is_answered(server.open()));
}

#[test]
fn a_crashed_program_is_named_once_with_its_standard_error() {
    let server = Server::start(&["--against", &fake("Mine", "crash")]);
    let question = json!({"do": "play", "position": START, "who": {"program": 0}});
    let error = server.open().ask(question).unwrap_err();
    let (fault, output) = error.split_once('\n').expect(&error);
    assert_eq!(
        fault,
        "Mine exited without an answer: exit code 3; its standard error:"
    );
    assert!(output.contains("crash"), "{output}");
    let said = server.program.notice(fault);
    assert!(said.starts_with("santorini: Mine exited"), "{said}");
}

#[test]
fn a_file_that_is_no_game_is_refused_in_plain_words() {
    let server = Server::start(&[]);
    let mut page = server.open();
    let line = "00000/10000/00000/00000/00000 c2c4 b3d4 1";
    for (text, words) in [
        ("\u{fffd}PNG\r\n\u{1a}", "neither a game nor a position"),
        (
            &format!("# a book\n{line}\n{line}"),
            "this holds more than one position; paste one line",
        ),
        ("00000/00010", "\"00000/00010\" is not a position"),
        ("{\"turn\":0}", "the board has no"),
    ] {
        let error = page.ask(json!({"do": "read", "text": text})).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
    for text in [format!("# one\n{line}\n"), line.replace(' ', "\n")] {
        let read = page.ask(json!({"do": "read", "text": text})).unwrap();
        assert_eq!(read["position"], line);
    }
}

#[test]
fn only_named_programs_play() {
    let program = fake("Mine", "random");
    let server = Server::start(&["--against", &program, "--time", "1"]);
    let mut page = server.open();
    assert_eq!(
        page.ask(json!({"do": "hello"})).unwrap()["programs"],
        json!(["Mine"])
    );
    let who = json!({"program": 0});
    let first = page
        .ask(json!({"do": "place", "size": 5, "who": who}))
        .unwrap();
    assert_eq!(first["squares"].as_array().unwrap().len(), 2, "{first}");
    let turn = page
        .ask(json!({"do": "play", "position": START, "who": who}))
        .unwrap();
    let look = json!({"do": "look", "position": START, "turn": turn["turn"]});
    page.ask(look).unwrap();
    let wrong = page.ask(json!({"do": "play", "position": START, "who": {"program": 1}}));
    assert!(wrong.unwrap_err().contains("the only one is 0"));
}

#[test]
fn ctrl_c_during_a_search_exits_cleanly() {
    let mut server = Server::start(&[]);
    let mut page = server.open();
    page.begin(json!({"do": "analyze", "position": START, "lines": 1, "seconds": 300}));
    assert!(
        page.hear()
            .is_some_and(|heard: Value| heard.get("part").is_some())
    );
    signal(server.program.id(), Signal::SIGINT);
    assert_eq!(server.program.wait(), Some(0));
    while page.hear().is_some() {}
}
