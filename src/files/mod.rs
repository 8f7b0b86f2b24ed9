//! Reading and writing files: every read is bounded, and no write loses data.
//!
//! | to see or change | look at |
//! |---|---|
//! | what may be written where, for all commands | `uses.rs` |
//! | what a file must begin with to be overwritten | `kind.rs` |
//! | where a path leads: links, pipes, devices | `place.rs` |
//! | files that are replaced as a whole | `whole.rs` |
//! | files that one program at a time writes to | `lock.rs` |
//! | reading up to a limit | `read.rs` |

mod kind;
mod lock;
mod place;
mod read;
mod uses;
mod whole;

pub use kind::{Kind, begins_and_holds};
pub use lock::lock;
pub use place::{Place, folder_of};
pub use read::{read_all, read_file};
pub use uses::{Refusal, Uses};
pub use whole::{write_whole, write_whole_with};
