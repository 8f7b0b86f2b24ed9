//! The option for the time of a program's first answer.

use std::time::Duration;

use super::parse_seconds;

/// The option of commands that run player programs.
#[derive(Clone, Copy, clap::Args)]
pub(super) struct StartTimeArgs {
    /// A longer time limit for the first answer of a program, which includes its start.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub start_time: Option<Duration>,
}

impl StartTimeArgs {
    /// The time in seconds, as settings of games have it.
    pub(super) fn seconds(self) -> Option<f64> {
        self.start_time.map(|time| time.as_secs_f64())
    }
}
