//! Starts the page's server and talks to it.

use std::net::TcpStream;

use santorini::http::TOKEN_VARIABLE;
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Request;
use tungstenite::{Message, WebSocket};

use crate::program::{HANG, Program, santorini};

/// A running server. It is killed when the value is dropped.
pub struct Server {
    pub program: Program,
    /// Its address and port.
    pub host: String,
    /// The end of the addresses: `?token=...`.
    pub query: String,
}

impl Server {
    /// Starts `santorini play --web` on a free port.
    pub fn start(options: &[&str]) -> Self {
        Self::start_with(None, options)
    }

    /// Like [`Self::start`], with a token from the environment.
    pub fn start_with(token: Option<&str>, options: &[&str]) -> Self {
        Self::start_at("127.0.0.1:0", token, options)
    }

    /// Like [`Self::start_with`], at an address and port.
    pub fn start_at(address: &str, token: Option<&str>, options: &[&str]) -> Self {
        let mut command = santorini(&["play", "--web", address]);
        command.args(options).env_remove(TOKEN_VARIABLE);
        command.envs(token.map(|token| (TOKEN_VARIABLE, token)));
        let program = Program::start(command);
        let line = program.notice("http://");
        let (_, address) = line.split_once("http://").unwrap();
        let (host, rest) = address.split_once('/').unwrap();
        Self {
            host: host.to_string(),
            query: rest.split(' ').next().unwrap().to_string(),
            program,
        }
    }

    /// The address of the page.
    pub fn page(&self) -> String {
        format!("http://{}/{}", self.host, self.query)
    }

    /// The request that opens a socket.
    pub fn request(&self) -> Request {
        let address = format!("ws://{}/socket{}", self.host, self.query);
        address.into_client_request().unwrap()
    }

    /// An open page without a browser.
    pub fn open(&self) -> Page {
        self.try_open(self.request()).expect("the page is let in")
    }

    /// Like [`Self::open`], with any request.
    pub fn try_open(&self, request: Request) -> Result<Page, String> {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        let opened = tungstenite::client(request, stream);
        let (socket, _) = opened.map_err(|error| error.to_string())?;
        Ok(Page { socket, asked: 0 })
    }
}

/// The socket of one page.
pub struct Page {
    socket: WebSocket<TcpStream>,
    asked: u64,
}

impl Page {
    /// Sends raw text.
    pub fn send(&mut self, text: &str) {
        // If the server has closed the socket, its answer says so.
        let _ = self.socket.send(Message::text(text));
    }

    /// The next text; `None` at the end.
    pub fn hear(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Sends a question. Returns its id.
    pub fn begin(&mut self, mut question: Value) -> u64 {
        self.asked += 1;
        question["id"] = json!(self.asked);
        self.send(&question.to_string());
        self.asked
    }

    /// The answer to a question. Skips partial and other answers.
    pub fn answer(&mut self, id: u64) -> Result<Value, String> {
        loop {
            let heard = self.hear().expect("the conversation goes on");
            if heard["id"] != id || heard.get("part").is_some() {
                continue;
            }
            return match heard.get("error") {
                Some(error) => Err(error.as_str().unwrap().to_string()),
                None => Ok(heard["ok"].clone()),
            };
        }
    }

    /// Asks a question.
    pub fn ask(&mut self, question: Value) -> Result<Value, String> {
        let id = self.begin(question);
        self.answer(id)
    }
}
