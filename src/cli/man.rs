//! `santorini man`: manual pages.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::files::{ForceArgs, write_file};
use super::output::say;
use super::{CliError, CliResult, help};
use crate::files::{Kind, begins_and_holds};

/// Write manual pages, one for each command
///
/// Examples:
///   santorini man ~/.local/share/man/man1
///   santorini man pages && man -l pages/santorini-tournament.1
///
/// They contain the text of `santorini help COMMAND`. The folder is created if it
/// does not exist.
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

/// What the foot of a page names.
const SOURCE: &str = concat!("santorini ", env!("CARGO_PKG_VERSION"));

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let folder = &args.folder;
    if folder.exists() && !folder.is_dir() {
        return Err(CliError::Usage(format!(
            "{} is not a folder; name a folder for the pages",
            folder.display()
        )));
    }
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
    let man = Man::new(command.clone());
    pages.push((man.get_filename(), page(command, &man)?));
    let below = command.get_subcommands();
    below
        .filter(|command| !command.is_hide_set())
        .try_for_each(|command| add_pages(command, pages))
}

/// The page of a command. The lines of its help stay as they are, for the sake of examples
/// and tables. Nothing is hyphenated.
fn page(command: &Command, man: &Man) -> io::Result<Vec<u8>> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut title = Roff::new();
    // It has no date: a page depends on the version alone.
    title.control("TH", [name, "1", "\"\"", SOURCE]);
    title.control("nh", []).control("ad", ["l"]);
    let mut text = Vec::new();
    title.to_writer(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    if let Some(about) = command.get_long_about().or(command.get_about()) {
        verbatim("DESCRIPTION", &about.to_string()).to_writer(&mut text)?;
    }
    man.render_options_section(&mut text)?;
    match name.strip_prefix("santorini-") {
        None => commands(command).to_writer(&mut text)?,
        Some(_) if command.has_subcommands() => man.render_subcommands_section(&mut text)?,
        Some(_) => {}
    }
    if let Some(more) = command.get_after_long_help() {
        verbatim("EXTRA", &more.to_string()).to_writer(&mut text)?;
    }
    if let Some(guide) = name.strip_prefix("santorini-").and_then(help::guide) {
        verbatim("GUIDE", guide).to_writer(&mut text)?;
    }
    Ok(plain(&String::from_utf8_lossy(&text)).into_bytes())
}

/// A section whose lines stay as they are, at the left margin: they are up to 80 columns
/// wide.
fn verbatim(heading: &str, text: &str) -> Roff {
    let mut section = Roff::new();
    section.control("SH", [heading]);
    section.control("in", ["0"]).control("nf", []);
    for line in text.lines() {
        section.text([roman(line)]);
    }
    section
}

/// The commands of the program and the topics, in the groups of `santorini help`.
fn commands(program: &Command) -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["COMMANDS"]);
    let mut list = |(heading, rows): help::List, of: &str, page: &str| {
        section.control("SS", [heading]);
        for (name, about) in rows {
            section.control("TP", []);
            section.text([roman(format!("{of}{name}{page}"))]);
            section.text([roman(about)]);
        }
    };
    for group in help::command_lists(program) {
        list(group, "santorini-", "(1)");
    }
    list(help::topic_list(), "", "");
    section
}

/// A page with a single definition of the apostrophe, instead of one in each of its parts, and
/// with escapes for the characters that would be shown as typographic ones.
fn plain(text: &str) -> String {
    let definition = Roff::new().render();
    let text = text.replace(&definition, "");
    let characters = [('`', "\\(ga"), ('^', "\\(ha"), ('~', "\\(ti")];
    let escaped = characters
        .iter()
        .fold(text, |text, (plain, escape)| text.replace(*plain, escape));
    definition + &escaped
}
