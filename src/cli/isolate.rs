//! The options for isolating player programs, and the messages about what this machine does
//! not allow and what isolation does not cover.

use std::io::{IsTerminal, stderr};

use nix::unistd::geteuid;

use super::CliError;
use super::output::say;
use crate::program::{Isolation, ResourceLimits, isolate};

/// The default limits of a fully isolated player.
const MEMORY: u64 = 4096;
const PROCESSES: u64 = 512;

/// The options of commands that run player programs.
#[derive(Clone, clap::Args)]
pub(super) struct IsolateArgs {
    /// How to keep players apart.
    #[arg(long, value_name = "MODE", default_value = "processes")]
    isolate: Mode,
    /// With --isolate full: the memory that a player may use, with all its processes,
    /// in megabytes. Memory that they share counts once. The default is 4096.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=16_777_216))]
    memory: Option<u64>,
    /// With --isolate full: the number of processes and threads that a player may have.
    /// The default is 512.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4_000_000))]
    processes: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    /// Not at all: a player can kill, stop and read the other processes of its user.
    Off,
    /// A player sees and reaches no process but its own, as far as the system allows.
    Processes,
    /// It also has no network, and can change files only in an empty folder of 64 MB,
    /// named by its variable TMPDIR. Before Linux 7.1 it can connect to UNIX sockets in
    /// the file system.
    Full,
}

impl IsolateArgs {
    /// Whether players are not to be kept apart.
    pub(super) fn is_off(&self) -> bool {
        self.isolate == Mode::Off
    }

    /// Isolates all players that this process starts from now on.
    ///
    /// # Errors
    /// If there are limits without full isolation, or no player can be started.
    pub(super) fn apply(&self) -> Result<(), CliError> {
        let needs_full = |limit| CliError::Usage(format!("{limit} works only with --isolate full"));
        isolate_players(match self.isolate {
            Mode::Full => Isolation::Full(ResourceLimits {
                memory: self.memory.unwrap_or(MEMORY) << 20,
                processes: self.processes.unwrap_or(PROCESSES),
            }),
            _ if self.memory.is_some() => return Err(needs_full("--memory")),
            _ if self.processes.is_some() => return Err(needs_full("--processes")),
            Mode::Processes => Isolation::Processes,
            Mode::Off => Isolation::Off,
        })
    }
}

/// Isolates all players that this process starts from now on, and reports what this machine
/// does not allow. A person at a terminal is also warned of players that run as root; in
/// containers and scripts that is common and often meant.
///
/// # Errors
/// If the machine lacks something to start any player.
pub(super) fn isolate_players(isolation: Isolation) -> Result<(), CliError> {
    let missing = isolate(isolation)
        .map_err(|shortage| CliError::Failed(format!("{shortage}; use a higher limit")))?;
    if let Some(missing) = missing {
        say(&format!("santorini: {missing}"));
    }
    if isolation != Isolation::Off && geteuid().is_root() && stderr().is_terminal() {
        say("santorini: players run as root and can change this machine; use another user");
    }
    Ok(())
}
