//! The evidence of a player's fault.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::record::GameRecord;

/// The key of the evidence in a record.
const KEY: &str = "evidence";

/// The maximum characters of the output in a short text.
const SHORT: usize = 500;

/// The exchange that lost a game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Evidence {
    /// The last question; `None` before the first.
    pub question: Option<Value>,
    /// The start of the player's output since then.
    pub output: String,
    /// The end of its standard error.
    pub stderr: String,
}

impl Evidence {
    /// The evidence in a record; `None` if the game was not lost by a fault of a running
    /// program, or its evidence is malformed.
    pub fn of(record: &GameRecord) -> Option<Self> {
        Self::deserialize(record.more.get(KEY)?).ok()
    }

    /// Writes the evidence to a record.
    pub fn write_to(&self, record: &mut GameRecord) {
        record.more.insert(KEY.into(), json!(self));
    }

    /// All of it for people: a newline and an indented line for the question, the output
    /// and each line of the standard error. Empty for a program that never ran.
    pub fn text(&self) -> String {
        self.text_with(usize::MAX)
    }

    /// The same with only the start of a long output, for lists.
    pub fn short_text(&self) -> String {
        self.text_with(SHORT)
    }

    /// The text, with the output cut to `most` characters.
    fn text_with(&self, most: usize) -> String {
        if *self == Self::default() {
            return String::new();
        }
        let question = self.question.as_ref().map(ToString::to_string);
        let question = question.unwrap_or_else(|| "nothing yet".into());
        let output = match self.output.trim_end() {
            "" => "nothing".to_string(),
            output => match output.char_indices().nth(most) {
                None => format!("{output:?}"),
                Some((end, _)) => format!("{:?} (the first {most} characters)", &output[..end]),
            },
        };
        let stderr = self.stderr_text();
        format!("\n  it was asked     {question}\n  it wrote         {output}{stderr}")
    }

    /// The standard error for people: a newline and an indented line for each of its
    /// lines.
    pub fn stderr_text(&self) -> String {
        let lines = self.stderr.lines();
        lines
            .map(|line| format!("\n  standard error   {line}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_survives_a_record() {
        let mut record: GameRecord = serde_json::from_value(json!({
            "game": 0, "players": ["a", "b"], "start": null, "turns": [], "winner": 1,
            "ending": "crashed",
        }))
        .unwrap();
        assert_eq!(Evidence::of(&record), None);
        let crash = Evidence {
            question: Some(json!([])),
            output: "so far\n".into(),
            stderr: "Traceback\nNameError\n".into(),
        };
        for evidence in [crash.clone(), Evidence::default()] {
            evidence.write_to(&mut record);
            assert_eq!(Evidence::of(&record), Some(evidence));
        }
        assert_eq!(
            crash.text(),
            "\n  it was asked     []\n  it wrote         \"so far\"\
             \n  standard error   Traceback\n  standard error   NameError"
        );
        assert_eq!(crash.short_text(), crash.text());
        assert_eq!(Evidence::default().text(), "");
    }

    #[test]
    fn a_list_shows_only_the_start_of_a_long_output() {
        let long = Evidence {
            output: "\u{e9}".repeat(4000),
            ..Evidence::default()
        };
        let line = |count| format!("\n  it wrote         \"{}\"", "\u{e9}".repeat(count));
        assert!(long.text().ends_with(&line(4000)));
        let short = long.short_text();
        assert!(
            short.ends_with(&(line(500) + " (the first 500 characters)")),
            "{short}"
        );
    }
}
