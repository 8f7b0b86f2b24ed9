//! Parses questions. Their JSON is not trusted. `PROTOCOL.txt` explains each of them.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::argument::parse_request;
use crate::protocol::bounded::parse_whole;
use crate::rules::Card;

/// The maximum bytes of a question. The longest contains a game with its variations.
pub const LONGEST_MESSAGE: usize = 1 << 18;

/// The maximum parts (numbers, strings, arrays, ...) of a question.
const MOST_PARTS: usize = 20_000;

/// A question, and the id that its answers repeat.
#[derive(Debug)]
pub struct PageMessage {
    /// The number that the page chose for the question.
    pub id: u64,
    /// What the page asks for.
    pub question: Question,
}

/// The start of a question, which is read even if the rest is refused.
#[derive(Deserialize)]
struct Head {
    id: u64,
    /// Refused if it is there twice.
    #[serde(rename = "do")]
    _command: Option<IgnoredAny>,
}

/// A question of a page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    Hello {},
    Look {
        position: String,
        turn: Option<String>,
    },
    Read {
        text: String,
    },
    Explain {
        position: String,
        turn: String,
    },
    Play {
        position: String,
        who: OpponentChoice,
        #[serde(default)]
        seed: u64,
    },
    Place(PlacementTask),
    Analyze {
        position: String,
        #[serde(default = "one")]
        lines: usize,
        seconds: f64,
        depth: Option<u32>,
    },
    Compare {
        position: String,
        seconds: f64,
        depth: Option<u32>,
    },
    Placements {
        cards: Option<[Card; 2]>,
        first: Option<[String; 2]>,
    },
    Review {
        position: String,
        turns: Vec<String>,
        players: Option<[String; 2]>,
    },
    Puzzles {},
    Game {
        value: Value,
    },
    Record {
        position: String,
        tree: Vec<TreeEntry>,
        players: [String; 2],
    },
    Svg {
        position: String,
        turn: Option<String>,
        players: Option<[String; 2]>,
    },
    Stop {
        what: u64,
    },
}

/// A request for a placement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacementTask {
    /// The rows of the board.
    pub size: usize,
    /// The cards of the first and the second player.
    pub cards: Option<[Card; 2]>,
    /// The first player's workers, if the second player is asked.
    pub first: Option<[String; 2]>,
    pub who: OpponentChoice,
    #[serde(default)]
    pub seed: u64,
}

/// The opponent that is to play or place.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpponentChoice {
    /// The engine at a level.
    Level(u64),
    /// A program, by its index in the list of `hello`.
    Program(usize),
}

/// An entry of a game with variations: the index of the entry before it, the turn, and a
/// comment. The first entry is the start of the game.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct TreeEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

const fn one() -> usize {
    1
}

/// How much work a question is, so that searches can be limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Answered within milliseconds.
    Quick,
    /// A search of about a second; a person waits for a turn.
    Turn,
    /// A search that runs as long as a person watches it.
    Study,
}

impl PageMessage {
    /// Parses a question.
    ///
    /// # Errors
    /// The answer that says what is wrong.
    pub fn read(text: &str) -> Result<Self, Value> {
        let head = serde_json::from_str::<Head>(text);
        let id = head.as_ref().ok().map(|head| head.id);
        if let Err(error) = head
            && error.to_string().starts_with("duplicate field")
        {
            return Err(refusal(
                None,
                "\"id\" and \"do\" may appear only once in a message",
            ));
        }
        let question = Self::question(text).map_err(|why| refusal(id, &why))?;
        match id {
            Some(id) => Ok(Self { id, question }),
            None => Err(refusal(None, &no_id())),
        }
    }

    /// The question of a text.
    fn question(text: &str) -> Result<Question, String> {
        if text.len() > LONGEST_MESSAGE {
            let (bytes, most) = (text.len(), LONGEST_MESSAGE);
            return Err(format!("a message of {bytes} bytes; the maximum is {most}"));
        }
        let value = parse_whole(text, MOST_PARTS).map_err(|error| {
            match error.to_string().strip_prefix("recursion limit exceeded") {
                Some(place) => format!("arrays and objects are nested too deeply{place}"),
                None => format!("not JSON: {error}"),
            }
        })?;
        let mut value =
            value.ok_or_else(|| format!("a message with more than {MOST_PARTS} parts"))?;
        let question = value.as_object_mut().ok_or_else(no_id)?;
        if !question.remove("id").is_some_and(|id| id.is_u64()) {
            return Err(no_id());
        }
        parse_request(value)
    }

    /// How much work the question is.
    pub const fn work(&self) -> Work {
        match self.question {
            Question::Play { .. } | Question::Place(_) => Work::Turn,
            Question::Analyze { .. } | Question::Compare { .. } | Question::Review { .. } => {
                Work::Study
            }
            _ => Work::Quick,
        }
    }

    /// The id of the question to stop, if this is a stop.
    pub const fn stops(&self) -> Option<u64> {
        match self.question {
            Question::Stop { what } => Some(what),
            _ => None,
        }
    }

    /// The final answer to this question.
    pub fn answer(&self, result: Result<Value, String>) -> Value {
        match result {
            Ok(value) => json!({ "id": self.id, "ok": value }),
            Err(why) => refusal(Some(self.id), &why),
        }
    }

    /// A partial answer.
    pub fn part(&self, value: &Value) -> Value {
        json!({ "id": self.id, "part": value })
    }
}

/// Why a message has no valid id.
fn no_id() -> String {
    format!(
        "a message must be an object with a number \"id\", a whole one from 0 to {}, and a \
         command \"do\"",
        u64::MAX
    )
}

/// An error as an answer.
pub(super) fn refusal(id: Option<u64>, why: &str) -> Value {
    json!({ "id": id, "error": why })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let refusal = PageMessage::read(text).expect_err(text);
        refusal["error"].as_str().unwrap().to_string()
    }

    #[test]
    fn questions_are_parsed() {
        let message = PageMessage::read(r#"{"id":7,"do":"look","position":"x"}"#).unwrap();
        assert_eq!((message.id, message.work()), (7, Work::Quick));
        assert!(matches!(
            message.question,
            Question::Look { turn: None, .. }
        ));
        let message =
            PageMessage::read(r#"{"id":8,"do":"play","position":"x","who":{"level":3}}"#).unwrap();
        assert_eq!(message.work(), Work::Turn);
        let message = PageMessage::read(r#"{"id":9,"do":"stop","what":8}"#).unwrap();
        assert_eq!(message.stops(), Some(8));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, words) in [
            ("", "not JSON"),
            ("{\"id\":1", "not JSON"),
            ("[]", "a number \"id\""),
            (r#"{"do":"hello"}"#, "a number \"id\""),
            (
                r#"{"id":-1,"do":"hello"}"#,
                "a number \"id\", a whole one from 0 to",
            ),
            (r#"{"id":1.5,"do":"hello"}"#, "a number \"id\""),
            (r#"{"id":1}"#, "missing argument `do`"),
            (
                r#"{"id":1,"do":"dance"}"#,
                "unknown name `dance`, expected one of `hello`, `look`, `read`",
            ),
            (r#"{"id":1,"do":"dance"}"#, "`svg`, `stop`"),
            (r#"{"id":1,"do":"\u001b"}"#, r"unknown name `\u{1b}`"),
            (r#"{"id":1,"do":"look"}"#, "missing argument `position`"),
            (
                r#"{"id":1,"do":"svg","position":"","tree":[]}"#,
                "unknown argument `tree`, expected one of `position`, `turn`, `players`",
            ),
            (
                r#"{"id":1,"do":"look","position":3}"#,
                "position must be a string, not 3",
            ),
            (
                r#"{"id":1,"do":"hello","more":3}"#,
                "unknown argument `more`; this command has no arguments",
            ),
            (r#"{"id":1,"id":2,"do":"hello"}"#, "only once"),
            (r#"{"id":1,"do":"hello","do":"puzzles"}"#, "only once"),
            (
                r#"{"id":1,"do":"play","position":"","who":{"command":"sh"}}"#,
                r#"who must be {"level":3} or {"program":0}, not {"command":"sh"}"#,
            ),
            (
                r#"{"id":1,"do":"placements","cards":["Pan"]}"#,
                "cards must be two cards like [\"Pan\",\"Atlas\"], not [\"Pan\"]",
            ),
        ] {
            let error = refused(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        let long = format!(
            r#"{{"id":1,"do":"read","text":"{}"}}"#,
            "x".repeat(LONGEST_MESSAGE)
        );
        assert!(refused(&long).contains("the maximum is 262144"));
        let wide = format!("[{}0]", "0,".repeat(MOST_PARTS));
        assert!(refused(&wide).contains("parts"));
        let deep = "[".repeat(10_000);
        assert!(refused(&deep).contains("nested too deeply at line 1"));
        let loud = format!(r#"{{"id":1,"do":"{}"}}"#, "x".repeat(100_000));
        assert!(refused(&loud).len() < 300);
    }

    #[test]
    fn every_command_is_documented_queued_and_strict() {
        let position = "00000/00000/00000/00000/00000 c2c4 b3d3 0";
        let who = json!({ "level": 3 });
        let mut long = Vec::new();
        for question in [
            json!({ "do": "hello" }),
            json!({ "do": "look", "position": position }),
            json!({ "do": "read", "text": "" }),
            json!({ "do": "explain", "position": position, "turn": "" }),
            json!({ "do": "play", "position": position, "who": who }),
            json!({ "do": "place", "size": 5, "who": who }),
            json!({ "do": "analyze", "position": position, "seconds": 1 }),
            json!({ "do": "compare", "position": position, "seconds": 1 }),
            json!({ "do": "placements" }),
            json!({ "do": "review", "position": position, "turns": [] }),
            json!({ "do": "puzzles" }),
            json!({ "do": "game", "value": null }),
            json!({ "do": "record", "position": position, "tree": [], "players": ["a", "b"] }),
            json!({ "do": "svg", "position": position }),
            json!({ "do": "stop", "what": 1 }),
        ] {
            let mut given = question.clone();
            given["id"] = 1.into();
            let message = PageMessage::read(&given.to_string()).unwrap();
            given["more"] = 1.into();
            let error = refused(&given.to_string());
            assert!(
                error.contains("unknown argument `more`"),
                "{question}: {error}"
            );
            let command = question["do"].as_str().unwrap();
            let protocol = include_str!("PROTOCOL.txt");
            assert!(protocol.contains(&format!("\n  {command} ")), "{command}");
            if message.work() == Work::Study {
                long.push(command.to_string());
            }
        }
        // The engine in the browser asks them apart, too.
        let script = include_str!("../../wasm/link.js");
        let listed = format!("{}.includes(question.do)", json!(long)).replace(',', ", ");
        assert!(script.contains(&listed), "{listed}");
    }

    #[test]
    fn an_error_about_any_part_of_a_question_has_its_id() {
        let deep = "[".repeat(500) + &"]".repeat(500);
        let wide = format!("[{}0]", "0,".repeat(MOST_PARTS));
        for value in [
            deep,
            wide,
            r#""\ud83d""#.into(),
            " ".repeat(LONGEST_MESSAGE) + "0",
        ] {
            let text = format!(r#"{{"id":7,"do":"game","value":{value}}}"#);
            assert_eq!(PageMessage::read(&text).unwrap_err()["id"], 7, "{text}");
        }
    }

    #[test]
    fn a_wrong_argument_is_named_with_what_it_must_be() {
        for (question, words) in [
            (
                r#""analyze","position":"","seconds":1,"lines":-1"#,
                "lines must be a whole number from 1 to 8, not -1",
            ),
            (
                r#""analyze","position":"","seconds":1,"lines":1e9"#,
                "lines must be a whole number from 1 to 8, not 1000000000.0",
            ),
            (
                r#""analyze","position":"","seconds":1,"depth":4294967296"#,
                "depth must be a whole number from 1 to 4294967295",
            ),
            (
                r#""compare","position":"","seconds":"1""#,
                "seconds must be a number above 0, at most 300, not \"1\"",
            ),
            (
                r#""play","position":"","who":{"level":3},"seed":-1"#,
                "seed must be a whole number from 0",
            ),
            (
                r#""play","position":"","who":{"level":"3"}"#,
                "who must be {\"level\":3} or",
            ),
            (
                r#""place","who":{"level":3},"size":"5""#,
                "size must be 5 or 6, not \"5\"",
            ),
            (
                r#""place","who":{"level":3},"size":5,"first":["a1"]"#,
                "first must be two spaces like [\"c2\",\"c4\"], not [\"a1\"]",
            ),
            (
                r#""placements","cards":"Pan""#,
                "cards must be two cards like [\"Pan\",\"Atlas\"], not \"Pan\"",
            ),
            (
                r#""record","position":"","players":["a","b"],"tree":[{"after":-1}]"#,
                r#"entry 0 of tree must be like {"after":0,"turn":"c3-c4+b4","comment":"!"}, not {"after":-1}"#,
            ),
            (
                r#""record","position":"","players":["a","b"],"tree":[{},{"x":1}]"#,
                r#"entry 1 of tree must be like {"after":0"#,
            ),
            (
                r#""record","position":"","players":["a","b"],"tree":{}"#,
                "tree must be a list of entries like {\"after\":0",
            ),
            (
                r#""review","position":"","turns":"a1-a2+a1""#,
                "turns must be a list of turns like",
            ),
            (
                r#""stop","what":null"#,
                "what must be a whole number from 0",
            ),
            ("3", "do must be the name of a command, not 3"),
        ] {
            let text = format!("{{\"id\":1,\"do\":{question}}}");
            let error = refused(&text);
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
