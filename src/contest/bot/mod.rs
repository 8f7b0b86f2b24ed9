//! A bot for the TCP tournament server: plays by search, at a level of
//! strength, or at random.
//!
//! | to see or change | look at |
//! |---|---|
//! | connecting, answering, coming back after a lost connection | `client.rs` |
//! | reading the server's lines | `message.rs` |
//! | what is answered | `brain.rs` |
//! | where the workers are placed | `placing.rs` |

mod brain;
mod client;
mod message;
mod placing;

pub use brain::Brain;
pub use client::{BotError, Client, Patience};
pub use message::{Message, MessageError, Seen};
