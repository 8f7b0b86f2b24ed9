//! The clock of searches and games: the standard library's, or the host's on WebAssembly,
//! which has none.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use host::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "santorini")]
    unsafe extern "C" {
        /// The milliseconds since a fixed moment, such as `performance.now()`. The host
        /// that loads the module provides it.
        //
        // SAFETY: it takes no arguments, and any result is valid.
        safe fn milliseconds() -> f64;
    }

    /// A moment, with the methods of [`std::time::Instant`] that this program uses.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        /// The current moment.
        pub(crate) fn now() -> Self {
            let now = Duration::try_from_secs_f64(milliseconds() / 1000.0);
            Self(now.unwrap_or_default())
        }

        /// The time since this moment.
        pub(crate) fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }
}
