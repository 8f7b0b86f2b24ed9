//! What a training starts from: random weights or another network, brought to
//! the samples' kind of game and to the number of hidden values wanted.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::model::Model;
use super::samples::Sample;
use crate::eval::network::features::Features;
use crate::eval::network::{LANES, MAX_HIDDEN, Network, is_width};

/// The hidden values of a new network, unless another number is wanted.
pub const HIDDEN: usize = 256;

/// Why a training cannot start.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    #[error("the files hold no positions")]
    Empty,
    #[error("the files hold games with cards and games without: each kind has its own network")]
    Mixed,
    #[error("the network to start from is for games with cards, the files are not")]
    CardsToBase,
    #[error("{0} hidden values: there should be a multiple of {LANES}, at most {MAX_HIDDEN}")]
    Hidden(usize),
    #[error(
        "{wanted} hidden values, where the network to start from has {found}: it can only grow"
    )]
    Narrower { found: usize, wanted: usize },
}

/// The model to fit to the samples, with so many hidden values: if that is not
/// given, as many as there are to start from, or [`HIDDEN`].
///
/// # Errors
/// If these do not fit together.
pub fn start<const N: usize>(
    samples: &[Sample<N>],
    from: Option<&Network<N>>,
    hidden: Option<usize>,
    seed: u64,
) -> Result<Model<N>, StartError> {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let features = samples.first().ok_or(StartError::Empty)?.features();
    if samples.iter().any(|sample| sample.features() != features) {
        return Err(StartError::Mixed);
    }
    if let Some(wanted) = hidden.filter(|&it| !is_width(it)) {
        return Err(StartError::Hidden(wanted));
    }
    let Some(from) = from else {
        return Ok(Model::random(features, hidden.unwrap_or(HIDDEN), rng));
    };
    let model = match (from.features(), features) {
        (Features::Base, Features::Cards) => Model::of(from).for_cards(),
        (Features::Cards, Features::Base) => return Err(StartError::CardsToBase),
        _ => Model::of(from),
    };
    let found = model.hidden();
    match hidden.unwrap_or(found) {
        wanted if wanted < found => Err(StartError::Narrower { found, wanted }),
        wanted if wanted > found => Ok(model.widened(wanted, rng)),
        _ => Ok(model),
    }
}
