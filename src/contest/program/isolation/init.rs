//! The first process of a player's PID namespace. The kernel kills all others when it
//! ends, which it does with the launcher. It collects orphans and watches the limits.

use std::io::{self, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::thread::sleep;
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork};

use super::launcher::close_streams;
use super::message::receive;
use super::{Isolation, ResourceLimits, namespaces, restrictions};
use crate::program::process_list::{ids, page_size, stat, threads_and_pages};

/// The interval between checks of the limits.
const LOOK: Duration = Duration::from_millis(20);

/// The init process, as its parent knows it.
pub(super) struct Init(BufReader<PipeReader>);

impl Init {
    /// Why it ended the player, if it did.
    pub(super) fn reason(self) -> Option<String> {
        let mut reader = self.0;
        // It may still run, and then says nothing.
        fcntl(reader.get_ref(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).ok()?;
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

/// Runs the init of a player that is to have this number. Returns on errors, and when the
/// player exceeds a limit.
fn run(isolation: Isolation, player: u32, mut parent: PipeWriter) {
    // If the launcher has ended before this, the first message to it fails.
    let _ = prctl::set_pdeathsig(Signal::SIGKILL);
    let _ = prctl::set_name(c"player-init");
    let mut missing = Vec::new();
    namespaces::mount_all(isolation, &mut missing);
    namespaces::number_next(player);
    let Ok(mut line) = serde_json::to_vec(&missing) else {
        return;
    };
    line.push(b'\n');
    let ready = close_streams().and_then(|()| restrictions::drop_capabilities());
    if ready.and_then(|()| parent.write_all(&line)).is_err() {
        return;
    }
    match isolation {
        Isolation::Full(limits) => {
            let reason = watch(limits);
            let _ = parent.write_all(reason.as_bytes());
        }
        Isolation::Off | Isolation::Processes => collect_orphans(),
    }
}

fn collect_orphans() {
    let ended = SigSet::from(Signal::SIGCHLD);
    // A blocked signal is kept until it is waited for.
    while ended.thread_block().and_then(|()| ended.wait()).is_ok() {
        collect();
    }
}

/// Collects orphans until a limit is exceeded. Returns which.
fn watch(limits: ResourceLimits) -> String {
    loop {
        collect();
        let used = Usage::now();
        if used.processes > limits.processes {
            return format!(
                "it had more than {} processes and threads",
                limits.processes
            );
        }
        if used.memory > limits.memory {
            let most = limits.memory >> 20;
            return format!("it used more than {most} MB of memory");
        }
        sleep(LOOK);
    }
}

fn collect() {
    while matches!(
        waitpid(None, Some(WaitPidFlag::WNOHANG)),
        Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..))
    ) {}
}

/// The memory and number of the processes in `/proc`, without this one.
#[derive(Debug, Default)]
struct Usage {
    memory: u64,
    processes: u64,
}

impl Usage {
    fn now() -> Self {
        let page = page_size();
        let mut used = Self::default();
        for stat in ids().filter(|&id| id != 1).filter_map(stat) {
            if let Some((threads, pages)) = threads_and_pages(&stat) {
                used.processes += threads;
                used.memory += pages * page;
            }
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    /// A process that holds this many bytes until its input is closed.
    fn holding(bytes: usize) -> std::process::Child {
        let mut tail = std::process::Command::new("tail");
        tail.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = tail.spawn().unwrap();
        // `tail` holds all of an unfinished line.
        let input = child.stdin.as_mut().unwrap();
        input.write_all(&vec![b'.'; bytes]).unwrap();
        child
    }

    #[test]
    fn memory_and_threads_of_every_process_count() {
        const HELD: u64 = 64 << 20;
        let mut child = holding(HELD as usize);
        let (threads, pages) = threads_and_pages(&stat(child.id()).unwrap()).unwrap();
        assert_eq!(threads, 1);
        // The kernel counts pages for each processor, and adds them up now and then.
        assert!(
            (pages * page_size()).abs_diff(HELD) < HELD / 4,
            "{pages} pages"
        );
        let used = Usage::now();
        // With this process, which has at least two threads.
        assert!(used.processes >= 3, "{used:?}");
        assert!(used.memory > HELD * 3 / 4, "{used:?}");
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
