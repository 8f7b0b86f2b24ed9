//! Hints for the usual mistakes in a player's output: what to change. A hint is given only
//! where it is certain.

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::protocol::json_hint;
use crate::protocol::stream::InputFault;

/// A hint for a message, if there is one.
pub(super) type OutputHint = Option<&'static str>;

/// The most brackets that may be missing at the end of an answer.
const DEEPEST: usize = 8;

// A player that is only slightly too slow may also answer or end at that moment.
pub(super) const FLUSH: &str = "an answer came just after its input was closed: unless it is \
     only too slow, it must flush its output after each answer and not wait for the end of the \
     input; print(text, flush=True) flushes in Python, fflush(stdout) in C, out.flush() in Java, \
     hFlush stdout in Haskell";
pub(super) const READING: &str = "it ended just after its input was closed: unless it ended by \
     itself, it was waiting for more input than the question, and had flushed no answer";
pub(super) const START: &str = "it was the first answer: starting counts, too";
pub(super) const KEEP_READING: &str = "a player answers one question after another \
     until its input ends";
pub(super) const INPUT: &str = "it closed its standard input";
pub(super) const BRACKET: &str = "a closing bracket is missing";
pub(super) const WINDOWS_LINE: &str = "its first line ends like on Windows (CR LF); end it with LF";
pub(super) const NO_QUESTION: &str = "read a question first, then answer it";
pub(super) const ONE_ANSWER: &str = "a question gets exactly one answer";
pub(super) const REMARKS: &str =
    "only answers may go to standard output; print remarks to standard error";
const NONE: &str = "Python prints None for a missing value, such as the result of a function \
     without return";
const UNDEFINED: &str = "JavaScript prints undefined for a missing value, such as the result of \
     a function without return";
const EXTRA_BRACKET: &str = "after its answer it wrote a closing bracket too many";
const NUL: &str = "after its answer it wrote a NUL byte, such as the end of a string in C";
const NESTED: &str = "the string holds JSON: encode the answer once, not twice";

/// The hint for output that is not JSON. `output` is what the player wrote since the
/// question, or its beginning; it begins between two values.
pub(super) fn of_output(output: &[u8], fault: &InputFault) -> OutputHint {
    let start = output.trim_ascii_start();
    match fault {
        InputFault::NotJson { .. } => json_hint::hint(start)
            .or_else(|| of_rest(start))
            .or_else(|| of_text(start)),
        InputFault::Bare(_) => match serde_json::from_slice::<Value>(start.trim_ascii_end()) {
            Ok(Value::String(text)) if is_answer(text.as_bytes()) => Some(NESTED),
            _ => Some(REMARKS),
        },
        _ => None,
    }
}

/// The hint for output after an answer or before a question; `None` if it is an answer
/// too.
pub(super) fn of_unasked(output: &[u8]) -> OutputHint {
    let start = output.trim_ascii_start();
    match start.first() {
        None | Some(b'[' | b'{') => None,
        _ => Some(of_rest(start).unwrap_or(REMARKS)),
    }
}

/// The hint for what is left of an answer after its end.
fn of_rest(start: &[u8]) -> OutputHint {
    match start.first()? {
        b']' | b'}' => Some(EXTRA_BRACKET),
        0 => Some(NUL),
        _ => None,
    }
}

/// Whether the output is the beginning of an array or object, whole but for closing brackets.
pub(super) fn lacks_brackets(output: &[u8]) -> bool {
    let mut text = output.trim_ascii_end().to_vec();
    if !text.ends_with(b"]") && !text.ends_with(b"}") {
        return false;
    }
    for _ in 0..DEEPEST {
        match serde_json::from_slice::<IgnoredAny>(&text) {
            Ok(_) => return true,
            Err(error) if !error.is_eof() => return false,
            Err(_) => {}
        }
        // A bracket of the wrong kind is an error of another category.
        text.push(b']');
        let is_wrong = |error: serde_json::Error| !error.is_eof();
        if serde_json::from_slice::<IgnoredAny>(&text).is_err_and(is_wrong) {
            text.pop();
            text.push(b'}');
        }
    }
    false
}

/// Whether the output holds an array or object, and nothing else before it.
pub(super) fn is_answer(output: &[u8]) -> bool {
    matches!(first(output), Some(Value::Array(_) | Value::Object(_)))
}

/// The value at the start of the output.
pub(super) fn first(output: &[u8]) -> Option<Value> {
    let mut values = serde_json::Deserializer::from_slice(output).into_iter();
    values.next()?.ok()
}

/// The hint for text that is not a usual mistake in JSON.
fn of_text(start: &[u8]) -> OutputHint {
    match start {
        [b'N', ..] if start.trim_ascii_end() == b"None" => Some(NONE),
        [b'u', ..] if start.trim_ascii_end() == b"undefined" => Some(UNDEFINED),
        [b'[' | b'{', ..] => is_tag(start).then_some(REMARKS),
        _ => Some(REMARKS),
    }
}

/// Whether the output begins with a word in brackets and then more words, as in
/// `[info] thinking`.
fn is_tag(output: &[u8]) -> bool {
    let Some(rest) = output.strip_prefix(b"[") else {
        return false;
    };
    let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic());
    match rest.split_at(letters.count()) {
        ([_, ..], [b']', b' ', next, ..]) => next.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::stream::Framer;

    /// The hint for the first fault of an output.
    fn hint(output: &[u8]) -> OutputHint {
        let mut framer = Framer::new();
        framer.push(output);
        framer.end();
        let fault = framer.take().unwrap().unwrap_err().fault;
        of_output(output, &fault)
    }

    #[test]
    fn usual_mistakes_have_their_hints() {
        for (output, expected) in [
            (&b"thinking...\n[]"[..], REMARKS),
            (b"[info] depth 3\n[]", REMARKS),
            (b"<__main__.Board object at 0x7f>", REMARKS),
            (b"42\n", REMARKS),
            (b"None\n", NONE),
            (b"undefined\n", UNDEFINED),
            (b"]\n[]", EXTRA_BRACKET),
            (b"\0[]\n", NUL),
            (b"\"[[[1,2],[3,4]]]\"\n", NESTED),
        ] {
            let text = String::from_utf8_lossy(output);
            assert_eq!(hint(output), Some(expected), "{text}");
        }
        let quotes = hint(b"{'players': []}");
        assert!(quotes.is_some_and(|hint| hint.contains("double quotes")));
    }

    #[test]
    fn other_mistakes_have_no_hint() {
        for output in [
            &b"[[2,3],[4,a]]"[..],
            b"[1,2,",
            b"{\"turn\":01}",
            b"[info]",
            b"[\xff]",
        ] {
            let text = String::from_utf8_lossy(output);
            assert_eq!(hint(output), None, "{text}");
        }
    }

    #[test]
    fn missing_brackets_are_noticed() {
        for part in ["[[[1,1],[2,2]]\n", "{\"players\":[[1,1]", "[{\"a\":[]"] {
            assert!(lacks_brackets(part.as_bytes()), "{part}");
        }
        for part in [
            "",
            "[[[1,1],[",
            "[[1,1],[2",
            "{\"a\":[1],\"b\"",
            "[[1]x]",
            "[[1,]",
        ] {
            assert!(!lacks_brackets(part.as_bytes()), "{part}");
        }
    }

    #[test]
    fn a_second_answer_is_no_remark() {
        assert_eq!(of_unasked(b"done\n"), Some(REMARKS));
        assert_eq!(of_unasked(b"]\n"), Some(EXTRA_BRACKET));
        assert_eq!(of_unasked(b"\n\0"), Some(NUL));
        assert_eq!(of_unasked(b" [[[1,2],[3,4]]]\n"), None);
        assert!(is_answer(b"\n[1]\n[2]") && !is_answer(b"bye") && !is_answer(b"[1,"));
    }
}
