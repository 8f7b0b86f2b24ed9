//! Makes text from outside safe to show on a terminal.
//!
//! Text from a program, a file or a connection may hold characters that a terminal acts on:
//! they can clear it, rename it or make it answer. Others reorder the text around them or
//! are invisible. All foreign text that is shown to people passes through this module.

use std::borrow::Cow;
use std::ops::RangeInclusive;
#[cfg(feature = "program")]
use std::path::Path;

/// The text on one line, with every unprintable character escaped as in Rust: `\u{1b}`,
/// `\t`, `\u{202e}`.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// The same, but keeps line breaks.
pub(crate) fn printable_lines(text: &str) -> Cow<'_, str> {
    escape(text, |character| character == '\n')
}

/// A path on one line, printable.
#[cfg(feature = "program")]
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// The first `most` characters of a text, followed by `…` if there are more. Nothing is escaped.
pub fn excerpt(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Names or other words as a list in a sentence: "a", "a and b", "a, b and c".
pub(crate) fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(T::as_ref).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Characters that `escape_debug` takes for printable but that show nothing: those with the
/// property Default_Ignorable_Code_Point (DerivedCoreProperties.txt of Unicode 17), and the
/// blank Braille pattern.
const INVISIBLE: [RangeInclusive<char>; 9] = [
    '\u{34f}'..='\u{34f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Whether a character is visible when printed and does not affect the others. The standard
/// library exposes this only through `escape_debug`. The character is put after a letter, so that
/// combining accents count as printable.
pub(crate) fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return matches!(character, ' '..='~');
    }
    if INVISIBLE.iter().any(|range| range.contains(&character)) {
        return false;
    }
    let text = format!("a{character}");
    text.escape_debug().eq(text.chars())
}

fn escape(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let shows = |character: char| is_printable(character) || stays(character);
    if text.chars().all(shows) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if shows(character) {
            escaped.push(character);
        } else if character.is_ascii() {
            escaped.extend(character.escape_debug());
        } else {
            escaped.extend(character.escape_unicode());
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_text_is_unchanged() {
        for text in ["", "c2-c3+c4", "é e\u{301} 日本語 \"\\'", "♜▲●"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn everything_else_is_escaped() {
        for (text, shown) in [
            (
                "\u{1b}[2J\u{1b}]0;title\u{7}",
                r"\u{1b}[2J\u{1b}]0;title\u{7}",
            ),
            // The same by one character of C1: CSI and OSC.
            ("\u{9b}2J\u{9d}0;title", r"\u{9b}2J\u{9d}0;title"),
            ("a\rb\tc\u{8}\u{7f}\0", r"a\rb\tc\u{8}\u{7f}\0"),
            ("\u{202e}txt.exe\u{2066}", r"\u{202e}txt.exe\u{2066}"),
            ("a\u{200b}b\u{feff}\u{2028}", r"a\u{200b}b\u{feff}\u{2028}"),
            ("b\u{34f}o\u{fe0f}b\u{180b}", r"b\u{34f}o\u{fe0f}b\u{180b}"),
            (
                "\u{3164}\u{115f}\u{ffa0}\u{2800}",
                r"\u{3164}\u{115f}\u{ffa0}\u{2800}",
            ),
            ("\u{e0100}\u{17b4}\u{a0}", r"\u{e0100}\u{17b4}\u{a0}"),
        ] {
            assert_eq!(printable(text), shown);
            assert_eq!(printable(&printable(text)), shown, "only once");
        }
    }

    #[test]
    fn an_excerpt_shows_that_it_is_cut() {
        assert_eq!(excerpt("déjà", 4), "déjà");
        assert_eq!(excerpt("déjà vu", 4), "déjà…");
        assert_eq!(excerpt("", 0), "");
    }

    #[test]
    fn line_breaks_are_kept_on_request() {
        assert_eq!(printable("a\nb"), r"a\nb");
        assert_eq!(shown(Path::new("a\nb/c")), r"a\nb/c");
        assert_eq!(printable_lines("a\nb\r\n"), "a\nb\\r\n");
    }
}
