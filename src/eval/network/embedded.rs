//! The networks that an engine plays with, by size of board and kind of game.

use std::any::Any;
use std::sync::LazyLock;

use super::Network;
use super::features::Features;
use super::file::{Header, NetworkError};
use crate::rules::Position;

const FIVE: &[u8] = include_bytes!("5x5.bin");
const FIVE_CARDS: &[u8] = include_bytes!("5x5_cards.bin");
const SIX: &[u8] = include_bytes!("6x6.bin");

/// The networks for a size of board.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Games<const N: usize> {
    base: &'static Network<N>,
    /// Where there is none, games with cards are played as if there were none.
    cards: Option<&'static Network<N>>,
}

impl<const N: usize> Games<N> {
    /// With the network of a file in its place.
    fn with_file(&mut self, bytes: &[u8], features: Features) -> Result<(), NetworkError> {
        let network: &'static Network<N> = Box::leak(Box::new(Network::from_bytes(bytes)?));
        match features {
            Features::Base => self.base = network,
            Features::Cards => self.cards = Some(network),
        }
        Ok(())
    }
}

/// A network for each size of board and kind of game. They stay for the life
/// of the program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Networks {
    five: Games<5>,
    six: Games<6>,
}

impl Networks {
    /// The networks that are part of the program.
    pub fn embedded() -> Self {
        static BASE: LazyLock<Network<5>> = LazyLock::new(|| read(FIVE));
        static CARDS: LazyLock<Network<5>> = LazyLock::new(|| read(FIVE_CARDS));
        static LARGE: LazyLock<Network<6>> = LazyLock::new(|| read(SIX));
        Self {
            five: Games {
                base: &BASE,
                cards: Some(&CARDS),
            },
            six: Games {
                base: &LARGE,
                cards: None,
            },
        }
    }

    /// The networks that are part of the program and their hidden units, as
    /// text. Only the headers are read.
    pub fn embedded_text() -> String {
        let networks = [("5x5", FIVE), ("5x5 with cards", FIVE_CARDS), ("6x6", SIX)];
        let texts = networks.map(|(games, bytes)| {
            let header = Header::read(bytes).expect(NETWORKS);
            format!("{games} {} hidden units", header.hidden)
        });
        texts.join(", ")
    }

    /// These networks, with that of a file for the games that it is for.
    ///
    /// # Errors
    /// If the bytes are not a network.
    pub fn with_file(mut self, bytes: &[u8]) -> Result<Self, NetworkError> {
        let header = Header::read(bytes)?;
        match header.size {
            6 => self.six.with_file(bytes, header.features)?,
            _ => self.five.with_file(bytes, header.features)?,
        }
        Ok(self)
    }

    /// The network for a position and all that come after it.
    pub fn for_position<const N: usize>(&self, position: &Position<N>) -> &'static Network<N> {
        self.for_features(Features::of(position))
    }

    /// The network for games with these features.
    pub fn for_features<const N: usize>(&self, features: Features) -> &'static Network<N> {
        let games: [&dyn Any; 2] = [&self.five, &self.six];
        let mut fitting = games.into_iter().filter_map(<dyn Any>::downcast_ref);
        let games: &Games<N> = fitting.next().expect("boards have 5x5 or 6x6 spaces");
        match features {
            Features::Base => games.base,
            Features::Cards => games.cards.unwrap_or(games.base),
        }
    }
}

/// Why reading an embedded network cannot fail.
const NETWORKS: &str = "the files in the repository are networks";

fn read<const N: usize>(bytes: &[u8]) -> Network<N> {
    Network::from_bytes(bytes).expect(NETWORKS)
}
