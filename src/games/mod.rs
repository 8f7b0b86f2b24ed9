//! Whole games: their JSON and notation, verdicts, records, drawings, openings, matches in
//! one process, levels, puzzles and reviews.
//!
//! May import: `engine` and `base`.
//!
//! | to see or change | look at |
//! |---|---|
//! | the JSON of boards, the lines of the TCP protocol | `protocol/` |
//! | which rule a turn breaks, and the message for it | `verdict/` |
//! | records of games and their files | `record/` |
//! | boards and games as text, SVG and web page | `draw/` |
//! | positions to start games from, books of them | `openings/` |
//! | games and matches of engines in one process | `arena/` |
//! | players of limited strength | `levels/` |
//! | positions with one winning turn | `puzzles/` |
//! | games judged turn by turn | `review/` |

pub mod arena;
pub mod draw;
pub mod levels;
pub mod openings;
pub mod protocol;
pub mod puzzles;
pub mod record;
pub mod review;
pub mod verdict;
