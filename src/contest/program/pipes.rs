//! The pipes of a player's standard streams. Waits until one is ready, and notices when a
//! process opens one through its name in `/proc/PID/fd`. That is how another player that is
//! not isolated can write answers or take questions away.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::open_watch::OpenWatch;

/// The child's three pipes, made non-blocking.
pub(super) fn open_pipes(child: &mut Child) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
    let stdin = child.stdin.take()?;
    let stdout = child.stdout.take()?;
    let stderr = child.stderr.take()?;
    for pipe in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
        never_block(pipe).ok()?;
    }
    Some((stdin, stdout, stderr))
}

fn never_block(pipe: BorrowedFd) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(pipe, FcntlArg::F_GETFL)?);
    fcntl(pipe, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

/// Which of a player's pipes can be used without waiting.
pub(super) struct Ready {
    pub stdin: bool,
    pub stdout: bool,
    pub stderr: bool,
}

/// Waits until a pipe is ready, at most for `time`.
pub(super) fn wait(
    stdout: &ChildStdout,
    stderr: Option<&ChildStderr>,
    stdin: Option<&ChildStdin>,
    time: Duration,
) -> Ready {
    let fds = [
        Some((stdout.as_fd(), PollFlags::POLLIN)),
        stderr.map(|fd| (fd.as_fd(), PollFlags::POLLIN)),
        stdin.map(|fd| (fd.as_fd(), PollFlags::POLLOUT)),
    ];
    let mut polled: Vec<PollFd> = fds
        .iter()
        .flatten()
        .map(|&(fd, flags)| PollFd::new(fd, flags))
        .collect();
    // Rounded up, so that the last part of a millisecond is no busy loop.
    let timeout = PollTimeout::try_from(time + Duration::from_micros(999));
    // An error (a signal came) leaves nothing ready; the caller asks again.
    let _ = poll(&mut polled, timeout.unwrap_or(PollTimeout::MAX));
    let mut polled = polled.iter();
    let [stdout, stderr, stdin] = fds.map(|fd| {
        fd.and_then(|_| polled.next())
            .is_some_and(|fd| fd.any().unwrap_or(false))
    });
    Ready {
        stdin,
        stdout,
        stderr,
    }
}

/// Watches these pipes of a player.
pub(super) fn watch(pipes: [&dyn AsFd; 2]) -> OpenWatch {
    let watch = OpenWatch::new();
    for pipe in pipes {
        watch.add(&format!("/proc/self/fd/{}", pipe.as_fd().as_raw_fd()));
    }
    watch
}
