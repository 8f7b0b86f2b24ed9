//! Whole games of the player program over pipes; the slow rules judge every answer, and its
//! time is measured.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::protocol::exchange::{read_board, write_board};
use santorini::rules::{Card, Cards, Position, Square};
use serde_json::{Value, json};

use crate::program::{Program, player};
use crate::reference::Board;

/// A player of a game.
enum Contestant {
    Program(Program),
    /// Plays random legal turns, but wins at once if it can.
    Random(Xoshiro256PlusPlus),
}

impl Contestant {
    fn program(seconds: &str) -> Self {
        Self::Program(Program::start(player(seconds)))
    }

    fn answer(&mut self, question: &Value) -> Value {
        match self {
            Self::Program(program) => {
                program.send(format!("{question}\n").as_bytes());
                serde_json::from_str(&program.line()).unwrap()
            }
            Self::Random(rng) => {
                let position: Position<5> = read_board(question).unwrap();
                let turn = position.win().or_else(|| position.random_turn(rng));
                write_board(&position.play(turn.unwrap()))
            }
        }
    }

    /// Fails unless the program exits with code 0 and without messages.
    fn end(self) {
        if let Self::Program(program) = self {
            let ended = program.end();
            assert_eq!((ended.errors, ended.code), (vec![], Some(0)));
        }
    }
}

/// The results of some games.
#[derive(Debug, Default)]
struct Tally {
    games: u32,
    turns: u32,
    /// Games won by the first contestant, in either seat.
    won: u32,
    slowest: Duration,
    /// Answers that took longer than allowed.
    late: u32,
    allowed: Duration,
}

impl Tally {
    fn new(allowed: Duration) -> Self {
        Self {
            allowed,
            ..Self::default()
        }
    }

    /// Asks a question and times the answer.
    fn ask(&mut self, contestant: &mut Contestant, question: &Value) -> Value {
        let start = Instant::now();
        let answer = contestant.answer(question);
        if matches!(contestant, Contestant::Program(_)) {
            let took = start.elapsed();
            self.slowest = self.slowest.max(took);
            self.late += u32::from(took > self.allowed);
        }
        answer
    }

    /// Plays one game from a board; `first` is the index of the contestant that moves
    /// first.
    fn play(&mut self, contestants: &mut [Contestant; 2], first: usize, mut board: Value) {
        let mut mover = first;
        loop {
            let before = Board::from_json(&board);
            let legal = before.after_turns();
            if legal.is_empty() {
                mover = 1 - mover;
                break;
            }
            let answer = self.ask(&mut contestants[mover], &board);
            let after = Board::from_json(&answer);
            assert!(legal.contains(&after), "{answer} answers {board}");
            self.turns += 1;
            // A turn without a build wins.
            let levels = |board: &Board| {
                board
                    .levels
                    .as_flattened()
                    .iter()
                    .map(|&l| u32::from(l))
                    .sum::<u32>()
            };
            if levels(&before) == levels(&after) {
                break;
            }
            board = answer;
            mover = 1 - mover;
        }
        self.games += 1;
        self.won += u32::from(mover == 0);
    }

    /// The board after both programs have placed their workers.
    fn place(&mut self, contestants: &mut [Contestant; 2], first: usize, cards: Cards) -> Value {
        let setup = match cards {
            [Some(mine), Some(others)] => json!([{ "card": mine }, { "card": others }]),
            _ => json!([]),
        };
        let one = self.ask(&mut contestants[first], &setup);
        let players = self.ask(&mut contestants[1 - first], &one);
        json!({ "players": players, "spaces": vec![[0; 5]; 5], "turn": 0 })
    }
}

/// A board with the workers on random squares.
pub fn random_start(cards: Cards, rng: &mut Xoshiro256PlusPlus) -> Value {
    loop {
        let workers = [(); 2].map(|()| [(); 2].map(|()| Square::new(rng.random_range(0..25))));
        if let Ok(position) = Position::<5>::start(workers, cards) {
            return write_board(&position);
        }
    }
}

/// Two programs play `games` games for each pair of cards: the last one from their own
/// placements, the others from random placements.
pub fn self_play(seconds: &str, all_cards: &[Cards], games: usize, allowed: Duration) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut contestants = [(); 2].map(|()| Contestant::program(seconds));
    let mut tally = Tally::new(allowed);
    for &cards in all_cards {
        for game in 1..=games {
            let start = if game == games {
                tally.place(&mut contestants, game % 2, cards)
            } else {
                random_start(cards, &mut rng)
            };
            tally.play(&mut contestants, game % 2, start);
        }
    }
    contestants.into_iter().for_each(Contestant::end);
    println!("{seconds} s a turn: {tally:?}");
    assert_eq!(tally.late, 0, "{tally:?}");
}

/// A program plays `games` games with every pair of cards against a random player, from
/// random placements, and wins at least `percent` of them.
pub fn against_random(seconds: &str, games: usize, percent: u32, allowed: Duration) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let random = Contestant::Random(Xoshiro256PlusPlus::seed_from_u64(3));
    let mut contestants = [Contestant::program(seconds), random];
    let mut tally = Tally::new(allowed);
    for (number, cards) in all_pairs().into_iter().enumerate() {
        for game in 0..games {
            let first = (number + game) % 2;
            let won = tally.won;
            tally.play(&mut contestants, first, random_start(cards, &mut rng));
            if tally.won == won {
                println!(
                    "lost with {cards:?}, first turn to {}",
                    ["program", "random"][first]
                );
            }
        }
    }
    contestants.into_iter().for_each(Contestant::end);
    println!("{seconds} s a turn against random: {tally:?}");
    assert!(100 * tally.won >= percent * tally.games, "{tally:?}");
    assert_eq!(tally.late, 0, "{tally:?}");
}

pub fn all_pairs() -> Vec<Cards> {
    Card::pairs().map(|pair| pair.map(Some)).collect()
}
