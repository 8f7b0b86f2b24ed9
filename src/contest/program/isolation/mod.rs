//! Isolation of players: from each other, from the referee, and from the machine.
//!
//! A player is started by a small helper process, the launcher: this program, run again.
//! It enters namespaces of its own, gives up its rights and starts the player. The referee
//! could not do this between fork and exec, because it has threads. The launcher is the
//! referee's child and ends as the player does. The referee then kills the first process of
//! the namespace, and the kernel kills everything else that the player has started.
//!
//! ```text
//! referee ── launcher ┬─ init of the player's namespace
//!                     └─ player ── …
//! ```
//!
//! | to see or change | look at |
//! |---|---|
//! | the modes; what the kernel allows | `mod.rs` (here) |
//! | the referee's side: starting a launcher | `start.rs` |
//! | messages between launcher and referee | `message.rs` |
//! | the launcher | `launcher.rs` |
//! | namespaces and mounts | `namespaces.rs` |
//! | the first process in them; limits | `init.rs` |
//! | what the limits count | `usage.rs` |
//! | capabilities, Landlock | `restrictions.rs` |

#[cfg(target_os = "linux")]
mod init;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod message;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod restrictions;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod usage;

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::shortage::Shortage;
use crate::mutex::MutexExt as _;

#[cfg(target_os = "linux")]
pub use launcher::launch;
#[cfg(target_os = "linux")]
pub(super) use start::start;

/// The subcommand that runs this program as a launcher.
pub const LAUNCH: &str = "launch";

/// The folder where a fully isolated player may write.
pub const SCRATCH: &str = "/dev/shm";
/// The size of that folder, in bytes.
pub const SCRATCH_SIZE: u64 = 64 << 20;

/// The degree to which players are isolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Isolation {
    /// Not at all.
    Off,
    /// A player sees and signals no process but its own.
    Processes,
    /// It also has no network, changes no file outside of [`SCRATCH`], and has limits.
    Full(ResourceLimits),
}

/// The limits of all processes of a player together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Resident memory and memory files, in bytes. Shared memory counts once.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u64,
}

/// The isolation of players that are started from now on, and the number of its parts
/// that the kernel does not allow.
static IN_FORCE: Mutex<(Isolation, usize)> = Mutex::new((Isolation::Off, 0));

/// Isolates all players that this process starts from now on, as far as the kernel
/// allows. Returns what it does not allow, as a line for people. The process must be the
/// `santorini` program.
///
/// # Errors
/// If the machine lacks something to start any player. What the kernel allows is unknown then.
pub fn isolate(wanted: Isolation) -> Result<Option<String>, Shortage> {
    let (apart, missing) = match wanted {
        Isolation::Off => (true, Vec::new()),
        Isolation::Processes | Isolation::Full(_) => probe(wanted)?,
    };
    let possible = if apart { wanted } else { Isolation::Off };
    *IN_FORCE.locked() = (possible, missing.len());
    let extent = match apart {
        true => "isolated only in part",
        false => "not isolated",
    };
    let is_complete = apart && missing.is_empty();
    let list = missing.join("; ");
    Ok((!is_complete).then(|| format!("players are {extent} on this machine: {list}")))
}

/// The isolation of players that are started now.
pub(super) fn in_force() -> Isolation {
    IN_FORCE.locked().0
}

/// Whether players can be kept apart, and what the kernel does not allow.
#[cfg(target_os = "linux")]
fn probe(wanted: Isolation) -> Result<(bool, Vec<String>), Shortage> {
    start::probe(wanted).or_else(|error| match Shortage::of(&error) {
        Some(shortage) => Err(shortage),
        None => Ok((
            false,
            vec![format!("no isolated process can be started: {error}")],
        )),
    })
}

#[cfg(not(target_os = "linux"))]
fn probe(_: Isolation) -> Result<(bool, Vec<String>), Shortage> {
    Ok((false, vec!["it needs Linux".into()]))
}

impl Isolation {
    #[cfg(target_os = "linux")]
    const fn is_full(self) -> bool {
        matches!(self, Self::Full(_))
    }
}
