//! Serving web pages over HTTP.
//!
//! | to see or change | look at |
//! |---|---|
//! | listening, limits of time and of connections | `port.rs` |
//! | connections shared fairly between client addresses | `places.rs` |

pub mod places;
pub mod port;
