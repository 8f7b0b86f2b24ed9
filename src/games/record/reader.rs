//! Reads files of game records: JSON Lines, usually after a header, an object with the
//! settings of the games under the key `tournament`. Joined files have several headers.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::game::GameRecord;
use crate::files::{Kind, open_input, waiting};
use crate::protocol::bounded::parse_whole;
use crate::protocol::{BYTE_ORDER_MARK, excerpt, reason_in_line};

/// The key of the settings in the header of a tournament file.
pub const HEADER_KEY: &str = "tournament";

/// The kind of a file of records, recognised by its header or first game.
pub const RECORDS_FILE: Kind = Kind {
    name: "a file of game records",
    begins: |head| head.starts_with(b"{\"tournament\":") || head.starts_with(b"{\"game\":"),
};

/// The maximum length of a line in bytes; a record takes a few thousand.
const LONGEST_LINE: u64 = 4 << 20;

/// The maximum number of JSON parts of a line, which limits memory; a record has a few
/// hundred.
const MOST_PARTS: usize = 20_000;

/// The maximum length of all headers of a file in bytes. Readers keep headers in memory,
/// where they take a hundred times their length.
const MOST_HEADER_BYTES: usize = 1 << 20;

/// One line of a file of records.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// Settings: an object with the key `tournament`.
    Header(Map<String, Value>),
    /// One game.
    Game(Box<GameRecord>),
}

/// Why a file of records cannot be read or appended to.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused to open, read or write the file.
    #[error("{path}: {cause}")]
    Io {
        /// The path as given.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// A line cannot be read as a record.
    #[error(
        "{path}, line {line}: not a game record such as `santorini tournament` writes: {cause}"
    )]
    Line {
        /// The path as given.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        cause: String,
    },
    /// Another process holds the lock on the file.
    #[error("{0}: another program is writing to this file")]
    Locked(PathBuf),
    /// Another program wrote to the file while games were added to it.
    #[error(
        "{0}: another program changed this file while games were added to it, so its games \
         cannot be trusted; start again"
    )]
    Changed(PathBuf),
    /// The file has other contents, so nothing may be appended.
    #[error("{0} is not a file of game records and was not changed; name another file")]
    Foreign(PathBuf),
}

/// Iterates over the entries of a file.
///
/// An invalid line ends the iteration with an error. If only the write of the last line was
/// cut short, the iteration just ends, and [`Reader::damaged`] returns true afterwards.
pub struct Reader<R> {
    source: R,
    path: PathBuf,
    line: u64,
    /// The number of bytes up to the end of the last good line.
    whole: u64,
    /// Whether the last good line has its newline.
    ended: bool,
    header_bytes: usize,
    damaged: bool,
    done: bool,
}

impl Reader<BufReader<File>> {
    /// Reads the records of a file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = open_input(path).map_err(|cause| io_error(path, cause))?;
        Ok(Self::new(BufReader::new(file), path))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the records of any source; errors name it `path`.
    pub fn new(source: R, path: &Path) -> Self {
        Self {
            source,
            path: path.to_path_buf(),
            line: 0,
            whole: 0,
            ended: true,
            header_bytes: 0,
            damaged: false,
            done: false,
        }
    }

    /// Whether the last line was damaged and skipped.
    pub fn damaged(&self) -> bool {
        self.damaged
    }

    /// The number of bytes up to the end of the last good line.
    pub fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// Whether the last good line ends with a newline.
    pub fn is_ended(&self) -> bool {
        self.ended
    }

    fn read_entry(&mut self) -> Result<Option<Entry>, FileError> {
        let mut line = Vec::new();
        loop {
            line.clear();
            self.line += 1;
            let mut limited = (&mut self.source).take(LONGEST_LINE + 1);
            let read = waiting(|| limited.read_until(b'\n', &mut line));
            read.map_err(|cause| io_error(&self.path, cause))?;
            if line.is_empty() {
                return Ok(None);
            }
            if line.len() as u64 > LONGEST_LINE {
                let cause = format!("a line of more than {} MiB", LONGEST_LINE >> 20);
                return Err(self.wrong_line(cause));
            }
            if !line.trim_ascii().is_empty() {
                break;
            }
            self.whole += line.len() as u64;
        }
        match parse(&line).and_then(|entry| self.limit_headers(entry, line.len())) {
            // An object with its closing brace is whole even without a newline.
            Ok(entry) => {
                self.whole += line.len() as u64;
                self.ended = line.ends_with(b"\n");
                Ok(Some(entry))
            }
            Err(cause) => {
                let rest = self.source.fill_buf();
                let rest = rest.map_err(|cause| io_error(&self.path, cause))?;
                if rest.is_empty() && is_cut_short(&line) {
                    self.damaged = true;
                    return Ok(None);
                }
                Err(self.wrong_line(cause))
            }
        }
    }

    /// The error for the current line.
    fn wrong_line(&self, cause: String) -> FileError {
        FileError::Line {
            path: self.path.clone(),
            line: self.line,
            cause,
        }
    }

    fn limit_headers(&mut self, entry: Entry, bytes: usize) -> Result<Entry, String> {
        if matches!(entry, Entry::Header(_)) {
            self.header_bytes += bytes;
            if self.header_bytes > MOST_HEADER_BYTES {
                return Err(format!("settings of more than {MOST_HEADER_BYTES} bytes"));
            }
        }
        Ok(entry)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Entry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let entry = self.read_entry().transpose();
        self.done = !matches!(entry, Some(Ok(_)));
        entry
    }
}

/// All games of a file. Skips headers and a last line whose write was cut short.
///
/// # Errors
/// If the file cannot be read, or a line is not a record.
pub fn read_games(path: &Path) -> Result<Vec<GameRecord>, FileError> {
    let games = Reader::open(path)?.filter_map(|entry| match entry {
        Ok(Entry::Header(_)) => None,
        Ok(Entry::Game(record)) => Some(Ok(*record)),
        Err(error) => Some(Err(error)),
    });
    games.collect()
}

fn parse(line: &[u8]) -> Result<Entry, String> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    let text = std::str::from_utf8(line).map_err(|_| "not text in UTF-8")?;
    let value = parse_whole(text, MOST_PARTS).map_err(|error| reason_in_line(&error))?;
    let too_many = || format!("more than {MOST_PARTS} numbers, strings, arrays and objects");
    match value.ok_or_else(too_many)? {
        Value::Object(object)
            if object.contains_key(HEADER_KEY) && !object.contains_key("game") =>
        {
            Ok(Entry::Header(object))
        }
        Value::Object(object)
            if !object.contains_key("turns")
                && ["boards", "spaces"]
                    .iter()
                    .any(|key| object.contains_key(*key)) =>
        {
            Err("it has boards only; `santorini draw` and `santorini review` read them".into())
        }
        value @ Value::Object(_) => {
            let record = GameRecord::from_value(value).map_err(|error| error.to_string())?;
            Ok(Entry::Game(Box::new(record)))
        }
        Value::Array(_) => Err("it is an array; each line has one game, an object".into()),
        other => Err(format!(
            "it is {}; each line has one game, an object",
            excerpt(&other)
        )),
    }
}

/// Whether a line is only the beginning of a JSON value. After a power failure, zero bytes
/// stand for what did not reach the disk.
fn is_cut_short(line: &[u8]) -> bool {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    let zero = line.iter().position(|&byte| byte == 0);
    let beginning = &line[..zero.unwrap_or(line.len())];
    match serde_json::from_slice::<IgnoredAny>(beginning) {
        Ok(_) => zero.is_some(),
        Err(error) => error.is_eof(),
    }
}

/// An error that names the file.
pub(super) fn io_error(path: &Path, cause: io::Error) -> FileError {
    FileError::Io {
        path: path.to_path_buf(),
        cause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_times_are_refused() {
        for (seconds, is_read) in [("0.5", true), ("1e308", false), ("-5", false)] {
            let game = format!(
                "{{\"game\":0,\"players\":[\"a\",\"b\"],\"start\":null,\"turns\":[],\
                 \"seconds\":[{seconds}],\"winner\":null,\"ending\":\"win\"}}"
            );
            assert_eq!(parse(game.as_bytes()).is_ok(), is_read, "{game}");
        }
    }

    #[test]
    fn values_that_are_no_record_are_named() {
        for (line, words) in [
            (r#"{"game":"001","boards":[]}"#, "it has boards only"),
            (
                r#"{"players":[],"spaces":[],"turn":0}"#,
                "it has boards only",
            ),
            ("[]", "it is an array"),
            ("5", "it is 5; each line has one game"),
            ("{\"game\":0,]\n", "key must be a string at column 11"),
        ] {
            let error = parse(line.as_bytes()).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_named() {
        let game = "{\"game\":0,\"players\":[\"a\",\"b\"],\"start\":null,\"turns\":[],\
                    \"winner\":null,\"ending\":\"interrupted\"";
        let spaces = " ".repeat(5 << 20);
        for long in [
            format!("{game}}}{spaces}"),
            format!("{game},\"why\":\"{spaces}\"}}"),
        ] {
            let text = format!("{game}}}\n{long}\n[1]\n");
            let entries: Vec<_> = Reader::new(text.as_bytes(), Path::new("t")).collect();
            assert_eq!(entries.len(), 2);
            let error = entries[1].as_ref().unwrap_err().to_string();
            assert!(error.starts_with("t, line 2: "), "{error}");
            assert!(error.ends_with(": a line of more than 4 MiB"), "{error}");
        }
        let text = format!("{game}}}{}\n[1]\n", " ".repeat((4 << 20) - game.len() - 2));
        let error = Reader::new(text.as_bytes(), Path::new("t")).nth(1).unwrap();
        assert!(error.unwrap_err().to_string().contains("line 2"));
    }

    #[test]
    fn an_object_that_is_neither_a_header_nor_a_game_is_refused() {
        let game = "\"players\":[\"a\",\"b\"],\"start\":null,\"turns\":[],\"seconds\":[],\
                    \"winner\":null,\"ending\":\"win\"";
        for wrong in ["{}", "{\"gam\":0}", &format!("{{{game}}}")] {
            let text = format!("{{\"tournament\":{{}}}}\n{{\"game\":0,{game}}}\n{wrong}\n");
            let entries: Vec<_> = Reader::new(text.as_bytes(), Path::new("t")).collect();
            assert_eq!(entries.len(), 3);
            let error = entries[2].as_ref().unwrap_err().to_string();
            assert!(error.contains("t, line 3: not a game record"), "{error}");
            assert!(error.contains("missing field `game`"), "{error}");
        }
    }

    #[test]
    fn the_total_length_of_headers_is_limited() {
        let header = format!("{{\"tournament\":\"{}\"}}\n", "x".repeat(1000));
        let most = MOST_HEADER_BYTES / header.len();
        let text = header.repeat(most + 2);
        let reader = Reader::new(text.as_bytes(), Path::new("t"));
        let entries: Vec<_> = reader.collect();
        assert_eq!(entries.len(), most + 1);
        let error = entries[most].as_ref().unwrap_err().to_string();
        assert!(
            error.contains("settings of more than 1048576 bytes"),
            "{error}"
        );
    }
}
