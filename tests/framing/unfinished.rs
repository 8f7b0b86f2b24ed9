//! Good values after unfinished and long ones.

use std::time::{Duration, Instant};

use santorini::protocol::stream::{InputFault, LONGEST};

use super::{beginning, expect_marked, frame, marked};

/// The time to read a text of a few values' length, even on a busy machine.
const LONGEST_TIME: Duration = Duration::from_secs(60);

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
        assert!(
            start.elapsed() < LONGEST_TIME,
            "{what}: {:?}",
            start.elapsed()
        );
        expect_marked(&found, 2, &what);
    }
}
