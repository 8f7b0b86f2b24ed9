//! What shows how a player failed.

use serde_json::Value;

/// The exchange that a game was lost by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// What the player was asked last; `None` if nothing yet.
    pub question: Option<Value>,
    /// The beginning of what it then wrote to its standard output.
    pub output: String,
    /// The end of what it wrote to its standard error.
    pub stderr: String,
}

impl Evidence {
    /// What the player wrote to its standard error, for people: a line for each of it, each
    /// behind the end of a line.
    pub fn stderr_text(&self) -> String {
        let lines = self.stderr.lines();
        lines
            .map(|line| format!("\n  standard error   {line}"))
            .collect()
    }
}
