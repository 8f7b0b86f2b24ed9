//! Finding JSON values in a stream. Any split of the stream gives the same values. No input
//! makes the reader panic, hang or keep more than a few MiB. Good values after bad ones are
//! found.
//!
//! | tested | where |
//! |---|---|
//! | which values are found, what is said about the others | `values.rs` |
//! | good values after unfinished and long ones | `unfinished.rs` |
//! | random streams, cut and damaged | `random.rs` |

mod random;
mod unfinished;
mod values;

use santorini::protocol::stream::{BadInput, Framed, Framer, InputFault};
use serde_json::{Value, json};

type Found = Result<Framed, BadInput>;

/// Everything found in a stream that is pushed piece by piece.
fn frame<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Found> {
    let mut framer = Framer::new();
    let mut found = Vec::new();
    for piece in pieces {
        framer.push(piece);
        found.extend(std::iter::from_fn(|| framer.take()));
    }
    framer.end();
    found.extend(std::iter::from_fn(|| framer.take()));
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

fn fault(found: &Found) -> &InputFault {
    &found.as_ref().unwrap_err().fault
}

/// A good value that holds this number.
fn marked(number: usize) -> Value {
    json!([{"good": number}])
}

/// Checks that the first `count` marked values were found, each once and in order. Returns
/// the faults.
fn expect_marked(found: &[Found], count: usize, what: &str) -> Vec<InputFault> {
    let numbers = |value: &&Value| value[0]["good"].as_u64();
    let good = good_values(found);
    let good: Vec<u64> = good.iter().filter_map(numbers).collect();
    assert_eq!(good, (0..count as u64).collect::<Vec<_>>(), "{what}");
    found
        .iter()
        .filter(|it| it.is_err())
        .map(fault)
        .cloned()
        .collect()
}

/// The beginning of a text, for messages.
fn beginning(text: &str) -> String {
    text.chars().take(20).collect()
}
