//! Training records unpacked to what the network sees.

use std::io;
use std::path::Path;

use super::data::{DataReader, Record};
use crate::eval::network::features::{self, Features};
use crate::rules::{Cards, Side, Square, Symmetry};

/// Where a symmetry takes each square of the board.
pub type Turned<const N: usize> = [[u8; N]; N];

/// A feature as seen from the mover's and from the other player's side.
pub enum Feature {
    /// The same from both sides.
    Tower(usize),
    Worker([usize; 2]),
}

/// A position as the network sees it, with what it is to answer.
#[derive(Clone, Copy, Debug)]
pub struct Sample<const N: usize> {
    levels: [[u8; N]; N],
    /// The squares of the mover's workers, then of the other player's.
    workers: [[u8; 2]; 2],
    /// The cards of the mover and the other player.
    cards: Cards,
    /// The stage of the game.
    pub stage: u8,
    /// The search score, in hundredths of a level.
    pub score: i16,
    /// Whether the mover won, if it is known.
    pub wins: Option<bool>,
}

impl<const N: usize> Sample<N> {
    fn of(record: &Record) -> io::Result<Self> {
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
            score: record.score() as i16,
            wins: record.mover_wins(),
        })
    }

    /// Calls `visit` with each feature, the board turned by a symmetry.
    #[inline(always)]
    pub fn for_each_feature(
        &self,
        features: Features,
        symmetry: &Turned<N>,
        mut visit: impl FnMut(Feature),
    ) {
        let (symmetry, levels) = (symmetry.as_flattened(), self.levels.as_flattened());
        let turned = |square: usize| Square::new(usize::from(symmetry[square]));
        for (square, &level) in levels.iter().enumerate() {
            visit(Feature::Tower(features.tower(turned(square), level)));
        }
        for (side, squares) in self.workers.iter().enumerate() {
            for square in squares.map(usize::from) {
                let seen = |own| {
                    let (level, card) = (levels[square], self.cards[side]);
                    features.worker(turned(square), level, own, card)
                };
                visit(Feature::Worker([seen(side == 0), seen(side == 1)]));
            }
        }
    }

    /// The features that see all of it.
    pub fn features(&self) -> Features {
        match self.cards[0] {
            None => Features::Base,
            Some(_) => Features::Cards,
        }
    }

    /// What the output should be: the probability that the mover wins, partly
    /// by the search score and partly by the result; by the score alone if the
    /// result is not known.
    pub fn target(&self, score_share: f32, score_scale: f32) -> f32 {
        let by_score = sigmoid(f32::from(self.score) / score_scale);
        self.wins.map_or(by_score, |wins| {
            score_share * by_score + (1.0 - score_share) * f32::from(u8::from(wins))
        })
    }
}

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
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

/// The score at which the samples' movers win e times as often as they lose:
/// the scale that makes search scores and results agree best.
pub fn fit_score_scale<const N: usize>(samples: &[Sample<N>]) -> f32 {
    let known: Vec<&Sample<N>> = samples.iter().filter(|it| it.wins.is_some()).collect();
    let loss = |scale: f32| -> f64 {
        known
            .iter()
            .step_by(known.len().div_ceil(100_000).max(1))
            .map(|sample| {
                cross_entropy(
                    sigmoid(f32::from(sample.score) / scale),
                    sample.target(0.0, 1.0),
                )
            })
            .sum()
    };
    // The loss has one minimum: golden section search on the logarithm.
    let (mut low, mut high) = (10f32.ln(), 3000f32.ln());
    let golden = 0.618;
    for _ in 0..30 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a.exp()) < loss(b.exp()) {
            high = b
        } else {
            low = a
        }
    }
    ((low + high) / 2.0).exp()
}

/// The cross entropy of a predicted probability with the target's.
pub fn cross_entropy(predicted: f32, target: f32) -> f64 {
    let p = f64::from(predicted).clamp(1e-7, 1.0 - 1e-7);
    let t = f64::from(target);
    -(t * p.ln() + (1.0 - t) * (1.0 - p).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;

    #[test]
    fn without_a_result_the_score_alone_is_learned() {
        let text = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
        let position: Position<5> = text.parse().unwrap();
        let unknown = Record::new(&position, 100);
        let target = |record: &Record, share| {
            let sample = Sample::<5>::of(record).unwrap();
            sample.target(share, 100.0)
        };
        let by_score = sigmoid(1.0);
        assert_eq!(target(&unknown, 0.25), by_score);
        let lost = unknown.with_result(false, 3);
        assert_eq!(target(&lost, 0.25), 0.25 * by_score);
    }
}
