//! What `santorini --version` prints.

use crate::cpu::Instructions;
use crate::eval::network::Networks;

/// The version, the vector instructions that this processor lets the program
/// use, and the networks built in.
pub fn long() -> String {
    format!(
        "{}\ninstructions: {}\nnetworks: {}",
        env!("CARGO_PKG_VERSION"),
        Instructions::best().name(),
        Networks::embedded_text()
    )
}
