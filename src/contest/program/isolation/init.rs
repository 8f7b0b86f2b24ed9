//! The first process of a player's PID namespace. It collects orphans and watches the limits.
//! When it ends, the kernel kills all other processes of the namespace.

use std::io::{self, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::AsFd;

use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::prctl;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork};

use super::super::pipes::never_block;
use super::launcher::close_streams;
use super::message::{receive, send};
use super::usage::{Usage, memory_once};
use super::{Isolation, ResourceLimits, namespaces, restrictions};

/// The interval between checks, in milliseconds.
const CHECK_INTERVAL: u8 = 20;

/// The init process, as its parent knows it.
pub(super) struct Init(BufReader<PipeReader>);

impl Init {
    /// Why it ended the player, if it did.
    pub(super) fn reason(self) -> Option<String> {
        let mut reader = self.0;
        // If it still runs, it has written nothing.
        never_block(reader.get_ref()).ok()?;
        let mut reason = String::new();
        let _ = reader.read_to_string(&mut reason);
        (!reason.is_empty()).then_some(reason)
    }
}

/// Starts the init. Must be the first process that the launcher starts in its namespaces.
/// Adds to `missing` what the kernel does not allow.
///
/// # Errors
/// If it cannot be started.
pub(super) fn start(isolation: Isolation, missing: &mut Vec<String>) -> io::Result<Init> {
    let (reader, writer) = pipe()?;
    // The player gets the launcher's number, which no other process of the machine has.
    let player = std::process::id();
    // SAFETY: the launcher has a single thread, so the child may do anything: no lock is
    // held by a thread that it lacks.
    match unsafe { fork() }? {
        ForkResult::Child => {
            drop(reader);
            run(isolation, player, writer);
            std::process::exit(1)
        }
        ForkResult::Parent { .. } => {
            drop(writer);
            let mut reader = BufReader::new(reader);
            missing.extend(receive::<Vec<String>>(&mut reader)?);
            Ok(Init(reader))
        }
    }
}

/// Runs the init of a player that is to have this number. Returns on errors, when the player
/// exceeds a limit, and when the launcher has ended.
fn run(isolation: Isolation, player: u32, mut launcher: PipeWriter) {
    let _ = prctl::set_name(c"player-init");
    let mut missing = Vec::new();
    namespaces::mount_processes(&mut missing);
    namespaces::number_next(player);
    namespaces::protect_settings(&mut missing);
    let ready = close_streams().and_then(|()| restrictions::drop_capabilities());
    if ready.and_then(|()| send(&launcher, &missing)).is_err() {
        return;
    }
    while runs(&launcher) {
        collect();
        if let Isolation::Full(limits) = isolation
            && let Some(reason) = exceeded(limits)
        {
            let _ = launcher.write_all(reason.as_bytes());
            return;
        }
    }
}

/// Waits for [`CHECK_INTERVAL`]. Returns whether the launcher still runs: its end closes its end
/// of the pipe. (`PR_SET_PDEATHSIG` would not do: since Linux 6.12 Landlock stops its signal.)
fn runs(launcher: &PipeWriter) -> bool {
    let mut closed = [PollFd::new(launcher.as_fd(), PollFlags::empty())];
    poll(&mut closed, CHECK_INTERVAL) != Ok(1)
}

/// Which limit the player exceeds.
fn exceeded(limits: ResourceLimits) -> Option<String> {
    let used = Usage::now();
    if used.processes > limits.processes {
        return Some(format!(
            "it had more than {} processes and threads",
            limits.processes
        ));
    }
    if used.memory > limits.memory && memory_once() > limits.memory {
        let most = limits.memory >> 20;
        return Some(format!("it used more than {most} MB of memory"));
    }
    None
}

/// Collects orphans that have ended.
fn collect() {
    while matches!(
        waitpid(None, Some(WaitPidFlag::WNOHANG)),
        Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..))
    ) {}
}
