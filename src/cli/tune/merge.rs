//! `santorini tune merge`: the mean of what several machines found.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{SHARD, built_in, outcome};
use crate::cli::engine::read_params_file;
use crate::cli::files::{ForceArgs, write_file};
use crate::cli::output::{print, say};
use crate::cli::{CliError, CliResult};
use crate::shard::Shard;
use crate::train::params::file::{ParamsFile, Run, Values};

/// Take the mean of the parameters that several machines found
///
/// Example:
///   santorini tune merge --out params.txt part-*.txt
///
/// The files must be shares of one tuning, with the same options but for
/// --shard. The values are weighted by the pairs of games that led to them. The
/// mean of runs that know nothing of each other is less noisy than each of them,
/// but has come no further than they have: for a long way one machine needs as
/// many pairs. `santorini tune` goes on from the new file as from its own.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The files of `santorini tune --shard`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads(&args.files);
    uses.creates(Some(&args.out)).check()?;
    let mut shares = Vec::new();
    for path in &args.files {
        let share = read(path)?;
        let wrong = |what: String| CliError::Usage(format!("{}: {what}", path.display()));
        if let Some(first) = shares.first() {
            let first: &Share = first;
            if first.options != share.options || first.names() != share.names() {
                return Err(wrong(format!(
                    "begun with `{}`, but the first file with `{}`",
                    share.options, first.options
                )));
            }
            if shares.iter().any(|other| other.shard == share.shard) {
                return Err(wrong(format!("share {} is there twice", share.shard)));
            }
        }
        shares.push(share);
    }
    let cards = shares[0].options.split(' ').any(|word| word == "--cards");
    let joined = mean(&shares);
    write_file(&args.out, joined.to_string().as_bytes())?;
    print(outcome(&joined.values, &built_in(cards), cards))?;
    let [_, of] = shares[0].shard.parts();
    let missing = of.saturating_sub(shares.len() as u64);
    if missing > 0 {
        say(&format!(
            "{missing} of {of} shares are missing; are these all the files?"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// What one machine found.
struct Share {
    values: Values,
    pairs: u64,
    /// Those of all shares.
    options: String,
    shard: Shard,
}

impl Share {
    fn names(&self) -> Vec<&'static str> {
        self.values
            .iter()
            .map(|(tunable, _)| tunable.name)
            .collect()
    }
}

fn read(path: &Path) -> Result<Share, CliError> {
    let file = read_params_file(path)?;
    let run = file.run.as_ref();
    let share = run.and_then(|run| {
        let (options, shard) = run.options.rsplit_once(&format!(" {SHARD} "))?;
        Some(Share {
            values: file.values.clone(),
            pairs: run.pairs,
            options: options.to_string(),
            shard: shard.parse().ok()?,
        })
    });
    share.ok_or_else(|| {
        CliError::Usage(format!(
            "{}: no share of several machines, as `santorini tune --shard` makes them",
            path.display()
        ))
    })
}

/// The mean of the shares, of which there is one at least.
fn mean(shares: &[Share]) -> ParamsFile {
    let pairs: u64 = shares.iter().map(|share| share.pairs).sum();
    let values = shares[0].values.iter().enumerate();
    let values = values.map(|(index, &(tunable, first))| {
        let weighted = shares
            .iter()
            .map(|share| share.pairs as f64 * share.values[index].1);
        let mean = weighted.sum::<f64>() / pairs as f64;
        // Shares without games are as they began.
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
