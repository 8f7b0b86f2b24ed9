//! Random streams, cut into pieces and damaged.

use proptest::prelude::*;
use santorini::protocol::stream::LONGEST;
use serde_json::{Value, json};

use super::{beginning, expect_marked, frame, good_values, marked};
use crate::properties::{cases, texts};

/// JSON values of all kinds inside an array or object.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Eighths are exact in binary and have few decimals.
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        texts(r#"[\[\]{},:"\\ a-zé🙂\n]{0,8}"#).prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(texts(r#"[a-z\["]{0,4}"#), inner, 0..5)
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
    let part = (values(), any::<bool>(), texts(r"[ \t\r\n]{0,3}"));
    prop::collection::vec(part, 0..6).prop_map(|parts| {
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
    (begin, filler, length, texts(end)).prop_map(|(begin, filler, length, end)| {
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
