//! The lines of the tournament protocol: names, states, answers, remarks.
//!
//! Everything here is a pure function of its arguments; nothing waits or sends. TCP.txt
//! describes the same for authors of bots.

use std::fmt;

use serde_json::json;

use crate::printable::{self, is_printable, printable};
use crate::rules::Square;

/// The number of spaces in a row of the board.
pub const SIZE: usize = 6;

/// The maximum length of a name, in characters.
const LONGEST_NAME: usize = 32;

/// The name that stands for "no winner" at the end of a game.
pub const DRAW: &str = "Draw";

/// The beginnings of remarks that bots understand. No name may begin like this.
pub const FINAL_TABLE: &str = "final table: ";
const TRY_AGAIN: &str = "try again: ";

/// The end of the last remark to a bot that may reconnect.
pub const COME_AGAIN: &str = "connect again to go on";

/// The end of the last remark on a connection that the server has no room for now.
pub const TRY_LATER: &str = "try again in a minute";

/// A valid name of a bot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BotName(String);

/// Why a line is not the name of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The bytes are not UTF-8.
    #[error("your first line is not UTF-8 text; send your name, 1 to {LONGEST_NAME} characters")]
    NotText,
    /// The line exceeds the buffer, so the name was never complete.
    #[error("your first line is far too long; a name has 1 to {LONGEST_NAME} characters")]
    TooLong,
    /// A browser or another HTTP client connected.
    #[error("this port is for bots, not for HTTP")]
    Http,
    /// The number of characters is 0 or over the limit.
    #[error("the name has {0} characters; send one of 1 to {LONGEST_NAME}")]
    Length(usize),
    /// A character, such as a control code, has no glyph.
    #[error("the name holds '{}', which cannot be printed", printable(&.0.to_string()))]
    NotPrintable(char),
    /// A stacked accent, or U+FFFD, which stands for text that could not be decoded.
    #[error("the name holds {}, {why}", .sign.escape_unicode())]
    BadSign {
        /// The character.
        sign: char,
        /// What it is, and what to send instead.
        why: &'static str,
    },
    /// There is a space before or after the name, or two spaces would look like one.
    #[error("the name begins or ends with a space, or has two spaces in a row")]
    Spaces,
    /// The name is the server's word for a game without a winner.
    #[error("the name {DRAW} is reserved for games without a winner")]
    Draw,
    /// The prefix would make the name look like a remark.
    #[error("the name begins with {0:?}, which is reserved for remarks of the server")]
    Remark(&'static str),
}

impl BotName {
    /// Reads a bot's first line, without its end.
    ///
    /// # Errors
    /// If it is not 1 to 32 printable characters, has stacked accents, has a space at
    /// an end or two in a row, is `Draw`, begins like a remark, or is the first line of an HTTP request.
    pub fn parse(line: &[u8]) -> Result<Self, NameError> {
        let text = std::str::from_utf8(line).map_err(|_| NameError::NotText)?;
        if text.contains(" HTTP/") {
            return Err(NameError::Http);
        }
        let length = text.chars().count();
        if !(1..=LONGEST_NAME).contains(&length) {
            return Err(NameError::Length(length));
        }
        if let Some(bad) = text.chars().find(|&c| !is_printable(c)) {
            return Err(NameError::NotPrintable(bad));
        }
        if text.contains('\u{fffd}') {
            let why = "the sign for text that is not UTF-8; check the locale of your bot";
            let sign = '\u{fffd}';
            return Err(NameError::BadSign { sign, why });
        }
        if let Some(sign) = stacked_mark(text) {
            let why = "an accent without a letter, or above other accents";
            return Err(NameError::BadSign { sign, why });
        }
        if text.starts_with(' ') || text.ends_with(' ') || text.contains("  ") {
            return Err(NameError::Spaces);
        }
        if text == DRAW {
            return Err(NameError::Draw);
        }
        if let Some(beginning) = [FINAL_TABLE, TRY_AGAIN]
            .into_iter()
            .find(|it| text.starts_with(it))
        {
            return Err(NameError::Remark(beginning));
        }
        Ok(Self(text.to_string()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An accent that combines with no letter, or is the third one of a letter: it would draw over
/// other text.
fn stacked_mark(text: &str) -> Option<char> {
    // How many more accents the last letter may have.
    let mut left = 0;
    text.chars().find(|&character| {
        left = match character {
            ' ' => 0,
            _ if !is_combining(character) => MOST_ACCENTS,
            _ if left == 0 => return true,
            _ => left - 1,
        };
        false
    })
}

/// The maximum number of combining accents of a letter.
const MOST_ACCENTS: u32 = 2;

/// Whether a character is in a Unicode block of accents that combine with the character before.
const fn is_combining(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

impl fmt::Display for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What the server waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// A bot is to place its next worker.
    PlaceWorker,
    /// A bot is to move one of its workers.
    MoveWorker,
    /// The bot that has just moved is to build.
    Build,
    /// The game has ended; no answer is expected.
    GameOver,
}

impl Status {
    /// The status as a word of the protocol.
    pub const fn word(self) -> &'static str {
        match self {
            Self::PlaceWorker => "placeWorker",
            Self::MoveWorker => "moveWorker",
            Self::Build => "build",
            Self::GameOver => "gameOver",
        }
    }

    /// The status with the given word; `None` if there is none.
    pub fn from_word(word: &str) -> Option<Self> {
        [
            Self::PlaceWorker,
            Self::MoveWorker,
            Self::Build,
            Self::GameOver,
        ]
        .into_iter()
        .find(|status| status.word() == word)
    }
}

/// A bot's answer to a state that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// `x y`: the space to place a worker or to build on.
    Space(Square),
    /// `w x y`: the worker to move, counted from 0 here and from 1 in the protocol, and the
    /// space to move to.
    Move {
        /// The number of the worker, 0 or 1.
        worker: u8,
        /// The space to move to.
        to: Square,
    },
}

/// A line that is not an answer to the state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, got {got}")]
pub struct AnswerError {
    expected: &'static str,
    got: String,
}

impl AnswerError {
    /// The error for a line that is longer than `limit` bytes.
    pub fn too_long(status: Status, limit: usize) -> Self {
        Self {
            expected: expected(status),
            got: format!("a line of more than {limit} bytes"),
        }
    }
}

const fn expected(status: Status) -> &'static str {
    match status {
        Status::MoveWorker => {
            "three numbers `w x y`: your worker (1 or 2), then the column and the row (0 to 5)"
        }
        _ => "two numbers `x y`: the column and the row (0 to 5)",
    }
}

impl Answer {
    /// Reads the answer to a state of the given status.
    ///
    /// # Errors
    /// If the line does not have the form for the status.
    pub fn parse(status: Status, line: &[u8]) -> Result<Self, AnswerError> {
        Self::read(status, line).ok_or_else(|| AnswerError {
            expected: expected(status),
            got: excerpt(line),
        })
    }

    fn read(status: Status, line: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(line).ok()?;
        let words: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
        match (status, words.as_slice()) {
            (Status::MoveWorker, &[w, x, y]) => Some(Self::Move {
                worker: number(w).filter(|w| (1..=2).contains(w))? - 1,
                to: space(x, y)?,
            }),
            (Status::PlaceWorker | Status::Build, &[x, y]) => Some(Self::Space(space(x, y)?)),
            _ => None,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Space(square) => write!(f, "{}", Spot(square)),
            Self::Move { worker, to } => write!(f, "{} {}", worker + 1, Spot(to)),
        }
    }
}

/// One decimal digit; `+1` and `01` are not accepted.
fn number(word: &str) -> Option<u8> {
    match *word.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    }
}

fn space(x: &str, y: &str) -> Option<Square> {
    let (x, y) = (usize::from(number(x)?), usize::from(number(y)?));
    (x < SIZE && y < SIZE).then(|| Square::at::<SIZE>(y, x))
}

/// A square as the protocol writes it: the column, then the row, from 0.
pub struct Spot(pub Square);

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(square) = self;
        write!(f, "{} {}", square.column::<SIZE>(), square.row::<SIZE>())
    }
}

/// The beginning of a line, for remarks.
fn excerpt(line: &[u8]) -> String {
    const SHOWN: usize = 40;
    // A character has at most 4 bytes.
    let line = &line[..line.len().min(4 * SHOWN + 4)];
    format!(
        "{:?}",
        printable::excerpt(&String::from_utf8_lossy(line), SHOWN)
    )
}

/// The content of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State<'a> {
    /// What kind of answer is expected next.
    pub status: Status,
    /// The bot that is to answer; at the end the winner or [`DRAW`].
    pub turn: &'a str,
    /// The levels, 0 to 4, by row and column.
    pub floors: [[u8; SIZE]; SIZE],
    /// The bots in the order of play.
    pub names: [&'a str; 2],
    /// Worker 1 and worker 2 of each bot; `None` until placed.
    pub workers: [[Option<Square>; 2]; 2],
}

impl State<'_> {
    /// The state as one line, with its newline.
    pub fn line(&self) -> String {
        let bot = |bot: usize| {
            let placed = self.workers[bot].into_iter().flatten();
            let xy = placed.flat_map(|at| [at.column::<SIZE>(), at.row::<SIZE>()]);
            (self.names[bot], xy.collect::<Vec<_>>())
        };
        let state = (self.status.word(), self.turn, self.floors, bot(0), bot(1));
        serde_json::to_string(&state).expect("texts and numbers are JSON") + "\n"
    }
}

/// A message for a person: one JSON string on a line.
pub fn remark(text: &str) -> String {
    format!("{}\n", json!(text))
}

/// The remark on an illegal answer.
pub fn try_again(why: &dyn fmt::Display) -> String {
    remark(&format!("{TRY_AGAIN}{why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_names_are_accepted() {
        for name in [
            "a",
            "Draw 2",
            "é",
            "e\u{301}",
            "日本語",
            "quo\"te's\\",
            &"x".repeat(32),
        ] {
            assert_eq!(BotName::parse(name.as_bytes()).unwrap().as_str(), name);
        }
    }

    #[test]
    fn other_names_are_refused_with_the_reason() {
        let long = "é".repeat(33);
        for (line, why) in [
            (&b""[..], "0 characters"),
            (long.as_bytes(), "33 characters"),
            (b"a\xffb", "UTF-8"),
            (b"a\tb", r"'\t'"),
            (b"a\0", r"'\0'"),
            ("a\u{202e}b".as_bytes(), r"\u{202e}"),
            ("b\u{34f}ob".as_bytes(), r"'\u{34f}'"),
            ("\u{3164}".as_bytes(), r"'\u{3164}'"),
            ("\u{301}".as_bytes(), r"\u{301}, an accent without a letter"),
            (
                "a \u{301}".as_bytes(),
                r"\u{301}, an accent without a letter",
            ),
            ("e\u{301}\u{302}\u{303}".as_bytes(), r"\u{303}, an accent"),
            (
                "j\u{fffd}va".as_bytes(),
                r"\u{fffd}, the sign for text that is not UTF-8",
            ),
            (b" a", "space"),
            (b"a ", "space"),
            (b"Draw", "reserved"),
            (b"final table: 1. me", "remarks of the server"),
            (b"try again: ", "a space"),
            (b"try again: me", "remarks of the server"),
            (b"GET / HTTP/1.1", "for bots, not for HTTP"),
            (b"GET /?token=0123456789abcdef HTTP/1.1", "not for HTTP"),
        ] {
            let error = BotName::parse(line).unwrap_err().to_string();
            assert!(error.contains(why), "{line:?}: {error}");
        }
    }

    #[test]
    fn answers_read_back() {
        for (status, text) in [
            (Status::PlaceWorker, "0 5"),
            (Status::Build, "5 0"),
            (Status::MoveWorker, "1 2 3"),
            (Status::MoveWorker, "2 5 5"),
        ] {
            let answer = Answer::parse(status, text.as_bytes()).unwrap();
            assert_eq!(answer.to_string(), text);
        }
        let loose = Answer::parse(Status::Build, b"  1\t2  ").unwrap();
        assert_eq!(loose.to_string(), "1 2");
        assert_eq!(loose, Answer::Space(Square::at::<6>(2, 1)));
    }

    #[test]
    fn other_lines_are_not_answers() {
        for line in [
            "", "1", "1 2 3", "6 0", "0 6", "-1 0", "+1 0", "01 0", "a b", "1,2", "[1,2]",
        ] {
            assert!(
                Answer::parse(Status::Build, line.as_bytes()).is_err(),
                "{line}"
            );
        }
        for line in ["1 2", "0 1 1", "3 1 1", "1 6 1", "1 1 1 1", "w 1 1"] {
            assert!(
                Answer::parse(Status::MoveWorker, line.as_bytes()).is_err(),
                "{line}"
            );
        }
        let error = Answer::parse(Status::Build, &[b'x'; 900]).unwrap_err();
        assert!(error.to_string().len() < 200, "{error}");
        let error = Answer::parse(Status::Build, b"\xff\0\n").unwrap_err();
        assert!(error.to_string().is_ascii() || error.to_string().contains('\u{fffd}'));
    }

    #[test]
    fn a_state_is_one_line_of_json() {
        let mut state = State {
            status: Status::PlaceWorker,
            turn: "b\"",
            floors: [[0; 6]; 6],
            names: ["a", "b\""],
            workers: [[Some(Square::at::<6>(3, 2)), None], [None, None]],
        };
        state.floors[1][4] = 3;
        assert_eq!(
            state.line(),
            "[\"placeWorker\",\"b\\\"\",[[0,0,0,0,0,0],[0,0,0,0,3,0],[0,0,0,0,0,0],\
             [0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0]],[\"a\",[2,3]],[\"b\\\"\",[]]]\n"
        );
        assert!(serde_json::from_str::<serde_json::Value>(&state.line()).is_ok());
    }

    #[test]
    fn a_remark_is_one_json_string() {
        let line = try_again(&"a\nb\"\u{7}");
        assert_eq!(line, "\"try again: a\\nb\\\"\\u0007\"\n");
    }
}
