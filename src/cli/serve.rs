//! `santorini serve`: holds a tournament of bots that connect over TCP.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::files::{ForceArgs, open_records, uses_records};
use super::interrupt::{INTERRUPTED, Signals};
use super::output::{print, say};
use super::page_access::{given_token, page_token};
use super::progress::Progress;
use super::resume_command::{own_words, resuming};
use super::tournament::progress::{FAULTS_TOLD, FaultCounts};
use super::tournament::records::check_readable;
use super::tournament::write_csv;
use super::{CliError, CliResult, end_all, parse_seconds};
use crate::address::{addresses_to_open, listening_address};
use crate::files::Uses;
use crate::http::{Access, ListenError, Page, ProxyAddress};
use crate::protocol::tcp::BotName;
use crate::record::{FileError, SaveError, read_games};
use crate::server::{
    FinalReport, LINE_LOG, LineLog, MOST_BOTS, MOST_ROUNDS, Phase, ResultsFile, ResumedTournament,
    Server, ServerSettings, Terms, TournamentView,
};
use crate::tournament::csv::CSV_FILE;
use crate::tournament::{Results, TournamentSummary};

/// Hold a tournament of bots that connect over TCP
///
/// Examples:
///   santorini serve              the first two bots play one game
///   santorini serve --bots 8 --watch 127.0.0.1:8080
///   santorini serve --listen 0.0.0.0:7878 --wait 600 --rounds 2
///   santorini serve --resume     resume after the server was killed
///
/// Bots in any language connect, send their name and play a round robin on 6x6
/// boards. The final table goes to standard output, the first faults of each bot
/// to standard error. Each result is saved as soon as the game is over. After
/// Ctrl-C, a crash or a full disk, the same command with --resume resumes the
/// tournament when the same bots reconnect.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
`santorini help protocol` explains the protocol, and how to write a bot.
`santorini draw` draws the games in the results file."
)]
pub(super) struct Args {
    /// The address where bots connect. The default admits only bots on this machine;
    /// 0.0.0.0:7878 admits everyone who can reach it.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:7878",
          value_parser = listening_address)]
    listen: SocketAddr,
    /// Start when N bots have connected. The default is 2, unless --wait is given.
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(2..=MOST_BOTS as u64))]
    bots: Option<u64>,
    /// Start after this time, if at least two bots have connected; with --bots,
    /// whichever comes first.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    wait: Option<Duration>,
    /// The number of games between any two bots; the first mover alternates. The
    /// default is 1.
    #[arg(long, value_name = "R",
          value_parser = clap::value_parser!(u64).range(1..=MOST_ROUNDS as u64))]
    rounds: Option<u64>,
    /// The time limit for a legal answer, including illegal tries.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    answer_time: Duration,
    /// The number of illegal answers in a row that lose the game.
    #[arg(long, value_name = "K", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    tries: u32,
    /// How long to wait for disconnected bots when only their games are left. After
    /// that they lose these games; games between two of them are draws. With --resume the
    /// wait starts when the first bot is back.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    return_time: Duration,
    /// The file for the results, one JSON object on each line. It also holds the addresses
    /// of the bots.
    #[arg(
        long,
        value_name = "FILE",
        default_value = "santorini-tournament.jsonl"
    )]
    results: PathBuf,
    /// Resume the tournament in the results file when its bots reconnect. If there is
    /// no such file, start a new tournament.
    #[arg(long)]
    resume: bool,
    /// Append every line to and from each bot to this file, with the seconds since the
    /// start of the server.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write the results as CSV to this file at the end: a line for each bot with its
    /// games, Elo and 95% interval, and its faults by kind.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Show the tournament on a web page at this address, until Ctrl-C. On a local
    /// address, such as 127.0.0.1:8080, the page needs the token in the printed link.
    /// The token is new each time unless the environment variable SANTORINI_TOKEN is
    /// set. On other addresses, such as 0.0.0.0:8080, everyone who can reach the page
    /// can watch, unless SANTORINI_TOKEN is set.
    #[arg(long, value_name = "ADDR:PORT", value_parser = listening_address)]
    watch: Option<SocketAddr>,
    /// With --watch: another address at which browsers reach the page, through a proxy
    /// or by a name of this machine. Can be repeated.
    #[arg(long, value_name = "https://NAME", requires = "watch")]
    origin: Vec<ProxyAddress>,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let runtime = tokio::runtime::Runtime::new();
    let runtime = runtime.map_err(|error| CliError::failed("cannot start", error))?;
    let done = runtime.block_on(serve(args));
    // Tasks of open connections end with the program.
    runtime.shutdown_background();
    done
}

async fn serve(args: &Args) -> CliResult {
    uses(args).check()?;
    if args.csv.is_some() {
        check_readable("--csv", "--results", &args.results)?;
    }
    let mut server = Server::bind(args.listen)?;
    let page = match args.watch {
        None => None,
        Some(address) => Some(server.watch(address, access(args, address)?)?),
    };
    // Before the results file is created, so that Ctrl-C leaves no empty one behind.
    let signals = Signals::listen();
    let (results, resumed) = open_results(args)?;
    let log = open_log(args)?;
    server.log = log.clone();
    announce(&server, page.as_ref());
    if let Some(resumed) = &resumed {
        announce_resumed(resumed, args);
    }
    let stopped = stopped_by(signals);
    let progress = Arc::new(Progress::new(None, WAITING));
    let settings = settings(args);
    let view = server.view.subscribe();
    let drawing = draw_progress(view.clone(), progress.clone(), settings.bots);
    let drawing = tokio::spawn(drawing);
    let told = progress.clone();
    let notice = move |text: &str| told.suspend(|| tell(text));
    let mut interrupted = stopped.clone();
    let report = server
        .run(settings, results, resumed, stopped, Box::new(notice))
        .await;
    drawing.abort();
    progress.finish();
    let printed = print(report.standings.text());
    tell_faults(&view.borrow(), &args.results);
    if let Some(failure) = &report.failure {
        finish_log(log, args).await;
        return Err(not_saved(failure));
    }
    // The CSV file is written even if the table cannot be printed.
    let code = end_all([printed, write_results(args, &report)]);
    finish_log(log, args).await;
    tell_interrupted(&report);
    if report.interrupted {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(page) = page {
        let address = &page.addresses[0];
        tell(&format!("the page {address} stays until Ctrl-C"));
        // An error means that no signal can end the page any more: end now.
        let _ = interrupted.wait_for(|&stop| stop).await;
    }
    Ok(code)
}

/// Becomes true with the first of the signals. The second one ends the program at once.
fn stopped_by(mut signals: Signals) -> watch::Receiver<bool> {
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        signals.next().await;
        stop.send_replace(true);
        signals.next().await;
        std::process::exit(INTERRUPTED.into());
    });
    stopped
}

impl From<ListenError> for CliError {
    fn from(error: ListenError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The error for results that cannot be saved. The last line is the command that resumes
/// the tournament, if its file can be trusted.
fn not_saved(failure: &SaveError) -> CliError {
    CliError::Failed(match failure.cause {
        FileError::Changed(_) => failure.to_string(),
        _ => format!(
            "{failure}\nwhen that is fixed, resume with:\n{}",
            resuming(own_words(), None)
        ),
    })
}

fn settings(args: &Args) -> ServerSettings {
    let bots = args.bots.map(|bots| bots as usize);
    ServerSettings {
        bots: bots.or(args.wait.is_none().then_some(2)),
        wait: args.wait,
        rounds: args.rounds.unwrap_or(1) as usize,
        terms: Terms {
            answer_time: args.answer_time,
            tries: args.tries,
        },
        return_time: args.return_time,
        watched: args.watch.is_some(),
    }
}

/// The files that this command writes.
fn uses(args: &Args) -> Uses {
    let uses = args.force.uses().replaces(args.csv.as_deref(), CSV_FILE);
    let uses = uses.adds_to(args.log.as_deref(), LINE_LOG);
    uses_records(uses, Some(&args.results), args.resume)
}

fn open_results(args: &Args) -> Result<(ResultsFile, Option<ResumedTournament>), CliError> {
    let path = args.results.as_path();
    let (file, entries) = open_records(path, args.resume, args.force)?;
    let results = ResultsFile::of_file(file, entries, path);
    let (results, resumed) = results.map_err(|error| CliError::Usage(error.to_string()))?;
    if let Some(resumed) = &resumed {
        check_resumable(args, resumed)?;
    }
    Ok((results, resumed))
}

/// Checks that the options agree with the tournament that they resume.
fn check_resumable(args: &Args, resumed: &ResumedTournament) -> Result<(), CliError> {
    let refused = |option: &str, given: u64, there: u64| {
        let path = args.results.display();
        CliError::Usage(format!(
            "the tournament in {path} has {there} {option}, so --{option} {given} cannot resume it"
        ))
    };
    let (bots, rounds) = (resumed.names.len() as u64, resumed.rounds as u64);
    // With --wait it may have started with fewer bots.
    if let Some(given) = args.bots
        && (given < bots || given > bots && args.wait.is_none())
    {
        return Err(refused("bots", given, bots));
    }
    match args.rounds {
        Some(given) if given != rounds => Err(refused("rounds", given, rounds)),
        _ => Ok(()),
    }
}

fn open_log(args: &Args) -> Result<Option<LineLog>, CliError> {
    let open = |path: &PathBuf| {
        LineLog::open(path).map_err(|error| CliError::failed(path.display(), error))
    };
    args.log.as_ref().map(open).transpose()
}

/// Waits until the log is written, and says what is missing in it.
async fn finish_log(log: Option<LineLog>, args: &Args) {
    let (Some(log), Some(path)) = (log, &args.log) else {
        return;
    };
    let finished = tokio::task::spawn_blocking(move || log.finish()).await;
    match finished.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())) {
        Ok(0) => {}
        Ok(lost) => tell(&format!("{lost} lines are missing in {}", path.display())),
        Err(error) => tell(&format!("{} is not complete: {error}", path.display())),
    }
}

/// Who may watch. A page on a local address needs the token in the printed link; on other
/// addresses only a token from the environment is required, if there is one.
fn access(args: &Args, address: SocketAddr) -> Result<Access, CliError> {
    let token = if address.ip().is_loopback() {
        Some(page_token()?)
    } else {
        given_token()?
    };
    Ok(Access {
        token,
        proxies: args.origin.clone(),
    })
}

fn announce(server: &Server, page: Option<&Page>) {
    let addresses = addresses_to_open(server.address);
    let addresses: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
    tell(&format!("bots connect to {}", addresses.join(" or ")));
    if !server.address.ip().is_loopback() {
        tell("everyone who can reach this address can enter");
    }
    for address in page.iter().flat_map(|page| &page.addresses) {
        tell(&format!("watch at {address}"));
    }
}

/// Reports the games left to play in a resumed tournament.
fn announce_resumed(resumed: &ResumedTournament, args: &Args) {
    let (path, total) = (args.results.display(), resumed.games());
    let played = resumed.played.len();
    if played == total {
        tell(&format!(
            "the tournament in {path} is over: all {total} games were played"
        ));
    } else {
        let names: Vec<&str> = resumed.names.iter().map(BotName::as_str).collect();
        tell(&format!(
            "the tournament in {path} resumes after {played} of {total} games, when its bots \
             reconnect: {}",
            names.join(", ")
        ));
        let patience = args.return_time.as_secs_f64();
        tell(&format!(
            "it waits for the first of them without a limit, then {patience} s for bots with games \
             left; a bot that stays away loses its games (--return-time)"
        ));
    }
}

/// Reports the first games that each bot lost by a fault; with a fault of both, a game is a
/// draw.
fn tell_faults(view: &TournamentView, results: &Path) {
    let mut counts = FaultCounts::default();
    let mut untold = 0;
    for game in &view.past {
        let Some(why) = &game.why else { continue };
        let names = game.names.each_ref().map(BotName::as_str);
        let counts = counts.add(names, game.outcome.winner);
        match counts.iter().any(|&count| count <= FAULTS_TOLD) {
            true => say(&format!("game {}: {why}", game.game + 1)),
            false => untold += 1,
        }
    }
    if untold > 0 {
        say(&format!(
            "further faults: {untold}; the reasons are in {}, after \"why\"",
            results.display()
        ));
    }
}

/// Says how to resume a tournament that was called off.
fn tell_interrupted(report: &FinalReport) {
    let [played, total] = report.games;
    if report.interrupted && total == 0 {
        tell("called off before the tournament began: there is nothing to resume");
    } else if report.interrupted {
        let command = resuming(own_words(), None);
        tell(&format!(
            "called off after {played} of {total} games; resume with:\n  {command}"
        ));
    }
}

/// Writes the results as CSV, if requested, from the games in the results file.
fn write_results(args: &Args, report: &FinalReport) -> Result<(), CliError> {
    let Some(path) = &args.csv else {
        return Ok(());
    };
    let rows = report.standings.0.iter();
    let mut results = Results::new(rows.map(|row| row.name.to_string()).collect());
    if report.games[1] > 0 {
        for game in read_games(&args.results)? {
            let added = results.add(&game);
            added.map_err(|error| CliError::failed(args.results.display(), error))?;
        }
    }
    let players = TournamentSummary::players_of(&results, |_| String::new());
    write_csv(Some(path), &players)
}

/// Prints a line for people. If that fails, the tournament continues.
fn tell(text: &str) {
    say(&format!("santorini: {text}"));
}

/// What the server does before the games, as its progress names it.
const WAITING: &str = "waiting for bots";

async fn draw_progress(
    mut changes: watch::Receiver<TournamentView>,
    progress: Arc<Progress>,
    bots: Option<usize>,
) {
    let mut playing = false;
    loop {
        let mut show = |view: &TournamentView| {
            let played = view.past.len() as u64;
            if view.total > 0 && !playing {
                playing = view.running > 0;
                // The time left is estimated from the time since the first game began: a
                // resumed tournament may wait for its bots for hours.
                if playing || progress.unit() == WAITING {
                    progress.begin_part(view.total as u64, "games");
                }
                progress.set_begun(played);
            }
            progress.set_with(played, state(view, bots));
        };
        show(&changes.borrow_and_update());
        tokio::time::sleep(Duration::from_millis(200)).await;
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// The maximum number of absent bots that the state names.
const MOST_NAMES: usize = 10;

/// The state of the tournament, in a few words. `bots` are needed to start.
fn state(view: &TournamentView, bots: Option<usize>) -> String {
    let absent = || {
        let rows = view.standings.0.iter();
        let absent = rows.filter(|row| !view.connected.get(row.bot).is_some_and(|&there| there));
        let names: Vec<&str> = absent.map(|row| row.name.as_str()).collect();
        let (shown, more) = names.split_at(names.len().min(MOST_NAMES));
        match more.len() {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    };
    match view.phase {
        Phase::Entry => {
            let connected = view.connected.iter().filter(|&&there| there).count();
            let of = bots.map_or(String::new(), |bots| format!(" of {bots}"));
            format!("{connected}{of} connected")
        }
        Phase::Playing if view.running == 0 && view.past.len() < view.total => match absent() {
            names if names.is_empty() => "waiting for late answers".to_string(),
            names => format!("waiting for {names}"),
        },
        Phase::Playing => format!("{} running", view.running),
        Phase::Over => String::new(),
    }
}
