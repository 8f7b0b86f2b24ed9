//! Reading and writing files: every read is bounded, and no write loses data.
//!
//! Damage in files of all formats is never ignored silently. A damaged file is refused and
//! left unchanged, or a line on standard error reports the damage. No command changes a
//! file before it has checked all of it. An incomplete part at the end, as a killed program
//! leaves it, is cut off and reported.
//!
//! - Training data, networks, Q-tables and files of solved games have checksums. Files of
//!   earlier versions without checksums are accepted with a message.
//! - Text files, which people may edit, have no checksums: records of games, outcomes of
//!   duels, parameters, openings, proved positions. They are parsed strictly, and games are
//!   replayed by the rules. A changed number that is still valid is not detected.
//!
//! | to see or change | look at |
//! |---|---|
//! | what may be written where, for all commands | `uses.rs` |
//! | noticing that a file was changed | `state.rs` |
//! | kinds of files, by their first bytes | `kind.rs` |
//! | where a path leads: links, pipes, devices | `destination.rs` |
//! | one file under several names | `identity.rs` |
//! | files that are replaced as a whole | `whole.rs` |
//! | temporary files that become the real file | `unfinished.rs` |
//! | a new file without a name | `nameless.rs` |
//! | waiting for the other end of a pipe | `waiting.rs` |
//! | locks on files | `lock.rs` |
//! | reading up to a limit | `read.rs` |
//! | reading anywhere in a file | `read_at.rs` |

#[cfg(feature = "system")]
mod destination;
#[cfg(feature = "program")]
mod identity;
mod kind;
#[cfg(feature = "system")]
mod lock;
#[cfg(all(target_os = "linux", feature = "system"))]
mod nameless;
mod read;
#[cfg(feature = "system")]
mod read_at;
#[cfg(feature = "system")]
mod state;
#[cfg(feature = "system")]
mod unfinished;
#[cfg(feature = "program")]
mod uses;
mod waiting;
#[cfg(feature = "system")]
mod whole;

#[cfg(feature = "system")]
pub use destination::{Destination, folder_of};
pub use kind::{Kind, begins_and_holds};
#[cfg(feature = "system")]
pub use lock::{lock, open_locked};
pub use read::{read_all, read_file};
#[cfg(feature = "system")]
pub(crate) use read_at::{read_at, read_exact_at};
#[cfg(feature = "system")]
pub(crate) use state::{FileState, leads_to};
#[cfg(feature = "program")]
pub use uses::{UseError, Uses};
#[cfg(feature = "program")]
pub use waiting::is_waiting;
#[cfg(feature = "system")]
pub(crate) use waiting::{expect_regular, open_regular};
pub use waiting::{open_input, waiting};
#[cfg(feature = "system")]
pub(crate) use whole::sync_folder;
#[cfg(feature = "system")]
pub use whole::{put_in_place, write_whole, write_whole_with};
