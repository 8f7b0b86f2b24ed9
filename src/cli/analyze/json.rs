//! Analyses as JSON, one object on a line.

use serde_json::{Value, json};

use crate::record::to_microseconds;
use crate::rules::Turn;
use crate::search::{Line, Report, in_levels, plies_to_end};

/// The report as an object.
///
/// | key | value |
/// |---|---|
/// | `depth` | the depth completed, in plies |
/// | `nodes`, `seconds` | the work |
/// | `lines` | the best turns, best first |
///
/// and of a line:
///
/// | key | value |
/// |---|---|
/// | `turn` | the turn to play |
/// | `score` | in levels of height, for the player to move; `null` if proved |
/// | `plies` | the plies to a proved win, negative to a proved loss; `null` otherwise |
/// | `variation` | the principal variation, from `turn` on |
pub(super) fn report_json<const N: usize>(report: &Report) -> Value {
    json!({
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": to_microseconds(report.time.as_secs_f64()),
        "lines": report.lines.iter().map(line_json::<N>).collect::<Vec<_>>(),
    })
}

fn line_json<const N: usize>(line: &Line) -> Value {
    let text = |turn: &Turn| turn.text::<N>().to_string();
    let plies = plies_to_end(line.score);
    let score = plies.is_none().then(|| in_levels(line.score));
    json!({
        "turn": line.turns.first().map(text),
        "score": score,
        "plies": plies,
        "variation": line.turns.iter().map(text).collect::<Vec<_>>(),
    })
}
