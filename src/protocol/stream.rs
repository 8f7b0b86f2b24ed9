//! JSON values out of a stream of bytes: each as soon as its closing bracket
//! is there, whatever the white space and however the stream is cut.
//!
//! [`Framer`] does no input or output, so it can serve a reader with
//! deadlines; [`ValueReader`] puts it on top of anything that can be read.
//!
//! What is not a value is bad input, and costs as little as can be:
//!
//! - Text that is not JSON is given up to the end of the line on which it
//!   began: what stands on later lines is read afresh, even if for a while it
//!   looked like a part of a value begun earlier.
//! - A value that is too long is passed over to its end, one that is too deep
//!   to its end or that of the line.
//! - A number, string or word by itself is passed over: messages are arrays
//!   and objects.
//!
//! Text once reported as bad is not reported a second time.

use std::fmt;
use std::io::{self, Read};

use serde_json::Value;

use super::excerpt;
use super::scanner::{DEEPEST, Scanner, Step, is_space};

/// The most bytes that one value may have.
pub const LONGEST: usize = 1 << 20;

/// A place in the stream, counted from 1 as editors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: u64,
    /// In characters.
    pub column: u64,
}

impl Place {
    const START: Self = Self { line: 1, column: 1 };

    /// Goes on behind a byte.
    fn pass(&mut self, byte: u8) {
        let continues_a_character = byte & 0xc0 == 0x80;
        if byte == b'\n' {
            self.line += 1;
            self.column = 1;
        } else if !continues_a_character {
            self.column += 1;
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// An array or object found in the stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Framed {
    pub value: Value,
    /// Where it begins.
    pub at: Place,
}

/// Something in the stream that is no array or object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {fault}")]
pub struct BadInput {
    /// Where the value begins, or, for text that is not JSON, its first wrong
    /// character.
    pub at: Place,
    pub fault: Fault,
}

/// What is wrong with bad input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("not JSON: expected {expected}, found {found}")]
    NotJson {
        expected: &'static str,
        found: String,
    },
    #[error("not JSON: the input ends inside a value")]
    Unfinished,
    #[error("not JSON: {0}")]
    Unreadable(String),
    #[error("expected an array or an object, found {0}")]
    Bare(String),
    #[error("a value of more than {LONGEST} bytes")]
    TooLong,
    #[error("a value nested more than {DEEPEST} deep")]
    TooDeep,
}

/// Finds the values in bytes that are handed to it piece by piece.
///
/// ```
/// use santorini::protocol::stream::Framer;
/// let mut framer = Framer::new();
/// framer.push(b"[1,2] {\"a\":");
/// assert_eq!(framer.take().unwrap().unwrap().value, serde_json::json!([1, 2]));
/// assert!(framer.take().is_none());
/// framer.push(b"3}");
/// assert_eq!(framer.take().unwrap().unwrap().value["a"], 3);
/// ```
#[derive(Debug)]
pub struct Framer {
    /// Bytes handed over and not yet done with.
    bytes: Vec<u8>,
    /// Where the value being read begins in `bytes`; all before is done with.
    start: usize,
    /// The next byte to look at.
    next: usize,
    /// The places of `start` and `next` in the stream.
    start_place: Place,
    place: Place,
    /// How many bytes of the stream came before `bytes`.
    passed: u64,
    /// Up to here the stream was reported as bad, in bytes from its beginning.
    reported: u64,
    mode: Mode,
    ended: bool,
    /// Whether strings are values too.
    strings: bool,
}

#[derive(Debug)]
enum Mode {
    /// Between values.
    Between,
    /// Inside a value.
    Inside(Scanner),
    /// Inside a value too long to be kept.
    Overlong(Scanner),
    /// Inside a value nested too deep, with so many brackets open.
    Overdeep { open: u64, text: Text },
    /// On the rest of a line that was given up.
    GivenUp,
}

/// Where brackets do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Outside,
    Inside,
    Escaped,
}

impl Default for Framer {
    fn default() -> Self {
        Self::new()
    }
}

impl Framer {
    /// Stands at the beginning of a stream.
    pub const fn new() -> Self {
        Self {
            bytes: Vec::new(),
            start: 0,
            next: 0,
            start_place: Place::START,
            place: Place::START,
            passed: 0,
            reported: 0,
            mode: Mode::Between,
            ended: false,
            strings: false,
        }
    }

    /// The same, but a string by itself is a value too.
    pub fn with_strings() -> Self {
        Self {
            strings: true,
            ..Self::new()
        }
    }

    /// Hands over the next bytes of the stream. Whoever calls [`Self::take`]
    /// until there is nothing more before each push needs memory for one
    /// value and one push at most.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.passed += self.start as u64;
        self.next -= self.start;
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether the stream stands between two values, with nothing after the
    /// last one. White space counts as nothing once [`Self::take`] has passed
    /// over it.
    pub fn is_between(&self) -> bool {
        matches!(self.mode, Mode::Between) && self.next == self.bytes.len()
    }

    /// Says that the stream has ended.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The next value or bad input; `None` if what was pushed so far holds
    /// no more, which after [`Self::end`] is final.
    pub fn take(&mut self) -> Option<Result<Framed, BadInput>> {
        loop {
            let found = match self.bytes.get(self.next) {
                Some(&byte) => self.look_at(byte),
                None if self.ended => {
                    let Mode::Inside(scanner) = &self.mode else {
                        return None;
                    };
                    if scanner.may_end() {
                        self.value_ends()
                    } else {
                        self.give_up(self.place, Fault::Unfinished)
                    }
                }
                None => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    fn look_at(&mut self, byte: u8) -> Option<Result<Framed, BadInput>> {
        match &mut self.mode {
            Mode::Between if is_space(byte) => self.drop_byte(byte),
            Mode::Between => {
                self.start_place = self.place;
                self.mode = Mode::Inside(Scanner::new());
            }
            Mode::Inside(_) => return self.look_inside(byte),
            Mode::Overlong(scanner) => match scanner.step(byte) {
                Step::More => self.drop_byte(byte),
                Step::Ends => self.drop_last(byte),
                Step::Ended => self.mode = Mode::Between,
                Step::Bad { .. } | Step::TooDeep => self.mode = Mode::GivenUp,
            },
            Mode::Overdeep { open, text } => {
                count_bracket(byte, open, text);
                if *open == 0 || byte == b'\n' {
                    self.drop_last(byte);
                } else {
                    self.drop_byte(byte);
                }
            }
            Mode::GivenUp if byte == b'\n' => self.drop_last(byte),
            Mode::GivenUp => self.drop_byte(byte),
        }
        None
    }

    fn look_inside(&mut self, byte: u8) -> Option<Result<Framed, BadInput>> {
        let Mode::Inside(scanner) = &mut self.mode else {
            return None;
        };
        if self.next - self.start == LONGEST {
            let scanner = std::mem::replace(scanner, Scanner::new());
            self.mode = Mode::Overlong(scanner);
            let found = self.report(self.start_place, Fault::TooLong);
            self.start = self.next;
            return found;
        }
        match scanner.step(byte) {
            Step::More => {
                self.pass(byte);
                None
            }
            Step::Ends => {
                self.pass(byte);
                self.value_ends()
            }
            Step::Ended => self.value_ends(),
            Step::TooDeep => {
                let open = u64::from(DEEPEST) + 1;
                let text = Text::Outside;
                self.mode = Mode::Overdeep { open, text };
                let found = self.report(self.start_place, Fault::TooDeep);
                self.drop_byte(byte);
                found
            }
            Step::Bad { expected } => {
                let found = if byte.is_ascii_graphic() {
                    format!("{:?}", byte as char)
                } else {
                    format!("byte {byte:#04x}")
                };
                self.give_up(self.place, Fault::NotJson { expected, found })
            }
        }
    }

    /// Goes on behind a byte, which is kept.
    fn pass(&mut self, byte: u8) {
        self.place.pass(byte);
        self.next += 1;
    }

    /// Goes on behind a byte, which is done with.
    fn drop_byte(&mut self, byte: u8) {
        self.pass(byte);
        self.start = self.next;
    }

    /// Goes on behind the last byte of something that is passed over.
    fn drop_last(&mut self, byte: u8) {
        self.drop_byte(byte);
        self.mode = Mode::Between;
    }

    /// Parses what stands between `start` and `next`, a whole value.
    fn value_ends(&mut self) -> Option<Result<Framed, BadInput>> {
        let bytes = &self.bytes[self.start..self.next];
        let at = self.start_place;
        let parsed = match std::str::from_utf8(bytes) {
            Ok(text) => serde_json::from_str(text),
            Err(error) => return self.give_up(at, Fault::Unreadable(error.to_string())),
        };
        let found = match parsed {
            Ok(value @ (Value::Array(_) | Value::Object(_))) => Some(Ok(Framed { value, at })),
            Ok(value @ Value::String(_)) if self.strings => Some(Ok(Framed { value, at })),
            Ok(bare) => self.report(at, Fault::Bare(excerpt(&bare))),
            // JSON by its grammar, but a number too large or half a character.
            Err(error) => self.report(at, Fault::Unreadable(reason(&error))),
        };
        self.start = self.next;
        self.mode = Mode::Between;
        found
    }

    /// Gives up the line on which the value being read began.
    fn give_up(&mut self, at: Place, fault: Fault) -> Option<Result<Framed, BadInput>> {
        let found = self.report(at, fault);
        self.next = self.start;
        self.place = self.start_place;
        self.mode = Mode::GivenUp;
        found
    }

    /// Reports what stands before `next` as bad, unless that was done before.
    fn report(&mut self, at: Place, fault: Fault) -> Option<Result<Framed, BadInput>> {
        let here = self.passed + self.next as u64;
        if here < self.reported {
            return None;
        }
        self.reported = here + 1;
        Some(Err(BadInput { at, fault }))
    }
}

/// Counts the brackets of a value that is only passed over.
fn count_bracket(byte: u8, open: &mut u64, text: &mut Text) {
    *text = match (*text, byte) {
        (Text::Outside, b'[' | b'{') => {
            *open += 1;
            Text::Outside
        }
        (Text::Outside, b']' | b'}') => {
            *open -= 1;
            Text::Outside
        }
        (Text::Outside, b'"') => Text::Inside,
        (Text::Inside, b'"') => Text::Outside,
        (Text::Inside, b'\\') => Text::Escaped,
        (Text::Escaped, _) => Text::Inside,
        (text, _) => text,
    };
}

/// The parser's reason without its own line and column, which count from the
/// value's beginning.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((reason, _)) => reason.to_string(),
        None => text,
    }
}

/// Reads values from anything that can be read.
#[derive(Debug)]
pub struct ValueReader<R> {
    input: R,
    framer: Framer,
    chunk: Vec<u8>,
}

impl<R: Read> ValueReader<R> {
    /// Reads from the current place of `input`.
    pub fn new(input: R) -> Self {
        Self::with_framer(input, Framer::new())
    }

    /// Reads from the current place of `input`, as the framer does.
    pub fn with_framer(input: R, framer: Framer) -> Self {
        Self {
            input,
            framer,
            chunk: vec![0; 1 << 16],
        }
    }

    /// The next value or bad input; `None` at the end of the stream. Waits
    /// for no byte behind a value's closing bracket.
    ///
    /// # Errors
    /// If reading fails.
    pub fn read(&mut self) -> io::Result<Option<Result<Framed, BadInput>>> {
        loop {
            if let Some(found) = self.framer.take() {
                return Ok(Some(found));
            }
            if self.framer.ended {
                return Ok(None);
            }
            match self.input.read(&mut self.chunk) {
                Ok(0) => self.framer.end(),
                Ok(length) => self.framer.push(&self.chunk[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
