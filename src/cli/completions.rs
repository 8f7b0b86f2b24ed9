//! `santorini completions`: scripts for completion in a shell.

use std::process::ExitCode;

use clap::Command;
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
/// The script completes commands, options and their values, and topics; in bash and
/// zsh also the arguments that have a few possible values, such as the language of
/// new-bot. It needs a program called santorini on the PATH.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The shell.
    shell: Shell,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let program = super::command();
    let names = help::names(&program);
    let mut program = program.mut_subcommand("help", |help| {
        Command::new("help")
            .about(help.get_about().cloned().unwrap_or_default())
            .disable_help_subcommand(true)
            .subcommands(names)
    });
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "santorini", &mut script);
    print(String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
