//! The parameters of the levels, and their measured strength.

use std::fmt;
use std::iter::once;
use std::str::FromStr;
use std::sync::LazyLock;

use super::elo::LevelElo;
use crate::digits::parse_digits;
use crate::fnv::Fnv;
use crate::printable::excerpt;
use crate::search::bench_signature;

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
    /// The share of turns at which it sees its own wins.
    pub alertness: f64,
    /// Whether it uses all the time of a turn, if time is limited, instead of `nodes`.
    pub takes_all_time: bool,
}

/// The parameters of a level, and its match against the level below.
struct Row {
    strength: Strength,
    /// The games it won and all games.
    won: [u32; 2],
}

/// A level that looks one turn ahead, and sees these shares of the opponent's wins and of
/// its own.
const fn one_ply(
    lines: usize,
    temperature: f64,
    [attention, alertness]: [f64; 2],
    won: [u32; 2],
) -> Row {
    Row {
        strength: Strength {
            nodes: 0,
            lines,
            temperature,
            attention,
            alertness,
            takes_all_time: false,
        },
        won,
    }
}

/// A level that searches.
const fn search(nodes: u64, lines: usize, temperature: f64, attention: f64, won: [u32; 2]) -> Row {
    Row {
        strength: Strength {
            nodes,
            lines,
            temperature,
            attention,
            alertness: 1.0,
            takes_all_time: false,
        },
        won,
    }
}

/// The version of the engine and the levels: the engine's signature, as `santorini bench`
/// prints it, and a checksum of the parameters of the levels.
///
/// Strengths are stored with the version that they were measured with. A test compares it
/// with the current one.
pub fn measured_with() -> String {
    let mut levels = Fnv::default();
    for level in Level::all() {
        levels.add(format!("{:?}", level.strength()).as_bytes());
    }
    let levels = levels.value() >> 32;
    format!("bench {}, levels {levels:08x}", bench_signature())
}

/// The engine and the levels that played the matches in `TABLE` and `FIRST_LEVEL`. After a
/// change to either, run `santorini lab levels`: it plays the matches again and prints this
/// line.
pub const MEASURED_WITH: &str = "bench 356269, levels 349efd57";

/// The matches of level 1 against simulated beginners, agents of the laboratory: games
/// won, and all games. The first plays at random, the second climbs when it can, the third
/// also blocks half of the threats that it faces, and the last one all of them.
pub const FIRST_LEVEL: [(&str, [u32; 2]); 4] = [
    ("random", [987, 1000]),
    ("beginner:attention=0", [206, 1000]),
    ("beginner:attention=0.5", [148, 1000]),
    ("beginner:attention=1", [33, 1000]),
];

/// The levels, with their games in one run of `santorini lab levels`: each pair of games,
/// with the seats swapped, starts from another even opening.
///
/// Level 1 loses four of five games to a beginner that climbs when it can. The steps to
/// full strength are meant to be even: 150 to 200 Elo, a win rate of 70 to 76%. The more nodes a
/// level searches, the fewer games it played, and the wider is its interval. With a clock
/// the highest level uses all its time; in these matches it searched its 400,000 nodes.
const TABLE: [Row; 18] = [
    one_ply(100, 320.0, [0.1, 0.4], [0, 0]),
    one_ply(46, 245.0, [0.3, 0.66], [722, 1000]),
    one_ply(26, 190.0, [0.58, 0.87], [727, 1000]),
    one_ply(17, 130.0, [0.78, 0.97], [701, 1000]),
    one_ply(12, 85.0, [0.92, 1.0], [715, 1000]),
    search(350, 10, 100.0, 0.9, [724, 1000]),
    search(530, 8, 110.0, 0.92, [741, 1000]),
    search(850, 6, 67.0, 0.94, [738, 1000]),
    search(1_400, 5, 33.0, 0.98, [724, 1000]),
    search(2_400, 4, 18.0, 1.0, [599, 833]),
    search(4_000, 4, 15.0, 1.0, [371, 500]),
    search(6_700, 4, 12.0, 1.0, [210, 298]),
    search(11_500, 3, 9.0, 1.0, [129, 173]),
    search(20_000, 3, 6.5, 1.0, [68, 100]),
    search(36_000, 2, 4.0, 1.0, [75, 100]),
    search(80_000, 2, 2.6, 1.0, [81, 100]),
    search(200_000, 2, 2.0, 1.0, [79, 100]),
    Row {
        strength: Strength {
            nodes: 400_000,
            lines: 1,
            temperature: 0.0,
            attention: 1.0,
            alertness: 1.0,
            takes_all_time: true,
        },
        won: [74, 100],
    },
];

/// The Elo of each level above level 1, computed once: several help texts have all of them, and
/// an interval takes long to compute.
static ELO: LazyLock<Vec<LevelElo>> = LazyLock::new(|| {
    let steps = TABLE[1..].iter().map(|row| LevelElo::step(row.won));
    let above_first = steps.scan(LevelElo::ZERO, |elo, step| {
        *elo = *elo + step;
        Some(*elo)
    });
    once(LevelElo::ZERO).chain(above_first).collect()
});

/// What each level does, in a few words.
const ABOUT: [&str; TABLE.len()] = [
    "overlooks nearly all threats, and often its own wins",
    "overlooks most threats, and sometimes its own wins",
    "overlooks many threats",
    "overlooks some threats",
    "looks one turn ahead, and seldom overlooks a threat",
    "looks two turns ahead, and often errs",
    "looks two turns ahead, and sometimes errs",
    "looks two turns ahead, with care",
    "seldom errs within two turns",
    "plans two or three turns",
    "plans some turns",
    "plans some turns, with care",
    "plans well",
    "plans well, and seldom errs",
    "hard to surprise",
    "sees nearly every trap",
    "nearly all that this program can do",
    "all that this program can do",
];

/// A level of strength, from 1, the beginner, to full strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// Why a text is not a level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a level; levels run from 1 (beginner) to {highest} (full strength)", highest = Level::HIGHEST)]
pub struct LevelError(String);

impl Level {
    /// The beginner.
    pub const LOWEST: Self = Self(1);
    /// Full strength.
    pub const HIGHEST: Self = Self(TABLE.len() as u8);

    /// The level with this number; `None` if there is none.
    pub fn new(number: u8) -> Option<Self> {
        (1..=TABLE.len() as u8)
            .contains(&number)
            .then_some(Self(number))
    }

    /// All levels, the lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (1..=TABLE.len() as u8).map(Self)
    }

    /// The number, from 1.
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

    /// Its Elo above level 1 in the base game.
    pub fn elo(self) -> LevelElo {
        ELO[usize::from(self.0) - 1]
    }

    /// Its Elo with the error, in words.
    pub fn elo_text(self) -> String {
        let LevelElo { elo, error } = self.elo();
        format!("{elo:.0} +- {error:.0} Elo above level 1")
    }

    /// A short description.
    pub const fn about(self) -> &'static str {
        ABOUT[self.0 as usize - 1]
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
        let level = parse_digits(text.trim()).and_then(Self::new);
        level.ok_or_else(|| LevelError(excerpt(text, 20)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elo_of_levels_was_measured_with_the_current_engine() {
        assert_eq!(
            MEASURED_WITH,
            measured_with(),
            "the engine or the levels have changed since the matches between levels were \
             played; `santorini lab levels` plays them again: put the games that \
             it prints into TABLE and FIRST_LEVEL of src/games/levels/strength.rs, and its last line into MEASURED_WITH"
        );
    }

    #[test]
    fn steps_between_levels_are_even() {
        assert_eq!(Level::LOWEST.elo().elo, 0.0);
        let levels: Vec<Level> = Level::all().collect();
        for pair in levels.windows(2) {
            let [step, all] = [LevelElo::step(pair[1].row().won), pair[1].elo()];
            assert!((all.elo - pair[0].elo().elo - step.elo).abs() < 1e-6);
            assert!(step.elo > 0.0, "{:?}: {step:?}", pair[1]);
            // No step is known to be smaller or larger than intended.
            assert!(step.elo + step.error > 150.0, "{:?}: {step:?}", pair[1]);
            assert!(step.elo - step.error < 200.0, "{:?}: {step:?}", pair[1]);
            let [low, high] = [pair[0].strength(), pair[1].strength()];
            assert!(low.nodes <= high.nodes && low.lines >= high.lines);
        }
        for level in levels {
            let strength = level.strength();
            assert!(strength.lines >= 1 && strength.temperature >= 0.0);
            assert_eq!(strength.takes_all_time, level == Level::HIGHEST);
        }
    }

    #[test]
    fn the_first_level_loses_to_beginners() {
        let share = |[won, games]: [u32; 2]| f64::from(won) / f64::from(games);
        let [random, climbs, half, careful] = FIRST_LEVEL.map(|(_, games)| share(games));
        assert!(random > 0.9 && random > climbs && climbs > half && half > careful);
        assert!((0.17..=0.23).contains(&climbs), "{climbs}");
        assert!(careful <= 0.05, "{careful}");
    }

    #[test]
    fn levels_are_parsed() {
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let highest = Level::HIGHEST.number();
        let above = (highest + 1).to_string();
        for text in ["0", &above, "", "-1", "two", "256", "1.5"] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(
                error.ends_with(&format!("to {highest} (full strength)")),
                "{error}"
            );
        }
    }
}
