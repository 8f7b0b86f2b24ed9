//! The pairings of a tournament, and which of the pending games can start now.

use std::collections::HashSet;

/// One game of the tournament. Bots are numbered in order of entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// Counted from 0 through the whole tournament.
    pub game: usize,
    /// The round, from 0. The games of a round are between disjoint pairs.
    pub round: usize,
    /// The first one places and moves first.
    pub bots: [usize; 2],
}

/// A round robin in which every two bots meet `times` times, by the circle method. An even
/// number N of bots takes N - 1 rounds of disjoint pairs. An odd N takes N rounds, and one
/// bot rests in each.
///
/// The last bot stands in the middle of a circle of all others; for an odd N the middle is
/// empty. In round `r`, bot `r` meets the middle, and the others meet across the circle:
/// `r + 1` and `r - 1`, `r + 2` and `r - 2`, and so on. The first bot of such a pair moves
/// first; the middle moves first in every other round. So each bot moves first in half of
/// its games, plus or minus one. Each repetition swaps all seats.
pub(super) fn round_robin(bots: usize, times: usize) -> Vec<Pairing> {
    let circle = bots.saturating_sub(1) | 1;
    let mut pairings = Vec::with_capacity(times * bots * bots / 2);
    for time in 0..times {
        for r in 0..circle {
            let middle = if r % 2 == 0 { [r, circle] } else { [circle, r] };
            let across = (1..=circle / 2).map(|i| [(r + i) % circle, (r + circle - i) % circle]);
            for [a, b] in std::iter::once(middle).chain(across) {
                if a < bots && b < bots {
                    pairings.push(Pairing {
                        game: pairings.len(),
                        round: time * circle + r,
                        bots: if time % 2 == 0 { [a, b] } else { [b, a] },
                    });
                }
            }
        }
    }
    pairings
}

/// The games that have not started yet, in the order of the schedule.
#[derive(Debug)]
pub(super) struct PendingGames {
    left: Vec<Pairing>,
}

impl PendingGames {
    /// Creates the list of the given games.
    pub(super) const fn new(left: Vec<Pairing>) -> Self {
        Self { left }
    }

    /// Whether every game has started.
    pub(super) const fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Removes and returns the games that can start now: in order, each game whose bots
    /// are both free according to `free[bot]`. They are then marked as not free.
    ///
    /// No game waits for the end of a round, so a slow bot delays only its current
    /// opponent.
    pub(super) fn begin(&mut self, free: &mut [bool]) -> Vec<Pairing> {
        let mut begun = Vec::new();
        self.left.retain(|pairing| {
            let can_begin = pairing.bots.iter().all(|&bot| free[bot]);
            if can_begin {
                pairing.bots.iter().for_each(|&bot| free[bot] = false);
                begun.push(*pairing);
            }
            !can_begin
        });
        begun
    }

    /// The bots of the pending games.
    pub(super) fn left(&self) -> impl Iterator<Item = [usize; 2]> {
        self.left.iter().map(|pairing| pairing.bots)
    }

    /// Removes games that were already played.
    pub(super) fn remove(&mut self, games: &HashSet<usize>) {
        self.left.retain(|pairing| !games.contains(&pairing.game));
    }

    /// Removes and returns the games whose bots match.
    pub(super) fn take(&mut self, matches: impl Fn([usize; 2]) -> bool) -> Vec<Pairing> {
        self.left
            .extract_if(.., |pairing| matches(pairing.bots))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn all_bots_meet_in_rounds_of_disjoint_pairs() {
        for bots in 2..=25 {
            let pairings = round_robin(bots, 1);
            assert_eq!(pairings.len(), bots * (bots - 1) / 2);
            let pairs: BTreeSet<_> = pairings
                .iter()
                .map(|p| (p.bots[0].min(p.bots[1]), p.bots[0].max(p.bots[1])))
                .collect();
            assert_eq!(pairs.len(), pairings.len());
            let rounds = if bots % 2 == 0 { bots - 1 } else { bots };
            let mut playing = BTreeMap::new();
            for (index, pairing) in pairings.iter().enumerate() {
                assert_eq!(pairing.game, index);
                assert!(pairing.round < rounds);
                for bot in pairing.bots {
                    assert!(bot < bots);
                    assert!(playing.insert((pairing.round, bot), ()).is_none());
                }
            }
        }
        assert!(round_robin(1, 1).is_empty());
        assert!(round_robin(0, 1).is_empty());
    }

    #[test]
    fn bots_move_first_in_about_half_of_their_games() {
        for bots in 2..=25 {
            for times in 1..=4 {
                let mut balance = vec![0i32; bots];
                for pairing in round_robin(bots, times) {
                    balance[pairing.bots[0]] += 1;
                    balance[pairing.bots[1]] -= 1;
                }
                let most = if times % 2 == 0 { 0 } else { 1 };
                assert!(balance.iter().all(|b| b.abs() <= most), "{bots} {times}");
            }
        }
    }

    #[test]
    fn the_first_of_two_bots_moves_first() {
        assert_eq!(round_robin(2, 1)[0].bots, [0, 1]);
        assert_eq!(round_robin(2, 2)[1].bots, [1, 0]);
        assert_eq!(round_robin(2, 2)[1].round, 1);
    }

    #[test]
    fn games_start_as_soon_as_both_bots_are_free() {
        let mut pending = PendingGames::new(round_robin(4, 1));
        let mut free = vec![true; 4];
        let first = pending.begin(&mut free);
        assert_eq!(first.len(), 2);
        assert_eq!(free, [false; 4]);
        // One pair is slow; the other two bots have no game without it.
        let [a, b] = first[0].bots;
        (free[a], free[b]) = (true, true);
        assert!(pending.begin(&mut free).is_empty());
        free = vec![true; 4];
        assert_eq!(pending.begin(&mut free).len(), 2);
        assert_eq!(pending.take(|bots| bots.contains(&0)).len(), 1);
        assert_eq!(pending.take(|_| true).len(), 1);
        assert!(pending.is_empty());
    }

    #[test]
    fn a_slow_bot_delays_one_opponent_at_a_time() {
        // Bot 0 never becomes free. All games without it and its opponent are played.
        let bots = 9;
        let mut pending = PendingGames::new(round_robin(bots, 1));
        let mut free = vec![true; bots];
        let mut stuck = None;
        let mut played = 0;
        loop {
            let begun = pending.begin(&mut free);
            if begun.is_empty() {
                break;
            }
            for pairing in begun {
                if pairing.bots.contains(&0) {
                    stuck = Some(pairing.bots);
                } else {
                    pairing.bots.iter().for_each(|&bot| free[bot] = true);
                    played += 1;
                }
            }
        }
        assert!(stuck.is_some());
        assert!(played >= (bots - 2) * (bots - 3) / 2);
    }
}
