//! Files of `santorini solve --winners`: who wins, without the distance.

use std::fs;
use std::path::Path;

use super::{Kept, VALUES, parse_state, report_ignored_bytes};
use crate::cli::CliError;
use crate::cli::progress::Progress;
use crate::jobs::Jobs;
use crate::solve::{
    PlacementWinner, SmallGame, SolveError, WINNERS_FILE, WinnerProber, WinnersFile, WonTurn,
    check_winners,
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
    let _progress = Progress::new(None, VALUES);
    let placements = WinnerProber::new(&file, jobs)?.placements()?;
    let kept = Kept {
        bytes: file.length(),
        levels: file.kept(),
    };
    Ok((summary(file.game(), &placements), kept))
}

/// Who wins a position, with which turns; without a position, all placements.
pub(super) fn probe(path: &Path, position: Option<&str>, jobs: Jobs) -> Result<String, CliError> {
    let file = open(path)?;
    let _progress = Progress::new(None, VALUES);
    let mut prober = WinnerProber::new(&file, jobs)?;
    let Some(position) = position else {
        return Ok(summary(file.game(), &prober.placements()?));
    };
    let state = parse_state(position, file.game())?;
    let wins = prober.wins(&state)?;
    Ok(turns_text(file.game(), wins, &prober.turns(&state)?))
}

/// Checks the states of a file by their turns. Returns their number.
pub(super) fn check(path: &Path, step: u64, jobs: Jobs) -> Result<u64, CliError> {
    let file = open(path)?;
    file.check_finished().map_err(SolveError::from)?;
    let progress = Progress::new(None, "parts of the file");
    let checked = check_winners(&file, jobs, step, |done, all| {
        progress.set_steps(all as u64);
        progress.set(done as u64);
    })?;
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
            game.shape.set_text(placement.first),
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
