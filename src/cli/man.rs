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

/// Write manual pages, one for each command.
///
/// They say what `santorini help` says of the command. The folder is made if it
/// is not there.
#[derive(clap::Args)]
#[command(before_long_help = "\
Examples:
  santorini man ~/.local/share/man/man1
  santorini man pages && man -l pages/santorini-tournament.1")]
pub struct Args {
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
pub fn run(args: &Args) -> CliResult {
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

/// Adds the pages of a command and all commands below it, by their file names.
fn add_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let page = Man::new(command.clone()).source(concat!("santorini ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text)?;
    let text = with_values(&String::from_utf8_lossy(&text), command);
    let text = copyable(&text);
    pages.push((page.get_filename(), text.into_bytes()));
    let below = command.get_subcommands();
    below
        .filter(|command| !command.is_hide_set())
        .try_for_each(|command| add_pages(command, pages))
}

/// The page with the values of the options in its synopsis too, where the crate that makes
/// it writes the bare options.
fn with_values(page: &str, command: &Command) -> String {
    let mut lines: Vec<String> = page.lines().map(String::from).collect();
    let synopsis = lines.iter().position(|line| line == ".SH SYNOPSIS");
    let Some(line) = synopsis.and_then(|head| lines.get_mut(head + 1)) else {
        return page.to_string();
    };
    for option in command
        .get_opts()
        .filter(|it| it.get_action().takes_values())
    {
        let Some(long) = option.get_long() else {
            continue;
        };
        let bare = format!("{}\\fR", roman(&format!("--{long}")));
        let values = option.get_value_names().unwrap_or_default();
        let values: String = values
            .iter()
            .map(|value| format!(" \\fI<{}>\\fR", roman(value)))
            .collect();
        let may_lack = option
            .get_num_args()
            .is_some_and(|range| range.min_values() == 0);
        let values = match may_lack {
            true => format!(" [{}]", values.trim_start()),
            false => values,
        };
        for end in ["]", ">"] {
            *line = line.replace(&format!("{bare}{end}"), &format!("{bare}{values}{end}"));
        }
    }
    lines.join("\n") + "\n"
}

/// A text as the pages have it: `-` would be a hyphen.
fn roman(text: &str) -> String {
    text.replace('-', r"\-")
}

/// The page with nothing hyphenated (`.nh`), indented lines left as they are (`.nf`
/// to `.fi`), and the characters of shells that would else become accents and
/// quotes, so that what is copied from it is what was written.
fn copyable(page: &str) -> String {
    let mut text = String::new();
    let mut is_example = false;
    for line in page.lines() {
        if is_example != line.starts_with("  ") {
            is_example = !is_example;
            text += if is_example { ".nf\n" } else { ".fi\n" };
        }
        let line = line.replace('`', r"\(ga").replace('^', r"\(ha");
        text += &line.replace('~', r"\(ti");
        text.push('\n');
        if line.starts_with(".TH ") {
            text += ".nh\n";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_stay_as_they_are_written() {
        let page = ".TH a 1\nExamples:\n  a ~/b\n  c^d\n.PP\nSay `a`.\n";
        assert_eq!(
            copyable(page),
            ".TH a 1\n.nh\nExamples:\n.nf\n  a \\(ti/b\n  c\\(had\n.fi\n.PP\nSay \\(gaa\\(ga.\n"
        );
        let mut program = crate::cli::command();
        program.build();
        let mut pages = Vec::new();
        add_pages(&program, &mut pages).unwrap();
        let synopsis = |name: &str| {
            let (_, page) = pages.iter().find(|(other, _)| other == name).unwrap();
            let page = String::from_utf8(page.clone()).unwrap();
            let after = page.split(".SH SYNOPSIS\n").nth(1).unwrap();
            after.lines().next().unwrap().replace(r"\-", "-")
        };
        let tournament = synopsis("santorini-tournament.1");
        for part in [
            r"[\fB--time\fR \fI<SECONDS>\fR]",
            r"[\fB--cards\fR \fI<CARD1>\fR \fI<CARD2>\fR]",
            r"[\fB--reuse\fR]",
        ] {
            assert!(tournament.contains(part), "{part}: {tournament}");
        }
        assert!(synopsis("santorini-lab-play.1").contains(r"--first\fR \fI<AGENT>\fR"));
        for (name, page) in pages {
            let page = String::from_utf8(page).unwrap();
            let mut is_filled = true;
            for line in page.lines() {
                match line {
                    ".nf" => is_filled = false,
                    ".fi" => is_filled = true,
                    _ => {}
                }
                assert!(!(is_filled && line.starts_with("  ")), "{name}: {line}");
            }
            assert!(
                page.contains("\n.nh\n") && page.contains("\n.nf\n"),
                "{name}"
            );
        }
    }
}
