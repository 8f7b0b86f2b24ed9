//! The outcome of a tournament as CSV, for a spreadsheet or a script: a line for each
//! player, best first.

use super::summary::PlayerSummary;
use crate::files::Kind;
use crate::record::Ending;
use crate::stats::decimal_text;

/// The first columns. A column for each kind of fault follows, and the command if players have
/// one: it tells apart players with similar names.
const COLUMNS: [&str; 10] = [
    "name", "games", "won", "drawn", "lost", "points", "score", "elo", "elo_low", "elo_high",
];

/// The file.
pub const CSV_FILE: Kind = Kind {
    name: "a CSV file of a tournament",
    begins: |head| head.starts_with(b"name,games,won,drawn,lost,points,"),
};

/// The whole file. The Elo interval is that of 95% confidence. Fields without a value are
/// empty.
///
/// # Errors
/// Never in practice: if memory cannot be written to.
pub fn csv(players: &[PlayerSummary]) -> Result<Vec<u8>, csv::Error> {
    let faults = Ending::ALL.into_iter().filter(|ending| ending.is_fault());
    let faults: Vec<Ending> = faults.collect();
    let has_commands = players.iter().any(|player| !player.command.is_empty());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = COLUMNS.into_iter();
    let head = head.chain(faults.iter().map(|fault| fault.name()));
    writer.write_record(head.chain(has_commands.then_some("command")))?;
    for player in players {
        let lost = |fault: &Ending| player.endings.get(fault.name()).map_or(0, |it| it.lost);
        let counts = faults.iter().map(|fault| lost(fault).to_string());
        let command = has_commands.then(|| without_formula(&player.command));
        writer.write_record(fields(player).into_iter().chain(counts).chain(command))?;
    }
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}

fn fields(player: &PlayerSummary) -> [String; 10] {
    let rounded = |value: f64, digits: usize| match value.is_finite() {
        true => decimal_text(value, digits),
        false => String::new(),
    };
    let [low, high] = [-1.0, 1.0].map(|sign| player.elo + sign * player.error);
    [
        without_formula(&player.name),
        player.games.to_string(),
        player.won.to_string(),
        player.drawn.to_string(),
        player.lost.to_string(),
        rounded(player.points, 1),
        player
            .score
            .map_or_else(String::new, |score| rounded(score, 4)),
        rounded(player.elo, 1),
        rounded(low, 1),
        rounded(high, 1),
    ]
}

/// The text, after a quote if a spreadsheet would run it as a formula.
fn without_formula(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@']) {
        true => format!("'{text}"),
        false => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::results::tests::game;
    use crate::tournament::{Results, TournamentSummary};

    #[test]
    fn a_line_for_each_player_best_first() {
        let names = ["=A1", "B \"b\", b", "C"].map(String::from);
        let mut results = Results::new(names.to_vec());
        results.add(&game(0, ["=A1", &names[1]], Some(1))).unwrap();
        let mut crash = game(1, [&names[1], "=A1"], Some(0));
        crash.ending = "crashed".into();
        results.add(&crash).unwrap();
        let players = TournamentSummary::players_of(&results, |_| String::new());
        let bytes = csv(&players).unwrap();
        assert!((CSV_FILE.begins)(&bytes));
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        let heads = reader.headers().unwrap().clone();
        let crashed = heads.iter().position(|head| head == "crashed").unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.len(), 3);
        let start = |row: usize| rows[row].iter().take(7).collect::<Vec<_>>();
        assert_eq!(start(0), [&names[1], "2", "2", "0", "0", "2.0", "1.0000"]);
        assert_eq!(start(1), ["'=A1", "2", "0", "0", "2", "0.0", "0.0000"]);
        assert_eq!(start(2), ["C", "0", "0", "0", "0", "0.0", ""]);
        assert_eq!([&rows[0][crashed], &rows[1][crashed]], ["0", "1"]);
        assert!(!heads.iter().any(|head| head == "command"));
        let players = TournamentSummary::players_of(&results, |number| format!("+{number}"));
        let bytes = csv(&players).unwrap();
        let mut lines = str::from_utf8(&bytes).unwrap().lines();
        assert!(lines.next().unwrap().ends_with(",command"));
        assert!(lines.next().unwrap().ends_with(",'+1"));
    }
}
