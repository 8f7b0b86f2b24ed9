//! The option for the time of a program's first answer.

use std::time::Duration;

use super::{CliError, parse_seconds};

/// The option of commands that run player programs.
#[derive(Clone, Copy, clap::Args)]
pub(super) struct StartTimeArgs {
    /// A longer time limit for the first answer of a program, which includes its start.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    start_time: Option<Duration>,
}

impl StartTimeArgs {
    /// The time for the first answer, where other answers may take `time`.
    ///
    /// # Errors
    /// If it is shorter.
    pub(super) fn at_least(self, time: Duration) -> Result<Option<Duration>, CliError> {
        let Some(start) = self.start_time.filter(|&start| start < time) else {
            return Ok(self.start_time);
        };
        let [start, time] = [start, time].map(|time| time.as_secs_f64());
        Err(CliError::Usage(format!(
            "--start-time {start}: the first answer cannot have less time than the others: {time} s \
             (--time)"
        )))
    }
}
