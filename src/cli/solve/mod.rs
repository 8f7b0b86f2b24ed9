//! `santorini solve`: solves small boards, and uses the solved ones.
//!
//! | to see or change | look at |
//! |---|---|
//! | solving, and the summary of the result | `mod.rs` (here) |
//! | the value and the best turns of a position | `probe.rs` |
//! | checking a file | `verify.rs` |
//! | positions with their values as CSV | `export.rs` |
//! | the engine's turns against exact values | `engine.rs` |
//! | who wins larger boards, without the distance | `winners.rs` |
//! | positions of 5x5 proved twice; proving them again | `proofs.rs`, `prove.rs` |

mod engine;
mod export;
mod probe;
mod proofs;
mod prove;
mod verify;
mod winners;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use super::engine::{jobs, threads_from};
use super::interrupt::{interrupted, stop_flag};
use super::output::{print, say};
use super::progress::Progress;
use super::{CliError, CliResult, number_in, two_cards};
use crate::files::Uses;
use crate::jobs::Jobs;
use crate::rules::Card;
use crate::solve::{
    CHECKPOINT, Prober, Shape, SmallGame, SmallState, SolveError, SolveOptions, SolveProgress,
    SolveReport, SolvedFile, SolvedFileError, ValuedPlacement, byte_text, checkpoint_path,
    placements, solve_into, solve_winners, states, states_up_to_symmetry, unfinished_path,
};
use crate::table::Table;

/// Solve small boards: who wins, and in how many turns
///
/// Examples:
///   santorini solve --board 3x3 --workers 2 3x3.solved
///   santorini solve --board 3x4 --workers 1 --memory 2 --check 16 3x4.solved
///   santorini solve --board 3x3 --workers 1 --cards Pan Atlas pan.solved
///   santorini solve --board 3x5 --workers 1 --winners --memory 8 3x5.winners
///   santorini solve probe 3x3.solved '000/010/000 a1b1 c2c3'
///   santorini solve verify 3x3.solved
///
/// Finds the exact value and the distance to the end of every placement and every
/// position on a board of at most 16 spaces, by retrograde analysis from the board
/// full of domes down to the empty one, and writes them to FILE. The same command
/// resumes an unfinished file. FILE keeps the lowest layers, as many as --keep
/// allows; a position above them is solved again on demand, which takes seconds.
///
/// --winners finds only who wins, for boards with one worker each and without
/// cards: it takes about a twentieth of the memory and a tenth of the time.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    verbatim_doc_comment,
    after_long_help = "`santorini help solved` lists the results."
)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// The rows and columns of the board, each from 2 to 6, with at most 16 spaces.
    #[arg(long, value_name = "ROWSxCOLUMNS", required = true)]
    board: Option<Shape>,
    /// The workers of each player.
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u8).range(1..=2))]
    workers: u8,
    /// The cards of the first and the second player.
    #[arg(long, num_args = 2, value_names = ["FIRST", "SECOND"])]
    cards: Option<Vec<Card>>,
    /// Find only who wins, not in how many turns.
    #[arg(long, conflicts_with = "cards")]
    winners: bool,
    /// The maximum memory for layers, in gigabytes. If they need more, they are stored
    /// in files in the folder of FILE.
    #[arg(long, value_name = "GB", default_value = "4", value_parser = parse_gigabytes)]
    memory: u64,
    /// The maximum size of FILE, in gigabytes.
    #[arg(long, value_name = "GB", default_value = "1", value_parser = parse_gigabytes)]
    keep: u64,
    /// Check one in N boards as soon as it is solved: each of its states by its turns,
    /// with other code. 1 checks all, 0 none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u64,
    /// The number of threads; 0 is one for each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_from(0))]
    threads: u16,
    /// Solve the board again and replace FILE, whatever it holds. FILE stays as it is
    /// until the new one, FILE.unfinished, is finished; the same command resumes that.
    /// Without this option, only a file of the same board is resumed.
    #[arg(long)]
    force: bool,
    /// The file to write, or to resume.
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,
}

#[derive(clap::Subcommand)]
enum What {
    Probe(probe::Args),
    Verify(verify::Args),
    Engine(Box<engine::Args>),
    Export(export::Args),
    Proofs(proofs::Args),
    Prove(prove::Args),
}

fn parse_gigabytes(text: &str) -> Result<u64, String> {
    number_in(0.001..=100_000.0)(text).map(|gigabytes| (gigabytes * 1e9) as u64)
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    match &args.what {
        None => solve(args),
        Some(What::Probe(args)) => probe::run(args),
        Some(What::Verify(args)) => verify::run(args),
        Some(What::Engine(args)) => engine::run(args),
        Some(What::Export(args)) => export::run(args),
        Some(What::Proofs(args)) => proofs::run(args),
        Some(What::Prove(args)) => prove::run(args),
    }
}

impl From<SolveError> for CliError {
    fn from(error: SolveError) -> Self {
        let text = match error.remedy() {
            Some((advice, option)) => format!("{error}: {advice} --{option}"),
            None => error.to_string(),
        };
        match error {
            SolveError::Stopped => Self::Interrupted(String::new()),
            SolveError::File(
                SolvedFileError::Foreign { .. }
                | SolvedFileError::OnlyWinners(_)
                | SolvedFileError::Other { .. }
                | SolvedFileError::Unfinished { .. },
            )
            | SolveError::TooLarge(_)
            | SolveError::LittleMemory(_)
            | SolveError::NotKept { .. }
            | SolveError::FullDisk(_) => Self::Usage(text),
            _ => Self::Failed(text),
        }
    }
}

fn solve(args: &Args) -> CliResult {
    let (Some(shape), Some(file)) = (args.board, &args.file) else {
        return Err(CliError::Usage("--board and a file are needed".into()));
    };
    let written = match args.force {
        true => unfinished_path(file),
        false => file.clone(),
    };
    Uses::new(args.force).resumes(Some(file)).check()?;
    let game = game(args, shape)?;
    let stop = stop_flag()?;
    let jobs = jobs(args.threads, &stop);
    let began = Instant::now();
    let report = solve_game(args, file, &game, jobs)?;
    report_damage(&report, &written);
    if let Some(next) = report.next {
        let resumed = match args.force {
            true => written.display().to_string(),
            false => "it".into(),
        };
        say(&format!(
            "santorini: stopped before the boards of {next} levels; the same command resumes \
             {resumed}"
        ));
        return Ok(interrupted());
    }
    let seconds = began.elapsed().as_secs_f64();
    let (text, kept) = match args.winners {
        true => winners::found(file, jobs)?,
        false => found(file, jobs)?,
    };
    print(text + &work(&game, &report, seconds, kept))?;
    Ok(ExitCode::SUCCESS)
}

/// Solves a game into a file and shows the progress.
fn solve_game(
    args: &Args,
    file: &Path,
    game: &SmallGame,
    jobs: Jobs,
) -> Result<SolveReport, CliError> {
    let options = SolveOptions {
        memory: args.memory,
        keep: args.keep,
        check: args.check,
        checkpoint: CHECKPOINT,
        force: args.force,
    };
    let unit = match args.winners {
        true => "MB of winners",
        false => "MB of values",
    };
    let progress = Progress::new(None, unit);
    let show = |done: &SolveProgress| {
        let [done, all] = [done.done, done.all].map(|bytes| bytes.div_ceil(1_000_000));
        progress.set_of(done, all);
    };
    let report = match args.winners {
        true => solve_winners(file, game, &options, jobs, show),
        false => solve_into(file, game, &options, jobs, show),
    };
    report.map_err(|error| match error {
        SolveError::File(error) if error.is_other() && !args.force => {
            CliError::Usage(format!("{error}, or use --force to overwrite it"))
        }
        error => error.into(),
    })
}

/// The game to solve.
///
/// # Errors
/// If the options contradict each other.
fn game(args: &Args, shape: Shape) -> Result<SmallGame, CliError> {
    let workers = usize::from(args.workers);
    let game = SmallGame::new(shape, workers, two_cards(args.cards.as_deref())?);
    if !game.has_room() {
        return Err(CliError::Usage(format!(
            "--board {shape} --workers {workers}: there is no space left to move to"
        )));
    }
    if args.winners && game.workers != 1 {
        return Err(CliError::Usage(
            "--winners is for boards with one worker each: use --workers 1".into(),
        ));
    }
    Ok(game)
}

/// The values of a solved game, and what its file keeps.
fn found(path: &Path, jobs: Jobs) -> Result<(String, Kept), CliError> {
    let mut prober = open(path, jobs)?;
    let _progress = Progress::new(None, VALUES);
    let found = placements(&mut prober)?;
    let kept = Kept {
        bytes: prober.file().length(),
        levels: prober.file().kept(),
    };
    Ok((summary(&prober, &found), kept))
}

/// What the progress shows while values are looked up or solved again.
const VALUES: &str = "finding values";

/// Reports damage in the file or its checkpoint.
fn report_damage(report: &SolveReport, written: &Path) {
    let file = written.display();
    if report.bad_unfinished {
        say(&format!(
            "santorini: {file} was damaged and is started again"
        ));
    }
    if report.incomplete > 0 {
        let bytes = report.incomplete;
        say(&format!(
            "santorini: {file}: its last part was incomplete: {bytes} bytes were cut off and \
             solved again"
        ));
    }
    if report.bad_checkpoint {
        let checkpoint = checkpoint_path(written);
        let checkpoint = checkpoint.display();
        say(&format!(
            "santorini: {checkpoint} is damaged and was ignored"
        ));
    }
}

/// Reports bytes after the end of a file.
fn report_ignored_bytes(bytes: u64, file: &Path) {
    if bytes > 0 {
        let file = file.display();
        say(&format!(
            "santorini: {file}: {bytes} bytes after its end are ignored"
        ));
    }
}

/// Opens a file that is finished.
fn open<'a>(path: &Path, jobs: Jobs<'a>) -> Result<Prober<'a>, CliError> {
    let file = SolvedFile::open(path).map_err(SolveError::from)?;
    let behind = file.behind().map_err(SolveError::from)?;
    let prober = Prober::new(file, jobs)?;
    report_ignored_bytes(behind, path);
    Ok(prober)
}

/// Parses a position of a game.
fn parse_state(text: &str, game: &SmallGame) -> Result<SmallState, CliError> {
    SmallState::parse(text, game).map_err(|error| CliError::Usage(error.to_string()))
}

/// Who wins, and what each placement is worth.
fn summary(prober: &Prober, found: &[ValuedPlacement]) -> String {
    let game = prober.game();
    let mut text = String::new();
    if let Some(best) = found.first() {
        let (value, plies) = (best.value, best.value.plies());
        let who = if value.wins() { "first" } else { "second" };
        let _ = writeln!(
            text,
            "{game}: the {who} player to place wins, after {plies} turns"
        );
    }
    let mut table = Table::new([
        "first player",
        "best reply",
        "for the first",
        "replies that win",
    ]);
    for placement in found {
        let [winning, all] = placement.lost_to;
        table.add([
            game.shape.set_text(placement.first),
            game.shape.set_text(placement.second),
            placement.value.to_string(),
            format!("{winning} of {all}"),
        ]);
    }
    text + &table.with_names_in(0).text()
}

/// The part of the result kept in a file.
struct Kept {
    bytes: u64,
    /// The maximum sum of levels of the boards kept.
    levels: usize,
}

/// The states solved, and the time and memory that took.
fn work(game: &SmallGame, report: &SolveReport, seconds: f64, kept: Kept) -> String {
    let mut text = format!(
        "states   {}, up to symmetry {}\n",
        states(game),
        states_up_to_symmetry(game),
    );
    // Nothing was done if the file was finished.
    if report.memory > 0 {
        let where_kept = if report.on_disk { "disk" } else { "memory" };
        let resumed = if report.resumed { " since resumed" } else { "" };
        let _ = write!(
            text,
            "time     {seconds:.1} s{resumed}\n\
             layers   {} of {where_kept} at a time\n",
            byte_text(report.memory)
        );
    }
    let _ = writeln!(
        text,
        "file     {}, boards of up to {} levels",
        byte_text(kept.bytes),
        kept.levels
    );
    if report.checked > 0 {
        let _ = writeln!(text, "checked  {} states by their turns", report.checked);
    }
    text
}
