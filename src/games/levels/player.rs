//! A player of limited strength.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::RngExt;

use super::choice::choose;
use super::one_ply::score_turns;
use super::strength::Strength;
use crate::rules::{Placement, Position, Setup, Square, Turn};
use crate::search::{Engine, EngineOptions, Limits, is_proved};
use crate::seeds::{SeededRng, derive_seed, seeded};

/// The maximum size of a level's transposition table in MiB: enough for its nodes, and
/// quick to clear.
const HASH_MIB: usize = 16;

/// A limited strength, and the seed of its random choices.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Handicap {
    /// How well the player plays.
    pub strength: Strength,
    /// Any number; the same one gives the same choices.
    pub seed: u64,
}

/// Plays turns and placements at a limited strength.
pub struct LevelPlayer<const N: usize> {
    strength: Strength,
    seed: u64,
    options: EngineOptions,
    engine: Engine<N>,
}

impl<const N: usize> LevelPlayer<N> {
    /// A player with this handicap. It uses the evaluation and parameters of `options`; at
    /// full strength also its threads and table size.
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

    /// Replaces the seed of the random choices.
    pub const fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The turn to play; `None` without a legal turn. The game must not be won yet. Returns
    /// within `time`, if given, and soon after `stop` is set.
    pub fn turn(
        &mut self,
        position: &Position<N>,
        time: Option<Duration>,
        stop: &AtomicBool,
    ) -> Option<Turn> {
        let mut rng = self.rng(position);
        let attentive = rng.random_bool(self.strength.attention);
        let alert = rng.random_bool(self.strength.alertness);
        let mut scored = if attentive && self.strength.nodes > 0 {
            self.search(position, time, stop)
        } else {
            score_turns(position, self.options.eval, attentive)
        };
        if !alert && scored.iter().any(|(_, turn)| !turn.wins()) {
            scored.retain(|(_, turn)| !turn.wins());
        }
        scored.sort_by_key(|&(score, _)| -score);
        scored.truncate(self.strength.lines);
        choose(&scored, self.strength.temperature, &mut rng)
    }

    /// The placement of its workers.
    pub fn place(&mut self, setup: &Setup, time: Option<Duration>, stop: &AtomicBool) -> Placement {
        match time {
            Some(time) if self.strength.takes_all_time => {
                self.engine
                    .place(setup, &Limits::time(time), stop, &mut |_| {})
            }
            _ => {
                let mut rng = seeded(self.seed);
                super::placing::place::<N>(setup, self.strength.temperature, &mut rng)
            }
        }
    }

    /// Chooses a free square for the next worker, if workers are placed one at a time.
    /// `ranked` are squares with their scores, best first.
    pub fn choose_square(&self, ranked: &[(i32, Square)]) -> Option<Square> {
        let squares = ranked.iter().map(|(_, square)| square.index() as u64);
        let uses: Vec<u64> = squares.collect();
        let mut rng = seeded(derive_seed(self.seed, &uses));
        let best = &ranked[..ranked.len().min(super::placing::CANDIDATES)];
        choose(best, self.strength.temperature, &mut rng)
    }

    /// The best turns with their scores, found by a search.
    fn search(
        &mut self,
        position: &Position<N>,
        time: Option<Duration>,
        stop: &AtomicBool,
    ) -> Vec<(i32, Turn)> {
        let limits = match time {
            Some(time) if self.strength.takes_all_time => Limits::time(time),
            _ => {
                // Earlier searches must not affect the result.
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
            // The search had no time to finish depth 1.
            return score_turns(position, self.options.eval, true);
        }
        let first = |turns: &[Turn]| turns.first().copied();
        let lines = report.lines.iter();
        lines
            .filter_map(|line| Some((line.score, first(&line.turns)?)))
            .collect()
    }

    fn rng(&self, position: &Position<N>) -> SeededRng {
        let uses = [position.key(), position.turn().into()];
        seeded(derive_seed(self.seed, &uses))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Level;
    use super::*;
    use crate::arena::{Action, PlayedGame};
    use crate::jobs::NEVER;
    use crate::openings::random_opening;
    use crate::rules::{Card, Cards};

    fn player<const N: usize>(level: u8, seed: u64) -> LevelPlayer<N> {
        let strength = Level::new(level).unwrap().strength();
        LevelPlayer::new(Handicap { strength, seed }, EngineOptions::default())
    }

    #[test]
    fn equal_seeds_give_equal_turns_after_any_search() {
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
    fn low_levels_vary_with_the_seed_and_high_ones_do_not() {
        let board: Position<5> = "00000/00010/00000/00000/00000 b3d3 c2c4 1".parse().unwrap();
        let different = |level, seeds: u64| {
            let turns = (0..seeds).map(|seed| player::<5>(level, seed).turn(&board, None, &NEVER));
            turns.collect::<BTreeSet<_>>().len()
        };
        assert!(different(1, 20) > 3);
        assert_eq!(different(Level::HIGHEST.number(), 2), 1);
    }

    /// The number of games that the first level wins against the second, with these cards.
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
    fn a_far_higher_level_wins_on_both_boards_and_with_cards() {
        let cards = [Some(Card::Artemis), Some(Card::Minotaur)];
        assert!(wins::<5>([5, 1], 12, [None; 2]) >= 10);
        assert!(wins::<6>([5, 1], 8, [None; 2]) >= 6);
        assert!(wins::<5>([5, 1], 8, cards) >= 6);
    }

    #[test]
    fn without_time_a_turn_still_avoids_an_immediate_loss() {
        let threat: Position<5> = "00000/00000/00000/00012/00003 c3c4 e4a1 8".parse().unwrap();
        for level in [10, 14, Level::HIGHEST.number()] {
            let time = Some(Duration::ZERO);
            let turn = player::<5>(level, 1).turn(&threat, time, &NEVER).unwrap();
            assert!(!threat.play(turn).has_win(), "level {level}: {turn:?}");
        }
    }
}
