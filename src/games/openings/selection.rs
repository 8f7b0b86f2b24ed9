//! Selects the openings of a book among candidates: the first even ones and, if they are
//! too few, the closest to even.

use std::collections::HashSet;

use super::book::Opening;
use super::judge::Judged;

/// The openings found so far for one pair of cards, or for the base game. No two are
/// symmetric.
#[derive(Default)]
pub(super) struct Selection {
    wanted: usize,
    /// The number of candidates searched, including given boards and the first candidates.
    pub candidates: u64,
    /// Whether the jobs were stopped.
    pub is_stopped: bool,
    seen: HashSet<u64>,
    even: Vec<Opening>,
    /// The other candidates with their distances from even, closest first.
    others: Vec<(f64, Opening)>,
}

impl Selection {
    /// An empty selection for `wanted` openings.
    pub(super) fn new(wanted: usize) -> Self {
        Self {
            wanted,
            ..Self::default()
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

    /// Counts a candidate. Adds its opening, if it has one, unless a symmetric one was offered
    /// before or there are enough even openings.
    pub(super) fn offer(&mut self, judged: Option<Judged>) {
        self.candidates += 1;
        let Some(judged) = judged.filter(|_| !self.is_full()) else {
            return;
        };
        let (opening, distance) = (judged.opening, judged.distance);
        if !self.seen.insert(opening.0.symmetric_key()) {
            return;
        }
        if judged.is_even {
            self.even.push(opening);
        } else {
            let nearer = self.others.partition_point(|&(other, _)| other <= distance);
            self.others.insert(nearer, (distance, opening));
            self.others.truncate(self.wanted);
        }
    }

    /// The even openings. If they are too few and the jobs were not stopped, the others closest
    /// to even follow.
    pub(super) fn finish(self) -> Vec<Opening> {
        let others = self.others.into_iter().filter(|_| !self.is_stopped);
        let all = self.even.into_iter().chain(others.map(|other| other.1));
        all.take(self.wanted).collect()
    }
}
