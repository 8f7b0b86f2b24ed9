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
//! - A value that is too long is passed over to its end. If it turns out to
//!   be no JSON, the later lines among its last [`REMEMBERED`] bytes are read
//!   afresh, so that the values behind it are found.
//! - A value that is too deep is passed over to its end, if that is on the
//!   line on which it began; else that line is given up.
//! - A number, string or word by itself is passed over: messages are arrays
//!   and objects.
//!
//! A byte order mark at the beginning of the stream counts as nothing.
//!
//! Text once reported as bad is not reported a second time.
//!
//! Reading lines afresh does not make the time quadratic. Whoever reads a
//! byte again has begun at a bracket that was open there before, and no more
//! than `DEEPEST` are open anywhere.

use std::fmt;
use std::io::{self, Read};

use serde_json::Value;

use super::bounded::{self, MOST_PARTS};
use super::scanner::{DEEPEST, Scanner, Step, is_space};
use super::{BYTE_ORDER_MARK, excerpt};

/// The most bytes that one value may have.
pub const LONGEST: usize = 1 << 20;

/// How many bytes are kept of a value that is too long, in case that it is no
/// JSON: a good value behind an unfinished one is known for one at the first
/// byte of the next value.
pub const REMEMBERED: usize = 2 * LONGEST;

/// A place in the stream, counted from 1 as editors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    pub line: u64,
    /// In characters.
    pub column: u64,
}

impl Location {
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

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// An array or object found in the stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Framed {
    pub value: Value,
    /// Where it begins.
    pub at: Location,
}

/// Something in the stream that is no array or object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {fault}")]
pub struct BadInput {
    /// Where the value begins, or, for text that is not JSON, its first wrong
    /// character.
    pub at: Location,
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
    #[error("a value of more than {MOST_PARTS} numbers, strings, arrays and objects")]
    TooManyParts,
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
    /// Where the value being read, or what is kept of it, begins in `bytes`;
    /// all before is done with.
    start: usize,
    /// The next byte to look at.
    next: usize,
    /// The places of `start` and `next` in the stream.
    start_place: Location,
    place: Location,
    /// How many bytes of the stream came before `bytes`.
    passed: u64,
    /// The last byte that made anything bad, in bytes from the stream's
    /// beginning: what began before it was reported.
    reported: Option<u64>,
    mode: Mode,
    ended: bool,
    /// Whether strings are values too.
    strings: bool,
    /// The keys of objects that somebody looks at, if the memory for a value
    /// is to be bounded.
    keys: Option<&'static [&'static str]>,
}

#[derive(Debug)]
enum Mode {
    /// Between values.
    Between,
    /// Inside a value.
    Inside(Scanner),
    /// Inside a value too long to be kept whole.
    Overlong(Scanner),
    /// Inside a value nested too deep, with this many brackets open.
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
            start_place: Location::START,
            place: Location::START,
            passed: 0,
            reported: None,
            mode: Mode::Between,
            ended: false,
            strings: false,
            keys: None,
        }
    }

    /// The same, but a string by itself is a value too.
    pub fn with_strings() -> Self {
        Self {
            strings: true,
            ..Self::new()
        }
    }

    /// The same, but of values with very many parts only these keys are kept,
    /// so that a value takes no more memory than some MiB.
    pub const fn with_keys(keys: &'static [&'static str]) -> Self {
        let mut framer = Self::new();
        framer.keys = Some(keys);
        framer
    }

    /// Hands over the next bytes of the stream. Whoever calls [`Self::take`]
    /// until there is nothing more before each push needs memory for twice
    /// what is kept of one value and for one push at most.
    pub fn push(&mut self, bytes: &[u8]) {
        // What is kept is moved no sooner than as much is done with: else
        // bytes that come one by one would each move all of it.
        if self.start >= self.bytes.len() - self.start {
            self.bytes.drain(..self.start);
            self.passed += self.start as u64;
            self.next -= self.start;
            self.start = 0;
        }
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
        if self.passed == 0 && self.next == 0 && !self.pass_mark() {
            return None;
        }
        loop {
            let found = match self.bytes.get(self.next) {
                Some(&byte) => self.look_at(byte),
                None if self.ended => match &self.mode {
                    Mode::Inside(scanner) if scanner.may_end() => self.value_ends(),
                    Mode::Inside(_) => self.give_up(self.place, Fault::Unfinished),
                    Mode::Overlong(scanner) if !scanner.may_end() => {
                        self.read_afresh();
                        None
                    }
                    _ => return None,
                },
                None => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    /// Passes over a byte order mark at the beginning of the stream. False if it
    /// is not known yet whether there is one.
    fn pass_mark(&mut self) -> bool {
        if self.bytes.starts_with(BYTE_ORDER_MARK) {
            self.next = BYTE_ORDER_MARK.len();
            self.start = self.next;
        }
        self.ended || self.next > 0 || !BYTE_ORDER_MARK.starts_with(&self.bytes)
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
                Step::More => self.pass_overlong(byte),
                Step::Ends => self.drop_last(byte),
                Step::Ended => {
                    self.start = self.next;
                    self.mode = Mode::Between;
                }
                Step::TooDeep if self.is_on_one_line() => self.begin_overdeep(byte),
                Step::TooDeep | Step::Bad { .. } => self.read_afresh(),
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
            return self.report(self.start_place, Fault::TooLong);
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
            Step::TooDeep if self.is_on_one_line() => {
                let found = self.report(self.start_place, Fault::TooDeep);
                self.begin_overdeep(byte);
                found
            }
            Step::TooDeep => self.give_up(self.start_place, Fault::TooDeep),
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

    /// Goes on behind a byte of a value that is too long, of which the oldest
    /// byte kept may be done with.
    fn pass_overlong(&mut self, byte: u8) {
        self.pass(byte);
        if self.next - self.start > REMEMBERED {
            self.start_place.pass(self.bytes[self.start]);
            self.start += 1;
        }
    }

    /// Goes on behind the bracket with which a value is too deep.
    fn begin_overdeep(&mut self, byte: u8) {
        self.mode = Mode::Overdeep {
            open: u64::from(DEEPEST) + 1,
            text: Text::Outside,
        };
        self.drop_byte(byte);
    }

    /// Whether what is kept of the value being read is a part of one line.
    fn is_on_one_line(&self) -> bool {
        self.start_place.line == self.place.line
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
        let parsed = match (std::str::from_utf8(bytes), self.keys) {
            (Ok(text), None) => serde_json::from_str(text).map(Some),
            (Ok(text), Some(keys)) => bounded::parse(text, keys),
            (Err(error), _) => return self.give_up(at, Fault::Unreadable(error.to_string())),
        };
        let found = match parsed {
            Ok(Some(value @ (Value::Array(_) | Value::Object(_)))) => {
                Some(Ok(Framed { value, at }))
            }
            Ok(Some(value @ Value::String(_))) if self.strings => Some(Ok(Framed { value, at })),
            Ok(Some(bare)) => self.report(at, Fault::Bare(excerpt(&bare))),
            Ok(None) => self.report(at, Fault::TooManyParts),
            // JSON by its grammar, but a number too large or half a character.
            Err(error) => self.report(at, Fault::Unreadable(reason(&error))),
        };
        self.start = self.next;
        self.mode = Mode::Between;
        found
    }

    /// Gives up the line on which the value being read began.
    fn give_up(&mut self, at: Location, fault: Fault) -> Option<Result<Framed, BadInput>> {
        let found = self.report(at, fault);
        self.go_back();
        found
    }

    /// Gives up the first line kept of a value that was reported as too long.
    fn read_afresh(&mut self) {
        self.reported = Some(self.passed + self.next as u64);
        self.go_back();
    }

    fn go_back(&mut self) {
        self.next = self.start;
        self.place = self.start_place;
        self.mode = Mode::GivenUp;
    }

    /// Reports what stands before `next` as bad, unless it began in text that
    /// was reported before, or is bad because of the same byte.
    fn report(&mut self, at: Location, fault: Fault) -> Option<Result<Framed, BadInput>> {
        let [began, here] = [self.start, self.next].map(|index| self.passed + index as u64);
        let is_known = |reported| began < reported || here == reported;
        let is_new = !self.reported.is_some_and(is_known);
        self.reported = self.reported.max(Some(here));
        is_new.then_some(Err(BadInput { at, fault }))
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
