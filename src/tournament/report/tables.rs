//! The tables of the report in HTML.

use std::collections::BTreeMap;

use super::super::summary::{PlayerSummary, Summary};
use super::super::table;
use crate::markup::escape;
use crate::record::GameRecord;
use crate::rules::Card;
use crate::stats::GameCounts;

/// Places, points, ratings and times.
pub fn standings(summary: &Summary) -> String {
    let head = [
        "", "player", "games", "won", "drawn", "lost", "points", "score", "Elo", "±", "LOS",
        "mean ms", "worst ms",
    ];
    let head: String = head.map(|text| format!("<th>{text}</th>")).concat();
    let rows: String = summary
        .players
        .iter()
        .enumerate()
        .map(|(place, player)| standing(place + 1, player))
        .collect();
    format!(
        "<h2>Table</h2><p>{}.{} LOS: how likely the player is stronger than the next.</p>\
         <table><tr>{head}</tr>{rows}</table>",
        table::games(summary),
        match summary.first_mover_score {
            Some(score) => format!(" Who moved first made {} of the points.", percent(score)),
            None => String::new(),
        }
    )
}

fn standing(place: usize, player: &PlayerSummary) -> String {
    let milliseconds = |seconds: Option<f64>| or_dash(seconds, |s| format!("{:.2}", 1e3 * s));
    let cells = [
        player.games.to_string(),
        player.won.to_string(),
        player.drawn.to_string(),
        player.lost.to_string(),
        format!("{:.1}", player.points),
        or_dash(player.score, percent),
        table::elo(player.elo),
        or_dash(Some(player.error), |error| format!("{error:.0}")),
        or_dash(player.stronger_than_next, percent),
        milliseconds(player.mean_seconds),
        milliseconds(player.worst_seconds),
    ];
    let cells: String = cells.map(|cell| format!("<td>{cell}</td>")).concat();
    format!(
        "<tr><td>{place}</td><th title=\"{}\">{}</th>{cells}</tr>",
        escape(&player.command),
        escape(&player.name)
    )
}

/// Who made what against whom.
pub fn cross(summary: &Summary) -> String {
    if summary.players.len() < 3 {
        return String::new();
    }
    let head: String = (1..=summary.players.len())
        .map(|place| format!("<th>{place}</th>"))
        .collect();
    let rows = summary.players.iter().zip(&summary.cross).enumerate();
    let rows: String = rows
        .map(|(place, (player, row))| {
            let cells: String = row.iter().map(|&counts| score_cell(counts)).collect();
            let name = escape(&player.name);
            format!("<tr><td>{}</td><th>{name}</th>{cells}</tr>", place + 1)
        })
        .collect();
    format!(
        "<h2>Everybody against everybody</h2><p>Games won-lost (=drawn) by the player of the row.</p>\
         <table><tr><th></th><th></th>{head}</tr>{rows}</table>"
    )
}

/// A cell with won and lost games, coloured by the score.
fn score_cell([lost, drawn, won]: [u64; 3]) -> String {
    let Some(score) = crate::stats::Frequencies([lost, drawn, won]).score() else {
        return "<td class=\"none\"></td>".to_string();
    };
    let drawn = match drawn {
        0 => String::new(),
        drawn => format!("={drawn}"),
    };
    format!("<td style=\"{}\">{won}-{lost}{drawn}</td>", shade(score))
}

/// Red for no points, white for half of them, green for all.
fn shade(score: f64) -> String {
    let strength = (score - 0.5).abs() * 2.0;
    let mix = |full: f64| (255.0 + (full - 255.0) * strength).round();
    let [red, green, blue] = if score < 0.5 {
        [mix(232.0), mix(120.0), mix(105.0)]
    } else {
        [mix(110.0), mix(190.0), mix(130.0)]
    };
    format!("background:rgb({red},{green},{blue})")
}

/// How often each ending came in won and in lost games.
pub fn endings(summary: &Summary) -> String {
    let names = summary.endings();
    if names.is_empty() {
        return String::new();
    }
    let head: String = names
        .iter()
        .map(|name| format!("<th>{}</th>", escape(name)))
        .collect();
    let rows = summary.players.iter().map(|player| {
        let cells = names.iter().map(|&name| match player.endings.get(name) {
            Some(count) => format!("<td>{}-{}</td>", count.won, count.lost),
            None => "<td class=\"none\"></td>".to_string(),
        });
        let cells: String = cells.collect();
        format!("<tr><th>{}</th>{cells}</tr>", escape(&player.name))
    });
    let rows: String = rows.collect();
    format!(
        "<h2>Endings</h2><p>Games won-lost by each ending.</p>\
         <table><tr><th></th>{head}</tr>{rows}</table>"
    )
}

/// What the card of the row, which moved first, made against that of the
/// column.
pub fn cards(records: &[GameRecord]) -> String {
    let mut counts: BTreeMap<[Card; 2], GameCounts> = BTreeMap::new();
    for record in records {
        if let Some(cards) = record.cards {
            counts.entry(cards).or_default().add(record.points(0));
        }
    }
    if counts.is_empty() {
        return String::new();
    }
    let head: String = Card::ALL.map(|card| format!("<th>{card}</th>")).concat();
    let row = |first: Card| {
        let cells = Card::ALL.map(|second| match counts.get(&[first, second]) {
            Some(counts) => score_cell(counts.0),
            None => "<td class=\"none\"></td>".to_string(),
        });
        format!("<tr><th>{first}</th>{}</tr>", cells.concat())
    };
    format!(
        "<h2>Cards</h2><p>Games won-lost by the first player with the card of the row, against the \
         second with that of the column.</p><table><tr><th></th>{head}</tr>{}</table>",
        Card::ALL.map(row).concat()
    )
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn or_dash(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    match value {
        Some(value) if value.is_finite() => show(value),
        _ => "–".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_shaded_by_the_score() {
        assert!(score_cell([5, 0, 5]).contains("rgb(255,255,255)"));
        assert!(score_cell([0, 0, 5]).contains("rgb(110,190,130)\">5-0<"));
        assert!(score_cell([5, 1, 0]).contains("0-5=1"));
        assert!(score_cell([0, 0, 0]).contains("none"));
    }
}
