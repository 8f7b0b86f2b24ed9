//! The networks that an engine plays with, one for each size of board.

use std::any::Any;
use std::sync::LazyLock;

use super::Network;
use super::file::{NetworkError, read_header};

/// A network for each size of board. They stay for the life of the program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Networks {
    five: &'static Network<5>,
    six: &'static Network<6>,
}

impl Networks {
    /// The networks that are part of the program.
    pub fn embedded() -> Self {
        static FIVE: LazyLock<Network<5>> = LazyLock::new(|| read(include_bytes!("5x5.bin")));
        static SIX: LazyLock<Network<6>> = LazyLock::new(|| read(include_bytes!("6x6.bin")));
        Self {
            five: &FIVE,
            six: &SIX,
        }
    }

    /// These networks, with the one of a file for the boards that it is for.
    ///
    /// # Errors
    /// If the bytes are not a network.
    pub fn with_file(mut self, bytes: &[u8]) -> Result<Self, NetworkError> {
        match read_header(bytes)?.0 {
            6 => self.six = Box::leak(Box::new(Network::from_bytes(bytes)?)),
            _ => self.five = Box::leak(Box::new(Network::from_bytes(bytes)?)),
        }
        Ok(self)
    }

    /// The network for boards of `N`x`N` spaces: 5x5 or 6x6, as all are.
    pub fn for_board<const N: usize>(self) -> &'static Network<N> {
        let networks: [&dyn Any; 2] = [self.five, self.six];
        let mut fitting = networks.into_iter().filter_map(<dyn Any>::downcast_ref);
        fitting.next().expect("boards have 5x5 or 6x6 spaces")
    }
}

fn read<const N: usize>(bytes: &[u8]) -> Network<N> {
    Network::from_bytes(bytes).expect("the files in the repository are networks")
}
