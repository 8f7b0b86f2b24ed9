//! The games in the compact form that the page's script reads, since a report may
//! contain many thousands.

use serde_json::{Value, json};

use super::super::summary::TournamentSummary;
use crate::draw::illegal_board;
use crate::printable::printable;
use crate::protocol::exchange::write_board;
use crate::record::{Ending, GameRecord};

/// `players` are the names, best first. Each of `games` is an array: number,
/// both players by their place, winner (0, 1 or null), ending, start board,
/// turns separated by spaces, milliseconds of each turn, cards or null, and the
/// illegal board that lost the game, or null. `page.js` turns each array back into
/// a record.
pub(super) fn data(summary: &TournamentSummary, records: &[GameRecord]) -> Value {
    let players: Vec<&str> = summary.players.iter().map(|p| p.name.as_str()).collect();
    let place = |name: &String| players.iter().position(|player| player == name);
    let games: Vec<Value> = records
        .iter()
        .map(|record| {
            let milliseconds = record.seconds.iter().map(|s| (s * 1e3).round() as u64);
            json!([
                record.number(),
                place(&record.players[0]),
                place(&record.players[1]),
                record.winner,
                printable(&record.ending),
                record.start,
                printable(&record.turns.join(" ")),
                milliseconds.collect::<Vec<u64>>(),
                record.cards,
                illegal(record),
            ])
        })
        .collect();
    let players: Vec<_> = players.into_iter().map(printable).collect();
    json!({ "players": players, "games": games })
}

/// The illegal board at the end of a game, if it can be drawn, and why it is illegal.
fn illegal(record: &GameRecord) -> Option<Value> {
    let output = record.more.get("evidence")?.get("output")?.as_str()?;
    let is_illegal = record.ending == Ending::IllegalBoard.name();
    let board = illegal_board::<5>(output).filter(|_| is_illegal)?;
    let mut shown = write_board(&board);
    shown["why"] = json!(record.why.as_deref().map(printable));
    Some(shown)
}
