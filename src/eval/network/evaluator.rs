//! The network as the search uses it: a stack of hidden values along the
//! current line, each computed only when it is asked for.

use crate::rules::{Bitboard, Position, Side};

use super::super::Evaluator;
use super::features;
use super::kernel::{Change, Changes, Instructions, Turn, weigh_all};
use super::{HIDDEN_ONE, Network, OUTPUT_ONE, OUTPUT_SCALE, Row};

/// One position of the line.
struct Frame<const N: usize> {
    position: Position<N>,
    /// Whether the player to move here is the one to move at the root.
    as_root: bool,
    /// What the network computes from the position, once it has.
    computed: Option<i32>,
    /// The sum of all levels, there with `computed`.
    levels: u32,
    /// From the side of the root's mover, and of the other player; holds the
    /// position's values once `computed` is there.
    hidden: [Row; 2],
}

/// Evaluates positions with a network.
pub struct NetworkEvaluator<'a, const N: usize> {
    network: &'a Network<N>,
    instructions: Instructions,
    /// The line from the root; frames above `height` are there to be reused.
    frames: Vec<Frame<N>>,
    height: usize,
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
        }
    }

    fn push_frame(&mut self, position: &Position<N>, as_root: bool) {
        self.height += 1;
        match self.frames.get_mut(self.height - 1) {
            Some(frame) => {
                frame.position = *position;
                frame.as_root = as_root;
                frame.computed = None;
            }
            None => self.frames.push(Frame::new(position, as_root)),
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
        let value = match changes(&before.position, &frame.position, before.as_root) {
            Some((changes, built)) => {
                frame.levels = before.levels + built;
                let bucket = features::bucket(&frame.position, frame.levels);
                let turn = Turn {
                    before: &before.hidden,
                    changes: &changes,
                    rows: &self.network.rows,
                    weights: self.network.output_weights(bucket, frame.as_root),
                };
                let sums = self.instructions.advance(&mut frame.hidden, &turn);
                self.network.value(bucket, sums)
            }
            None => frame.compute_afresh(self.network),
        };
        frame.computed = Some(value);
        value
    }
}

impl<const N: usize> Frame<N> {
    /// A frame of which nothing is computed yet.
    fn new(position: &Position<N>, as_root: bool) -> Self {
        Self {
            position: *position,
            as_root,
            computed: None,
            levels: 0,
            hidden: [Row::ZERO; 2],
        }
    }

    /// Computes hidden values and value from the position alone.
    fn compute_afresh(&mut self, network: &Network<N>) -> i32 {
        let mut sides = [Side::Mover, Side::Other];
        if !self.as_root {
            sides.reverse();
        }
        self.hidden = sides.map(|own| network.hidden(&self.position, own));
        self.levels = features::levels(&self.position);
        let bucket = features::bucket(&self.position, self.levels);
        let weights = network.output_weights(bucket, self.as_root);
        network.value(bucket, weigh_all(&self.hidden, weights))
    }
}

/// What differs between two positions, one turn apart, from the side of the
/// root's mover and of the other player, and by how much the sum of all levels
/// is greater; `as_root` says whether the former has made the turn. `None` if
/// it is not what a turn changes.
fn changes<const N: usize>(
    before: &Position<N>,
    after: &Position<N>,
    as_root: bool,
) -> Option<(Changes, u32)> {
    let cards = before.card(Side::Mover).is_some();
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
        Some([old, new].map(|level| features::tower(square, level, cards)))
    };
    // The player who has made the turn is the other one after it.
    let moved = |player: Side| {
        let (old, new) = (before.workers(player), after.workers(player.opponent()));
        let own = (player == Side::Mover) == as_root;
        let card = before.card(player);
        let seen = |position: &Position<N>, square| {
            [own, !own].map(|own| features::worker(square, position.level(square), own, card))
        };
        Some(Change {
            gone: seen(before, old.without(new).into_iter().next()?),
            come: seen(after, new.without(old).into_iter().next()?),
        })
    };
    let mut changes = Changes {
        tower: tower()?,
        worker: moved(Side::Mover)?,
        extra: None,
    };
    if cards {
        let second = tower().map(|[gone, come]| Change {
            gone: [gone; 2],
            come: [come; 2],
        });
        changes.extra = second.or_else(|| moved(Side::Other));
    }
    Some((changes, levels))
}

impl<const N: usize> Network<N> {
    /// The hidden values of a position from one player's side, computed from
    /// nothing.
    fn hidden(&self, position: &Position<N>, own: Side) -> Row {
        let mut hidden = Row::ZERO;
        features::for_each(position, own, |feature| {
            for (value, weight) in hidden.0.iter_mut().zip(&self.rows[feature].0) {
                *value = value.wrapping_add(*weight);
            }
        });
        hidden
    }

    /// The output weights for the hidden values of the root's mover and of
    /// the other player; `as_root` says whether the former is to move.
    fn output_weights(&self, bucket: usize, as_root: bool) -> [&Row; 2] {
        let [mover, other] = &self.output[bucket];
        if as_root {
            [mover, other]
        } else {
            [other, mover]
        }
    }

    /// The value for the mover from the weighted sums of the hidden values.
    fn value(&self, bucket: usize, sums: [i32; 2]) -> i32 {
        let one = i64::from(HIDDEN_ONE);
        let sum = sums.map(i64::from).iter().sum::<i64>();
        let value = sum / one + i64::from(self.output_bias[bucket]);
        (value * i64::from(OUTPUT_SCALE) / (one * i64::from(OUTPUT_ONE))) as i32
    }

    /// The value of a position for its mover, computed from nothing with
    /// portable code: what the evaluator must agree with.
    pub fn evaluate(&self, position: &Position<N>) -> i32 {
        Frame::new(position, true).compute_afresh(self)
    }
}

impl<const N: usize> Evaluator<N> for NetworkEvaluator<'_, N> {
    fn reset(&mut self, root: &Position<N>) {
        self.height = 0;
        self.push_frame(root, true);
        let frame = &mut self.frames[0];
        frame.computed = Some(frame.compute_afresh(self.network));
    }

    fn push(&mut self, after: &Position<N>) {
        let as_root = !self.frames[self.height - 1].as_root;
        self.push_frame(after, as_root);
    }

    fn pop(&mut self) {
        self.height -= 1;
    }

    fn evaluate(&mut self, position: &Position<N>) -> i32 {
        debug_assert!(self.frames[self.height - 1].position == *position);
        let value = self.value(self.height - 1);
        debug_assert_eq!(value, self.network.evaluate(position));
        value
    }
}
