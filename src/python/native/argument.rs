//! Reads arguments passed from Python. An error names the argument, its value and what
//! is expected: TypeError for a wrong type, ValueError for an invalid value.

use std::borrow::Cow;
use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyOverflowError, PyTypeError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyIterator, PySequence, PyString};
use santorini::printable::excerpt;
use santorini::protocol::bounded::parse_whole;
use serde_json::Value;

use crate::position::Position;

/// An argument that is not read yet.
pub type Argument<'py> = Bound<'py, PyAny>;

/// Maximum letters of a value shown in an error.
const LONGEST: usize = 60;

/// Maximum parts of a JSON value, see [`parse_whole`]; more than any record has.
const MOST_PARTS: usize = 100_000;

/// Maximum time for an answer in seconds; a clock can represent it.
const MOST_SECONDS: f64 = 1e9;

/// A pair of names, returned to Python as a tuple.
pub type Names = (String, String);

/// A text shortened for an error.
pub fn shown(text: &str) -> String {
    excerpt(text, LONGEST)
}

/// A value as shown in an error: the value if it is simple, else its type.
fn value_text(given: &Argument<'_>) -> String {
    let of_type = || {
        let name = given.get_type().name();
        let name = name.map_or_else(|_| "unknown type".into(), |name| name.to_string());
        format!("an object of type {name}")
    };
    if let Ok(text) = given.cast::<PyString>() {
        return match text.to_cow() {
            Ok(text) => format!("{:?}", shown(&text)),
            Err(_) => "a text with surrogates".into(),
        };
    }
    let is_simple = given.is_none()
        || given.is_instance_of::<PyBool>()
        || given.is_instance_of::<PyInt>()
        || given.is_instance_of::<PyFloat>();
    let text = is_simple.then(|| given.repr().ok()?.to_cow().ok().map(|it| shown(&it)));
    text.flatten().unwrap_or_else(of_type)
}

/// The error of an argument with a wrong type.
pub fn wrong_type(name: &str, given: &Argument<'_>, right: impl Display) -> PyErr {
    let value = value_text(given);
    PyTypeError::new_err(format!("{name} is {value}; it should be {right}"))
}

/// The error of an argument with an invalid value.
pub fn wrong_value(name: &str, given: &Argument<'_>, right: impl Display) -> PyErr {
    let value = value_text(given);
    PyValueError::new_err(format!("{name} is {value}; it should be {right}"))
}

/// Any other error of an argument.
pub fn wrong(name: &str, error: impl Display) -> PyErr {
    PyValueError::new_err(format!("{name}: {error}"))
}

/// The error of reading a simple argument: wrong type, invalid value, or an exception
/// raised by the argument itself.
fn unreadable(name: &str, given: &Argument<'_>, error: PyErr, right: impl Display) -> PyErr {
    let py = given.py();
    if error.is_instance_of::<PyTypeError>(py) {
        wrong_type(name, given, right)
    } else if error.is_instance_of::<PyOverflowError>(py)
        || error.is_instance_of::<PyUnicodeError>(py)
    {
        wrong_value(name, given, right)
    } else {
        error
    }
}

/// A whole number.
pub fn whole<T>(name: &str, given: &Argument<'_>, range: RangeInclusive<T>) -> PyResult<T>
where
    T: TryFrom<i128> + PartialOrd + Display,
{
    let right = || format!("a whole number from {} to {}", range.start(), range.end());
    let number: i128 =
        (given.extract()).map_err(|error| unreadable(name, given, error, right()))?;
    let number = T::try_from(number).ok();
    let number = number.filter(|number| range.contains(number));
    number.ok_or_else(|| wrong_value(name, given, right()))
}

/// A whole number, or the default if it is not passed.
pub fn whole_or<T>(
    name: &str,
    given: Option<&Argument<'_>>,
    default: T,
    range: RangeInclusive<T>,
) -> PyResult<T>
where
    T: TryFrom<i128> + PartialOrd + Display,
{
    given.map_or(Ok(default), |given| whole(name, given, range))
}

/// A seed, by default 0.
pub fn seed(name: &str, given: Option<&Argument<'_>>) -> PyResult<u64> {
    whole_or(name, given, 0, 0..=u64::MAX)
}

/// The number of rows of a board: 5, the default, or 6.
pub fn size(given: Option<&Argument<'_>>) -> PyResult<usize> {
    whole_or("size", given, 5, 5..=6)
}

/// A number.
pub fn real(name: &str, given: &Argument<'_>) -> PyResult<f64> {
    (given.extract()).map_err(|error| unreadable(name, given, error, "a number"))
}

/// A time in seconds.
pub fn seconds(name: &str, given: &Argument<'_>) -> PyResult<Duration> {
    let seconds = real(name, given)?;
    let possible = Some(seconds).filter(|seconds| *seconds > 0.0 && *seconds <= MOST_SECONDS);
    let time = possible.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| {
        PyValueError::new_err(format!(
            "{name} is {seconds}; a time is greater than 0 and at most {MOST_SECONDS}"
        ))
    })
}

/// A flag.
pub fn flag(name: &str, given: Option<&Argument<'_>>, default: bool) -> PyResult<bool> {
    let read = |given: &Argument<'_>| {
        (given.extract()).map_err(|error| unreadable(name, given, error, "True or False"))
    };
    given.map_or(Ok(default), read)
}

/// A text.
pub fn text<'a>(name: &str, given: &'a Argument<'_>) -> PyResult<Cow<'a, str>> {
    const RIGHT: &str = "a text (str)";
    let text = given.cast::<PyString>();
    let text = text.map_err(|_| wrong_type(name, given, RIGHT))?;
    (text.to_cow()).map_err(|error| unreadable(name, given, error, "a text without surrogates"))
}

/// A tuple, a list or another sequence, but not a text.
fn sequence<'a, 'py>(
    name: &str,
    given: &'a Argument<'py>,
    right: &str,
) -> PyResult<&'a Bound<'py, PySequence>> {
    let sequence = given.cast::<PySequence>().ok().filter(|_| !is_text(given));
    sequence.ok_or_else(|| wrong_type(name, given, right))
}

/// The items of an argument, but not the letters of a text.
pub fn items<'py>(
    name: &str,
    given: &Argument<'py>,
    right: &str,
) -> PyResult<Bound<'py, PyIterator>> {
    let items = given.try_iter().ok().filter(|_| !is_text(given));
    items.ok_or_else(|| wrong_type(name, given, right))
}

/// Whether an argument is a str or bytes, which are sequences too.
fn is_text(given: &Argument<'_>) -> bool {
    given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>()
}

/// A pair of names, such as the `example`: a tuple, a list or another sequence.
pub fn pair(name: &str, given: &Argument<'_>, example: &str) -> PyResult<Names> {
    let right = format!("two names, such as {example}");
    let sequence = sequence(name, given, &right)?;
    if sequence.len()? != 2 {
        let count = sequence.len()?;
        return Err(PyValueError::new_err(format!(
            "{name} has {count} items; it should be {right}"
        )));
    }
    let item = |index| owned_text(&format!("{name}[{index}]"), &sequence.get_item(index)?);
    Ok((item(0)?, item(1)?))
}

/// A text as a String.
pub fn owned_text(name: &str, given: &Argument<'_>) -> PyResult<String> {
    Ok(text(name, given)?.into_owned())
}

/// A list, each item read with its own name.
pub fn list<T>(
    name: &str,
    given: &Argument<'_>,
    right: &str,
    read: impl Fn(&str, &Argument<'_>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let sequence = sequence(name, given, right)?;
    let item = |index: usize| read(&format!("{name}[{index}]"), &sequence.get_item(index)?);
    (0..sequence.len()?).map(item).collect()
}

/// A position.
pub fn position<'a>(name: &str, given: &'a Argument<'_>) -> PyResult<&'a Position> {
    let position = given.cast::<Position>();
    let position = position.map_err(|_| wrong_type(name, given, "a Position"))?;
    Ok(position.get())
}

/// A callable, if passed.
pub fn callable(name: &str, given: Option<&Argument<'_>>) -> PyResult<Option<Py<PyAny>>> {
    match given {
        None => Ok(None),
        Some(given) if given.is_callable() => Ok(Some(given.clone().unbind())),
        Some(given) => Err(wrong_type(name, given, "a function")),
    }
}

/// The path of a file: str, bytes or a `pathlib` path.
pub fn path(name: &str, given: &Argument<'_>) -> PyResult<PathBuf> {
    let right = "a path (str or os.PathLike)";
    let decoded = given.py().import("os")?.call_method1("fsdecode", (given,));
    let path = decoded.and_then(|path| path.extract::<PathBuf>());
    let path = path.map_err(|error| unreadable(name, given, error, right))?;
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(wrong_value(name, given, "a path without null characters"));
    }
    Ok(path)
}

/// The OSError of a file, such as `FileNotFoundError`, with its errno and file name.
pub fn file_error(path: &Path, error: &io::Error) -> PyErr {
    let file = path.as_os_str().to_owned();
    match error.raw_os_error().or_else(|| number_of(error.kind())) {
        Some(number) => {
            let what = error.to_string();
            let what = what.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((number, what.to_owned(), file))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

/// The errno of some kinds of errors whose cause has none.
fn number_of(kind: io::ErrorKind) -> Option<i32> {
    match kind {
        io::ErrorKind::NotFound => Some(2),
        io::ErrorKind::PermissionDenied => Some(13),
        io::ErrorKind::AlreadyExists => Some(17),
        io::ErrorKind::NotADirectory => Some(20),
        io::ErrorKind::IsADirectory => Some(21),
        _ => None,
    }
}

/// The JSON value of a JSON string, or of a dict as `json.loads` returns it. Any other
/// argument is a TypeError that expects `right`.
pub fn json(name: &str, given: &Argument<'_>, right: &str) -> PyResult<Value> {
    let written;
    let text = if given.is_instance_of::<PyString>() {
        text(name, given)?
    } else if given.is_instance_of::<PyDict>() {
        let json = given.py().import("json")?;
        written =
            (json.call_method1("dumps", (given,))).map_err(|error| not_json(name, given, error))?;
        text(name, &written)?
    } else {
        return Err(wrong_type(name, given, right));
    };
    let value = parse_whole(&text, MOST_PARTS)
        .map_err(|error| PyValueError::new_err(format!("{name} is not JSON: {error}")))?;
    value.ok_or_else(|| {
        let why = format!("{name} has more than {MOST_PARTS} numbers, texts, lists and objects");
        PyValueError::new_err(why)
    })
}

/// The error of a dictionary that cannot be written as JSON.
fn not_json(name: &str, given: &Argument<'_>, error: PyErr) -> PyErr {
    let py = given.py();
    let why = format!("{name} cannot be written as JSON: {error}");
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(why)
    } else if error.is_instance_of::<PyValueError>(py) {
        PyValueError::new_err(why)
    } else {
        error
    }
}
