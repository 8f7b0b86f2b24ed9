//! One network's many connections do not lock out others. (On Linux all addresses
//! 127.x.x.x are this machine's.)

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::thread::{sleep, spawn};
use std::time::Duration;

use serde_json::Value;

use super::harness::{Bot, Server, connect_from};
use super::page::{Asked, ask, ask_on, parts, with_token};
use crate::program::{HANG, SANTORINI};

/// A connection from the address 127.0.0.`from`.
fn connect(from: u8, to: SocketAddr) -> TcpStream {
    let stream = connect_from(from, to);
    stream.set_read_timeout(Some(HANG)).unwrap();
    stream
}

fn page(server: &Server) -> SocketAddr {
    parts(server).0.parse().unwrap()
}

const WATCHED: [&str; 2] = ["--watch", "127.0.0.1:0"];

#[test]
fn idle_connections_do_not_lock_others_out_of_the_page() {
    let server = Server::start(&WATCHED);
    let crowd = (0..260).map(|_| connect(2, page(&server)));
    let more = (0..260).map(|_| connect(3, page(&server)));
    let _crowd: Vec<TcpStream> = crowd.chain(more).collect();
    for path in ["/", "/table", "/games"] {
        let head = ask(&server, path).head;
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    }
}

#[test]
fn followers_do_not_lock_others_out_of_the_page() {
    let server = Server::start(&WATCHED);
    let mut crowd = Vec::new();
    for from in [2, 3] {
        let table = with_token(&server, "/table");
        let follow = || ask_on(connect(from, page(&server)), &table);
        crowd.extend((0..100).map(|_| follow()));
    }
    let followed = |asked: &Asked| asked.head.starts_with("HTTP/1.1 200");
    assert!(crowd.iter().filter(|asked| followed(asked)).count() >= 100);
    assert!(!crowd.iter().all(followed));
    let mut table = ask(&server, "/table");
    assert_eq!(table.event().1["phase"], "entry");
    let _ann = server.enter("ann");
    assert_eq!(table.event().1["rows"][0]["name"], "ann");
}

#[test]
fn idle_connections_are_closed_and_followers_are_not() {
    let server = Server::start(&WATCHED);
    let mut table = ask(&server, "/table");
    table.event();
    let address = page(&server);
    let games = format!(
        "GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        with_token(&server, "/games")
    );
    // The bytes sent at once, the bytes sent one by one, and whether an answer is
    // expected.
    let closed = [
        ("", "", false),
        ("GET / HTTP/1.1\r\nHost: x\r\n", "", false),
        (
            "GET / HTTP/1.1\r\n",
            "X-Slow: and slower and slower and slower",
            false,
        ),
        (games.as_str(), "", true),
    ]
    .map(|(at_once, slowly, answered)| {
        let at_once = at_once.to_string();
        let mut stream = connect(1, address);
        spawn(move || {
            stream.write_all(at_once.as_bytes()).unwrap();
            let mut writer = stream.try_clone().unwrap();
            spawn(move || {
                for byte in slowly.bytes() {
                    sleep(Duration::from_secs(1));
                    let _ = writer.write_all(&[byte]);
                }
            });
            let mut answer = Vec::new();
            match stream.read_to_end(&mut answer) {
                Ok(_) => {}
                Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
            }
            assert_eq!(answer.starts_with(b"HTTP/1.1 200"), answered, "{at_once}");
        })
    });
    for closed in closed {
        closed.join().unwrap();
    }
    let _ann = server.enter("ann");
    let rows = table.event().1["rows"].clone();
    assert!(
        matches!(&rows, Value::Array(rows) if rows.len() == 1),
        "{rows}"
    );
}

#[test]
fn a_lack_of_file_descriptors_is_reported() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 24; exec \"$@\"", "sh", SANTORINI]);
    let server = Server::start_new(command, "127.0.0.1:0", &WATCHED);
    let crowd: Vec<TcpStream> = (0..24).map(|_| connect(2, server.address)).collect();
    let said = server.notice("no more connections can be accepted: Too many open files");
    assert!(said.contains("(`ulimit -n`)"), "{said}");
    drop(crowd);
    let _ann = server.enter("ann");
}

#[test]
fn nameless_connections_do_not_lock_bots_out() {
    let server = Server::start(&["--bots", "3"]);
    let mut crowd: Vec<TcpStream> = Vec::new();
    for from in [2, 3] {
        crowd.extend((0..150).map(|_| connect(from, server.address)));
    }
    // This one gets the place of the first of the crowd.
    let ann = server.enter("ann");
    let mut first = Bot::new(crowd.swap_remove(0));
    first.hear_remark("too many connections without a name");
    assert_eq!(first.hear(), "");
    // The remaining ones may still enter.
    let mut last = Bot::new(crowd.pop().unwrap());
    last.say("bob");
    server.notice("bob is here");
    drop(ann);
}
