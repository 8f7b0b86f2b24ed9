//! Reading and writing files: every read is bounded, and no write loses data.
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
pub use waiting::{expect_regular, is_waiting, open_input, open_regular, waiting};
#[cfg(feature = "system")]
pub use whole::{put_in_place, write_whole, write_whole_with};
