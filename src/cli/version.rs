//! What `santorini --version` prints.

use crate::eval::network::{Instructions, Networks};

/// The version, the vector instructions that this processor lets the program
/// use, and the networks built in.
pub fn long() -> String {
    let best = Instructions::available().pop();
    format!(
        "{}\ninstructions: {}\nnetworks: {}",
        env!("CARGO_PKG_VERSION"),
        best.map_or("", Instructions::name),
        Networks::embedded_text()
    )
}
