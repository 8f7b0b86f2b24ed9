//! `santorini datagen merge`: joins the shares of training data that several
//! machines made.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use crate::cli::board::with_board_size;
use crate::cli::files::ForceArgs;
use crate::cli::output::{print, say};
use crate::cli::{CliError, CliResult};
use crate::files::{folder_of, unfinished};
use crate::train::data::DataReader;
use crate::train::merge::merge_data;

/// Join the shares of training data that several machines made.
///
/// The files must be all shares of one run. The new file is the same as one
/// machine would have made, up to the first games that a share does not have,
/// and can be gone on with like that one.
#[derive(clap::Args)]
#[command(before_long_help = "\
Example:
  santorini datagen merge --out data.bin part-*.bin")]
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

/// Writes a file in place of another one, which stays if that fails.
fn replaced<T>(old: &Path, write: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let old = fs::canonicalize(old)?;
    let new = unfinished(folder_of(&old))?.into_temp_path();
    fs::remove_file(&new)?;
    let done = write(&new)?;
    new.persist(&old)?;
    Ok(done)
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads(&args.files);
    uses.creates(Some(&args.out)).check()?;
    let first = &args.files[0];
    let reader = DataReader::open(first);
    let reader = reader.map_err(|error| CliError::failed(first.display(), error))?;
    let merge =
        |out: &Path| with_board_size!(reader.size(), N => merge_data::<N>(&args.files, out));
    let merged = if args.force.force && args.out.is_file() {
        replaced(&args.out, merge)
    } else {
        merge(&args.out)
    };
    let merged = merged.map_err(|error| CliError::Usage(error.to_string()))?;
    print(format_args!(
        "{} positions in {}; {} duplicates left out\n",
        merged.records,
        args.out.display(),
        merged.duplicates
    ))?;
    for (share, blocks) in &merged.left_out {
        say(&format!(
            "{blocks} blocks of share {share} are left out, since share {} ends before them",
            merged.shortest
        ));
    }
    Ok(ExitCode::SUCCESS)
}
