//! Answers questions about positions on 5x5 spaces.

use std::sync::atomic::AtomicBool;

use santorini::rules::Position;
use santorini::search::{Engine, EngineOptions, Limits, Report};
use serde_json::{Value, json};

/// Answers questions, one at a time.
pub struct Desk {
    engine: Engine<5>,
}

/// The size of the transposition table in mebibytes.
const HASH_MIB: usize = 64;

impl Desk {
    pub fn new() -> Self {
        Self {
            engine: Engine::new(EngineOptions {
                hash_mib: HASH_MIB,
                ..EngineOptions::default()
            }),
        }
    }

    /// Answers a question; each answer is handed to `send`.
    pub fn answer(&mut self, question: &str, send: &mut dyn FnMut(Value)) {
        let question: Value = serde_json::from_str(question).unwrap_or_default();
        let id = &question["id"];
        let result = self.result(&question, &mut |part| {
            send(json!({ "id": id, "part": part }));
        });
        send(match result {
            Ok(value) => json!({ "id": id, "ok": value }),
            Err(why) => json!({ "id": id, "error": why }),
        });
    }

    fn result(&mut self, question: &Value, part: &mut dyn FnMut(Value)) -> Result<Value, String> {
        let position = || -> Result<Position<5>, String> {
            let text = question["position"].as_str().unwrap_or_default();
            text.parse().map_err(|error| format!("{error}"))
        };
        match question["do"].as_str() {
            Some("hello") => Ok(json!({ "version": env!("CARGO_PKG_VERSION") })),
            Some("legal") => {
                let turns = position()?.turns();
                Ok(turns
                    .iter()
                    .map(|turn| turn.text::<5>().to_string())
                    .collect())
            }
            Some("analyze") => {
                let limits = Limits {
                    nodes: question["nodes"].as_u64(),
                    depth: question["depth"].as_u64().map(|depth| depth as u32),
                    ..Limits::default()
                };
                let never = AtomicBool::new(false);
                let mut show = |report: &Report| part(shown(report));
                let report = self.engine.search(&position()?, &limits, &never, &mut show);
                Ok(shown(&report))
            }
            _ => Err("unknown question".into()),
        }
    }
}

fn shown(report: &Report) -> Value {
    json!({
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": report.time.as_secs_f64(),
        "score": report.score_text().to_string(),
        "turn": report.turn().map(|turn| turn.text::<5>().to_string()),
    })
}
