//! Progress of games between programs, and the first faults.

use std::collections::HashMap;

use crate::cli::output::say;
use crate::cli::progress::Progress;
use crate::record::GameRecord;
use crate::stats::SprtSetting;
use crate::tournament::{Results, Settings, text};

/// The number of faults reported for each player; the table counts all of them.
pub(crate) const FAULTS_TOLD: u32 = 3;

/// Shows the progress of the games.
pub(crate) struct GamesShown<S> {
    progress: Progress,
    /// The state of the match, in a few words.
    state: S,
    faults: FaultCounts,
}

impl<S: Fn(&Results) -> String> GamesShown<S> {
    /// Progress of `games` games, or of an unknown number. Those in `results` are done.
    pub(crate) fn new(games: Option<u64>, results: &Results, state: S) -> Self {
        let progress = Progress::new(games, "games");
        progress.set_begun(results.count());
        Self {
            progress,
            state,
            faults: FaultCounts::default(),
        }
    }

    /// Shows that a game is over, which `results` already count.
    pub(crate) fn game_over(&mut self, record: &GameRecord, results: &Results) {
        if let Some(fault) = fault_report(&mut self.faults, record) {
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

/// The number of faults of each player.
#[derive(Default)]
pub(crate) struct FaultCounts(HashMap<String, u32>);

impl FaultCounts {
    /// Counts a game that ended by a fault. Returns the loser's number of faults so far, or both
    /// players' if neither won.
    pub(crate) fn add(&mut self, players: [&str; 2], winner: Option<usize>) -> Vec<u32> {
        let losers = (0..2).filter(|&seat| winner != Some(seat));
        let counts = losers.map(|seat| {
            let count = self.0.entry(players[seat].to_string()).or_default();
            *count += 1;
            *count
        });
        counts.collect()
    }
}

/// The report on a game that is over, if it needs one.
fn fault_report(faults: &mut FaultCounts, record: &GameRecord) -> Option<String> {
    let why = record.why.as_ref()?;
    let players = record.players.each_ref().map(String::as_str);
    let counts = faults.add(players, record.winner.map(usize::from));
    if counts.iter().all(|&count| count > FAULTS_TOLD) {
        return None;
    }
    let more = match counts.contains(&FAULTS_TOLD) {
        true => " (further faults of this player are only counted)",
        false => "",
    };
    Some(format!("game {}: {why}{more}", record.number()))
}
