//! Questions as they come: JSON that nobody trusts. `PROTOCOL.txt` explains
//! each of them.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::protocol::bounded::parse_whole;
use crate::rules::Card;

/// The most bytes of a question. The longest holds a game with its variations.
pub const LONGEST_MESSAGE: usize = 1 << 18;

/// The most parts (numbers, strings, arrays, ...) of a question.
const MOST_PARTS: usize = 20_000;

/// A question and the number by which its answers are known.
#[derive(Debug)]
pub struct Message {
    pub id: u64,
    pub question: Question,
}

/// What a page can ask.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    Hello {},
    Look {
        position: String,
        #[serde(default)]
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
        who: Who,
        #[serde(default)]
        seed: u64,
    },
    Place {
        size: usize,
        #[serde(default)]
        cards: Option<[Card; 2]>,
        #[serde(default)]
        first: Option<[String; 2]>,
        who: Who,
        #[serde(default)]
        seed: u64,
    },
    Analyze {
        position: String,
        #[serde(default = "one")]
        lines: usize,
        seconds: f64,
        #[serde(default)]
        depth: Option<u32>,
    },
    Review {
        position: String,
        turns: Vec<String>,
        #[serde(default)]
        players: Option<[String; 2]>,
    },
    Puzzles {},
    Game {
        value: Value,
    },
    Record {
        position: String,
        tree: Vec<Branch>,
        players: [String; 2],
    },
    Svg {
        position: String,
        #[serde(default)]
        turn: Option<String>,
        #[serde(default)]
        players: Option<[String; 2]>,
    },
    Stop {
        what: u64,
    },
}

/// Who is to play or place.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// The engine at a level from 1 to 10.
    Level(u8),
    /// A program, by its place in the list of `hello`.
    Program(usize),
}

/// A turn of a game with variations: the place in the list of the turn that
/// it follows, the turn, and a comment. The first of the list stands for the
/// start of the game.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

const fn one() -> usize {
    1
}

/// How much work a question is, by which whoever carries it can ration it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Answered in some milliseconds.
    Quick,
    /// A search of about a second: somebody waits for a turn.
    Turn,
    /// A search that goes on for as long as it is looked at.
    Study,
}

impl Message {
    /// Reads a question.
    ///
    /// # Errors
    /// The answer that says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, Value> {
        if text.len() > LONGEST_MESSAGE {
            let (bytes, most) = (text.len(), LONGEST_MESSAGE);
            let why = format!("a message of {bytes} bytes; at most {most} are read");
            return Err(refusal(None, &why));
        }
        let parsed = parse_whole(text, MOST_PARTS);
        let value = parsed.map_err(|error| refusal(None, &format!("not JSON: {error}")))?;
        let Some(mut value) = value else {
            let why = format!("a message of more than {MOST_PARTS} parts");
            return Err(refusal(None, &why));
        };
        let id = value.get("id").and_then(Value::as_u64);
        let Some((id, question)) = id.zip(value.as_object_mut()) else {
            let why = "a message is an object with a number \"id\" and the name of what to \"do\"";
            return Err(refusal(None, why));
        };
        question.remove("id");
        match serde_json::from_value(value) {
            Ok(question) => Ok(Self { id, question }),
            Err(error) => Err(refusal(Some(id), &error.to_string())),
        }
    }

    /// How much work it is.
    pub const fn work(&self) -> Work {
        match self.question {
            Question::Play { .. } | Question::Place { .. } => Work::Turn,
            Question::Analyze { .. } | Question::Review { .. } => Work::Study,
            _ => Work::Quick,
        }
    }

    /// The number of the question that is to be stopped, if this asks for that.
    pub const fn stops(&self) -> Option<u64> {
        match self.question {
            Question::Stop { what } => Some(what),
            _ => None,
        }
    }

    /// The last answer to this question.
    pub fn answer(&self, result: Result<Value, String>) -> Value {
        match result {
            Ok(value) => json!({ "id": self.id, "ok": value }),
            Err(why) => refusal(Some(self.id), &why),
        }
    }

    /// An answer that is followed by others.
    pub fn part(&self, value: &Value) -> Value {
        json!({ "id": self.id, "part": value })
    }
}

/// The answer to a question that cannot be answered.
pub fn refusal(id: Option<u64>, why: &str) -> Value {
    json!({ "id": id, "error": why })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let refusal = Message::read(text).expect_err(text);
        refusal["error"].as_str().unwrap().to_string()
    }

    #[test]
    fn questions_are_read() {
        let message = Message::read(r#"{"id":7,"do":"look","position":"x"}"#).unwrap();
        assert_eq!((message.id, message.work()), (7, Work::Quick));
        assert!(matches!(
            message.question,
            Question::Look { turn: None, .. }
        ));
        let message =
            Message::read(r#"{"id":8,"do":"play","position":"x","who":{"level":3}}"#).unwrap();
        assert_eq!(message.work(), Work::Turn);
        let message = Message::read(r#"{"id":9,"do":"stop","what":8}"#).unwrap();
        assert_eq!(message.stops(), Some(8));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, words) in [
            ("", "not JSON"),
            ("{\"id\":1", "not JSON"),
            ("[]", "a number \"id\""),
            (r#"{"do":"hello"}"#, "a number \"id\""),
            (r#"{"id":-1,"do":"hello"}"#, "a number \"id\""),
            (r#"{"id":1}"#, "missing field `do`"),
            (
                r#"{"id":1,"do":"dance"}"#,
                "expected one of `hello`, `look`",
            ),
            (r#"{"id":1,"do":"look"}"#, "missing field `position`"),
            (r#"{"id":1,"do":"look","position":3}"#, "expected a string"),
            (r#"{"id":1,"do":"hello","more":3}"#, "unknown field `more`"),
            (
                r#"{"id":1,"do":"play","position":"","who":{"command":"sh"}}"#,
                "expected `level` or `program`",
            ),
        ] {
            let error = refused(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        let long = format!(
            r#"{{"id":1,"do":"read","text":"{}"}}"#,
            "x".repeat(LONGEST_MESSAGE)
        );
        assert!(refused(&long).contains("at most 262144 are read"));
        let wide = format!("[{}0]", "0,".repeat(MOST_PARTS));
        assert!(refused(&wide).contains("parts"));
        let deep = "[".repeat(10_000);
        assert!(refused(&deep).contains("not JSON"));
    }
}
