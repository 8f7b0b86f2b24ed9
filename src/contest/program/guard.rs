//! The guard: a second process that outlives a referee that was killed. It reports which
//! players were running, and kills them. The referee itself cannot react to SIGKILL, and
//! `PR_SET_PDEATHSIG` would reach only a player's first process. The guard also watches
//! what the players do besides playing.
//!
//! The referee reports each player that starts and ends. The pipe closes when the
//! referee ends, however that happens.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::{dup2_stderr, dup2_stdout};
use serde::{Deserialize, Serialize};

use super::harm::Harm;
use super::harm_watch::{HarmWatch, Players, WatchedPlayer, names};
use super::kill::{KILL_WAIT, kill_process};
use super::pipes::{never_block, write_ready};
use super::process_list::{family, is_suspended};
use super::program_file::ProgramFile;

/// The subcommand that runs this program as the guard. Its argument is the process number
/// of the referee.
pub const GUARD: &str = "guard";

/// The interval between checks whether the referee is stopped, in milliseconds.
const CHECK_INTERVAL: u16 = 1000;

/// How long the referee waits at most until the guard watches, in milliseconds.
const START_WAIT: u16 = 5000;

/// A message from the referee to the guard.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum GuardMessage {
    /// The file that gets a line if the referee is killed.
    KillsFile(PathBuf),
    /// The program of a player, which may not run yet.
    Program(ProgramFile),
    /// A process of a player has started.
    Started(u32, WatchedPlayer),
    /// That process has ended.
    Ended(u32),
}

/// The path of this program. On Linux it is a link that outlives a replaced file.
fn own_program() -> io::Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe(),
    }
}

/// The guard's process, as the referee knows it.
pub(super) struct GuardProcess {
    process: Child,
    /// Messages that the pipe had no room for. They are sent before the next message.
    unsent: Vec<u8>,
}

impl GuardProcess {
    /// Starts the guard, waits until it watches this process, and sends it these messages.
    pub(super) fn start(messages: impl Iterator<Item = GuardMessage>) -> io::Result<Self> {
        let process = Command::new(own_program()?)
            .args([GUARD, &std::process::id().to_string()])
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        if let Some(stdout) = &process.stdout {
            // The guard closes it once it has seen this process as it is before any player runs.
            let mut closed = [PollFd::new(stdout.as_fd(), PollFlags::POLLIN)];
            let _ = poll(&mut closed, PollTimeout::from(START_WAIT));
        }
        let mut guard = Self {
            process,
            unsent: Vec::new(),
        };
        messages.for_each(|message| guard.send(&message));
        if let Some(pipe) = &guard.process.stdin {
            // A guard that is stopped must not stop the referee.
            never_block(pipe)?;
        }
        Ok(guard)
    }

    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a message, or as much of it as the pipe takes.
    pub(super) fn send(&mut self, message: &GuardMessage) {
        if let Some(pipe) = &mut self.process.stdin
            && let Ok(line) = serde_json::to_vec(message)
        {
            self.unsent.extend(line);
            self.unsent.push(b'\n');
            if write_ready(pipe, &mut self.unsent).is_err() {
                // Without a guard the players can still play.
                self.process.stdin = None;
            }
        }
    }
}

/// What happened, with the names of the players that were running.
#[derive(Debug, PartialEq, Eq)]
pub enum Noticed {
    /// The referee is stopped, which may be its user's wish.
    Stopped(Vec<String>),
    /// The referee ended before its players did. The file is the one that it named for
    /// this case.
    Killed(Vec<String>, Option<PathBuf>),
    /// A player probably did harm.
    Harmed(Harm),
}

/// Waits in the guard for the end of the referee, and calls `notice`. The players may
/// still run at the end.
pub fn watch(referee: u32, mut notice: impl FnMut(Noticed)) {
    // `killall santorini` must not kill the guard.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_name(c"referee-guard");
    let mut known = Known::new(referee);
    // The referee waits for this before it starts a player.
    if let Ok(null) = null() {
        let _ = dup2_stdout(&null);
    }
    let mut was_stopped = false;
    loop {
        let has_message = has_message(known.harm.events());
        let harms = known.harm.check(&known.players);
        harms.into_iter().map(Noticed::Harmed).for_each(&mut notice);
        if has_message {
            if !known.read() {
                break;
            }
            continue;
        }
        let is_stopped = !known.players.is_empty() && is_suspended(referee);
        if is_stopped && !was_stopped {
            notice(Noticed::Stopped(names(&known.players, None)));
        }
        was_stopped = is_stopped;
    }
    if !known.players.is_empty() {
        notice(Noticed::Killed(names(&known.players, None), known.file));
    }
}

/// What the guard knows of the referee.
struct Known {
    players: Players,
    harm: HarmWatch,
    file: Option<PathBuf>,
    unread: Vec<u8>,
}

impl Known {
    fn new(referee: u32) -> Self {
        Self {
            players: Players::new(),
            harm: HarmWatch::new(referee),
            file: None,
            unread: Vec::new(),
        }
    }

    /// Reads messages of the referee; false at the end of the input.
    fn read(&mut self) -> bool {
        // As much as a pipe holds.
        let mut buffer = [0; 1 << 16];
        let count = match io::stdin().lock().read(&mut buffer) {
            Ok(0) => return false,
            Ok(count) => count,
            Err(error) => return error.kind() == io::ErrorKind::Interrupted,
        };
        self.unread.extend_from_slice(&buffer[..count]);
        while let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.unread.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(GuardMessage::KillsFile(file)) => self.file = Some(file),
                Ok(GuardMessage::Program(program)) => self.harm.watch_program(program),
                Ok(GuardMessage::Started(id, player)) => {
                    self.harm.started(id, &player);
                    self.players.insert(id, player);
                }
                Ok(GuardMessage::Ended(id)) => {
                    self.harm.ended(id, &self.players);
                    self.players.remove(&id);
                }
                Err(_) => {}
            }
        }
        true
    }
}

/// Waits for a message of the referee, or for `events`, at most for [`CHECK_INTERVAL`]. Returns
/// whether there is a message.
fn has_message(events: Option<BorrowedFd<'_>>) -> bool {
    let stdin = io::stdin();
    let fds = [Some(stdin.as_fd()), events];
    let fds = fds.into_iter().flatten();
    let mut polled: Vec<PollFd> = fds.map(|fd| PollFd::new(fd, PollFlags::POLLIN)).collect();
    let woken = poll(&mut polled, PollTimeout::from(CHECK_INTERVAL));
    woken.is_err() || polled[0].any().unwrap_or(true)
}

fn null() -> io::Result<File> {
    File::options().write(true).open("/dev/null")
}

/// Kills all players of a referee that has ended.
pub fn kill_players(referee: u32) {
    // The reader of the referee's standard error must not wait for this process.
    if let Ok(null) = null() {
        let _ = dup2_stderr(&null);
    }
    let start = format!("{referee}-");
    let end = Instant::now() + KILL_WAIT;
    // The mark of a player that was just being started may show up late, so look twice.
    let mut empty_looks = 0;
    while empty_looks < 2 && Instant::now() < end {
        let left = family(None, |mark| mark.starts_with(&start));
        empty_looks = if left.is_empty() { empty_looks + 1 } else { 0 };
        left.into_iter().for_each(kill_process);
        thread::sleep(Duration::from_millis(10));
    }
}
