//! What a bot answers: by search, at a level of strength, or at random.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::message::{MessageError, Seen};
use super::placing::{next_worker, ranked_squares};
use crate::levels::{Handicap, LevelPlayer};
use crate::protocol::tcp::{Answer, SIZE, Status};
use crate::rules::{Geometry, Position, Square, Turn};
use crate::search::{Engine, EngineOptions, Limits, PonderingEngine};
use crate::seeds::fresh_seed;

/// Chooses a bot's answers. A turn is chosen as a whole when the move is
/// asked for, and its build kept for the next answer.
pub struct Brain {
    kind: Kind,
    build: Option<Square>,
}

enum Kind {
    Search {
        engine: PonderingEngine<SIZE>,
        /// For a turn, and for placing a worker.
        time: Duration,
        /// Whether it searches in the opponent's time too.
        ponders: bool,
    },
    Level {
        player: Box<LevelPlayer<SIZE>>,
        time: Duration,
    },
    Random(Xoshiro256PlusPlus),
}

impl Brain {
    /// Plays by search, each turn and each placement within `time`, and in the
    /// opponent's time too if it is to.
    pub fn search(time: Duration, options: EngineOptions, ponders: bool) -> Self {
        Self::new(Kind::Search {
            engine: PonderingEngine::new(Engine::new(options)),
            time,
            ponders,
        })
    }

    /// Plays with a handicap, each turn within `time`.
    pub fn level(handicap: Handicap, time: Duration, options: EngineOptions) -> Self {
        let player = Box::new(LevelPlayer::new(handicap, options));
        Self::new(Kind::Level { player, time })
    }

    /// Plays at random; the same seed plays the same, no seed anything.
    pub fn random(seed: Option<u64>) -> Self {
        let seed = seed.unwrap_or_else(fresh_seed);
        Self::new(Kind::Random(Xoshiro256PlusPlus::seed_from_u64(seed)))
    }

    const fn new(kind: Kind) -> Self {
        Self { kind, build: None }
    }

    /// The answer to a state that names this bot; `None` if the game is over
    /// or there is nothing to answer.
    ///
    /// # Errors
    /// If the state is none of a game's.
    pub fn answer(&mut self, seen: &Seen) -> Result<Option<Answer>, MessageError> {
        Ok(match seen.status {
            Status::PlaceWorker => {
                // The second bot places after the first.
                let ahead = seen.others.len().checked_sub(seen.own.len());
                if seen.own.len() >= 2 || !matches!(ahead, Some(0 | 1)) {
                    return Err(MessageError::Shape("a worker to place"));
                }
                self.place(seen).map(Answer::Space)
            }
            Status::MoveWorker => {
                let turn = self.choose(&seen.position()?);
                self.build = turn.and_then(Turn::build);
                turn.and_then(|turn| {
                    let worker = seen.own.iter().position(|&own| own == turn.from())?;
                    Some(Answer::Move {
                        worker: worker as u8,
                        to: turn.to(),
                    })
                })
            }
            Status::Build => self.build.map(Answer::Space),
            Status::GameOver => None,
        })
    }

    fn place(&mut self, seen: &Seen) -> Option<Square> {
        match &mut self.kind {
            Kind::Search { engine, time, .. } => {
                next_worker(&mut engine.engine(), &seen.own, &seen.others, *time)
            }
            Kind::Level { player, .. } => {
                player.choose_square(&ranked_squares(&seen.own, &seen.others))
            }
            Kind::Random(rng) => {
                let taken =
                    |square: &Square| seen.own.contains(square) || seen.others.contains(square);
                let free: Vec<Square> = Geometry::<SIZE>::BOARD.filter(|s| !taken(s)).collect();
                free.choose(rng).copied()
            }
        }
    }

    fn choose(&mut self, position: &Position<SIZE>) -> Option<Turn> {
        match &mut self.kind {
            Kind::Search {
                engine,
                time,
                ponders,
            } => {
                let limits = Limits::time(*time);
                let turn = engine.engine().best(position, &limits).turn();
                if let Some(turn) = turn.filter(|_| *ponders) {
                    engine.ponder_after(position, turn);
                }
                turn
            }
            Kind::Level { player, time } => {
                player.turn(position, Some(*time), &AtomicBool::new(false))
            }
            Kind::Random(rng) => position.random_turn(rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Message;
    use crate::levels::Level;
    use crate::server::Game;

    /// Plays a game between two brains by the server's own words; the winner.
    fn game(mut brains: [Brain; 2]) -> usize {
        let names = ["a", "b"];
        let mut game = Game::new();
        while let Some(player) = game.to_answer() {
            let line = game.state(names).line();
            let Message::State(seen) = Message::read(&line, names[player]).unwrap() else {
                panic!("a state is no remark");
            };
            assert!(seen.named);
            let answer = brains[player].answer(&seen).unwrap().unwrap();
            game.answer(player, answer).unwrap();
        }
        game.outcome().unwrap().winner.unwrap()
    }

    #[test]
    fn random_bots_play_legal_games_that_their_seeds_decide() {
        let play = |seed| game([Brain::random(Some(seed)), Brain::random(Some(seed + 1))]);
        let winners: Vec<usize> = (0..40).map(play).collect();
        assert_eq!(winners, (0..40).map(play).collect::<Vec<_>>());
        assert!(winners.contains(&0) && winners.contains(&1));
        game([Brain::random(None), Brain::random(None)]);
    }

    #[test]
    fn a_worker_is_placed_only_where_it_is_due() {
        let mut brain = Brain::search(Duration::from_millis(5), EngineOptions::default(), false);
        let mut answer = |own: &str, others: &str| {
            let floors = vec![vec![0; SIZE]; SIZE];
            let line = serde_json::json!(["placeWorker", "a", floors, ["a", []], ["b", []]]);
            let line = line.to_string();
            let line = line.replace("[\"a\",[]]", &format!("[\"a\",[{own}]]"));
            let line = line.replace("[\"b\",[]]", &format!("[\"b\",[{others}]]"));
            let Ok(Message::State(seen)) = Message::read(&line, "a") else {
                panic!("{line}");
            };
            brain.answer(&seen).map(|answer| answer.is_some())
        };
        for (own, others) in [("", ""), ("", "1,1"), ("2,2", "1,1"), ("2,2", "1,1,3,3")] {
            assert!(answer(own, others).unwrap(), "{own} {others}");
        }
        for (own, others) in [("", "1,1,3,3"), ("2,2", ""), ("2,2,4,4", "1,1,3,3")] {
            assert!(answer(own, others).is_err(), "{own} {others}");
        }
    }

    #[test]
    fn a_level_plays_legal_games_and_a_high_one_wins() {
        let level = |number: u8, seed| {
            let strength = Level::new(number).unwrap().strength();
            let handicap = Handicap { strength, seed };
            Brain::level(handicap, Duration::from_secs(5), EngineOptions::default())
        };
        for seed in 0..2 {
            assert_eq!(game([level(6, seed), level(1, seed)]), 0);
            assert_eq!(game([level(1, seed), level(6, seed)]), 1);
        }
    }

    #[test]
    fn the_searching_bot_beats_the_random_one_in_both_seats() {
        let options = EngineOptions {
            hash_mib: 4,
            ..EngineOptions::default()
        };
        let search = || Brain::search(Duration::from_millis(5), options, true);
        for seed in 0..3 {
            assert_eq!(game([search(), Brain::random(Some(seed))]), 0);
            assert_eq!(game([Brain::random(Some(seed)), search()]), 1);
        }
    }
}
