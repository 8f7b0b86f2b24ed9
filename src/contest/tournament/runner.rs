//! Plays games between programs in parallel, and saves each one as soon as it is over.
//!
//! Each job is a thread with its own player processes. It takes the next game, plays it
//! and appends its record to the file, until no games are left. A job mostly waits for
//! its players, so the jobs keep as many cores busy as there are jobs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::Instant;

use super::failing::{FailingPlayer, FaultWatch};
use super::results::{Results, ResultsError};
use super::schedule::ScheduledGame;
use super::settings::Settings;
use crate::mutex::MutexExt as _;
use crate::openings::Openings;
use crate::program::{Player, PlayerCommand, Shortage, StderrFile, Termination, TimeLimit};
use crate::protocol::exchange::write_board;
use crate::record::{FileError, GameRecord, RecordFile, SaveError, to_microseconds};
use crate::referee::{GameOptions, GameOutcome, play};
use crate::rules::Position;
use crate::stats::{Decision, Sprt};

/// A tournament that is ready to start.
pub struct Runner<'a> {
    /// Everything that determines the games.
    pub settings: &'a Settings,
    /// The openings that the settings name.
    pub openings: &'a Openings,
    /// The players' commands and time limits, in the order of the settings.
    pub players: &'a [(PlayerCommand, TimeLimit)],
    /// The maximum number of games at a time. If the system gives fewer threads, there
    /// are fewer; without any, the calling thread plays.
    pub jobs: usize,
    /// The log of the players' standard error, if any.
    pub stderr: Option<StderrFile>,
    /// Whether to continue although a player fails.
    pub keep_going: bool,
    /// The time when play stops. Unfinished games are dropped.
    pub deadline: Option<Instant>,
}

/// Chooses the next game by the results of all finished ones; `None` if there are no more.
pub type NextGame<'a> = dyn FnMut(&Results) -> Option<ScheduledGame> + Send + 'a;

/// Is called with each finished game, and the results that count it already.
pub type Watcher<'a> = dyn FnMut(&GameRecord, &Results) + Send + 'a;

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// All games were played.
    Complete,
    /// The sequential test is decided.
    Decided(Decision),
    /// A player could not be started, or lost too many games by faults.
    PlayerFails(FailingPlayer),
    /// The deadline passed.
    OutOfTime,
    /// The run was stopped from outside.
    Interrupted,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The file failed.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The machine could start no more players. Unfinished games are dropped.
    #[error("{0}; use a higher limit or a lower --jobs")]
    Shortage(#[from] Shortage),
    /// A finished game cannot be counted.
    #[error(transparent)]
    Results(#[from] ResultsError),
}

impl Runner<'_> {
    /// Plays all games of the schedule that `results` lacks. Setting `stop` interrupts
    /// the run; it is always set when the run ends.
    ///
    /// # Errors
    /// If the file takes no more records, or the machine can start no more players.
    pub fn run(
        &self,
        file: RecordFile,
        results: Results,
        stop: &AtomicBool,
        watcher: &mut Watcher<'_>,
    ) -> Result<(Results, RunEnd), RunError> {
        let schedule = self.settings.schedule();
        let played = results.clone();
        let games = self.settings.pairs().flat_map(|pair| schedule.pair(pair));
        let mut open = games.filter(|game| !played.has(game.game));
        self.run_games(&mut |_| open.next(), file, results, stop, watcher)
    }

    /// Like [`Runner::run`], with the games that `next` chooses.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn run_games(
        &self,
        next: &mut NextGame<'_>,
        file: RecordFile,
        results: Results,
        stop: &AtomicBool,
        watcher: &mut Watcher<'_>,
    ) -> Result<(Results, RunEnd), RunError> {
        let mut collector = Collector {
            sprt: self.settings.sprt.and_then(|setting| setting.test().ok()),
            next,
            file,
            results,
            watcher,
            faults: (!self.keep_going).then(FaultWatch::default),
            end: None,
            error: None,
        };
        collector.end = collector.decision();
        let shared = Mutex::new(collector);
        self.play_all(&shared, stop);
        let interrupted = stop.load(Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
        let mut collector = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Err(cause) = collector.file.verify() {
            collector.fail(cause, None, stop);
        }
        collector.outcome(interrupted)
    }

    /// Plays in one thread for each job, until no games are left.
    fn play_all(&self, shared: &Mutex<Collector>, stop: &AtomicBool) {
        // The channel closes when all jobs have ended.
        let (working, over) = channel::<()>();
        thread::scope(|scope| {
            let start = || {
                let working = working.clone();
                Builder::new().spawn_scoped(scope, move || self.work(shared, stop, working))
            };
            let started = (0..self.jobs).take_while(|_| start().is_ok()).count();
            if let Some(deadline) = self.deadline {
                let end = move || end_at(deadline, &over, shared, stop);
                // If this thread cannot start, running games play on past the deadline.
                let _ = Builder::new().spawn_scoped(scope, end);
            }
            if started == 0 {
                self.work(shared, stop, working.clone());
            }
            drop(working);
        });
    }

    /// The loop of one job. It holds its end of the channel until its players are gone.
    fn work(&self, shared: &Mutex<Collector>, stop: &AtomicBool, _working: Sender<()>) {
        let mut players: Vec<Player> = (0..self.players.len()).map(|n| self.player(n)).collect();
        loop {
            let next = shared.locked().next(stop);
            let Some(game) = next else {
                return;
            };
            match self.play(&mut players, &game, stop) {
                Ok(Some(record)) => shared.locked().take(record, stop),
                Ok(None) => return,
                Err(shortage) => return shared.locked().run_short(shortage, stop),
            }
        }
    }

    pub(super) fn player(&self, number: usize) -> Player {
        let name = self.settings.players[number].name.clone();
        let (command, time) = self.players[number].clone();
        let player = Player::new(name, command, time);
        match &self.stderr {
            Some(file) => player.with_stderr(file.clone()),
            None => player,
        }
    }

    /// Plays a game; `None` if it was interrupted.
    ///
    /// # Errors
    /// If a player could not be started, and it is not its fault.
    fn play(
        &self,
        players: &mut [Player],
        game: &ScheduledGame,
        stop: &AtomicBool,
    ) -> Result<Option<GameRecord>, Shortage> {
        let options = GameOptions {
            cards: game.cards,
            start: self.openings.board(game.opening, game.cards),
            reuse: self.settings.reuse,
        };
        let Ok(pair) = players.get_disjoint_mut(game.players) else {
            return Ok(None);
        };
        let outcome = play(pair, &options, stop, &mut ());
        if let Termination::Shortage(shortage) = outcome.ending {
            return Err(shortage);
        }
        let names = game.players.map(|n| self.settings.players[n].name.as_str());
        // An interrupted game has no result.
        let has_result = outcome.winner.is_some() || outcome.ending.kind().is_fault();
        Ok(has_result.then(|| record_of(game, names, &outcome)))
    }
}

fn record_of(game: &ScheduledGame, names: [&str; 2], outcome: &GameOutcome) -> GameRecord {
    let fault = outcome.ending.kind().is_fault();
    // Rounded like in the file, so that its tables are the same.
    let times = |seconds: &[f64]| seconds.iter().map(|&time| to_microseconds(time)).collect();
    let mut record = GameRecord {
        game: game.game,
        players: names.map(String::from),
        cards: None,
        start: outcome.start.as_ref().map(write_board),
        turns: outcome
            .turns
            .iter()
            .map(|turn| turn.text::<5>().to_string())
            .collect(),
        seconds: times(&outcome.seconds),
        setup_seconds: times(&outcome.setup_seconds),
        winner: outcome.winner.map(|winner| winner as u8),
        ending: outcome.ending.kind().name().to_string(),
        why: fault.then(|| outcome.message(names)),
        pair: Some(game.pair),
        more: serde_json::Map::new(),
    };
    // A board of an opening file has its own cards.
    let start = outcome.start.as_ref();
    let cards = start.map_or(game.cards, Position::first_cards);
    if let [Some(first), Some(second)] = cards {
        record.cards = Some([first, second]);
    }
    if let Some(evidence) = &outcome.evidence {
        evidence.write_to(&mut record);
    }
    record
}

/// The state shared by all jobs.
struct Collector<'a> {
    next: &'a mut NextGame<'a>,
    file: RecordFile,
    results: Results,
    sprt: Option<Sprt>,
    watcher: &'a mut Watcher<'a>,
    /// `None` if the run continues although a player fails.
    faults: Option<FaultWatch>,
    end: Option<RunEnd>,
    error: Option<RunError>,
}

impl Collector<'_> {
    /// The next game, if one is wanted and the file has room for its record.
    fn next(&mut self, stop: &AtomicBool) -> Option<ScheduledGame> {
        if self.end.is_some() || stop.load(Ordering::Relaxed) {
            return None;
        }
        if let Err(cause) = self.file.reserve() {
            self.fail(cause, None, stop);
            return None;
        }
        (self.next)(&self.results)
    }

    /// Saves a finished game.
    fn take(&mut self, record: GameRecord, stop: &AtomicBool) {
        if let Err(cause) = self.file.append(&record) {
            self.fail(cause, Some(record), stop);
            return;
        }
        if let Err(error) = self.results.add(&record) {
            self.error = Some(error.into());
            stop.store(true, Ordering::Relaxed);
            return;
        }
        (self.watcher)(&record, &self.results);
        let failing = self.faults.as_mut().and_then(|faults| faults.add(&record));
        if self.end.is_none() {
            self.end = failing.map(RunEnd::PlayerFails).or_else(|| self.decision());
            if self.end.is_some() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The results and the reason for the end.
    fn outcome(self, interrupted: bool) -> Result<(Results, RunEnd), RunError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let failing = || self.faults.as_ref()?.only_failing(&self.results);
        let end = match self.end {
            Some(end) => end,
            None if interrupted => RunEnd::Interrupted,
            None => failing().map_or(RunEnd::Complete, RunEnd::PlayerFails),
        };
        Ok((self.results, end))
    }

    fn decision(&self) -> Option<RunEnd> {
        let decision = self.sprt?.decision(&self.results.pairs[0][1])?;
        Some(RunEnd::Decided(decision))
    }

    /// Ends the run because no more players can be started, unless it has ended already.
    fn run_short(&mut self, shortage: Shortage, stop: &AtomicBool) {
        if !stop.swap(true, Ordering::Relaxed) {
            self.error = Some(shortage.into());
        }
    }

    /// Ends the run because the file cannot be written.
    fn fail(&mut self, cause: FileError, record: Option<GameRecord>, stop: &AtomicBool) {
        stop.store(true, Ordering::Relaxed);
        match &mut self.error {
            Some(RunError::Save(first)) => first.lost.extend(record),
            _ => {
                let lost = record.into_iter().collect();
                self.error = Some(SaveError { cause, lost }.into());
            }
        }
    }
}

/// Ends the run at the deadline, unless all jobs have dropped their end of the channel.
fn end_at(deadline: Instant, over: &Receiver<()>, shared: &Mutex<Collector>, stop: &AtomicBool) {
    let left = deadline.saturating_duration_since(Instant::now());
    if over.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let mut collector = shared.locked();
    if collector.end.is_none() && !stop.swap(true, Ordering::Relaxed) {
        collector.end = Some(RunEnd::OutOfTime);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::tournament::settings::tests::settings;

    #[test]
    fn unfinished_games_are_dropped_at_the_deadline() {
        let settings = settings(&["a", "b"]);
        let folder = tempfile::tempdir().unwrap();
        let file = RecordFile::create(&folder.path().join("games.jsonl")).unwrap();
        let patient = TimeLimit::unannounced(Duration::from_secs(600));
        let players: Vec<(PlayerCommand, TimeLimit)> =
            vec![("sleep 1000".parse().unwrap(), patient); 2];
        let deadline = Instant::now() + Duration::from_millis(200);
        let runner = Runner {
            settings: &settings,
            openings: &Openings::SetUp,
            players: &players,
            jobs: 2,
            stderr: None,
            keep_going: false,
            deadline: Some(deadline),
        };
        let results = Results::new(settings.names());
        let stop = AtomicBool::new(false);
        let (results, end) = runner.run(file, results, &stop, &mut |_, _| {}).unwrap();
        assert_eq!((results.count(), end), (0, RunEnd::OutOfTime));
        assert!(Instant::now() >= deadline);
    }
}
