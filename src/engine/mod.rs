//! The engine: the rules of the game, the evaluation and the search.
//!
//! May import: `base`.
//!
//! | to see or change | look at |
//! |---|---|
//! | positions, turns, god cards, legal turns | `rules/` |
//! | how good a position is: networks and a heuristic | `eval/` |
//! | the best turn: alpha-beta search | `search/` |
//! | engines that make do with less memory | `shortage.rs` |

pub mod eval;
pub mod rules;
pub mod search;
pub mod shortage;
