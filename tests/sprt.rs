//! `santorini sprt`: published values, growing files, wrong counts.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};

use crate::program::{Program, errors, run, run_words, santorini, stdout, success};

/// The log-likelihood ratio of these counts.
fn ratio(words: &str) -> f64 {
    let output = run_words(&format!("sprt --json {words}"));
    let json: Value = serde_json::from_str(&success(&output)).unwrap();
    json["sprt"]["llr"].as_f64().unwrap()
}

/// The values are those of the tests of fastchess (app/tests/sprt_test.cpp) and racetrack
/// (src/tests/sprt_tests.rs), which were compared with fishtest.
#[test]
fn published_values_are_met() {
    for (words, published) in [
        // fastchess: games won, lost, drawn.
        ("36433 36027 68692 --elo1 2 --model normalized", 0.92),
        ("21404 21184 40708 --elo0 0.5 --elo1 2.5", -1.57),
        // fastchess: pairs.
        (
            "365 16618 36229 16974 390 --elo1 2 --model normalized",
            2.25,
        ),
        ("871 26175 55983 26678 821 --elo1 2", -4.98),
        // racetrack: pairs.
        ("440 2910 5170 2888 455 --model normalized", -2.27),
        ("142 620 1122 699 188 --model normalized", 2.99),
        (
            "349 1561 3340 1604 359 --elo0 -5 --elo1 0 --model normalized",
            2.90,
        ),
        (
            "98 382 674 369 71 --elo0 -5 --elo1 0 --model normalized",
            -1.11,
        ),
    ] {
        let ratio = ratio(words);
        let error = (ratio - published).abs();
        assert!(
            error < 0.01 + 0.01 * f64::abs(published),
            "{words}: {ratio}"
        );
    }
}

#[test]
fn the_state_is_printed_in_three_lines() {
    let told = stdout(&run_words("sprt 100 0 20000 0 600"));
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines[0],
        "pairs with 0, 0.5, 1, 1.5, 2 points: 100 0 20000 0 600"
    );
    let games = stdout(&run_words("sprt 3 1 2"));
    assert!(
        games.starts_with("games won, lost, drawn: 3 1 2\n"),
        "{games}"
    );
    assert!(
        lines[1].starts_with("Elo +") && lines[1].contains("LOS over 99.9%"),
        "{told}"
    );
    assert!(
        lines[2].contains("(-2.94 to 2.94), H1 accepted: rather Elo 5"),
        "{told}"
    );
    assert_eq!(lines.len(), 3);
}

#[test]
fn wrong_counts_and_bounds_are_refused() {
    for (words, said) in [
        ("1 2", "2 counts; give five"),
        ("1 2 3 4 5 6", "6 counts; give five"),
        ("1 2 x", "invalid value 'x'"),
        ("1 2 99999999999999", "the maximum is"),
        (
            "1 2 3 --elo0 5 --elo1 5",
            "the first Elo bound (5) must be below the second (5)",
        ),
        ("1 2 3 --alpha 0.6", "alpha is 0.6"),
        ("1 2 3 --file x", "cannot be used with"),
        ("--follow", "required"),
    ] {
        let output = run_words(&format!("sprt {words}"));
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(errors(&output).contains(said), "{words}: {output:?}");
    }
}

/// A tournament file in which the first player won this many pairs, with a truncated last line.
fn records(pairs: u64) -> String {
    let player = |name: &str| json!({"name": name, "command": name});
    let settings = json!({"tournament": {"players": [player("a"), player("b")],
        "rounds": 1_000_000, "time": 1.0, "grace": 0.1, "cards": "none",
        "openings": "set-up", "seed": 1, "reuse": false, "shard": "1/1", "sprt": null}});
    let game = |number: u64| {
        let players = if number.is_multiple_of(2) {
            ["a", "b"]
        } else {
            ["b", "a"]
        };
        json!({"game": number, "pair": number / 2, "players": players, "start": null,
            "turns": [], "winner": number % 2, "ending": "could-not-start"})
    };
    let games = (0..2 * pairs).map(|number| format!("{}\n", game(number)));
    format!("{settings}\n{}{{\"game\": 17", games.collect::<String>())
}

#[test]
fn a_growing_file_is_followed_until_the_decision() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    fs::write(&path, records(3)).unwrap();
    let file = path.to_str().unwrap();
    let words = ["sprt", "--elo1", "200", "--file", file];
    let told = stdout(&run(&words, ""));
    assert!(
        told.starts_with("pairs with 0, 0.5, 1, 1.5, 2 points: 0 0 0 0 3\n"),
        "{told}"
    );
    assert!(told.contains("not decided"), "{told}");
    let mut program = Program::start(santorini(&[&words[..], &["--follow"]].concat()));
    assert!(program.line().ends_with("0 0 0 0 3"));
    fs::write(&path, records(100)).unwrap();
    assert_eq!(program.wait(), Some(0));
    let output = program.end().output;
    let last = output.last().unwrap();
    assert!(last.contains("H1 accepted"), "{output:?}");
}

/// The outcome of a duel with these pairs.
fn duel(pairs: [u64; 5]) -> String {
    let [none, _, one, _, two] = pairs;
    let settings = json!({"names": ["a", "b"], "engines": ["", ""], "board": 5, "start": "even",
        "limit": "5 nodes a turn", "seed": 1, "pairs": null});
    let score = json!({"games": [2 * none + one, 0, one + 2 * two], "pairs": pairs,
        "first_mover": 9});
    json!({"duel": settings, "score": score, "shard": "1/1"}).to_string()
}

#[test]
fn an_outcome_that_changes_without_growing_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.json");
    let (open, decided) = (duel([3, 0, 0, 0, 7]), duel([0, 0, 1, 0, 9]));
    assert_eq!(open.len(), decided.len());
    fs::write(&path, open).unwrap();
    let words = ["sprt", "--elo1", "200", "--follow", "--file"];
    let words = [&words[..], &[path.to_str().unwrap()]].concat();
    let mut program = Program::start(santorini(&words));
    assert!(program.line().ends_with("3 0 0 0 7"));
    let next = folder.path().join("next.json");
    fs::write(&next, decided).unwrap();
    fs::rename(&next, &path).unwrap();
    assert_eq!(program.wait(), Some(0));
    let output = program.end().output;
    assert!(output.last().unwrap().contains("H1 accepted"), "{output:?}");
}

#[test]
fn other_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let refused = |content: &str| -> Output {
        fs::write(&path, content).unwrap();
        run(&["sprt", "--file", path.to_str().unwrap()], "")
    };
    let three = records(0).replace("[{", "[{\"name\":\"c\",\"command\":\"c\"},{");
    let three = three.lines().next().unwrap().to_string() + "\n";
    for (content, words) in [
        (
            three.as_str(),
            "a tournament of 3 players; the test takes two",
        ),
        ("hello\n", "x"),
        ("{\"duel\":{}}", "not a file of `santorini duel --output`"),
    ] {
        let output = refused(content);
        assert!(!output.status.success());
        assert!(errors(&output).contains(words), "{output:?}");
    }
}
