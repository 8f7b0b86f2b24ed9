//! Reading and writing files: every read is bounded, and no write loses data.
//!
//! One rule holds for damage in all formats. A damaged file is refused and stays as it
//! is, or a line on standard error says what is wrong with it; it is never used silently.
//! No command changes a file before it has checked all of it. At most one incomplete part
//! at the end, which a killed program leaves, is cut off, and that is told.
//!
//! - Training data, networks, Q-tables and files of solved games have checksums. Files of
//!   earlier versions without them are read, with one line that says so.
//! - Text is for people to read and to change, and has no checksums: records of games,
//!   outcomes of duels, parameters, openings, proved positions. It is read strictly, and
//!   games are played again by the rules. A number that is another legal number is not
//!   seen.
//!
//! | to see or change | look at |
//! |---|---|
//! | what may be written where, for all commands | `uses.rs` |
//! | what a file must begin with to be overwritten | `kind.rs` |
//! | where a path leads: links, pipes, devices | `destination.rs` |
//! | files that are replaced as a whole | `whole.rs` |
//! | the new file until it takes its place | `unfinished.rs` |
//! | waiting for the other end of a pipe | `waiting.rs` |
//! | files that one program at a time writes to | `lock.rs` |
//! | reading up to a limit | `read.rs` |

#[cfg(feature = "system")]
mod destination;
mod kind;
#[cfg(feature = "system")]
mod lock;
mod read;
#[cfg(feature = "system")]
mod unfinished;
#[cfg(feature = "system")]
mod uses;
mod waiting;
#[cfg(feature = "system")]
mod whole;

#[cfg(feature = "system")]
pub use destination::{Destination, folder_of};
pub use kind::{Kind, begins_and_holds};
#[cfg(feature = "system")]
pub use lock::lock;
pub use read::{read_all, read_file};
#[cfg(feature = "system")]
pub use uses::{UseError, Uses};
#[cfg(feature = "program")]
pub use waiting::is_waiting;
#[cfg(feature = "system")]
pub use waiting::{expect_regular, open_regular};
pub use waiting::{open_input, waiting};
#[cfg(feature = "system")]
pub use whole::{put_in_place, write_whole, write_whole_with};
