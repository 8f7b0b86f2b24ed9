//! The evidence of a player's fault.

use serde_json::Value;

/// The exchange that lost a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// The last question; `None` before the first.
    pub question: Option<Value>,
    /// The start of the player's output since then.
    pub output: String,
    /// The end of its standard error.
    pub stderr: String,
}

impl Evidence {
    /// The standard error for people: a newline and an indented line for each of its
    /// lines.
    pub fn stderr_text(&self) -> String {
        let lines = self.stderr.lines();
        lines
            .map(|line| format!("\n  standard error   {line}"))
            .collect()
    }
}
