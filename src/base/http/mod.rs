//! Serving web pages over HTTP.
//!
//! | to see or change | look at |
//! |---|---|
//! | listening, limits of time and of connections | `port.rs` |
//! | connections shared fairly between client addresses | `places.rs` |
//! | who may open a page: names, origins, tokens | `guard.rs`, `proxy.rs`, `token.rs` |

pub mod guard;
pub mod places;
pub mod port;
mod proxy;
pub mod token;

pub use guard::Access;
pub use port::Page;
pub use proxy::ProxyAddress;
pub use token::{TOKEN_VARIABLE, Token};
