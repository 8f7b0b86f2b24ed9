//! `santorini solve probe`: the value and the best turns of a position.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{VALUES, jobs, open, parse_state, summary, threads_from, winners};
use crate::at_size;
use crate::cli::boards::GameScenes;
use crate::cli::files::ForceArgs;
use crate::cli::interrupt::stop_flag;
use crate::cli::output::write_or_print;
use crate::cli::progress::Progress;
use crate::cli::{CliError, CliResult};
use crate::draw::{PICTURE_FILE, PictureOptions, Scene, contact_sheet};
use crate::protocol::exchange::write_board;
use crate::rules::{AnyPosition, Position, Turn};
use crate::solve::{Prober, SmallState, ValuedTurn, best_game, embedded_any, placements};

/// Show the value, the distance and the best turns of a position
///
/// Examples:
///   santorini solve probe 3x3.solved
///   santorini solve probe 3x3.solved '000/010/000 a1b1 c2c3'
///   santorini solve probe --game 3x3.solved '000/000/000 a1b1 c2c3'
///   santorini solve probe --svg game.svg 3x3.solved '000/000/000 a1b1 c2c3'
///   santorini solve probe --boards 3x3.solved '000/000/000 a1b1 c2c3' | \
///       santorini draw
///
/// A position is the levels row by row, the workers of the player to move, those
/// of the opponent, and with cards the card of each. Without a position, each
/// first placement up to symmetry is shown with the number of replies that win
/// against it.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A file of `santorini solve`.
    file: PathBuf,
    /// The position, such as '000/010/000 a1b1 c2c3'.
    position: Option<String>,
    /// Show the best game from the position, one line for each turn.
    #[arg(long, requires = "position")]
    game: bool,
    /// Write the boards of the best game in JSON, placed on a board of 5x5 or 6x6
    /// spaces whose other spaces are domes.
    #[arg(long, requires = "position", conflicts_with = "game")]
    boards: bool,
    /// Draw the best game to an SVG picture.
    #[arg(long, value_name = "FILE", requires = "position",
          conflicts_with_all = ["game", "boards"])]
    svg: Option<PathBuf>,
    /// The number of threads that solve what FILE lacks; 0 is one for each core.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_from(0))]
    threads: u16,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads([&args.file]);
    uses.replaces(args.svg.as_deref(), PICTURE_FILE).check()?;
    let stop = stop_flag()?;
    let is_of_winners = winners::is_file(&args.file);
    if is_of_winners && (args.game || args.boards || args.svg.is_some()) {
        let error = format!("{} has the winners, but no best games", args.file.display());
        return Err(CliError::Usage(error));
    }
    let jobs = jobs(args.threads, &stop);
    let found = match is_of_winners {
        true => winners::probe(&args.file, args.position.as_deref(), jobs)?,
        false => found(args, &mut open(&args.file, jobs)?)?,
    };
    write_or_print(args.svg.as_deref(), &found)?;
    Ok(ExitCode::SUCCESS)
}

/// The requested text or picture.
fn found(args: &Args, prober: &mut Prober) -> Result<String, CliError> {
    // Layers that the file does not keep are solved again.
    let _progress = Progress::new(None, VALUES);
    let Some(position) = &args.position else {
        let found = placements(prober)?;
        return Ok(summary(prober, &found));
    };
    let state = parse_state(position, prober.game())?;
    if !(args.game || args.boards || args.svg.is_some()) {
        let turns = prober.turns(&state)?;
        return Ok(turns_text(prober, &turns));
    }
    let game = best_game(prober, &state)?;
    Ok(match (&args.svg, args.boards) {
        (Some(_), _) => at_size!(&scenes(prober, &game), scenes => {
            contact_sheet(scenes, PictureOptions::default())
        }),
        (None, true) => game_boards(prober, &game),
        (None, false) => game_text(prober, &game),
    })
}

fn turns_text(prober: &Prober, turns: &[ValuedTurn]) -> String {
    let Some(best) = turns.first() else {
        return "loss in 0: there is no turn\n".into();
    };
    let mut text = format!("{}\n", best.value);
    for turn in turns {
        text += &format!("{:<14} {}\n", turn.turn.text(prober.game()), turn.value);
    }
    text
}

fn game_text(prober: &Prober, game: &[(SmallState, ValuedTurn)]) -> String {
    let mut text = String::new();
    for (number, (state, turn)) in (1..).zip(game) {
        text += &format!(
            "{number:>3}  {}  {:<14} {}\n",
            state.text(prober.game()),
            turn.turn.text(prober.game()),
            turn.value
        );
    }
    text
}

/// The boards of a game, with the one after its last turn.
fn game_boards(prober: &Prober, game: &[(SmallState, ValuedTurn)]) -> String {
    at_size!(scenes(prober, game), scenes => {
        let lines = scenes.iter().map(|scene| format!("{}\n", write_board(scene.position())));
        lines.collect()
    })
}

fn scenes(prober: &Prober, game: &[(SmallState, ValuedTurn)]) -> GameScenes {
    let Some((start, _)) = game.first() else {
        return GameScenes::Five(Vec::new());
    };
    match embedded_any(prober.game(), start) {
        AnyPosition::Five(start) => GameScenes::Five(scenes_from(&start, prober, game)),
        AnyPosition::Six(start) => GameScenes::Six(scenes_from(&start, prober, game)),
    }
}

fn scenes_from<const N: usize>(
    start: &Position<N>,
    prober: &Prober,
    game: &[(SmallState, ValuedTurn)],
) -> Vec<Scene<N>> {
    let shape = prober.game().shape;
    let mut scenes = vec![Scene::new(start).showing(shape.rows(), shape.columns())];
    for (_, valued) in game {
        let Some(before) = scenes.last() else { break };
        // Squares have the same names on both boards.
        let text = valued.turn.text(prober.game());
        let Ok(turn) = Turn::parse::<N>(&text) else {
            break;
        };
        scenes.push(before.followed_by(turn));
    }
    scenes
}
