//! Where games start: random, even and given boards, and what long searches
//! find out about them before any game.
//!
//! | to see or change | look at |
//! |---|---|
//! | the openings of a tournament: given boards, the built-in even ones | `list.rs` |
//! | random openings that are undecided | `random.rs` |
//! | random openings that are about even, for matches | `balanced.rs` |
//! | making a book of even openings, the text of a book | `even.rs` |
//! | how one even opening is made | `candidate.rs` |
//! | how the table of placements is found | `placements.rs` |
//! | what share of the games a score is worth | `share.rs` |
//! | searches of a fixed number of nodes, games of the engine with itself | `analyst.rs` |

mod analyst;
pub mod balanced;
mod candidate;
mod even;
mod list;
mod placements;
mod random;
mod share;

pub use analyst::Analyst;
pub use candidate::Variety;
pub use even::{BOOK_FILE, Book, BookError, BookOptions, BookProgress, make_book};
pub use list::{OpeningError, Openings};
pub use placements::{PlacementOptions, find_placements};
pub use random::random_opening;
pub use share::WinShare;
