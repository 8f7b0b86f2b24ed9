//! Notices when files are opened, including the files of processes in `/proc`. Does nothing
//! on systems other than Linux.

#[cfg(target_os = "linux")]
mod system {
    use std::os::fd::{AsFd, BorrowedFd};

    use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};

    /// A watched file.
    pub(crate) type WatchedFile = WatchDescriptor;

    /// A watch over files; without any if the system allows none.
    #[derive(Default)]
    pub(crate) struct OpenWatch(Option<Inotify>);

    impl OpenWatch {
        pub(crate) fn new() -> Self {
            Self(Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).ok())
        }

        /// Watches a file from now on; `None` if that is not possible.
        pub(crate) fn add(&self, path: &str) -> Option<WatchedFile> {
            let watch = self.0.as_ref()?;
            watch.add_watch(path, AddWatchFlags::IN_OPEN).ok()
        }

        pub(crate) fn remove(&self, file: WatchedFile) {
            if let Some(watch) = &self.0 {
                // A file that was removed is no longer watched.
                let _ = watch.rm_watch(file);
            }
        }

        /// The files that were opened since the last call, once for each time.
        pub(crate) fn opened(&self) -> Vec<WatchedFile> {
            let events = self.0.as_ref().and_then(|watch| watch.read_events().ok());
            let mut events = events.unwrap_or_default();
            events.retain(|event| event.mask.contains(AddWatchFlags::IN_OPEN));
            events.into_iter().map(|event| event.wd).collect()
        }

        /// The descriptor that becomes readable when a file is opened.
        pub(crate) fn events(&self) -> Option<BorrowedFd<'_>> {
            self.0.as_ref().map(AsFd::as_fd)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::os::fd::BorrowedFd;

    pub(crate) type WatchedFile = u32;

    #[derive(Default)]
    pub(crate) struct OpenWatch;

    impl OpenWatch {
        pub(crate) fn new() -> Self {
            Self
        }

        pub(crate) fn add(&self, _: &str) -> Option<WatchedFile> {
            None
        }

        pub(crate) fn remove(&self, _: WatchedFile) {}

        pub(crate) fn opened(&self) -> Vec<WatchedFile> {
            Vec::new()
        }

        pub(crate) fn events(&self) -> Option<BorrowedFd<'_>> {
            None
        }
    }
}

pub(super) use system::{OpenWatch, WatchedFile};
