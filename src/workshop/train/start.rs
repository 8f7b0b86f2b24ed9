//! The initial model of a training run: random weights or another network, adapted to the
//! kind of game and the number of hidden units.

use super::model::Model;
use super::samples::ScoredPosition;
use crate::eval::network::features::FeatureSet;
use crate::eval::network::{LANES, MAX_HIDDEN_UNITS, Network, is_hidden_size};
use crate::seeds::seeded;

/// The default number of hidden units of a new network.
const HIDDEN_UNITS: usize = 256;

/// Why training cannot start.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// There is nothing to learn from.
    #[error("the files have no positions")]
    Empty,
    /// The data files are of two kinds.
    #[error("the files have games with and without cards; each kind needs its own network")]
    Mixed,
    /// The network is for cards, the data for the base game.
    #[error("the network to start from is for games with cards, but the files have games without")]
    CardsToBase,
    /// The network has weights for single pairs, and `--pairs` is missing.
    #[error(
        "the network to start from has weights of its own for each pair of cards: \
         train it with --pairs"
    )]
    Pairs,
    /// `--pairs` was given with data of the base game.
    #[error("--pairs needs games with cards, but the files have games without")]
    PairsOfBase,
    /// The wanted number of hidden units is invalid.
    #[error("{0} hidden units; use a multiple of {LANES}, at most {MAX_HIDDEN_UNITS}")]
    HiddenUnits(usize),
    /// The network has more hidden units than wanted.
    #[error(
        "the network to start from has {found} hidden units; use at least {found} instead of \
         {wanted}"
    )]
    Narrower {
        /// The hidden units of the network.
        found: usize,
        /// The number of hidden units wanted.
        wanted: usize,
    },
}

/// The initial model for these positions. Without `hidden_units`, it has as many as the
/// given network, or else 256.
///
/// # Errors
/// If the network does not fit the positions or the hidden units.
pub fn start<const N: usize>(
    positions: &[ScoredPosition<N>],
    from: Option<&Network<N>>,
    hidden_units: Option<usize>,
    seed: u64,
) -> Result<Model<N>, StartError> {
    let rng = &mut seeded(seed);
    let features = features(positions)?;
    if let Some(wanted) = hidden_units.filter(|&it| !is_hidden_size(it)) {
        return Err(StartError::HiddenUnits(wanted));
    }
    let Some(from) = from else {
        return Ok(Model::random(
            features,
            hidden_units.unwrap_or(HIDDEN_UNITS),
            rng,
        ));
    };
    let model = match (from.features(), features) {
        (FeatureSet::Base, FeatureSet::Cards) => Model::from_network(from).with_cards(),
        (FeatureSet::Cards, FeatureSet::Base) => return Err(StartError::CardsToBase),
        _ if from.has_pairs() => return Err(StartError::Pairs),
        _ => Model::from_network(from),
    };
    let found = model.hidden_units();
    match hidden_units.unwrap_or(found) {
        wanted if wanted < found => Err(StartError::Narrower { found, wanted }),
        wanted if wanted > found => Ok(model.widened(wanted, rng)),
        _ => Ok(model),
    }
}

/// The initial network for training the weights of pairs of cards.
///
/// # Errors
/// If the network does not fit the positions.
pub fn start_pairs<const N: usize>(
    positions: &[ScoredPosition<N>],
    from: Network<N>,
) -> Result<Network<N>, StartError> {
    match (from.features(), features(positions)?) {
        (_, FeatureSet::Base) => Err(StartError::PairsOfBase),
        (FeatureSet::Base, _) => Ok(Model::from_network(&from).with_cards().quantise()),
        _ => Ok(from),
    }
}

/// The feature set that fits all positions.
fn features<const N: usize>(positions: &[ScoredPosition<N>]) -> Result<FeatureSet, StartError> {
    let features = positions.first().ok_or(StartError::Empty)?.features();
    match positions.iter().all(|it| it.features() == features) {
        true => Ok(features),
        false => Err(StartError::Mixed),
    }
}
