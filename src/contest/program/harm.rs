//! Messages about harm that leaves no trace in the game: what players that are not isolated
//! can do to this program, to each other and to the machine.

use std::fmt;

use super::process_settings::ChangedSetting;
use super::suspects::suspects;

/// Harm that a player probably caused. `running` names the players that were running.
#[derive(Debug, PartialEq, Eq)]
pub enum Harm {
    /// `/proc/PID/mem` of a player was opened.
    PlayerRead {
        /// The player, which can have done it itself.
        player: String,
        /// The others.
        running: Vec<String>,
    },
    /// `/proc/PID/mem` of the referee was opened.
    RefereeRead {
        /// All players.
        running: Vec<String>,
    },
    /// A setting of the referee's process was changed.
    RefereeChanged {
        /// The setting.
        change: ChangedSetting,
        /// All players.
        running: Vec<String>,
    },
    /// The program of a player was changed or removed after the start of the match.
    ProgramChanged {
        /// The player.
        player: String,
        /// The path of the program.
        file: String,
        /// Whether the file was removed.
        is_removed: bool,
        /// All players that run.
        running: Vec<String>,
    },
    /// A player has started very many processes.
    ManyProcesses {
        /// The player.
        player: String,
        /// The number of its processes.
        count: usize,
    },
    /// Hardly any memory is left on this machine.
    LittleMemory {
        /// The megabytes that are left.
        left: u64,
        /// The player that uses most memory.
        player: String,
        /// The megabytes that it uses.
        used: u64,
    },
    /// Hardly anything is left of a disk on which players can write.
    LittleDisk {
        /// A folder on this disk.
        folder: String,
        /// The megabytes that are left.
        left: u64,
        /// All players.
        running: Vec<String>,
    },
}

impl fmt::Display for Harm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PlayerRead { player, running } => write!(
                f,
                "the memory of {player} was opened in /proc, by itself or another process{}",
                suspects(running)
            ),
            Self::RefereeRead { running } => write!(
                f,
                "the memory of this program was opened in /proc{}",
                suspects(running)
            ),
            Self::RefereeChanged { change, running } => {
                write!(f, "this program's {change}{}", suspects(running))
            }
            Self::ProgramChanged {
                player,
                file,
                is_removed,
                running,
            } => write!(
                f,
                "{file}, the program of {player}, was {} after the start of the match{}",
                if *is_removed { "removed" } else { "changed" },
                suspects(running)
            ),
            Self::ManyProcesses { player, count } => write!(f, "{player} has {count} processes"),
            Self::LittleMemory { left, player, used } => write!(
                f,
                "only {left} MB of memory are left on this machine; {player} uses {used} MB"
            ),
            Self::LittleDisk {
                folder,
                left,
                running,
            } => write!(
                f,
                "only {left} MB are left on the disk of {folder}{}",
                suspects(running)
            ),
        }
    }
}
