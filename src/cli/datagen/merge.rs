//! `santorini datagen merge`: joins the shares of training data that several
//! machines made.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli::board::with_board_size;
use crate::cli::files::ForceArgs;
use crate::cli::output::{print, say};
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::train::data::DataReader;
use crate::train::merge::merge_data;

/// Join the shares of training data that several machines made
///
/// Example:
///   santorini datagen merge --out data.bin part-*.bin
///
/// The files must be all shares of one run. The new file is the same as one
/// machine would have made, up to the first games that a share does not have,
/// and can be gone on with like that one.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The files of `santorini datagen --shard`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads(&args.files);
    uses.creates(Some(&args.out)).check()?;
    let first = &args.files[0];
    let reader = DataReader::open(first);
    let reader = reader.map_err(|error| CliError::failed(first.display(), error))?;
    let progress = Progress::new(None, "merging");
    let merged = with_board_size!(reader.size(), N => merge_data::<N>(&args.files, &args.out));
    let merged = merged.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => CliError::Usage(error.to_string()),
        _ => CliError::Failed(error.to_string()),
    })?;
    progress.finish();
    print(format_args!(
        "{} positions in {}; {} duplicates left out\n",
        merged.records,
        args.out.display(),
        merged.duplicates
    ))?;
    for remark in &merged.remarks {
        say(&format!("santorini: {remark}"));
    }
    for (share, blocks) in &merged.left_out {
        say(&format!(
            "{blocks} blocks of share {share} are left out, since share {} ends before them",
            merged.shortest
        ));
    }
    Ok(ExitCode::SUCCESS)
}
