//! The options of the engine, shared by every subcommand that searches.

use crate::eval::EvalKind;
use crate::search::EngineOptions;

/// The variable with the number of threads.
pub const THREADS_VARIABLE: &str = "SANTORINI_THREADS";

/// How the engine is set up.
#[derive(clap::Args)]
pub struct EngineArgs {
    /// The size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// How many threads search; without it the environment variable
    /// SANTORINI_THREADS says, or else there is one on each core.
    #[arg(long, env = THREADS_VARIABLE, value_name = "N", hide_env = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// What evaluates positions: network, tuned, paper, or the file of another
    /// network.
    #[arg(long, value_name = "NAME", default_value = "network")]
    eval: EvalKind,
}

impl EngineArgs {
    /// The engine's options.
    pub fn options(&self) -> EngineOptions {
        EngineOptions {
            hash_mib: self.hash as usize,
            threads: self.threads.map_or_else(all_cores, usize::from),
            eval: self.eval,
        }
    }
}

/// The number of cores this process may use.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}
