//! `santorini train`: fits the learned evaluation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use super::board::with_board_size;
use super::engine::threads_of;
use super::files::{ForceArgs, write_file};
use super::interrupt::{interrupted, stop_flag};
use super::output::{print, say};
use super::{CliError, CliResult, parse_number};
use crate::eval::network::{NETWORK_FILE, Network, read_network_file};
use crate::train::curve::{self, CURVE_FILE};
use crate::train::data::DataReader;
use crate::train::samples;
use crate::train::start::start;
use crate::train::targets::fit_score_scale;
use crate::train::trainer::{TrainOptions, train};

/// Train a network on recorded positions.
///
/// Reads files of `santorini datagen`, all for one size of board and all with
/// cards or all without, and writes the quantised network for such games. The
/// same files and options give the same network. Ctrl-C ends the training with
/// the network of the last whole epoch.
#[derive(clap::Args)]
#[command(
    before_long_help = "\
Examples:
  santorini train --epochs 25 --curve curve.svg --out network.bin data.bin
  santorini train --start old.bin --epochs 8 --rate 7e-4 --out new.bin a.bin b.bin",
    after_long_help = "`santorini help training` explains how a network is made."
)]
pub struct Args {
    /// The files of positions.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The network to write.
    #[arg(long, short)]
    out: PathBuf,
    /// A network to start from, instead of random weights.
    #[arg(long, value_name = "NETWORK")]
    start: Option<PathBuf>,
    /// A picture to write: the training and the validation loss of each epoch.
    #[arg(long, value_name = "FILE.svg")]
    curve: Option<PathBuf>,
    /// How often each position is seen.
    #[arg(long, default_value_t = TrainOptions::default().epochs, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// The number of positions in a step of the optimiser.
    #[arg(long, default_value_t = TrainOptions::default().batch as u32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    batch: u32,
    /// The learning rate at the start, from 0 to 1.
    #[arg(long, default_value_t = TrainOptions::default().learning_rate, value_parser = parse_fraction)]
    rate: f32,
    /// The weight of the scores of later turns in the target (a lambda-return): 0
    /// is the search score of the position alone, 1 the result of the game alone.
    #[arg(long, default_value_t = TrainOptions::default().lambda, value_parser = parse_fraction)]
    lambda: f32,
    /// The number of hidden units. The default is that of the network to start
    /// from, or else 256.
    #[arg(long)]
    hidden: Option<usize>,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of threads; 0 is one on each core.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    #[command(flatten)]
    force: ForceArgs,
}

fn parse_fraction(text: &str) -> Result<f32, String> {
    parse_number(text, 0.0..=1.0).map(|number| number as f32)
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let options = TrainOptions {
        epochs: args.epochs,
        batch: args.batch as usize,
        learning_rate: args.rate,
        lambda: args.lambda,
        seed: args.seed,
        threads: threads_of(args.threads.into()),
        ..TrainOptions::default()
    };
    let uses = args.force.uses().reads(&args.files).reads(&args.start);
    uses.replaces(Some(&args.out), NETWORK_FILE)
        .replaces(args.curve.as_deref(), CURVE_FILE)
        .check()?;
    with_board_size!(board_size(&args.files[0])?, N => fit::<N>(args, &options))
}

/// The size of the boards in a file of positions.
fn board_size(file: &Path) -> Result<usize, CliError> {
    let reader = DataReader::open(file).map_err(|error| CliError::failed(file.display(), error))?;
    Ok(reader.size())
}

fn fit<const N: usize>(args: &Args, options: &TrainOptions) -> CliResult {
    let mut all = Vec::new();
    for file in &args.files {
        let samples = samples::load::<N>(file);
        all.extend(samples.map_err(|error| CliError::failed(file.display(), error))?);
    }
    let from = args.start.as_deref().map(read_network).transpose()?;
    let model = start(&all, from.as_ref(), args.hidden, options.seed)
        .map_err(|error| CliError::Failed(error.to_string()))?;
    let stop = stop_flag()?;
    // What is learned is not lost because nobody reads how it goes.
    let mut told = print(format_args!(
        "{} positions, score scale {:.0}
",
        all.len(),
        fit_score_scale(&all)
    ));
    let begun = Instant::now();
    let mut epochs = Vec::new();
    let model = train(&all, model, options, &stop, |epoch| {
        let seconds = begun.elapsed().as_secs_f64();
        let left = seconds / f64::from(epoch.epoch) * f64::from(options.epochs - epoch.epoch);
        let line = format_args!(
            "epoch {:>3}  training {:.5}  validation {:.5}  {seconds:.0} s, {left:.0} s left\n",
            epoch.epoch, epoch.training, epoch.validation
        );
        if told.is_ok() {
            told = print(line);
        }
        epochs.push(*epoch);
    })
    .map_err(|error| CliError::Failed(error.to_string()))?;
    if epochs.is_empty() {
        say("santorini: interrupted in the first epoch; no network is written");
        return Ok(interrupted());
    }
    // First what took the time.
    write_file(&args.out, &model.quantise().to_bytes())?;
    if let Some(path) = &args.curve {
        let svg = curve::svg(&epochs).map_err(|error| CliError::Failed(error.to_string()))?;
        write_file(path, svg.as_bytes())?;
    }
    told?;
    print(format_args!("{}\n", args.out.display()))?;
    if epochs.len() < options.epochs as usize {
        say(&format!(
            "santorini: interrupted after {} of {} epochs; the network is that of the last of them",
            epochs.len(),
            options.epochs
        ));
        return Ok(interrupted());
    }
    Ok(ExitCode::SUCCESS)
}

fn read_network<const N: usize>(path: &Path) -> Result<Network<N>, CliError> {
    let bytes = read_network_file(path).map_err(|error| CliError::failed(path.display(), error))?;
    Network::from_bytes(&bytes).map_err(|error| CliError::failed(path.display(), error))
}
