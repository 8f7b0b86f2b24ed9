//! Access control: who may open the page and send questions.

use std::io::{Read, Write};
use std::net::TcpStream;

use santorini::http::TOKEN_VARIABLE;

use super::harness::Server;
use crate::program::{HANG, Program, errors, santorini};

/// The complete answer to a plain request with these headers.
pub(super) fn get(server: &Server, path: &str, headers: &str) -> String {
    request(server, "GET", path, headers)
}

/// Like [`get`], with any method.
pub(super) fn request(server: &Server, method: &str, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(&server.host).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

pub(super) fn host(server: &Server) -> String {
    format!("Host: {}\r\n", server.host)
}

fn status(server: &Server, path: &str, headers: &str) -> u16 {
    let answer = get(server, path, headers);
    let status = answer.split(' ').nth(1).unwrap_or_default();
    status.parse().unwrap_or_else(|_| panic!("{answer}"))
}

/// Whether a page of this origin may open a socket with this query.
fn may_ask(server: &Server, query: &str, origin: &str) -> bool {
    let address = format!("ws://{}/socket{query}", server.host);
    let mut request = tungstenite::client::IntoClientRequest::into_client_request(address).unwrap();
    request
        .headers_mut()
        .insert("Origin", origin.parse().unwrap());
    match server.try_open(request) {
        Ok(_) => true,
        Err(why) => {
            assert!(why.contains("403"), "{why}");
            false
        }
    }
}

#[test]
fn other_origins_and_other_names_are_refused() {
    let server = Server::start(&[]);
    let here = host(&server);
    let port = server.host.rsplit(':').next().unwrap();
    let page = format!("/{}", server.query);
    assert_eq!(status(&server, &page, &here), 200);
    let local = format!("Host: localhost:{port}\r\n");
    assert_eq!(status(&server, &page, &local), 200);
    for headers in [
        format!("Host: evil.example:{port}\r\n"),
        format!("{here}Origin: http://evil.example\r\n"),
        format!("{here}Origin: null\r\n"),
    ] {
        assert_eq!(status(&server, &page, &headers), 403, "{headers}");
    }
    let own = format!("http://{}", server.host);
    assert!(may_ask(&server, &server.query, &own));
    for origin in ["http://evil.example", &format!("http://localhost:{port}")] {
        assert!(!may_ask(&server, &server.query, origin), "{origin}");
    }
    let missing = format!("/no/such/page{}", server.query);
    assert_eq!(status(&server, &missing, &here), 404);
    assert!(get(&server, &missing, &here).ends_with("\r\n\r\nthere is no such page\n"));
    let policy = get(&server, &page, &here).to_lowercase();
    assert!(policy.contains("content-security-policy: default-src 'none'"));
}

#[test]
fn the_page_its_games_and_its_socket_need_the_token() {
    let file = "tests/data/outputs/input/cards-1.jsonl";
    let server = Server::start(&["--from", file]);
    let here = host(&server);
    let own = format!("http://{}", server.host);
    let other = Server::start(&[]);
    assert_ne!(server.query, other.query, "each start has another token");
    let short = &server.query[..server.query.len() - 1];
    for path in ["/", "/games"] {
        let whole = format!("{path}{}", server.query);
        assert_eq!(status(&server, &whole, &here), 200, "{path}");
        for query in ["", "?token=", &other.query, short] {
            let refused = get(&server, &format!("{path}{query}"), &here);
            assert!(
                refused.starts_with("HTTP/1.1 403"),
                "{path}{query}: {refused}"
            );
            assert!(
                !refused.contains("turns") && !refused.contains("token="),
                "{refused}"
            );
        }
    }
    assert!(may_ask(&server, &server.query, &own));
    for query in ["", other.query.as_str(), short] {
        assert!(!may_ask(&server, query, &own), "{query}");
    }
    for query in [
        "",
        "?once=",
        "?once=0",
        &server.query.replace("token", "once"),
    ] {
        let status = status(&server, &format!("/open{query}"), &here);
        assert!([400, 403].contains(&status), "{query}: {status}");
    }
}

#[test]
fn a_token_from_the_environment_must_be_long_enough() {
    let server = Server::start_with(Some("0123456789-abc_DEF"), &[]);
    assert_eq!(server.query, "?token=0123456789-abc_DEF");
    for (token, words) in [("secret", "at least 16 letters"), ("", "set, but empty")] {
        // The address is taken, so the program ends in any case.
        let mut command = santorini(&["play", "--web", &server.host]);
        let output = command.env(TOKEN_VARIABLE, token).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = errors(&output);
        assert!(said.contains(words), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
}

#[test]
fn connections_without_the_token_do_not_shut_others_out() {
    let server = Server::start(&[]);
    let request = format!("GET / HTTP/1.1\r\n{}\r\n", host(&server));
    let idle = (0..210).map(|number| {
        let mut stream = TcpStream::connect(&server.host).unwrap();
        if number % 2 == 0 {
            stream.write_all(request.as_bytes()).unwrap();
        }
        stream
    });
    let _idle: Vec<TcpStream> = idle.collect();
    let page = format!("/{}", server.query);
    assert_eq!(status(&server, &page, &host(&server)), 200);
}

#[test]
fn the_page_has_one_usual_address() {
    let page = "at http://127.0.0.1:7575/";
    let note =
        "; 127.0.0.1:7575 is in use, and the games that your browser saved belong to that address";
    let start = || Program::start(santorini(&["play", "--web"]));
    // Another program may have it already.
    let first = start();
    let line = first.notice("http://");
    assert_ne!(line.contains(page), line.ends_with(note), "{line}");
    let second = start();
    let line = second.notice("http://");
    assert!(!line.contains(page) && line.ends_with(note), "{line}");
}

#[test]
fn only_named_proxies_are_admitted() {
    let named = ["--origin", "https://hub.example/user/me/proxy/8000"];
    for (options, is_named) in [(&[][..], false), (&named[..], true)] {
        let server = Server::start(options);
        let page = format!("/{}", server.query);
        let expected = if is_named { 200 } else { 403 };
        // Proxies that forward the host name, and proxies that do not.
        for host in ["Host: hub.example\r\n", &host(&server)] {
            let headers = format!("{host}Origin: https://hub.example\r\n");
            assert_eq!(status(&server, &page, &headers), expected, "{headers}");
        }
        assert_eq!(
            may_ask(&server, &server.query, "https://hub.example"),
            is_named
        );
        assert!(!may_ask(&server, &server.query, "https://evil.example"));
        let policy = get(&server, &page, &host(&server));
        assert_eq!(policy.contains(" wss://hub.example;"), is_named, "{policy}");
    }
    let refused = santorini(&["play", "--web", "--origin", "hub.example"]).output();
    let refused = refused.unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = errors(&refused);
    assert!(said.contains("is not an address such as"), "{said}");
}
