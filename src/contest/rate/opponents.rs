//! The games of a rating as a tournament: its settings, and the commands of the
//! opponents.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::ladder::LADDER;
use crate::program::{CommandError, Player, PlayerCommand, PlayerSpec, Termination, TimeLimit};
use crate::record::Entry;
use crate::shard::Shard;
use crate::shell::quoted_words;
use crate::tournament::{CardChoice, OpeningChoice, PlayerSetting, Settings};

/// How much longer than its time limit a program may take for an answer.
const GRACE: Duration = Duration::from_millis(100);

/// The time limit of the opponents. They think by nodes, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(600);

/// The settings of the games: the `program`, if there is one, is the first player, and
/// the opponents follow in the order of the ladder.
pub fn rating_settings(
    program: Option<PlayerSetting>,
    games: u64,
    time: Duration,
    openings: OpeningChoice,
    seed: u64,
) -> Settings {
    let ladder = LADDER.iter().map(|rung| PlayerSetting {
        name: rung.agent.into(),
        command: rung_command(rung.agent),
    });
    Settings {
        players: program.into_iter().chain(ladder).collect(),
        rounds: games / 2,
        time: time.as_secs_f64(),
        grace: GRACE.as_secs_f64(),
        start_time: None,
        cards: CardChoice::None,
        openings,
        seed,
        reuse: true,
        shard: Shard::WHOLE,
        sprt: None,
    }
}

/// Whether these are the settings of a rating, made by any version of the program.
pub fn are_of_a_rating(settings: &Settings) -> bool {
    let is_rung = |player: &PlayerSetting| player.command == rung_command(&player.name);
    settings.players.len() > 2 && settings.players[1..].iter().all(is_rung)
}

/// The command of an opponent, as files name it.
fn rung_command(agent: &str) -> String {
    format!("santorini lab player {agent}")
}

/// The commands of all opponents: agents of this program, which is at the given path.
///
/// # Errors
/// If the path cannot be part of a command.
pub fn opponents(this_program: &str) -> Result<Vec<(PlayerCommand, TimeLimit)>, CommandError> {
    let commands = LADDER.iter().map(|rung| {
        let words = [this_program, "lab", "player", rung.agent].map(String::from);
        let command = quoted_words(&words).parse()?;
        Ok((command, TimeLimit::unannounced(PATIENCE)))
    });
    commands.collect()
}

/// The games in a file: the number of each, and its opponent, counted from 1.
pub fn played_opponents(entries: &[Entry], settings: &Settings) -> Vec<(u64, usize)> {
    let names = settings.names();
    let number = |name: &String| names.iter().position(|known| known == name).unwrap_or(0);
    let games = entries.iter().filter_map(|entry| match entry {
        Entry::Game(game) => Some(game),
        Entry::Header(_) => None,
    });
    let opponent = |players: &[String; 2]| players.iter().map(number).max();
    games
        .map(|game| (game.game, opponent(&game.players).unwrap_or(0)))
        .collect()
}

/// Checks that a program can place its workers. The games do not ask for that, since
/// they start from openings.
///
/// # Errors
/// What the program did wrong.
pub fn check_placement(
    spec: &PlayerSpec,
    time: TimeLimit,
    stop: &AtomicBool,
) -> Result<(), String> {
    let mut player = Player::new(&spec.name, spec.command.clone(), time);
    let placed = player.place([None, None], None, stop);
    let placed = placed.and_then(|first| player.place([None, None], Some(first), stop));
    placed.map(drop).map_err(|ending| match ending {
        Termination::Shortage(shortage) => shortage.to_string(),
        Termination::CouldNotStart { reason } => {
            format!("cannot start {}: {reason}; no game was played", spec.name)
        }
        ending => format!(
            "{}{}\nthis happened when it was asked to place its workers, before any game; fix that \
             first",
            ending.message(&spec.name),
            player.evidence().text()
        ),
    })
}
