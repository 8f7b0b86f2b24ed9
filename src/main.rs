//! The `santorini` program. Without arguments it is the tournament player;
//! everything else is a subcommand.

use std::process::ExitCode;

use santorini::allocator::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    santorini::cli::main()
}
