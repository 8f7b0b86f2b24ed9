//! The engine: the rules of the game, the evaluation, the search and the prover.
//!
//! May import: `base`.
//!
//! | to see or change | look at |
//! |---|---|
//! | positions, turns, god cards, legal turns | `rules/` |
//! | how good a position is: networks and a heuristic | `eval/` |
//! | the best turn: alpha-beta search | `search/` |
//! | proofs by the rules alone: proof-number search | `prover/` |

pub mod eval;
pub mod prover;
pub mod rules;
pub mod search;
