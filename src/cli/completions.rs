//! `santorini completions`: what a shell completes.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::output::print;
use super::{CliResult, help};

/// Print a script by which a shell completes commands and options.
///
/// The shell looks for the program under the name santorini, so that has to
/// be a program on the PATH.
#[derive(clap::Args)]
#[command(before_long_help = "\
Examples:
  santorini completions bash > \\
      ~/.local/share/bash-completion/completions/santorini
  santorini completions zsh > ~/.zfunc/_santorini
  santorini completions fish > ~/.config/fish/completions/santorini.fish")]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let names = PossibleValuesParser::new(help::names(&super::command()));
    let mut program = super::command().mut_subcommand("help", |help| {
        help.mut_arg("names", |argument| argument.value_parser(names))
    });
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "santorini", &mut script);
    print(String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
