//! Live analysis: the best turns of a position.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};

use super::backend::PageBackend;
use super::engine_pool::with_engine;
use crate::draw::Scene;
use crate::review::{chance, rounded};
use crate::rules::{AnyPosition, Position};
use crate::search::{Limits, Report, ScoreText};

/// The maximum number of turns shown.
pub(super) const MOST_LINES: usize = 8;
/// The maximum time of a search, in seconds. To continue, a page asks again.
pub(super) const MOST_SECONDS: f64 = 300.0;

/// The limits of an analysis.
#[derive(Debug)]
pub(super) struct AnalysisLimits {
    lines: usize,
    pub(super) limits: Limits,
}

impl AnalysisLimits {
    /// Checks the limits of an analysis that shows the `lines` best turns.
    ///
    /// # Errors
    /// If a limit is out of range.
    pub(super) fn new(lines: usize, seconds: f64, depth: Option<u32>) -> Result<Self, String> {
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(format!("lines must be 1 to {MOST_LINES}, not {lines}"));
        }
        if !(seconds > 0.0 && seconds <= MOST_SECONDS) {
            return Err(format!(
                "seconds must be more than 0 and at most {MOST_SECONDS}, not {seconds}"
            ));
        }
        if depth == Some(0) {
            return Err("depth must be 1 or more, not 0".into());
        }
        let limits = Limits {
            time: Some(Duration::from_secs_f64(seconds)),
            depth,
            ..Limits::default()
        };
        Ok(Self { lines, limits })
    }
}

/// Searches the position. Each depth is a partial answer; the last one is the answer.
///
/// # Errors
/// If the game is over.
pub(super) fn analyze(
    backend: &PageBackend,
    position: &AnyPosition,
    wanted: &AnalysisLimits,
    stop: &AtomicBool,
    part: &mut dyn FnMut(Value),
) -> Result<Value, String> {
    with_engine!(backend.engines, false, position, (engine, position) => {
        refuse_ended(position)?;
        let mut show = |report: &Report| part(shown(position, report));
        let report = engine.search_lines(position, wanted.lines, &wanted.limits, stop, &mut show);
        Ok(shown(position, &report))
    })
}

/// Fails if the game has ended on this board.
pub(super) fn refuse_ended<const N: usize>(position: &Position<N>) -> Result<(), String> {
    match Scene::new(position).winner() {
        Some(_) => Err("the game is over".into()),
        None => Ok(()),
    }
}

fn shown<const N: usize>(position: &Position<N>, report: &Report) -> Value {
    let lines = report.lines.iter().map(|line| {
        let turns = line.turns.iter().map(|turn| turn.text::<N>().to_string());
        json!({
            "score": ScoreText(line.score).to_string(),
            "chance": rounded(chance(position, line.score)),
            "turns": turns.collect::<Vec<_>>(),
        })
    });
    let seconds = report.time.as_secs_f64();
    json!({
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": seconds,
        "speed": (report.nodes as f64 / seconds.max(1e-6)).round(),
        "lines": lines.collect::<Vec<_>>(),
    })
}
