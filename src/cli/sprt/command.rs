//! `santorini sprt`: the sequential test of counted results, or of a file of results that
//! is still growing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::ModelArg;
use crate::arena::{LONGEST_SHARE, MatchShare, SHARE_FILE};
use crate::cli::input::read_input;
use crate::cli::interrupt::stop_flag;
use crate::cli::output::{print, print_data};
use crate::cli::{CliError, CliResult};
use crate::files::FileState;
use crate::stats::{
    Estimate, Frequencies, PairCounts, SprtSetting, SprtSummary, estimate,
    likelihood_of_superiority, los_text,
};
use crate::tournament::{merge_games, text};

/// Run a sequential test (SPRT) on counted results
///
/// Examples:
///   santorini sprt 365 16618 36229 16974 390 --elo1 2 --model normalized
///   santorini sprt 36433 36027 68692
///   santorini sprt --file games.jsonl --follow
///
/// Five counts are the pairs of games with 0, 0.5, 1, 1.5 and 2 points, as fishtest
/// and fastchess print them (Ptnml). Three counts are the games won, lost and
/// drawn, as cutechess prints them. Pairs are better: the two games of a pair have
/// the same opening, so they depend on each other.
///
/// Prints the Elo difference and the log-likelihood ratio (LLR) of the sequential
/// probability ratio test. The test ends when the LLR leaves the range printed
/// after it: above the range it accepts ELO1, below it ELO0.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(in crate::cli) struct Args {
    /// Five counts of pairs, or the games won, lost and drawn.
    #[arg(
        value_name = "COUNT",
        required_unless_present = "file",
        conflicts_with = "file"
    )]
    counts: Vec<u64>,
    /// The difference of the first hypothesis, H0.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    elo0: f64,
    /// The difference of the second hypothesis, H1.
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 5.0,
        allow_hyphen_values = true
    )]
    elo1: f64,
    /// The probability that the test accepts ELO1 when ELO0 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// The probability that the test accepts ELO0 when ELO1 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// The unit of ELO0 and ELO1.
    #[arg(long, value_name = "MODEL", value_enum, default_value_t = ModelArg::Logistic)]
    model: ModelArg,
    /// Count the games in this file: of a tournament of two players, or of `santorini duel
    /// --output`. Games may still be played.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Read the file again whenever it has changed, until the test is decided or Ctrl-C.
    #[arg(long, requires = "file")]
    follow: bool,
    /// Print a JSON object instead.
    #[arg(long)]
    json: bool,
}

/// The interval between checks of a followed file.
const LOOK: Duration = Duration::from_secs(1);

/// Runs the subcommand.
pub(in crate::cli) fn run(args: &Args) -> CliResult {
    let setting = SprtSetting {
        elo0: args.elo0,
        elo1: args.elo1,
        alpha: args.alpha,
        beta: args.beta,
        model: args.model.into(),
    };
    let wrong = |error| CliError::Usage(format!("the test: {error}"));
    setting.test().map_err(wrong)?;
    let Some(path) = &args.file else {
        show_counts(args, setting)?;
        return Ok(ExitCode::SUCCESS);
    };
    let stop = stop_flag()?;
    let (mut seen, mut shown) = (None, None);
    loop {
        let there = fs::metadata(path).map_err(|error| CliError::failed(path.display(), error))?;
        // The outcome of a duel may change without growing.
        let state = FileState::from(&there);
        if seen.as_ref() != Some(&state) {
            seen = Some(state);
            let pairs = pairs_in(path)?;
            let decided = shown != Some(pairs) && show_pairs(args, setting, pairs)?;
            if decided || !args.follow {
                return Ok(ExitCode::SUCCESS);
            }
            shown = Some(pairs);
        }
        thread::sleep(LOOK);
        if stop.load(Ordering::Relaxed) {
            return Err(CliError::Interrupted(" before the test was decided".into()));
        }
    }
}

/// Prints the state of the test for the counts on the command line.
fn show_counts(args: &Args, setting: SprtSetting) -> Result<bool, CliError> {
    // Sums of larger numbers might overflow.
    const MOST: u64 = 1_000_000_000_000;
    if let Some(large) = args.counts.iter().find(|&&number| number > MOST) {
        return Err(CliError::Usage(format!(
            "{large} results; the maximum is {MOST}"
        )));
    }
    match *args.counts {
        [won, lost, drawn] => {
            let what = format!("games won, lost, drawn: {won} {lost} {drawn}");
            show(args, setting, &Frequencies([lost, drawn, won]), &what)
        }
        [a, b, c, d, e] => show_pairs(args, setting, Frequencies([a, b, c, d, e])),
        _ => Err(CliError::Usage(format!(
            "{} counts; give five, the pairs with 0, 0.5, 1, 1.5 and 2 points, or three, the games \
             won, lost and drawn",
            args.counts.len()
        ))),
    }
}

/// The pairs in a file, for its first player. The last line may be unfinished.
fn pairs_in(path: &Path) -> Result<PairCounts, CliError> {
    let wrong = |what: String| CliError::Usage(format!("{}: {what}", path.display()));
    let is_share = SHARE_FILE.is_of(path);
    if is_share.map_err(|cause| CliError::failed(path.display(), cause))? {
        let share: Result<MatchShare, _> = read_input(path, LONGEST_SHARE)?.parse();
        let share = share.map_err(|error| wrong(error.to_string()))?;
        return Ok(*share.score.pairs());
    }
    let games = merge_games(&[path.to_path_buf()])?;
    match games.settings.players.len() {
        2 => Ok(games.results.pairs[0][1]),
        players => Err(wrong(format!(
            "a tournament of {players} players; the test takes two"
        ))),
    }
}

/// Prints the state of the test for these pairs. Returns whether it is decided.
fn show_pairs(args: &Args, setting: SprtSetting, pairs: PairCounts) -> Result<bool, CliError> {
    let numbers = pairs.0.map(|count| count.to_string()).join(" ");
    let what = format!("pairs with 0, 0.5, 1, 1.5, 2 points: {numbers}");
    show(args, setting, &pairs, &what)
}

/// Prints the state of the test. `what` names the counts. Returns whether it is decided.
fn show<const K: usize>(
    args: &Args,
    setting: SprtSetting,
    counts: &Frequencies<K>,
    what: &str,
) -> Result<bool, CliError> {
    let Some(test) = SprtSummary::of(setting, counts) else {
        return Ok(false);
    };
    let (elo, los) = (estimate(counts), likelihood_of_superiority(counts));
    if args.json {
        let [value, low, high] = match elo {
            Some(Estimate { elo, low, high }) => [elo, low, high].map(Some),
            None => [None; 3],
        };
        let json = json!({"counts": counts.0.as_slice(), "elo": value, "low": low, "high": high,
            "los": los, "sprt": test});
        print_data(&format!("{json}\n"))?;
    } else {
        let elo = elo.map_or("no results".into(), |elo| elo.text(2));
        print(format_args!(
            "{what}\n{elo}, LOS {}\n{}\n",
            los_text(los),
            text::sprt(&test)
        ))?;
    }
    Ok(test.decision.is_some())
}
