//! Which values are found, and what is said about the others.

use santorini::protocol::stream::{Framer, InputFault, LONGEST, ValueReader};
use serde_json::{Value, json};

use super::{fault, found_in, frame, good_values};

#[test]
fn values_need_no_white_space_between_them() {
    let board = json!({"players":[[[1,1],[1,2]],[[2,1],[2,2]]],"spaces":[[0]],"turn":0});
    let text = format!("[][] {board}{board}\n\n \t\r\n[[[1,1],\n[2,2]]]");
    assert_eq!(
        found_in(&text),
        [
            json!([]),
            json!([]),
            board.clone(),
            board,
            json!([[[1, 1], [2, 2]]])
        ]
    );
}

#[test]
fn a_byte_order_mark_is_skipped_only_at_the_start() {
    let marked = b"\xef\xbb\xbf [1] \xef\xbb\xbf[2]\n[3]";
    for found in [
        frame([&marked[..]]),
        frame(marked.iter().map(std::slice::from_ref)),
    ] {
        assert_eq!(good_values(&found), [&json!([1]), &json!([3])]);
        let bad = found[1].as_ref().unwrap_err().to_string();
        assert_eq!(
            bad,
            "line 1, column 6: not JSON: expected a value, found byte 0xef"
        );
    }
    let part = frame([&b"\xef\xbb"[..]]);
    assert!(matches!(&part[..], [Err(_)]), "{part:?}");
}

#[test]
fn a_value_is_found_at_its_closing_bracket() {
    let mut framer = Framer::new();
    framer.push(b"[1,[2]");
    assert_eq!(framer.take(), None);
    framer.push(b"]");
    assert_eq!(framer.take().unwrap().unwrap().value, json!([1, [2]]));
    assert_eq!(framer.take(), None);
}

#[test]
fn a_reader_does_not_wait_for_bytes_after_a_value() {
    struct Once(bool);
    impl std::io::Read for Once {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            assert!(!std::mem::replace(&mut self.0, true), "read once more");
            buffer[..4].copy_from_slice(b"[][]");
            Ok(4)
        }
    }
    let mut reader = ValueReader::new(Once(false));
    for _ in 0..2 {
        let framed = reader.read().unwrap().unwrap().unwrap();
        assert_eq!(framed.value, json!([]));
    }
}

#[test]
fn locations_count_lines_and_characters() {
    let found = frame(["[]\n \"ä\" [1]\n\n  []".as_bytes()]);
    let places: Vec<String> = found
        .iter()
        .map(|found| match found {
            Ok(framed) => framed.at.to_string(),
            Err(bad) => bad.at.to_string(),
        })
        .collect();
    assert_eq!(
        places,
        [
            "line 1, column 1",
            "line 2, column 2",
            "line 2, column 6",
            "line 4, column 3"
        ]
    );
}

#[test]
fn bad_text_is_skipped_to_the_end_of_its_line() {
    for (text, expected) in [
        (
            "hello [] \n[1]",
            json!([
                "line 1, column 1: not JSON: expected a value, found 'h'",
                [1]
            ]),
        ),
        (
            "[1,,2] []\n[2]",
            json!([
                "line 1, column 4: not JSON: expected a value, found ','",
                [2]
            ]),
        ),
        (
            "] []\n[3]",
            json!([
                "line 1, column 1: not JSON: expected a value, found ']'",
                [3]
            ]),
        ),
        // The next line is not part of an unfinished value.
        (
            "[[1,2\n[4]\n[5]",
            json!([
                "line 2, column 1: not JSON: expected a comma or ], found '['",
                [4],
                [5]
            ]),
        ),
        (
            "[\"open\n[6]",
            json!([
                "line 1, column 7: not JSON: expected the closing quote, found byte 0x0a",
                [6]
            ]),
        ),
        (
            "{\"a\":\n[7]\n",
            json!([
                "line 3, column 1: not JSON: the input ends inside a value",
                [7]
            ]),
        ),
        // Bad text is reported only once.
        (
            "[1,\n,2]\n[8]",
            json!([
                "line 2, column 1: not JSON: expected a value, found ','",
                [8]
            ]),
        ),
    ] {
        assert_eq!(Value::Array(found_in(text)), expected, "{text:?}");
    }
}

#[test]
fn a_bare_number_string_or_word_is_skipped() {
    for bare in ["5", "-1.5e3", "\"[]\"", "true", "null"] {
        let found = found_in(&format!("{bare} [1]\n[2]{bare}"));
        assert_eq!(found[1..3], [json!([1]), json!([2])], "{bare}");
        for bad in [&found[0], &found[3]] {
            assert!(
                bad.as_str()
                    .unwrap()
                    .contains("expected an array or an object")
            );
        }
    }
}

#[test]
fn text_that_is_not_unicode_and_large_numbers_are_skipped() {
    for (stream, place) in [
        (&b"[\"\xff\"] []\n[1]"[..], [1, 3]),
        (b"[1e999] [1]", [1, 6]),
        ("[\"\u{e4}\",\n \"\\ud800\"] [1]".as_bytes(), [2, 9]),
    ] {
        let found = frame([stream]);
        assert!(matches!(fault(&found[0]), InputFault::Unreadable(_)));
        let at = found[0].as_ref().unwrap_err().at;
        assert_eq!([at.line, at.column], place);
        assert_eq!(good_values(&found), [&json!([1])]);
    }
}

#[test]
fn a_value_may_be_one_mebibyte_long_and_no_longer() {
    let padded = |length: usize| format!("[{}]", " ".repeat(length - 2));
    let found = found_in(&format!("{}{}", padded(LONGEST), padded(LONGEST)));
    assert_eq!(found, [json!([]), json!([])]);
    for filler in [" ", "\n", "[],\n"] {
        let long = format!("[{}0]", filler.repeat((LONGEST / filler.len()) + 1));
        let found = frame([format!("{long}[1]\n").as_bytes()]);
        assert_eq!(*fault(&found[0]), InputFault::TooLong);
        assert_eq!(good_values(&found), [&json!([1])], "{filler:?}");
    }
}

#[test]
fn a_value_may_be_64_deep_and_no_deeper() {
    let deep = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(found_in(&deep(64)).len(), 1);
    assert!(found_in(&deep(64))[0].is_array());
    let found = frame([format!("{}[\"]\\\"\"][1]", deep(65)).as_bytes()]);
    assert_eq!(*fault(&found[0]), InputFault::TooDeep);
    assert_eq!(good_values(&found), [&json!(["]\""]), &json!([1])]);
}

#[test]
fn endless_brackets_are_one_bad_value() {
    for depth in [65, 100_000, 3 * LONGEST] {
        let found = frame([format!("{}\n[1]", "[".repeat(depth)).as_bytes()]);
        assert_eq!(found.len(), 2, "{depth} brackets");
        assert_eq!(good_values(&found), [&json!([1])]);
    }
}
