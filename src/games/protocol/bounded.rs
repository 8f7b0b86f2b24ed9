//! The limits of a JSON value: its length, and its memory when parsed.
//!
//! A parsed value can take a hundred times the memory of its text: an object such as
//! `{"":0}` takes more than 600 bytes. So the number of its parts is limited: numbers,
//! strings, words, arrays and objects.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The maximum length of a value in bytes.
pub const LONGEST: usize = 1 << 20;

/// The maximum number of parts of a message. Boards and set-up arrays have fewer than a
/// hundred.
pub const MOST_PARTS: usize = 1000;

/// Parses a JSON text. If it has more than [`MOST_PARTS`] parts, only these keys are kept;
/// `None` if it still has too many.
///
/// # Errors
/// If the text is not JSON, or holds a number that is too large.
pub fn parse(text: &str, keys: &[&str]) -> Result<Option<Value>, serde_json::Error> {
    match read(text, None, MOST_PARTS)? {
        None => read(text, Some(keys), MOST_PARTS),
        tree => Ok(tree),
    }
}

/// Parses a JSON text; `None` if it has more than `most` parts.
///
/// # Errors
/// As [`parse`].
pub fn parse_whole(text: &str, most: usize) -> Result<Option<Value>, serde_json::Error> {
    read(text, None, most)
}

fn read(
    text: &str,
    keys: Option<&[&str]>,
    most: usize,
) -> Result<Option<Value>, serde_json::Error> {
    let left = Cell::new(Some(most));
    let tree = Tree { keys, left: &left };
    let mut source = serde_json::Deserializer::from_str(text);
    let parsed = tree.deserialize(&mut source);
    if left.get().is_none() {
        return Ok(None);
    }
    let tree = parsed?;
    source.end()?;
    Ok(Some(tree))
}

/// Builds a value.
#[derive(Clone, Copy)]
struct Tree<'a> {
    /// The keys to keep; `None` for all.
    keys: Option<&'a [&'a str]>,
    /// The number of further parts allowed; `None` once there were too many.
    left: &'a Cell<Option<usize>>,
}

impl Tree<'_> {
    fn keeps(&self, key: &str) -> bool {
        self.keys.is_none_or(|keys| keys.contains(&key))
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        let left = self.left.get().and_then(|left| left.checked_sub(1));
        self.left.set(left);
        match left {
            Some(_) => source.deserialize_any(self),
            None => Err(D::Error::custom("too many parts")),
        }
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if self.keeps(&key) {
                object.insert(key, entries.next_value_seed(self)?);
            } else {
                entries.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed(text: &str) -> Option<Value> {
        parse(text, &["a"]).unwrap()
    }

    /// An array of this many numbers.
    fn array(length: usize) -> Value {
        json!(vec![0; length])
    }

    #[test]
    fn small_values_are_kept_whole() {
        let value = json!({"a": [1, -2, 0.5, "x\n", null, true], "b": {"c": u64::MAX, "d": []}});
        assert_eq!(parsed(&value.to_string()), Some(value));
        let most = array(MOST_PARTS - 1);
        assert_eq!(parsed(&most.to_string()), Some(most));
        assert_eq!(parsed(&array(MOST_PARTS).to_string()), None);
    }

    #[test]
    fn of_large_values_only_the_given_keys_are_kept() {
        let value = json!({"a": {"a": 1, "b": 2}, "b": array(MOST_PARTS)});
        assert_eq!(parsed(&value.to_string()), Some(json!({"a": {"a": 1}})));
        let value = json!({"a": [array(MOST_PARTS)]});
        assert_eq!(parsed(&value.to_string()), None);
    }

    #[test]
    fn invalid_texts_are_errors() {
        for text in ["[1", "[1] 2", "[1e999]", r#"["\ud800"]"#] {
            assert!(parse(text, &[]).is_err(), "{text}");
        }
    }
}
