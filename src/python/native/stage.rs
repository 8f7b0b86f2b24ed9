//! Where a game of a batch stands, from the empty board to its end.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::rules::{Bitboard, Geometry, Position, Side, Square, square_text};

use crate::encoding::{TURNS, decode, encode, mark, mark_planes, mark_turns};

/// Where a game stands.
#[derive(Clone, Copy)]
pub enum Stage<const N: usize> {
    /// These workers are placed: two by the first player, then two by the second.
    Placing([Option<Square>; 3]),
    Playing(Position<N>),
    /// The position after the last turn.
    Over(Position<N>),
}

impl<const N: usize> Stage<N> {
    /// The number of the player to move.
    pub fn mover(&self) -> u8 {
        match self {
            Self::Placing(placed) => u8::from(placed.iter().flatten().count() >= 2),
            Self::Playing(position) | Self::Over(position) => (position.turn() % 2) as u8,
        }
    }

    /// The stage after an action, and whether it won; `None` if it is illegal.
    pub fn after(&self, action: usize) -> Option<(Self, bool)> {
        match self {
            Self::Placing(placed) => {
                let index = action.checked_sub(TURNS).filter(|&index| index < N * N)?;
                let placed = place(placed, Square::new(index))?;
                Some((placed, false))
            }
            Self::Playing(position) if action < TURNS => {
                let turn = decode(position, action)?;
                let next = position.play(turn);
                Some(if turn.wins() || !next.has_turn() {
                    (Self::Over(next), true)
                } else {
                    (Self::Playing(next), false)
                })
            }
            _ => None,
        }
    }

    /// Marks the legal actions in a mask of all `false`.
    pub fn mark_mask(&self, mask: &mut [bool]) {
        match self {
            Self::Placing(placed) => {
                let free = Geometry::<N>::BOARD.without(placed.iter().flatten().copied().collect());
                free.for_each(|square| mask[TURNS + square.index()] = true);
            }
            Self::Playing(position) => mark_turns(position, mask),
            Self::Over(_) => {}
        }
    }

    /// Writes what the player to move sees to planes of all 0.
    pub fn mark_planes(&self, planes: &mut [u8]) {
        match self {
            Self::Placing(placed) => {
                let [own, other] = [4, 6].map(|plane| plane * N * N);
                match *placed {
                    [first, None, _] => mark(set(first), &mut planes[own..]),
                    [first, second, third] => {
                        mark(set(first) | set(second), &mut planes[other..]);
                        mark(set(third), &mut planes[own..]);
                    }
                }
            }
            Self::Playing(position) | Self::Over(position) => mark_planes(position, planes),
        }
    }

    /// The notation of a legal action: that of a turn, or a square.
    pub fn action_text(&self, action: usize) -> Option<String> {
        self.after(action)?;
        match self {
            Self::Playing(position) => {
                let turn = decode(position, action)?;
                Some(turn.text::<N>().to_string())
            }
            _ => Some(square_text::<N>(Square::new(action - TURNS))),
        }
    }

    /// A legal action, each as likely as any other; 0 where there is none.
    pub fn sample(&self, rng: &mut Xoshiro256PlusPlus) -> usize {
        match self {
            Self::Placing(placed) => loop {
                let square = Square::new(rng.random_range(0..N * N));
                if !placed.contains(&Some(square)) {
                    return TURNS + square.index();
                }
            },
            Self::Playing(position) => position
                .random_turn(rng)
                .map_or(0, |turn| encode(position, turn)),
            Self::Over(_) => 0,
        }
    }

    /// The share of this many random games that the player to move wins.
    pub fn rollouts(&self, games: u32, rng: &mut Xoshiro256PlusPlus) -> f32 {
        let mut wins = 0;
        for _ in 0..games {
            let mut stage = *self;
            let winner = loop {
                match stage {
                    Self::Placing(_) => {
                        let action = stage.sample(rng);
                        stage = stage.after(action).map_or(stage, |(next, _)| next);
                    }
                    Self::Playing(position) => match position.random_playout(rng) {
                        Side::Mover => break stage.mover(),
                        Side::Other => break 1 - stage.mover(),
                    },
                    // Who made the last turn has won.
                    Self::Over(_) => break 1 - stage.mover(),
                }
            };
            wins += u32::from(winner == self.mover());
        }
        wins as f32 / games as f32
    }
}

fn set(square: Option<Square>) -> Bitboard {
    square.into_iter().collect()
}

/// Places the next worker; `None` if the square is taken.
fn place<const N: usize>(placed: &[Option<Square>; 3], square: Square) -> Option<Stage<N>> {
    if placed.contains(&Some(square)) {
        return None;
    }
    let mut next = *placed;
    match next.iter_mut().find(|place| place.is_none()) {
        Some(free) => {
            *free = Some(square);
            Some(Stage::Placing(next))
        }
        None => {
            let [a, b, c] = (*placed).map(|square| square.unwrap_or(Square::new(0)));
            let start = Position::start([[a, b], [c, square]], [None, None]).ok()?;
            Some(Stage::Playing(start))
        }
    }
}
