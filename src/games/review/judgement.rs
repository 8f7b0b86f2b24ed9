//! Judgements of turns by the chance of winning that they lost.

use std::fmt;

use serde::Serialize;

/// The quality of a turn compared with the best one.
///
/// | judgement | chance of winning lost |
/// |---|---|
/// | best | none: the best turn found, or one as good |
/// | good | less than 5 of 100 |
/// | inaccuracy | 5 to 10 of 100 |
/// | mistake | 10 to 20 of 100 |
/// | blunder | 20 of 100 or more |
///
/// A turn that wins later than the best one, or loses earlier, is good, though it loses no
/// chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// The best turn, or one equally good.
    Best,
    /// Nearly the best turn.
    Good,
    /// A turn that loses a little.
    Inaccuracy,
    /// A turn that loses clearly.
    Mistake,
    /// A turn that loses much of the game, or all.
    Blunder,
}

impl Judgement {
    /// All judgements, the best first.
    pub const ALL: [Self; 5] = [
        Self::Best,
        Self::Good,
        Self::Inaccuracy,
        Self::Mistake,
        Self::Blunder,
    ];

    /// The minimum chance lost by each of [`Self::ALL`] after the first. Turns that differ by
    /// less than the first limit are equally good. `chances.js` and `losses.js` of the page
    /// repeat them; a test compares.
    pub const LIMITS: [f64; 4] = [0.005, 0.05, 0.10, 0.20];

    /// The judgement of a turn that lost this much of the chance of winning.
    pub fn of(lost: f64) -> Self {
        Self::ALL[Self::LIMITS.partition_point(|&limit| lost >= limit)]
    }

    /// The name of the judgement.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The annotation sign, as in chess books.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Best | Self::Good => "",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Whether another turn was clearly better.
    pub fn is_error(self) -> bool {
        self >= Self::Inaccuracy
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_match_the_table() {
        for (lost, judgement) in [
            (-0.1, Judgement::Best),
            (0.0, Judgement::Best),
            (0.01, Judgement::Good),
            (0.049, Judgement::Good),
            (0.05, Judgement::Inaccuracy),
            (0.10, Judgement::Mistake),
            (0.199, Judgement::Mistake),
            (0.20, Judgement::Blunder),
            (1.0, Judgement::Blunder),
        ] {
            assert_eq!(Judgement::of(lost), judgement, "{lost}");
        }
        assert!(Judgement::ALL.is_sorted());
        assert!(Judgement::Mistake.is_error() && !Judgement::Good.is_error());
    }
}
