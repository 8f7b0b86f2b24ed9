//! The TCP tournament server: bots connect, and play a round robin on 6x6.
//!
//! | to see or change | look at |
//! |---|---|
//! | the lines that are sent and read | `protocol.rs` |
//! | one game, step by step, without connections | `game.rs` |

pub mod game;
pub mod protocol;
