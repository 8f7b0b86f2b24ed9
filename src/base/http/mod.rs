//! Serving web pages over HTTP.
//!
//! | to see or change | look at |
//! |---|---|
//! | listening, limits on time and connections | `port.rs` |
//! | connection slots shared fairly between client addresses | `slots.rs` |
//! | who may open a page: names, origins, tokens | `guard.rs`, `proxy.rs`, `token.rs` |

pub mod guard;
pub mod port;
mod proxy;
pub mod slots;
pub mod token;

pub use guard::Access;
pub use port::{ListenError, Page, on_unaccepted};
pub use proxy::ProxyAddress;
pub use token::{AccessToken, TOKEN_VARIABLE};
