//! Boards typed or pasted by people: in JSON, or as one line of text.

use serde::de::IgnoredAny;

use super::bounded::parse;
use super::exchange::{KEYS, read_any_board};
use crate::rules::{AnyPosition, PositionTextError};

/// Reads a board. Text that begins with a digit is the one-line form, anything else JSON.
///
/// # Errors
/// If the text is not a board; the message says why.
pub(crate) fn read_written_board(text: &str) -> Result<AnyPosition, String> {
    let text = text.trim();
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return text
            .parse()
            .map_err(|error: PositionTextError| error.to_string());
    }
    let wrong = match parse(text, &KEYS) {
        Ok(Some(value)) => return read_any_board(&value).map_err(|error| error.to_string()),
        Ok(None) => "it has far more parts than a board".to_string(),
        Err(_) if text.is_empty() => "it is empty".to_string(),
        Err(_) if begins_with_json(text) => {
            "more text follows the first JSON value; give one board only, such as one line of a \
             file (`sed -n 5p FILE`)"
                .to_string()
        }
        Err(error) if text.starts_with('{') => format!("not JSON: {error}"),
        Err(_) => "it is not a board".to_string(),
    };
    Err(format!(
        "{wrong}; a board is {{\"players\":…,\"spaces\":…,\"turn\":…}}, or a line like \
         00000/00000/00000/00000/00000 b3d3 c2c4 0"
    ))
}

fn begins_with_json(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next().is_some_and(|first| first.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_in_json_and_as_a_line_are_equal() {
        let json = r#"{"players":[[[3,2],[3,4]],[[2,3],[4,3]]],"turn":1,"more":{"a":[1,2]},
            "spaces":[[0,0,0,0,0],[0,0,0,1,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]}"#;
        let line = " 00000/00010/00000/00000/00000 b3d3 c2c4 1\n";
        let board = read_written_board(line).unwrap();
        assert_eq!(read_written_board(json).unwrap(), board);
        let six = "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0 Pan Atlas";
        let six = read_written_board(six).unwrap();
        assert!(matches!(six, AnyPosition::Six(_)));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let many = format!("{{\"players\":[{}0]}}", "0,".repeat(2000));
        for (text, words) in [
            ("", "it is empty; a board is {\"players\""),
            ("{", "not JSON"),
            (
                "{}\n{}",
                "give one board only, such as one line of a file (`sed -n 5p FILE`); a board is",
            ),
            ("b3d3", "it is not a board; a board is {\"players\""),
            (&many, "far more parts than a board"),
            ("{\"players\":[],\"turn\":0,\"spaces\":[]}", "5 rows"),
            ("[]", "expected a board"),
            ("00000/00000/00000/00000/00000 a1a1 b2b3 0", "two workers"),
            (
                "00000/00000/00000/00000/00000 a1a2 b2b3 0 Pan Pan",
                "must differ",
            ),
            ("00000/00000/00000/00000/00000 a1a2 b2b3 0 Pan Zeus", "Zeus"),
        ] {
            let error = read_written_board(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
