//! Complete tournaments of bots of all kinds.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::{JoinHandle, spawn};

use super::harness::{Bot, Server, points};
use crate::program::{santorini, success};

fn python(server: &Server, name: &str) -> Child {
    let bot = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/contest/new_bot/templates/bot.py"
    );
    Command::new("python3")
        .args([bot, "127.0.0.1", &server.address.port().to_string(), name])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the bot in Python needs python3")
}

/// Gives the same answer to every state that names it.
fn parrot(mut bot: Bot, words: &'static str) -> JoinHandle<()> {
    spawn(move || {
        loop {
            let line = bot.hear();
            if line.is_empty() || line.contains("final table") {
                return;
            }
            if line.starts_with('[') && !line.starts_with("[\"gameOver\"") {
                bot.say(words);
            }
        }
    })
}

/// Leaves every game as soon as it starts, and returns.
fn quitter(server: &Server, name: &'static str) -> JoinHandle<()> {
    let address = server.address;
    let mut bot = server.enter(name);
    spawn(move || {
        loop {
            let line = bot.hear();
            if line.contains("final table") || line.contains("forfeits") {
                return;
            }
            if line.starts_with('[') || line.is_empty() {
                let Ok(stream) = std::net::TcpStream::connect(address) else {
                    return;
                };
                bot = Bot::new(stream);
                // The server may have exited in between.
                if writeln!(bot.stream, "{name}").is_err() {
                    return;
                }
            }
        }
    })
}

#[test]
fn a_tournament_of_eight_ends_with_the_right_table() {
    let server = Server::start(&["--bots", "8", "--answer-time", "3", "--return-time", "1"]);
    let python = python(&server, "python");
    server.notice("python is here");
    let engine = server.program("engine", &["--time", "0.05", "--hash", "8"]);
    let random = server.program("random", &["--random", "--seed", "3"]);
    let mut decent = server.decent(&["decent"]);
    let hostile = [
        parrot(server.enter("parrot"), "polly wants a cracker"),
        parrot(server.enter("corner"), "0 0"),
        quitter(&server, "quitter"),
    ];
    // The last one to enter never answers.
    let silent = server.enter("silent");

    let tables = [python, engine, random].map(|bot| {
        let output = bot.wait_with_output().unwrap();
        success(&output)
    });
    let table = decent.remove(0).join().unwrap();
    assert_eq!(tables[1].trim_end(), table);
    assert_eq!(tables[2].trim_end(), table);
    assert!(
        tables[0].contains(&table),
        "the Python bot prints all remarks"
    );
    drop(silent);
    hostile.into_iter().for_each(|bot| bot.join().unwrap());

    let games = server.games();
    assert_eq!(games.len(), 28);
    let points = |name: &str| points(&games, name);
    let mut sum = 0.0;
    for name in [
        "python", "engine", "random", "decent", "parrot", "corner", "quitter", "silent",
    ] {
        let row = format!(". {name} {},", points(name));
        assert!(format!("{table},").contains(&row), "{row} {table}");
        sum += points(name);
    }
    assert_eq!(sum, 28.0);
    let lost = games.iter().find(|game| {
        let place = game.players.iter().position(|name| name == "engine");
        place.is_some_and(|place| game.points(place) < 1.0)
    });
    assert_eq!(points("engine"), 7.0, "{table}: {lost:?}");
    for decent in ["python", "random", "decent"] {
        assert!(points(decent) >= 4.0, "beats all hostile ones: {table}");
    }
    // A well-behaved bot beats a hostile one.
    for game in &games {
        let decent = game
            .players
            .iter()
            .position(|name| ["python", "engine", "random", "decent"].contains(&name.as_str()));
        let faulty = !["win", "no-turn-left"].contains(&game.ending.as_str());
        if let (Some(decent), true) = (decent, faulty) {
            assert_eq!(game.winner.map(usize::from), Some(decent), "{game:?}");
        }
    }
    // The results are records that all commands can read.
    let drawn = santorini(&["draw", "--turn", "last"])
        .arg(&server.results)
        .output()
        .unwrap();
    assert!(drawn.status.success(), "{drawn:?}");
    let (code, output) = server.end();
    assert_eq!(code, Some(0));
    let first = output.lines().nth(1).unwrap();
    assert!(
        first.starts_with("   1  engine      7.0      7     7"),
        "{output}"
    );
}

#[test]
fn localhost_works_for_servers_and_bots() {
    let server = Server::listening("localhost:0", &[]);
    assert!(server.address.ip().is_loopback());
    let connect = format!("localhost:{}", server.address.port());
    let bots = ["a", "b"].map(|name| {
        let mut bot = santorini(&["bot", "--random", "--name", name, "--connect", &connect]);
        bot.stdout(Stdio::null()).stderr(Stdio::null());
        bot.spawn().unwrap()
    });
    for mut bot in bots {
        assert!(bot.wait().unwrap().success());
    }
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn an_ipv4_bot_of_an_ipv6_server_has_its_usual_address() {
    if TcpListener::bind("[::]:0").is_err() {
        return;
    }
    let server = Server::listening("[::]:0", &[]);
    let mut bot = Bot::new(TcpStream::connect(("127.0.0.1", server.address.port())).unwrap());
    bot.say("a");
    let told = server.notice("a is here");
    assert!(told.ends_with("from 127.0.0.1"), "{told}");
}

#[test]
fn the_servers_log_shows_the_progress() {
    let server = Server::start_with_progress(&["--bots", "2"]);
    // They do not answer, so that the games last.
    let _bots = ["a", "b"].map(|name| server.enter(name));
    let line = server.notice("0 of 1 games, ");
    assert!(line.ends_with(" so far: 1 running"), "{line}");
}
