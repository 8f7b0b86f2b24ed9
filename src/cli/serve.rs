//! `santorini serve`: holds a tournament of bots that connect over TCP.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::again::{own_words, resuming};
use super::files::{ForceArgs, forget, open_records, uses_records};
use super::interrupt::{INTERRUPTED, Signals};
use super::output::{print, say};
use super::page_access::{given_token, page_token};
use super::progress::Progress;
use super::{CliError, CliResult, parse_seconds};
use crate::address::listening_address;
use crate::files::Uses;
use crate::http::{Access, Page, ProxyAddress};
use crate::protocol::tcp::BotName;
use crate::server::{
    FinalReport, MOST_BOTS, MOST_ROUNDS, Phase, ResultsFile, ResultsFileError, ResumedTournament,
    ServeError, Server, ServerSettings, Spectators, Terms,
};

/// Hold a tournament of bots that connect over TCP.
///
/// Bots in any language connect, send their name and play on a board of 6x6
/// spaces, every bot against every other. The final table goes to standard
/// output. Each result is on disk as soon as the game is over, and --resume
/// continues a tournament after Ctrl-C, a crash or a kill, when the same bots
/// come back.
#[derive(clap::Args)]
#[command(
    before_long_help = "\
Examples:
  santorini serve              the first two bots play one game
  santorini serve --bots 8 --watch 127.0.0.1:8080
  santorini serve --listen 0.0.0.0:7878 --wait 600 --rounds 2
  santorini serve --resume     continue after the server was killed",
    after_long_help = "\
`santorini help protocol` explains the protocol, and how to write a bot. Other
commands read the results file: `santorini draw` draws its games."
)]
pub struct Args {
    /// The address where bots connect. The default admits bots on this machine
    /// only; 0.0.0.0:7878 admits everybody who can reach it.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:7878",
          value_parser = listening_address)]
    listen: SocketAddr,
    /// Begin when N bots are there. The default is 2, unless --wait is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=MOST_BOTS as u64))]
    bots: Option<u64>,
    /// Begin after this time, if at least two bots are there; with --bots,
    /// whichever comes first.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    wait: Option<Duration>,
    /// How often each two bots meet; who begins alternates. The default is 1.
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u64).range(1..=MOST_ROUNDS as u64))]
    rounds: Option<u64>,
    /// The time for a legal answer, illegal tries included.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    answer_time: Duration,
    /// The number of illegal answers in a row that lose the game.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    tries: u32,
    /// How long to wait for bots that are away when only their games are left; they
    /// lose these then. With --resume this begins when the first bot is back.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    return_time: Duration,
    /// The file for the results, one JSON object on each line.
    #[arg(
        long,
        value_name = "FILE",
        default_value = "santorini-tournament.jsonl"
    )]
    results: PathBuf,
    /// Continue the tournament in the results file, with the bots that come back;
    /// begin one if there is no such file.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    force: ForceArgs,
    /// Show the tournament as a web page at this address, until Ctrl-C. At an address
    /// of this machine alone, such as 127.0.0.1:8080, the page opens only with the
    /// token in the address that is printed: a new one each time, or the one in the
    /// environment variable SANTORINI_TOKEN. At another one, such as 0.0.0.0:8080,
    /// everybody who can reach it can watch, unless SANTORINI_TOKEN is set.
    #[arg(long, value_name = "ADDR:PORT", value_parser = listening_address)]
    watch: Option<SocketAddr>,
    /// With --watch: browsers also reach the page at this address, through a proxy or
    /// by a name of this machine. May be given more than once.
    #[arg(long, value_name = "https://NAME", requires = "watch")]
    origin: Vec<ProxyAddress>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let runtime = tokio::runtime::Runtime::new();
    let runtime = runtime.map_err(|error| CliError::failed("cannot start", error))?;
    let done = runtime.block_on(serve(args));
    // Tasks of connections that are still open end with the program.
    runtime.shutdown_background();
    done
}

async fn serve(args: &Args) -> CliResult {
    uses(args).check()?;
    let server = Server::bind(args.listen).map_err(|error| failed(&error))?;
    let page = match args.watch {
        None => None,
        Some(address) => {
            let page = server.watch(address, access(args, address)?);
            Some(page.map_err(|error| failed(&error))?)
        }
    };
    // Only now, so that a port in use leaves no empty file behind.
    let (results, resumed) = open_results(args)?;
    // Before anybody knows that there is a server to interrupt.
    let mut signals = Signals::listen();
    announce(&server, page.as_ref());
    if let Some(resumed) = &resumed {
        announce_resumed(resumed, args);
    }
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        signals.next().await;
        stop.send_replace(true);
        // Whoever asks twice does not want to wait.
        signals.next().await;
        std::process::exit(INTERRUPTED.into());
    });
    let progress = Arc::new(Progress::new(0, "games"));
    let drawing = tokio::spawn(draw_progress(server.spectators.clone(), progress.clone()));
    let told = progress.clone();
    let notice = move |text: &str| told.suspend(|| tell(text));
    let settings = settings(args);
    let mut interrupted = stopped.clone();
    let report = server
        .run(settings, results, resumed, stopped, Box::new(notice))
        .await;
    drawing.abort();
    progress.finish();
    let report = report.map_err(|error| failed(&error))?;
    print_report(&report)?;
    if report.interrupted {
        forget(&args.results);
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(page) = page {
        let address = &page.addresses[0];
        tell(&format!("the page {address} stays until Ctrl-C"));
        // An error means that nobody can interrupt any more: then end.
        let _ = interrupted.wait_for(|&stop| stop).await;
    }
    Ok(ExitCode::SUCCESS)
}

fn failed(error: &ServeError) -> CliError {
    match error {
        ServeError::Results(cause @ ResultsFileError::Foreign { .. }) => {
            CliError::Usage(cause.to_string())
        }
        _ => CliError::Failed(error.to_string()),
    }
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

/// The file that is written.
fn uses(args: &Args) -> Uses {
    uses_records(args.force.uses(), Some(&args.results), args.resume)
}

fn open_results(args: &Args) -> Result<(ResultsFile, Option<ResumedTournament>), CliError> {
    let path = args.results.as_path();
    let (file, entries) = open_records(path, args.resume, args.force)?;
    let results = ResultsFile::of_file(file, entries, path);
    let (results, resumed) = results.map_err(|error| failed(&ServeError::Results(error)))?;
    if let (Some(resumed), Some(rounds)) = (&resumed, args.rounds)
        && resumed.rounds as u64 != rounds
    {
        return Err(CliError::Usage(format!(
            "the tournament in {} has {} rounds, so --rounds {rounds} cannot go on with it",
            path.display(),
            resumed.rounds
        )));
    }
    Ok((results, resumed))
}

/// Who may watch: on this machine alone, those who were given the address.
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
    tell(&format!("bots connect to {}", server.address()));
    if !server.address().ip().is_loopback() {
        tell("everybody who can reach this address can enter");
    }
    for address in page.iter().flat_map(|page| &page.addresses) {
        tell(&format!("watch at {address}"));
    }
}

/// What is left to play of a tournament that is gone on with.
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
            "the tournament in {path} goes on after {played} of {total} games, when its bots \
             come back: {}",
            names.join(", ")
        ));
        let patience = args.return_time.as_secs_f64();
        tell(&format!(
            "it waits for the first of them without end, then {patience} s for bots of which games \
             are left, or else they lose these (--return-time)"
        ));
    }
}

fn print_report(report: &FinalReport) -> Result<(), CliError> {
    let [played, total] = report.games;
    print(report.standings.text())?;
    if report.interrupted && total == 0 {
        tell("called off before the tournament began: there is nothing to go on with");
    } else if report.interrupted {
        let command = resuming(own_words(), None);
        tell(&format!(
            "called off after {played} of {total} games; go on with:\n  {command}"
        ));
    }
    Ok(())
}

/// A line for people. Where nobody can read it, the tournament goes on.
fn tell(text: &str) {
    say(&format!("santorini: {text}"));
}

async fn draw_progress(spectators: Arc<Spectators>, progress: Arc<Progress>) {
    let mut changed = spectators.follow();
    while changed.changed().await.is_ok() {
        spectators.look(|view| {
            let state = match view.phase {
                Phase::Entry => format!("{} bots are here", view.connected.len()),
                Phase::Playing => format!("{} running", view.running),
                Phase::Over => String::new(),
            };
            progress.set_steps(view.total as u64);
            progress.set_with(view.past.len() as u64, state);
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
