//! The network as the search uses it: a stack of hidden values along the
//! current line, each computed only when it is asked for.

use crate::rules::{Bitboard, Position, Side, Turn};

use super::super::Evaluator;
use super::Network;
use super::features::{self, Features};
use super::kernel::{Advance, Change, Changes, Extra, Instructions};
use super::rows::Rows;

/// One position of the line.
struct Frame<const N: usize> {
    position: Position<N>,
    /// The turn that led here; at the root none.
    turn: Option<Turn>,
    /// Whether the player to move here is the one to move at the root.
    as_root: bool,
    /// What the network computes from the position, once it has.
    computed: Option<i32>,
    /// The sum of all levels, there with `computed`.
    levels: u32,
}

/// Evaluates positions with a network.
pub struct NetworkEvaluator<'a, const N: usize> {
    network: &'a Network<N>,
    instructions: Instructions,
    /// The line from the root; frames above `height` are there to be reused.
    frames: Vec<Frame<N>>,
    height: usize,
    /// For each frame a pair of hidden values, from the side of the root's
    /// mover and of the other player; those of the position once `computed` is
    /// there.
    hidden: Rows,
}

impl<'a, const N: usize> NetworkEvaluator<'a, N> {
    /// An evaluator with the best instructions of this processor.
    pub fn new(network: &'a Network<N>) -> Self {
        let best = Instructions::available()
            .pop()
            .unwrap_or(Instructions::Portable);
        Self {
            network,
            instructions: best,
            frames: Vec::new(),
            height: 0,
            hidden: Rows::zeros(0, network.hidden()),
        }
    }

    // Measured: always inlined, as the turn that is played before it, 1.016 times
    // the nodes a second of the whole search.
    #[inline(always)]
    fn push_frame(&mut self, position: &Position<N>, turn: Option<Turn>, as_root: bool) {
        self.height += 1;
        match self.frames.get_mut(self.height - 1) {
            Some(frame) => {
                frame.position = *position;
                frame.turn = turn;
                frame.as_root = as_root;
                frame.computed = None;
            }
            None => {
                self.frames.push(Frame {
                    position: *position,
                    turn,
                    as_root,
                    computed: None,
                    levels: 0,
                });
                self.hidden.grow(2 * self.frames.len());
            }
        }
    }

    /// The value of the position at the given height of the stack, computed
    /// if it is not yet known, from the one below.
    fn value(&mut self, index: usize) -> i32 {
        if let Some(value) = self.frames[index].computed {
            return value;
        }
        // A frame that was passed over when the search went up is needed for
        // its other successors too.
        self.value(index - 1);
        let (below, above) = self.frames.split_at_mut(index);
        let (before, frame) = (&below[index - 1], &mut above[0]);
        let positions = [&before.position, &frame.position];
        let features = self.network.features();
        let changes = match frame.turn {
            Some(turn) if turn.is_plain() => {
                plain_changes(features, positions[0], turn, before.as_root)
            }
            _ => changes(features, positions, before.as_root),
        };
        let value = match changes {
            Some((changes, built)) => {
                frame.levels = before.levels + built;
                let stage = features::stage::<N>(frame.levels);
                let (before, after) = self.hidden.two_pairs(index - 1, index);
                let turn = Advance {
                    before,
                    changes: &changes,
                    rows: &self.network.weights().rows,
                    raises: self.network.raises(),
                    weights: self.network.output_weights(stage, frame.as_root),
                };
                let sums = self.instructions.advance(after, &turn);
                self.network.value(stage, sums)
            }
            None => self.compute_afresh(index),
        };
        self.frames[index].computed = Some(value);
        value
    }

    /// Computes hidden values and value from the position alone.
    fn compute_afresh(&mut self, index: usize) -> i32 {
        let frame = &mut self.frames[index];
        let mut sides = [Side::Mover, Side::Other];
        if !frame.as_root {
            sides.reverse();
        }
        for (hidden, side) in self.hidden.pair_mut(index).into_iter().zip(sides) {
            self.network.fill_hidden(&frame.position, side, hidden);
        }
        frame.levels = features::levels(&frame.position);
        self.network.evaluate(&frame.position)
    }
}

/// What a turn of the base game changes, from the side of the root's mover and
/// of the other player, and by how much the sum of all levels is greater;
/// `as_root` says whether the former makes the turn. `None` if it wins.
#[inline(always)]
fn plain_changes<const N: usize>(
    features: Features,
    before: &Position<N>,
    turn: Turn,
    as_root: bool,
) -> Option<(Changes, u32)> {
    let card = before.card(Side::Mover);
    let seen = |square| {
        let level = before.level(square);
        [as_root, !as_root].map(|own| features.worker(square, level, own, card))
    };
    let build = turn.build()?;
    let level = before.level(build);
    let changes = Changes {
        raise: features::raise(build, level, level + 1),
        worker: Change {
            gone: seen(turn.from()),
            come: seen(turn.to()),
        },
        extra: None,
    };
    Some((changes, 1))
}

/// The same for any turn between two positions, found by comparing them.
/// `None` if they differ in another way than by a turn.
fn changes<const N: usize>(
    features: Features,
    [before, after]: [&Position<N>; 2],
    as_root: bool,
) -> Option<(Changes, u32)> {
    let mut built = (0..4)
        .fold(Bitboard::EMPTY, |set, level| {
            set | before.above(level) ^ after.above(level)
        })
        .into_iter();
    let mut levels = 0;
    let mut tower = || {
        let square = built.next()?;
        let [old, new] = [before, after].map(|position| position.level(square));
        levels += u32::from(new - old);
        Some(features::raise(square, old, new))
    };
    // The player who has made the turn is the other one after it.
    let moved = |player: Side| {
        let (old, new) = (before.workers(player), after.workers(player.opponent()));
        let own = (player == Side::Mover) == as_root;
        let card = before.card(player);
        let seen = |position: &Position<N>, square| {
            [own, !own].map(|own| features.worker(square, position.level(square), own, card))
        };
        Some(Change {
            gone: seen(before, old.without(new).into_iter().next()?),
            come: seen(after, new.without(old).into_iter().next()?),
        })
    };
    let mut changes = Changes {
        raise: tower()?,
        worker: moved(Side::Mover)?,
        extra: None,
    };
    if before.card(Side::Mover).is_some() {
        let second = || moved(Side::Other).map(Extra::Worker);
        changes.extra = tower().map(Extra::Raise).or_else(second);
    }
    Some((changes, levels))
}

impl<const N: usize> Evaluator<N> for NetworkEvaluator<'_, N> {
    fn reset(&mut self, root: &Position<N>) {
        self.height = 0;
        self.push_frame(root, None, true);
        self.frames[0].computed = Some(self.compute_afresh(0));
    }

    #[inline(always)]
    fn push(&mut self, turn: Turn, after: &Position<N>) {
        let as_root = !self.frames[self.height - 1].as_root;
        self.push_frame(after, Some(turn), as_root);
    }

    fn pop(&mut self) {
        self.height -= 1;
    }

    fn evaluate(&mut self, position: &Position<N>) -> i32 {
        debug_assert!(self.frames[self.height - 1].position == *position);
        let value = self.value(self.height - 1);
        debug_assert!(
            !position.key().is_multiple_of(CHECKED) || value == self.network.evaluate(position)
        );
        value
    }
}

/// With debug assertions one position in so many is computed afresh to compare:
/// all of them would make searches ten times as slow.
const CHECKED: u64 = 16;

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::Networks;
    use super::*;
    use crate::rules::{Card, Square};

    /// Goes up and down the tree of turns at random, and evaluates some of the
    /// positions, as a search does.
    fn walk<const N: usize>(cards: [Option<Card>; 2], steps: u32, rng: &mut Xoshiro256PlusPlus) {
        let workers = [[6, 8], [12, 14]].map(|squares| squares.map(Square::new));
        let root = Position::<N>::start(workers, cards).unwrap();
        let networks = Networks::embedded();
        let network = networks.for_position(&root);
        let mut evaluator = NetworkEvaluator::new(network);
        evaluator.reset(&root);
        let mut line = vec![root];
        for _ in 0..steps {
            let position = *line.last().unwrap();
            let turn = position.random_turn(rng).filter(|turn| !turn.wins());
            match turn {
                Some(turn) if rng.random_bool(0.6) => {
                    line.push(position.play(turn));
                    evaluator.push(turn, line.last().unwrap());
                }
                _ if line.len() > 1 => {
                    line.pop();
                    evaluator.pop();
                }
                _ => {}
            }
            let position = line.last().unwrap();
            if rng.random_bool(0.5) {
                let value = evaluator.evaluate(position);
                assert_eq!(value, network.evaluate(position), "{position}");
            }
        }
    }

    #[test]
    fn what_turns_change_adds_up_to_what_is_computed_afresh() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        walk::<5>([None; 2], 3000, &mut rng);
        walk::<6>([None; 2], 3000, &mut rng);
        for pair in Card::pairs() {
            walk::<5>(pair.map(Some), 300, &mut rng);
        }
    }
}
