//! The built-in networks, and the choice by board size and kind of game.

use std::any::Any;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::Network;
use super::features::FeatureSet;
use super::file::{Header, NetworkError};
use crate::fnv::Fnv;
use crate::rules::Position;

const FIVE: &[u8] = include_bytes!("5x5.bin");
const FIVE_CARDS: &[u8] = include_bytes!("5x5_cards.bin");
const SIX: &[u8] = include_bytes!("6x6.bin");

/// The networks for one board size.
#[derive(Clone, Copy, PartialEq, Debug)]
struct BoardNetworks<const N: usize> {
    base: &'static Network<N>,
    /// Without one, the base network also evaluates games with cards.
    cards: Option<&'static Network<N>>,
}

impl<const N: usize> BoardNetworks<N> {
    /// Replaces the network for the games of a file's network.
    fn set_file(
        &mut self,
        bytes: &[u8],
        features: FeatureSet,
        kept: &KeptNetworks<N>,
    ) -> Result<(), NetworkError> {
        let network = keep(Network::from_bytes(bytes)?, kept);
        match features {
            FeatureSet::Base => self.base = network,
            FeatureSet::Cards | FeatureSet::Pair => self.cards = Some(network),
        }
        Ok(())
    }
}

/// The networks read from files.
type KeptNetworks<const N: usize> = Mutex<Vec<&'static Network<N>>>;

/// Keeps a network for the rest of the program. Equal networks are kept once.
fn keep<const N: usize>(network: Network<N>, kept: &KeptNetworks<N>) -> &'static Network<N> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
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
        static BASE: LazyLock<Network<5>> = LazyLock::new(|| read(FIVE));
        static CARDS: LazyLock<Network<5>> = LazyLock::new(|| read(FIVE_CARDS));
        static LARGE: LazyLock<Network<6>> = LazyLock::new(|| read(SIX));
        Self {
            five: BoardNetworks {
                base: &BASE,
                cards: Some(&CARDS),
            },
            six: BoardNetworks {
                base: &LARGE,
                cards: None,
            },
        }
    }

    /// The built-in networks and their hidden units, as text. Reads only the headers.
    pub fn embedded_text() -> String {
        let networks = [("5x5", FIVE), ("5x5 with cards", FIVE_CARDS), ("6x6", SIX)];
        let texts = networks.map(|(games, bytes)| {
            let header = Header::read(bytes).expect(NETWORKS);
            format!("{games} {} hidden units", header.hidden_units)
        });
        texts.join(", ")
    }

    /// The same networks with a file's network for its kind of game.
    ///
    /// # Errors
    /// If the bytes are not a network.
    pub fn with_file(mut self, bytes: &[u8]) -> Result<Self, NetworkError> {
        static KEPT_FIVE: KeptNetworks<5> = Mutex::new(Vec::new());
        static KEPT_SIX: KeptNetworks<6> = Mutex::new(Vec::new());
        let header = Header::read(bytes)?;
        match header.size {
            6 => self.six.set_file(bytes, header.features(), &KEPT_SIX)?,
            _ => self.five.set_file(bytes, header.features(), &KEPT_FIVE)?,
        }
        Ok(self)
    }

    /// Whether the network for games with these features is not the built-in one.
    pub fn is_changed_for<const N: usize>(&self, features: FeatureSet) -> bool {
        let built_in = Self::embedded().for_features::<N>(features);
        !std::ptr::eq(self.for_features(features), built_in)
    }

    /// A checksum of all networks.
    pub fn checksum(&self) -> u64 {
        let mut sum = Fnv::default();
        let base = [self.five.base.to_bytes(), self.six.base.to_bytes()];
        let cards = [
            self.five.cards.map(Network::to_bytes),
            self.six.cards.map(Network::to_bytes),
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

    /// The network for games with these features.
    pub fn for_features<const N: usize>(&self, features: FeatureSet) -> &'static Network<N> {
        // A bound on `N` would be needed on everything that searches.
        let games: [&dyn Any; 2] = [&self.five, &self.six];
        let mut fitting = games.into_iter().filter_map(<dyn Any>::downcast_ref);
        let games: &BoardNetworks<N> = fitting.next().expect("boards have 5x5 or 6x6 spaces");
        match features {
            FeatureSet::Base => games.base,
            FeatureSet::Cards | FeatureSet::Pair => games.cards.unwrap_or(games.base),
        }
    }
}

/// Why reading an embedded network cannot fail.
const NETWORKS: &str = "the files in the repository are networks";

fn read<const N: usize>(bytes: &'static [u8]) -> Network<N> {
    Network::from_static(bytes).expect(NETWORKS)
}
