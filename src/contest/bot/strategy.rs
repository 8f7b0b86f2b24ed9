//! How a bot chooses its answers: by search, at a level of strength, or at random.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::seq::IndexedRandom;

use super::message::{MessageError, SeenState};
use super::placing::{next_worker, ranked_squares};
use crate::levels::{Handicap, LevelPlayer};
use crate::protocol::tcp::{Answer, SIZE, Status};
use crate::rules::{Geometry, Position, Square, Turn};
use crate::search::{Engine, EngineOptions, Limits, PonderingEngine};
use crate::seeds::{SeededRng, fresh_seed, seeded};

/// Chooses a bot's answers. The whole turn is chosen when the move is asked for, and its
/// build is remembered for the next answer.
pub struct Strategy {
    kind: Kind,
    build: Option<Square>,
}

enum Kind {
    Search {
        engine: PonderingEngine<SIZE>,
        /// The time for a turn or for placing a worker.
        time: Duration,
        /// Whether it searches during the opponent's time too.
        ponders: bool,
    },
    Level {
        player: Box<LevelPlayer<SIZE>>,
        time: Duration,
    },
    Random(SeededRng),
}

impl Strategy {
    /// Plays by search, with `time` for each turn and each placement. `ponders` also
    /// searches during the opponent's time.
    pub fn search(time: Duration, options: EngineOptions, ponders: bool) -> Self {
        Self::new(Kind::Search {
            engine: PonderingEngine::new(Engine::new(options)),
            time,
            ponders,
        })
    }

    /// Plays with a handicap, with `time` for each turn.
    pub fn level(handicap: Handicap, time: Duration, options: EngineOptions) -> Self {
        let player = Box::new(LevelPlayer::new(handicap, options));
        Self::new(Kind::Level { player, time })
    }

    /// Plays at random. The same seed plays the same; `None` uses a fresh seed.
    pub fn random(seed: Option<u64>) -> Self {
        let seed = seed.unwrap_or_else(fresh_seed);
        Self::new(Kind::Random(seeded(seed)))
    }

    const fn new(kind: Kind) -> Self {
        Self { kind, build: None }
    }

    /// The answer to a state that names this bot; `None` if there is nothing to answer,
    /// as at the end of a game.
    ///
    /// # Errors
    /// If the state is impossible in a game.
    pub fn answer(&mut self, seen: &SeenState) -> Result<Option<Answer>, MessageError> {
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

    fn place(&mut self, seen: &SeenState) -> Option<Square> {
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
    use crate::bot::ServerMessage;
    use crate::levels::Level;
    use crate::server::Game;

    /// Plays a game through the server's messages. Returns the winner.
    fn game(mut strategies: [Strategy; 2]) -> usize {
        let names = ["a", "b"];
        let mut game = Game::new();
        while let Some(player) = game.to_answer() {
            let line = game.state(names).line();
            let ServerMessage::State(seen) = ServerMessage::read(&line, names[player]).unwrap()
            else {
                panic!("a state is no remark");
            };
            assert!(seen.named);
            let answer = strategies[player].answer(&seen).unwrap().unwrap();
            game.answer(player, answer).unwrap();
        }
        game.outcome().unwrap().winner.unwrap()
    }

    #[test]
    fn random_bots_play_legal_games_fixed_by_their_seeds() {
        let play = |seed| {
            game([
                Strategy::random(Some(seed)),
                Strategy::random(Some(seed + 1)),
            ])
        };
        let winners: Vec<usize> = (0..40).map(play).collect();
        assert_eq!(winners, (0..40).map(play).collect::<Vec<_>>());
        assert!(winners.contains(&0) && winners.contains(&1));
        game([Strategy::random(None), Strategy::random(None)]);
    }

    #[test]
    fn a_worker_is_placed_only_when_due() {
        let mut strategy =
            Strategy::search(Duration::from_millis(5), EngineOptions::default(), false);
        let mut answer = |own: &str, others: &str| {
            let floors = vec![vec![0; SIZE]; SIZE];
            let line = serde_json::json!(["placeWorker", "a", floors, ["a", []], ["b", []]]);
            let line = line.to_string();
            let line = line.replace("[\"a\",[]]", &format!("[\"a\",[{own}]]"));
            let line = line.replace("[\"b\",[]]", &format!("[\"b\",[{others}]]"));
            let Ok(ServerMessage::State(seen)) = ServerMessage::read(&line, "a") else {
                panic!("{line}");
            };
            strategy.answer(&seen).map(|answer| answer.is_some())
        };
        for (own, others) in [("", ""), ("", "1,1"), ("2,2", "1,1"), ("2,2", "1,1,3,3")] {
            assert!(answer(own, others).unwrap(), "{own} {others}");
        }
        for (own, others) in [("", "1,1,3,3"), ("2,2", ""), ("2,2,4,4", "1,1,3,3")] {
            assert!(answer(own, others).is_err(), "{own} {others}");
        }
    }

    #[test]
    fn levels_play_legal_games_and_higher_ones_win() {
        let level = |number: u8, seed| {
            let strength = Level::new(number).unwrap().strength();
            let handicap = Handicap { strength, seed };
            Strategy::level(handicap, Duration::from_secs(5), EngineOptions::default())
        };
        for seed in 0..2 {
            assert_eq!(game([level(6, seed), level(1, seed)]), 0);
            assert_eq!(game([level(1, seed), level(6, seed)]), 1);
        }
    }

    #[test]
    fn search_beats_random_play_in_both_seats() {
        let options = EngineOptions {
            hash_mib: 4,
            ..EngineOptions::default()
        };
        let search = || Strategy::search(Duration::from_millis(5), options, true);
        for seed in 0..3 {
            assert_eq!(game([search(), Strategy::random(Some(seed))]), 0);
            assert_eq!(game([Strategy::random(Some(seed)), search()]), 1);
        }
    }
}
