//! Notices when a process opens a player's pipes by a name, which `/proc/PID/fd` has for
//! each. So another player that is not isolated can write answers or take questions away.

use std::os::fd::AsFd;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;

/// Watches the pipes of one player.
#[derive(Default)]
pub(super) struct PipeWatch {
    #[cfg(target_os = "linux")]
    opened: Option<nix::sys::inotify::Inotify>,
}

#[cfg(target_os = "linux")]
impl PipeWatch {
    /// Watches these pipes, if the system can do that.
    pub(super) fn of(pipes: [&dyn AsFd; 2]) -> Self {
        use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};

        let flags = InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC;
        let opened = Inotify::init(flags).and_then(|watch| {
            for pipe in pipes {
                let name = format!("/proc/self/fd/{}", pipe.as_fd().as_raw_fd());
                watch.add_watch(name.as_str(), AddWatchFlags::IN_OPEN)?;
            }
            Ok(watch)
        });
        Self {
            opened: opened.ok(),
        }
    }

    /// Whether a pipe was opened since the last look.
    pub(super) fn was_opened(&self) -> bool {
        let events = self.opened.as_ref().map(|watch| watch.read_events());
        events.is_some_and(|events| events.is_ok_and(|events| !events.is_empty()))
    }
}

#[cfg(not(target_os = "linux"))]
impl PipeWatch {
    pub(super) fn of(_: [&dyn AsFd; 2]) -> Self {
        Self::default()
    }

    pub(super) fn was_opened(&self) -> bool {
        false
    }
}
