//! Runs a search while the session reads input, and writes its lines.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::board::{AnyGameState, GameState, placement_text};
use super::command::Go;
use super::options::UciOptions;
use crate::rules::{Position, Setup};
use crate::search::{Engine, Limits, PROVED, Report, WIN};

/// The output, shared by the session and its search. Both write whole lines.
pub(super) struct SharedOutput<W>(Arc<Mutex<W>>);

impl<W: Write> SharedOutput<W> {
    pub(super) fn new(output: W) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Writes lines and flushes them.
    ///
    /// # Errors
    /// If writing fails.
    pub(super) fn write(&self, lines: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(lines.as_bytes())?;
        output.flush()
    }
}

impl<W> Clone for SharedOutput<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The engines, one for each board size, created at first use.
#[derive(Default)]
pub(super) struct EnginesBySize {
    five: Option<Engine<5>>,
    six: Option<Engine<6>>,
}

/// A running search.
pub(super) struct RunningSearch {
    stop: Arc<AtomicBool>,
    /// Set before the answer is written: the reader of the answer may ask for the next
    /// search before this thread has ended.
    answers: Arc<AtomicBool>,
    thread: JoinHandle<(EnginesBySize, io::Result<()>)>,
}

/// The default time for a placement.
const PLACEMENT_TIME: Duration = Duration::from_secs(2);

impl RunningSearch {
    /// Starts a search.
    ///
    /// # Errors
    /// If no thread can be started. The engines are lost then.
    pub(super) fn start<W: Write + Send + 'static>(
        mut engines: EnginesBySize,
        game: AnyGameState,
        go: Go,
        options: UciOptions,
        out: SharedOutput<W>,
    ) -> io::Result<Self> {
        let [stop, answers] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let flags = [&stop, &answers].map(Arc::clone);
        let thread = thread::Builder::new().spawn(move || {
            let [stop, answers] = &flags;
            let search = Search {
                go,
                options,
                stop,
                answers,
                out,
            };
            let new = options.engine;
            let told = match game {
                AnyGameState::Five(game) => {
                    search.run(engines.five.get_or_insert_with(|| Engine::new(new)), &game)
                }
                AnyGameState::Six(game) => {
                    search.run(engines.six.get_or_insert_with(|| Engine::new(new)), &game)
                }
            };
            (engines, told)
        })?;
        Ok(Self {
            stop,
            answers,
            thread,
        })
    }

    /// Whether the search is over, though its answer may not be written yet.
    pub(super) fn is_over(&self) -> bool {
        self.answers.load(Ordering::Acquire) || self.thread.is_finished()
    }

    /// Stops the search, waits until its answer is written, and returns the engines.
    ///
    /// # Errors
    /// If the answer could not be written.
    pub(super) fn stop(self) -> io::Result<EnginesBySize> {
        self.stop.store(true, Ordering::Relaxed);
        self.wait()
    }

    /// Waits until the search ends, and returns the engines.
    ///
    /// # Errors
    /// As [`RunningSearch::stop`].
    pub(super) fn wait(self) -> io::Result<EnginesBySize> {
        match self.thread.join() {
            Ok((engines, told)) => told.map(|()| engines),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

struct Search<'a, W> {
    go: Go,
    options: UciOptions,
    stop: &'a AtomicBool,
    answers: &'a AtomicBool,
    out: SharedOutput<W>,
}

impl<W: Write> Search<'_, W> {
    /// Searches and writes the best turn; with `infinite`, only after `stop`.
    fn run<const N: usize>(&self, engine: &mut Engine<N>, game: &GameState<N>) -> io::Result<()> {
        let best = match game {
            GameState::Placing(setup) => Some(self.place(engine, setup)),
            GameState::Playing(position) => self.turn(engine, position)?,
            GameState::Won(_) => None,
        };
        while self.go.infinite && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
        let best = best.unwrap_or_else(|| "none".into());
        self.answers.store(true, Ordering::Release);
        self.out.write(&format!("bestmove {best}\n"))
    }

    fn place<const N: usize>(&self, engine: &mut Engine<N>, setup: &Setup) -> String {
        let limits = Limits::time(self.go.limits.time.unwrap_or(PLACEMENT_TIME));
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
        let limits = self.go.limits;
        let lines = self.options.multi_pv;
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
