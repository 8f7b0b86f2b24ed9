//! The outcome of a tournament as plain text, for people and for programs
//! that read columns.

use std::fmt::Write;

use super::summary::{PlayerSummary, Summary};
use crate::stats::{Duel, SprtSummary};

/// Everything about the outcome, in lines.
pub fn text(summary: &Summary) -> String {
    let mut parts = vec![standings(summary)];
    if summary.players.len() > 2 {
        parts.push(cross_table(summary));
    }
    parts.push(endings(summary));
    if !summary.cards.is_empty() {
        parts.push(cards(summary));
    }
    parts.extend(summary.duel.as_ref().map(duel));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn standings(summary: &Summary) -> String {
    let mut rows = vec![
        [
            "#", "player", "games", "won", "drawn", "lost", "points", "score", "Elo", "+-", "LOS",
            "mean ms", "worst ms",
        ]
        .map(String::from)
        .to_vec(),
    ];
    for (place, player) in summary.players.iter().enumerate() {
        rows.push(standing(place + 1, player));
    }
    let mut text = games(summary);
    if let Some(score) = summary.first_mover_score {
        let _ = write!(
            text,
            "; the player who moved first made {} of the points",
            percent(score)
        );
    }
    text + "\n" + &aligned(&rows, &[1])
}

/// How many games there are.
pub fn games(summary: &Summary) -> String {
    // Nobody knows how many a sequential test will take.
    if summary
        .duel
        .as_ref()
        .is_some_and(|duel| duel.sprt.is_some())
    {
        return format!("{} games", summary.games);
    }
    format!("{} of {} games", summary.games, summary.scheduled)
}

fn standing(place: usize, player: &PlayerSummary) -> Vec<String> {
    vec![
        place.to_string(),
        shortened(&player.name),
        player.games.to_string(),
        player.won.to_string(),
        player.drawn.to_string(),
        player.lost.to_string(),
        format!("{:.1}", player.points),
        or_dash(player.score, percent),
        elo(player.elo),
        or_dash(Some(player.error), |error| format!("{error:.0}")),
        or_dash(player.stronger_than_next, percent),
        or_dash(player.mean_seconds, milliseconds),
        or_dash(player.worst_seconds, milliseconds),
    ]
}

/// Who made what against whom: games won-lost, and drawn if there are any.
fn cross_table(summary: &Summary) -> String {
    let numbers = (1..=summary.players.len()).map(|place| place.to_string());
    let mut rows = vec![
        ["#".to_string(), "won-lost against".to_string()]
            .into_iter()
            .chain(numbers)
            .collect::<Vec<_>>(),
    ];
    for (place, (player, row)) in summary.players.iter().zip(&summary.cross).enumerate() {
        let cells = row.iter().enumerate().map(|(other, &[lost, drawn, won])| {
            match (other == place, drawn) {
                (true, _) => "-".to_string(),
                (false, 0) => format!("{won}-{lost}"),
                (false, _) => format!("{won}-{lost}={drawn}"),
            }
        });
        let head = [(place + 1).to_string(), shortened(&player.name)];
        rows.push(head.into_iter().chain(cells).collect());
    }
    aligned(&rows, &[1])
}

/// How the games of each player ended.
fn endings(summary: &Summary) -> String {
    let names = summary.endings();
    if names.is_empty() {
        return String::new();
    }
    let head = ["#".to_string(), "won-lost by".to_string()];
    let mut rows = vec![
        head.into_iter()
            .chain(names.iter().map(|name| name.to_string()))
            .collect::<Vec<_>>(),
    ];
    for (place, player) in summary.players.iter().enumerate() {
        let cells = names.iter().map(|&name| match player.endings.get(name) {
            Some(count) => format!("{}-{}", count.won, count.lost),
            None => "0-0".to_string(),
        });
        let head = [(place + 1).to_string(), shortened(&player.name)];
        rows.push(head.into_iter().chain(cells).collect());
    }
    aligned(&rows, &[1])
}

fn cards(summary: &Summary) -> String {
    let mut rows = vec![["card", "games", "score"].map(String::from).to_vec()];
    for (name, card) in &summary.cards {
        rows.push(vec![
            name.clone(),
            card.games.to_string(),
            percent(card.score),
        ]);
    }
    aligned(&rows, &[0])
}

/// What is known about the difference of two players, in lines.
pub fn duel(duel: &Duel) -> String {
    let [first, second] = duel.players.each_ref().map(|name| shortened(name));
    let mut text = format!("{first} against {second}: ");
    match (duel.elo, duel.low, duel.high) {
        (Some(value), Some(low), Some(high)) => {
            let _ = writeln!(
                text,
                "Elo {} (95%: {} to {}), LOS {}",
                elo(value),
                elo(low),
                elo(high),
                percent(duel.los)
            );
        }
        _ => text += "no games\n",
    }
    if duel.pairs.iter().any(|&count| count > 0) {
        let pairs = duel.pairs.map(|count| count.to_string());
        let _ = writeln!(
            text,
            "pairs with 0, 0.5, 1, 1.5, 2 points: {}",
            pairs.join(" ")
        );
    }
    if let Some(test) = &duel.sprt {
        text += &sprt(test);
        text.push('\n');
    }
    text
}

/// Where a sequential test stands, in one line.
pub fn sprt(test: &SprtSummary) -> String {
    let setting = &test.setting;
    let verdict = match test.decision {
        Some("H1") => format!("H1 accepted: rather Elo {}", setting.elo1),
        Some(_) => format!("H0 accepted: rather Elo {}", setting.elo0),
        None => "not decided".to_string(),
    };
    format!(
        "SPRT {} to {}: LLR {:.2} ({:.2} to {:.2}), {verdict}",
        setting.elo0, setting.elo1, test.llr, test.lower, test.upper
    )
}

/// A name that leaves room for numbers beside it.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 30;
    if name.chars().count() <= LONGEST {
        return name.to_string();
    }
    name.chars()
        .take(LONGEST - 3)
        .chain("...".chars())
        .collect()
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// A time of some seconds in milliseconds, with three digits or more.
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

/// An Elo difference with its sign.
pub fn elo(value: f64) -> String {
    match value {
        f64::INFINITY => "+inf".to_string(),
        f64::NEG_INFINITY => "-inf".to_string(),
        // Rounds to zero: without a sign, which would be noise.
        value if value.abs() < 0.05 => "0.0".to_string(),
        value => format!("{value:+.1}"),
    }
}

fn or_dash(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    match value {
        Some(value) if value.is_finite() => show(value),
        _ => "-".to_string(),
    }
}

/// Rows as columns of equal width, numbers to the right and the columns in
/// `left` to the left.
fn aligned(rows: &[Vec<String>], left: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if left.contains(&column) {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::Results;
    use super::super::results::tests::game;
    use super::super::settings::tests::settings;
    use super::*;
    use crate::stats::{EloModel, SprtSetting};

    fn table(names: &[&str], sprt: bool) -> String {
        let mut settings = settings(names);
        settings.sprt = sprt.then_some(SprtSetting {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
        });
        let mut results = Results::new(settings.names());
        let pairs = settings.schedule().pairs();
        for pair in (0..pairs).flat_map(|pair| settings.schedule().pair(pair)) {
            let players = pair.players.map(|player| names[player]);
            // The player that was named first wins; the last game is nobody's.
            let winner = u8::from(pair.players[0] > pair.players[1]);
            let winner = (pair.game + 1 < 2 * pairs).then_some(winner);
            results.add(&game(pair.game, players, winner)).unwrap();
        }
        text(&Summary::of(&settings, &results))
    }

    #[test]
    fn three_players_get_a_cross_table() {
        let text = table(&["Ada", "Bo", "Cy"], false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "12 of 12 games; the player who moved first made 54.2% of the points"
        );
        let words = |line: &str| {
            line.split_whitespace()
                .map(String::from)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words(lines[1]).join(" "),
            "# player games won drawn lost points score Elo +- LOS mean ms worst ms"
        );
        assert_eq!(
            words(lines[2])[..8],
            ["1", "Ada", "8", "8", "0", "0", "8.0", "100.0%"]
        );
        assert_eq!(
            words(lines[4])[..8],
            ["3", "Cy", "8", "0", "1", "7", "0.5", "6.2%"]
        );
        assert_eq!(words(lines[4])[10..], ["-", "-", "-"]);
        assert!(
            text.contains("#  won-lost against    1      2      3\n"),
            "{text}"
        );
        assert!(
            text.contains("3  Cy                0-4  0-3=1      -\n"),
            "{text}"
        );
        assert!(
            text.contains("1  Ada          8-0              0-0\n"),
            "{text}"
        );
        assert!(lines.iter().all(|line| line.trim_end() == *line));
    }

    #[test]
    fn two_players_get_their_difference_and_test() {
        let text = table(&["new", "old"], true);
        assert!(text.contains("new against old: Elo +"), "{text}");
        assert!(text.contains("points: 0 0 0 1 1\n"), "{text}");
        assert!(text.contains("SPRT 0 to 5: LLR 0."), "{text}");
        assert!(text.ends_with("(-2.94 to 2.94), not decided\n"), "{text}");
    }

    #[test]
    fn times_have_three_digits() {
        let shown = [0.0000421, 0.00321, 0.0321, 0.3214, 12.5].map(milliseconds);
        assert_eq!(shown, ["0.042", "3.21", "32.1", "321", "12500"]);
    }

    #[test]
    fn elo_has_a_sign() {
        let shown = [12.34, -0.01, -7.0, f64::INFINITY].map(elo);
        assert_eq!(shown, ["+12.3", "0.0", "-7.0", "+inf"]);
    }
}
