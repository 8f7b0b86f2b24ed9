//! What `santorini --version` prints.

use crate::cpu::Instructions;
use crate::eval::network::Networks;

/// The version, the vector instructions in use on this processor, and the built-in
/// networks.
pub(super) fn long() -> String {
    format!(
        "{}\ninstructions: {}\nnetworks: {}",
        env!("CARGO_PKG_VERSION"),
        Instructions::best().name(),
        Networks::embedded_text()
    )
}
