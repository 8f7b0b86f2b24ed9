//! Starts the server and talks to it like a bot.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::{JoinHandle, spawn};

use santorini::bot::{ServerMessage, Strategy};
use santorini::http::TOKEN_VARIABLE;
use santorini::record::{GameRecord, read_games};
use socket2::{Domain, Socket, Type};
use tempfile::TempDir;

use crate::program::{HANG, Program, santorini, wait_until};

/// A running server. It is killed when the value is dropped.
pub struct Server {
    pub program: Program,
    /// Where bots connect.
    pub address: SocketAddr,
    /// The complete address of the page, if requested.
    pub page: Option<String>,
    pub results: PathBuf,
    folder: TempDir,
}

impl Server {
    /// Starts `santorini serve` on a free port with a new results file.
    pub fn start(options: &[&str]) -> Self {
        Self::listening("127.0.0.1:0", options)
    }

    /// Like [`Self::start`], listening on this address.
    pub fn listening(listen: &str, options: &[&str]) -> Self {
        Self::start_new(santorini(&[]), listen, options)
    }

    /// Like [`Self::start`], with a line on standard error for each game.
    pub fn start_with_progress(options: &[&str]) -> Self {
        Self::start_new(with_progress(), "127.0.0.1:0", options)
    }

    /// Like [`Self::start`], by this command, to which the arguments are added.
    pub fn start_new(command: Command, listen: &str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("results.jsonl");
        Self::start_at(command, listen, folder, results, options)
    }

    /// Restarts the server at the same address with the same results.
    pub fn restart(self, options: &[&str]) -> Self {
        self.restart_as(santorini(&[]), options)
    }

    /// Like [`Self::restart`], by this command, to which the arguments are added.
    pub fn restart_as(self, command: Command, options: &[&str]) -> Self {
        let address = self.address.to_string();
        let results = self.results.clone();
        let options: Vec<&str> = options.iter().copied().chain(["--resume"]).collect();
        // Like `kill -9`; the results file stays.
        drop(self.program);
        Self::start_at(command, &address, self.folder, results, &options)
    }

    fn start_at(
        mut command: Command,
        listen: &str,
        folder: TempDir,
        results: PathBuf,
        options: &[&str],
    ) -> Self {
        command.args(["serve", "--listen", listen, "--results"]);
        command.arg(&results).args(options);
        command.env_remove(TOKEN_VARIABLE);
        let program = Program::start(command);
        let last_word = |text| {
            let line = program.notice(text);
            line.rsplit(' ').next().unwrap().to_string()
        };
        Self {
            address: last_word("bots connect to ").parse().unwrap(),
            page: options.contains(&"--watch").then(|| last_word("watch at ")),
            program,
            results,
            folder,
        }
    }

    /// Waits for a line on standard error that contains the text.
    pub fn notice(&self, text: &str) -> String {
        self.program.notice(text)
    }

    /// The records of finished games.
    pub fn games(&self) -> Vec<GameRecord> {
        // A copy does not grow while it is read.
        let copy = self.results.with_extension("copy");
        std::fs::copy(&self.results, &copy).unwrap();
        read_games(&copy).unwrap()
    }

    /// Waits for a game between these two to end. Returns its record.
    pub fn game_of(&self, a: &str, b: &str) -> GameRecord {
        let mut found = None;
        wait_until(&format!("the game of {a} and {b}"), || {
            let mut games = self.games().into_iter();
            found = games.find(|game| {
                let players = &game.players;
                players.contains(&a.to_string()) && players.contains(&b.to_string())
            });
            found.is_some()
        });
        found.unwrap()
    }

    /// Waits for the server to exit. Returns its exit code and output.
    pub fn end(self) -> (Option<i32>, String) {
        let ended = self.program.end();
        (ended.code, ended.output.join("\n"))
    }

    /// A bot that has connected and sent nothing yet.
    pub fn connect(&self) -> Bot {
        Bot::new(TcpStream::connect(self.address).unwrap())
    }

    /// Like [`Self::connect`], with a small receive buffer, which fills up quickly.
    pub fn connect_narrow(&self) -> Bot {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        socket.connect(&self.address.into()).unwrap();
        Bot::new(socket.into())
    }

    /// Starts the real bot program and waits until it has a seat.
    pub fn program(&self, name: &str, options: &[&str]) -> Child {
        let child = santorini(&["bot", "--name", name, "--connect"])
            .arg(self.address.to_string())
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.notice(&format!("{name} is here"));
        child
    }

    /// A bot that has a seat.
    pub fn enter(&self, name: &str) -> Bot {
        let mut bot = self.connect();
        bot.name = name.to_string();
        bot.say(name);
        self.notice(&format!("{name} is here"));
        bot
    }

    /// Well-behaved bots that play at random until the final table.
    pub fn decent(&self, names: &[&str]) -> Vec<JoinHandle<String>> {
        let enter = |name: &&str| {
            let bot = self.enter(name);
            spawn(move || bot.play())
        };
        names.iter().map(enter).collect()
    }
}

/// The command of the program, with a line on standard error for each step.
pub fn with_progress() -> Command {
    let mut command = santorini(&[]);
    command.env("SANTORINI_PROGRESS", "0");
    command
}

/// A connection from the address 127.0.0.`from`.
pub fn connect_from(from: u8, to: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    let from = SocketAddr::from(([127, 0, 0, from], 0));
    socket.bind(&from.into()).unwrap();
    socket.connect(&to.into()).unwrap();
    socket.into()
}

/// The points of a bot.
pub fn points(games: &[GameRecord], name: &str) -> f64 {
    let points = games.iter().map(|game| {
        let seat = game.players.iter().position(|player| player == name);
        seat.map_or(0.0, |seat| game.points(seat))
    });
    points.sum()
}

/// One bot's connection.
pub struct Bot {
    pub name: String,
    pub stream: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Bot {
    pub fn new(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        Self {
            name: String::new(),
            stream,
            lines,
        }
    }

    /// Sends raw bytes.
    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    /// The next raw line with its end; empty at the end of the connection.
    pub fn hear(&mut self) -> String {
        let mut line = String::new();
        // A reset is an end too.
        let _ = self.lines.read_line(&mut line);
        line
    }

    /// The next line, which must be a remark that contains the text.
    pub fn hear_remark(&mut self, text: &str) {
        let line = self.hear();
        assert!(
            line.starts_with('"') && line.contains(text),
            "{text:?}: {line:?}"
        );
    }

    /// The next line, which must be a state with this status and turn.
    pub fn hear_state(&mut self, status: &str, turn: &str) -> String {
        let line = self.hear();
        let start = format!("[\"{status}\",\"{turn}\",");
        assert!(line.starts_with(&start), "{start}: {line:?}");
        line
    }

    /// Skips to the next state that asks this bot for an answer.
    pub fn hear_turn(&mut self) -> String {
        let name = self.name.clone();
        self.hear_until(|line| {
            let state: serde_json::Value = serde_json::from_str(line).unwrap();
            state[0] != "gameOver" && state[1] == name.as_str()
        })
    }

    /// Skips to a matching line.
    pub fn hear_until(&mut self, mut wanted: impl FnMut(&str) -> bool) -> String {
        loop {
            let line = self.hear();
            assert!(!line.is_empty(), "{}: the connection ended", self.name);
            if wanted(&line) {
                return line;
            }
        }
    }

    /// Plays legal random turns to the end. Returns the final table.
    pub fn play(mut self) -> String {
        let mut strategy = Strategy::random(Some(self.name.len() as u64));
        loop {
            let line = self.hear();
            assert!(!line.is_empty(), "{}: the connection ended", self.name);
            match ServerMessage::read(&line, &self.name).unwrap() {
                ServerMessage::Remark(table) if table.starts_with("final table") => return table,
                ServerMessage::Remark(_) => {}
                ServerMessage::State(seen) if seen.named => {
                    if let Some(answer) = strategy.answer(&seen).unwrap() {
                        self.say(&answer.to_string());
                    }
                }
                ServerMessage::State(_) => {}
            }
        }
    }
}
