//! The options of commands that make a book by searching, and writing the book.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::CliError;
use super::engine::{EvalArg, jobs, threads_from};
use super::files::{ForceArgs, keep_complete};
use super::interrupt::stop_flag;
use super::output::{file_of, write_or_print};
use crate::files::Kind;
use crate::jobs::{Jobs, default_threads};

/// The options of commands that make a book by searching.
#[derive(clap::Args)]
pub(super) struct MakingArgs {
    /// How many searches run at the same time. The default is one on each core.
    #[arg(long, value_name = "N", default_value_t = default_threads() as u16,
          hide_default_value = true, value_parser = threads_from(1))]
    threads: u16,
    /// The evaluation: network, tuned, paper, or the file of a network.
    #[arg(long, value_name = "NAME", default_value = "network")]
    pub eval: EvalArg,
    /// The file to write, or - for standard output, which is the default.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

impl MakingArgs {
    /// Checks that the result, a file of this kind, can be written and is not also read;
    /// returns the flag that signals set.
    pub(super) fn prepare(
        &self,
        kind: Kind,
        reads: &[PathBuf],
    ) -> Result<Arc<AtomicBool>, CliError> {
        let uses = self.force.uses().reads(self.eval.file());
        let uses = uses.reads(reads);
        uses.replaces(file_of(self.out.as_ref()), kind).check()?;
        stop_flag()
    }

    /// The threads, which work until `stop` is set.
    pub(super) fn jobs<'a>(&self, stop: &'a AtomicBool) -> Jobs<'a> {
        jobs(self.threads, stop)
    }

    /// Checks that a part of the result does not replace a file, which may be complete.
    ///
    /// # Errors
    /// As [`keep_complete`].
    pub(super) fn keep_complete(&self) -> Result<(), CliError> {
        file_of(self.out.as_ref()).map_or(Ok(()), keep_complete)
    }

    /// Writes the result.
    pub(super) fn write(&self, text: &str) -> Result<(), CliError> {
        write_or_print(file_of(self.out.as_ref()), text)
    }
}
