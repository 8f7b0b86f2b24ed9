//! `santorini lab states`: the number of states after the first turn.

use std::process::ExitCode;

use super::CliResult;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::lab::states::{STUDY_ESTIMATE, StateCount, count};

/// Count the states after both placements and the first turn
///
/// Example:
///   santorini lab states
///
/// This command generates all states and counts them: 676,368. The study estimates
/// 9,715,200.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {}

/// Runs the subcommand.
pub(super) fn run(_args: &Args) -> CliResult {
    let progress = Progress::new(None, "counting");
    let count = count();
    progress.finish();
    print(text(&count))?;
    Ok(ExitCode::SUCCESS)
}

fn text(count: &StateCount) -> String {
    let StateCount {
        placements,
        ways,
        most_turns,
        boards,
        classes,
    } = *count;
    let mean = ways as f64 / placements as f64;
    let row = |number: u64, what: &str| format!("{:>10}  {what}\n", grouped(number));
    let ratio = |number: u64| STUDY_ESTIMATE as f64 / number as f64;
    let rows = [
        row(
            STUDY_ESTIMATE,
            "states by the study's estimate: 300 x 253 x 16 x 8",
        ),
        row(
            placements,
            "boards after both placements: 300 x 253, as estimated",
        ),
        row(ways, "first turns from these boards"),
        row(
            boards,
            "different boards after that turn: the exact number of states",
        ),
        row(
            classes,
            "of these, if rotated and mirrored boards count once",
        ),
    ];
    format!(
        "{}
The estimate is {:.2} times the number of first turns: it gives each of the two
workers 8 steps and 8 builds, but a worker at the edge has fewer, and other
workers are in the way. There are {mean:.1} turns on average and at most {most_turns}, not 128.
It is {:.2} times the number of states: a board is reached in {:.2} ways on average,
since it does not show where the worker came from.
",
        rows.concat(),
        ratio(ways),
        ratio(boards),
        ways as f64 / boards as f64,
    )
}

/// A number with a comma after every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
