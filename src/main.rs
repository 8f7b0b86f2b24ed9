//! The `santorini` program. Without arguments it is the tournament player;
//! everything else is a subcommand.

use std::process::ExitCode;

fn main() -> ExitCode {
    santorini::cli::main()
}
