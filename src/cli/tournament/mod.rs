//! `santorini tournament`: plays many games and ranks the players.
//!
//! | to see or change | look at |
//! |---|---|
//! | the options, the steps of a run | `mod.rs` |
//! | what the options mean | `plan.rs` |
//! | the players of a file or folder | `players.rs` |
//! | the progress of the games | `progress.rs` |
//! | the file of the games: creating and resuming it | `records.rs` |

mod plan;
mod players;
pub(super) mod progress;
pub(super) mod records;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use indicatif::HumanDuration;

use super::files::{ForceArgs, open_stderr, uses_records, write_file};
use super::output::{note_copies, print, print_data, say, show as show_text};
use super::progress::Progress;
use super::sprt::SprtArgs;
use super::{CliError, CliResult, end_all, parse_seconds};
use crate::cli::engine::threads_from;
use crate::cli::interrupt::stop_flag;
use crate::cli::isolate::IsolateArgs;
use crate::cli::kills;
use crate::cli::resume_command::own_words;
use crate::cli::start_time::StartTimeArgs;
use crate::files::Uses;
use crate::jobs::Jobs;
use crate::printable::shown;
use crate::program::STDERR_FILE;
use crate::record::GameRecord;
use crate::rules::Card;
use crate::shard::Shard;
use crate::shell::quoted_words;
use crate::tournament::csv::{CSV_FILE, csv};
use crate::tournament::{
    PlayerSummary, Results, RunEnd, RunError, Runner, Settings, TournamentSummary, report, text,
    tryout,
};
use plan::{OpeningsArg, Plan};
use progress::of_tournament;
use records::{
    Opened, Records, does_not_play, failure, games_in, interrupted_games, resume_command,
};

/// Play a tournament of player programs, each pair in both seats
///
/// Examples:
///   santorini tournament --rounds 5 --time 10 ./mine ./yours Random=./random
///   santorini tournament --sprt 0 5 --openings even --time 0.1 --reuse --jobs 2 \
///       new=./santorini old=./old
///   santorini tournament --all-cards --rounds 1 ./mine ./yours
///   santorini tournament --all-cards --openings even --time 0.1 --reuse \
///       ./mine ./yours
///   santorini tournament --shard 2/4 --seed 7 --output part2.jsonl ./a ./b ./c
///   santorini merge --html report.html part*.jsonl
///
/// Each game is saved as soon as it is over, as a line of JSON with all turns,
/// times and how it ended. At the end standard output gets the table: points, Elo
/// ratings with 95% intervals, the likelihood of superiority over the next player
/// (LOS), mean and maximum time for a turn, a cross table, and how the games ended.
/// A player that crashes, stalls or answers wrongly loses the game. One that cannot
/// be started, or keeps losing its games that way, ends the tournament with exit
/// code 1, unless --keep-going is given.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
A player is any executable, with arguments if the command is quoted. NAME=
before the command gives it a name. It runs in the folder where santorini was
started; 'cd DIR && COMMAND' runs it in another (without a shell). Players find
their time limit in the environment variable SANTORINI_TIME. After Ctrl-C or a
failure the last line printed is the command that resumes the tournament, unless
another program has changed the file of the games. `santorini help tournaments`
explains openings, sequential tests and matches on many machines."
)]
pub(super) struct Args {
    /// The players: commands, or NAME=COMMAND.
    #[arg(value_name = "PLAYER", required_unless_present = "player_list")]
    players: Vec<String>,
    /// Add the players of this file, one NAME=COMMAND on each line; lines that begin with
    /// # are comments. Or add the submissions in this folder: programs, .py and .js
    /// files, and folders that hold player, player.py, player.js, Player.class or
    /// Player.java; other files are skipped. Each runs in the folder that holds its
    /// program; a single .py file cannot import others beside it. Implies --check;
    /// players that pass it play all games, even if they keep losing by faults.
    #[arg(long = "players", value_name = "FILE")]
    player_list: Option<PathBuf>,
    /// Before the first game, check that every player places its workers and makes a
    /// turn, in both seats, with cards if they are played. With openings it makes two
    /// turns and places nothing.
    #[arg(long)]
    check: bool,
    /// The number of pairs of games between any two players; with --all-cards, for each
    /// pair of cards. Both games of a pair have the same opening, with seats swapped.
    /// The default is 10, with --all-cards 1, with --sprt as many as the test needs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    rounds: Option<u64>,
    /// The time limit for an answer.
    #[arg(long, alias = "timeout", value_name = "SECONDS", default_value = "30",
          value_parser = parse_seconds)]
    time: Duration,
    /// How late an answer may be, to allow for delays of the machine and the pipes.
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = plan::parse_grace)]
    grace: Duration,
    #[command(flatten)]
    start_time: StartTimeArgs,
    /// The cards of the first and the second player of every game.
    #[arg(long, num_args = 2, value_names = ["CARD1", "CARD2"], conflicts_with = "all_cards")]
    cards: Option<Vec<Card>>,
    /// Play all 56 ordered pairs of cards.
    #[arg(long)]
    all_cards: bool,
    /// Start games after a random placement and K random turns, or with `even` on
    /// boards of the built-in book, which give both seats about the same chance, with
    /// cards too. No board of a book is repeated before all have been played.
    #[arg(long, value_name = "K|even", conflicts_with = "openings_file",
          value_parser = plan::parse_openings)]
    openings: Option<OpeningsArg>,
    /// Start games on the boards of this file, one on each line, in JSON or as text, as
    /// `santorini book` writes them. With cards, each pair of cards is played on the
    /// boards that have it.
    #[arg(long, value_name = "FILE")]
    openings_file: Option<PathBuf>,
    /// The seed of random openings, or of the order of the openings in a book.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games to play at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads_from(1))]
    jobs: u16,
    /// Keep the players running from game to game. The protocol allows it: a
    /// player must not depend on the boards it has seen before.
    #[arg(long)]
    reuse: bool,
    /// The file for the records of the games. The default is a new file
    /// tournament-N.jsonl.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Resume the tournament in the file of --output; if there is no such file, start
    /// a new one. --rounds can be higher than before, but not lower. The games of a
    /// player count together even if its program has changed; a program that is
    /// newer than the file is reported on standard error.
    #[arg(long, requires = "output")]
    resume: bool,
    /// Play one share of the games, such as 1/4 to 4/4 on four machines.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true,
          conflicts_with = "sprt")]
    shard: Shard,
    #[command(flatten)]
    sprt: SprtArgs,
    /// Append the standard error of the players to this file, at most 1 MiB of each
    /// process.
    #[arg(long, value_name = "FILE")]
    stderr: Option<PathBuf>,
    /// Play all games even if a player cannot be started or keeps losing by faults.
    /// Without this option such a player ends the tournament.
    #[arg(long)]
    keep_going: bool,
    /// Do not say how to resume the games: for scripts that play them anew each time, like
    /// the test.sh of `santorini new-bot`.
    #[arg(long, hide = true)]
    once: bool,
    #[command(flatten)]
    isolate: IsolateArgs,
    #[command(flatten)]
    show: ShowArgs,
}

/// The options for showing the outcome.
#[derive(clap::Args)]
pub(super) struct ShowArgs {
    /// Print the outcome as a JSON object instead of the table: `santorini help
    /// tournaments` explains it.
    #[arg(long)]
    pub json: bool,
    /// Write a report to this file: a web page with the tables, charts and a
    /// replay of every game.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the results as CSV to this file: a line for each player with its games, Elo
    /// and 95% interval, its faults by kind, and its command.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

impl ShowArgs {
    /// The files that the outcome is written to.
    pub(super) fn uses(&self) -> Uses {
        let uses = self.force.uses();
        let uses = uses.replaces(self.html.as_deref(), report::REPORT_FILE);
        uses.replaces(self.csv.as_deref(), CSV_FILE)
    }
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let records = Records {
        output: args.output.as_deref(),
        resume: args.resume,
        force: args.show.force,
        isolate: &args.isolate,
        fewer_rounds: false,
        stem: "tournament",
    };
    let plan = Plan::new(args, records.resumed())?;
    let uses = uses(args);
    uses.check()?;
    if args.show.html.is_some() {
        records.check_readable("--html")?;
    }
    let stderr = open_stderr(args.stderr.as_deref())?;
    let stop = stop_flag()?;
    args.isolate.apply()?;
    records.note_kills();
    records.check_resumable(&plan.settings)?;
    let names = plan.settings.players.iter().map(|player| &player.name);
    let commands = plan.players.iter().map(|(command, _)| command);
    records.name_newer_programs(names.zip(commands));
    let runner = Runner {
        settings: &plan.settings,
        openings: &plan.openings,
        players: &plan.players,
        jobs: usize::from(args.jobs),
        stderr: stderr.clone(),
        keep_going: args.keep_going || args.player_list.is_some(),
        deadline: None,
    };
    if args.check || args.player_list.is_some() {
        check_players(&runner, &stop, args, records.resumed())?;
    }
    let Opened {
        file,
        path,
        results,
        ..
    } = records.open(&uses, &plan.settings)?;
    let left = plan.settings.games().saturating_sub(results.count());
    say_duration(&plan.settings, left, args.jobs);
    let mut progress = of_tournament(&plan.settings, &results);
    let done = runner.run(file, results, &stop, &mut |game, results| {
        progress.game_over(game, results);
    });
    drop(progress);
    let (results, end) = done.map_err(|error| failure(&error, &path))?;
    if let Some(error) = stderr.and_then(|file| file.take_error()) {
        say(&format!(
            "the players' standard error was not kept: {error}"
        ));
    }
    conclude(args, &plan.settings, &results, end, &path)
}

/// Prints the outcome, writes the requested files, and says how to resume the games if some
/// are left.
fn conclude(
    args: &Args,
    settings: &Settings,
    results: &Results,
    end: RunEnd,
    path: &Path,
) -> CliResult {
    let summary = TournamentSummary::of(settings, results);
    let printed = show(&args.show, &summary);
    let written = write_files(&args.show, settings, &summary, path);
    let code = end_all([printed, written]);
    match end {
        RunEnd::Interrupted if args.once => return Err(CliError::Interrupted(String::new())),
        RunEnd::Interrupted => return Ok(interrupted_games(path)),
        RunEnd::PlayerFails(failing) => {
            let more = summary.games < summary.scheduled;
            if !more {
                kills::forget(path);
            }
            return Err(does_not_play(&failing, path, more && !args.once));
        }
        _ => {}
    }
    kills::forget(path);
    say(&format!("the games are in {}", shown(path)));
    Ok(code)
}

/// The files that the command reads and writes.
fn uses(args: &Args) -> Uses {
    let uses = args.show.uses().reads(&args.openings_file);
    let list = args.player_list.iter().filter(|path| !path.is_dir());
    let uses = uses.reads(list);
    let uses = uses.adds_to(args.stderr.as_deref(), STDERR_FILE);
    uses_records(uses, args.output.as_deref(), args.resume)
}

/// Prints the outcome.
pub(super) fn show(args: &ShowArgs, summary: &TournamentSummary) -> Result<(), CliError> {
    if args.json {
        let json = serde_json::to_string(summary);
        let json = json.map_err(|error| CliError::failed("the outcome", error))?;
        print_data(&(json + "\n"))?;
    } else {
        print(text::text(summary))?;
    }
    let advice = "use other openings, such as --openings even";
    note_copies(summary.different, summary.with_turn, advice);
    Ok(())
}

/// Checks every player, and shows a table of the checks. `resumed` is the file of earlier games.
///
/// # Errors
/// If a player fails, unless the run continues anyway, or the machine can start no more players.
fn check_players(
    runner: &Runner,
    stop: &AtomicBool,
    args: &Args,
    resumed: Option<&Path>,
) -> Result<(), CliError> {
    let jobs = Jobs {
        threads: runner.jobs,
        stop,
    };
    let progress = Progress::new(None, "checking the players");
    let tryouts = runner.try_out(&jobs);
    progress.finish();
    let again = match args.once {
        true => String::new(),
        false => format!("; start again with:\n{}", quoted_words(&own_words())),
    };
    if jobs.is_stopped() {
        let when = "during the check of the players";
        return Err(CliError::Interrupted(format!(" {when}{again}")));
    }
    let tryouts = tryouts
        .map_err(|shortage| CliError::Failed(format!("{}{again}", RunError::from(shortage))))?;
    show_text(&tryout::table(&tryouts).text());
    for fault in tryouts.iter().flat_map(|tryout| tryout.faults()) {
        say(&fault);
    }
    let failing = tryouts.iter().filter(|tryout| tryout.fails()).count();
    if failing == 0 || args.keep_going {
        return Ok(());
    }
    if args.show.json {
        print_data(&format!("{}\n", tryout::json(&tryouts)))?;
    }
    let all = tryouts.len();
    let next = match resumed {
        Some(path) => format!(
            "no more games were played. Fix them, or use --keep-going to play anyway. This \
             resumes the games:\n{}",
            resume_command(path)
        ),
        None if args.once => "no game was played".into(),
        None => "no game was played. --keep-going plays anyway".into(),
    };
    Err(CliError::Failed(format!(
        "{failing} of {all} players failed the check; {next}"
    )))
}

/// The answers of a player and its opponent in a game of usual length.
const USUAL_ANSWERS: f64 = 40.0;

/// Shorter durations are not mentioned.
const SHORT: Duration = Duration::from_secs(600);

/// Says how long the games may take, if every answer takes the full time.
fn say_duration(settings: &Settings, games: u64, jobs: u16) {
    let at_a_time = f64::from(jobs).min(games as f64).max(1.0);
    let seconds = games as f64 * USUAL_ANSWERS * settings.time / at_a_time;
    let longest = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    if settings.sprt.is_none() && longest > SHORT {
        say(&format!(
            "{games} games take up to about {} if every answer takes the full {} s",
            HumanDuration(longest),
            settings.time
        ));
    }
}

/// Writes the report and the CSV file, if requested.
fn write_files(
    args: &ShowArgs,
    settings: &Settings,
    summary: &TournamentSummary,
    path: &Path,
) -> Result<(), CliError> {
    write_csv(args.csv.as_deref(), &summary.players)?;
    match &args.html {
        Some(html) => write_report(html, settings, summary, &games_in(path)?),
        None => Ok(()),
    }
}

/// Writes the results as CSV, if requested.
pub(super) fn write_csv(path: Option<&Path>, players: &[PlayerSummary]) -> Result<(), CliError> {
    let Some(path) = path else {
        return Ok(());
    };
    let text = csv(players).map_err(|error| CliError::failed(shown(path), error))?;
    write_file(path, &text)
}

/// Writes the report to a file. `games` are in the order of the schedule.
pub(super) fn write_report(
    path: &Path,
    settings: &Settings,
    summary: &TournamentSummary,
    games: &[GameRecord],
) -> Result<(), CliError> {
    let page = report::page(settings, summary, games);
    write_file(path, page.as_bytes())
}
