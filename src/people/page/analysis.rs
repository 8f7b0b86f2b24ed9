//! The best turns of a position, live.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};

use super::desk::Desk;
use super::engines::with_engine;
use crate::draw::Scene;
use crate::review::chance;
use crate::rules::{AnyPosition, Position};
use crate::search::{Limits, Report, ScoreText};

/// The most turns shown at the same time.
pub const MOST_LINES: usize = 8;
/// The longest search. A page that still wants to know more asks again.
pub const MOST_SECONDS: f64 = 300.0;

/// How much is wanted of an analysis.
#[derive(Debug)]
pub struct Extent {
    lines: usize,
    limits: Limits,
}

impl Extent {
    /// An analysis of the best turns, `lines` of them.
    ///
    /// # Errors
    /// If that is too much, or nothing.
    pub fn new(lines: usize, seconds: f64, depth: Option<u32>) -> Result<Self, String> {
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(format!("{lines} lines; 1 to {MOST_LINES} can be asked for"));
        }
        if !(seconds > 0.0 && seconds <= MOST_SECONDS) {
            return Err(format!(
                "{seconds} seconds; more than 0 and up to {MOST_SECONDS} can be asked for"
            ));
        }
        let limits = Limits {
            time: Some(Duration::from_secs_f64(seconds)),
            depth,
            ..Limits::default()
        };
        Ok(Self { lines, limits })
    }
}

/// Searches the position; each depth is a part of the answer, and the last
/// one the answer.
///
/// # Errors
/// If the game is over.
pub fn analyze(
    desk: &Desk,
    position: &AnyPosition,
    extent: &Extent,
    stop: &AtomicBool,
    part: &mut dyn FnMut(Value),
) -> Result<Value, String> {
    with_engine!(desk.engines, false, position, (engine, position) => {
        if Scene::new(position).winner().is_some() {
            return Err("the game is over".into());
        }
        let mut show = |report: &Report| part(shown(position, report));
        let report = engine.search_lines(position, extent.lines, &extent.limits, stop, &mut show);
        Ok(shown(position, &report))
    })
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

/// A share to four decimals: more is noise.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}
