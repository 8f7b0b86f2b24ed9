//! The eight god cards: what each changes about its player's turn.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A god card. Its name in JSON is the name of the variant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Card {
    /// May move onto an opponent's worker, which takes the space left.
    Apollo,
    /// May move twice, but not back to where the worker started.
    Artemis,
    /// May build a dome on any level.
    Atlas,
    /// May build a second time, on another space.
    Demeter,
    /// May build a second block on the first, but not a dome.
    Hephastus,
    /// May move onto an opponent's worker and push it one space further.
    Minotaur,
    /// Also wins by moving down two levels or more.
    Pan,
    /// May build before the move, and then not move up.
    Prometheus,
}

/// The rules of a player's turn: [`Power::BASE`], or a card's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Power {
    /// What happens to an opponent's worker in the way.
    pub blocked: Blocked,
    /// If the first move does not win, the worker may move again, but not back to its start.
    pub moves_twice: bool,
    /// Stepping down two or more levels also wins.
    pub wins_by_falling: bool,
    /// What may be built.
    pub building: Building,
}

/// What happens to an opponent's worker on the space to move to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// It stays: the space cannot be moved to.
    Stays,
    /// The two workers swap their spaces.
    Swaps,
    /// The opponent's worker is pushed one space further in the same direction,
    /// if that space is on the board, not occupied and not capped.
    Pushes,
}

/// What the moved worker may build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Building {
    /// One level, after moving.
    Once,
    /// Once, or straight to level 4 on a space of level 0, 1 or 2.
    OrDome,
    /// Once, or one level each on two different spaces.
    OrTwoSpaces,
    /// Once, or two levels on one space, but not up to level 4.
    OrTwoLevels,
    /// Once after moving, or once before and once after; then the move may not go up.
    OrBeforeMoving,
}

impl Power {
    /// The turn of a player without a card.
    pub const BASE: Self = Self {
        blocked: Blocked::Stays,
        moves_twice: false,
        wins_by_falling: false,
        building: Building::Once,
    };
}

impl Card {
    /// All cards in alphabetical order.
    pub const ALL: [Self; 8] = [
        Self::Apollo,
        Self::Artemis,
        Self::Atlas,
        Self::Demeter,
        Self::Hephastus,
        Self::Minotaur,
        Self::Pan,
        Self::Prometheus,
    ];

    /// What the card changes about its player's turn.
    pub const fn power(self) -> Power {
        let base = Power::BASE;
        match self {
            Self::Apollo => Power {
                blocked: Blocked::Swaps,
                ..base
            },
            Self::Artemis => Power {
                moves_twice: true,
                ..base
            },
            Self::Atlas => Power {
                building: Building::OrDome,
                ..base
            },
            Self::Demeter => Power {
                building: Building::OrTwoSpaces,
                ..base
            },
            Self::Hephastus => Power {
                building: Building::OrTwoLevels,
                ..base
            },
            Self::Minotaur => Power {
                blocked: Blocked::Pushes,
                ..base
            },
            Self::Pan => Power {
                wins_by_falling: true,
                ..base
            },
            Self::Prometheus => Power {
                building: Building::OrBeforeMoving,
                ..base
            },
        }
    }

    /// The card's name as the exchange protocol spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apollo => "Apollo",
            Self::Artemis => "Artemis",
            Self::Atlas => "Atlas",
            Self::Demeter => "Demeter",
            Self::Hephastus => "Hephastus",
            Self::Minotaur => "Minotaur",
            Self::Pan => "Pan",
            Self::Prometheus => "Prometheus",
        }
    }

    /// Every ordered pair of two different cards: 56 of them.
    pub fn pairs() -> impl Iterator<Item = [Self; 2]> {
        Self::ALL.into_iter().flat_map(|a| {
            Self::ALL
                .into_iter()
                .filter(move |&b| b != a)
                .map(move |b| [a, b])
        })
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of reading a card's name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no card is called {0:?}; the cards are {list}", list = Card::ALL.map(Card::name).join(", "))]
pub struct UnknownCard(pub String);

impl FromStr for Card {
    type Err = UnknownCard;

    fn from_str(name: &str) -> Result<Self, UnknownCard> {
        let found = Self::ALL.into_iter().find(|card| card.name() == name);
        found.ok_or_else(|| UnknownCard(name.to_string()))
    }
}
