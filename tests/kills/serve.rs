//! A tournament of bots that reconnect whenever they lose the server. Their choices are random
//! but the same in the same state, so each game can be replayed without a server.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::bot::{ServerMessage, Strategy};
use santorini::protocol::tcp::Answer;
use santorini::record::GameRecord;
use santorini::server::Game;
use serde_json::json;

use super::{Work, assert_each_once};
use crate::program::{HANG, santorini};

const BOTS: [&str; 4] = ["ann", "bob", "cid", "dot"];
const ROUNDS: usize = 10;
/// All pairings in all rounds.
const GAMES: usize = ROUNDS * BOTS.len() * (BOTS.len() - 1) / 2;

pub struct Serve {
    folder: tempfile::TempDir,
    address: SocketAddr,
    over: Arc<AtomicBool>,
    bots: [JoinHandle<()>; BOTS.len()],
}

impl Work for Serve {
    fn new(_: &mut Xoshiro256PlusPlus) -> Self {
        // A port that is free now, and most likely stays free.
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        let over = Arc::new(AtomicBool::new(false));
        Self {
            folder: tempfile::tempdir().unwrap(),
            address,
            bots: BOTS.map(|name| bot(name, address, over.clone())),
            over,
        }
    }

    fn command(&self) -> Command {
        let mut command = santorini(&["serve", "--resume", "--answer-time", "60"]);
        command
            .args(["--bots", &BOTS.len().to_string()])
            .args(["--rounds", &ROUNDS.to_string()])
            .args(["--listen", &self.address.to_string()])
            .arg("--results")
            .arg(self.file());
        command
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("results.jsonl")
    }

    fn check(self, games: Vec<GameRecord>, table: &str) {
        self.over.store(true, Ordering::Relaxed);
        for bot in self.bots {
            bot.join().unwrap();
        }
        assert_each_once(&games, GAMES as u64);
        for record in &games {
            let [first, second] = &record.players;
            let game = play_alone([first, second]);
            let answers: Vec<String> = game.answers().iter().map(Answer::to_string).collect();
            assert_eq!(record.more["answers"], json!(answers));
            let winner = game.outcome().unwrap().winner;
            assert_eq!(record.winner.map(usize::from), winner);
        }
        for name in BOTS {
            let points: f64 = games.iter().map(|game| points(game, name)).sum();
            let row = table.lines().find(|row| row.contains(name)).unwrap();
            let has_points = row
                .split_whitespace()
                .any(|word| word == points.to_string());
            assert!(has_points, "{name} has {points}:\n{table}");
        }
    }
}

fn points(game: &GameRecord, name: &str) -> f64 {
    let seat = game.players.iter().position(|player| player == name);
    seat.map_or(0.0, |seat| game.points(seat))
}

/// A bot that plays until the tournament is over.
fn bot(name: &'static str, address: SocketAddr, over: Arc<AtomicBool>) -> JoinHandle<()> {
    spawn(move || {
        while !over.load(Ordering::Relaxed) {
            // An error means that the server is down; it will return.
            let _ = play(name, address);
            sleep(Duration::from_millis(5));
        }
    })
}

/// Plays on a server until the connection ends.
fn play(name: &str, address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(HANG))?;
    stream.set_nodelay(true)?;
    writeln!(stream, "{name}")?;
    let mut player = Player::default();
    for line in BufReader::new(stream.try_clone()?).lines() {
        if let Some(answer) = player.answer(&line?, name) {
            writeln!(stream, "{answer}")?;
        }
    }
    Ok(())
}

/// Plays the game of two bots without a server.
fn play_alone(names: [&str; 2]) -> Game {
    let mut players = [Player::default(), Player::default()];
    let mut game = Game::new();
    while let Some(seat) = game.to_answer() {
        let line = game.state(names).line();
        let answer = players[seat].answer(&line, names[seat]);
        game.answer(seat, answer.unwrap()).unwrap();
    }
    game
}

/// Chooses the answers of a bot.
#[derive(Default)]
struct Player {
    /// The strategy of the last move, which knows its build.
    strategy: Option<Strategy>,
}

impl Player {
    /// The answer to a line of the server, if it needs one.
    fn answer(&mut self, line: &str, name: &str) -> Option<Answer> {
        let ServerMessage::State(seen) = ServerMessage::read(line, name).unwrap() else {
            return None;
        };
        if !seen.named {
            return None;
        }
        if !line.starts_with("[\"build\"") {
            let mut hasher = DefaultHasher::new();
            line.trim_end().hash(&mut hasher);
            self.strategy = Some(Strategy::random(Some(hasher.finish())));
        }
        self.strategy.as_mut()?.answer(&seen).unwrap()
    }
}
