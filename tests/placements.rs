//! Tests of the placement book, and of the player that uses it.

use santorini::protocol::exchange::write_setup;
use santorini::rules::{Setup, Square, Symmetry};
use santorini::search::placement::PlacementBook;
use serde_json::{Value, json};

use crate::program::{run, run_words, santorini_in, stdout, success};

/// The player's answers to set-up arrays, with this many seconds for each.
fn answers(questions: &[Value], seconds: &str, options: &[&str]) -> Vec<Value> {
    let arguments = [&["player", "--time", seconds, "--threads", "1"], options].concat();
    let input: String = questions.iter().map(|it| format!("{it}\n")).collect();
    let output = run(&arguments, &input);
    let text = success(&output);
    text.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn the_player_places_its_workers_by_the_book() {
    let book = PlacementBook::built_in();
    let mut questions = vec![json!([])];
    let best = book.first().unwrap();
    let cards = [None; 2];
    let mut expected = vec![write_setup::<5>(&Setup::First { cards }, best)];
    // Entries of the book under all symmetries.
    let symmetries: Vec<Symmetry> = Symmetry::all().collect();
    for (entry, symmetry) in book.entries().iter().zip(symmetries.iter().cycle()) {
        let turned = |square: Square| symmetry.square::<5>(square);
        let first = entry.first.map(turned);
        let reply = book.reply(first).unwrap();
        questions.push(write_setup::<5>(&Setup::First { cards }, first));
        expected.push(write_setup::<5>(&Setup::Second { cards, first }, reply));
    }
    // The book answers at once, but on a busy machine the player may start slowly.
    assert_eq!(answers(&questions, "10", &[]), expected);
}

#[test]
fn with_cards_or_another_evaluation_the_player_searches() {
    let cards = json!([{"card": "Pan"}, {"card": "Atlas"}]);
    let answer = &answers(&[cards], "0.2", &[])[0];
    assert_eq!(answer[1]["tokens"].as_array().map(Vec::len), Some(2));
    let answers = answers(
        &[json!([]), json!([[[1, 1], [5, 5]]])],
        "0.2",
        &["--eval", "tuned"],
    );
    assert_eq!(answers[0].as_array().map(Vec::len), Some(1));
    assert_eq!(answers[1].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_small_book_is_made_by_the_subcommand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.txt");
    let words = "placements --nodes 10000 --hash 1 --threads 2 --eval tuned";
    success(&run_words(&format!("{words} --out {}", path.display())));
    let text = std::fs::read_to_string(path).unwrap();
    let book: PlacementBook = text.parse().unwrap();
    assert_eq!(book.entries().len(), 49);
    let command = "#   santorini placements --nodes 10000 --hash 1 --eval tuned";
    assert!(text.lines().any(|line| line == command), "{text}");
    let unwritable = run_words("placements --out /no/such/folder/table");
    assert_eq!(unwritable.status.code(), Some(1));
}

#[test]
fn games_from_placements_are_resumed_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    let play = |options: &str| {
        let words = format!("placements play {options}");
        santorini_in(folder.path(), &words).output().unwrap()
    };
    let shown = stdout(&play("--cards --games 1 --nodes 10 cards.txt"));
    assert_eq!(shown.matches("% to ").count(), 56, "{shown}");
    let row = |line: &str| line.starts_with("Pan Atlas ");
    assert!(shown.lines().any(row), "{shown}");
    let played = std::fs::read_to_string(folder.path().join("cards.txt")).unwrap();
    assert_eq!(played.matches(" of 1\n").count(), 56, "{played}");
    let first = play("--games 1 --nodes 10 games.txt");
    assert!(first.status.success(), "{first:?}");
    let played = std::fs::read_to_string(&path).unwrap();
    assert_eq!(played.matches(" of 1\n").count(), 61, "{played}");
    let more = play("--games 2 --nodes 10 games.txt");
    let shown = stdout(&more);
    let rows: Vec<&str> = shown.lines().skip(1).collect();
    assert_eq!(rows.len(), 61, "{shown}");
    assert!(rows.iter().all(|row| row.contains("% to ")), "{shown}");
    let resumed = std::fs::read_to_string(&path).unwrap();
    assert_eq!(resumed.matches(" of 2\n").count(), 61, "{resumed}");
    let other = play("--games 2 --nodes 20 games.txt");
    assert_eq!(other.status.code(), Some(2), "{other:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), resumed);
}
