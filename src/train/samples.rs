//! Training records unpacked to what the network sees.

use std::io;
use std::path::Path;

use super::data::{DataReader, Record};
use crate::eval::network::features::{self, Features};
use crate::rules::{Cards, Side, Square, Symmetry};

/// Where a symmetry takes each square of the board.
pub type Turned<const N: usize> = [[u8; N]; N];

/// What is to be learned of a position, seen under a symmetry.
#[derive(Clone, Copy)]
pub struct Lesson<const N: usize> {
    /// The features of the towers, the same from both sides.
    pub towers: [[u16; N]; N],
    /// The features of each worker, from the mover's and from the other
    /// player's side.
    pub workers: [[u16; 2]; 4],
    /// The stage of the game.
    pub stage: usize,
    /// What the output should be: the probability that the mover wins.
    pub target: f32,
}

/// A position as the network sees it, with what it is to answer.
#[derive(Clone, Copy, Debug)]
pub struct Sample<const N: usize> {
    levels: [[u8; N]; N],
    /// The squares of the mover's workers, then of the other player's.
    workers: [[u8; 2]; 2],
    /// The cards of the mover and the other player.
    cards: Cards,
    stage: u8,
    /// The turn's number, and the turns from here to the end of the game.
    pub turn: u8,
    turns_left: u8,
    /// The search score, in hundredths of a level.
    pub score: i16,
    /// Whether the mover won, if it is known.
    pub wins: Option<bool>,
}

impl<const N: usize> Sample<N> {
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
            stage: features::stage::<N>(features::levels(&position)) as u8,
            turn: position.turn() as u8,
            turns_left: record.turns_left(),
            score: record.score() as i16,
            wins: record.mover_wins(),
        })
    }

    /// The lesson with this target, the board turned by a symmetry.
    pub fn lesson(&self, features: Features, symmetry: &Turned<N>, target: f32) -> Lesson<N> {
        let (symmetry, levels) = (symmetry.as_flattened(), self.levels.as_flattened());
        let turned = |square: usize| Square::new(usize::from(symmetry[square]));
        let mut lesson = Lesson {
            towers: [[0; N]; N],
            workers: [[0; 2]; 4],
            stage: usize::from(self.stage),
            target,
        };
        let towers = lesson.towers.as_flattened_mut().iter_mut();
        for (square, (tower, &level)) in towers.zip(levels).enumerate() {
            *tower = features.tower(turned(square), level) as u16;
        }
        for (index, worker) in lesson.workers.iter_mut().enumerate() {
            let side = index / 2;
            let square = usize::from(self.workers[side][index % 2]);
            *worker = [side == 0, side == 1].map(|own| {
                let (level, card) = (levels[square], self.cards[side]);
                features.worker(turned(square), level, own, card) as u16
            });
        }
        lesson
    }

    /// Whether it comes later in the same game, as the number of the turn
    /// and that of those left say, if it is the next record.
    pub fn follows(&self, earlier: &Self) -> bool {
        let length = |sample: &Self| u16::from(sample.turn) + u16::from(sample.turns_left);
        self.wins.is_some() && self.turn > earlier.turn && length(self) == length(earlier)
    }

    /// The features that see all of it.
    pub fn features(&self) -> Features {
        match self.cards[0] {
            None => Features::Base,
            Some(_) => Features::Cards,
        }
    }
}

/// Where each of the eight symmetries takes each square.
pub fn symmetries<const N: usize>() -> Vec<Turned<N>> {
    Symmetry::all()
        .map(|symmetry| each_square(|square| symmetry.square::<N>(square).index() as u8))
        .collect()
}

/// A value for each square, in rows.
pub fn each_square<const N: usize>(value: impl Fn(Square) -> u8) -> [[u8; N]; N] {
    std::array::from_fn(|row| std::array::from_fn(|column| value(Square::new(row * N + column))))
}

/// Reads all samples of a data file.
///
/// # Errors
/// If the file cannot be read, is damaged or of another size of board.
pub fn load<const N: usize>(path: &Path) -> io::Result<Vec<Sample<N>>> {
    let mut reader = DataReader::open(path)?;
    reader.expect_size(N)?;
    let mut samples = Vec::new();
    while let Some(block) = reader.block()? {
        for record in &block {
            samples.push(Sample::of(record)?);
        }
    }
    Ok(samples)
}
