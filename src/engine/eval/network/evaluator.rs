//! The network in the search: a stack of accumulators along the current line, each computed
//! when it is needed.

use crate::cpu::Instructions;
use crate::rules::{CAP, Cards, Extra, Position, Side, Square, Turn};

use super::super::Evaluator;
use super::features;
use super::kernel::{self, ExtraDelta, FeatureDelta, Update, WorkerDelta};
use super::rows::Rows;
use super::weights::{GameWeights, Network};

/// One position of the line.
struct Frame<const N: usize> {
    position: Position<N>,
    /// The turn that led here. None at the root.
    turn: Option<Turn>,
    /// Whether the root's mover is to move.
    root_to_move: bool,
    /// The evaluation, once the accumulators of this frame are computed.
    value: Option<i32>,
    /// The sum of all levels, valid with `value`.
    level_sum: u32,
}

/// Evaluates positions with a network.
pub struct NetworkEvaluator<'a, const N: usize> {
    network: &'a Network<N>,
    /// The weights of this game, from the perspectives of the root's mover and the other player.
    weights: [GameWeights<'a>; 2],
    instructions: Instructions,
    /// The line from the root. Frames from `height` on are unused.
    stack: Vec<Frame<N>>,
    height: usize,
    /// A pair for each frame: the perspectives of the root's mover and the other player. Valid
    /// once the frame has its `value`.
    accumulators: Rows,
}

impl<'a, const N: usize> NetworkEvaluator<'a, N> {
    /// An evaluator for games with these cards.
    pub fn new(network: &'a Network<N>, cards: Cards) -> Self {
        Self {
            network,
            weights: network.for_game(cards),
            instructions: Instructions::best(),
            stack: Vec::new(),
            height: 0,
            accumulators: Rows::zeros(0, network.hidden_units()),
        }
    }

    // Measured: inlined into the search, 1.016 times the nodes a second.
    #[inline(always)]
    fn push_frame(&mut self, position: &Position<N>, turn: Option<Turn>, root_to_move: bool) {
        self.height += 1;
        match self.stack.get_mut(self.height - 1) {
            Some(frame) => {
                frame.position = *position;
                frame.turn = turn;
                frame.root_to_move = root_to_move;
                frame.value = None;
            }
            None => {
                self.stack.push(Frame {
                    position: *position,
                    turn,
                    root_to_move,
                    value: None,
                    level_sum: 0,
                });
                self.accumulators.grow(2 * self.stack.len());
            }
        }
    }

    /// The value of the position at an index of the stack. If it is not known yet, an update of
    /// the frame below computes it.
    fn value(&mut self, index: usize) -> i32 {
        if let Some(value) = self.stack[index].value {
            return value;
        }
        // The frame below may have no value. Its other successors need it too.
        self.value(index - 1);
        let (below, above) = self.stack.split_at_mut(index);
        let (before, frame) = (&below[index - 1], &mut above[0]);
        let positions = [&before.position, &frame.position];
        let delta = match frame.turn {
            Some(turn) if turn.is_plain() => plain_delta(positions[0], turn, before.root_to_move),
            Some(turn) => delta_with_extras(positions, turn, before.root_to_move),
            None => None,
        };
        let value = match delta {
            Some((delta, built)) => {
                frame.level_sum = before.level_sum + built;
                let layer = (self.network).output_layer(&frame.position, frame.level_sum);
                let (before, after) = self.accumulators.two_pairs(index - 1, index);
                let [first, second] = &self.weights;
                let update = Update {
                    before,
                    delta: &delta,
                    rows: [first.rows, second.rows],
                    level_ups: [first.level_ups, second.level_ups],
                    weights: self.network.output(layer, frame.root_to_move),
                };
                let sums = kernel::update(self.instructions, after, &update);
                self.network.value(layer, sums)
            }
            None => self.refresh(index),
        };
        self.stack[index].value = Some(value);
        value
    }

    /// Computes accumulators and value from the position alone.
    fn refresh(&mut self, index: usize) -> i32 {
        let frame = &mut self.stack[index];
        let mut sides = [Side::Mover, Side::Other];
        if !frame.root_to_move {
            sides.reverse();
        }
        let accumulators = self.accumulators.pair_mut(index).into_iter();
        for ((accumulator, side), weights) in accumulators.zip(sides).zip(self.weights) {
            weights.fill_accumulator(&frame.position, side, accumulator);
        }
        frame.level_sum = features::level_sum(&frame.position);
        self.network.evaluate(&frame.position)
    }
}

/// The features that a turn of the base game changes, and the number of levels it builds.
/// `root_to_move`: whether the root's mover makes the turn. `None` if it wins.
#[inline(always)]
fn plain_delta<const N: usize>(
    before: &Position<N>,
    turn: Turn,
    root_to_move: bool,
) -> Option<(FeatureDelta, u32)> {
    let feature = |square| worker(square, before.level(square), root_to_move);
    let build = turn.build()?;
    let level = before.level(build);
    let delta = FeatureDelta {
        level_up: features::level_up(build, level, level + 1),
        worker: WorkerDelta {
            removed: feature(turn.from()),
            added: feature(turn.to()),
        },
        extra: None,
    };
    Some((delta, 1))
}

/// [`plain_delta`] for a turn that only a card allows, from the positions before and after.
fn delta_with_extras<const N: usize>(
    [before, after]: [&Position<N>; 2],
    turn: Turn,
    root_to_move: bool,
) -> Option<(FeatureDelta, u32)> {
    let (mut delta, mut built) = plain_delta(before, turn, root_to_move)?;
    let build = turn.build()?;
    let level_up = |square, levels| {
        let level = before.level(square);
        features::level_up(square, level, level + levels)
    };
    if let Some(square) = turn.extra().build() {
        built = 2;
        if square == build {
            delta.level_up = level_up(build, 2);
        } else {
            delta.extra = Some(ExtraDelta::LevelUp(level_up(square, 1)));
        }
    }
    if turn.extra() == Extra::FirstBuild(turn.to()) {
        delta.worker.added = worker(turn.to(), before.level(turn.to()) + 1, root_to_move);
    }
    if turn.is_dome() {
        let levels = CAP - before.level(build);
        built = levels.into();
        delta.level_up = level_up(build, levels);
    }
    if turn.displaces() {
        let (old, new) = (before.workers(Side::Other), after.workers(Side::Mover));
        let feature = |square| worker(square, before.level(square), !root_to_move);
        delta.extra = Some(ExtraDelta::Worker(WorkerDelta {
            removed: feature(turn.to()),
            added: feature(new.without(old).into_iter().next()?),
        }));
    }
    Some((delta, built))
}

/// The feature of a worker from both perspectives, the root's mover first. `of_root`: whether
/// it is that player's worker.
#[inline(always)]
fn worker(square: Square, level: u8, of_root: bool) -> [usize; 2] {
    [of_root, !of_root].map(|own| features::worker(square, level, own))
}

impl<const N: usize> Evaluator<N> for NetworkEvaluator<'_, N> {
    fn reset(&mut self, root: &Position<N>) {
        // Each iteration searches the same root.
        let first = self.stack.first();
        if first.is_some_and(|frame| frame.position == *root) {
            self.height = 1;
            return;
        }
        self.weights = self.network.for_game(root.cards());
        self.height = 0;
        self.push_frame(root, None, true);
        self.stack[0].value = Some(self.refresh(0));
    }

    #[inline(always)]
    fn push(&mut self, turn: Turn, after: &Position<N>) {
        let root_to_move = !self.stack[self.height - 1].root_to_move;
        self.push_frame(after, Some(turn), root_to_move);
    }

    fn pop(&mut self) {
        self.height -= 1;
    }

    fn evaluate(&mut self, position: &Position<N>) -> i32 {
        debug_assert!(self.stack[self.height - 1].position == *position);
        let value = self.value(self.height - 1);
        debug_assert!(
            !position.key().is_multiple_of(CHECKED) || value == self.network.evaluate(position)
        );
        value
    }

    fn warm(&self) {
        let cards = self.stack[0].position.cards();
        self.network.warm(cards);
    }
}

/// Debug builds check one value in this many against [`Network::evaluate`]. Checking all would
/// make searches ten times slower.
const CHECKED: u64 = 16;

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::super::Networks;
    use super::*;
    use crate::rules::{Card, Square};
    use crate::seeds::{SeededRng, seeded};

    /// Walks up and down the tree at random and evaluates some positions, like a search.
    fn walk<const N: usize>(cards: [Option<Card>; 2], steps: u32, rng: &mut SeededRng) {
        let workers = [[6, 8], [12, 14]].map(|squares| squares.map(Square::new));
        let root = Position::<N>::start(workers, cards).unwrap();
        let networks = Networks::embedded();
        let network = networks.for_position(&root);
        let mut evaluator = NetworkEvaluator::new(network, root.cards());
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
    fn updates_agree_with_evaluating_from_scratch() {
        let mut rng = seeded(1);
        walk::<5>([None; 2], 3000, &mut rng);
        walk::<6>([None; 2], 3000, &mut rng);
        for pair in Card::pairs() {
            walk::<5>(pair.map(Some), 300, &mut rng);
        }
    }
}
