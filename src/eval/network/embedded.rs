//! The built-in networks, and the choice of one by board size and kind of game.

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
    /// Puts the network of a file in its place.
    fn with_file(&mut self, bytes: &[u8], features: FeatureSet) -> Result<(), NetworkError> {
        let network = kept(Network::from_bytes(bytes)?);
        match features {
            FeatureSet::Base => self.base = network,
            FeatureSet::Cards | FeatureSet::Pair => self.cards = Some(network),
        }
        Ok(())
    }
}

/// Keeps a network for the rest of the program; the same one is kept once.
fn kept<const N: usize>(network: Network<N>) -> &'static Network<N> {
    static KEPT: Mutex<Vec<&'static (dyn Any + Send + Sync)>> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut same_size = kept.iter().filter_map(|it| it.downcast_ref::<Network<N>>());
    if let Some(same) = same_size.find(|&it| *it == network) {
        return same;
    }
    let network: &'static Network<N> = Box::leak(Box::new(network));
    kept.push(network);
    network
}

/// A network for each board size and kind of game. They are never freed, so a program
/// should not read ever new ones.
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

    /// The built-in networks and their hidden units, as text. Reads only the
    /// headers.
    pub fn embedded_text() -> String {
        let networks = [("5x5", FIVE), ("5x5 with cards", FIVE_CARDS), ("6x6", SIX)];
        let texts = networks.map(|(games, bytes)| {
            let header = Header::read(bytes).expect(NETWORKS);
            format!("{games} {} hidden units", header.hidden_units)
        });
        texts.join(", ")
    }

    /// The same networks, but with that of a file for its kind of game.
    ///
    /// # Errors
    /// If the bytes are not a network.
    pub fn with_file(mut self, bytes: &[u8]) -> Result<Self, NetworkError> {
        let header = Header::read(bytes)?;
        match header.size {
            6 => self.six.with_file(bytes, header.features())?,
            _ => self.five.with_file(bytes, header.features())?,
        }
        Ok(self)
    }

    /// Whether games with these features are played by another network than the built-in
    /// one.
    pub fn is_changed_for<const N: usize>(&self, features: FeatureSet) -> bool {
        let built_in = Self::embedded().for_features::<N>(features);
        !std::ptr::eq(self.for_features(features), built_in)
    }

    /// A checksum of all of them.
    pub fn checksum(&self) -> u64 {
        let mut sum = Fnv::default();
        let base = [
            self.five.base.to_unchecked_bytes(),
            self.six.base.to_unchecked_bytes(),
        ];
        let cards = [
            self.five.cards.map(Network::to_unchecked_bytes),
            self.six.cards.map(Network::to_unchecked_bytes),
        ];
        for bytes in base.into_iter().chain(cards.into_iter().flatten()) {
            sum.add(&bytes);
        }
        sum.value()
    }

    /// The network for a position and all positions after it.
    pub fn for_position<const N: usize>(&self, position: &Position<N>) -> &'static Network<N> {
        self.for_features(FeatureSet::of(position))
    }

    /// The network for games with these features.
    pub fn for_features<const N: usize>(&self, features: FeatureSet) -> &'static Network<N> {
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
