//! Compares all turns of a position: the chance of winning after each.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::analysis::{AnalysisLimits, refuse_ended};
use super::backend::PageBackend;
use super::engine_pool::with_engine;
use crate::clock::Instant;
use crate::review::{chance, rounded};
use crate::rules::{AnyPosition, Position, Turn};
use crate::search::{Engine, Limits, MAX_PLY, ScoreText, is_proved, win_in};

/// A legal turn and its score for the player to move.
struct ScoredTurn {
    turn: Turn,
    score: i32,
}

/// Searches the board after each legal turn, one ply deeper each time. Each finished depth is
/// a partial answer; the last one is the answer.
///
/// # Errors
/// If the game is over, or the search ends before its first depth.
pub(super) fn compare(
    backend: &PageBackend,
    position: &AnyPosition,
    wanted: &AnalysisLimits,
    stop: &AtomicBool,
    part: &mut dyn FnMut(Value),
) -> Result<Value, String> {
    with_engine!(backend.engines, false, position, (engine, position) => {
        refuse_ended(position)?;
        by_depth(engine, position, &wanted.limits, stop, part)
    })
}

fn by_depth<const N: usize>(
    engine: &mut Engine<N>,
    position: &Position<N>,
    limits: &Limits,
    stop: &AtomicBool,
    part: &mut dyn FnMut(Value),
) -> Result<Value, String> {
    let deadline = limits.time.map(|time| Instant::now() + time);
    let is_over = |deadline: Option<Instant>| {
        stop.load(Ordering::Relaxed) || deadline.is_some_and(|end| Instant::now() >= end)
    };
    let turns = position.turns().into_iter();
    let mut scored: Vec<_> = turns.map(|turn| ScoredTurn { turn, score: 0 }).collect();
    let mut answer = None;
    let last_depth = limits.depth.unwrap_or(MAX_PLY as u32);
    for depth in 1..=last_depth {
        for item in &mut scored {
            // The first depth takes milliseconds; it is always finished unless stopped.
            if is_over(deadline.filter(|_| depth > 1)) {
                return answer.ok_or_else(|| "stopped".into());
            }
            if depth == 1 || !is_proved(item.score) {
                item.score = score_of(engine, position, item.turn, depth, stop);
            }
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let value = shown(position, depth, &mut scored);
        part(value.clone());
        answer = Some(value);
        if scored.iter().all(|item| is_proved(item.score)) {
            break;
        }
    }
    answer.ok_or_else(|| "stopped".into())
}

/// The score of a turn: the board after it is searched to this depth.
fn score_of<const N: usize>(
    engine: &mut Engine<N>,
    position: &Position<N>,
    turn: Turn,
    depth: u32,
    stop: &AtomicBool,
) -> i32 {
    let after = position.play(turn);
    if turn.wins() || !after.has_turn() {
        return win_in(1);
    }
    let report = engine.search(&after, &Limits::depth(depth), stop, &mut |_| {});
    let score = -report.score();
    // Seen from before the turn, a proved end is one ply further away.
    score - i32::from(is_proved(score)) * score.signum()
}

fn shown<const N: usize>(position: &Position<N>, depth: u32, scored: &mut [ScoredTurn]) -> Value {
    scored.sort_by_key(|item| -item.score);
    let turns = scored.iter().map(|item| {
        json!({
            "turn": item.turn.text::<N>().to_string(),
            "chance": rounded(chance(position, item.score)),
            "score": ScoreText(item.score).to_string(),
        })
    });
    json!({ "depth": depth, "turns": turns.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::super::view::{look, parse_position};
    use super::*;
    use crate::jobs::NEVER;

    fn compared(text: &str, depth: u32) -> Result<(Value, usize), String> {
        let backend = PageBackend::for_tests();
        let wanted = AnalysisLimits::new(1, 60.0, Some(depth)).unwrap();
        let mut parts = 0;
        let position = parse_position(text).unwrap();
        let answer = compare(&backend, &position, &wanted, &NEVER, &mut |_| parts += 1)?;
        Ok((answer, parts))
    }

    #[test]
    fn every_legal_turn_is_compared_best_first() {
        for text in [
            "00000/00000/00000/00000/00000 c2c4 b3d3 0",
            "00000/00100/00210/00000/00000 c2c4 b3d3 4 Demeter Pan",
        ] {
            let (answer, parts) = compared(text, 2).unwrap();
            assert_eq!((&answer["depth"], parts), (&json!(2), 2));
            let turns = answer["turns"].as_array().unwrap();
            let chances: Vec<_> = turns
                .iter()
                .map(|it| it["chance"].as_f64().unwrap())
                .collect();
            assert!(chances.is_sorted_by(|a, b| a >= b));
            let names = |turns: &Vec<Value>, key: Option<&str>| {
                let text = |turn: &Value| {
                    key.map_or(turn, |key| &turn[key])
                        .as_str()
                        .unwrap()
                        .to_string()
                };
                let mut names: Vec<_> = turns.iter().map(text).collect();
                names.sort();
                names
            };
            let view = look(&parse_position(text).unwrap(), None).unwrap();
            assert_eq!(
                names(turns, Some("turn")),
                names(view["turns"].as_array().unwrap(), None)
            );
        }
    }

    #[test]
    fn wins_and_losses_are_proved() {
        // The worker on a1 can step up to b1; otherwise the opponent wins on d5.
        let (answer, _) = compared("23000/00000/00000/00000/00032 a1b2 e1e5 10", 2).unwrap();
        let turns = answer["turns"].as_array().unwrap();
        assert_eq!(turns[0]["score"], "win in 1");
        assert_eq!(turns.last().unwrap()["score"], "loss in 2");
    }

    #[test]
    fn depth_0_and_finished_games_are_refused() {
        assert!(AnalysisLimits::new(1, 60.0, Some(0)).is_err());
        let won = "00000/00300/00000/00000/00000 c2c4 b3d3 0";
        assert_eq!(compared(won, 1).unwrap_err(), "the game is over");
    }
}
