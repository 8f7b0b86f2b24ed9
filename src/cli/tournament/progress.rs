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
    faults: HashMap<String, u32>,
}

impl Progress {
    /// A bar for the games that are not played yet; hidden if standard error
    /// is no terminal.
    pub fn new(settings: &Settings, results: &Results) -> Self {
        let games = 2 * settings.pairs().count() as u64;
        let bar = match_bar(games, "games", settings.sprt.is_some());
        bar.set_position(results.count());
        // The games played before say nothing about the time of those to come.
        bar.reset_eta();
        Self {
            bar,
            sprt: settings.sprt,
            told: Instant::now(),
            faults: HashMap::new(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, text: &str) {
        self.bar.suspend(|| say(text));
    }

    /// Tells of a game that somebody lost by a fault, if it is one of the
    /// first.
    fn tell_fault(&mut self, record: &GameRecord) {
        let Some(why) = &record.why else {
            return;
        };
        let loser = record.winner.map_or(0, |winner| 1 - usize::from(winner));
        let told = self
            .faults
            .entry(record.players[loser].clone())
            .or_default();
        *told += 1;
        if *told > FAULTS_TOLD {
            return;
        }
        let more = if *told == FAULTS_TOLD {
            " (more of this player's are only counted)"
        } else {
            ""
        };
        let line = format!("game {}: {why}{more}", record.number());
        self.say(&line);
    }
}

impl Watcher for Progress {
    fn game_over(&mut self, record: &GameRecord, results: &Results) {
        self.tell_fault(record);
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
