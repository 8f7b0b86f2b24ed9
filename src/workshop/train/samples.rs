//! Unpacks records to positions and to samples for the network.

use std::io;

use super::data::{DataReader, Record};
use crate::eval::network::features::{self, FeatureSet};
use crate::rules::{Card, Cards, Side, Square, Symmetry};

/// A symmetry: the image of each square of the board.
pub type SymmetryTable<const N: usize> = [[u8; N]; N];

/// A training sample: the feature rows of a position under a symmetry, and the target.
#[derive(Clone, Copy)]
pub struct TrainSample<const N: usize> {
    /// The rows of the towers, for the perspectives of the mover and the other player.
    pub towers: [[[u16; N]; N]; 2],
    /// The rows of the workers.
    pub workers: [[u16; 4]; 2],
    /// The output layer.
    pub layer: usize,
    /// The target output: the probability that the mover wins.
    pub target: f32,
}

/// A position of a game with its search score and the game's result.
#[derive(Clone, Copy, Debug)]
pub struct ScoredPosition<const N: usize> {
    levels: [[u8; N]; N],
    /// The squares of the mover's workers, then of the other player's.
    workers: [[u8; 2]; 2],
    /// The cards of the mover and the other player.
    cards: Cards,
    /// The output bucket.
    bucket: u8,
    /// The turn number.
    pub turn: u8,
    /// The turns from here to the end of the game.
    turns_left: u8,
    /// The search score, in hundredths of a level.
    pub score: i16,
    /// Whether the mover won; `None` if unknown.
    pub wins: Option<bool>,
}

const _: () = assert!(FeatureSet::Base.buckets() <= 256, "a bucket fits a byte");

impl<const N: usize> ScoredPosition<N> {
    /// Unpacks a record.
    ///
    /// # Errors
    /// If it does not describe a position.
    pub fn of(record: &Record) -> io::Result<Self> {
        let position = record.position::<N>()?;
        let workers = [Side::Mover, Side::Other].map(|side| {
            let mut squares = position.workers(side).into_iter();
            let mut next = || squares.next().map_or(0, |square| square.index() as u8);
            [next(), next()]
        });
        Ok(Self {
            levels: each_square(|square| position.level(square)),
            workers,
            cards: position.cards(),
            bucket: FeatureSet::of(&position).bucket(&position, features::level_sum(&position))
                as u8,
            turn: position.turn() as u8,
            turns_left: record.turns_left(),
            score: record.score() as i16,
            wins: record.mover_wins(),
        })
    }

    /// The sample of this position under a symmetry.
    pub fn sample(
        &self,
        features: FeatureSet,
        symmetry: &SymmetryTable<N>,
        target: f32,
    ) -> TrainSample<N> {
        let (symmetry, levels) = (symmetry.as_flattened(), self.levels.as_flattened());
        let turned = |square: usize| Square::new(usize::from(symmetry[square]));
        let [mover, other] = self.cards;
        let mut sample = TrainSample {
            towers: [[[0; N]; N]; 2],
            workers: [[0; 4]; 2],
            layer: features.output_layer(usize::from(self.bucket), self.cards),
            target,
        };
        for (side, cards) in [[mover, other], [other, mover]].into_iter().enumerate() {
            let row = |feature| features.row(feature, cards) as u16;
            let towers = sample.towers[side].as_flattened_mut().iter_mut();
            for (square, (tower, &level)) in towers.zip(levels).enumerate() {
                *tower = row(features::tower(turned(square), level));
            }
            for (index, worker) in sample.workers[side].iter_mut().enumerate() {
                let owner = index / 2;
                let square = usize::from(self.workers[owner][index % 2]);
                let (square, level) = (turned(square), levels[square]);
                *worker = row(features::worker(square, level, owner == side));
            }
        }
        sample
    }

    /// Whether this position, the record after `earlier`, is from the same game, judging by
    /// turn numbers, turns left and the winner.
    pub fn follows(&self, earlier: &Self) -> bool {
        let length = |it: &Self| u16::from(it.turn) + u16::from(it.turns_left);
        let first_player_wins = |it: &Self| it.wins.map(|wins| wins == it.turn.is_multiple_of(2));
        self.wins.is_some()
            && self.turn > earlier.turn
            && length(self) == length(earlier)
            && first_player_wins(self) == first_player_wins(earlier)
    }

    /// Whether the players have these cards, in either order.
    pub fn has_cards(&self, [a, b]: [Card; 2]) -> bool {
        [[a, b], [b, a]]
            .map(|cards| cards.map(Some))
            .contains(&self.cards)
    }

    /// The feature set of the position.
    pub fn features(&self) -> FeatureSet {
        match self.cards[0] {
            None => FeatureSet::Base,
            Some(_) => FeatureSet::Cards,
        }
    }
}

/// The table of each of the eight symmetries.
pub fn symmetries<const N: usize>() -> Vec<SymmetryTable<N>> {
    Symmetry::all()
        .map(|symmetry| each_square(|square| symmetry.square::<N>(square).index() as u8))
        .collect()
}

/// A value for each square, in rows.
fn each_square<const N: usize>(value: impl Fn(Square) -> u8) -> [[u8; N]; N] {
    std::array::from_fn(|row| std::array::from_fn(|column| value(Square::new(row * N + column))))
}

/// Reads all positions of a data file.
///
/// # Errors
/// If the file cannot be read, is damaged or for another board size.
pub fn read<const N: usize>(reader: &mut DataReader) -> io::Result<Vec<ScoredPosition<N>>> {
    reader.expect_size(N)?;
    let mut positions = Vec::new();
    while let Some(block) = reader.block()? {
        for record in &block {
            positions.push(ScoredPosition::of(record)?);
        }
    }
    Ok(positions)
}
