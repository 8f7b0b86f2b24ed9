//! The limit on open files.

use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};

/// A limit that is enough for 1024 games at a time. It is not higher, because players inherit
/// it, and some programs close every possible file when they start. macOS accepts no more than
/// 10,240.
const ENOUGH: rlim_t = if cfg!(target_os = "macos") {
    10_240
} else {
    65_536
};

/// Raises the soft limit on open files (`ulimit -Sn`) up to the hard limit, or to [`ENOUGH`] if
/// that is lower.
pub(crate) fn raise_file_limit() {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < hard.min(ENOUGH)
    {
        // If this fails, the limit stays as it is.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard.min(ENOUGH), hard);
    }
}
