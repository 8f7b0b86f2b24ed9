//! Reads whole files up to a limit; longer files and endless devices are refused.

use std::io::{self, Read};
use std::path::Path;

use super::waiting::{open_input, waiting};

/// All bytes of a file.
///
/// # Errors
/// If it cannot be read, or has more bytes than `limit`.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_all(open_input(path)?, limit)
}

/// All bytes of a source.
///
/// # Errors
/// If it cannot be read, or has more bytes than `limit`.
pub fn read_all(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    waiting(|| source.take(limit + 1).read_to_end(&mut bytes))?;
    if bytes.len() as u64 > limit {
        let message = format!("more than {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit_and_refused_beyond() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(5).unwrap();
        assert_eq!(read_file(file.path(), 5).unwrap(), [0; 5]);
        let error = read_file(file.path(), 4).unwrap_err();
        assert_eq!(error.to_string(), "more than 4 bytes");
    }

    #[test]
    fn an_endless_source_is_refused() {
        let error = read_all(io::repeat(7), 1000).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
