//! What is shown while games of programs are played: how far they are, and the first
//! faults.

use std::collections::HashMap;

use crate::cli::output::say;
use crate::cli::progress::Progress;
use crate::record::GameRecord;
use crate::stats::SprtSetting;
use crate::tournament::{Results, Settings, Watcher, text};

/// How many games lost by a fault are told of for each player; the table
/// counts them all.
const FAULTS_TOLD: u32 = 3;

/// Shows the games as they end.
pub struct GamesShown<S> {
    progress: Progress,
    /// How the games stand, in a few words.
    state: S,
    faults: FaultTeller,
}

impl<S: Fn(&Results) -> String> GamesShown<S> {
    /// Of `games` games, or an unknown number, those in `results` are played already.
    pub fn new(games: Option<u64>, results: &Results, state: S) -> Self {
        let progress = Progress::new(games, "games");
        progress.set_begun(results.count());
        Self {
            progress,
            state,
            faults: FaultTeller::default(),
        }
    }
}

/// What is shown of a tournament.
pub fn of_tournament(
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

/// Tells of the first games that each player lost by a fault.
#[derive(Default)]
struct FaultTeller(HashMap<String, u32>);

impl FaultTeller {
    /// What is to be told of a game that is over, if anything.
    fn told(&mut self, record: &GameRecord) -> Option<String> {
        let why = record.why.as_ref()?;
        let loser = record.winner.map_or(0, |winner| 1 - usize::from(winner));
        let told = self.0.entry(record.players[loser].clone()).or_default();
        *told += 1;
        if *told > FAULTS_TOLD {
            return None;
        }
        let more = if *told == FAULTS_TOLD {
            " (more of this player's are only counted)"
        } else {
            ""
        };
        Some(format!("game {}: {why}{more}", record.number()))
    }
}

impl<S: Fn(&Results) -> String + Send> Watcher for GamesShown<S> {
    fn game_over(&mut self, record: &GameRecord, results: &Results) {
        if let Some(fault) = self.faults.told(record) {
            self.progress.suspend(|| say(&fault));
        }
        self.progress
            .set_with(results.count(), (self.state)(results));
    }
}
