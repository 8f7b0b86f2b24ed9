//! The levels, what each is made of, and how strong it is.

use std::fmt;
use std::str::FromStr;

/// How a player of limited strength plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The nodes that it searches for a turn. With 0 it looks at the board after
    /// each of its turns only.
    pub nodes: u64,
    /// Among how many of its best turns it chooses.
    pub lines: usize,
    /// How much chance plays in the choice, in hundredths of a level of height: a
    /// turn whose score is this much lower is e times less likely.
    pub temperature: f64,
    /// The share of its turns at which it looks what the opponent could answer.
    pub attention: f64,
    /// Whether it searches as long as it may, if there is a time for a turn.
    pub takes_all_time: bool,
}

/// What a level is made of, its Elo above level 1, and what it is like.
struct Row {
    strength: Strength,
    elo: u32,
    about: &'static str,
}

const fn row(
    nodes: u64,
    lines: usize,
    temperature: f64,
    attention: f64,
    elo: u32,
    about: &'static str,
) -> Row {
    Row {
        strength: Strength {
            nodes,
            lines,
            temperature,
            attention,
            takes_all_time: false,
        },
        elo,
        about,
    }
}

/// The levels. Their Elo are those of these matches, in which both place their
/// workers themselves and the seats are swapped after every game; `santorini lab
/// levels` plays such.
///
/// | level | against | won | Elo |
/// |---|---|---|---|
/// | 1 | alphabeta:depth=1 | 2264 of 4000, 56.6% (55 to 58) | |
/// | 2 | 1 | 3212 of 4000, 80.3% (79 to 82) | +244 |
/// | 3 | 2 | 3247 of 4000, 81.2% (80 to 82) | +254 |
/// | 4 | 3 | 3269 of 4000, 81.7% (80 to 83) | +260 |
/// | 5 | 4 | 3363 of 4000, 84.1% (83 to 85) | +289 |
/// | 6 | 5 | 3503 of 4000, 87.6% (87 to 89) | +339 |
/// | 7 | 6 | 3521 of 4000, 88.0% (87 to 89) | +347 |
/// | 8 | 7 | 1807 of 2000, 90.3% (89 to 92) | +389 |
/// | 9 | 8 | 358 of 400, 89.5% (86 to 92) | +372 |
/// | 10 | 9 | 288 of 400, 72.0% (67 to 76) | +164 |
///
/// From level 1, the equal of the study's weakest search, to full strength it is
/// too far for nine steps of 75%: nine equal ones would be of 85%. They are small, of
/// 80%, where most people play. Level 10 takes all of its time where there is a clock;
/// in these matches it searched its 400,000 nodes.
const TABLE: [Row; 10] = [
    row(
        0,
        20,
        250.0,
        0.72,
        0,
        "a beginner: sees most threats of one turn",
    ),
    row(
        0,
        13,
        82.0,
        0.92,
        244,
        "knows the rules, and seldom overlooks a threat",
    ),
    row(
        500,
        8,
        125.0,
        0.89,
        498,
        "looks two turns ahead, and often errs",
    ),
    row(
        1_000,
        6,
        55.0,
        0.96,
        758,
        "looks two turns ahead with more care",
    ),
    row(1_600, 5, 25.0, 1.0, 1047, "seldom errs within two turns"),
    row(3_500, 4, 13.0, 1.0, 1386, "plans some turns"),
    row(8_500, 3, 9.0, 1.0, 1733, "plans well"),
    row(24_000, 2, 6.0, 1.0, 2122, "hard to surprise"),
    row(
        100_000,
        2,
        4.0,
        1.0,
        2494,
        "nearly all that this program can do",
    ),
    Row {
        strength: Strength {
            nodes: 400_000,
            lines: 1,
            temperature: 0.0,
            attention: 1.0,
            takes_all_time: true,
        },
        elo: 2658,
        about: "all that this program can do",
    },
];

/// A level of strength, from 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// Why a text is not a level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a level; levels are 1, a beginner, to 10, full strength")]
pub struct LevelError(String);

impl Level {
    /// The beginner.
    pub const LOWEST: Self = Self(1);
    /// Full strength.
    pub const HIGHEST: Self = Self(10);

    /// The level with this number.
    pub fn new(number: u8) -> Option<Self> {
        (1..=TABLE.len() as u8)
            .contains(&number)
            .then_some(Self(number))
    }

    /// All levels, the lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (1..=TABLE.len() as u8).map(Self)
    }

    /// The number, from 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    const fn row(self) -> &'static Row {
        &TABLE[self.0 as usize - 1]
    }

    /// How it plays.
    pub const fn strength(self) -> Strength {
        self.row().strength
    }

    /// Its Elo above level 1 in the base game.
    pub const fn elo(self) -> u32 {
        self.row().elo
    }

    /// What it is like, in some words.
    pub const fn about(self) -> &'static str {
        self.row().about
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let level = text.trim().parse().ok().and_then(Self::new);
        level.ok_or_else(|| LevelError(text.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_made_of_more_than_the_one_below() {
        assert_eq!(Level::all().len(), 10);
        let levels: Vec<Level> = Level::all().collect();
        for pair in levels.windows(2) {
            let [low, high] = [pair[0].strength(), pair[1].strength()];
            assert!(low.nodes <= high.nodes && low.lines >= high.lines);
            assert!(pair[0].elo() < pair[1].elo());
        }
        for level in levels {
            let strength = level.strength();
            assert!(strength.lines >= 1 && strength.temperature >= 0.0);
            assert_eq!(strength.takes_all_time, level == Level::HIGHEST);
        }
        assert_eq!(Level::LOWEST.elo(), 0);
    }

    #[test]
    fn levels_are_read() {
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        for text in ["0", "11", "", "-1", "two", "256", "1.5"] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(error.ends_with("to 10, full strength"), "{error}");
        }
    }
}
