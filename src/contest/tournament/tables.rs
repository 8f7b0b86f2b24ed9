//! The tables of a tournament.

use super::summary::{PlayerSummary, TournamentSummary};
use crate::rules::Card;
use crate::stats::{Frequencies, elo_text, los_text};
use crate::table::{Cell, Column, Table, or_dash, percent};

/// The columns of the standings.
const NUMBERS: [Column<PlayerSummary>; 11] = [
    ("games", |player| player.games.to_string()),
    ("won", |player| player.won.to_string()),
    ("drawn", |player| player.drawn.to_string()),
    ("lost", |player| player.lost.to_string()),
    ("points", |player| format!("{:.1}", player.points)),
    ("score", |player| or_dash(player.score, percent)),
    ("Elo", |player| elo_text(player.elo, 1)),
    ("+-", |player| {
        or_dash(Some(player.error), |error| format!("{error:.0}"))
    }),
    ("LOS", |player| or_dash(player.stronger_than_next, los_text)),
    ("mean ms", |player| {
        or_dash(player.mean_seconds, milliseconds)
    }),
    ("worst ms", |player| {
        let worst = or_dash(player.worst_seconds, milliseconds);
        match player.was_late {
            true => format!("over {worst}"),
            false => worst,
        }
    }),
];

/// Columns shown only if a game is drawn. Games played to the end have a winner, so
/// points usually equal wins.
const OF_DRAWS: [&str; 2] = ["drawn", "points"];

/// Places, points, ratings and times.
pub fn standings(summary: &TournamentSummary) -> Table {
    let draws = summary.players.iter().any(|player| player.drawn > 0);
    let columns = || {
        NUMBERS
            .iter()
            .filter(move |(head, _)| draws || !OF_DRAWS.contains(head))
    };
    let heads = columns().map(|(head, _)| *head);
    let mut table = Table::new(["#", "player"].into_iter().chain(heads)).with_names_in(1);
    for player in &summary.players {
        let [rank, name] = head_cells(player.rank, player);
        let numbers = columns().map(|(_, number)| Cell::from(number(player)));
        table.add(
            [rank, name.with_hover(&player.command)]
                .into_iter()
                .chain(numbers),
        );
    }
    table
}

/// Games won-lost by the row's player against the column's, plus drawn games if any. Rows and
/// columns are numbered by place, also those of tied players.
/// Empty for fewer than three players.
pub fn cross(summary: &TournamentSummary) -> Table {
    let numbers = (1..=summary.players.len()).map(|place| place.to_string());
    let head = ["#".to_string(), "won-lost against".to_string()];
    let mut table = Table::new(head.into_iter().chain(numbers)).with_names_in(1);
    if summary.players.len() < 3 {
        return table;
    }
    for (place, (player, row)) in summary.players.iter().zip(&summary.cross).enumerate() {
        let cells = row.iter().enumerate().map(|(other, &counts)| {
            if other == place {
                Cell::none("-")
            } else {
                score_cell(counts)
            }
        });
        table.add(head_cells(place + 1, player).into_iter().chain(cells));
    }
    table
}

/// Games of each player won-lost by each ending.
pub fn endings(summary: &TournamentSummary) -> Table {
    let names = summary.endings();
    let head = ["#", "won-lost by"].into_iter().chain(names.clone());
    let mut table = Table::new(head).with_names_in(1);
    if names.is_empty() {
        return table;
    }
    for player in &summary.players {
        let cells = names.iter().map(|&name| match player.endings.get(name) {
            Some(count) => format!("{}-{}", count.won, count.lost).into(),
            None => Cell::none("0-0"),
        });
        table.add(head_cells(player.rank, player).into_iter().chain(cells));
    }
    table
}

/// The score of each card. Empty without cards.
pub fn cards(summary: &TournamentSummary) -> Table {
    let mut table = Table::new(["card", "games", "score"]).with_names_in(0);
    for (name, card) in &summary.cards {
        table.add([name.clone(), card.games.to_string(), percent(card.score)]);
    }
    table
}

/// Games won-lost by the row's card, which moved first, against the column's, in
/// games with a turn. Empty without cards.
pub fn card_pairs(summary: &TournamentSummary) -> Table {
    let pairs = &summary.card_pairs;
    let columns = Card::ALL.map(|card| card.to_string());
    let head = ["first \\ second".to_string()].into_iter().chain(columns);
    let mut table = Table::new(head).with_names_in(0);
    if pairs.is_empty() {
        return table;
    }
    for first in Card::ALL {
        let cells = Card::ALL.map(|second| {
            let pair = pairs.iter().find(|pair| pair.cards == [first, second]);
            pair.map_or_else(|| Cell::none(""), |pair| score_cell(pair.counts))
        });
        table.add([Cell::from(first.to_string())].into_iter().chain(cells));
    }
    table
}

fn head_cells(number: usize, player: &PlayerSummary) -> [Cell; 2] {
    [number.to_string().into(), player.name.as_str().into()]
}

/// Games won and lost, coloured by the score.
fn score_cell([lost, drawn, won]: [u64; 3]) -> Cell {
    let Some(score) = Frequencies([lost, drawn, won]).score() else {
        return Cell::none("0-0");
    };
    let text = match drawn {
        0 => format!("{won}-{lost}"),
        _ => format!("{won}-{lost}={drawn}"),
    };
    Cell::from(text).coloured(score)
}

/// Formats seconds as milliseconds, with at least three digits.
fn milliseconds(seconds: f64) -> String {
    let milliseconds = seconds * 1e3;
    let decimals = match milliseconds {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    format!("{milliseconds:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_at_least_three_digits() {
        let shown = [0.0000421, 0.00321, 0.0321, 0.3214, 12.5].map(milliseconds);
        assert_eq!(shown, ["0.042", "3.21", "32.1", "321", "12500"]);
    }
}
