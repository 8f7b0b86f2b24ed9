//! Ratings of programs by the real program.

use std::fs;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use santorini::record::read_games;
use serde_json::Value;

use crate::program::{SANTORINI, santorini};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Rates a fake player with these options.
    fn rate(&self, options: &str, kind: &str) -> Output {
        let player = format!("{SANTORINI} fake-player {kind}");
        let mut command = santorini(&["rate"]);
        command
            .current_dir(self.0.path())
            .args(options.split_whitespace())
            .arg(format!("fake={player}"))
            .stdin(Stdio::null());
        command.output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_rating_has_games_a_page_and_can_be_gone_on_with() {
    let place = Place::new();
    let options = "--games 20 --jobs 2 --output games.jsonl --html rating.html";
    let output = place.rate(options, "random --wins");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let first = said.lines().next().unwrap();
    assert!(
        first.starts_with("fake: ") && first.contains(" +- "),
        "{said}"
    );
    assert!(
        first.ends_with(" Elo above random play (20 games, 95% confidence)"),
        "{said}"
    );
    let games = read_games(&place.path("games.jsonl")).unwrap();
    assert_eq!(games.len(), 20);
    for game in &games {
        game.replay::<5>().unwrap();
        assert!(game.players.contains(&"fake".to_string()) && game.why.is_none());
    }
    let page = fs::read_to_string(place.path("rating.html")).unwrap();
    let lost = games.iter().filter(|game| {
        let seat = usize::from(game.players[0] != "fake");
        game.winner != Some(seat as u8)
    });
    assert_eq!(page.matches("\"turning\":{").count(), lost.count());

    let again = "--games 24 --output games.jsonl --json";
    assert_eq!(place.rate(again, "random --wins").status.code(), Some(2));
    let other = place.rate(&format!("{again} --resume --time 1"), "random --wins");
    assert!(text(&other.stderr).contains("time is 2.0 there and 1.0 here"));
    let output = place.rate(&format!("{again} --resume"), "random --wins");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["games"], 24);
    let [low, elo, high] = ["low", "elo", "high"].map(|key| json[key].as_f64().unwrap());
    // It plays at random, but takes a win when there is one.
    assert!(
        low < elo && elo < high && low > -800.0 && high < 1500.0,
        "{json}"
    );
    let numbers: Vec<u64> = read_games(&place.path("games.jsonl"))
        .unwrap()
        .iter()
        .map(|game| game.game)
        .collect();
    assert_eq!(numbers.len(), 24);
    assert!(
        (0..24).all(|number| numbers.contains(&number)),
        "{numbers:?}"
    );
}

#[test]
fn a_program_that_cannot_place_or_play_is_told_so() {
    let place = Place::new();
    let output = place.rate("--games 20", "garbage");
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("is not JSON") && errors.contains("before any game"),
        "{errors}"
    );
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 0);
    let output = place.rate("--games 20 --jobs 1", "crash --after 2");
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("all of its 6 games were lost by faults"),
        "{errors}"
    );
    assert!(
        errors.contains("exit code 3") && errors.contains("rating-1.jsonl"),
        "{errors}"
    );
}

#[test]
fn wrong_words_are_usage_errors() {
    for (words, said) in [
        (&["rate"][..], "CMD"),
        (&["rate", "--ladder", "--html", "x.html"], "--html"),
        (&["rate", "random=./x"], "an opponent has this name"),
        (&["rate", "'./x"], "quote that is not closed"),
        (&["rate", "--error", "0", "./x"], "1 to 1000"),
        (&["rate", "--resume", "./x"], "--output"),
    ] {
        let output = santorini(words).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let errors = text(&output.stderr);
        assert!(errors.contains(said), "{words:?}: {errors}");
    }
}
