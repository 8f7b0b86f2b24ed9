//! The lowest layer: files, clocks, statistics, tables, charts, text. Nothing here knows
//! the game.
//!
//! May import: the standard library and other crates.
//!
//! | to see or change | look at |
//! |---|---|
//! | reading and writing files, which may be overwritten, locks | `files/` |
//! | work on several threads, results in order | `jobs.rs` |
//! | one machine's share of work split over several | `shard.rs` |
//! | time, also where there is no system clock | `clock.rs` |
//! | a clock that skips pauses of this process | `stopwatch.rs` |
//! | how long a thread has run or waited for a processor | `awake_clock.rs` |
//! | how much memory is left, also in a container | `memory.rs`, `cgroup.rs` |
//! | the program's allocator: what happens without memory | `allocator.rs` |
//! | reading data into the processor's caches | `cache.rs` |
//! | vector instructions: detection, functions compiled for them | `cpu.rs` |
//! | the random number generator, its seeds | `seeds.rs` |
//! | the FNV hash that file formats use | `fnv.rs` |
//! | reading whole numbers | `digits.rs` |
//! | ending on signals | `signals.rs` |
//! | the limit on open files | `open_files.rs` |
//! | locking after a panic | `mutex.rs` |
//! | quoting words for a shell | `shell.rs` |
//! | text that is safe on a terminal, excerpts, lists in sentences | `printable.rs` |
//! | text in HTML, the look of all pages | `markup/` |
//! | tables as text and HTML | `table.rs` |
//! | charts as SVG | `chart/` |
//! | Elo, sequential tests, ratings, SPSA | `stats/` |
//! | host names and ports that people type | `address.rs` |
//! | noticing that the other end of a connection has vanished | `keep_alive.rs` |
//! | serving a web page, limits on connections | `http/` |

#[macro_use]
pub(crate) mod cpu;

#[cfg(feature = "program")]
pub(crate) mod address;
#[cfg(feature = "program")]
pub mod allocator;
#[cfg(feature = "program")]
pub(crate) mod awake_clock;
pub(crate) mod cache;
#[cfg(all(unix, feature = "system"))]
mod cgroup;
#[cfg(feature = "program")]
pub(crate) mod chart;
pub(crate) mod clock;
pub(crate) mod digits;
pub mod files;
pub(crate) mod fnv;
#[cfg(feature = "program")]
pub mod http;
pub mod jobs;
#[cfg(feature = "program")]
pub(crate) mod keep_alive;
pub(crate) mod markup;
pub mod memory;
pub mod mutex;
#[cfg(feature = "program")]
pub(crate) mod open_files;
pub mod printable;
pub(crate) mod seeds;
#[cfg(feature = "program")]
pub mod shard;
#[cfg(feature = "program")]
pub(crate) mod shell;
#[cfg(feature = "program")]
pub(crate) mod signals;
pub mod stats;
#[cfg(feature = "program")]
pub(crate) mod stopwatch;
pub mod table;
