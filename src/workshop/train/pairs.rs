//! Training for each pair of cards by itself, on top of what a network knows of
//! all games.

use std::sync::atomic::AtomicBool;

use rayon::ThreadPoolBuildError;

use super::model::Model;
use super::samples::ScoredPosition;
use super::targets::fit_score_scale;
use super::trainer::{Epoch, TrainOptions, train};
use crate::eval::network::Network;
use crate::rules::Card;

/// How the training of a pair of cards went.
#[derive(Clone, PartialEq, Debug)]
pub struct PairCurve {
    /// The cards of the first and the second player.
    pub pair: [Card; 2],
    /// The number of positions with these cards.
    pub positions: usize,
    /// What [`fit_score_scale`] says of these positions.
    pub score_scale: f32,
    /// One entry for each epoch.
    pub epochs: Vec<Epoch>,
}

/// All 28 unordered pairs of different cards.
pub fn pairs() -> impl Iterator<Item = [Card; 2]> {
    Card::pairs().filter(|[a, b]| (*a as usize) < *b as usize)
}

/// Fits the weights of each pair of cards to the positions of its games, whose scores have
/// a scale of their own; those of a pair without positions stay as they are. `report` is
/// called after every pair. Once `stop` is raised the pair in training and those after it are left
/// as they were.
///
/// # Errors
/// If the threads cannot be started.
pub fn train_pairs<const N: usize>(
    positions: &[ScoredPosition<N>],
    mut network: Network<N>,
    options: &TrainOptions,
    stop: &AtomicBool,
    mut report: impl FnMut(PairCurve),
) -> Result<Network<N>, ThreadPoolBuildError> {
    for pair in pairs() {
        let of_pair = positions.iter().filter(|position| position.has_cards(pair));
        let of_pair: Vec<_> = of_pair.copied().collect();
        if of_pair.is_empty() {
            continue;
        }
        let mut epochs = Vec::new();
        let model = Model::from_network(&network.of_pair(pair));
        let model = train(&of_pair, model, options, stop, |epoch| epochs.push(*epoch))?;
        if epochs.len() < options.epochs as usize {
            break;
        }
        network = network.with_pair(pair, &model.quantise());
        report(PairCurve {
            pair,
            positions: of_pair.len(),
            score_scale: fit_score_scale(&of_pair),
            epochs,
        });
    }
    Ok(network)
}

/// The mean of the losses of all pairs, each as often as it has positions, after
/// every epoch.
pub fn mean_curve(curves: &[PairCurve]) -> Vec<Epoch> {
    let positions: usize = curves.iter().map(|curve| curve.positions).sum();
    let epochs = curves.iter().map(|curve| curve.epochs.len()).min();
    let mean = |epoch: usize, loss: fn(&Epoch) -> f64| {
        let losses = curves
            .iter()
            .map(|curve| curve.positions as f64 * loss(&curve.epochs[epoch]));
        losses.sum::<f64>() / positions as f64
    };
    (0..epochs.unwrap_or(0))
        .map(|epoch| Epoch {
            epoch: epoch as u32 + 1,
            training: mean(epoch, |epoch| epoch.training),
            validation: mean(epoch, |epoch| epoch.validation),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_weighted_by_its_positions() {
        let curve = |positions, losses: [f64; 2]| PairCurve {
            pair: [Card::Apollo, Card::Pan],
            positions,
            score_scale: 300.0,
            epochs: (1..)
                .zip(losses)
                .map(|(epoch, loss)| Epoch {
                    epoch,
                    training: loss,
                    validation: loss + 1.0,
                })
                .collect(),
        };
        let mean = mean_curve(&[curve(300, [0.5, 0.25]), curve(100, [0.75, 0.5])]);
        let expected = [(1, 0.5625), (2, 0.3125)].map(|(epoch, loss)| Epoch {
            epoch,
            training: loss,
            validation: loss + 1.0,
        });
        assert_eq!(mean, expected);
        assert_eq!(mean_curve(&[]), []);
        assert_eq!(pairs().count(), 28);
    }
}
