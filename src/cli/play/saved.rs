//! Saving games, and resuming a saved one.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::ValueEnum;

use super::opponent::Against;
use super::{Args, ended, on_terminal, session, standard_input};
use crate::cli::board::with_board_size;
use crate::cli::boards::StyleChoice;
use crate::cli::{CliError, CliResult};
use crate::draw::{Scene, record_scenes};
use crate::levels::Level;
use crate::play::{
    AUTOSAVE_FILE, Autosave, GamePlayers, OpponentKind, autosave_text, default_file, read_autosave,
};
use crate::shell::quoted;

/// Resumes a saved game.
pub(super) fn resume(args: &Args, stop: Arc<AtomicBool>) -> CliResult {
    let wrong = |error: &dyn std::fmt::Display| {
        CliError::Usage(format!("--resume: there is no game to resume: {error}"))
    };
    let file = args.keep.clone().or_else(default_file);
    let file = file.ok_or_else(|| wrong(&"use --keep FILE"))?;
    // First, so that a later change of the file is noticed.
    let text = autosave_text(&file);
    let (game, mut players) = read_autosave(&file).map_err(|error| wrong(&error))?;
    let mut args = args.clone();
    args.second = players.second;
    let against = match (args.against, players.against) {
        (Some(named), _) => named,
        (None, OpponentKind::Engine) => Against::Engine,
        (None, OpponentKind::Nobody) => Against::Nobody,
        (None, OpponentKind::Program) => {
            return Err(CliError::Usage(
                "--resume: the opponent was a program; name it again with --against".into(),
            ));
        }
    };
    players.against = against.kind();
    if players.against != OpponentKind::Engine {
        // Only the built-in player has levels.
        players.level = None;
    }
    args.against = Some(against);
    args.level.level = players.level.and_then(Level::new);
    args.keep = Some(file);
    let size = game.size().unwrap_or(5);
    with_board_size!(size, N => {
        let scenes = record_scenes::<N>(&game).map_err(|error| wrong(&error))?;
        // The note says that the game ended early; now it continues.
        let scenes: Vec<Scene<N>> = scenes.into_iter().map(Scene::without_note).collect();
        if scenes.is_empty() {
            return Err(wrong(&"it has no board"));
        }
        let autosave = autosave(&args, players)?.map(|it| it.resuming(text));
        ended(session::<N>(&args, standard_input(stop)?, autosave)?.resume(scenes))
    })
}

/// Where the game is saved: in the file of --keep, or on a terminal in the usual place.
pub(super) fn autosave(args: &Args, players: GamePlayers) -> Result<Option<Autosave>, CliError> {
    if let Some(file) = &args.keep {
        args.force
            .uses()
            .replaces(Some(file), AUTOSAVE_FILE)
            .check()?;
        // Records of other games begin the same way.
        let has_text = fs::metadata(file).is_ok_and(|it| it.is_file() && it.len() > 0);
        if has_text && !args.force.force && read_autosave(file).is_err() {
            return Err(CliError::Usage(format!(
                "{} exists and is not {}; name another file, or use --force to overwrite it",
                file.display(),
                AUTOSAVE_FILE.name
            )));
        }
    }
    let usual = || on_terminal().then(default_file).flatten();
    let file = args.keep.clone().or_else(usual);
    Ok(file.map(|file| Autosave::new(file, players)))
}

/// The options that `play --resume` needs for the same game. The saved game has all
/// others.
pub(super) fn resume_options(args: &Args) -> String {
    let mut words = Vec::new();
    if let Some(Against::Program(_, text)) = &args.against {
        words.extend(["--against".to_string(), text.clone()]);
    }
    if let Some(time) = args.time {
        words.extend(["--time".to_string(), time.as_secs_f64().to_string()]);
    }
    let style = args.style.to_possible_value();
    if let Some(style) = style.filter(|_| args.style != StyleChoice::Auto) {
        words.extend(["--style".to_string(), style.get_name().to_string()]);
    }
    let words = words.iter().map(|word| format!(" {}", quoted(word)));
    words.collect()
}
