//! Messages between the launcher and the referee, each a line of JSON, on a socket
//! that the player does not inherit.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The maximum length of a line, in bytes.
const LONGEST: u64 = 4096;

/// A message of the launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FromLauncher {
    /// It is in a user namespace that needs a map of users. It waits for the answer,
    /// [`MapsWritten`].
    NeedsMaps,
    /// The player runs, or could be started if this is a probe.
    Started {
        /// Whether the player can reach no process but its own.
        apart: bool,
        /// What the kernel does not allow.
        missing: Vec<String>,
    },
    /// The player cannot be started, with the system's error number.
    Failed(i32),
}

/// The referee's answer to [`FromLauncher::NeedsMaps`]: the error number if that failed.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MapsWritten(pub Option<i32>);

/// One end of the socket.
pub(super) type Channel = BufReader<UnixStream>;

/// Writes a line of JSON.
pub(super) fn send(mut writer: impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    writer.write_all(&line)
}

/// Reads a line of JSON.
pub(super) fn receive<T: DeserializeOwned>(reader: &mut impl BufRead) -> io::Result<T> {
    let mut line = String::new();
    reader.take(LONGEST).read_line(&mut line)?;
    if line.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_str(&line)?)
}
