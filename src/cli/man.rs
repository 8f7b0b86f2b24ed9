//! `santorini man`: manual pages.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Command;
use clap_mangen::Man;

use super::files::{ForceArgs, write_file};
use super::output::say;
use super::{CliError, CliResult};
use crate::files::{Kind, begins_and_holds};

/// Write manual pages, one for each command
///
/// Examples:
///   santorini man ~/.local/share/man/man1
///   santorini man pages && man -l pages/santorini-tournament.1
///
/// They contain the text of `santorini help COMMAND`. The folder is created if it does
/// not exist.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The folder for the pages.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

const PAGE_FILE: Kind = Kind {
    name: "a manual page of `santorini man`",
    begins: |head| begins_and_holds(head, ".ie ", "\n.TH santorini"),
};

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let folder = &args.folder;
    let failed = |error| CliError::failed(folder.display(), error);
    let mut program = super::command();
    program.build();
    let mut pages = Vec::new();
    add_pages(&program, &mut pages).map_err(failed)?;
    fs::create_dir_all(folder).map_err(failed)?;
    let mut uses = args.force.uses();
    for (name, _) in &pages {
        uses = uses.replaces(Some(&folder.join(name)), PAGE_FILE);
    }
    uses.check()?;
    for (name, page) in &pages {
        write_file(&folder.join(name), page)?;
    }
    say(&format!(
        "{} pages are in {}",
        pages.len(),
        folder.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// Adds the pages of a command and its subcommands, with their file names.
fn add_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let page = Man::new(command.clone()).source(concat!("santorini ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((page.get_filename(), text));
    let below = command.get_subcommands();
    below
        .filter(|command| !command.is_hide_set())
        .try_for_each(|command| add_pages(command, pages))
}
