//! The pairings of a tournament, and which of the pending games can start now.

use std::collections::HashSet;

/// The maximum number of bots.
pub const MOST_BOTS: usize = 500;

/// The maximum number of rounds.
pub const MOST_ROUNDS: usize = 100;

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
/// its games, plus or minus one. Each pass, in which every two bots meet once, swaps all
/// seats of the previous one.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundRobin {
    bots: usize,
    times: usize,
}

impl RoundRobin {
    pub(super) const fn new(bots: usize, times: usize) -> Self {
        Self { bots, times }
    }

    /// The number of games.
    pub(super) const fn len(&self) -> usize {
        self.times * self.games_of_pass()
    }

    const fn games_of_pass(&self) -> usize {
        self.bots * self.bots.saturating_sub(1) / 2
    }

    /// The pairing of a game, counted from 0; `None` after the last one.
    pub(super) fn pairing(&self, game: usize) -> Option<Pairing> {
        if game >= self.len() {
            return None;
        }
        let circle = (self.bots - 1) | 1;
        let (pass, index) = (game / self.games_of_pass(), game % self.games_of_pass());
        let (r, place) = (index / (self.bots / 2), index % (self.bots / 2));
        // With an odd number of bots, no game is at place 0, in the middle.
        let [a, b] = match place + self.bots % 2 {
            0 if r % 2 == 0 => [r, circle],
            0 => [circle, r],
            i => [(r + i) % circle, (r + circle - i) % circle],
        };
        Some(Pairing {
            game,
            round: pass * circle + r,
            bots: if pass % 2 == 0 { [a, b] } else { [b, a] },
        })
    }

    /// The games of a pass, in order.
    fn pass(self, pass: usize) -> impl Iterator<Item = Pairing> {
        let games = pass * self.games_of_pass()..(pass + 1) * self.games_of_pass();
        games.filter_map(move |game| self.pairing(game))
    }
}

/// Whether a bot can start a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    /// It is not connected.
    Absent,
    /// It plays, or its late answer is awaited.
    Busy,
    Free,
}

/// The games that have not started yet, in the order of the schedule.
#[derive(Debug)]
pub(super) struct PendingGames {
    schedule: RoundRobin,
    /// The games left of each pass that has been reached. All games of later passes are
    /// left; a list of them could take hundreds of MB.
    reached: Vec<Vec<Pairing>>,
}

impl PendingGames {
    /// Creates the list of all games of a schedule.
    pub(super) const fn new(schedule: RoundRobin) -> Self {
        Self {
            schedule,
            reached: Vec::new(),
        }
    }

    /// Whether every game has started.
    pub(super) fn is_empty(&self) -> bool {
        self.left().next().is_none()
    }

    /// Removes and returns the games that can start now: in order, each game whose bots
    /// are both free. They are then marked as busy.
    ///
    /// A bot meets all bots that are present before it meets one of them again. Otherwise
    /// the two bots of a game would be free together and meet in each pass at once. Games
    /// with absent bots are postponed and hold up no later game. No game waits for the end
    /// of a round, so within a pass a slow bot delays only its current opponent.
    pub(super) fn begin(&mut self, bots: &mut [Readiness]) -> Vec<Pairing> {
        let mut begun = Vec::new();
        // Free, with all games against present bots played in the passes so far.
        let mut ready: Vec<bool> = bots.iter().map(|&bot| bot == Readiness::Free).collect();
        for pass in 0..self.schedule.times {
            if ready.iter().filter(|&&ready| ready).count() < 2 {
                break;
            }
            let mut has_games_left = vec![false; bots.len()];
            self.pass(pass).retain(|pairing| {
                let [a, b] = pairing.bots;
                let can_begin = ready[a] && ready[b];
                if can_begin {
                    for bot in [a, b] {
                        (bots[bot], ready[bot]) = (Readiness::Busy, false);
                    }
                    begun.push(*pairing);
                } else if bots[a] != Readiness::Absent && bots[b] != Readiness::Absent {
                    (has_games_left[a], has_games_left[b]) = (true, true);
                }
                !can_begin
            });
            for (ready, has_games_left) in ready.iter_mut().zip(has_games_left) {
                *ready &= !has_games_left;
            }
        }
        begun
    }

    /// The games left of a pass.
    fn pass(&mut self, pass: usize) -> &mut Vec<Pairing> {
        for next in self.reached.len()..=pass {
            self.reached.iter_mut().for_each(Vec::shrink_to_fit);
            self.reached.push(self.schedule.pass(next).collect());
        }
        &mut self.reached[pass]
    }

    /// The bots of the pending games. As all passes have the same pairs, one stands for all
    /// that have not been reached.
    pub(super) fn left(&self) -> impl Iterator<Item = [usize; 2]> {
        let next = self.reached.len();
        let unreached = (next..self.schedule.times).take(1);
        let unreached = unreached.flat_map(|pass| self.schedule.pass(pass));
        let reached = self.reached.iter().flatten().copied();
        reached.chain(unreached).map(|pairing| pairing.bots)
    }

    /// Removes games that were already played.
    pub(super) fn remove(&mut self, games: &HashSet<usize>) {
        let Some(last) = games.iter().max() else {
            return;
        };
        self.pass(last / self.schedule.games_of_pass());
        for pass in &mut self.reached {
            pass.retain(|pairing| !games.contains(&pairing.game));
        }
    }

    /// Removes and returns games whose bots match, at most `most`.
    pub(super) fn take(
        &mut self,
        most: usize,
        matches: impl Fn([usize; 2]) -> bool,
    ) -> Vec<Pairing> {
        let mut taken = Vec::new();
        for pass in 0..self.schedule.times {
            let left = most - taken.len();
            if left == 0 {
                break;
            }
            let games = self.pass(pass);
            taken.extend(
                games
                    .extract_if(.., |pairing| matches(pairing.bots))
                    .take(left),
            );
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn round_robin(bots: usize, times: usize) -> Vec<Pairing> {
        let schedule = RoundRobin::new(bots, times);
        let games = 0..schedule.len();
        games.map(|game| schedule.pairing(game).unwrap()).collect()
    }

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
        let mut pending = PendingGames::new(RoundRobin::new(4, 1));
        let mut bots = vec![Readiness::Free; 4];
        let first = pending.begin(&mut bots);
        assert_eq!(first.len(), 2);
        assert_eq!(bots, [Readiness::Busy; 4]);
        // One pair is slow; the other two bots have no game without it.
        first[0]
            .bots
            .iter()
            .for_each(|&bot| bots[bot] = Readiness::Free);
        assert!(pending.begin(&mut bots).is_empty());
        bots = vec![Readiness::Free; 4];
        assert_eq!(pending.begin(&mut bots).len(), 2);
        assert_eq!(pending.take(usize::MAX, |bots| bots.contains(&0)).len(), 1);
        assert_eq!(pending.take(usize::MAX, |_| true).len(), 1);
        assert!(pending.is_empty());
    }

    #[test]
    fn a_slow_bot_delays_one_opponent_at_a_time() {
        // Bot 0 never becomes free. All games without it and its opponent are played.
        let bots = 9;
        let (stuck, played) = play_all_without(0, Readiness::Busy, bots, 1);
        assert!(stuck.is_some());
        assert!(played.len() >= (bots - 2) * (bots - 3) / 2);
    }

    #[test]
    fn an_absent_bot_holds_up_no_game_of_the_others() {
        let (_, played) = play_all_without(0, Readiness::Absent, 7, 3);
        assert_eq!(played.len(), 3 * 6 * 5 / 2);
    }

    /// Plays games until none can start. Bot `away` starts as `readiness` and is never free
    /// again once it plays. Returns the opponent it is stuck with, and the games played.
    fn play_all_without(
        away: usize,
        readiness: Readiness,
        count: usize,
        times: usize,
    ) -> (Option<[usize; 2]>, Vec<Pairing>) {
        let mut pending = PendingGames::new(RoundRobin::new(count, times));
        let mut bots = vec![Readiness::Free; count];
        if readiness == Readiness::Absent {
            bots[away] = readiness;
        }
        let (mut stuck, mut played) = (None, Vec::new());
        loop {
            let begun = pending.begin(&mut bots);
            if begun.is_empty() {
                return (stuck, played);
            }
            for pairing in begun {
                if pairing.bots.contains(&away) {
                    stuck = Some(pairing.bots);
                } else {
                    pairing
                        .bots
                        .iter()
                        .for_each(|&bot| bots[bot] = Readiness::Free);
                    played.push(pairing);
                }
            }
        }
    }

    /// Games end one at a time, in an arbitrary order. The bots of the one that ended are
    /// free together, and must not meet again before they have met all others.
    #[test]
    fn every_two_bots_meet_before_any_meet_again() {
        for (count, times) in [(2, 3), (5, 3), (8, 3)] {
            let schedule = RoundRobin::new(count, times);
            let mut pending = PendingGames::new(schedule);
            let mut bots = vec![Readiness::Free; count];
            let mut running = pending.begin(&mut bots);
            let mut begun = running.clone();
            let mut step = 0;
            while !running.is_empty() {
                step += 7;
                let ended = running.swap_remove(step % running.len());
                ended
                    .bots
                    .iter()
                    .for_each(|&bot| bots[bot] = Readiness::Free);
                let next = pending.begin(&mut bots);
                begun.extend(&next);
                running.extend(next);
            }
            assert_eq!(begun.len(), schedule.len());
            for bot in 0..count {
                let games = begun.iter().filter(|pairing| pairing.bots.contains(&bot));
                let passes: Vec<usize> = games.map(|p| p.game / schedule.games_of_pass()).collect();
                assert!(passes.is_sorted(), "{count} bots: {passes:?}");
            }
            assert!(pending.is_empty());
        }
    }

    #[test]
    fn games_already_played_are_removed() {
        let schedule = RoundRobin::new(4, 3);
        let mut pending = PendingGames::new(schedule);
        pending.remove(&(0..7).collect());
        assert_eq!(
            pending.left().count(),
            5 + 6,
            "the third pass stands for itself"
        );
        assert_eq!(pending.take(9, |_| true).len(), 9);
        assert_eq!(pending.take(9, |_| true).len(), 18 - 7 - 9);
        assert!(pending.is_empty());
    }

    #[test]
    fn the_largest_tournament_lists_one_pass_at_a_time() {
        let mut pending = PendingGames::new(RoundRobin::new(500, 100));
        assert_eq!(pending.begin(&mut [Readiness::Free; 500]).len(), 250);
        assert_eq!(pending.reached.len(), 1);
        assert!(!pending.is_empty());
    }
}
