//! The record of a game, from its boards.

use serde_json::{Map, Value};

use crate::draw::{Scene, Seat};
use crate::protocol::exchange::write_board;
use crate::record::{Ending, GameRecord};

/// The record of a game with these boards, at least one. `more` are its extra keys.
pub(super) fn record_of_scenes<const N: usize>(
    scenes: &[&Scene<N>],
    players: [String; 2],
    more: Map<String, Value>,
) -> GameRecord {
    let (first, last) = (scenes[0], scenes[scenes.len() - 1]);
    let ending = match last.winner() {
        None => Ending::Interrupted,
        Some(_) if last.is_stuck() => Ending::NoTurnLeft,
        Some(_) => Ending::Win,
    };
    let [own, other] = Seat::BOTH.map(|seat| first.card(seat));
    GameRecord {
        game: 0,
        players,
        cards: own.zip(other).map(|(own, other)| [own, other]),
        start: Some(write_board(first.position())),
        turns: scenes
            .iter()
            .filter_map(|scene| scene.turn_text())
            .collect(),
        seconds: Vec::new(),
        setup_seconds: Vec::new(),
        winner: last.winner().map(|seat| seat as u8),
        ending: ending.name().into(),
        why: None,
        pair: None,
        more,
    }
}
