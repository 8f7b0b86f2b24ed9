//! Matches of two engines of this program against each other, inside one
//! process: on both sizes of the board, with and without cards, from openings
//! that are about even, and at fixed nodes the same every time.
//!
//! | to see or change | look at |
//! |---|---|
//! | a pair of games | `games.rs` |
//! | many pairs, and what they come to | `score.rs` |

pub mod games;
pub mod score;
