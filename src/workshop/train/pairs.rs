//! Trains the weights for each pair of cards separately, starting from a network for all
//! pairs.

use std::sync::atomic::AtomicBool;

use rayon::ThreadPoolBuildError;

use super::model::Model;
use super::samples::ScoredPosition;
use super::targets::fit_score_scale;
use super::trainer::{Epoch, TrainOptions, train};
use crate::eval::network::Network;
use crate::rules::Card;

/// The learning curve of a pair of cards.
#[derive(Clone, PartialEq, Debug)]
pub struct PairCurve {
    /// The cards of the first and the second player.
    pub pair: [Card; 2],
    /// The number of positions with these cards.
    pub positions: usize,
    /// The result of [`fit_score_scale`] for these positions.
    pub score_scale: f32,
    /// One entry for each epoch.
    pub epochs: Vec<Epoch>,
}

/// All 28 unordered pairs of different cards.
pub fn pairs() -> impl Iterator<Item = [Card; 2]> {
    Card::pairs().filter(|[a, b]| (*a as usize) < *b as usize)
}

/// Fits the weights of each pair of cards to the positions of its games. Each pair has its
/// own score scale; a pair without positions keeps its weights. `report` is called after
/// every pair. Once `stop` is set, the current pair and all later ones keep their weights.
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

/// The mean loss of all pairs after every epoch, weighted by the positions of each pair.
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
