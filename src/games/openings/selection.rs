//! The openings of a book that are chosen among candidates: the first that are even, and
//! where these are too few the nearest to it.

use std::collections::HashSet;

use super::judge::{Judged, Searched};
use crate::rules::Position;

/// The openings found so far, no two of them equal up to symmetry.
pub struct Selection {
    wanted: usize,
    seen: HashSet<u64>,
    even: Vec<Searched>,
    /// The nearest to even of the others, the nearest first, each with the distance.
    others: Vec<(f64, Searched)>,
}

/// The openings chosen: the even ones, then others.
pub struct Selected {
    /// Each with its score for the player to move.
    pub openings: Vec<(Position<5>, i32)>,
    /// The number of even ones.
    pub even: usize,
}

impl Selection {
    /// No openings yet, of so many that are wanted.
    pub fn new(wanted: usize) -> Self {
        Self {
            wanted,
            seen: HashSet::new(),
            even: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The number of even openings.
    pub fn even(&self) -> usize {
        self.even.len()
    }

    /// Whether no more openings are wanted.
    pub fn is_full(&self) -> bool {
        self.even() >= self.wanted
    }

    /// Adds a candidate if it is new.
    pub fn offer(&mut self, judged: &Judged) {
        let Judged {
            candidate,
            distance,
            is_even,
            ..
        } = *judged;
        if self.is_full() || !self.seen.insert(candidate.position.symmetric_key()) {
            return;
        }
        if is_even {
            self.even.push(candidate);
        } else {
            let nearer = self.others.partition_point(|&(other, _)| other <= distance);
            self.others.insert(nearer, (distance, candidate));
            self.others.truncate(self.wanted);
        }
    }

    /// The even openings alone, each with its score for the player to move.
    pub fn into_even(self) -> impl Iterator<Item = (Position<5>, i32)> {
        let even = self.even.into_iter();
        even.map(|candidate| (candidate.position, candidate.score))
    }

    /// The openings wanted, or as many as there are.
    pub fn finish(self) -> Selected {
        let even = self.even();
        let others = self.others.into_iter().map(|(_, candidate)| candidate);
        let openings = self.even.into_iter().chain(others).take(self.wanted);
        Selected {
            openings: openings
                .map(|candidate| (candidate.position, candidate.score))
                .collect(),
            even,
        }
    }
}
