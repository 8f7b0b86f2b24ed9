//! The state of one game of a batch, from the empty board to its end.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::rules::{
    Bitboard, Card, Cards, Geometry, Position, Side, Square, Turn, parse_square, square_text,
};

use crate::action::{decode, encode, mark_turns, turn_count};
use crate::board::Board;
use crate::planes::{Value, mark_cards, mark_planes, mark_workers, viewer};

/// The state of a game.
#[derive(Clone, Copy)]
pub enum Stage<const N: usize> {
    Placing(Placing),
    Playing(Position<N>),
    Over(Ended<N>),
}

/// A game whose workers are being placed.
#[derive(Clone, Copy)]
pub struct Placing {
    /// The workers placed so far: two of the first player, then two of the second.
    pub placed: [Option<Square>; 3],
    /// The cards of the first player and of the second.
    pub cards: Cards,
}

/// A finished game: the position before the last turn, and that turn.
#[derive(Clone, Copy)]
pub struct Ended<const N: usize> {
    pub before: Position<N>,
    pub turn: Turn,
}

impl<const N: usize> Ended<N> {
    fn position(&self) -> Position<N> {
        self.before.play(self.turn)
    }

    /// The number of the player who made the last turn, and so has won.
    pub const fn winner(&self) -> u8 {
        self.before.player() as u8
    }
}

impl<const N: usize> Stage<N> {
    /// The start on the empty board.
    pub const fn empty(cards: Cards) -> Self {
        Self::Placing(Placing {
            placed: [None; 3],
            cards,
        })
    }

    /// The number of the player to move.
    pub fn mover(&self) -> u8 {
        match self {
            Self::Placing(placing) => placing.mover(),
            Self::Playing(position) => position.player() as u8,
            Self::Over(ended) => 1 - ended.winner(),
        }
    }

    /// The board; `None` until all workers are placed.
    pub fn board(&self) -> Option<Board<N>> {
        match *self {
            Self::Placing(_) => None,
            Self::Playing(position) => Some(position.into()),
            Self::Over(Ended { before, turn }) => Some(Board::from(before).after(turn)),
        }
    }

    /// The cards of the first player and of the second.
    pub fn cards(&self) -> Option<[Card; 2]> {
        match self {
            Self::Placing(placing) => Some([placing.cards[0]?, placing.cards[1]?]),
            _ => self.board()?.seat_cards(),
        }
    }

    /// The number of turns among the actions. The first placement has this number.
    fn turn_count(&self) -> usize {
        turn_count(self.has_cards())
    }

    /// Whether the players have cards.
    pub fn has_cards(&self) -> bool {
        match self {
            Self::Placing(placing) => placing.cards[0].is_some(),
            Self::Playing(position) => position.card(Side::Mover).is_some(),
            Self::Over(ended) => ended.before.card(Side::Mover).is_some(),
        }
    }

    /// The stage after an action; `None` if it is illegal.
    pub fn after(&self, action: usize) -> Option<Self> {
        let turns = self.turn_count();
        match self {
            Self::Placing(placing) => {
                let index = action.checked_sub(turns).filter(|&index| index < N * N)?;
                placing.place(Square::new(index))
            }
            Self::Playing(position) if action < turns => {
                let turn = decode(position, action)?;
                let next = position.play(turn);
                Some(if turn.wins() || !next.has_turn() {
                    let before = *position;
                    Self::Over(Ended { before, turn })
                } else {
                    Self::Playing(next)
                })
            }
            _ => None,
        }
    }

    /// Sets the legal actions in a mask of all `false`.
    pub fn mark_mask(&self, mask: &mut [bool]) {
        match self {
            Self::Placing(placing) => {
                let places = &mut mask[self.turn_count()..];
                placing
                    .free::<N>()
                    .for_each(|square| places[square.index()] = true);
            }
            Self::Playing(position) => mark_turns(position, mask),
            Self::Over(_) => {}
        }
    }

    /// Writes the view of a player, by default the one to move, to planes of all 0.
    pub fn mark_planes<T: Value>(&self, player: Option<u8>, planes: &mut [T]) {
        let viewer = viewer(player, self.mover());
        match self {
            Self::Placing(placing) => placing.mark_planes::<N, T>(viewer, planes),
            Self::Playing(position) => mark_planes(position, viewer, planes),
            Self::Over(ended) => mark_planes(&ended.position(), viewer, planes),
        }
    }

    /// The notation of a legal action: a turn, or a square for a placement.
    pub fn action_text(&self, action: usize) -> Option<String> {
        self.after(action)?;
        match self {
            Self::Playing(position) => {
                let turn = decode(position, action)?;
                Some(turn.text::<N>().to_string())
            }
            _ => {
                let index = action - self.turn_count();
                Some(square_text::<N>(Square::new(index)))
            }
        }
    }

    /// The action that places a worker on a square; `None` if that is illegal.
    pub fn placing(&self, square: &str) -> Option<usize> {
        let action = self.turn_count() + parse_square::<N>(square)?.index();
        self.after(action).map(|_| action)
    }

    /// A random legal action, all equally likely; 0 if there is none.
    pub fn sample(&self, rng: &mut Xoshiro256PlusPlus) -> usize {
        match self {
            Self::Placing(placing) => loop {
                let square = Square::new(rng.random_range(0..N * N));
                if !placing.placed.contains(&Some(square)) {
                    return self.turn_count() + square.index();
                }
            },
            Self::Playing(position) => position
                .random_turn(rng)
                .map_or(0, |turn| encode(position, turn)),
            Self::Over(_) => 0,
        }
    }

    /// The share of `games` random games that the player to move wins; `None` if stopped.
    pub fn rollouts(
        &self,
        games: u32,
        rng: &mut Xoshiro256PlusPlus,
        stop: &AtomicBool,
    ) -> Option<f32> {
        let mut wins = 0;
        for _ in 0..games {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut stage = *self;
            let winner = loop {
                match stage {
                    Self::Placing(_) => {
                        let action = stage.sample(rng);
                        stage = stage.after(action).unwrap_or(stage);
                    }
                    Self::Playing(position) => match position.random_playout(rng) {
                        Side::Mover => break stage.mover(),
                        Side::Other => break 1 - stage.mover(),
                    },
                    // The player of the last turn has won.
                    Self::Over(_) => break 1 - stage.mover(),
                }
            };
            wins += u32::from(winner == self.mover());
        }
        Some(wins as f32 / games as f32)
    }
}

impl Placing {
    fn mover(&self) -> u8 {
        u8::from(self.placed.iter().flatten().count() >= 2)
    }

    /// The spaces without a worker.
    pub fn free<const N: usize>(&self) -> Bitboard {
        Geometry::<N>::BOARD.without(self.placed.iter().flatten().copied().collect())
    }

    /// The stage after the next worker is placed; `None` if the square is taken.
    fn place<const N: usize>(&self, square: Square) -> Option<Stage<N>> {
        if self.placed.contains(&Some(square)) {
            return None;
        }
        let mut next = *self;
        match next.placed.iter_mut().find(|place| place.is_none()) {
            Some(free) => {
                *free = Some(square);
                Some(Stage::Placing(next))
            }
            None => {
                let [a, b, c] = self.placed.map(|square| square.unwrap_or(Square::new(0)));
                let start = Position::start([[a, b], [c, square]], self.cards).ok()?;
                Some(Stage::Playing(start))
            }
        }
    }

    fn mark_planes<const N: usize, T: Value>(&self, viewer: Side, planes: &mut [T]) {
        let [first, second, third] = self.placed.map(|square| square.into_iter().collect());
        let player = match viewer {
            Side::Mover => self.mover(),
            Side::Other => 1 - self.mover(),
        };
        let mut seats = [first | second, third];
        let mut cards = self.cards;
        if player == 1 {
            seats.reverse();
            cards.reverse();
        }
        mark_workers::<N, T>(seats, planes);
        mark_cards::<N, T>(cards, planes);
    }
}
