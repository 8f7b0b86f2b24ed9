//! Finds JSON values in a stream of bytes: each as soon as its closing bracket arrives,
//! regardless of white space and of how the stream is cut.
//!
//! [`Framer`] does no input or output, so a reader with deadlines can use it;
//! [`ValueReader`] adds it to any [`Read`].
//!
//! Anything else is bad input, and as little as possible is lost with it:
//!
//! - Text that is not JSON is skipped to the end of the line on which it began. Later lines
//!   are read again, even if they looked like part of a value at first.
//! - A value that is too long is skipped to its end. If it turns out not to be JSON, the
//!   later lines among its last [`REMEMBERED`] bytes are read again, so that values after
//!   it are found.
//! - A value that is too deep is skipped to its end if that is on the line on which it
//!   began; otherwise that line is skipped.
//! - A number, string or word by itself is skipped: messages are arrays and objects.
//!
//! A byte order mark at the start of the stream is skipped.
//!
//! Bad text is reported only once.
//!
//! Reading lines again does not make the time quadratic. Each pass over a byte begins at a
//! different bracket that is open there, and at most `DEEPEST` are open anywhere.

use std::io::{self, Read};

use serde_json::Value;

pub use super::bad_input::{BadInput, InputFault, Location};
use super::bounded;
pub use super::bounded::LONGEST;
use super::scanner::{DEEPEST, Scanner, Step, is_space};
use super::{BYTE_ORDER_MARK, excerpt, reason};

/// The number of bytes kept of a value that is too long, in case it is not JSON. A good
/// value after an unfinished one is only recognised at the first byte of the next value.
pub const REMEMBERED: usize = 2 * LONGEST;

/// An array or object found in the stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Framed {
    /// The parsed JSON.
    pub value: Value,
    /// Where it begins.
    pub at: Location,
}

/// Finds the values in bytes that are pushed piece by piece.
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
    /// Bytes pushed and not yet finished.
    bytes: Vec<u8>,
    /// The start in `bytes` of the current value or of the kept part of it; everything
    /// before is finished.
    start: usize,
    /// The next byte to look at.
    next: usize,
    /// The positions of `start` and `next` in the stream.
    start_place: Location,
    place: Location,
    /// The number of bytes of the stream before `bytes`.
    passed: u64,
    /// The offset in the stream of the last byte that was wrong. Everything that began
    /// before it was reported.
    reported: Option<u64>,
    mode: Mode,
    ended: bool,
    /// Whether strings are values too.
    strings: bool,
    /// The keys to keep of large values, if their memory is bounded.
    keys: Option<&'static [&'static str]>,
}

#[derive(Debug)]
enum Mode {
    /// Between values.
    Between,
    /// Inside a value.
    Inside(Scanner),
    /// Inside a value that is too long.
    Overlong(Scanner),
    /// Inside a value nested too deep, with this many open brackets.
    Overdeep { open: u64, text: Text },
    /// On the rest of a line that is skipped.
    Skipped,
}

/// Whether a byte is inside a string, where brackets do not count.
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
    /// A framer at the start of a stream.
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

    /// As [`Self::new`], but accepts strings as values.
    pub fn with_strings() -> Self {
        Self {
            strings: true,
            ..Self::new()
        }
    }

    /// As [`Self::new`], but keeps only these keys of values with very many parts, so that
    /// a value takes at most a few MiB.
    pub const fn with_keys(keys: &'static [&'static str]) -> Self {
        let mut framer = Self::new();
        framer.keys = Some(keys);
        framer
    }

    /// Adds the next bytes of the stream. If [`Self::take`] is called until it returns
    /// `None` before each push, memory is bounded by twice the kept part of one value and
    /// one push.
    pub fn push(&mut self, bytes: &[u8]) {
        // Kept bytes are moved only once as many bytes are finished. Otherwise every single
        // byte would move all of them.
        if self.start >= self.bytes.len() - self.start {
            self.bytes.drain(..self.start);
            self.passed += self.start as u64;
            self.next -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether the stream is between two values, with no bytes left after the last one.
    /// White space counts until [`Self::take`] has skipped it.
    pub fn is_between(&self) -> bool {
        matches!(self.mode, Mode::Between) && self.next == self.bytes.len()
    }

    /// Marks the end of the stream.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The next value or bad input; `None` if there is none in the bytes pushed so far.
    /// After [`Self::end`], `None` is final.
    pub fn take(&mut self) -> Option<Result<Framed, BadInput>> {
        if self.passed == 0 && self.next == 0 && !self.pass_mark() {
            return None;
        }
        loop {
            let found = match self.bytes.get(self.next) {
                Some(&byte) => self.look_at(byte),
                None if self.ended => match &self.mode {
                    Mode::Inside(scanner) if scanner.may_end() => self.value_ends(),
                    Mode::Inside(_) => self.give_up(self.place, InputFault::Unfinished),
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

    /// Skips a byte order mark at the start of the stream. Returns false while it is
    /// unknown whether there is one.
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
            Mode::Skipped if byte == b'\n' => self.drop_last(byte),
            Mode::Skipped => self.drop_byte(byte),
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
            return self.report(self.start_place, InputFault::TooLong);
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
                let found = self.report(self.start_place, InputFault::TooDeep);
                self.begin_overdeep(byte);
                found
            }
            Step::TooDeep => self.give_up(self.start_place, InputFault::TooDeep),
            Step::Bad { expected } => {
                let found = if byte.is_ascii_graphic() {
                    format!("{:?}", byte as char)
                } else {
                    format!("byte {byte:#04x}")
                };
                self.give_up(self.place, InputFault::NotJson { expected, found })
            }
        }
    }

    /// Advances over a byte, which is kept.
    fn pass(&mut self, byte: u8) {
        self.place.pass(byte);
        self.next += 1;
    }

    /// Advances over a byte, which is finished.
    fn drop_byte(&mut self, byte: u8) {
        self.pass(byte);
        self.start = self.next;
    }

    /// Advances over a byte of a value that is too long, and drops its oldest byte if too
    /// many are kept.
    fn pass_overlong(&mut self, byte: u8) {
        self.pass(byte);
        if self.next - self.start > REMEMBERED {
            self.start_place.pass(self.bytes[self.start]);
            self.start += 1;
        }
    }

    /// Advances over the bracket that makes a value too deep.
    fn begin_overdeep(&mut self, byte: u8) {
        self.mode = Mode::Overdeep {
            open: u64::from(DEEPEST) + 1,
            text: Text::Outside,
        };
        self.drop_byte(byte);
    }

    /// Whether the kept part of the current value is on one line.
    fn is_on_one_line(&self) -> bool {
        self.start_place.line == self.place.line
    }

    /// Advances over the last byte of skipped input.
    fn drop_last(&mut self, byte: u8) {
        self.drop_byte(byte);
        self.mode = Mode::Between;
    }

    /// Parses the bytes from `start` to `next`, a whole value.
    fn value_ends(&mut self) -> Option<Result<Framed, BadInput>> {
        let bytes = &self.bytes[self.start..self.next];
        let at = self.start_place;
        let parsed = match (std::str::from_utf8(bytes), self.keys) {
            (Ok(text), None) => serde_json::from_str(text).map(Some),
            (Ok(text), Some(keys)) => bounded::parse(text, keys),
            (Err(error), _) => {
                let at = self.place_of(error.valid_up_to());
                return self.give_up(at, InputFault::Unreadable(error.to_string()));
            }
        };
        let found = match parsed {
            Ok(Some(value @ (Value::Array(_) | Value::Object(_)))) => {
                Some(Ok(Framed { value, at }))
            }
            Ok(Some(value @ Value::String(_))) if self.strings => Some(Ok(Framed { value, at })),
            Ok(Some(bare)) => self.report(at, InputFault::Bare(excerpt(&bare))),
            Ok(None) => self.report(at, InputFault::TooManyParts),
            // Valid by the grammar, but a number is too large or a surrogate is alone.
            Err(error) => {
                let at = self.place_of(offset(bytes, &error));
                self.report(at, InputFault::Unreadable(reason(&error)))
            }
        };
        self.start = self.next;
        self.mode = Mode::Between;
        found
    }

    /// The place of a byte of the current value.
    fn place_of(&self, offset: usize) -> Location {
        let mut place = self.start_place;
        let before = self.bytes[self.start..].iter().take(offset);
        before.for_each(|&byte| place.pass(byte));
        place
    }

    /// Reports the current value and skips the line on which it began.
    fn give_up(&mut self, at: Location, fault: InputFault) -> Option<Result<Framed, BadInput>> {
        let found = self.report(at, fault);
        self.go_back();
        found
    }

    /// Skips the first kept line of a value that was reported as too long.
    fn read_afresh(&mut self) {
        self.reported = Some(self.passed + self.next as u64);
        self.go_back();
    }

    fn go_back(&mut self) {
        self.next = self.start;
        self.place = self.start_place;
        self.mode = Mode::Skipped;
    }

    /// Reports the current value as bad, unless it began in text that was reported before
    /// or is bad because of the same byte.
    fn report(&mut self, at: Location, fault: InputFault) -> Option<Result<Framed, BadInput>> {
        let [began, here] = [self.start, self.next].map(|index| self.passed + index as u64);
        let is_known = |reported| began < reported || here == reported;
        let is_new = !self.reported.is_some_and(is_known);
        self.reported = self.reported.max(Some(here));
        is_new.then_some(Err(BadInput { at, fault }))
    }
}

/// Counts the brackets of a skipped value.
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

/// The number of bytes before the one at which the parser has stopped.
fn offset(bytes: &[u8], error: &serde_json::Error) -> usize {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let before = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len);
    before.sum::<usize>() + error.column().saturating_sub(1)
}

/// Reads values from any [`Read`].
#[derive(Debug)]
pub struct ValueReader<R> {
    input: R,
    framer: Framer,
    chunk: Vec<u8>,
}

impl<R: Read> ValueReader<R> {
    /// Reads from the current position of `input`.
    pub fn new(input: R) -> Self {
        Self::with_framer(input, Framer::new())
    }

    /// Reads from the current position of `input`, with the settings of `framer`.
    pub fn with_framer(input: R, framer: Framer) -> Self {
        Self {
            input,
            framer,
            chunk: vec![0; 1 << 16],
        }
    }

    /// The bytes that were read after the last value. After text that is not JSON they begin
    /// with the line or value on which it was found.
    #[cfg(feature = "program")]
    pub(crate) fn unread(&self) -> &[u8] {
        &self.framer.bytes[self.framer.start..]
    }

    /// The next value or bad input; `None` at the end of the stream. Does not wait for
    /// bytes after a value's closing bracket.
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
