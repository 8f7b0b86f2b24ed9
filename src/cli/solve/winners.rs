//! Files of `santorini solve --winners`: who wins, without the distance.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use super::probe::Args as ProbeArgs;
use super::{Kept, VALUES, placement_text, report_ignored_bytes};
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::jobs::Jobs;
use crate::solve::{
    PlacementWinner, SmallGame, SmallState, SolveError, WINNERS_FILE, WinnerProber, WinnersFile,
    WonTurn, check_winners,
};
use crate::table::Table;

/// Whether a file holds only the winners.
pub(super) fn is_file(path: &Path) -> bool {
    let is_empty = fs::metadata(path).is_ok_and(|found| found.len() == 0);
    !is_empty && WINNERS_FILE.is_of(path).unwrap_or(false)
}

/// Who wins a solved game, and what its file keeps.
pub(super) fn found(path: &Path, jobs: Jobs) -> Result<(String, Kept), CliError> {
    let file = open(path)?;
    let progress = Progress::new(None, VALUES);
    let mut prober = WinnerProber::new(&file, jobs)?;
    let placements = prober.placements()?;
    progress.finish();
    let kept = Kept {
        bytes: file.length(),
        levels: file.kept(),
    };
    Ok((summary(file.game(), &placements), kept))
}

/// Shows who wins a position, with which turns, or all placements.
pub(super) fn probe(args: &ProbeArgs, jobs: Jobs) -> CliResult {
    let file = open(&args.file)?;
    let progress = Progress::new(None, VALUES);
    let mut prober = WinnerProber::new(&file, jobs)?;
    let Some(position) = &args.position else {
        let placements = prober.placements()?;
        progress.finish();
        print(summary(file.game(), &placements))?;
        return Ok(ExitCode::SUCCESS);
    };
    let state = SmallState::parse(position, file.game());
    let state = state.map_err(|error| CliError::Usage(error.to_string()))?;
    let wins = prober.wins(&state)?;
    let turns = prober.turns(&state)?;
    progress.finish();
    print(turns_text(file.game(), wins, &turns))?;
    Ok(ExitCode::SUCCESS)
}

/// Checks the states of a file by their turns; `None` if the work was stopped.
pub(super) fn check(path: &Path, step: u64, jobs: Jobs) -> Result<Option<u64>, CliError> {
    let file = open(path)?;
    file.check_finished().map_err(SolveError::from)?;
    let progress = Progress::new(None, "parts of the file");
    let checked = check_winners(&file, jobs, step, |done, all| {
        progress.set_steps(all as u64);
        progress.set(done as u64);
    })?;
    progress.finish();
    Ok(checked)
}

/// Opens a file of winners; reports bytes after its end.
pub(super) fn open(path: &Path) -> Result<WinnersFile, CliError> {
    let file = WinnersFile::open(path).map_err(SolveError::from)?;
    if file.is_finished() {
        report_ignored_bytes(file.behind().map_err(SolveError::from)?, path);
    }
    Ok(file)
}

/// Who wins, and for each placement the number of replies that beat it.
fn summary(game: &SmallGame, placements: &[PlacementWinner]) -> String {
    let second = placements.iter().all(|placement| placement.lost_to[0] > 0);
    let winner = if second { "second" } else { "first" };
    let mut table = Table::new(["first player", "replies that win"]);
    for placement in placements {
        let [winning, all] = placement.lost_to;
        table.add([
            placement_text(game, placement.first),
            format!("{winning} of {all}"),
        ]);
    }
    format!(
        "{game}: the {winner} player to place wins\n{}",
        table.with_names_in(0).text()
    )
}

fn turns_text(game: &SmallGame, wins: bool, turns: &[WonTurn]) -> String {
    let value = |wins| if wins { "win" } else { "loss" };
    let mut text = format!("{}\n", value(wins));
    for turn in turns {
        text += &format!("{:<14} {}\n", turn.turn.text(game), value(turn.wins));
    }
    text
}
