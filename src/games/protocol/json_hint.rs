//! Hints for the usual mistakes in JSON: what to change. A hint is given only where it is
//! certain.

use super::BYTE_ORDER_MARK;
use super::scanner::{Scanner, Step};

const QUOTES: &str = "JSON has double quotes only; in Python use json.dumps";
const BRACKETS: &str = "JSON has [ ] where Python has ( ); use json.dumps";
const WORDS: &str = "JSON has null, true and false for None, True and False; use json.dumps";
const UNDEFINED: &str = "JSON has null where JavaScript has undefined; use JSON.stringify";
const NUMBERS: &str = "JSON has no NaN or Infinity; write a number";
const COMMA: &str = "JSON has no comma before ] or }";
const KEYS: &str = "JSON has keys in double quotes; in JavaScript use JSON.stringify";
const SHORTENED: &str = "JavaScript prints only a summary of an object; use JSON.stringify";
const UTF_16: &str = "this is UTF-16; write UTF-8";
const MARK: &str = "this is a byte order mark; write UTF-8 without it";
const CODES: &str = "these are terminal control codes, such as colours; write plain text";

/// The hint for the first mistake in a text, which begins between two values. `None` if the
/// text begins with a whole value.
pub(crate) fn hint(text: &[u8]) -> Option<&'static str> {
    let text = text.trim_ascii_start();
    let mut scanner = Scanner::new();
    for (end, &byte) in text.iter().enumerate() {
        match scanner.step(byte) {
            Step::More => {}
            Step::Bad { expected } => return of_mistake(text, end, expected),
            Step::Ends | Step::Ended | Step::TooDeep => return None,
        }
    }
    None
}

/// The hint for the byte with this index, where the grammar has `expected`.
fn of_mistake(text: &[u8], end: usize, expected: &str) -> Option<&'static str> {
    let (before, wrong) = text.split_at(end);
    match wrong {
        [b'\'', ..] => Some(QUOTES),
        [b'(', ..] => Some(BRACKETS),
        [0x1b, ..] => Some(CODES),
        [0xff | 0xfe | 0, ..] if is_utf_16(text) => Some(UTF_16),
        _ if wrong.starts_with(BYTE_ORDER_MARK) => Some(MARK),
        // A text outside brackets may be a remark.
        _ if !text.starts_with(b"[") && !text.starts_with(b"{") => None,
        [b']' | b'}', ..] => before.trim_ascii_end().ends_with(b",").then_some(COMMA),
        [first, ..] => {
            let is_key = expected.starts_with("a key") && first.is_ascii_alphabetic();
            of_word(wrong).or(is_key.then_some(KEYS))
        }
        [] => None,
    }
}

/// The hint for a word that JSON does not have.
fn of_word(text: &[u8]) -> Option<&'static str> {
    let words: [(&[u8], _); 8] = [
        (b"None", WORDS),
        (b"True", WORDS),
        (b"False", WORDS),
        (b"undefined", UNDEFINED),
        (b"NaN", NUMBERS),
        (b"Infinity", NUMBERS),
        (b"Array]", SHORTENED),
        (b"Object]", SHORTENED),
    ];
    let mut found = words.into_iter().filter(|(word, _)| text.starts_with(word));
    found.next().map(|(_, hint)| hint)
}

/// Whether the text begins with a byte order mark of UTF-16, or with an ASCII character
/// in two bytes.
fn is_utf_16(text: &[u8]) -> bool {
    match text {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [0, second, 0, ..] => second.is_ascii_graphic(),
        [first, 0, ..] => first.is_ascii_graphic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_mistakes_have_their_hints() {
        for (text, expected) in [
            (&b"[None]"[..], WORDS),
            (b"[1, True]", WORDS),
            (b"[undefined]", UNDEFINED),
            (b"{\"a\":NaN}", NUMBERS),
            (b"[-Infinity]", NUMBERS),
            (b"[1,2, ]", COMMA),
            (b"{\"a\":1,\n}", COMMA),
            (b"{ players: []", KEYS),
            (b"[ [ [Array], [Array] ] ]", SHORTENED),
            (b"{\"a\":[Object]}", SHORTENED),
            (b"{'players': []}", QUOTES),
            (b"[(2, 3), (4, 4)]", BRACKETS),
            (b"((2, 3), (4, 4))", BRACKETS),
            (b"\x1b[1m[]", CODES),
            (b" \xef\xbb\xbf[]", MARK),
            (b"\xff\xfe[\0]\0", UTF_16),
            (b"[\0[\0", UTF_16),
        ] {
            let shown = String::from_utf8_lossy(text);
            assert_eq!(hint(text), Some(expected), "{shown}");
        }
    }

    #[test]
    fn other_texts_have_none() {
        for text in [
            &b"[[2,3],[4,a]]"[..],
            b"[\"None\"] None",
            b"None",
            b"undefined",
            b"[1,2,",
            b"[,]",
            b"{\"a\":}",
            b"{\"a\",\"b\":1}",
            b"{1:2}",
            b"{\"turn\":01}",
            b"[info] depth 3",
            b"[\xff]",
        ] {
            let shown = String::from_utf8_lossy(text);
            assert_eq!(hint(text), None, "{shown}");
        }
    }
}
