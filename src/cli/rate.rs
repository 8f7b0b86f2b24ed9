//! `santorini rate`: measures the strength of a program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::engine::threads_from;
use super::files::{ForceArgs, uses_records, write_file};
use super::interrupt::stop_flag;
use super::isolate::IsolateArgs;
use super::kills;
use super::openings::{EVEN, even_book};
use super::output::{print, print_data, say};
use super::progress::Progress;
use super::start_time::StartTimeArgs;
use super::tournament::progress::GamesShown;
use super::tournament::records::{
    Opened, Records, does_not_play, failure, games_in, interrupted_games,
};
use super::{CliError, CliResult, end_all, number_in, parse_seconds};
use crate::files::Uses;
use crate::jobs::{Jobs, default_threads};
use crate::openings::Openings;
use crate::printable::printable;
use crate::program::{PlayerCommand, PlayerSpec, TimeLimit};
use crate::rate::{
    Chooser, LADDER, LADDER_ERROR, LADDER_MEASURED_WITH, ProgramRating, RATING_PAGE, RatingText,
    StopRule, check_placement, ladder_pairs, ladder_signature, lost_games, measured, opponents,
    page, page_without_rating, played_opponents, rating_settings,
};
use crate::record::{GameRecord, read_games};
use crate::stats::rating_text;
use crate::table::Table;
use crate::tournament::{
    NextGame, OpeningChoice, PlayerSetting, Results, RunEnd, Runner, Settings,
};

/// Measure the strength of a program, in Elo above random play
///
/// Examples:
///   santorini rate 'python3 my_bot/player.py'
///   santorini rate --quick --html rating.html 'python3 my_bot/player.py'
///   santorini rate --error 25 --time 0.5 ./my_player
///   santorini rate --resume --output rating-1.jsonl ./my_player
///
/// The program plays pairs of games, each opening from both seats, against built-in
/// opponents with known ratings: agents of the laboratory, players that err like
/// people, and the engine, from random play to a search of 400,000 nodes a turn.
/// Each opponent is about as strong as the program seems to be so far. The games
/// end when the rating is accurate enough.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = format!("\
The number after +- is half the width of the 95% interval of the rating. It
takes the opponents' ratings as exact. Their own 95% intervals are 80 to 175 Elo
to each side, so a rating compares programs on this scale and no other. The
opponents have node limits, not time limits, so a rating does not depend on the
machine unless the strength of the program does. They choose at random anew each
time, so that no program can learn their games: two ratings differ a little.

Every game is saved as soon as it is over, in the format of `santorini
tournament`; `santorini draw` shows it. After Ctrl-C during the games the last
line printed is the command that resumes them. A program that fails to answer
loses the game. It runs in the folder where santorini was started; 'cd DIR &&
COMMAND' runs it in another (without a shell).

The opponents were rated with {LADDER_MEASURED_WITH}.")
)]
pub(super) struct Args {
    /// The command of the program, quoted if it has arguments; or NAME=CMD.
    #[arg(value_name = "CMD", required_unless_present = "ladder")]
    program: Option<String>,
    /// The time limit for an answer of the program.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = parse_seconds)]
    time: Duration,
    #[command(flatten)]
    start_time: StartTimeArgs,
    /// End when the number after +- is at most this.
    #[arg(long, value_name = "ELO", default_value_t = 50.0, value_parser = number_in(1.0..=1000.0))]
    error: f64,
    /// The maximum number of games, rounded down to pairs. With --ladder, the number of
    /// games of each pairing.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u64).range(2..=100_000))]
    games: u64,
    /// Take at most two minutes, even if the rating is inaccurate: the games end after
    /// 100 seconds, and unfinished games do not count.
    #[arg(long)]
    quick: bool,
    /// How many games to play at the same time. The default is one on each core.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u16,
          hide_default_value = true, value_parser = threads_from(1))]
    jobs: u16,
    /// The seed for the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file for the records of the games. The default is a new file
    /// rating-N.jsonl.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Resume the games in the file of --output; if there is no such file, start a new
    /// one. All games count together even if the program has changed; a program that is
    /// newer than the file is reported on standard error.
    #[arg(long, requires = "output")]
    resume: bool,
    /// Write a web page to this file, with a review of each lost game and the turn
    /// that lost it.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print the rating as a JSON object.
    #[arg(long)]
    json: bool,
    /// Play all games even if the program keeps losing by faults. Without this option
    /// ten such games, if at least three quarters of all, end it with exit code 1.
    #[arg(long)]
    keep_going: bool,
    /// Rate the opponents instead, by games of each against the next three.
    #[arg(long, conflicts_with_all = ["program", "html", "json", "quick", "error"])]
    ladder: bool,
    #[command(flatten)]
    isolate: IsolateArgs,
    #[command(flatten)]
    force: ForceArgs,
}

/// The time limit of a quick rating: for the games, and for the games and the page.
const QUICK: Duration = Duration::from_secs(100);
const QUICK_PAGE: Duration = Duration::from_secs(115);

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = uses(args);
    uses.check()?;
    args.isolate.apply()?;
    if args.ladder {
        records(args).check_readable("--ladder")?;
    } else if args.html.is_some() {
        records(args).check_readable("--html")?;
    }
    match &args.program {
        Some(program) => rate(args, program, &uses),
        None => measure(args, &uses),
    }
}

/// The files that the command reads and writes.
fn uses(args: &Args) -> Uses {
    let uses = args.force.uses();
    let uses = uses.replaces(args.html.as_deref(), RATING_PAGE);
    uses_records(uses, args.output.as_deref(), args.resume)
}

fn rate(args: &Args, program: &str, uses: &Uses) -> CliResult {
    let began = Instant::now();
    let spec = player(program)?;
    let stop = stop_flag()?;
    let setting = PlayerSetting {
        name: spec.name.clone(),
        command: program.into(),
    };
    let (settings, openings) = settings(args, Some(setting))?;
    let time = settings.time_limit();
    let records = records(args);
    records.note_kills();
    records.check_resumable(&settings)?;
    records.name_newer_programs([(&spec.name, &spec.command)]);
    check_start(args, &spec, time, &stop)?;
    let mut players = vec![(spec.command, time)];
    players.extend(ladder_commands()?);
    let opened = records.open(uses, &settings)?;
    let earlier = opened.results.count();
    if earlier > args.games {
        say(&format!(
            "{} has {earlier} games, more than --games {}: all of them count",
            opened.path.display(),
            args.games
        ));
    }
    let enough = StopRule {
        games: args.games,
        error: args.error,
        until: args.quick.then(|| began + QUICK),
    };
    let played = played_opponents(&opened.entries, &settings);
    let mut chooser = Chooser::new(enough, &played);
    let runner = Runner {
        settings: &settings,
        openings: &openings,
        players: &players,
        jobs: usize::from(args.jobs),
        stderr: None,
        keep_going: args.keep_going,
        deadline: enough.until,
    };
    // The number of games is not known in advance.
    let state = |results: &Results| ProgramRating::of(results).text();
    let shown = GamesShown::new(None, &opened.results, state);
    let mut next = |results: &Results| chooser.next_game(results);
    let played = play(&runner, &mut next, opened, &stop, shown)?;
    conclude(args, &spec.name, began, &stop, played)
}

/// Prints the rating from the games played, and writes the page if one is requested.
fn conclude(
    args: &Args,
    name: &str,
    began: Instant,
    stop: &AtomicBool,
    (results, path, mut end): (Results, PathBuf, RunEnd),
) -> CliResult {
    let rating = ProgramRating::of(&results);
    check_games(args, name, &rating, &end, &path)?;
    let mut written = Ok(());
    if let Some(html) = args.html.as_ref().filter(|_| end != RunEnd::Interrupted) {
        let until = args.quick.then(|| began + QUICK_PAGE);
        let jobs = usize::from(args.jobs);
        let page = games_in(&path).map(|games| page_of(name, &rating, &games, jobs, stop, until));
        match page {
            Ok(Some(text)) => written = write_file(html, text.as_bytes()),
            Ok(None) => end = RunEnd::Interrupted,
            Err(error) => written = Err(error),
        }
    }
    let code = end_all([show(args, name, &rating), written]);
    if end == RunEnd::Interrupted {
        return Ok(interrupted_games(&path));
    }
    if end == RunEnd::OutOfTime {
        say(&format!(
            "the games ended after {} s because of --quick; without it the rating gets more \
             accurate",
            QUICK.as_secs()
        ));
    }
    say(&format!("the games are in {}", path.display()));
    Ok(code)
}

/// The program to rate. Its name is not an opponent's.
fn player(program: &str) -> Result<PlayerSpec, CliError> {
    let wrong = |cause: &dyn std::fmt::Display| CliError::Usage(format!("{program:?}: {cause}"));
    let spec: PlayerSpec = program.parse().map_err(|error| wrong(&error))?;
    if LADDER.iter().any(|rung| rung.agent == spec.name) {
        return Err(wrong(&"an opponent has this name; use NAME=CMD"));
    }
    Ok(spec)
}

/// Checks that the program starts and places its workers.
fn check_start(
    args: &Args,
    spec: &PlayerSpec,
    time: TimeLimit,
    stop: &AtomicBool,
) -> Result<(), CliError> {
    let Err(fault) = check_placement(spec, time, stop) else {
        return Ok(());
    };
    if stop.load(Ordering::Relaxed) {
        return Err(CliError::Interrupted(" before the first game".into()));
    }
    explain(args, &spec.name, &fault, None);
    Err(CliError::Failed(fault))
}

/// Checks that the games say something about the program's strength.
fn check_games(
    args: &Args,
    name: &str,
    rating: &ProgramRating,
    end: &RunEnd,
    path: &Path,
) -> Result<(), CliError> {
    if let RunEnd::PlayerFails(failing) = end {
        explain(args, name, &failing.to_string(), Some(path));
        return Err(does_not_play(failing, path, true));
    }
    if rating.only_faults() {
        let games = rating.games;
        let fault =
            format!("{name}: it lost all {games} games by faults, so there is nothing to rate");
        explain(args, name, &fault, Some(path));
        let path = path.display();
        return Err(CliError::Failed(format!(
            "{fault}; the games are in {path}"
        )));
    }
    if *end == RunEnd::OutOfTime && rating.games == 0 {
        return Err(CliError::Failed(format!(
            "{name}: no game was over after {} s; leave out --quick, or use a shorter --time",
            QUICK.as_secs()
        )));
    }
    Ok(())
}

/// Writes a page that says why there is no rating, with the games in the file, if a page was
/// requested.
fn explain(args: &Args, name: &str, fault: &str, games: Option<&Path>) {
    let Some(html) = &args.html else { return };
    let games = games.map_or_else(|| Ok(Vec::new()), games_in);
    let written = games
        .and_then(|games| write_file(html, page_without_rating(name, fault, &games).as_bytes()));
    if let Err(error) = written {
        say(&format!("santorini: {error}"));
    }
}

/// Rates the opponents.
fn measure(args: &Args, uses: &Uses) -> CliResult {
    let stop = stop_flag()?;
    records(args).note_kills();
    let (settings, openings) = settings(args, None)?;
    let players = ladder_commands()?;
    let opened = records(args).open(uses, &settings)?;
    let rounds = args.games / 2;
    let results = opened.results.clone();
    let mut games = ladder_pairs(rounds).filter(move |game| !results.has(game.game));
    let runner = Runner {
        settings: &settings,
        openings: &openings,
        players: &players,
        jobs: usize::from(args.jobs),
        stderr: None,
        keep_going: args.keep_going,
        deadline: None,
    };
    let all = ladder_pairs(rounds).count() as u64;
    let shown = GamesShown::new(Some(all), &opened.results, |_| String::new());
    let (_, path, end) = play(&runner, &mut |_| games.next(), opened, &stop, shown)?;
    if let RunEnd::PlayerFails(failing) = &end {
        return Err(does_not_play(failing, &path, true));
    }
    let games = read_games(&path)?;
    let ratings = measured(&games).map_err(|error| CliError::failed(path.display(), error))?;
    let mut table = Table::new(["opponent", "Elo", "+-", "as built in"]).with_names_in(0);
    for (rung, [elo, error]) in LADDER.iter().zip(ratings) {
        let numbers = [elo, error, rung.elo].map(rating_text);
        table.add([rung.agent.to_string()].into_iter().chain(numbers));
    }
    print(table.text())?;
    print(format_args!("measured with {}\n", ladder_signature()))?;
    if end == RunEnd::Interrupted {
        return Ok(interrupted_games(&path));
    }
    Ok(ExitCode::SUCCESS)
}

/// The settings of the games, and the openings.
fn settings(args: &Args, program: Option<PlayerSetting>) -> Result<(Settings, Openings), CliError> {
    let openings = even_book(args.seed)?;
    let choice = OpeningChoice::file(EVEN.into(), &openings);
    let settings = rating_settings(program, args.games, args.time, choice, args.seed);
    let start_time = args.start_time.at_least(args.time)?;
    let settings = Settings {
        start_time: start_time.map(|time| time.as_secs_f64()),
        ..settings
    };
    Ok((settings, openings))
}

/// The commands of all opponents.
fn ladder_commands() -> Result<Vec<(PlayerCommand, TimeLimit)>, CliError> {
    let program = std::env::current_exe();
    let program = program.map_err(|error| CliError::failed("the path of this program", error))?;
    let program = program.to_string_lossy();
    opponents(&program).map_err(|error| CliError::failed(&program, error))
}

fn records(args: &Args) -> Records<'_> {
    Records {
        output: args.output.as_deref(),
        resume: args.resume,
        force: args.force,
        isolate: &args.isolate,
        fewer_rounds: true,
        stem: "rating",
    }
}

/// Plays the games that `next` chooses, and shows their progress. Returns the results, the file
/// with the games, and how they ended.
fn play<S: Fn(&Results) -> String + Send>(
    runner: &Runner,
    next: &mut NextGame<'_>,
    opened: Opened,
    stop: &AtomicBool,
    mut shown: GamesShown<S>,
) -> Result<(Results, PathBuf, RunEnd), CliError> {
    let path = opened.path;
    let mut watcher = |game: &GameRecord, results: &Results| shown.game_over(game, results);
    let done = runner.run_games(next, opened.file, opened.results, stop, &mut watcher);
    drop(shown);
    let (results, end) = done.map_err(|error| failure(&error, &path))?;
    if !matches!(end, RunEnd::Interrupted | RunEnd::PlayerFails(_)) {
        kills::forget(&path);
    }
    Ok((results, path, end))
}

/// The page with reviews of the lost games, which take a while; `None` if that was
/// interrupted. After `until` no more games are reviewed.
fn page_of(
    name: &str,
    rating: &ProgramRating,
    games: &[GameRecord],
    threads: usize,
    stop: &AtomicBool,
    until: Option<Instant>,
) -> Option<String> {
    let lost = rating.games - rating.won - rating.faults;
    // It was set at the end of the games.
    stop.store(false, Ordering::Relaxed);
    let progress = Progress::new(lost, "lost games reviewed");
    let jobs = Jobs { threads, stop };
    let mut is_late = false;
    let lost = lost_games(games, name, &jobs, || {
        progress.inc();
        if until.is_some_and(|until| Instant::now() > until) && !jobs.is_stopped() {
            is_late = true;
            stop.store(true, Ordering::Relaxed);
        }
    });
    progress.finish();
    let is_interrupted = jobs.is_stopped() && !is_late;
    (!is_interrupted).then(|| page(name, rating, games, &lost))
}

/// Prints the rating.
fn show(args: &Args, name: &str, rating: &ProgramRating) -> Result<(), CliError> {
    let estimate = &rating.estimate;
    if args.json {
        let json = json!({
            "name": name,
            "elo": estimate.elo,
            "low": estimate.low,
            "high": estimate.high,
            "games": rating.games,
            "won": rating.won,
            "faults": rating.faults,
            "against": rating.against,
        });
        return print_data(&format!("{json}\n"));
    }
    let words = RatingText::of(rating);
    let line = |text: &String| format!("{text}\n");
    let faults: String = words.faults.iter().map(line).collect();
    let place: String = words.place.iter().map(line).collect();
    print(format!(
        "{faults}{}: {} Elo above random play ({} games, 95% confidence)\n\n\
         {place}{}\n\n{}\n{LADDER_ERROR}\n",
        printable(name),
        rating.text(),
        rating.games,
        words.games,
        rating.table().text()
    ))
}
