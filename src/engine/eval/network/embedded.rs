//! The built-in networks, and the choice by board size and kind of game.

use std::any::Any;
use std::fmt;
use std::sync::{Mutex, OnceLock};

use super::Network;
use super::features::FeatureSet;
use super::file::{Header, NetworkError};
use super::pairs;
use crate::fnv::Fnv;
use crate::memory;
use crate::mutex::MutexExt as _;
use crate::rules::{Cards, Position};

const FIVE: &[u8] = include_bytes!("5x5.bin");
const FIVE_CARDS: Option<&[u8]> = if cfg!(feature = "cards-network") {
    Some(include_bytes!("5x5_cards.bin"))
} else {
    None
};
const SIX: &[u8] = include_bytes!("6x6.bin");

/// The networks for one board size.
#[derive(Clone, Copy, PartialEq, Debug)]
struct BoardNetworks<const N: usize> {
    base: Source<N>,
    /// Without one, the base network also evaluates games with cards.
    cards: Option<Source<N>>,
}

/// The source of a network.
#[derive(Clone, Copy)]
enum Source<const N: usize> {
    BuiltIn(&'static BuiltIn<N>),
    File(&'static Network<N>),
}

/// A built-in network, read on first use.
struct BuiltIn<const N: usize> {
    bytes: &'static [u8],
    network: OnceLock<Network<N>>,
}

impl<const N: usize> BuiltIn<N> {
    const fn new(bytes: &'static [u8]) -> Self {
        Self {
            bytes,
            network: OnceLock::new(),
        }
    }

    fn get(&self) -> &Network<N> {
        let read = || Network::from_static(self.bytes).expect(NETWORKS);
        self.network.get_or_init(read)
    }

    /// The bytes copied when the network is read.
    fn size(&self) -> usize {
        let header = Header::read(self.bytes).expect(NETWORKS);
        let changes = match header.features() {
            FeatureSet::Base => 0,
            FeatureSet::Cards | FeatureSet::Pair => pairs::changes::<N>(header.hidden_units),
        };
        self.bytes.len().saturating_sub(changes)
    }
}

impl<const N: usize> Source<N> {
    fn get(self) -> &'static Network<N> {
        match self {
            Self::BuiltIn(built_in) => built_in.get(),
            Self::File(network) => network,
        }
    }

    /// The bytes that games with these cards need before the first evaluation.
    fn needs(self, cards: Cards) -> usize {
        let loaded = match self {
            Self::BuiltIn(built_in) => built_in.network.get().ok_or_else(|| built_in.size()),
            Self::File(network) => Ok(network),
        };
        match loaded {
            Ok(network) => network.needs(cards),
            // The weights derived for a pair of cards are small.
            Err(size) => size + size / 4,
        }
    }
}

impl<const N: usize> PartialEq for Source<N> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.get(), other.get());
        std::ptr::eq(a, b) || a == b
    }
}

impl<const N: usize> fmt::Debug for Source<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BuiltIn(_) => "built in",
            Self::File(_) => "of a file",
        })
    }
}

/// Bytes reserved for the rest of a search, besides its networks.
const REST: usize = 1 << 20;

/// The same for a network that is read ahead.
const AHEAD: usize = memory::SPARE;

impl<const N: usize> BoardNetworks<N> {
    /// Replaces the network for the games of a file's network.
    fn set_file(&mut self, bytes: &[u8], kept: &KeptNetworks<N>) -> Result<(), NetworkError> {
        let network = keep(Network::from_bytes(bytes)?, kept);
        match network.features() {
            FeatureSet::Base => self.base = Source::File(network),
            FeatureSet::Cards | FeatureSet::Pair => self.cards = Some(Source::File(network)),
        }
        Ok(())
    }
}

/// The networks read from files.
type KeptNetworks<const N: usize> = Mutex<Vec<&'static Network<N>>>;

/// Keeps a network for the rest of the program. Equal networks are kept once.
fn keep<const N: usize>(network: Network<N>, kept: &KeptNetworks<N>) -> &'static Network<N> {
    let mut kept = kept.locked();
    if let Some(same) = kept.iter().find(|&&it| *it == network) {
        return same;
    }
    let network: &'static Network<N> = Box::leak(Box::new(network));
    kept.push(network);
    network
}

/// A network for each board size and kind of game. Networks are never freed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Networks {
    five: BoardNetworks<5>,
    six: BoardNetworks<6>,
}

impl Networks {
    /// The built-in networks.
    pub fn embedded() -> Self {
        static BASE: BuiltIn<5> = BuiltIn::new(FIVE);
        static CARDS: Option<BuiltIn<5>> = match FIVE_CARDS {
            Some(bytes) => Some(BuiltIn::new(bytes)),
            None => None,
        };
        static LARGE: BuiltIn<6> = BuiltIn::new(SIX);
        Self {
            five: BoardNetworks {
                base: Source::BuiltIn(&BASE),
                cards: CARDS.as_ref().map(Source::BuiltIn),
            },
            six: BoardNetworks {
                base: Source::BuiltIn(&LARGE),
                cards: None,
            },
        }
    }

    /// The built-in networks and their hidden units, as text. Reads only the headers.
    pub fn embedded_text() -> String {
        let networks = [
            ("5x5", Some(FIVE)),
            ("5x5 with cards", FIVE_CARDS),
            ("6x6", Some(SIX)),
        ];
        let texts = networks.into_iter().filter_map(|(games, bytes)| {
            let header = Header::read(bytes?).expect(NETWORKS);
            Some(format!("{games} {} hidden units", header.hidden_units))
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    /// The same networks with a file's network for its kind of game.
    ///
    /// # Errors
    /// If the bytes are not a network.
    pub fn with_file(mut self, bytes: &[u8]) -> Result<Self, NetworkError> {
        static KEPT_FIVE: KeptNetworks<5> = Mutex::new(Vec::new());
        static KEPT_SIX: KeptNetworks<6> = Mutex::new(Vec::new());
        match Header::read(bytes)?.size {
            6 => self.six.set_file(bytes, &KEPT_SIX)?,
            _ => self.five.set_file(bytes, &KEPT_FIVE)?,
        }
        Ok(self)
    }

    /// Whether games with cards have their own network on 5x5.
    pub fn have_cards(&self) -> bool {
        self.five.cards.is_some()
    }

    /// Whether the network for games with these features is not the built-in one.
    pub fn is_changed_for<const N: usize>(&self, features: FeatureSet) -> bool {
        matches!(self.source::<N>(features), Source::File(_))
    }

    /// A checksum of all networks.
    pub fn checksum(&self) -> u64 {
        let mut sum = Fnv::default();
        let base = [
            self.five.base.get().to_unchecked_bytes(),
            self.six.base.get().to_unchecked_bytes(),
        ];
        let cards = [
            self.five.cards.map(|it| it.get().to_unchecked_bytes()),
            self.six.cards.map(|it| it.get().to_unchecked_bytes()),
        ];
        for bytes in base.into_iter().chain(cards.into_iter().flatten()) {
            sum.add(&bytes);
        }
        sum.value()
    }

    /// The network for the game of a position.
    pub fn for_position<const N: usize>(&self, position: &Position<N>) -> &'static Network<N> {
        self.for_features(FeatureSet::of(position))
    }

    /// Whether there is memory to evaluate a position and those after it.
    pub fn fit_memory<const N: usize>(&self, position: &Position<N>) -> bool {
        let source = self.source::<N>(FeatureSet::of(position));
        let needs = source.needs(position.cards());
        needs == 0 || memory::is_left(needs + REST)
    }

    /// Reads the networks for one size of board, so that no search waits for it, as far as
    /// there is memory for them.
    pub fn read_ahead<const N: usize>(&self) {
        for features in [FeatureSet::Base, FeatureSet::Cards] {
            let source = self.source::<N>(features);
            if let Source::BuiltIn(built_in) = source
                && memory::is_left(built_in.size() + AHEAD)
            {
                built_in.get();
            }
        }
    }

    /// The network for games with these features.
    pub fn for_features<const N: usize>(&self, features: FeatureSet) -> &'static Network<N> {
        self.source(features).get()
    }

    fn source<const N: usize>(&self, features: FeatureSet) -> Source<N> {
        // Choosing by a trait would need a bound on `N` everywhere in the search.
        let games: [&dyn Any; 2] = [&self.five, &self.six];
        let mut fitting = games.into_iter().filter_map(<dyn Any>::downcast_ref);
        let games: &BoardNetworks<N> = fitting.next().expect("boards have 5x5 or 6x6 spaces");
        match features {
            FeatureSet::Base => games.base,
            FeatureSet::Cards | FeatureSet::Pair => games.cards.unwrap_or(games.base),
        }
    }
}

/// The reason why reading an embedded network cannot fail.
const NETWORKS: &str = "the files in the repository are networks";
