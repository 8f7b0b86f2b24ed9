//! `santorini rate`: how strong a program is.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::files::{ForceArgs, uses_records, write_file};
use super::interrupt::{interrupted, stop_flag};
use super::openings::{EVEN, even_book};
use super::output::{print, print_data, say};
use super::progress::Progress;
use super::tournament::progress::GamesShown;
use super::tournament::records::{Opened, Records, does_not_play, failure, resume_command};
use super::{CliError, CliResult, parse_number, parse_seconds};
use crate::files::Uses;
use crate::jobs::{Jobs, default_threads};
use crate::levels::measured_with;
use crate::openings::Openings;
use crate::program::{Player, PlayerCommand, PlayerSpec, TimeLimit};
use crate::rate::{
    Chooser, Enough, LADDER, ProgramRating, RATING_PAGE, RatingWords, ladder_pairs, lost_games,
    measured, page,
};
use crate::record::{Entry, GameRecord, read_games};
use crate::shard::Shard;
use crate::stats::rating_text;
use crate::table::Table;
use crate::tournament::{
    CardChoice, OpeningChoice, PlayerSetting, Results, RunEnd, Runner, Settings, Source, Watcher,
};

/// Say how strong a program is, in Elo above random play.
///
/// The program plays pairs of games, one opening from both seats, against
/// opponents of this program whose ratings are known: agents of the laboratory,
/// the levels of `santorini play` and the engine, from random play to a search of
/// 400,000 nodes a turn. Each opponent is about as strong as the program seems to
/// be so far. It ends when the rating is known well enough.
#[derive(clap::Args)]
#[command(
    before_long_help = "\
Examples:
  santorini rate 'python3 my_bot/player.py'
  santorini rate --quick --html rating.html 'python3 my_bot/player.py'
  santorini rate --error 25 --time 0.5 ./my_player
  santorini rate --resume --output rating-1.jsonl ./my_player",
    after_long_help = "\
What stands behind +- is half the width of the interval that holds the rating
with a probability of 95%. The opponents think by nodes, not by the clock, so
that a rating is the same on every machine if the program's own strength is.

Every game is on disk as soon as it is over, as `santorini tournament` keeps
them; `santorini draw` shows them. After Ctrl-C the last line printed is the
command that goes on. A program that fails to answer loses the game."
)]
pub struct Args {
    /// The program, with arguments if the command is quoted; or NAME=CMD.
    #[arg(value_name = "CMD", required_unless_present = "ladder")]
    program: Option<String>,
    /// The time for an answer of the program.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = parse_seconds)]
    time: Duration,
    /// End when the number behind +- is at most this.
    #[arg(long, value_name = "ELO", default_value_t = 50.0, value_parser = parse_error)]
    error: f64,
    /// The most games, which come in pairs: of an odd number one is not played. With
    /// --ladder it is the number of games of each pairing.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u64).range(2..=100_000))]
    games: u64,
    /// Take two minutes at most, however little is known then: the games end after
    /// 100 seconds, and one that is not over then does not count.
    #[arg(long)]
    quick: bool,
    /// How many games to play at the same time. The default is one on each core.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u16,
          hide_default_value = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// The seed of the order of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file for the records of the games. The default is a new file
    /// rating-N.jsonl.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on with the games in the file of --output; begin if there is no such
    /// file.
    #[arg(long, requires = "output")]
    resume: bool,
    /// Write a web page to this file, with a review of each lost game and the turn
    /// that lost it.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print the rating as a JSON object.
    #[arg(long)]
    json: bool,
    /// Play all games though the program loses them by faults. Without this option ten
    /// such games end the rating with exit code 1.
    #[arg(long)]
    keep_going: bool,
    /// Measure the opponents instead, by games of each against the next three.
    #[arg(long, conflicts_with_all = ["program", "html", "json", "quick", "error"])]
    ladder: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// The time of the games of a quick rating, and of these and the reviews on its page.
const QUICK: Duration = Duration::from_secs(100);
const QUICK_PAGE: Duration = Duration::from_secs(115);

/// How much longer than its time the program may take for an answer.
const GRACE: Duration = Duration::from_millis(100);

/// The opponents think by nodes: on a slow machine they take their time.
const PATIENCE: Duration = Duration::from_secs(600);

fn parse_error(text: &str) -> Result<f64, String> {
    parse_number(text, 1.0..=1000.0)
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let uses = uses(args);
    uses.check()?;
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

/// The files that are read and written.
fn uses(args: &Args) -> Uses {
    let uses = args.force.uses();
    let uses = uses.replaces(args.html.as_deref(), RATING_PAGE);
    uses_records(uses, args.output.as_deref(), args.resume)
}

fn rate(args: &Args, program: &str, uses: &Uses) -> CliResult {
    let began = Instant::now();
    let wrong = |cause: &dyn std::fmt::Display| CliError::Usage(format!("{program:?}: {cause}"));
    let spec: PlayerSpec = program.parse().map_err(|error| wrong(&error))?;
    if LADDER.iter().any(|rung| rung.agent == spec.name) {
        return Err(wrong(&"an opponent has this name; say NAME=CMD"));
    }
    let stop = stop_flag()?;
    let time = TimeLimit::told(args.time).tolerating(GRACE);
    check_placement(&spec, time, &stop)?;
    let (settings, openings) = settings(args, Some((&spec.name, program)))?;
    let mut players = vec![(spec.command, time)];
    players.extend(opponents()?);
    let opened = records(args).open(uses, &settings)?;
    let enough = Enough {
        games: args.games,
        error: args.error,
        until: args.quick.then(|| began + QUICK),
    };
    let jobs = usize::from(args.jobs);
    let played = opponents_of(&opened, &settings);
    let mut chooser = Chooser::new(enough, &played);
    let match_run = MatchRun {
        settings: &settings,
        openings: &openings,
        players: &players,
        jobs,
        keep_going: args.keep_going,
        deadline: enough.until,
    };
    // It ends when enough is known.
    let state = |results: &Results| ProgramRating::of(results).text();
    let mut shown = GamesShown::new(None, &opened.results, state);
    let (results, path, mut end) = match_run.play(&mut chooser, opened, &stop, &mut shown)?;
    drop(shown);
    if let RunEnd::Failing(failing) = &end {
        return Err(does_not_play(failing, &path, true));
    }
    let rating = ProgramRating::of(&results);
    if rating.only_faults() {
        return Err(CliError::Failed(format!(
            "{}: all of its {} games were lost by faults, so there is nothing to rate; the \
             games are in {}",
            spec.name,
            rating.games,
            path.display()
        )));
    }
    if end == RunEnd::OutOfTime && rating.games == 0 {
        return Err(CliError::Failed(format!(
            "{}: no game was over after {} s; rate it without --quick, or with a shorter --time",
            spec.name,
            QUICK.as_secs()
        )));
    }
    if let Some(html) = args.html.as_ref().filter(|_| end != RunEnd::Interrupted) {
        let mut games = read_games(&path)?;
        games.sort_by_key(|game| game.game);
        let until = args.quick.then(|| began + QUICK_PAGE);
        match page_of(&spec.name, &rating, &games, jobs, &stop, until)? {
            Some(text) => write_file(html, text.as_bytes())?,
            None => end = RunEnd::Interrupted,
        }
    }
    show(args, &spec.name, &rating)?;
    if end == RunEnd::Interrupted {
        say("interrupted; this goes on with it:");
        say(&resume_command(&path));
        return Ok(interrupted());
    }
    if end == RunEnd::OutOfTime {
        say(&format!(
            "the games ended after {} s, as --quick says; without it they go on until the rating \
             is known better",
            QUICK.as_secs()
        ));
    }
    say(&format!("the games are in {}", path.display()));
    Ok(ExitCode::SUCCESS)
}

/// Makes sure that the program can place its workers, which the games, that
/// start on openings, do not ask of it.
fn check_placement(spec: &PlayerSpec, time: TimeLimit, stop: &AtomicBool) -> Result<(), CliError> {
    let mut player = Player::new(&spec.name, spec.command.clone(), time);
    let placed = player.place([None, None], None, stop);
    let placed = placed.and_then(|first| player.place([None, None], Some(first), stop));
    placed.map(drop).map_err(|ending| {
        let mut text = ending.message(&spec.name) + &player.evidence().stderr_text();
        text += "\nit was asked to place its workers, before any game; mend that first";
        CliError::Failed(text)
    })
}

/// Measures the ladder.
fn measure(args: &Args, uses: &Uses) -> CliResult {
    let stop = stop_flag()?;
    let (settings, openings) = settings(args, None)?;
    let players = opponents()?;
    let opened = records(args).open(uses, &settings)?;
    let rounds = args.games / 2;
    let results = opened.results.clone();
    let mut games = ladder_pairs(rounds).filter(move |game| !results.has(game.game));
    let match_run = MatchRun {
        settings: &settings,
        openings: &openings,
        players: &players,
        jobs: usize::from(args.jobs),
        keep_going: args.keep_going,
        deadline: None,
    };
    let all = ladder_pairs(rounds).count() as u64;
    let mut shown = GamesShown::new(Some(all), &opened.results, |_| String::new());
    let (_, path, end) = match_run.play(&mut games, opened, &stop, &mut shown)?;
    drop(shown);
    if let RunEnd::Failing(failing) = &end {
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
    print(format_args!("measured with {}\n", measured_with()))?;
    if end == RunEnd::Interrupted {
        say("interrupted; this goes on with it:");
        say(&resume_command(&path));
        return Ok(interrupted());
    }
    Ok(ExitCode::SUCCESS)
}

/// The settings that stand at the head of the file, and the openings.
fn settings(args: &Args, program: Option<(&str, &str)>) -> Result<(Settings, Openings), CliError> {
    let openings = even_book(args.seed)?;
    let setting = |name: &str, command: String| PlayerSetting {
        name: name.into(),
        command,
    };
    let program = program.map(|(name, command)| setting(name, command.into()));
    let ladder = LADDER.iter().map(|rung| {
        let command = format!("santorini lab player {}", rung.agent);
        setting(rung.agent, command)
    });
    let settings = Settings {
        players: program.into_iter().chain(ladder).collect(),
        rounds: args.games / 2,
        time: args.time.as_secs_f64(),
        grace: GRACE.as_secs_f64(),
        cards: CardChoice::None,
        openings: OpeningChoice::file(EVEN.into(), &openings),
        seed: args.seed,
        reuse: true,
        shard: Shard::WHOLE,
        sprt: None,
    };
    Ok((settings, openings))
}

fn records(args: &Args) -> Records<'_> {
    Records {
        output: args.output.as_deref(),
        resume: args.resume,
        force: args.force,
        rounds_bound: true,
        stem: "rating",
    }
}

/// The commands of all opponents, which are this program.
fn opponents() -> Result<Vec<(PlayerCommand, TimeLimit)>, CliError> {
    let failed = |cause: &dyn std::fmt::Display| CliError::failed("this program's path", cause);
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let program = program.to_string_lossy().into_owned();
    let commands = LADDER.iter().map(|rung| {
        let words = [program.as_str(), "lab", "player", rung.agent];
        let command = shlex::try_join(words).map_err(|error| failed(&error))?;
        let command = command.parse().map_err(|error| failed(&error))?;
        Ok((command, TimeLimit::untold(PATIENCE)))
    });
    commands.collect()
}

/// The numbers of the games that are there already, and the opponents in them.
fn opponents_of(opened: &Opened, settings: &Settings) -> Vec<(u64, usize)> {
    let names = settings.names();
    let number = |name: &String| names.iter().position(|known| known == name).unwrap_or(0);
    let games = opened.entries.iter().filter_map(|entry| match entry {
        Entry::Game(game) => Some(game),
        Entry::Header(_) => None,
    });
    let [a, b] = [0, 1];
    games
        .map(|game| {
            (
                game.game,
                number(&game.players[a]).max(number(&game.players[b])),
            )
        })
        .collect()
}

/// Everything that plays, but for what is played.
struct MatchRun<'a> {
    settings: &'a Settings,
    openings: &'a Openings,
    players: &'a [(PlayerCommand, TimeLimit)],
    jobs: usize,
    keep_going: bool,
    deadline: Option<Instant>,
}

impl MatchRun<'_> {
    /// Plays the games of the source; the results, and where the games are.
    fn play(
        &self,
        source: &mut dyn Source,
        opened: Opened,
        stop: &AtomicBool,
        watcher: &mut dyn Watcher,
    ) -> Result<(Results, PathBuf, RunEnd), CliError> {
        let runner = Runner {
            settings: self.settings,
            openings: self.openings,
            players: self.players,
            jobs: self.jobs,
            stderr: None,
            keep_going: self.keep_going,
            deadline: self.deadline,
        };
        let Opened {
            file,
            path,
            results,
            ..
        } = opened;
        let done = runner.run_games(source, file, results, stop, watcher);
        let (results, end) = done.map_err(|error| failure(&error, &path))?;
        Ok((results, path, end))
    }
}

/// The page, whose analysis of the lost games takes a while; `None` if that was
/// interrupted. No more games are reviewed after the moment `until`.
fn page_of(
    name: &str,
    rating: &ProgramRating,
    games: &[GameRecord],
    threads: usize,
    stop: &AtomicBool,
    until: Option<Instant>,
) -> Result<Option<String>, CliError> {
    let lost = rating.games - rating.won - rating.faults;
    let progress = Progress::new(lost, "lost games reviewed");
    // It was raised at the end of the games.
    stop.store(false, Ordering::Relaxed);
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
    if jobs.is_stopped() && !is_late {
        return Ok(None);
    }
    Ok(Some(page(name, rating, games, &lost)))
}

/// The rating on standard output.
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
    let RatingWords {
        faults,
        place,
        games,
    } = RatingWords::of(rating);
    let faults = faults.map_or(String::new(), |faults| format!("{faults}\n"));
    let rated = rating.text();
    print(format!(
        "{faults}{name}: {rated} Elo above random play ({} games, 95% confidence)\n\n{}\n{games}\n\n{}",
        rating.games,
        place.join("\n"),
        rating.table().text()
    ))
}
