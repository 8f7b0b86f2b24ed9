//! `santorini lab states`: the number of states after the first turn.

use std::process::ExitCode;

use indicatif::HumanCount;

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
    let ratio = |number: u64| STUDY_ESTIMATE as f64 / number as f64;
    let [estimate, placed, turns, states, distinct] =
        [STUDY_ESTIMATE, placements, ways, boards, classes]
            .map(|number| HumanCount(number).to_string());
    format!(
        "\
{estimate:>10}  states by the study's estimate: 300 x 253 x 16 x 8
{placed:>10}  boards after both placements: 300 x 253, as estimated
{turns:>10}  first turns from these boards
{states:>10}  different boards after that turn: the exact number of states
{distinct:>10}  of these, if rotated and mirrored boards count once

The estimate is {:.2} times the number of first turns: it gives each of the two
workers 8 steps and 8 builds, but a worker at the edge has fewer, and other
workers are in the way. There are {mean:.1} turns on average and at most {most_turns}, not 128.
It is {:.2} times the number of states: a board is reached in {:.2} ways on average,
since it does not show where the worker came from.
",
        ratio(ways),
        ratio(boards),
        ways as f64 / boards as f64,
    )
}
