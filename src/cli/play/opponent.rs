//! The opponent that the options name.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::Args;
use crate::cli::CliError;
use crate::play::{Opponent, OpponentKind};
use crate::program::{Player, PlayerSpec, TimeLimit};

/// The default time of the built-in player.
pub(super) const ENGINE_TIME: Duration = Duration::from_secs(1);
/// The maximum time for a hint.
pub(super) const LONGEST_HINT: Duration = Duration::from_secs(30);
/// The additional time for the first answer of a program, which includes its start.
const START_TIME: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub(super) enum Against {
    Nobody,
    Engine,
    /// A program, and the text of the option.
    Program(PlayerSpec, String),
}

impl Against {
    /// The kind that is saved with a game. The command is not: a file must not start
    /// programs.
    pub(super) const fn kind(&self) -> OpponentKind {
        match self {
            Self::Nobody => OpponentKind::Nobody,
            Self::Engine => OpponentKind::Engine,
            Self::Program(..) => OpponentKind::Program,
        }
    }
}

impl std::str::FromStr for Against {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "nobody" => Self::Nobody,
            "engine" => Self::Engine,
            command => {
                let spec = command.parse().map_err(|error| format!("{error}"))?;
                Self::Program(spec, command.to_string())
            }
        })
    }
}

/// The opponent that the options name. The default is the built-in player. With `--from` and
/// without `--level` there is no opponent.
///
/// # Errors
/// If an opponent other than the built-in player is to play at a level.
pub(super) fn against(args: &Args) -> Result<Against, CliError> {
    match (&args.against, args.level.level) {
        (Some(Against::Nobody | Against::Program(..)), Some(level)) => Err(CliError::Usage(
            format!("--level {level}: only the built-in player has levels; leave out --against"),
        )),
        (Some(against), _) => Ok(against.clone()),
        (None, None) if args.from.is_some() => Ok(Against::Nobody),
        (None, _) => Ok(Against::Engine),
    }
}

/// The opponent that the options name, ready to play.
///
/// # Errors
/// If it cannot play at this level or on this board, or cannot be started.
pub(super) fn opponent<const N: usize>(args: &Args) -> Result<Opponent<N>, CliError> {
    let time = args.time.unwrap_or(ENGINE_TIME);
    Ok(match against(args)? {
        Against::Nobody => Opponent::Nobody,
        Against::Engine => match (args.level.level, args.level.handicap()) {
            (Some(level), Some(handicap)) => Opponent::level(level, handicap, time),
            _ => Opponent::engine(time),
        },
        Against::Program(..) if N != 5 => {
            let small_only = "--against: player programs play on boards of 5x5 only";
            return Err(CliError::Usage(small_only.into()));
        }
        Against::Program(spec, _) => Opponent::Program(Box::new(program(args, &spec)?)),
    })
}

/// The player program that the options name. It is started at once, so that a wrong
/// command is refused before a game begins.
///
/// # Errors
/// If it cannot be started.
pub(super) fn program(args: &Args, spec: &PlayerSpec) -> Result<Player, CliError> {
    let start = args.time.map(|time| time + START_TIME);
    let time = TimeLimit::requested(args.time).starting(start);
    let mut player = Player::new(spec.name.clone(), spec.command.clone(), time);
    let started = player.start(&AtomicBool::new(false));
    started.map_err(|ending| program_failed(&ending.message(&spec.name)))?;
    Ok(player)
}

/// The error for a program's fault with this message.
pub(super) fn program_failed(message: &str) -> CliError {
    let message = message.strip_prefix("Error: ").unwrap_or(message);
    CliError::Failed(message.to_string())
}
