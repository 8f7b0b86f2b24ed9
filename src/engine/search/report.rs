//! The result of a search: lines of play with scores, depth, nodes and time.

use std::time::Duration;

use crate::rules::Turn;

use super::score::{ScoreText, loss_in};

/// A line of play with its score.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// For the player to move, in hundredths of a level of height. From
    /// [`PROVED`](super::PROVED) on it is a proved win.
    pub score: i32,
    /// The principal variation; its first turn is the one to play.
    pub turns: Vec<Turn>,
}

/// The result of a search, after an iteration or at its end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The best lines, best first. Empty only without a legal turn.
    pub lines: Vec<Line>,
    /// The depth completed, in plies.
    pub depth: u32,
    /// The nodes visited.
    pub nodes: u64,
    /// The time since the search started.
    pub time: Duration,
}

impl Report {
    /// The turn to play.
    pub fn turn(&self) -> Option<Turn> {
        self.lines.first()?.turns.first().copied()
    }

    /// The score of the best line.
    pub fn score(&self) -> i32 {
        self.lines.first().map_or(loss_in(0), |line| line.score)
    }

    /// The score of the best line as text.
    pub fn score_text(&self) -> ScoreText {
        ScoreText(self.score())
    }
}
