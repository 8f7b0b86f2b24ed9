//! The options of the engine, shared by every subcommand that searches.

use std::path::Path;

use super::{CliError, read_input};
use crate::eval::EvalKind;
use crate::jobs::default_threads;
use crate::search::{EngineOptions, ParamSets};
use crate::train::params::file::ParamsFile;

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
    /// Search with the numbers of this file, as `santorini tune` writes it;
    /// those that are not in it are as they are built in.
    #[arg(long, value_name = "FILE", value_parser = read_params)]
    params: Option<ParamSets>,
}

impl EngineArgs {
    /// The engine's options; if the threads are not said, one on each core.
    pub fn options(&self) -> EngineOptions {
        self.options_with(default_threads())
    }

    /// The engine's options; with so many threads if they are not said.
    pub fn options_with(&self, threads: usize) -> EngineOptions {
        EngineOptions {
            hash_mib: self.hash as usize,
            threads: self.threads.map_or(threads, usize::from),
            eval: self.eval,
            params: self.params.unwrap_or(ParamSets::BUILT_IN),
        }
    }
}

/// The number of threads that an option says: 0 is one on each core.
pub fn threads_of(option: usize) -> usize {
    if option == 0 {
        default_threads()
    } else {
        option
    }
}

/// The numbers built in with those of the file with this name.
fn read_params(path: &str) -> Result<ParamSets, String> {
    let file = read_params_file(Path::new(path)).map_err(|error| error.to_string())?;
    let ParamSets { base, cards } = ParamSets::BUILT_IN;
    Ok(ParamSets {
        base: file.params(base),
        cards: file.params(cards),
    })
}

/// The largest file of numbers that is read, in bytes.
const LARGEST_PARAMS: u64 = 1 << 16;

/// Reads a file of numbers of the search.
///
/// # Errors
/// If it cannot be read, or holds something else.
pub fn read_params_file(path: &Path) -> Result<ParamsFile, CliError> {
    let text = read_input(path, LARGEST_PARAMS)?;
    text.parse()
        .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}
