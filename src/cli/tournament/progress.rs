//! What is shown while a tournament is played: on a terminal a bar with the
//! time left, elsewhere only what somebody must know.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::cli::output::{match_bar, say};
use crate::record::GameRecord;
use crate::stats::SprtSetting;
use crate::tournament::{Results, Settings, Watcher, text};

/// How many games lost by a fault are told of for each player; the table
/// counts them all.
const FAULTS_TOLD: u32 = 3;

/// How often the state of a sequential test is told where there is no bar.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// The bar and the lines above it.
pub struct Progress {
    bar: ProgressBar,
    sprt: Option<SprtSetting>,
    told: Instant,
    faults: FaultTeller,
}

impl Progress {
    /// A bar for the games that are not played yet; hidden if standard error
    /// is no terminal.
    pub fn new(settings: &Settings, results: &Results) -> Self {
        let bar = match_bar(settings.games(), "games", settings.sprt.is_some());
        bar.set_position(results.count());
        // The games played before say nothing about the time of those to come.
        bar.reset_eta();
        Self {
            bar,
            sprt: settings.sprt,
            told: Instant::now(),
            faults: FaultTeller::default(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Tells of the first games that each player lost by a fault.
#[derive(Default)]
pub struct FaultTeller(HashMap<String, u32>);

impl FaultTeller {
    /// What is to be told of a game that is over, if anything.
    pub fn told(&mut self, record: &GameRecord) -> Option<String> {
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

impl Watcher for Progress {
    fn game_over(&mut self, record: &GameRecord, results: &Results) {
        if let Some(fault) = self.faults.told(record) {
            self.bar.suspend(|| say(&fault));
        }
        self.bar.set_position(results.count());
        if results.names.len() != 2 {
            return;
        }
        let duel = results.duel(self.sprt);
        let [lost, drawn, won] = duel.games;
        let score = format!(
            "{}-{}",
            won as f64 + drawn as f64 / 2.0,
            lost as f64 + drawn as f64 / 2.0
        );
        match &duel.sprt {
            None => self.bar.set_message(score),
            Some(test) => {
                let state = text::sprt(test);
                if self.bar.is_hidden() && self.told.elapsed() >= TELL_EVERY {
                    self.told = Instant::now();
                    say(&format!("{} games, {score}; {state}", results.count()));
                }
                self.bar.set_message(format!("{score}  {state}"));
            }
        }
    }
}
