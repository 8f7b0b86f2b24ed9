//! The launcher: enters namespaces, gives up rights, starts the player, and ends as the
//! player does.
//!
//! It has a single thread and starts no other.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write, pipe, stderr};
use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigHandler, Signal, raise, signal};
use nix::unistd::{dup2_stderr, dup2_stdin, dup2_stdout, setsid};

use super::init::{self, Init};
use super::message::{Channel, FromLauncher, send};
use super::namespaces::{self, FileProtection};
use super::{Isolation, SCRATCH, restrictions};

/// The exit code if the arguments are wrong; only the referee runs a launcher.
const MISUSED: u8 = 2;

/// Runs the launcher. The words are the number of its socket to the referee, the isolation in
/// JSON, the number of its parts that may be missing, and the player's command; without a
/// command this is a probe.
pub fn launch(words: &[OsString]) -> ExitCode {
    let Some((channel, isolation, allowed, command)) = parse(words) else {
        return ExitCode::from(MISUSED);
    };
    let mut channel = Channel::new(channel);
    match run(&mut channel, isolation, allowed, command) {
        Ok(code) => code,
        Err(error) => {
            let error = error.raw_os_error().unwrap_or(nix::libc::EPERM);
            // If this fails, the referee is gone.
            let _ = send(channel.get_mut(), &FromLauncher::Failed(error));
            ExitCode::FAILURE
        }
    }
}

fn parse(words: &[OsString]) -> Option<(UnixStream, Isolation, usize, &[OsString])> {
    let (socket, rest) = words.split_first()?;
    let (isolation, rest) = rest.split_first()?;
    let (allowed, command) = rest.split_first()?;
    let allowed = allowed.to_str()?.parse().ok()?;
    let number: RawFd = socket.to_str()?.parse().ok()?;
    let isolation = serde_json::from_str(isolation.to_str()?).ok();
    let isolation = isolation.filter(|&isolation| isolation != Isolation::Off)?;
    if number <= 2 || !Path::new(&format!("/proc/self/fd/{number}")).exists() {
        return None;
    }
    // SAFETY: the descriptor is open, and nothing else in this process uses it: it was
    // opened by the referee for this value alone.
    let socket = unsafe { UnixStream::from_raw_fd(number) };
    fcntl(&socket, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).ok()?;
    Some((socket, isolation, allowed, command))
}

fn run(
    channel: &mut Channel,
    isolation: Isolation,
    allowed: usize,
    command: &[OsString],
) -> io::Result<ExitCode> {
    // Without a terminal, and the leader of its own process group.
    setsid()?;
    let mut missing = Vec::new();
    let mut files = FileProtection::default();
    let init = match namespaces::enter(isolation, channel)? {
        Ok(()) => {
            if isolation.is_full() {
                files = namespaces::protect_files(&mut missing);
            }
            Some(init::start(isolation, &mut missing)?)
        }
        Err(error) => {
            missing.push(format!("no namespaces ({error})"));
            None
        }
    };
    let scoped = restrictions::restrict(isolation, init.is_some(), files, &mut missing)?;
    if missing.len() > allowed {
        // The user may have too many namespaces just now.
        return Err(Errno::EAGAIN.into());
    }
    let started = FromLauncher::Started {
        apart: init.is_some() || scoped,
        missing,
    };
    let Some((program, arguments)) = command.split_first() else {
        send(channel.get_mut(), &started)?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut command = Command::new(program);
    command.args(arguments).process_group(0);
    if files.has_scratch {
        command.env("TMPDIR", SCRATCH);
    }
    let child = command.spawn()?;
    let errors = leave_streams()?;
    send(channel.get_mut(), &started)?;
    wait(child, init, errors)
}

/// Leaves the standard streams to the player: while this process held them open, the
/// player could not close them. Returns the standard error.
fn leave_streams() -> io::Result<OwnedFd> {
    let errors = stderr().as_fd().try_clone_to_owned()?;
    close_streams()?;
    Ok(errors)
}

/// Connects the standard streams to a pipe that nothing can be written to. Unlike `/dev/null`
/// it always exists.
pub(super) fn close_streams() -> io::Result<()> {
    let (ended, _) = pipe()?;
    dup2_stdin(&ended)?;
    dup2_stdout(&ended)?;
    dup2_stderr(&ended)?;
    Ok(())
}

/// Waits for the player, and ends as it does.
fn wait(mut child: Child, init: Option<Init>, errors: OwnedFd) -> io::Result<ExitCode> {
    let status = child.wait()?;
    let killed = status.signal() == Some(Signal::SIGKILL as i32);
    if let Some(reason) = init.filter(|_| killed).and_then(Init::reason) {
        // The referee shows the end of the player's standard error.
        let _ = writeln!(
            File::from(errors),
            "santorini: the player was killed: {reason}"
        );
    }
    Ok(end_like(status))
}

fn end_like(status: ExitStatus) -> ExitCode {
    if let Some(number) = status.signal()
        && let Ok(killed_by) = Signal::try_from(number)
    {
        // The player has dumped its core already, if it should.
        let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
        // SAFETY: the default action is not a function, so no code runs as a handler.
        let _ = unsafe { signal(killed_by, SigHandler::SigDfl) };
        let _ = raise(killed_by);
    }
    ExitCode::from(status.code().unwrap_or(1) as u8)
}

#[cfg(test)]
mod tests {
    use std::os::fd::IntoRawFd;

    use super::*;

    #[test]
    fn a_launcher_without_isolation_is_refused() {
        let (_ours, theirs) = UnixStream::pair().unwrap();
        let socket = theirs.into_raw_fd().to_string();
        let words =
            |isolation: &str| [socket.as_str(), isolation, "0", "player"].map(OsString::from);
        assert!(parse(&words(r#""Off""#)).is_none());
        let words = words(r#""Processes""#);
        let (_, isolation, allowed, command) = parse(&words).unwrap();
        assert_eq!((isolation, allowed), (Isolation::Processes, 0));
        assert_eq!(command, ["player"]);
    }
}
