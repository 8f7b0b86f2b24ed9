//! Scores: evaluations, and proved wins and losses with their distance.

use std::fmt;

/// The score of a won game. A win in `n` plies is `WIN - n`, a loss in `n` plies `n - WIN`.
pub const WIN: i32 = 30_000;

/// The maximum ply of the search. (A game on 6x6 spaces can last 145.)
pub const MAX_PLY: usize = 128;

/// The lowest score that is a proved win.
pub const PROVED: i32 = WIN - MAX_PLY as i32;

/// The maximum of an evaluation.
pub const MAX_EVAL: i32 = PROVED - 1;

/// The score of the player to move winning `plies` from now.
pub const fn win_in(plies: usize) -> i32 {
    WIN - plies as i32
}

/// The score of the player to move losing `plies` from now.
pub const fn loss_in(plies: usize) -> i32 {
    plies as i32 - WIN
}

/// Whether the score is a proved win or loss.
pub const fn is_proved(score: i32) -> bool {
    score.abs() >= PROVED
}

/// The plies to a proved end, negative for a loss; `None` for an evaluation.
pub const fn plies_to_end(score: i32) -> Option<i32> {
    if is_proved(score) {
        Some(score.signum() * (WIN - score.abs()))
    } else {
        None
    }
}

/// The score in levels of height. Only evaluations have a meaning in levels.
pub fn in_levels(score: i32) -> f64 {
    f64::from(score) / 100.0
}

/// A score as text: levels of height, or plies to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreText(pub i32);

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = self.0;
        let text = if score >= PROVED {
            format!("win in {}", WIN - score)
        } else if score <= -PROVED {
            format!("loss in {}", WIN + score)
        } else {
            format!("{:+.2}", in_levels(score))
        };
        f.pad(&text)
    }
}
