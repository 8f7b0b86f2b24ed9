//! `santorini bench referee`: the time that the referee adds to a game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::CliError;
use crate::cli::isolate::isolate_players;
use crate::cli::output::print;
use crate::program::{Isolation, Player, PlayerCommand, ResourceLimits, TimeLimit};
use crate::referee::{GameOptions, Observer, play};
use crate::rules::{Position, Turn};
use crate::shell::quoted;

/// The number of games in each mode.
const GAMES: usize = 50;

/// Plays games between two players that answer at once, in each mode of isolation: first
/// with processes that stay for all games, then with new ones for each game. Prints the
/// time for a turn, from the question to one player to the question to the next.
///
/// # Errors
/// If the players, copies of this program, cannot be started.
pub(super) fn run(stop: &AtomicBool) -> Result<(), CliError> {
    print(format_args!(
        "isolation  players      turns  whole turn  answer  referee  start and end of a game\n"
    ))?;
    let program = std::env::current_exe().map_err(|error| CliError::failed("bench", error))?;
    let program = quoted(&program.to_string_lossy());
    let limits = ResourceLimits {
        memory: 1 << 30,
        processes: 100,
    };
    for (isolation, name) in [
        (Isolation::Off, "off"),
        (Isolation::Processes, "processes"),
        (Isolation::Full(limits), "full"),
    ] {
        isolate_players(isolation)?;
        measure([name, "reused"], &program, true, stop)?;
        measure([name, "started new"], &program, false, stop)?;
    }
    Ok(())
}

/// Plays the games and prints a line of the table.
fn measure(
    names: [&str; 2],
    program: &str,
    reuse: bool,
    stop: &AtomicBool,
) -> Result<(), CliError> {
    let player = |seed: u32| -> Result<Player, CliError> {
        let command: PlayerCommand = format!("{program} fake-player random --seed {seed}")
            .parse()
            .map_err(|error| CliError::failed("bench", error))?;
        let time = TimeLimit::unannounced(Duration::from_secs(10));
        Ok(Player::new(format!("player {seed}"), command, time))
    };
    let (mut first, mut second) = (player(1)?, player(2)?);
    let options = GameOptions {
        reuse,
        ..GameOptions::default()
    };
    let (mut turns, mut answers, mut between) = (0, 0.0, 0.0);
    let begun = Instant::now();
    for game in 0..GAMES {
        let mut watch = Watch::default();
        let outcome = play([&mut first, &mut second], &options, stop, &mut watch);
        if stop.load(Ordering::Relaxed) {
            return Err(CliError::Interrupted(format!(
                " after {game} of {GAMES} games with isolation {} and players {}",
                names[0], names[1]
            )));
        }
        if outcome.ending.kind().is_fault() {
            let names = ["player 1", "player 2"];
            return Err(CliError::Failed(outcome.message(names)));
        }
        turns += outcome.turns.len();
        answers += outcome.seconds.iter().sum::<f64>();
        between += watch.time.as_secs_f64();
    }
    let micros = |seconds: f64, count: usize| format!("{:.0} us", 1e6 * seconds / count as f64);
    print(format_args!(
        "{:<9}  {:<11}  {turns:>5}  {:>10}  {:>6}  {:>7}  {:>24}\n",
        names[0],
        names[1],
        micros(between, turns),
        micros(answers, turns),
        micros(between - answers, turns),
        micros(begun.elapsed().as_secs_f64() - between, GAMES),
    ))
}

/// Measures the time from the first question for a turn to the last answer.
#[derive(Default)]
struct Watch {
    begun: Option<Instant>,
    time: Duration,
}

impl Observer for Watch {
    fn started(&mut self, _: &Position<5>) {
        self.begun = Some(Instant::now());
    }

    fn played(&mut self, _: usize, _: Turn, _: &Position<5>, _: f64) {
        self.time = self.begun.map_or(Duration::ZERO, |begun| begun.elapsed());
    }
}
