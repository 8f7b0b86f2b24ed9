//! A bot for the TCP tournament server: plays by search, at a level of strength, or at
//! random.
//!
//! | to see or change | look at |
//! |---|---|
//! | connecting, answering, reconnecting | `client.rs` |
//! | reading the server's lines | `message.rs` |
//! | choosing answers | `strategy.rs` |
//! | placing workers | `placing.rs` |

mod client;
mod message;
mod placing;
mod strategy;

pub use client::{BotError, Client};
pub use message::{MessageError, SeenState, ServerMessage};
pub use strategy::Strategy;
