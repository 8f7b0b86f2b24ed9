//! What a book of openings is made from, and how far the making is.

use std::collections::HashSet;

use super::candidate::Variety;
use crate::eval::EvalKind;
use crate::rules::{Card, Cards, Position};

/// The options of a book.
#[derive(Clone, Copy, Debug)]
pub struct BookOptions {
    /// The evaluation of all searches.
    pub eval: EvalKind,
    /// Whether to make openings with cards, for every pair.
    pub cards: bool,
    /// The number of openings wanted; with cards, for each pair.
    pub openings: usize,
    /// The maximum number of candidates searched for each opening wanted, besides given
    /// boards.
    pub candidates: u64,
    /// The nodes of the deep search.
    pub nodes: u64,
    /// The maximum distance of the expected win share from one half.
    pub margin: f64,
    /// How the openings are spread over the candidates.
    pub variety: Variety,
    /// The number of games to fit the win share.
    pub games: u64,
    /// The number of games from each opening with an even score. The opening is dropped once
    /// one seat leads by more than the square root of this number.
    pub trials: u32,
    /// Nodes per turn of all these games; the first trials have fewer.
    pub game_nodes: u64,
    /// The seed of candidates and games.
    pub seed: u64,
}

/// Why a book could not be made.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The model has too few results to be fitted.
    #[error("{0} games are too few to fit the win share; play more")]
    TooFewGames(usize),
    /// The jobs were stopped before the model was fitted.
    #[error("interrupted")]
    Stopped,
}

/// The progress of making a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookProgress {
    /// The number of games played to fit the win share.
    Games(u64),
    /// The number of given boards judged.
    Given(u64),
    /// The number of openings found, or the share of candidates searched if that is more.
    Openings {
        /// The openings found, or that share of `of`.
        found: usize,
        /// The openings wanted.
        of: usize,
    },
}

/// From this trial on, games get all nodes. Earlier ones get a share in proportion to their
/// number.
const WHOLE_TRIAL: u32 = 4;

impl BookOptions {
    /// The pairs of cards with openings. Candidates cycle through them by number.
    pub(super) fn pairs(&self) -> Vec<Cards> {
        match self.cards {
            true => Card::pairs().map(|pair| pair.map(Some)).collect(),
            false => vec![[None, None]],
        }
    }

    /// The number of openings wanted for the whole book.
    pub fn wanted(&self) -> usize {
        self.openings * self.pairs().len()
    }

    /// The average nodes per turn of the trial with this number, from 1. The first trials
    /// have fewer: most openings that are not even fail them.
    pub(super) fn trial_nodes(&self, trial: u32) -> u64 {
        self.game_nodes * u64::from(trial.min(WHOLE_TRIAL)) / u64::from(WHOLE_TRIAL)
    }

    /// The number of candidates with the same cards before the one with this number.
    pub(super) fn before(&self, number: u64) -> u64 {
        number / self.pairs().len() as u64
    }

    /// The given boards of games that the book is for, without duplicates, each with the
    /// index of its pair of cards.
    pub(super) fn given(&self, boards: &[Position<5>]) -> Vec<(usize, Position<5>)> {
        let pairs = self.pairs();
        let pair_of = |board: &Position<5>| pairs.iter().position(|&it| it == board.first_cards());
        let mut seen = HashSet::new();
        let new = boards.iter().filter(|it| seen.insert(it.symmetric_key()));
        new.filter_map(|board| Some((pair_of(board)?, *board)))
            .collect()
    }

    pub(super) fn cards_of(&self, number: u64) -> Cards {
        let pairs = self.pairs();
        pairs[(number % pairs.len() as u64) as usize]
    }
}
