//! Isolation of players: from each other, from the referee, and from the machine.
//!
//! A player is started by a small helper process, the launcher: this program, run again.
//! It enters namespaces of its own, takes its rights away and starts the player, so that
//! the referee's process, which has threads, runs no code of ours between fork and exec.
//! Of the processes of a player, the referee sees the launcher: it ends as the player
//! does. When it is killed, the kernel kills everything that the player has started.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// Not at all.
    Off,
    /// A player sees and signals no process but its own.
    Processes,
    /// It also has no network, changes no file outside of [`SCRATCH`], and has limits.
    Full(ResourceLimits),
}

/// The limits of all processes of a player together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    Ok(match (apart, missing.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!(
            "players are isolated only in part on this machine: {}",
            missing.join("; ")
        )),
        (false, _) => Some(format!(
            "players are not isolated on this machine: {}",
            missing.join("; ")
        )),
    })
}

/// The isolation of players that are started now.
pub(super) fn in_force() -> Isolation {
    known().0
}

fn known() -> (Isolation, usize) {
    *IN_FORCE.locked()
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
    /// The mode as an argument of the launcher.
    #[cfg(target_os = "linux")]
    fn argument(self) -> String {
        match self {
            Self::Off => "off".into(),
            Self::Processes => "processes".into(),
            Self::Full(ResourceLimits { memory, processes }) => {
                format!("full:{memory}:{processes}")
            }
        }
    }

    /// Reads an argument of the launcher.
    #[cfg(target_os = "linux")]
    fn from_argument(text: &str) -> Option<Self> {
        if text == "processes" {
            return Some(Self::Processes);
        }
        let (memory, processes) = text.strip_prefix("full:")?.split_once(':')?;
        Some(Self::Full(ResourceLimits {
            memory: memory.parse().ok()?,
            processes: processes.parse().ok()?,
        }))
    }

    #[cfg(target_os = "linux")]
    const fn is_full(self) -> bool {
        matches!(self, Self::Full(_))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{Isolation, ResourceLimits};

    #[test]
    fn a_mode_survives_the_command_line() {
        let limits = ResourceLimits {
            memory: 1 << 30,
            processes: 20,
        };
        for mode in [Isolation::Processes, Isolation::Full(limits)] {
            assert_eq!(Isolation::from_argument(&mode.argument()), Some(mode));
        }
        assert_eq!(Isolation::from_argument("off"), None);
        assert_eq!(Isolation::from_argument("full:1"), None);
    }
}
