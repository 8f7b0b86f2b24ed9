//! `santorini completions`: scripts for completion in a shell.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::output::print;
use super::{CliResult, help};

/// Print a completion script for a shell
///
/// Examples:
///   santorini completions bash > \
///       ~/.local/share/bash-completion/completions/santorini
///   santorini completions zsh > ~/.zfunc/_santorini
///   santorini completions fish > ~/.config/fish/completions/santorini.fish
///
/// The script completes commands, options and topics. It needs a program called
/// santorini on the PATH.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The shell.
    shell: Shell,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let names = PossibleValuesParser::new(help::names(&super::command()));
    let mut program = super::command().mut_subcommand("help", |help| {
        help.mut_arg("names", |argument| argument.value_parser(names))
    });
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "santorini", &mut script);
    print(String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
