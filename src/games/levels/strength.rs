//! The parameters of the levels, and their measured strength.

use std::fmt;
use std::str::FromStr;

use crate::stats::elo_of_score;

/// The parameters of a player of limited strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// Nodes per turn. With 0 it only evaluates the board after each of its turns.
    pub nodes: u64,
    /// The number of best turns to choose from.
    pub lines: usize,
    /// The randomness of the choice, in hundredths of a level of height: a turn that scores
    /// this much less is e times less likely.
    pub temperature: f64,
    /// The share of turns at which it sees the opponent's wins.
    pub attention: f64,
    /// Whether it uses all the time of a turn, if time is limited, instead of `nodes`.
    pub takes_all_time: bool,
}

/// A level: its parameters, its match against the level below, and its description.
struct Row {
    strength: Strength,
    /// The games it won, and all games. The opponent of level 1 is `alphabeta:depth=1`.
    won: [u32; 2],
    about: &'static str,
}

const fn row(
    nodes: u64,
    lines: usize,
    temperature: f64,
    attention: f64,
    won: [u32; 2],
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
        won,
        about,
    }
}

/// The engine and the levels that played the matches in `TABLE`, which are not valid for
/// others. `santorini lab levels` plays them again and prints this line.
pub const MEASURED_WITH: &str = "bench 356269, levels c8a14011";

/// The levels, with their matches, played by `santorini lab levels`: both players place
/// their own workers, and the seats are swapped after each game.
///
/// The error of a win rate is 4 to 5% for 400 games, 6% for 100 games, and 10% for level
/// 10.
///
/// Level 1 equals the study's weakest search. Full strength is more than nine steps of 75%
/// above it; the steps are small where most people play. With a clock level 10 uses all its
/// time; in these matches it searched its 400,000 nodes.
const TABLE: [Row; 10] = [
    row(
        0,
        20,
        250.0,
        0.72,
        [223, 400],
        "a beginner: sees most threats of one turn",
    ),
    row(
        0,
        13,
        82.0,
        0.92,
        [323, 400],
        "knows the rules, and seldom overlooks a threat",
    ),
    row(
        500,
        8,
        125.0,
        0.89,
        [321, 400],
        "looks two turns ahead, and often errs",
    ),
    row(
        1_000,
        6,
        55.0,
        0.96,
        [347, 400],
        "looks two turns ahead with more care",
    ),
    row(
        1_600,
        5,
        25.0,
        1.0,
        [277, 400],
        "seldom errs within two turns",
    ),
    row(3_500, 4, 13.0, 1.0, [303, 400], "plans some turns"),
    row(8_500, 3, 9.0, 1.0, [367, 400], "plans well"),
    row(24_000, 2, 6.0, 1.0, [358, 400], "hard to surprise"),
    row(
        100_000,
        2,
        4.0,
        1.0,
        [93, 100],
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
        won: [50, 62],
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

    /// Its parameters.
    pub const fn strength(self) -> Strength {
        self.row().strength
    }

    /// Its Elo above level 1 in the base game: the sum of the Elo differences of all
    /// matches up to this level.
    pub fn elo(self) -> u32 {
        let steps = TABLE[1..usize::from(self.0)].iter().map(|row| {
            let [won, games] = row.won.map(f64::from);
            elo_of_score(won / games)
        });
        steps.sum::<f64>().round() as u32
    }

    /// A short description.
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
    use crate::levels::measured_with;

    #[test]
    fn the_elo_of_levels_was_measured_with_this_engine() {
        assert_eq!(
            MEASURED_WITH,
            measured_with(),
            "the engine or the levels have changed since the matches between levels were \
             played; `santorini lab levels --games 1000` plays them again: put the games that \
             it prints into TABLE of src/games/levels/strength.rs, and its last line into MEASURED_WITH"
        );
    }

    #[test]
    fn every_level_is_stronger_than_the_one_below() {
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
    fn levels_are_parsed() {
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        for text in ["0", "11", "", "-1", "two", "256", "1.5"] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(error.ends_with("to 10, full strength"), "{error}");
        }
    }
}
