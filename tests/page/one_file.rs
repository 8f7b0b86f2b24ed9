//! The page as one file, built by `./build.sh web`: it works without the program and
//! gives the same answers.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use santorini::page::{BackendOptions, PageBackend, PageMessage};
use santorini::search::EngineOptions;
use serde_json::{Value, json};

use super::person::{READY, begin, choose, click, finish, open_at, whole_game};
use crate::browser::Browser;
use crate::installed::{installed, skip};
use crate::program::{errors, stdout};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/santorini.html");

/// The page without the network for games with cards.
const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/santorini-small.html");

/// Opens the page, if it was built and a browser is installed.
fn open(size: [u32; 2], scheme: &str) -> Option<Browser> {
    open_file(FILE, size, scheme)
}

fn open_file(file: &str, size: [u32; 2], scheme: &str) -> Option<Browser> {
    if !std::fs::exists(file).unwrap() {
        skip("./build.sh web has not been run");
        return None;
    }
    open_at(&format!("file://{file}"), size, scheme)
}

/// Decodes base64 with the browser's own function, and without it.
const UNPACK: &str = r#"
    Uint8Array.from = () => { throw new Error("slow"); };
    const text = btoa(String.fromCharCode(...Array(256).keys()));
    const loop = [...bytesOf(text)].join();
    Uint8Array.fromBase64 = given => ["native", given === text];
    console.log(loop === [...Array(256).keys()].join(), ...bytesOf(text));
"#;

#[test]
fn the_engine_is_decoded_with_the_fastest_function() {
    let Some(node) = installed(&["node"]) else {
        return;
    };
    // Only the functions: the rest of the script needs a page.
    let script = include_str!("../../src/wasm/link.js");
    let script = format!("Uint8Array.fromBase64 = undefined;\n{script}\n{UNPACK}");
    let output = Command::new(node).args(["-e", &script]).output().unwrap();
    let said = stdout(&output);
    let trouble = errors(&output);
    assert_eq!(said, "true native true\n", "{trouble}");
}

#[test]
fn a_whole_game_without_the_program() {
    let Some(mut browser) = open([1280, 900], "light") else {
        return;
    };
    whole_game(&mut browser);
    finish(&mut browser, 1280);
}

#[test]
fn an_analysis_is_stopped_and_others_follow() {
    let Some(mut browser) = open([390, 844], "dark") else {
        return;
    };
    begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    for _ in 0..2 {
        click(&mut browser, "#analysisButton");
        browser.see("document.querySelectorAll('#lines .turnLine').length", 3);
        // Other questions are answered meanwhile.
        let turns = "client.ask({ do: 'look', position: view().position }).then(answer => answer.turns.length > 50)";
        assert_eq!(browser.evaluate(turns), true);
        click(&mut browser, "#analysisButton");
        browser.wait_for("$('analysisCard').hidden");
    }
    // A stopped search answers with its results so far.
    browser.evaluate(
        "window.parts = 0; window.study = client.study({ do: 'analyze', position: view().position, seconds: 60 },
           () => { if (++parts === 3) study.stop(); });
         study.answer.then(answer => { window.answer = answer; })",
    );
    browser.wait_for("window.answer?.depth >= 3");
    choose(&mut browser, "#actions", "Take back");
    finish(&mut browser, 390);
}

#[test]
fn its_engine_gives_the_programs_answers() {
    let Some(mut browser) = open([1280, 900], "light") else {
        return;
    };
    let backend = PageBackend::new(
        BackendOptions {
            time: Duration::from_secs(1),
            engine: EngineOptions {
                hash_mib: 64,
                ..EngineOptions::default()
            },
        },
        None,
    );
    for (position, depth) in [
        ("00000/00010/00000/00000/00000 b3d3 c2c4 1", 9),
        (
            "00000/00110/00100/00000/00000 b2d4 b4d2 4 Prometheus Atlas",
            4,
        ),
        ("000000/012000/001200/000000/000000/000011 c3f6 f1b2 4", 6),
    ] {
        let question = json!({
            "do": "analyze", "position": position, "lines": 2, "seconds": 300, "depth": depth,
        });
        // A script writes 1.0 as 1.
        let found = |answer: &Value| {
            let lines = answer["lines"].as_array().unwrap().iter();
            let line = |line: &Value| {
                let chance = line["chance"].as_f64().unwrap();
                (chance, line["score"].clone(), line["turns"].clone())
            };
            (answer["nodes"].clone(), lines.map(line).collect::<Vec<_>>())
        };
        let here = browser.evaluate(&format!("client.ask({question})"));
        let mut question = question;
        question["id"] = json!(1);
        let message = PageMessage::read(&question.to_string()).unwrap();
        let there = backend.answer(&message, &AtomicBool::new(false), &mut |_| {});
        assert!(here["nodes"].as_u64() > Some(1000), "{here}");
        let words = "the page is of another version: run ./build.sh web again";
        assert_eq!(found(&here), found(&there["ok"]), "{position}: {words}");
    }
}

#[test]
fn the_smaller_page_plays_with_cards_too() {
    let Some(mut browser) = open_file(SMALL, [1280, 900], "light") else {
        return;
    };
    click(&mut browser, "#newButton");
    browser
        .wait_for("$('measured').textContent.includes('smaller page plays about 190 Elo weaker')");
    let question = json!({
        "do": "analyze",
        "position": "00000/00110/00100/00000/00000 b2d4 b4d2 4 Prometheus Atlas",
        "lines": 1, "seconds": 300, "depth": 4,
    });
    let found = browser.evaluate(&format!("client.ask({question})"));
    assert!(found["nodes"].as_u64() > Some(1000), "{found}");
    let larger = std::fs::metadata(FILE).unwrap().len();
    let smaller = std::fs::metadata(SMALL).unwrap().len();
    assert!(smaller < larger / 4, "{smaller} of {larger} bytes");
    finish(&mut browser, 1280);
}

/// A web host with the page and the two files beside it.
struct StaticHost {
    port: u16,
    is_stopped: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl StaticHost {
    fn start(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_stopped = Arc::<AtomicBool>::default();
        let stopped = is_stopped.clone();
        let thread = std::thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                // The browser may close a connection that it does not need.
                let _ = serve(stream);
            }
        });
        Self {
            port,
            is_stopped,
            thread,
        }
    }

    fn stop(self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        self.thread.join().unwrap();
    }
}

fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    // The browser may open a connection that it does not use.
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    let mut line = String::new();
    let mut lines = BufReader::new(stream.try_clone()?);
    lines.read_line(&mut line)?;
    let mut header = String::new();
    while lines.read_line(&mut header)? > 2 {
        header.clear();
    }
    let name = line.split(' ').nth(1).unwrap_or_default();
    let kind = match name {
        "/santorini.html" => "text/html",
        "/santorini.webmanifest" => "application/manifest+json",
        "/santorini-worker.js" => "text/javascript",
        _ => return stream.write_all(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"),
    };
    let folder = env!("CARGO_MANIFEST_DIR");
    let body = std::fs::read(format!("{folder}{name}"))?;
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

#[test]
fn a_page_from_a_host_works_without_a_network() {
    // A local file does not request the files beside it.
    let Some(mut browser) = open([1280, 900], "light") else {
        return;
    };
    let manifest = "document.querySelector('link[rel=manifest]') !== null";
    browser.see(manifest, false);
    finish(&mut browser, 1280);
    let host = StaticHost::start(0);
    let port = host.port;
    browser.open(&format!("http://127.0.0.1:{port}/santorini.html"));
    browser.see(
        "navigator.serviceWorker.ready.then(found => found.active.state)",
        "activated",
    );
    browser.wait_for(manifest);
    finish(&mut browser, 1280);
    host.stop();
    browser.reload();
    browser.wait_for(READY);
    browser.wait_for("navigator.serviceWorker.controller !== null");
    whole_game(&mut browser);
}
