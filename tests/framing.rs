//! Tests of finding JSON values in a stream. Any split of the stream gives the same values.
//! No input makes the reader panic, hang or keep more than a few MiB. Good values after bad
//! ones are found.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use santorini::protocol::stream::{BadInput, Framed, Framer, InputFault, LONGEST, ValueReader};
use serde_json::{Value, json};

use crate::properties::cases;

type Found = Result<Framed, BadInput>;

fn take_all(framer: &mut Framer, found: &mut Vec<Found>) {
    found.extend(std::iter::from_fn(|| framer.take()));
}

/// Everything found in a stream that is pushed piece by piece.
fn frame<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Found> {
    let mut framer = Framer::new();
    let mut found = Vec::new();
    for piece in pieces {
        framer.push(piece);
        take_all(&mut framer, &mut found);
    }
    framer.end();
    take_all(&mut framer, &mut found);
    found
}

/// Everything found in a text: values unchanged, bad input as its message.
fn found_in(text: &str) -> Vec<Value> {
    let show = |found: Found| match found {
        Ok(framed) => framed.value,
        Err(bad) => Value::String(bad.to_string()),
    };
    frame([text.as_bytes()]).into_iter().map(show).collect()
}

fn good_values(found: &[Found]) -> Vec<&Value> {
    let values = found.iter().filter_map(|found| found.as_ref().ok());
    values.map(|framed| &framed.value).collect()
}

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
fn text_that_is_not_unicode_is_not_json() {
    let found = frame([b"[\"\xff\"] []\n[1]".as_slice()]);
    assert!(matches!(
        &found[0],
        Err(BadInput {
            fault: InputFault::Unreadable(_),
            ..
        })
    ));
    assert_eq!(good_values(&found), [&json!([1])]);
}

#[test]
fn a_number_that_is_too_large_is_skipped() {
    let found = frame([b"[1e999] [1]".as_slice()]);
    assert!(matches!(
        &found[0],
        Err(BadInput {
            fault: InputFault::Unreadable(_),
            ..
        })
    ));
    assert_eq!(good_values(&found), [&json!([1])]);
}

#[test]
fn a_value_may_be_one_mebibyte_long_and_no_longer() {
    let padded = |length: usize| format!("[{}]", " ".repeat(length - 2));
    let found = found_in(&format!("{}{}", padded(LONGEST), padded(LONGEST)));
    assert_eq!(found, [json!([]), json!([])]);
    for filler in [" ", "\n", "[],\n"] {
        let long = format!("[{}0]", filler.repeat((LONGEST / filler.len()) + 1));
        let found = frame([format!("{long}[1]\n").as_bytes()]);
        assert!(matches!(
            &found[0],
            Err(BadInput {
                fault: InputFault::TooLong,
                ..
            })
        ));
        assert_eq!(good_values(&found), [&json!([1])], "{filler:?}");
    }
}

#[test]
fn a_value_may_be_64_deep_and_no_deeper() {
    let deep = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(found_in(&deep(64)).len(), 1);
    assert!(found_in(&deep(64))[0].is_array());
    let found = frame([format!("{}[\"]\\\"\"][1]", deep(65)).as_bytes()]);
    assert!(matches!(
        &found[0],
        Err(BadInput {
            fault: InputFault::TooDeep,
            ..
        })
    ));
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

/// A good value that holds this number.
fn marked(number: usize) -> Value {
    json!([{"good": number}])
}

/// Checks that the first `count` marked values were found, each once and in order; returns
/// the faults.
fn expect_marked(found: &[Found], count: usize, what: &str) -> Vec<InputFault> {
    let numbers = |value: &&Value| value[0]["good"].as_u64();
    let good = good_values(found);
    let good: Vec<u64> = good.iter().filter_map(numbers).collect();
    assert_eq!(good, (0..count as u64).collect::<Vec<_>>(), "{what}");
    let bad = found.iter().filter_map(|found| found.as_ref().err());
    bad.map(|bad| bad.fault.clone()).collect()
}

/// The beginning of a text, for messages.
fn beginning(text: &str) -> String {
    text.chars().take(20).collect()
}

#[test]
fn good_values_after_an_unfinished_long_value_are_found() {
    let fill = |filler: &str, length: usize| filler.repeat(length / filler.len());
    let goods = format!("\n{}\n{}\n", marked(0), marked(1));
    for (begin, filler, end) in [
        ("[[", "0,", "0]"),
        ("[", "0,", "0"),
        ("[", "[0],", ""),
        ("[", "[0],\n", ""),
        ("[", " ", ""),
        ("[\n", "\n", ""),
        ("[\"", "x", ""),
        ("[\"", "x", "\\"),
        ("{\"a\":", "0", ""),
        ("{\"a\":", " ", ""),
        ("{", "\"a\":{},\n", "\"b\":"),
        ("{", "\"a\":{},\n", "\"b\""),
        ("[{\n\"a\":[\n{\n", "\"b\":[0,[1]],", "\"b\":["),
    ] {
        for length in [LONGEST - 5, LONGEST + 1, 2 * LONGEST, 5 * LONGEST] {
            let stream = format!("{begin}{}{end}{goods}", fill(filler, length));
            let what = format!("{begin}, {filler} and {end}, {length} bytes");
            for chunk in [stream.len(), 1 << 16, 997] {
                let found = frame(stream.as_bytes().chunks(chunk));
                let bad = expect_marked(&found, 2, &what);
                assert_eq!(bad.len(), 1, "{what}: {bad:?}");
            }
        }
    }
}

#[test]
fn a_value_of_maximum_length_is_found_after_an_unfinished_one() {
    let short = marked(0).to_string();
    let space = " ".repeat(LONGEST - short.len());
    let long = short.replacen('[', &format!("[{space}"), 1);
    assert_eq!(long.len(), LONGEST);
    let stream = format!("[{}\n{long}\n{}", "0,".repeat(LONGEST), marked(1));
    let found = frame(stream.as_bytes().chunks(1 << 16));
    assert_eq!(expect_marked(&found, 2, "long"), [InputFault::TooLong]);
}

#[test]
fn a_long_json_value_is_skipped_as_a_whole() {
    for filler in ["[],\n", "\n", "\"\\\"]\","] {
        let filler = filler.repeat(5 * LONGEST / filler.len());
        let stream = format!("[\n{filler}0]{}\n", marked(0));
        for chunk in [stream.len(), 1 << 16] {
            let found = frame(stream.as_bytes().chunks(chunk));
            assert_eq!(found.len(), 2, "{}", beginning(&filler));
            assert_eq!(expect_marked(&found, 1, "long"), [InputFault::TooLong]);
        }
    }
}

#[test]
fn a_good_value_is_not_too_deep_after_an_unfinished_one() {
    for depth in [61, 62, 63, 64, 65, 1000] {
        let open = "[".repeat(depth);
        let by_lines = "[\n".repeat(depth);
        for begin in [&open, &by_lines, &format!("[0,\n{open}")] {
            let stream = format!("{begin}\n{}\n{}\n", marked(0), marked(1));
            let bad = expect_marked(&frame([stream.as_bytes()]), 2, &stream);
            assert!(bad.len() <= 2, "{depth}: {bad:?}");
        }
    }
}

/// A time limit far above what anything here takes, even on a busy machine.
const HANG: Duration = Duration::from_secs(60);

#[test]
fn no_text_takes_quadratic_time() {
    let nested = format!("{}{}", "[\n".repeat(63), "0,\n".repeat(LONGEST / 4));
    for (text, chunk) in [
        ("[\n".repeat(LONGEST), 1 << 16),
        ("[0,\n".repeat(LONGEST), 1 << 16),
        ("{\"a\":\n".repeat(LONGEST), 1 << 16),
        (nested.repeat(3), 1 << 16),
        // The kept part of a long value must not be moved for each byte.
        (format!("[{}", "0,".repeat(2 * LONGEST)), 1),
        (format!("[{}", "0,\n".repeat(2 * LONGEST)), 1),
    ] {
        let stream = format!("{text}\n{}\n{}\n", marked(0), marked(1));
        let start = Instant::now();
        let found = frame(stream.as_bytes().chunks(chunk));
        let what = beginning(&text);
        assert!(start.elapsed() < HANG, "{what}: {:?}", start.elapsed());
        expect_marked(&found, 2, &what);
    }
}

/// JSON values of all kinds inside an array or object.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Eighths are exact in binary and have few decimals.
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        r#"[\[\]{},:"\\ a-zé🙂\n]{0,8}"#.prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(r#"[a-z\["]{0,4}"#, inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    value.prop_map(|value| match value {
        Value::Array(_) | Value::Object(_) => value,
        bare => json!([bare]),
    })
}

/// A stream of values with or without white space between them, some printed over many
/// lines.
fn streams() -> impl Strategy<Value = (Vec<Value>, Vec<u8>)> {
    prop::collection::vec((values(), any::<bool>(), r"[ \t\r\n]{0,3}"), 0..6).prop_map(|parts| {
        let mut stream = Vec::new();
        for (value, pretty, space) in &parts {
            if *pretty {
                serde_json::to_writer_pretty(&mut stream, value).unwrap();
            } else {
                serde_json::to_writer(&mut stream, value).unwrap();
            }
            stream.extend_from_slice(space.as_bytes());
        }
        (parts.into_iter().map(|(value, ..)| value).collect(), stream)
    })
}

/// Cuts a stream at positions given as shares of its length.
fn pieces<'a>(stream: &'a [u8], cuts: &[f64]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts
        .iter()
        .map(|cut| (cut * stream.len() as f64) as usize)
        .collect();
    places.extend([0, stream.len()]);
    places.sort_unstable();
    places
        .windows(2)
        .map(|ends| &stream[ends[0]..ends[1]])
        .collect()
}

/// Damages a stream: each change replaces a byte, inserts one or removes some.
fn mutate(mut stream: Vec<u8>, changes: &[(f64, u8, u8)]) -> Vec<u8> {
    const LIKELY: &[u8] = b"[]{},:\"\\0-.e tn\n\xc3";
    for &(place, kind, byte) in changes {
        let place = (place * stream.len() as f64) as usize;
        let byte = if kind & 4 == 0 {
            LIKELY[byte as usize % LIKELY.len()]
        } else {
            byte
        };
        match kind & 3 {
            0 if place < stream.len() => stream[place] = byte,
            1 if place < stream.len() => {
                let end = stream.len().min(place + 1 + byte as usize % 8);
                stream.drain(place..end);
            }
            2 => stream.truncate(place),
            _ => stream.insert(place, byte),
        }
    }
    stream
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_split_of_a_valid_stream_gives_its_values(
        (values, stream) in streams(),
        cuts in prop::collection::vec(0.0..1.0, 0..12),
    ) {
        for found in [frame(pieces(&stream, &cuts)), frame(stream.chunks(1))] {
            prop_assert_eq!(found.iter().filter(|found| found.is_err()).count(), 0);
            prop_assert_eq!(good_values(&found), values.iter().collect::<Vec<_>>());
        }
    }
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn damaged_streams_do_not_panic_or_hang(
        (_, stream) in streams(),
        changes in prop::collection::vec((0.0..1.0, any::<u8>(), any::<u8>()), 1..6),
        cuts in prop::collection::vec(0.0..1.0, 0..6),
    ) {
        let stream = mutate(stream, &changes);
        let whole = frame([stream.as_slice()]);
        prop_assert_eq!(&frame(pieces(&stream, &cuts)), &whole);
        prop_assert_eq!(&frame(stream.chunks(1)), &whole);
        // A value on a line of its own is still found afterwards, unless an open bracket
        // includes it up to the end of input.
        let mut followed = stream;
        followed.extend_from_slice(b"\n[\"last\"]\n");
        let found = frame([followed.as_slice()]);
        prop_assert!(good_values(&found).iter().any(|value| holds_last(value)));
    }
}

/// Mostly invalid text that may be long: opening brackets, a repeated part, and an end.
fn bad_texts() -> impl Strategy<Value = String> {
    let opening = prop::sample::select(vec!["[", "[\n", "{\"a\":", "{\"a\":\n", "[0,", "[[],\n"]);
    let begin = prop_oneof![
        9 => prop::collection::vec(opening.clone(), 0..4),
        1 => prop::collection::vec(opening, 55..75),
    ];
    let filler = prop::sample::select(vec![
        "0,", "[],", "[0],\n", "0,\n", " ", "\n", "x", "[", "\"a\",\n",
    ]);
    let length = prop_oneof![
        19 => 0..20usize,
        1 => prop::sample::select(vec![LONGEST - 7, LONGEST, LONGEST + 7, 3 * LONGEST]),
    ];
    let end = r#"(\[|\]|\{|\}|"a":|"|\\|,|1|true|x|\n){0,5}"#;
    (begin, filler, length, end).prop_map(|(begin, filler, length, end)| {
        begin.concat() + &filler.repeat(length / filler.len()) + &end
    })
}

/// A marked value printed in one of several ways.
fn print_marked(number: usize, way: u8) -> String {
    match way % 8 {
        0 => format!("{:#}", marked(number)),
        1 => marked(number)
            .to_string()
            .replace('{', &format!("{{{}", "\n".repeat(99_999))),
        _ => marked(number).to_string(),
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Two values on lines of their own always end whatever was begun before them.
    #[test]
    fn two_good_values_are_found_after_any_bad_text(
        segments in prop::collection::vec((bad_texts(), any::<u8>(), any::<u8>()), 1..4),
        cuts in prop::collection::vec(0.0..1.0, 0..6),
        length in 1..5000usize,
    ) {
        let mut stream = String::new();
        for (number, (bad, first, second)) in segments.iter().enumerate() {
            let first = print_marked(2 * number, *first);
            let second = print_marked(2 * number + 1, *second);
            stream += &format!("{bad}\n{first}\n{second}\n");
        }
        let whole = frame([stream.as_bytes()]);
        expect_marked(&whole, 2 * segments.len(), &beginning(&stream));
        prop_assert!(whole == frame(pieces(stream.as_bytes(), &cuts)));
        prop_assert!(whole == frame(stream.as_bytes().chunks(length)));
    }
}

/// Whether the last line of a stream was read, by itself or as the end of an open value.
fn holds_last(value: &Value) -> bool {
    value == &json!(["last"])
        || match value {
            Value::Array(items) => items.iter().any(holds_last),
            Value::Object(map) => map.values().any(holds_last),
            _ => false,
        }
}
