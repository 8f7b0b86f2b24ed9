//! The pipes of a player's standard streams. Waits until one is ready, and notices when a
//! process opens one through its name in `/proc/PID/fd`. That is how another player that is
//! not isolated can write answers or take questions away.

use std::io::{self, ErrorKind, Write};
use std::os::fd::{AsFd, AsRawFd};
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

/// Makes reads and writes of the pipe return at once.
pub(super) fn never_block(pipe: impl AsFd) -> io::Result<()> {
    let pipe = pipe.as_fd();
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

/// Writes as much as the pipe takes, and keeps the rest.
///
/// # Errors
/// If no process can read from the pipe any more.
pub(super) fn write_ready(pipe: &mut impl Write, unsent: &mut Vec<u8>) -> io::Result<()> {
    while !unsent.is_empty() {
        match pipe.write(unsent) {
            Ok(count) => drop(unsent.drain(..count)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether no process can read from the pipe any more.
pub(super) fn has_no_reader(pipe: &ChildStdin) -> bool {
    let mut polled = [PollFd::new(pipe.as_fd(), PollFlags::empty())];
    // Only errors are reported without being asked for.
    let _ = poll(&mut polled, PollTimeout::ZERO);
    polled[0].any().unwrap_or(false)
}

/// Watches these pipes of a player.
pub(super) fn watch(pipes: [&dyn AsFd; 2]) -> OpenWatch {
    let watch = OpenWatch::new();
    for pipe in pipes {
        watch.add(&format!("/proc/self/fd/{}", pipe.as_fd().as_raw_fd()));
    }
    watch
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn what_a_pipe_has_no_room_for_is_kept() {
        let (mut writer, mut reader) = UnixStream::pair().unwrap();
        never_block(&writer).unwrap();
        let mut unsent = vec![7; 1 << 20];
        write_ready(&mut writer, &mut unsent).unwrap();
        assert!(!unsent.is_empty());
        let mut received = 0;
        while received < 1 << 20 {
            received += reader.read(&mut [0; 1 << 16]).unwrap();
            write_ready(&mut writer, &mut unsent).unwrap();
        }
        assert!(unsent.is_empty());
        // A process that another test is starting may hold a copy of the socket for a moment, so
        // dropping the reader might not close it yet.
        reader.shutdown(Shutdown::Both).unwrap();
        assert!(write_ready(&mut writer, &mut vec![7]).is_err());
    }
}
