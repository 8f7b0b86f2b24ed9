//! Merges search parameters tuned on several machines.

use super::file::{ParamsFile, Run, Values};
use crate::shard::Shard;
use crate::train::merge::split_settings;

/// Merged search parameters.
pub struct MergedParams {
    /// The parameters with the mean values of the shares.
    pub file: ParamsFile,
    /// Whether they are for games with cards.
    pub cards: bool,
    /// The number of shares in the run.
    pub shares: u64,
    /// The number of shares that were not given.
    pub missing: u64,
}

/// Why files of search parameters cannot be merged.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeParamsError {
    /// The file was not written by a share of a tuning run.
    #[error("not a share written by `santorini tune --shard`")]
    NoShare,
    /// The shares come from different runs.
    #[error("started with `{here}`, the first file with `{first}`")]
    Differ {
        /// The run in this file.
        here: String,
        /// The run in the first file.
        first: String,
    },
    /// Two files hold the same share.
    #[error("share {0} is given twice")]
    Twice(Shard),
    /// A file is from a run with a different number of shares.
    #[error("holds share {0}, but the first file is one of {1} shares")]
    Parts(Shard, u64),
}

/// The parameters found by one machine.
struct Share {
    values: Values,
    pairs: u64,
    /// The options of the run, without `--shard`.
    options: String,
    shard: Shard,
}

impl Share {
    fn of(file: &ParamsFile) -> Option<Self> {
        let run = file.run.as_ref()?;
        let (options, shard) = split_settings(&run.options)?;
        Some(Self {
            values: file.values.clone(),
            pairs: run.pairs,
            options: options.to_string(),
            shard,
        })
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.values.iter().map(|(tunable, _)| tunable.name)
    }
}

/// Averages one or more shares of a tuning run, weighted by their pairs of games.
///
/// # Errors
/// The index of the first file that is not another share of the run, and why.
pub fn merge_params(files: &[ParamsFile]) -> Result<MergedParams, (usize, MergeParamsError)> {
    let mut shares: Vec<Share> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let share = Share::of(file).ok_or((index, MergeParamsError::NoShare))?;
        let first = shares.first().unwrap_or(&share);
        if first.options != share.options || !first.names().eq(share.names()) {
            let first = first.options.clone();
            let here = share.options;
            return Err((index, MergeParamsError::Differ { here, first }));
        }
        // Shares 1/2 and 1/3 play the same games.
        let [[_, shares_here], [_, of]] = [&share, first].map(|share| share.shard.parts());
        if shares_here != of {
            return Err((index, MergeParamsError::Parts(share.shard, of)));
        }
        if shares.iter().any(|other| other.shard == share.shard) {
            return Err((index, MergeParamsError::Twice(share.shard)));
        }
        shares.push(share);
    }
    let options = &shares[0].options;
    let [_, of] = shares[0].shard.parts();
    Ok(MergedParams {
        cards: options.split(' ').any(|word| word == "--cards"),
        shares: of,
        missing: of.saturating_sub(shares.len() as u64),
        file: mean(&shares),
    })
}

/// The mean of one or more shares.
fn mean(shares: &[Share]) -> ParamsFile {
    let pairs: u64 = shares.iter().map(|share| share.pairs).sum();
    let values = shares[0].values.iter().enumerate();
    let values = values.map(|(index, &(tunable, first))| {
        let weighted = shares
            .iter()
            .map(|share| share.pairs as f64 * share.values[index].1);
        let mean = weighted.sum::<f64>() / pairs as f64;
        // Shares without games still have the initial values.
        (tunable, if pairs == 0 { first } else { mean })
    });
    ParamsFile {
        values: values.collect(),
        run: Some(Run {
            pairs,
            options: shares[0].options.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::TUNABLE;

    #[test]
    fn shares_of_runs_of_different_sizes_do_not_merge() {
        let file = |shard: &str| ParamsFile {
            values: vec![(&TUNABLE[0], 10.0)],
            run: Some(Run {
                pairs: 32,
                options: format!("--nodes 5 --shard {shard}"),
            }),
        };
        let merged = |shards: [&str; 2]| merge_params(&shards.map(file)).map(|it| it.missing);
        assert_eq!(merged(["1/3", "2/3"]), Ok(1));
        let third = MergeParamsError::Parts("1/3".parse().unwrap(), 2);
        assert_eq!(merged(["1/2", "1/3"]), Err((1, third)));
    }

    #[test]
    fn the_mean_is_weighted_by_the_pairs() {
        let share = |number: &str, pairs, value| Share {
            values: vec![(&TUNABLE[0], value)],
            pairs,
            options: "--nodes 5".into(),
            shard: number.parse().unwrap(),
        };
        let joined = mean(&[share("1/2", 300, 10.0), share("2/2", 100, 30.0)]);
        assert_eq!(joined.values[0].1, 15.0);
        let run = joined.run.unwrap();
        assert_eq!((run.pairs, run.options.as_str()), (400, "--nodes 5"));
        assert_eq!(mean(&[share("1/2", 0, 10.0)]).values[0].1, 10.0);
    }
}
