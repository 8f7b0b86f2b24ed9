//! Runs searches while the session reads input, and writes their lines.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::board::{AnyGameState, GameState, placement_text};
use super::command::Go;
use super::options::UciOptions;
use crate::mutex::MutexExt as _;
use crate::rules::{Position, Setup};
use crate::search::{Engine, Limits, PROVED, Report, WIN};

/// The error for commands that need a board.
pub(super) const NO_BOARD: &str = "there is no board: the last position was refused";

/// The output, shared by the session and its searches. Both write whole lines.
#[derive(Clone)]
pub(super) struct SharedOutput(Arc<Mutex<dyn Write + Send>>);

impl SharedOutput {
    pub(super) fn new(output: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Writes lines and flushes them.
    ///
    /// # Errors
    /// If writing fails.
    pub(super) fn write(&self, lines: &str) -> io::Result<()> {
        let mut output = self.0.locked();
        output.write_all(lines.as_bytes())?;
        output.flush()
    }
}

/// The engines, one for each board size, created at first use.
#[derive(Default)]
struct EnginesBySize {
    five: Option<Engine<5>>,
    six: Option<Engine<6>>,
}

/// What to search, and how.
pub(super) struct GoRequest {
    /// The board; `None` if the last position was refused.
    pub game: Option<AnyGameState>,
    pub go: Go,
    pub options: UciOptions,
    /// Whether to forget the results of earlier searches.
    pub new_engines: bool,
}

/// A search that has not begun, or runs.
struct Pending {
    /// The search holds this flag until it has answered.
    stop: Arc<AtomicBool>,
    /// Whether only the flag ends the search.
    is_endless: bool,
}

impl Pending {
    fn is_over(&self) -> bool {
        Arc::strong_count(&self.stop) == 1
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A thread that searches, one search after another, while the session reads input.
pub(super) struct SearchThread {
    requests: SyncSender<(GoRequest, Arc<AtomicBool>)>,
    pending: Vec<Pending>,
    thread: JoinHandle<io::Result<()>>,
}

/// The number of searches that may wait for others. Further ones keep the session from
/// reading.
const WAITING_SEARCHES: usize = 100;

/// The time for a placement if the command has no limit.
const PLACEMENT_TIME: Duration = Duration::from_secs(2);

impl SearchThread {
    /// Starts the thread, which writes its answers to `out`.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(super) fn start(out: SharedOutput) -> io::Result<Self> {
        let (requests, receiver) = sync_channel::<(GoRequest, Arc<AtomicBool>)>(WAITING_SEARCHES);
        let thread = thread::Builder::new().spawn(move || {
            let mut engines = EnginesBySize::default();
            for (request, stop) in receiver {
                answer(&mut engines, &request, &stop, &out)?;
            }
            Ok(())
        })?;
        Ok(Self {
            requests,
            pending: Vec::new(),
            thread,
        })
    }

    /// Asks for a search, which begins when the earlier ones have answered.
    pub(super) fn ask(&mut self, request: GoRequest) {
        self.pending.retain(|search| !search.is_over());
        let stop = Arc::new(AtomicBool::new(false));
        self.pending.push(Pending {
            stop: Arc::clone(&stop),
            is_endless: request.go.infinite && request.game.is_some(),
        });
        // This fails if the thread could not write an answer. `finish` returns that error.
        let _ = self.requests.send((request, stop));
    }

    /// Whether a search runs or waits that only [`SearchThread::stop`] ends.
    pub(super) fn is_endless(&self) -> bool {
        let mut pending = self.pending.iter();
        pending.any(|search| search.is_endless && !search.stop.load(Ordering::Relaxed))
    }

    /// Makes all searches answer at once.
    pub(super) fn stop(&self) {
        self.pending.iter().for_each(Pending::stop);
    }

    /// Whether an answer could not be written.
    pub(super) fn has_failed(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits until all searches have answered. Stops those without a limit.
    ///
    /// # Errors
    /// If an answer could not be written.
    pub(super) fn finish(self) -> io::Result<()> {
        let endless = self.pending.iter().filter(|search| search.is_endless);
        endless.for_each(Pending::stop);
        drop(self.requests);
        match self.thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Searches and writes the answer.
fn answer(
    engines: &mut EnginesBySize,
    request: &GoRequest,
    stop: &AtomicBool,
    out: &SharedOutput,
) -> io::Result<()> {
    if request.new_engines {
        *engines = EnginesBySize::default();
    }
    let new = request.options.engine;
    let search = Search { request, stop, out };
    match &request.game {
        None => out.write(&format!("info string error: {NO_BOARD}\nbestmove none\n")),
        Some(AnyGameState::Five(game)) => {
            search.run(engines.five.get_or_insert_with(|| Engine::new(new)), game)
        }
        Some(AnyGameState::Six(game)) => {
            search.run(engines.six.get_or_insert_with(|| Engine::new(new)), game)
        }
    }
}

struct Search<'a> {
    request: &'a GoRequest,
    stop: &'a AtomicBool,
    out: &'a SharedOutput,
}

impl Search<'_> {
    /// Searches and writes the best turn; with `infinite`, only after `stop`.
    fn run<const N: usize>(&self, engine: &mut Engine<N>, game: &GameState<N>) -> io::Result<()> {
        let best = match game {
            GameState::Placing(setup) => Some(self.place(engine, setup)),
            GameState::Playing(position) => self.turn(engine, position)?,
            GameState::Won(_) => None,
        };
        while self.request.go.infinite && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
        let best = best.unwrap_or_else(|| "none".into());
        self.out.write(&format!("bestmove {best}\n"))
    }

    fn place<const N: usize>(&self, engine: &mut Engine<N>, setup: &Setup) -> String {
        let mut limits = self.request.go.limits;
        if limits == Limits::default() {
            limits = Limits::time(PLACEMENT_TIME);
        }
        placement_text::<N>(engine.place(setup, &limits, self.stop, &mut |_| {}))
    }

    /// The best turn; `None` if the game is over.
    fn turn<const N: usize>(
        &self,
        engine: &mut Engine<N>,
        position: &Position<N>,
    ) -> io::Result<Option<String>> {
        if position.shows_win() || !position.has_turn() {
            return Ok(None);
        }
        let mut told = Ok(());
        let mut tell = |report: &Report| {
            if told.is_ok() {
                told = self.out.write(&infos::<N>(report));
            }
        };
        let limits = self.request.go.limits;
        let lines = self.request.options.multi_pv;
        let report = engine.search_lines(position, lines, &limits, self.stop, &mut tell);
        told?;
        Ok(report.turn().map(|turn| turn.text::<N>().to_string()))
    }
}

/// Formats a report: a line for each of the best turns.
fn infos<const N: usize>(report: &Report) -> String {
    let milliseconds = report.time.as_millis();
    let speed = report.nodes as f64 / report.time.as_secs_f64().max(1e-6);
    let lines = (1..).zip(&report.lines).map(|(rank, line)| {
        let turns = line.turns.iter().map(|turn| turn.text::<N>().to_string());
        format!(
            "info depth {} multipv {rank} score {} nodes {} nps {speed:.0} time {milliseconds} \
             pv {}\n",
            report.depth,
            score_text(line.score),
            report.nodes,
            turns.collect::<Vec<_>>().join(" ")
        )
    });
    lines.collect()
}

/// Formats a score: `cl 35` in hundredths of a level; `win 3` and `loss 4` in plies.
fn score_text(score: i32) -> String {
    match score {
        score if score >= PROVED => format!("win {}", WIN - score),
        score if score <= -PROVED => format!("loss {}", WIN + score),
        score => format!("cl {score}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_levels_or_plies() {
        let shown = [35, -120, WIN - 3, 4 - WIN].map(score_text);
        assert_eq!(shown, ["cl 35", "cl -120", "win 3", "loss 4"]);
    }
}
