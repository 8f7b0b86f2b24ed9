//! `santorini play --web`: serves the web page to play, learn and review.

use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::sync::watch;

use super::opponent::{Against, ENGINE_TIME, against, program};
use super::{Args, no_board};
use crate::cli::boards::game_lines;
use crate::cli::interrupt::Signals;
use crate::cli::output::say;
use crate::cli::page_access::page_token;
use crate::cli::{CliError, CliResult};
use crate::http::{Access, ListenError, Page};
use crate::jobs::default_threads;
use crate::levels::Level;
use crate::mutex::MutexExt as _;
use crate::page::{BackendOptions, PageBackend, PageStart, Programs, serve};
use crate::printable::{printable, printable_lines};
use crate::program::{Player, Termination};
use crate::rules::{Cards, Placement, Position, Turn};
use crate::search::EngineOptions;
use crate::seeds::fresh_seed;

/// The default address. It is fixed, because browsers keep the saved games of each address
/// separately. The port has no registered use.
const USUAL_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7575);

/// A free port of this machine.
const FREE_PORT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// The size of the transposition table of each search. Several may run at once.
const HASH_MIB: usize = 32;

/// The time that running searches have to end.
const ENDING_TIME: Duration = Duration::from_secs(5);

/// Serves the page until Ctrl-C, at the usual address if none is given.
pub(super) fn run(args: &Args, address: Option<SocketAddr>) -> CliResult {
    let runtime = tokio::runtime::Runtime::new();
    let runtime = runtime.map_err(|error| CliError::failed("cannot start", error))?;
    let done = runtime.block_on(serve_page(args, address));
    // This drops the state of the page, which ends the opponent programs.
    runtime.shutdown_timeout(ENDING_TIME);
    done
}

async fn serve_page(args: &Args, given: Option<SocketAddr>) -> CliResult {
    let mut signals = Signals::listen();
    let options = BackendOptions {
        time: args.time.unwrap_or(ENGINE_TIME),
        engine: EngineOptions {
            hash_mib: HASH_MIB,
            threads: (default_threads() / 2).clamp(1, 8),
            ..EngineOptions::default()
        },
    };
    let games = match &args.from {
        Some(file) => game_lines(file, args.game)?,
        None => String::new(),
    };
    if let Some(file) = args.from.as_ref().filter(|_| games.is_empty()) {
        return Err(no_board(file, args.game));
    }
    let (stop, stopped) = watch::channel(false);
    let start = page_start(args)?;
    let backend = PageBackend::new(options, programs(args)?).beginning(start);
    let access = Access {
        token: Some(page_token()?),
        proxies: args.origin.clone(),
    };
    let addresses = given.map_or_else(|| vec![USUAL_ADDRESS, FREE_PORT], |address| vec![address]);
    let opened = serve::open(&addresses, access, backend, games, stopped);
    let address = addresses[0];
    let (page, opening) = opened.map_err(|cause| ListenError { address, cause })?;
    announce(&page, given, opening);
    signals.next().await;
    stop.send_replace(true);
    Ok(ExitCode::SUCCESS)
}

fn announce(page: &Page, given: Option<SocketAddr>, opening: String) {
    let pages = page.addresses.join(" or ");
    let is_usual = page.addresses[0].starts_with(&format!("http://{USUAL_ADDRESS}/"));
    let mut message = format!("santorini: play at {pages} until Ctrl-C");
    if given.is_none() && !is_usual {
        message += &format!(
            "; {USUAL_ADDRESS} is in use, and the games that your browser saved belong to \
             that address"
        );
    }
    say(&message);
    if given.is_some_and(|address| !address.ip().is_loopback()) {
        say("santorini: everyone with this address can play");
    }
    if has_desktop() {
        // If this fails, the link is printed above.
        let _ = open::that_detached(opening);
    }
}

/// Whether a person uses a graphical desktop.
fn has_desktop() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_windows = cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    has_windows && io::stdout().is_terminal()
}

/// What the page shows first, if the options ask for something.
fn page_start(args: &Args) -> Result<Option<PageStart>, CliError> {
    let level = args.level.level;
    if args.against.is_none() && args.from.is_none() && level.is_none() {
        return Ok(None);
    }
    let opponent = match against(args)? {
        Against::Nobody => "person".into(),
        Against::Engine => format!("level {}", level.unwrap_or(Level::HIGHEST)),
        Against::Program(..) => "program 0".into(),
    };
    let name = |file: &PathBuf| printable(&file.display().to_string()).into_owned();
    Ok(Some(PageStart {
        // Numbers in JavaScript have 53 bits.
        id: fresh_seed() >> 11,
        opponent,
        file: args.from.as_ref().map(name),
    }))
}

/// The opponent program of the page, if the options name one.
fn programs(args: &Args) -> Result<Option<Box<dyn Programs>>, CliError> {
    let Some(Against::Program(spec, _)) = &args.against else {
        return Ok(None);
    };
    Ok(Some(Box::new(OneProgram {
        name: printable(&spec.name).into_owned(),
        player: Mutex::new(program(args, spec)?),
    })))
}

/// The program of the command line. All browsers share it: it gets one question at a
/// time.
struct OneProgram {
    name: String,
    player: Mutex<Player>,
}

impl OneProgram {
    fn ask<T>(
        &self,
        program: usize,
        stop: &AtomicBool,
        question: impl FnOnce(&mut Player) -> Result<T, Termination>,
    ) -> Result<T, String> {
        if program != 0 {
            return Err(format!("there is no program {program}; the only one is 0"));
        }
        let mut player = self.player.locked();
        let answer = player.start(stop).and_then(|()| question(&mut player));
        answer.map_err(|ending| {
            let evidence = player.evidence();
            player.stop();
            let fault = fault(&ending.message(&self.name), &evidence.stderr);
            if !matches!(ending, Termination::Interrupted) {
                say(&format!("santorini: {fault}"));
            }
            fault
        })
    }
}

/// A program's fault for people, with its standard error on the lines after the first.
fn fault(message: &str, stderr: &str) -> String {
    let message = message.strip_prefix("Error: ").unwrap_or(message);
    match stderr.trim_end() {
        "" => printable(message).into_owned(),
        stderr => format!(
            "{}; its standard error:\n{}",
            printable(message),
            printable_lines(stderr)
        ),
    }
}

impl Programs for OneProgram {
    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn turn(
        &self,
        program: usize,
        position: &Position<5>,
        stop: &AtomicBool,
    ) -> Result<Turn, String> {
        self.ask(program, stop, |player| player.turn(position, stop))
    }

    fn place(
        &self,
        program: usize,
        cards: Cards,
        first: Option<Placement>,
        stop: &AtomicBool,
    ) -> Result<Placement, String> {
        self.ask(program, stop, |player| player.place(cards, first, stop))
    }
}
