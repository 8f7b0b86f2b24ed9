//! A search that runs beside the input, and what it tells.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::board::{AnyGame, Game, placement_text};
use super::command::Go;
use super::options::Options;
use crate::rules::{Position, Setup};
use crate::search::{Engine, PROVED, Report, WIN};

/// Where lines go: the session and its search both write whole ones.
pub struct Out<W>(Arc<Mutex<W>>);

impl<W: Write> Out<W> {
    pub fn new(output: W) -> Self {
        Self(Arc::new(Mutex::new(output)))
    }

    /// Writes lines at once.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, lines: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(lines.as_bytes())?;
        output.flush()
    }
}

impl<W> Clone for Out<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The engines, one for each size of the board, made when they are needed.
#[derive(Default)]
pub struct Engines {
    five: Option<Engine<5>>,
    six: Option<Engine<6>>,
}

/// A search that runs.
pub struct Running {
    stop: Arc<AtomicBool>,
    /// Set before the answer is written: who has read it may ask for the next one,
    /// though the thread has not ended.
    answers: Arc<AtomicBool>,
    thread: JoinHandle<(Engines, io::Result<()>)>,
}

/// The time for a placement where no time is asked for.
const PLACEMENT_TIME: Duration = Duration::from_secs(2);

impl Running {
    /// Starts a search.
    ///
    /// # Errors
    /// If the system gives no thread for it. Then the engines are lost.
    pub fn start<W: Write + Send + 'static>(
        mut engines: Engines,
        game: AnyGame,
        go: Go,
        options: Options,
        out: Out<W>,
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
                AnyGame::Five(game) => {
                    search.run(engines.five.get_or_insert_with(|| Engine::new(new)), &game)
                }
                AnyGame::Six(game) => {
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

    /// Whether it is over, but for the writing of its answer.
    pub fn is_over(&self) -> bool {
        self.answers.load(Ordering::Acquire) || self.thread.is_finished()
    }

    /// Ends the search and waits until its answer is written; the engines.
    ///
    /// # Errors
    /// If the answer could not be written.
    pub fn stop(self) -> io::Result<Engines> {
        self.stop.store(true, Ordering::Relaxed);
        self.wait()
    }

    /// Waits for the end of the search.
    ///
    /// # Errors
    /// As [`Running::stop`].
    pub fn wait(self) -> io::Result<Engines> {
        match self.thread.join() {
            Ok((engines, told)) => told.map(|()| engines),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

struct Search<'a, W> {
    go: Go,
    options: Options,
    stop: &'a AtomicBool,
    answers: &'a AtomicBool,
    out: Out<W>,
}

impl<W: Write> Search<'_, W> {
    /// Searches and writes the best turn; with `infinite` not before `stop`.
    fn run<const N: usize>(&self, engine: &mut Engine<N>, game: &Game<N>) -> io::Result<()> {
        let best = match game {
            Game::Placing(setup) => Some(self.place(engine, setup)),
            Game::Playing(position) => self.turn(engine, position)?,
            Game::Won(_) => None,
        };
        while self.go.infinite && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
        let best = best.unwrap_or_else(|| "none".into());
        self.answers.store(true, Ordering::Release);
        self.out.write(&format!("bestmove {best}\n"))
    }

    fn place<const N: usize>(&self, engine: &mut Engine<N>, setup: &Setup) -> String {
        let time = self.go.limits.time.unwrap_or(PLACEMENT_TIME);
        placement_text::<N>(engine.place(setup, time, self.stop, &mut |_| {}))
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

/// What a report says, a line for each of the best turns.
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

/// `cl 35`: hundredths of a level; `win 3` and `loss 4`: plies to the end.
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
