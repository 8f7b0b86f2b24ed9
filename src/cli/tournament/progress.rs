//! Progress of games between programs, and the first faults.

use std::collections::HashMap;

use crate::cli::output::say;
use crate::cli::progress::Progress;
use crate::record::GameRecord;
use crate::stats::SprtSetting;
use crate::tournament::{Results, Settings, text};

/// The number of faults reported for each player; the table counts all of them.
const FAULTS_TOLD: u32 = 3;

/// Shows the progress of the games.
pub(crate) struct GamesShown<S> {
    progress: Progress,
    /// The state of the match, in a few words.
    state: S,
    faults: FaultReports,
}

impl<S: Fn(&Results) -> String> GamesShown<S> {
    /// Progress of `games` games, or of an unknown number. Those in `results` are done.
    pub(crate) fn new(games: Option<u64>, results: &Results, state: S) -> Self {
        let progress = Progress::new(games, "games");
        progress.set_begun(results.count());
        Self {
            progress,
            state,
            faults: FaultReports::default(),
        }
    }

    /// Shows that a game is over, which `results` already count.
    pub(crate) fn game_over(&mut self, record: &GameRecord, results: &Results) {
        if let Some(fault) = self.faults.told(record) {
            self.progress.suspend(|| say(&fault));
        }
        self.progress
            .set_with(results.count(), (self.state)(results));
    }
}

/// The progress of a tournament.
pub(crate) fn of_tournament(
    settings: &Settings,
    results: &Results,
) -> GamesShown<impl Fn(&Results) -> String + use<>> {
    let sprt = settings.sprt;
    let games = sprt.is_none().then(|| settings.games());
    GamesShown::new(games, results, move |results| state(results, sprt))
}

/// The score of two players and the state of their sequential test.
fn state(results: &Results, sprt: Option<SprtSetting>) -> String {
    if results.names.len() != 2 {
        return String::new();
    }
    let duel = results.duel(sprt);
    let [lost, drawn, won] = duel.games.map(|games| games as f64);
    let score = format!("{}-{}", won + drawn / 2.0, lost + drawn / 2.0);
    match &duel.sprt {
        Some(test) => format!("{score}; {}", text::sprt(test)),
        None => score,
    }
}

/// Reports the first games that each player lost by a fault.
#[derive(Default)]
struct FaultReports(HashMap<String, u32>);

impl FaultReports {
    /// The report on a game that is over, if it needs one.
    fn told(&mut self, record: &GameRecord) -> Option<String> {
        let why = record.why.as_ref()?;
        // Both, if neither could be started.
        let winner = record.winner.map(usize::from);
        let at_fault = (0..2).filter(|&seat| winner != Some(seat));
        let counts: Vec<u32> = at_fault
            .map(|seat| {
                let count = self.0.entry(record.players[seat].clone()).or_default();
                *count += 1;
                *count
            })
            .collect();
        if counts.iter().all(|&count| count > FAULTS_TOLD) {
            return None;
        }
        let more = if counts.contains(&FAULTS_TOLD) {
            " (further faults of this player are only counted)"
        } else {
            ""
        };
        Some(format!("game {}: {why}{more}", record.number()))
    }
}
