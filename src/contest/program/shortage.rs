//! What the machine lacks to start another program. It is not the player's fault.

use std::io;

use nix::errno::Errno;

/// What the machine lacks to start another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this machine cannot start another player: {0}")]
pub struct Shortage(&'static str);

impl Shortage {
    /// The shortage behind a failed start; `None` if it has another cause.
    pub(super) fn of(error: &io::Error) -> Option<Self> {
        let Some(number) = error.raw_os_error() else {
            let is_slow = error.kind() == io::ErrorKind::TimedOut;
            return is_slow.then_some(Self("the launcher did not answer within 20 s"));
        };
        let lacks = match Errno::from_raw(number) {
            Errno::EMFILE => "the limit on open files is reached (ulimit -n)",
            Errno::ENFILE => "the system's limit on open files is reached",
            Errno::EAGAIN => "the limit on processes or namespaces is reached (ulimit -u)",
            Errno::ENOMEM => "there is too little memory",
            _ => return None,
        };
        Some(Self(lacks))
    }
}
