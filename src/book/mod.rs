//! What is found out by long searches before any game: even openings,
//! and the best placements.
//!
//! | to see or change | look at |
//! |---|---|
//! | the order of the work on a book of openings, the text of a book | `even.rs` |
//! | how one opening is made | `candidate.rs` |
//! | how the table of placements is found | `placements.rs` |
//! | what share of the games a score is worth | `share.rs`, `logistic.rs` |
//! | searches of a fixed number of nodes, games of the engine with itself | `analyst.rs` |

mod analyst;
mod candidate;
mod even;
mod logistic;
mod placements;
mod share;

pub use analyst::Analyst;
pub use candidate::Variety;
pub use even::{Book, BookError, BookOptions, Progress, make_book};
pub use placements::{PlacementOptions, find_placements};
pub use share::WinShare;
