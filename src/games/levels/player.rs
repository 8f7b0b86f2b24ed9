//! Plays at a level.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::choice::choose;
use super::glance::glance;
use super::strength::Strength;
use crate::rules::{Placement, Position, Setup, Square, Turn};
use crate::search::{Engine, EngineOptions, Limits, is_proved};
use crate::seeds::derive_seed;

/// A level's transposition table, in mebibytes: enough for its nodes, and quickly
/// cleared.
const HASH_MIB: usize = 16;

/// A limited strength, and the seed of the choices by chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Handicap {
    pub strength: Strength,
    pub seed: u64,
}

/// A player of limited strength.
pub struct LevelPlayer<const N: usize> {
    strength: Strength,
    seed: u64,
    options: EngineOptions,
    engine: Engine<N>,
}

impl<const N: usize> LevelPlayer<N> {
    /// A player with this handicap. It takes evaluation and parameters from the
    /// options, and all of them if it takes all time.
    pub fn new(Handicap { strength, seed }: Handicap, options: EngineOptions) -> Self {
        let options = if strength.takes_all_time {
            options
        } else {
            EngineOptions {
                hash_mib: options.hash_mib.min(HASH_MIB),
                threads: 1,
                ..options
            }
        };
        Self {
            strength,
            seed,
            options,
            engine: Engine::new(options),
        }
    }

    /// The turn that it plays; `None` if there is none. Nobody has won yet. The
    /// answer comes within `time`, if there is one, and soon after `stop` is set.
    pub fn turn(
        &mut self,
        position: &Position<N>,
        time: Option<Duration>,
        stop: &AtomicBool,
    ) -> Option<Turn> {
        let mut rng = self.rng(position);
        let attentive = rng.random_bool(self.strength.attention);
        let mut scored = if attentive && self.strength.nodes > 0 {
            self.search(position, time, stop)
        } else {
            glance(position, self.options.eval, attentive)
        };
        scored.sort_by_key(|&(score, _)| -score);
        scored.truncate(self.strength.lines);
        choose(&scored, self.strength.temperature, &mut rng)
    }

    /// Where it places its workers.
    pub fn place(&mut self, setup: &Setup, time: Option<Duration>, stop: &AtomicBool) -> Placement {
        match time {
            Some(time) if self.strength.takes_all_time => {
                self.engine.place(setup, time, stop, &mut |_| {})
            }
            _ => {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
                super::placing::place::<N>(setup, self.strength.temperature, &mut rng)
            }
        }
    }

    /// Chooses among free squares for the next worker, where players place one at a
    /// time, by their values: the best first.
    pub fn choose_square(&self, ranked: &[(i32, Square)]) -> Option<Square> {
        let squares = ranked.iter().map(|(_, square)| square.index() as u64);
        let uses: Vec<u64> = squares.collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(derive_seed(self.seed, &uses));
        let best = &ranked[..ranked.len().min(super::placing::CANDIDATES)];
        choose(best, self.strength.temperature, &mut rng)
    }

    /// Its best turns with their scores, as a search finds them.
    fn search(
        &mut self,
        position: &Position<N>,
        time: Option<Duration>,
        stop: &AtomicBool,
    ) -> Vec<(i32, Turn)> {
        let limits = match time {
            Some(time) if self.strength.takes_all_time => Limits::time(time),
            _ => {
                // What was searched before must not matter.
                self.engine.clear();
                Limits {
                    time,
                    ..Limits::nodes(self.strength.nodes)
                }
            }
        };
        let lines = self.strength.lines;
        let report = self
            .engine
            .search_lines(position, lines, &limits, stop, &mut |_| {});
        if report.depth == 0 && !is_proved(report.score()) {
            // There was no time for any search.
            return glance(position, self.options.eval, true);
        }
        let first = |turns: &[Turn]| turns.first().copied();
        let lines = report.lines.iter();
        lines
            .filter_map(|line| Some((line.score, first(&line.turns)?)))
            .collect()
    }

    fn rng(&self, position: &Position<N>) -> Xoshiro256PlusPlus {
        let uses = [position.key(), position.turn().into()];
        Xoshiro256PlusPlus::seed_from_u64(derive_seed(self.seed, &uses))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Level;
    use super::*;
    use crate::arena::{Action, PlayedGame};
    use crate::openings::random_opening;
    use crate::rules::{Card, Cards};

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn player<const N: usize>(level: u8, seed: u64) -> LevelPlayer<N> {
        let strength = Level::new(level).unwrap().strength();
        LevelPlayer::new(Handicap { strength, seed }, EngineOptions::default())
    }

    #[test]
    fn equal_seeds_give_equal_turns_whatever_was_asked_before() {
        let board: Position<5> = random_opening(4, 1, 1, [None; 2]);
        let other: Position<5> = random_opening(5, 1, 2, [None; 2]);
        for level in [1, 4, 7] {
            let mut fresh = player::<5>(level, 3);
            let mut used = player::<5>(level, 3);
            used.turn(&other, None, &NEVER);
            used.turn(&board, None, &NEVER);
            for position in [board, other] {
                let expected = fresh.turn(&position, None, &NEVER);
                assert_eq!(used.turn(&position, None, &NEVER), expected);
                assert!(position.turns().contains(&expected.unwrap()));
            }
        }
    }

    #[test]
    fn a_low_level_varies_with_its_seed_and_full_strength_does_not() {
        let board: Position<5> = "00000/00010/00000/00000/00000 b3d3 c2c4 1".parse().unwrap();
        let different = |level, seeds: u64| {
            let turns = (0..seeds).map(|seed| player::<5>(level, seed).turn(&board, None, &NEVER));
            turns.collect::<BTreeSet<_>>().len()
        };
        assert!(different(1, 20) > 3);
        assert_eq!(different(9, 2), 1);
    }

    /// The games that a level wins of this many against another, on boards with
    /// these cards.
    fn wins<const N: usize>(levels: [u8; 2], games: u64, cards: Cards) -> usize {
        let play = |game: u64| {
            let start: Position<N> = random_opening(2, 5, game / 2, cards);
            let mut players = levels.map(|level| player::<N>(level, game));
            let first = (game % 2) as usize;
            let played = PlayedGame::play(start, |mover, position| {
                let turn = players[mover ^ first].turn(position, None, &NEVER);
                Action::Play(turn.expect("there is a turn"))
            });
            played.winner ^ first == 0
        };
        (0..games).filter(|&game| play(game)).count()
    }

    #[test]
    fn a_level_far_above_wins_on_both_boards_and_with_cards() {
        let cards = [Some(Card::Artemis), Some(Card::Minotaur)];
        assert!(wins::<5>([5, 1], 12, [None; 2]) >= 10);
        assert!(wins::<6>([5, 1], 8, [None; 2]) >= 6);
        assert!(wins::<5>([5, 1], 8, cards) >= 6);
    }

    #[test]
    fn without_time_there_is_a_turn_that_does_not_lose_at_once() {
        let threat: Position<5> = "00000/00000/00000/00012/00003 c3c4 e4a1 8".parse().unwrap();
        for level in [6, 9, 10] {
            let time = Some(Duration::ZERO);
            let turn = player::<5>(level, 1).turn(&threat, time, &NEVER).unwrap();
            assert!(!threat.play(turn).has_win(), "level {level}: {turn:?}");
        }
    }
}
