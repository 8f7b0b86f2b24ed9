//! Kinds of files that the program writes, recognized by their first bytes.
//!
//! Each kind is defined next to the code that writes its files.

use std::io::{self, Read};
use std::path::Path;

use super::waiting::open_regular;

/// The number of bytes that are examined.
const HEAD: u64 = 4096;

/// A kind of file.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The name of such a file in messages, with its article.
    pub name: &'static str,
    /// Whether a file with these first bytes is of this kind. It gets 4096 bytes, or all
    /// if the file has fewer.
    pub begins: fn(&[u8]) -> bool,
}

impl Kind {
    /// Whether a file is of this kind. An empty file is of every kind, since nothing in it
    /// can be lost.
    ///
    /// # Errors
    /// If the file cannot be read, or is a pipe or device.
    pub fn is_of(self, path: &Path) -> io::Result<bool> {
        let mut head = Vec::new();
        open_regular(path)?.take(HEAD).read_to_end(&mut head)?;
        Ok(head.is_empty() || (self.begins)(&head))
    }
}

/// Whether the first bytes of a file begin with one text and contain another.
pub fn begins_and_holds(head: &[u8], beginning: &str, held: &str) -> bool {
    let held = held.as_bytes();
    head.starts_with(beginning.as_bytes()) && head.windows(held.len()).any(|part| part == held)
}
