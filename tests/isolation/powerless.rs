//! Attacks of isolated players: none succeeds.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::Command;

use super::{Arena, ada, is_regular, processes};
use crate::program::{Program, SANTORINI};

/// The attacks of every isolated player.
const ATTACKS: &str = "kill end interrupt stop trace write-answer take-question read-memory \
    read-referee kill-referee stop-referee limit-cpu slow-opponent slow-down pin open-pidfd \
    offer-to-killer mount show-processes connect-abstract change-settings open-sysrq";

/// Further attacks of a fully isolated one.
const MORE: &str = "rewrite cut replace remove write-file change-program change-opponent \
    change-mode change-times change-attributes connect fill-disk";

/// Plays a game in which Bob makes attacks, and checks that none worked.
fn fail_all(isolation: &str, attacks: &str) {
    let Some(arena) = Arena::new(isolation) else {
        return;
    };
    std::fs::write(arena.path("games.jsonl"), "{}\n").unwrap();
    std::fs::write(arena.path("opponent"), "").unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("santorini-test-{}-{isolation}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _socket = UnixListener::bind_addr(&address).unwrap();
    let mut command = arena.game_command(isolation, &[], attacks);
    command
        .env("TEST_PORT", port.local_addr().unwrap().port().to_string())
        .env("TEST_SOCKET", name)
        .env("TEST_OPPONENT", arena.path("opponent"));
    let ended = Program::start(command).end();
    let errors = arena.text("errors");
    assert!(
        is_regular(ended.errors.last().unwrap()),
        "{ended:?}\n{errors}"
    );
    for attack in attacks.split_whitespace() {
        let failed = format!("Bob: {attack} failed\n");
        assert!(errors.contains(&failed), "{attack}:\n{errors}");
    }
    assert_eq!(arena.text("games.jsonl").len(), 3);
    port.set_nonblocking(true).unwrap();
    let connected = port.accept().map(drop).map_err(|error| error.kind());
    assert_eq!(connected, Err(ErrorKind::WouldBlock));
}

#[test]
fn isolated_players_reach_no_other_process() {
    fail_all("processes", ATTACKS);
}

#[test]
fn fully_isolated_players_reach_no_file_or_network() {
    fail_all("full", &format!("{ATTACKS} {MORE}"));
}

#[test]
fn a_player_that_exceeds_a_limit_loses() {
    if Arena::new("full").is_none() {
        return;
    }
    let too_much = "the player was killed: it used more than 100 MB";
    let options: [(&[&str], &str, &str); 4] = [
        (
            &["--processes", "20"],
            "fork",
            "the player was killed: it had more than 20 processes",
        ),
        (&["--memory", "100"], "allocate", too_much),
        (&["--memory", "100"], "hide-memory", too_much),
        (&["--memory", "100"], "hide-segment", too_much),
    ];
    std::thread::scope(|scope| {
        for (options, attack, message) in options {
            scope.spawn(move || {
                let arena = Arena::new("full").unwrap();
                let ended = arena.game("full", options, attack);
                let told = ended.errors.join("\n");
                // The system itself refuses processes, except to root.
                let refused = arena.text("errors").contains("fork failed");
                assert!(refused || told.contains(message), "{told}");
            });
        }
    });
}

#[test]
fn memory_that_processes_share_counts_once() {
    let Some(arena) = Arena::new("full") else {
        return;
    };
    let ended = arena.game("full", &["--memory", "250"], "share-memory");
    assert!(is_regular(ended.errors.last().unwrap()), "{ended:?}");
    let errors = arena.text("errors");
    assert!(errors.contains("share-memory worked"), "{errors}");
}

#[test]
fn players_inherit_no_open_file_of_the_caller() {
    for isolation in ["off", "processes", "full"] {
        let Some(arena) = Arena::new(isolation) else {
            return;
        };
        let player = format!("{SANTORINI} fake-player random");
        let leaks = format!("Bob=sh -c 'echo mine >&7; exec {player}'");
        let referee = format!(
            "exec 7>open; exec {SANTORINI} referee --time 20 --isolate {isolation} {} {}",
            shlex::try_quote(&leaks).unwrap(),
            shlex::try_quote(&ada()).unwrap(),
        );
        let mut command = Command::new("sh");
        command.args(["-c", &referee]).current_dir(arena.path(""));
        let ended = Program::start(command).end();
        assert!(is_regular(ended.errors.last().unwrap()), "{ended:?}");
        assert_eq!(arena.text("open"), "", "{isolation}");
    }
}

#[test]
fn nothing_of_an_isolated_player_is_left() {
    for isolation in ["off", "processes"] {
        let Some(arena) = Arena::new(isolation) else {
            return;
        };
        let ended = arena.game(isolation, &[], "escape");
        assert!(arena.text("errors").contains("escape worked"), "{ended:?}");
        assert!(is_regular(ended.errors.last().unwrap()), "{ended:?}");
        assert_eq!(processes(b"sleep\x001234\0"), 0);
    }
}
