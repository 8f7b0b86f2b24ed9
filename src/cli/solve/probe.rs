//! `santorini solve probe`: the value and the best turns of a position.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{jobs, open, summary};
use crate::cli::interrupt::{interrupted, stop_flag};
use crate::cli::output::print;
use crate::cli::{CliError, CliResult};
use crate::protocol::exchange::write_board;
use crate::solve::{Oracle, SmallState, ValuedTurn, best_game, embedded, fits, placements};

/// Tell the value, the distance and the best turns of a position.
///
/// A position is the levels row by row, the workers of the player to move, those
/// of the other, and with cards the card of either. Without one, all placements
/// are told.
#[derive(clap::Args)]
#[command(before_long_help = "\
Examples:
  santorini solve probe 3x3.solved
  santorini solve probe 3x3.solved '000/010/000 a1b1 c2c3'
  santorini solve probe --game 3x3.solved '000/000/000 a1b1 c2c3'
  santorini solve probe --boards 3x3.solved '000/000/000 a1b1 c2c3' | santorini draw")]
pub struct Args {
    /// A file of `santorini solve`.
    file: PathBuf,
    /// The position, such as '000/010/000 a1b1 c2c3'.
    position: Option<String>,
    /// Tell the best game from the position on, a line for each turn.
    #[arg(long, requires = "position")]
    game: bool,
    /// Write the boards of the best game in JSON, as parts of a board of 5x5 or 6x6
    /// spaces whose other spaces are domes.
    #[arg(long, requires = "position", conflicts_with = "game")]
    boards: bool,
    /// How many threads solve what the file does not hold; 0 is one on each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> CliResult {
    let stop = stop_flag()?;
    let mut oracle = open(&args.file, jobs(args.threads, &stop))?;
    let Some(position) = &args.position else {
        let found = placements(&mut oracle)?;
        return finish(found.map(|found| summary(&oracle, &found)));
    };
    let state = SmallState::parse(position, oracle.game());
    let state = state.map_err(|error| CliError::Usage(error.to_string()))?;
    if args.game || args.boards {
        let game = best_game(&mut oracle, &state)?;
        let text = game.map(|game| match args.boards {
            true => game_boards(&oracle, &game),
            false => game_text(&oracle, &game),
        });
        return finish(text);
    }
    let turns = oracle.turns(&state)?;
    finish(turns.map(|turns| turns_text(&oracle, &turns)))
}

/// Writes a text, unless the work for it was stopped.
fn finish(text: Option<String>) -> CliResult {
    match text {
        Some(text) => {
            print(text)?;
            Ok(ExitCode::SUCCESS)
        }
        None => Ok(interrupted()),
    }
}

fn turns_text(oracle: &Oracle, turns: &[ValuedTurn]) -> String {
    let Some(best) = turns.first() else {
        return "loss in 0: there is no turn\n".into();
    };
    let mut text = format!("{}\n", best.value);
    for turn in turns {
        text += &format!("{:<14} {}\n", turn.turn.text(oracle.game()), turn.value);
    }
    text
}

fn game_text(oracle: &Oracle, game: &[(SmallState, ValuedTurn)]) -> String {
    let mut text = String::new();
    for (number, (state, turn)) in (1..).zip(game) {
        text += &format!(
            "{number:>3}  {}  {:<14} {}\n",
            state.text(oracle.game()),
            turn.turn.text(oracle.game()),
            turn.value
        );
    }
    text
}

fn game_boards(oracle: &Oracle, game: &[(SmallState, ValuedTurn)]) -> String {
    let five = fits::<5>(oracle.game());
    let board = |(number, (state, turn)): (usize, &(SmallState, ValuedTurn))| {
        let mut boards = if five {
            write_board(&embedded::<5>(oracle.game(), state))
        } else {
            write_board(&embedded::<6>(oracle.game(), state))
        };
        boards["turn"] = number.into();
        let _ = turn;
        format!("{boards}\n")
    };
    game.iter().enumerate().map(board).collect()
}
