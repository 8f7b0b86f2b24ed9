//! Random turns and games. Every legal turn is equally likely, without a list of all.

use rand::{Rng, RngExt};

use super::bitboard::{Bitboard, Geometry, Square};
use super::generate::Generator;
use super::position::{Position, Side};
use super::turn::Turn;

impl<const N: usize> Position<N> {
    /// A random legal turn. `None` if there is none.
    pub fn random_turn(&self, rng: &mut impl Rng) -> Option<Turn> {
        if self.has_cards() {
            self.random_card_turn(rng)
        } else {
            self.random_base_turn(rng)
        }
    }

    /// Plays random turns to the end of the game; returns the winner.
    pub fn random_playout(&self, rng: &mut impl Rng) -> Side {
        let mut position = *self;
        let mut mover = Side::Mover;
        loop {
            match position.random_turn(rng) {
                None => return mover.opponent(),
                Some(turn) if turn.wins() => return mover,
                Some(turn) => position = position.play(turn),
            }
            mover = mover.opponent();
        }
    }

    /// Draws a worker, a direction to step and a direction to build, seven bits in all, until
    /// they make a legal turn.
    ///
    /// Every legal turn is one of the 128 outcomes of a draw (a win has build direction 0), so
    /// all are equally likely. In random games this takes about four draws a turn and is
    /// several times faster than counting the turns and choosing one.
    fn random_base_turn(&self, rng: &mut impl Rng) -> Option<Turn> {
        /// Random bits a draw uses.
        const BITS: u32 = 7;
        let generator = Generator::<N, 0> { position: self };
        let mut workers = self.workers(Side::Mover);
        let (a, b) = (workers.next()?, workers.next()?);
        let (level_a, level_b) = (self.level(a), self.level(b));
        let steps_a = generator.steps(a, level_a);
        let steps_b = generator.steps(b, level_b);
        // After a step the worker can always build on the space it left.
        if (steps_a | steps_b).is_empty() {
            return None;
        }
        let from = [a, b];
        let wins = [
            generator.winning(steps_a, level_a),
            generator.winning(steps_b, level_b),
        ];
        let quiet = [steps_a.without(wins[0]), steps_b.without(wins[1])];
        let free = Geometry::<N>::BOARD.without(self.occupied() | self.above(3));
        let buildable = [free | Bitboard::of(a), free | Bitboard::of(b)];
        loop {
            let mut bits = rng.next_u64();
            for _ in 0..u64::BITS / BITS {
                let worker = (bits & 1) as usize;
                let direction = (bits >> 1 & 7) as usize;
                let build_direction = (bits >> 4 & 7) as usize;
                bits >>= BITS;
                let to = shifted::<N>(from[worker], direction);
                let build = shifted::<N>(to, build_direction);
                let builds = Geometry::<N>::NEIGHBOURS[to.index()] & buildable[worker];
                // One branch for both kinds of turn: most draws miss, and a
                // mispredicted branch costs more than the rest.
                let wins = wins[worker].has(to) & (build_direction == 0);
                if wins | (quiet[worker].has(to) & builds.has(build)) {
                    let turn = Turn::winning(from[worker], to);
                    return Some(if wins { turn } else { turn.building(build) });
                }
            }
        }
    }

    fn random_card_turn(&self, rng: &mut impl Rng) -> Option<Turn> {
        let turns = self.turns();
        (!turns.is_empty()).then(|| turns[rng.random_range(0..turns.len() as u64) as usize])
    }
}

/// The next square in one of eight directions. At the edge of the board it is not a
/// neighbour, or not on the board.
fn shifted<const N: usize>(square: Square, direction: usize) -> Square {
    let offsets = const {
        let n = N as isize;
        [1, -1, n, -n, n + 1, n - 1, 1 - n, -n - 1]
    };
    Square::new((square.index() as isize + offsets[direction]) as usize & 63)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::seeds::seeded;

    /// Draws many turns of a position: only legal ones, and all about equally often
    /// (chi-squared with a very wide margin).
    fn check<const N: usize>(text: &str) {
        let position: Position<N> = text.parse().unwrap();
        let turns = position.turns();
        let draws = 400 * turns.len();
        let mut rng = seeded(7);
        let mut counts: HashMap<Turn, f64> = turns.iter().map(|&turn| (turn, 0.0)).collect();
        for _ in 0..draws {
            let turn = position.random_turn(&mut rng).unwrap();
            *counts.get_mut(&turn).expect("a legal turn") += 1.0;
        }
        let square = |count: &f64| (count - 400.0).powi(2) / 400.0;
        let chi_squared: f64 = counts.values().map(square).sum();
        let freedom = (turns.len() - 1) as f64;
        // Mean `freedom`, standard deviation sqrt(2 freedom): five of them.
        let margin = 5.0 * (2.0 * freedom).sqrt();
        assert!(
            (chi_squared - freedom).abs() < margin,
            "{text}: {chi_squared}"
        );
    }

    #[test]
    fn random_turns_are_uniform() {
        check::<5>("00000/00000/00000/00000/00000 c2c4 b3d3 0");
        check::<5>("02200/03300/12344/10000/00000 b1a3 d1e5 9");
        check::<5>("00444/04444/44444/44440/44400 a1b1 e4e5 9");
        check::<6>("000000/012000/003200/000000/000000/000021 c3f6 f1b2 4");
        check::<6>("000000/012000/003200/000000/000000/000021 c3f6 f1b2 4 Artemis Pan");
        check::<5>("00000/01210/00320/00000/00000 c2c4 b3d3 0 Prometheus Atlas");
    }

    #[test]
    fn a_player_without_a_turn_gets_none_and_loses() {
        let stuck = "04440/44444/44444/44444/00444 a1e1 a5b5 9";
        let position: Position<5> = stuck.parse().unwrap();
        let mut rng = seeded(7);
        assert_eq!(position.random_turn(&mut rng), None);
        assert_eq!(position.random_playout(&mut rng), Side::Other);
    }
}
