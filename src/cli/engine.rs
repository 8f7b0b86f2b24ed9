//! The options of the engine, shared by all commands that search.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use clap::builder::RangedI64ValueParser;

use super::CliError;
use super::input::read_input;
use super::output::say_once;
use crate::eval::network::features::FeatureSet;
use crate::eval::{EvalError, EvalKind};
use crate::files::read_file;
use crate::fnv::Fnv;
use crate::jobs::{Jobs, MOST_THREADS, default_threads};
use crate::search::{EngineOptions, MOST_HASH_MIB, ParamSets};
use crate::train::params::file::ParamsFile;

/// The environment variable for the number of threads.
pub(super) const THREADS_VARIABLE: &str = "SANTORINI_THREADS";

/// Help of `--threads` in commands whose results must not depend on the machine.
pub(super) const ONE_THREAD: &str = "The number of search threads. The default is the environment \
     variable SANTORINI_THREADS, or else one";

/// The options of the engine.
#[derive(clap::Args)]
pub(super) struct EngineArgs {
    /// The size of the transposition table.
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=MOST_HASH_MIB as i64))]
    hash: u32,
    /// The number of search threads. The default is the environment variable
    /// SANTORINI_THREADS, or else one on each core.
    #[arg(long, env = THREADS_VARIABLE, value_name = "N", hide_env = true,
          value_parser = parse_threads)]
    threads: Option<u16>,
    /// The evaluation: network, tuned, paper, or the file of a network.
    #[arg(long, value_name = "NAME", default_value = "network")]
    eval: EvalArg,
    /// Read search parameters from this file, as `santorini tune` writes it. All other
    /// parameters keep their built-in values.
    #[arg(long, value_name = "FILE")]
    params: Option<ParamsArg>,
}

impl EngineArgs {
    /// The evaluation.
    pub(super) fn eval(&self) -> &EvalArg {
        &self.eval
    }

    /// The engine's options, by default with a thread on each core.
    pub(super) fn options(&self) -> EngineOptions {
        self.options_with(default_threads())
    }

    /// The engine's options, by default with this number of threads.
    pub(super) fn options_with(&self, threads: usize) -> EngineOptions {
        EngineOptions {
            hash_mib: self.hash as usize,
            threads: self.threads.map_or(threads, usize::from),
            eval: self.eval.kind,
            params: (self.params.as_ref()).map_or(ParamSets::BUILT_IN, |params| params.sets),
        }
    }

    /// Checksums of the contents of the files, which may change later.
    pub(super) fn checksums(&self) -> Vec<String> {
        let params = self.params.as_ref();
        let params = params.map(|params| hex(Fnv::of(format!("{:?}", params.sets).as_bytes())));
        self.eval.checksum().into_iter().chain(params).collect()
    }

    /// The files that the options name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let params = self.params.as_ref().map(|params| params.file.as_path());
        self.eval.file().into_iter().chain(params)
    }
}

/// The parameters of the search that `--params` names, and their file.
#[derive(Clone, Debug)]
struct ParamsArg {
    sets: ParamSets,
    file: PathBuf,
}

impl FromStr for ParamsArg {
    type Err = String;

    /// The built-in values, replaced by those in the file.
    fn from_str(name: &str) -> Result<Self, String> {
        let path = Path::new(name);
        let file = read_params_file(path).map_err(|error| error.to_string())?;
        let ParamSets { base, cards } = ParamSets::BUILT_IN;
        Ok(Self {
            sets: ParamSets {
                base: file.params(base),
                cards: file.params(cards),
            },
            file: path.to_path_buf(),
        })
    }
}

/// The evaluation that `--eval` names, and the name.
#[derive(Clone, Debug)]
pub(super) struct EvalArg {
    pub kind: EvalKind,
    name: String,
}

impl EvalArg {
    /// The file of the network; `None` if it is built in.
    pub(super) fn file(&self) -> Option<&Path> {
        let is_file = EvalKind::built_in(&self.name).is_none();
        is_file.then(|| Path::new(&self.name))
    }

    /// Checks that the network of a file is used in games with one of these features.
    ///
    /// # Errors
    /// If all these games would be played by the built-in network.
    pub(super) fn expect_games<const N: usize>(
        &self,
        mut features: impl Iterator<Item = FeatureSet>,
    ) -> Result<(), CliError> {
        let (Some(file), EvalKind::Network(networks)) = (self.file(), self.kind) else {
            return Ok(());
        };
        if features.any(|features| networks.is_changed_for::<N>(features)) {
            return Ok(());
        }
        Err(CliError::Usage(format!(
            "--eval {}: this network is for other games (with or without cards, or another board \
             size); these games would use the built-in network",
            file.display()
        )))
    }

    /// The checksum of the network of a file; `None` if it is built in.
    pub(super) fn checksum(&self) -> Option<String> {
        self.file()?;
        match self.kind {
            EvalKind::Network(networks) => Some(hex(networks.checksum())),
            EvalKind::Weighted(_) => None,
        }
    }
}

/// A checksum in hexadecimal.
fn hex(sum: u64) -> String {
    format!("{sum:016x}")
}

impl FromStr for EvalArg {
    type Err = EvalError;

    fn from_str(name: &str) -> Result<Self, EvalError> {
        let (kind, remark) = EvalKind::named(name, read_file)?;
        if let Some(remark) = remark {
            say_once(&format!("santorini: {name}: {remark}"));
        }
        Ok(Self {
            kind,
            name: name.to_string(),
        })
    }
}

impl fmt::Display for EvalArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Reads a number of threads. The error names the variable too: it may hold the value.
fn parse_threads(text: &str) -> Result<u16, String> {
    let threads = text.parse().ok();
    let threads = threads.filter(|&it| (1..=MOST_THREADS).contains(&usize::from(it)));
    threads.ok_or_else(|| format!("use 1 to {MOST_THREADS} threads, here or in {THREADS_VARIABLE}"))
}

/// Reads a number of threads of at least `least`, which is 0 or 1.
pub(super) fn threads_from(least: i64) -> RangedI64ValueParser<u16> {
    RangedI64ValueParser::new().range(least..=MOST_THREADS as i64)
}

/// The number of threads of an option: 0 is one on each core.
pub(super) fn threads_of(option: u16) -> usize {
    match option {
        0 => default_threads(),
        _ => option.into(),
    }
}

/// Jobs on the threads of an option, which work until `stop` is set.
pub(super) fn jobs(threads: u16, stop: &AtomicBool) -> Jobs<'_> {
    Jobs {
        threads: threads_of(threads),
        stop,
    }
}

/// The maximum size of a file of search parameters, in bytes.
const LARGEST_PARAMS: u64 = 1 << 16;

/// Reads a file of search parameters.
///
/// # Errors
/// If it cannot be read, or is invalid.
pub(super) fn read_params_file(path: &Path) -> Result<ParamsFile, CliError> {
    let text = read_input(path, LARGEST_PARAMS)?;
    text.parse()
        .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}
