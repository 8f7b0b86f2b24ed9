//! Scans JSON byte by byte, to find where a value ends and where text stops being JSON.
//!
//! A value must be found in a stream before it can be parsed, and a broken one must be
//! noticed at its first wrong byte. A reader that only counted brackets would swallow all
//! later values as part of a broken one.

/// The maximum nesting depth of arrays and objects.
pub(super) const DEEPEST: u32 = 64;

/// The effect of one more byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The value continues.
    More,
    /// The value ends with this byte.
    Ends,
    /// The value, a number, ended before this byte.
    Ended,
    /// This byte opens a bracket more than [`DEEPEST`] deep.
    TooDeep,
    /// This byte does not continue a JSON value; `expected` would.
    Bad { expected: &'static str },
}

/// Scans one JSON value from its first byte to its last.
#[derive(Debug)]
pub(super) struct Scanner {
    state: State,
    /// The number of brackets open now.
    depth: u32,
    /// Bit `d` is set if the bracket opened at depth `d` is a brace.
    braces: u64,
}

/// What may come next.
#[derive(Debug, Clone, Copy)]
enum State {
    Value,
    /// After `[`: a value, or the end of an empty array.
    FirstValue,
    /// After `{`: a key, or the end of an empty object.
    FirstKey,
    Key,
    Colon,
    /// After a value inside brackets: a comma, or the bracket's end.
    Comma,
    /// Inside a string, which may be a key.
    Text {
        key: bool,
    },
    /// After a backslash in a string.
    Escape {
        key: bool,
    },
    /// Inside `\uXXXX`, with this many digits to come.
    Hex {
        key: bool,
        digits: u8,
    },
    Number(Number),
    /// Inside `true`, `false` or `null`, with these letters to come.
    Word(&'static [u8]),
}

/// The parts of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
}

impl Scanner {
    /// A scanner before the first byte of a value.
    pub(super) const fn new() -> Self {
        Self {
            state: State::Value,
            depth: 0,
            braces: 0,
        }
    }

    /// Whether the input may end here: only within a complete number.
    pub(super) fn may_end(&self) -> bool {
        matches!(self.state, State::Number(number) if self.depth == 0 && number.is_complete())
    }

    /// Takes the next byte of the value.
    pub(super) fn step(&mut self, byte: u8) -> Step {
        match self.state {
            State::Text { key } => self.text(byte, key),
            State::Escape { key } => self.escape(byte, key),
            State::Hex { key, digits } => self.hex(byte, key, digits),
            State::Number(number) => self.number(byte, number),
            State::Word(rest) => self.word(byte, rest),
            _ if is_space(byte) => Step::More,
            State::Value => self.value(byte, "a value"),
            State::FirstValue if byte == b']' => self.close(),
            State::FirstValue => self.value(byte, "a value or ]"),
            State::FirstKey if byte == b'}' => self.close(),
            State::FirstKey => self.key(byte, "a key in quotes or }"),
            State::Key => self.key(byte, "a key in quotes"),
            State::Colon if byte == b':' => self.enter(State::Value),
            State::Colon => bad("a colon"),
            State::Comma => self.comma(byte),
        }
    }

    fn enter(&mut self, state: State) -> Step {
        self.state = state;
        Step::More
    }

    fn in_braces(&self) -> bool {
        self.braces >> (self.depth - 1) & 1 != 0
    }

    fn value(&mut self, byte: u8, expected: &'static str) -> Step {
        match byte {
            b'[' => self.open(false),
            b'{' => self.open(true),
            b'"' => self.enter(State::Text { key: false }),
            b't' => self.enter(State::Word(b"rue")),
            b'f' => self.enter(State::Word(b"alse")),
            b'n' => self.enter(State::Word(b"ull")),
            _ => match Number::first(byte) {
                Some(number) => self.enter(State::Number(number)),
                None => bad(expected),
            },
        }
    }

    fn open(&mut self, brace: bool) -> Step {
        if self.depth == DEEPEST {
            return Step::TooDeep;
        }
        self.braces &= !(1 << self.depth);
        self.braces |= u64::from(brace) << self.depth;
        self.depth += 1;
        self.enter(if brace {
            State::FirstKey
        } else {
            State::FirstValue
        })
    }

    fn close(&mut self) -> Step {
        self.depth -= 1;
        self.value_ends()
    }

    fn value_ends(&mut self) -> Step {
        self.state = State::Comma;
        if self.depth == 0 {
            Step::Ends
        } else {
            Step::More
        }
    }

    fn key(&mut self, byte: u8, expected: &'static str) -> Step {
        if byte == b'"' {
            self.enter(State::Text { key: true })
        } else {
            bad(expected)
        }
    }

    fn comma(&mut self, byte: u8) -> Step {
        match (byte, self.in_braces()) {
            (b',', true) => self.enter(State::Key),
            (b',', false) => self.enter(State::Value),
            (b'}', true) | (b']', false) => self.close(),
            (_, true) => bad("a comma or }"),
            (_, false) => bad("a comma or ]"),
        }
    }

    fn text(&mut self, byte: u8, key: bool) -> Step {
        match byte {
            b'"' if key => self.enter(State::Colon),
            b'"' => self.value_ends(),
            b'\\' => self.enter(State::Escape { key }),
            0..0x20 => bad("the closing quote"),
            _ => Step::More,
        }
    }

    fn escape(&mut self, byte: u8, key: bool) -> Step {
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                self.enter(State::Text { key })
            }
            b'u' => self.enter(State::Hex { key, digits: 4 }),
            _ => bad("an escape such as \\n or \\u0041"),
        }
    }

    fn hex(&mut self, byte: u8, key: bool, digits: u8) -> Step {
        match (byte.is_ascii_hexdigit(), digits) {
            (true, 1) => self.enter(State::Text { key }),
            (true, _) => self.enter(State::Hex {
                key,
                digits: digits - 1,
            }),
            (false, _) => bad("four hexadecimal digits"),
        }
    }

    fn number(&mut self, byte: u8, number: Number) -> Step {
        match number.next(byte) {
            Some(next) => self.enter(State::Number(next)),
            None if !number.is_complete() => bad("a digit"),
            None if self.depth == 0 => Step::Ended,
            None => {
                self.state = State::Comma;
                self.step(byte)
            }
        }
    }

    fn word(&mut self, byte: u8, rest: &'static [u8]) -> Step {
        match rest {
            [last] if byte == *last => self.value_ends(),
            [next, rest @ ..] if byte == *next => self.enter(State::Word(rest)),
            _ => bad("true, false or null"),
        }
    }
}

impl Number {
    fn first(byte: u8) -> Option<Self> {
        match byte {
            b'-' => Some(Self::Minus),
            b'0' => Some(Self::Zero),
            b'1'..=b'9' => Some(Self::Whole),
            _ => None,
        }
    }

    fn next(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Minus, b'0') => Some(Self::Zero),
            (Self::Minus, b'1'..=b'9') | (Self::Whole, b'0'..=b'9') => Some(Self::Whole),
            (Self::Zero | Self::Whole, b'.') => Some(Self::Point),
            (Self::Point | Self::Fraction, b'0'..=b'9') => Some(Self::Fraction),
            (Self::Zero | Self::Whole | Self::Fraction, b'e' | b'E') => Some(Self::Exponent),
            (Self::Exponent, b'+' | b'-') => Some(Self::ExponentSign),
            (Self::Exponent | Self::ExponentSign | Self::ExponentDigits, b'0'..=b'9') => {
                Some(Self::ExponentDigits)
            }
            _ => None,
        }
    }

    fn is_complete(self) -> bool {
        matches!(
            self,
            Self::Zero | Self::Whole | Self::Fraction | Self::ExponentDigits
        )
    }
}

/// Whether the byte is white space in JSON.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

const fn bad(expected: &'static str) -> Step {
    Step::Bad { expected }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The length of the first value; `None` if the text is not a value or only part of
    /// one.
    fn end(text: &[u8]) -> Option<usize> {
        let mut scanner = Scanner::new();
        for (index, &byte) in text.iter().enumerate() {
            match scanner.step(byte) {
                Step::More => {}
                Step::Ends => return Some(index + 1),
                Step::Ended => return Some(index),
                Step::TooDeep | Step::Bad { .. } => return None,
            }
        }
        scanner.may_end().then_some(text.len())
    }

    #[test]
    fn ends_of_values_are_found() {
        for (text, length) in [
            ("[]", 2),
            ("[][]", 2),
            (r#"{"a":[1,-2.5e+3,"]\"\u00e9"],"b":{}} {"#, 36),
            ("[ 1 ,\n2 ]x", 9),
            ("5 ", 1),
            ("-0", 2),
            ("true[", 4),
            (r#""[" "#, 3),
        ] {
            assert_eq!(end(text.as_bytes()), Some(length), "{text}");
        }
    }

    #[test]
    fn the_first_wrong_byte_is_noticed() {
        for text in [
            "x",
            "]",
            "[1,]",
            "[1 2",
            "{,",
            "{1",
            r#"{"a" 1"#,
            r#"{"a":1,}"#,
            "[01",
            "[1.]",
            "[-]",
            "[1e]",
            "[tru]",
            "[\"\n",
            r#"["\x"#,
            r#"["\u12g"#,
            "[1}",
            r#"{"a":1]"#,
            "[nul]",
            "\u{e9}",
        ] {
            let mut scanner = Scanner::new();
            let (&last, before) = text.as_bytes().split_last().unwrap();
            let wrong = if text == "\u{e9}" { 0xc3 } else { last };
            let before = if text == "\u{e9}" { &[] } else { before };
            for &byte in before {
                assert_eq!(scanner.step(byte), Step::More, "{text}");
            }
            assert!(matches!(scanner.step(wrong), Step::Bad { .. }), "{text}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        let deep = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert_eq!(end(&deep(64)), Some(128));
        assert_eq!(end(&deep(65)), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        /// The scanner and `serde_json` agree on what is one whole value.
        #[test]
        fn agrees_with_a_full_parser(text in r#"[\[\]{}:,"a\\u0-1 .e+-]{0,12}|(\[|\{|\]|\}|"a":|,|1|true| ){0,12}"#) {
            let text = text.trim_end();
            let parsed = serde_json::from_str::<serde_json::Value>(text);
            let whole = end(text.trim_start().as_bytes()) == Some(text.trim_start().len());
            // Only a parser detects a lone surrogate and a number that is too large.
            let refused = parsed.as_ref().is_err_and(|e| {
                let e = e.to_string();
                e.contains("surrogate") || e.contains("out of range") || e.contains("hex escape")
            });
            prop_assert!(whole == parsed.is_ok() || refused, "{:?} {:?}", text, parsed);
        }
    }
}
