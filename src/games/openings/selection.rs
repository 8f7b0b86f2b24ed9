//! Selects the openings of a book among candidates: the first even ones and, if they are
//! too few, the closest to even.

use std::collections::HashSet;

use super::judge::{Judged, Searched};
use crate::rules::Position;

/// The openings found so far, all different up to symmetry.
pub(super) struct Selection {
    wanted: usize,
    seen: HashSet<u64>,
    even: Vec<Searched>,
    /// The other candidates with their distances from even, closest first.
    others: Vec<(f64, Searched)>,
}

/// The selected openings: the even ones, then others.
pub(super) struct Selected {
    /// The openings, with their scores for the player to move.
    pub openings: Vec<(Position<5>, i32)>,
    /// The number of even ones.
    pub even: usize,
}

impl Selection {
    /// An empty selection for `wanted` openings.
    pub(super) fn new(wanted: usize) -> Self {
        Self {
            wanted,
            seen: HashSet::new(),
            even: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The number of even openings.
    pub(super) fn even(&self) -> usize {
        self.even.len()
    }

    /// Whether there are enough even openings.
    pub(super) fn is_full(&self) -> bool {
        self.even() >= self.wanted
    }

    /// Adds a candidate unless an equal one was offered before.
    pub(super) fn offer(&mut self, judged: &Judged) {
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

    /// Only the even openings, with their scores for the player to move.
    pub(super) fn into_even(self) -> impl Iterator<Item = (Position<5>, i32)> {
        let even = self.even.into_iter();
        even.map(|candidate| (candidate.position, candidate.score))
    }

    /// The openings wanted, or as many as there are.
    pub(super) fn finish(self) -> Selected {
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
