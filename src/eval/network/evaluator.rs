//! The network as the search uses it: a stack of hidden values along the
//! current line, each brought up to date only when it is asked for.

use crate::rules::{Bitboard, Position, Side};

use super::super::Evaluator;
use super::features;
use super::kernel::{Changes, Instructions};
use super::{HIDDEN_ONE, Network, OUTPUT_ONE, OUTPUT_SCALE, Row};

/// The hidden values of one position of the line.
struct Frame<const N: usize> {
    position: Position<N>,
    /// Whether the player to move here is the one to move at the root.
    as_root: bool,
    /// From the side of the root's mover, and of the other player.
    hidden: [Row; 2],
    /// Whether `hidden` holds the values of `position`.
    ready: bool,
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

    fn push_frame(&mut self, position: &Position<N>, as_root: bool, ready: bool) {
        self.height += 1;
        match self.frames.get_mut(self.height - 1) {
            Some(frame) => {
                frame.position = *position;
                frame.as_root = as_root;
                frame.ready = ready;
            }
            None => {
                let hidden = [Row::ZERO; 2];
                self.frames.push(Frame {
                    position: *position,
                    as_root,
                    hidden,
                    ready,
                });
            }
        }
    }

    /// Brings the hidden values of the top frame up to date from the nearest
    /// frame below that has them.
    fn prepare(&mut self) {
        let top = self.height - 1;
        if self.frames[top].ready {
            return;
        }
        let known = (0..top).rev().find(|&below| self.frames[below].ready);
        let known = known.expect("the root's hidden values are computed at once");
        let (below, above) = self.frames.split_at_mut(top);
        let (known, frame) = (&below[known], &mut above[0]);
        let mut changes = [Changes::default(); 2];
        for square in changed(known, frame) {
            let (old, new) = (known.state(square), frame.state(square));
            changes[0].push(square, old, new);
            changes[1].push(square, features::opposite(old), features::opposite(new));
        }
        for (side, changes) in changes.iter().enumerate() {
            let (out, hidden) = (&mut frame.hidden[side], &known.hidden[side]);
            self.instructions
                .update(out, hidden, &self.network.rows, changes);
        }
        frame.ready = true;
    }
}

impl<const N: usize> Frame<N> {
    /// The player who is to move at the root.
    fn root_mover(&self) -> Side {
        if self.as_root {
            Side::Mover
        } else {
            Side::Other
        }
    }

    /// The state of a square from the side of the root's mover.
    fn state(&self, square: crate::rules::Square) -> usize {
        features::state(&self.position, self.root_mover(), square)
    }
}

/// The squares whose state differs between two frames.
fn changed<const N: usize>(a: &Frame<N>, b: &Frame<N>) -> Bitboard {
    let levels = (0..4).fold(Bitboard::EMPTY, |set, level| {
        set | a.position.above(level) ^ b.position.above(level)
    });
    let [ours, theirs] = if a.as_root == b.as_root {
        [Side::Mover, Side::Other]
    } else {
        [Side::Other, Side::Mover]
    };
    levels
        | a.position.workers(Side::Mover) ^ b.position.workers(ours)
        | a.position.workers(Side::Other) ^ b.position.workers(theirs)
}

impl<const N: usize> Network<N> {
    /// The hidden values of a position from one player's side, computed from
    /// nothing.
    fn hidden(&self, position: &Position<N>, own: Side) -> Row {
        let squares = crate::rules::Geometry::<N>::BOARD;
        let mut hidden = Row::ZERO;
        for feature in squares.map(|s| features::index(s, features::state(position, own, s))) {
            for (value, weight) in hidden.0.iter_mut().zip(&self.rows[feature].0) {
                *value = value.wrapping_add(*weight);
            }
        }
        hidden
    }

    /// The value of a position for the mover, from the hidden values of the
    /// mover and the other player.
    fn output(&self, position: &Position<N>, hidden: [&Row; 2], instructions: Instructions) -> i32 {
        let bucket = features::bucket(position);
        let [mover, other] = &self.output[bucket];
        let sum = i64::from(instructions.output(hidden[0], mover))
            + i64::from(instructions.output(hidden[1], other));
        let one = i64::from(HIDDEN_ONE);
        let value = sum / one + i64::from(self.output_bias[bucket]);
        (value * i64::from(OUTPUT_SCALE) / (one * i64::from(OUTPUT_ONE))) as i32
    }

    /// The value of a position, computed from nothing with portable code: what
    /// the evaluator must agree with.
    pub fn evaluate(&self, position: &Position<N>) -> i32 {
        let [mover, other] = [Side::Mover, Side::Other].map(|side| self.hidden(position, side));
        self.output(position, [&mover, &other], Instructions::Portable)
    }
}

impl<const N: usize> Evaluator<N> for NetworkEvaluator<'_, N> {
    fn reset(&mut self, root: &Position<N>) {
        self.height = 0;
        self.push_frame(root, true, true);
        self.frames[0].hidden =
            [Side::Mover, Side::Other].map(|own| self.network.hidden(root, own));
    }

    fn push(&mut self, after: &Position<N>) {
        let as_root = !self.frames[self.height - 1].as_root;
        self.push_frame(after, as_root, false);
    }

    fn pop(&mut self) {
        self.height -= 1;
    }

    fn evaluate(&mut self, position: &Position<N>) -> i32 {
        self.prepare();
        let frame = &self.frames[self.height - 1];
        debug_assert!(frame.position == *position);
        let [root, other] = &frame.hidden;
        let hidden = if frame.as_root {
            [root, other]
        } else {
            [other, root]
        };
        let value = self.network.output(position, hidden, self.instructions);
        debug_assert_eq!(value, self.network.evaluate(position));
        value
    }
}
