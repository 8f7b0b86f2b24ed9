//! `santorini train`: fits the learned evaluation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use super::board::with_board_size;
use super::engine::{threads_from, threads_of};
use super::files::{ForceArgs, write_file};
use super::interrupt::{interrupted, stop_flag};
use super::output::{print, say};
use super::progress::Progress;
use super::{CliError, CliResult, number_in};
use crate::eval::NO_CHECKSUM;
use crate::eval::network::{
    LANES, MAX_FILE_LENGTH, MAX_HIDDEN_UNITS, NETWORK_FILE, Network, has_checksum, is_hidden_size,
};
use crate::files::read_file;
use crate::printable::shown;
use crate::solve::unfinished_path;
use crate::train::curve::{self, CURVE_FILE};
use crate::train::data::DataReader;
use crate::train::pairs::{PairCurve, mean_curve, train_pairs};
use crate::train::samples::{self, ScoredPosition};
use crate::train::start::{start, start_pairs};
use crate::train::targets::fit_score_scale;
use crate::train::trainer::{Epoch, TrainOptions, train};

/// Train a network on recorded positions
///
/// Examples:
///   santorini train --epochs 25 --curve curve.svg --out network.bin data.bin
///   santorini train --start old.bin --epochs 8 --rate 7e-4 --out new.bin \
///       a.bin b.bin
///   santorini train --pairs --start all.bin --epochs 8 --out pairs.bin \
///       cards*.bin
///
/// Reads files of `santorini datagen`, all for one size of board and all with
/// cards or all without, and writes the quantised network for such games. The
/// same files and options give the same network. Ctrl-C ends the training with
/// the network of the last whole epoch, or of the last whole pair of cards. If the
/// file to write exists, that network goes to FILE.unfinished instead.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "`santorini help training` explains how a network is made."
)]
pub(super) struct Args {
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
    /// The number of passes over all positions.
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
    /// The number of hidden units, a multiple of 32 up to 1024. The default is the number
    /// in the network to start from, or 256 without one.
    #[arg(long, value_parser = parse_hidden)]
    hidden: Option<usize>,
    /// Learn weights for each pair of cards from its games alone, on top of those
    /// that all games share in the network to start from.
    #[arg(long, requires = "start", conflicts_with = "hidden")]
    pairs: bool,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of threads; 0 is one on each core.
    #[arg(long, default_value_t = 0, value_parser = threads_from(0))]
    threads: u16,
    #[command(flatten)]
    force: ForceArgs,
}

fn parse_fraction(text: &str) -> Result<f32, String> {
    number_in(0.0..=1.0)(text).map(|number| number as f32)
}

fn parse_hidden(text: &str) -> Result<usize, String> {
    let hidden = text.parse().ok().filter(|&hidden| is_hidden_size(hidden));
    hidden.ok_or_else(|| format!("use a multiple of {LANES}, at most {MAX_HIDDEN_UNITS}"))
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let options = TrainOptions {
        epochs: args.epochs,
        batch: args.batch as usize,
        learning_rate: args.rate,
        lambda: args.lambda,
        seed: args.seed,
        threads: threads_of(args.threads),
    };
    // Copies of a position must not be in the training and in the validation.
    let uses = args.force.uses().reads_once(&args.files);
    let uses = uses.reads(&args.start);
    uses.replaces(Some(&args.out), NETWORK_FILE)
        .replaces(Some(&unfinished_path(&args.out)), NETWORK_FILE)
        .replaces(args.curve.as_deref(), CURVE_FILE)
        .check()?;
    let open = |file: &PathBuf| {
        DataReader::open(file).map_err(|error| CliError::failed(file.display(), error))
    };
    let readers: Vec<_> = args.files.iter().map(open).collect::<Result<_, _>>()?;
    with_board_size!(readers[0].size(), N => fit::<N>(args, readers, &options))
}

/// All positions of some files.
fn positions<const N: usize>(
    files: &[PathBuf],
    readers: Vec<DataReader>,
) -> Result<Vec<ScoredPosition<N>>, CliError> {
    let progress = Progress::new(None, "positions read");
    let mut all = Vec::new();
    for (file, mut reader) in files.iter().zip(readers) {
        let read = samples::read::<N>(&mut reader);
        all.extend(read.map_err(|error| CliError::failed(file.display(), error))?);
        for remark in reader.remarks() {
            progress.suspend(|| say(&format!("santorini: {}: {remark}", file.display())));
        }
        progress.set(all.len() as u64);
    }
    Ok(all)
}

/// The result of a training run.
struct Learned<const N: usize> {
    /// `None` if it was interrupted before the first epoch ended.
    network: Option<Network<N>>,
    /// The losses of each epoch.
    epochs: Vec<Epoch>,
    /// How far it came, if it was interrupted.
    interrupted: Option<String>,
    /// Whether its progress could be printed.
    printed: Result<(), CliError>,
}

fn fit<const N: usize>(args: &Args, readers: Vec<DataReader>, options: &TrainOptions) -> CliResult {
    let all = positions::<N>(&args.files, readers)?;
    let from = args.start.as_deref().map(read_network).transpose()?;
    let learned = match from {
        Some(from) if args.pairs => fit_pairs(&all, from, options),
        from => fit_games(&all, from.as_ref(), args.hidden, options),
    }?;
    let Some(network) = learned.network else {
        say("santorini: interrupted too early; no network is written");
        return Ok(interrupted());
    };
    // An unfinished network must not replace one that may be finished.
    let out = match learned.interrupted {
        Some(_) if args.out.is_file() => unfinished_path(&args.out),
        _ => args.out.clone(),
    };
    // Save the network first: it took the time.
    write_file(&out, &network.to_bytes())?;
    if let Some(path) = &args.curve {
        write_file(path, curve::svg(&learned.epochs).as_bytes())?;
    }
    learned.printed?;
    print(format_args!("{}\n", shown(&out)))?;
    let Some(how_far) = learned.interrupted else {
        return Ok(ExitCode::SUCCESS);
    };
    say(&format!("santorini: interrupted after {how_far}"));
    Ok(interrupted())
}

/// Fits all weights to all positions.
fn fit_games<const N: usize>(
    positions: &[ScoredPosition<N>],
    from: Option<&Network<N>>,
    hidden: Option<usize>,
    options: &TrainOptions,
) -> Result<Learned<N>, CliError> {
    let model = start(positions, from, hidden, options.seed).map_err(failed)?;
    let stop = stop_flag()?;
    let mut printed = print_positions(positions);
    let begun = Instant::now();
    let progress = Progress::new(u64::from(options.epochs), "epochs");
    let mut epochs = Vec::new();
    let model = train(positions, model, options, &stop, |epoch| {
        let line = format!("epoch {:>3}  {}", epoch.epoch, losses(epoch));
        let done = f64::from(epoch.epoch) / f64::from(options.epochs);
        progress.suspend(|| print_progress(&mut printed, &line, begun, done));
        progress.inc();
        epochs.push(*epoch);
    })
    .map_err(failed)?;
    progress.finish();
    Ok(Learned {
        network: (!epochs.is_empty()).then(|| model.quantise()),
        interrupted: (epochs.len() < options.epochs as usize).then(|| {
            let (done, all) = (epochs.len(), options.epochs);
            format!("{done} of {all} epochs; the network is from the last one")
        }),
        epochs,
        printed,
    })
}

/// Fits the weights of each pair of cards to its positions.
fn fit_pairs<const N: usize>(
    positions: &[ScoredPosition<N>],
    from: Network<N>,
    options: &TrainOptions,
) -> Result<Learned<N>, CliError> {
    let network = start_pairs(positions, from).map_err(failed)?;
    let stop = stop_flag()?;
    let mut printed = print_positions(positions);
    let begun = Instant::now();
    let progress = Progress::new(positions.len() as u64, "positions");
    let mut curves: Vec<PairCurve> = Vec::new();
    let mut seen = 0;
    let network = train_pairs(positions, network, options, &stop, |curve| {
        let [a, b] = curve.pair;
        let cards = format!("{a} and {b}");
        let last = curve.epochs.last().map(losses).unwrap_or_default();
        let (count, scale) = (curve.positions, curve.score_scale);
        let line = format!("{cards:<24} {count:>9} positions, score scale {scale:>4.0}  {last}");
        curves.push(curve);
        seen += count;
        let done = seen as f64 / positions.len() as f64;
        progress.suspend(|| print_progress(&mut printed, &line, begun, done));
        progress.set(seen as u64);
    })
    .map_err(failed)?;
    progress.finish();
    let epochs = mean_curve(&curves);
    if let (Ok(()), Some(last)) = (&printed, epochs.last()) {
        let pairs = curves.len();
        printed = print(format_args!("these {pairs} pairs: {}\n", losses(last)));
    }
    Ok(Learned {
        network: (!curves.is_empty()).then_some(network),
        interrupted: (seen < positions.len()).then(|| {
            let done = curves.len();
            format!("{done} pairs of cards; the weights of the others are unchanged")
        }),
        epochs,
        printed,
    })
}

fn failed(error: impl ToString) -> CliError {
    CliError::Failed(error.to_string())
}

fn losses(epoch: &Epoch) -> String {
    let (training, validation) = (epoch.training, epoch.validation);
    format!("training {training:.5}  validation {validation:.5}")
}

fn print_positions<const N: usize>(positions: &[ScoredPosition<N>]) -> Result<(), CliError> {
    let scale = fit_score_scale(positions);
    print(format_args!(
        "{} positions, score scale {scale:.0}\n",
        positions.len()
    ))
}

/// Prints a line with the time left; `done` is the finished share of the work. After an
/// output error nothing more is printed, but the training continues.
fn print_progress(printed: &mut Result<(), CliError>, line: &str, begun: Instant, done: f64) {
    let seconds = begun.elapsed().as_secs_f64();
    let left = seconds / done * (1.0 - done);
    if printed.is_ok() {
        *printed = print(format_args!("{line}  {seconds:.0} s, {left:.0} s left\n"));
    }
}

fn read_network<const N: usize>(path: &Path) -> Result<Network<N>, CliError> {
    let bytes = read_file(path, MAX_FILE_LENGTH)
        .map_err(|error| CliError::failed(path.display(), error))?;
    let network = Network::from_bytes(&bytes);
    let network = network.map_err(|error| CliError::failed(path.display(), error))?;
    if !has_checksum(&bytes) {
        say(&format!("santorini: {}: {NO_CHECKSUM}", path.display()));
    }
    Ok(network)
}
