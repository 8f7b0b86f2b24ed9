//! `santorini solve --winners`, and its files: who wins, without the distance.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use super::probe::Args as ProbeArgs;
use super::{Kept, VALUES, crew, not_solved, show, stopped, tell_behind, tell_damage, work};
use crate::cli::interrupt::interrupted;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::jobs::Jobs;
use crate::solve::{
    PlacementWinner, SmallGame, SmallState, SolveError, SolveOptions, WINNERS_FILE, WinnerOracle,
    WinnersFile, WonTurn, solve_winners,
};
use crate::table::Table;

/// Whether a file tells who wins, and no distance.
pub fn is_file(path: &Path) -> bool {
    let is_empty = fs::metadata(path).is_ok_and(|found| found.len() == 0);
    !is_empty && WINNERS_FILE.is_of(path).unwrap_or(false)
}

/// Finds out who wins a game, into the file at `path`. While it is worked on it is
/// `written`.
pub fn solve(
    [path, written]: [&Path; 2],
    game: &SmallGame,
    options: &SolveOptions,
    jobs: Jobs,
) -> CliResult {
    if game.workers != 1 {
        return Err(CliError::Usage(
            "--winners is for boards with one worker each: say --workers 1".into(),
        ));
    }
    let began = Instant::now();
    let progress = Progress::new(None, "MB of winners");
    let report = solve_winners(path, game, options, jobs, |done| show(&progress, done));
    progress.finish();
    let report = report.map_err(|error| not_solved(error, options))?;
    tell_damage(&report, written);
    if let Some(next) = report.next {
        return Ok(stopped(next, path, options));
    }
    let seconds = began.elapsed().as_secs_f64();
    let file = open(path)?;
    let progress = Progress::new(None, VALUES);
    let mut oracle = WinnerOracle::new(&file, jobs)?;
    let placements = oracle.placements()?;
    progress.finish();
    let kept = Kept {
        bytes: file.length(),
        levels: file.kept(),
    };
    print(summary(game, &placements) + &work(game, &report, seconds, kept))?;
    Ok(ExitCode::SUCCESS)
}

/// Tells who wins a position and with which turns, or all placements.
pub fn probe(args: &ProbeArgs, jobs: Jobs) -> CliResult {
    let file = open(&args.file)?;
    let progress = Progress::new(None, VALUES);
    let mut oracle = WinnerOracle::new(&file, jobs)?;
    let Some(position) = &args.position else {
        let placements = oracle.placements()?;
        progress.finish();
        print(summary(file.game(), &placements))?;
        return Ok(ExitCode::SUCCESS);
    };
    let state = SmallState::parse(position, file.game());
    let state = state.map_err(|error| CliError::Usage(error.to_string()))?;
    let wins = oracle.wins(&state)?;
    let turns = oracle.turns(&state)?;
    progress.finish();
    print(turns_text(file.game(), wins, &turns))?;
    Ok(ExitCode::SUCCESS)
}

/// Holds the states of a file against their turns.
pub fn verify(path: &Path, step: u64, jobs: Jobs) -> CliResult {
    let file = open(path)?;
    let mut oracle = WinnerOracle::new(&file, jobs)?;
    let progress = Progress::new(None, "parts of the file");
    let checked = match step {
        0 => 0,
        step => oracle.check(step, |done, all| {
            progress.set_steps(all as u64);
            progress.set(done as u64);
        })?,
    };
    progress.finish();
    if jobs.is_stopped() {
        return Ok(interrupted());
    }
    print(format_args!(
        "{checked} states have the winner that their turns say\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn open(path: &Path) -> Result<WinnersFile, CliError> {
    let file = WinnersFile::open(path).map_err(SolveError::from)?;
    if file.is_finished() {
        tell_behind(file.behind().map_err(SolveError::from)?, path);
    }
    Ok(file)
}

/// Who wins, and which placements lose to how many replies.
fn summary(game: &SmallGame, placements: &[PlacementWinner]) -> String {
    let second = placements.iter().all(|placement| placement.lost_to[0] > 0);
    let winner = if second { "second" } else { "first" };
    let mut table = Table::new(["first player", "replies that win"]);
    for placement in placements {
        let [winning, all] = placement.lost_to;
        table.add([crew(game, placement.first), format!("{winning} of {all}")]);
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
