//! Tournaments of the real program: with players that misbehave, cut off and
//! gone on with, shared between machines, with files that cannot be written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use santorini::protocol::exchange::write_board;
use santorini::tournament::{GameRecord, random_opening, read_games};
use serde_json::Value;

const SANTORINI: &str = env!("CARGO_BIN_EXE_santorini");

/// A player of the given kind.
fn fake(name: &str, kind: &str) -> String {
    format!("{name}={SANTORINI} fake-player {kind}")
}

/// A folder to run tournaments in.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, words: &str, players: &[String]) -> Command {
        let mut command = Command::new(SANTORINI);
        command
            .current_dir(self.0.path())
            .arg("tournament")
            .args(words.split_whitespace())
            .args(players)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, words: &str, players: &[String]) -> Output {
        self.command(words, players).output().unwrap()
    }

    /// The JSON of a tournament that must succeed.
    fn json(&self, words: &str, players: &[String]) -> Value {
        let output = self.run(&format!("{words} --json"), players);
        assert!(output.status.success(), "{}", errors(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn games(&self, name: &str) -> Vec<GameRecord> {
        read_games(&self.path(name)).unwrap()
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn last_line(output: &Output) -> String {
    errors(output).lines().last().unwrap_or("").to_string()
}

/// Waits until the file has so many lines.
fn wait_for_lines(path: &Path, lines: usize) {
    let begun = Instant::now();
    while fs::read_to_string(path).unwrap_or_default().lines().count() < lines {
        assert!(begun.elapsed() < Duration::from_secs(60), "no games come");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The players of the outcome by name.
fn by_name(outcome: &Value) -> BTreeMap<String, Value> {
    let players = outcome["players"].as_array().unwrap().iter();
    players
        .map(|player| (player["name"].as_str().unwrap().to_string(), player.clone()))
        .collect()
}

/// Every number of the schedule once, and every game plays back.
fn assert_whole(games: &[GameRecord], count: u64) {
    let mut numbers: Vec<u64> = games.iter().map(|game| game.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..count).collect::<Vec<_>>());
    for game in games.iter().filter(|game| game.start.is_some()) {
        game.replay::<5>().unwrap();
    }
}

#[test]
fn eight_players_of_whom_six_misbehave() {
    let place = Place::new();
    let players = [
        fake("winner", "random --wins"),
        fake("random", "random --seed 7"),
        fake("crash", "crash --after 1"),
        fake("garbage", "garbage --after 1"),
        fake("illegal", "illegal --after 1"),
        fake("exit", "exit"),
        fake("flood", "flood --after 1"),
        "missing=./no-such-program".to_string(),
    ];
    let outcome = place.json(
        "--rounds 1 --time 5 --jobs 4 --output games.jsonl",
        &players,
    );
    assert_eq!(outcome["games"], 56);
    assert_whole(&place.games("games.jsonl"), 56);
    let by_name = by_name(&outcome);
    for (name, ending) in [
        ("crash", "crashed"),
        ("garbage", "not-json"),
        ("illegal", "illegal-board"),
        ("exit", "crashed"),
        ("flood", "not-json"),
        ("missing", "could-not-start"),
    ] {
        let player = &by_name[name];
        let faults = &player["endings"][ending];
        assert!(faults["lost"].as_u64().unwrap() >= 4, "{name}: {player}");
        assert_eq!(player["games"], 14);
        // Against those two it never has the better of it.
        for better in ["winner", "random"] {
            assert!(player["points"].as_f64() < by_name[better]["points"].as_f64());
        }
    }
    assert_eq!(
        by_name["random"]["lost"].as_u64().unwrap() + by_name["winner"]["lost"].as_u64().unwrap(),
        2
    );
    // Everybody's results against everybody add up.
    let sum: u64 = by_name
        .values()
        .map(|player| player["won"].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 56);
    // The log of a bad game is with its record.
    let bad = place
        .games("games.jsonl")
        .into_iter()
        .find(|game| game.ending == "not-json" && game.players.contains(&"garbage".to_string()));
    let bad = bad.unwrap();
    assert!(bad.why.unwrap().contains("garbage"));
    assert!(
        bad.more["evidence"]["output"]
            .as_str()
            .unwrap()
            .contains("I move")
    );
}

#[test]
fn killed_and_resumed() {
    let place = Place::new();
    let players = [
        fake("a", "late --seconds 0.004"),
        fake("b", "random --seed 2"),
    ];
    let words = "--rounds 10 --time 5 --output games.jsonl";
    let mut child = place.command(words, &players).spawn().unwrap();
    wait_for_lines(&place.path("games.jsonl"), 4);
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = place.games("games.jsonl");
    assert!(kept.len() >= 3 && kept.len() < 20);
    // A line that was cut short, as after a power failure.
    let text = fs::read_to_string(place.path("games.jsonl")).unwrap();
    fs::write(place.path("games.jsonl"), text + "{\"game\":19,\"pl").unwrap();

    let refused = place.run(words, &players);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        errors(&refused).contains("--resume"),
        "{}",
        errors(&refused)
    );

    let other = place.run(&format!("{words} --resume --seed 5 --grace 0"), &players);
    assert_eq!(other.status.code(), Some(2));
    for setting in [
        "seed is 1 there and 5 here",
        "grace is 0.1 there and 0.0 here",
    ] {
        assert!(errors(&other).contains(setting), "{}", errors(&other));
    }

    let outcome = place.json(&format!("{words} --resume"), &players);
    assert_eq!(outcome["games"], 20);
    let games = place.games("games.jsonl");
    assert_whole(&games, 20);
    assert_eq!(games[..kept.len()], kept);

    // A finished tournament goes on if more rounds are asked for.
    let longer = words.replace("10", "11");
    let outcome = place.json(&format!("{longer} --resume"), &players);
    assert_eq!(outcome["games"], 22);
    assert_whole(&place.games("games.jsonl"), 22);
}

#[test]
fn interrupted_and_gone_on_with_by_the_last_line() {
    let place = Place::new();
    let players = [
        format!("it=sh -c 'exec {SANTORINI} fake-player random'"),
        fake("a", "late --seconds 0.004"),
        fake("b", "random --seed 2"),
    ];
    let child = place
        .command("--rounds 4 --time 5 --jobs 2", &players)
        .spawn()
        .unwrap();
    wait_for_lines(&place.path("tournament-1.jsonl"), 4);
    let id = child.id();
    kill(Pid::from_raw(id as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
    assert_no_players_of(id);
    let command = last_line(&output);
    assert!(
        command.contains("--resume --output tournament-1.jsonl"),
        "{command}"
    );

    let resumed = Command::new("sh")
        .args(["-c", &command])
        .current_dir(place.0.path())
        .output()
        .unwrap();
    assert!(resumed.status.success(), "{}", errors(&resumed));
    assert_whole(&place.games("tournament-1.jsonl"), 24);
    assert!(!place.path("tournament-2.jsonl").exists());
    let table = String::from_utf8(resumed.stdout).unwrap();
    assert!(table.starts_with("24 of 24 games;"), "{table}");
}

/// No process is marked as a player of that tournament.
fn assert_no_players_of(tournament: u32) {
    let mark = format!("SANTORINI_PLAYER={tournament}-");
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let marked = String::from_utf8_lossy(&environment).contains(&mark);
        assert!(!marked, "{:?} is left behind", process.path());
    }
}

#[test]
fn the_sequential_test_decides() {
    let place = Place::new();
    let players = [fake("new", "random --wins"), fake("old", "random --seed 2")];
    let words = "--sprt 0 100 --openings 2 --time 5 --reuse --jobs 2";
    let outcome = place.json(words, &players);
    let test = &outcome["match"]["sprt"];
    assert_eq!(test["decision"], "H1", "{outcome}");
    assert!(test["llr"].as_f64() >= test["upper"].as_f64());
    assert!(outcome["games"].as_u64().unwrap() < 400);
    let pairs = outcome["match"]["pairs"].as_array().unwrap();
    let pairs: u64 = pairs.iter().map(|count| count.as_u64().unwrap()).sum();
    assert!(outcome["games"].as_u64().unwrap() >= 2 * pairs);

    // The other way round; and the test of a finished file is decided at once.
    let players = [players[1].clone(), players[0].clone()];
    let words = format!("{words} --output reversed.jsonl");
    let outcome = place.json(&words, &players);
    assert_eq!(outcome["match"]["sprt"]["decision"], "H0");
    let again = place.json(&format!("{words} --resume"), &players);
    assert_eq!(again["games"], outcome["games"]);

    let refused = place.run("--sprt 5 0", &players);
    assert_eq!(refused.status.code(), Some(2));
    let three = [&players[..], &[fake("third", "random")]].concat();
    assert_eq!(place.run("--sprt 0 5", &three).status.code(), Some(2));
}

/// What does not depend on the clock.
fn without_times(mut outcome: Value) -> Value {
    for player in outcome["players"].as_array_mut().unwrap() {
        for key in ["mean_seconds", "worst_seconds"] {
            player[key] = Value::Null;
        }
    }
    outcome
}

#[test]
fn four_shards_merge_to_the_table_of_one_run() {
    let place = Place::new();
    // New processes for each game: then a game depends on its opening alone.
    let players = [
        fake("a", "random --wins"),
        fake("b", "random --seed 2"),
        fake("c", "crash --after 12"),
    ];
    let words = "--rounds 4 --openings 2 --seed 11 --time 5";
    let whole = place.json(&format!("{words} --output whole.jsonl"), &players);
    let files = [1, 2, 3, 4].map(|shard| format!("{shard}.jsonl"));
    let running: Vec<_> = (1..=4)
        .map(|shard| {
            let words = format!("{words} --shard {shard}/4 --output {shard}.jsonl");
            place.command(&words, &players).spawn().unwrap()
        })
        .collect();
    for shard in running {
        assert!(shard.wait_with_output().unwrap().status.success());
    }
    let merged = place.json("merge --output merged.jsonl", &files);
    assert_eq!(without_times(merged), without_times(whole));
    assert_whole(&place.games("merged.jsonl"), 24);
    let same = |name: &str| -> Vec<(u64, Vec<String>)> {
        let mut games = place.games(name);
        games.sort_by_key(|game| game.game);
        games
            .into_iter()
            .map(|game| (game.game, game.turns))
            .collect()
    };
    assert_eq!(same("merged.jsonl"), same("whole.jsonl"));

    let twice = place.run("merge", &[files[0].clone(), files[0].clone()]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(
        errors(&twice).contains("is there twice"),
        "{}",
        errors(&twice)
    );
    let some = place.run("merge", &files[..3]);
    assert!(some.status.success());
    assert!(
        errors(&some).contains("6 of 24 games are missing"),
        "{}",
        errors(&some)
    );
    place.json(
        "--rounds 1 --seed 12 --openings 2 --time 5 --output other.jsonl",
        &players,
    );
    let other = place.run("merge", &["1.jsonl".into(), "other.jsonl".into()]);
    assert_eq!(other.status.code(), Some(2));
    assert!(errors(&other).contains("seed is 12"), "{}", errors(&other));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_before_any_game() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random")];
    fs::create_dir(place.path("folder")).unwrap();
    for (file, cause) in [
        ("/dev/full", "No space left"),
        ("no/such/folder/games.jsonl", "No such file"),
        ("folder", "directory"),
    ] {
        let output = place.run(&format!("--output {file}"), &players);
        assert_eq!(output.status.code(), Some(1), "{file}");
        assert!(
            errors(&output).contains(cause),
            "{file}: {}",
            errors(&output)
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_disk_that_is_full_in_the_middle_loses_no_game() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random --seed 3")];
    // The system refuses to let files grow beyond 10 KiB.
    let command = place.command("--rounds 20 --time 5 --output games.jsonl", &players);
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<&str> = words.map(|word| word.to_str().unwrap()).collect();
    let script = format!(
        "trap '' XFSZ; ulimit -f 20; exec {}",
        shlex::try_join(words).unwrap()
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(place.0.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(
        errors(&output).contains("games.jsonl: File too large"),
        "{}",
        errors(&output)
    );
    // Whole lines only; and the game that did not fit is told.
    let kept = place.games("games.jsonl");
    assert!(!kept.is_empty() && kept.len() < 40);
    let text = errors(&output);
    let lost = text
        .lines()
        .find_map(|line| serde_json::from_str::<GameRecord>(line).ok());
    assert_eq!(lost.unwrap().game, kept.len() as u64);
    let resumed = Command::new("sh")
        .args(["-c", &last_line(&output)])
        .current_dir(place.0.path())
        .output()
        .unwrap();
    assert!(resumed.status.success(), "{}", errors(&resumed));
    assert_whole(&place.games("games.jsonl"), 40);
}

#[test]
fn all_pairs_of_cards_and_given_cards() {
    let place = Place::new();
    let players = [fake("a", "random --wins"), fake("b", "random --seed 2")];
    let outcome = place.json(
        "--all-cards --time 5 --reuse --jobs 2 --output all.jsonl",
        &players,
    );
    assert_eq!(outcome["games"], 112);
    assert_eq!(outcome["cards"].as_object().unwrap().len(), 8);
    assert_eq!(outcome["cards"]["Pan"]["games"], 28);
    let games = place.games("all.jsonl");
    assert_whole(&games, 112);
    let pairs: std::collections::BTreeSet<_> = games.iter().map(|game| game.cards).collect();
    assert_eq!(pairs.len(), 56);

    place.json(
        "--cards Minotaur Apollo --openings 3 --rounds 3 --time 5 --output some.jsonl",
        &players,
    );
    for game in place.games("some.jsonl") {
        let cards = game.cards.unwrap().map(|card| card.to_string());
        assert_eq!(cards, ["Minotaur", "Apollo"]);
        // After three turns the second player is to move.
        let board = game.start.unwrap();
        assert_eq!(board["turn"], 3);
        assert_eq!(board["players"][0]["card"], "Apollo");
    }
    let same = place.run("--cards Pan Pan", &players);
    assert_eq!(same.status.code(), Some(2));
}

#[test]
fn openings_of_a_file_are_played_with_both_seats() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random --seed 2")];
    let boards: Vec<Value> = (0..5)
        .map(|number| write_board(&random_opening::<5>(2, 1, number, [None, None])))
        .collect();
    let lines: String = boards.iter().map(|board| format!("{board}\n")).collect();
    fs::write(place.path("book.jsonl"), lines).unwrap();
    place.json(
        "--openings-file book.jsonl --rounds 5 --time 5 --output games.jsonl",
        &players,
    );
    let games = place.games("games.jsonl");
    for board in &boards {
        let played = games
            .iter()
            .filter(|game| game.start.as_ref() == Some(board));
        let seats: Vec<_> = played
            .map(|game| (game.pair, game.players.clone()))
            .collect();
        assert_eq!(seats.len(), 2);
        assert_eq!(seats[0].0, seats[1].0);
        assert_ne!(seats[0].1, seats[1].1);
    }
    let drawn = Command::new(SANTORINI)
        .current_dir(place.0.path())
        .args(["draw", "games.jsonl", "--game", "3"])
        .output()
        .unwrap();
    assert!(drawn.status.success(), "{}", errors(&drawn));
    assert!(String::from_utf8_lossy(&drawn.stdout).contains("turn 3: "));
    fs::write(place.path("bad.jsonl"), "{\"players\":1}\n").unwrap();
    let bad = place.run("--openings-file bad.jsonl", &players);
    assert_eq!(bad.status.code(), Some(2));
    assert!(
        errors(&bad).contains("bad.jsonl: line 1"),
        "{}",
        errors(&bad)
    );
    // A book that has changed is another tournament.
    fs::write(place.path("book.jsonl"), format!("{}\n", boards[0])).unwrap();
    let words = "--openings-file book.jsonl --rounds 6 --time 5 --output games.jsonl --resume";
    let changed = place.run(words, &players);
    assert_eq!(changed.status.code(), Some(2));
    assert!(
        errors(&changed).contains("openings is"),
        "{}",
        errors(&changed)
    );
}

#[test]
fn reused_players_are_started_once_and_know_the_time() {
    let place = Place::new();
    let player = |name: &str| {
        format!(
            "{name}=sh -c 'echo started $SANTORINI_TIME >&2; exec {SANTORINI} fake-player random'"
        )
    };
    let players = [player("a"), player("b")];
    let words = "--rounds 25 --time 0.5 --grace 4 --jobs 2";
    place.json(&format!("{words} --reuse --stderr reused.log"), &players);
    place.json(
        &format!("{words} --rounds 5 --stderr new.log").replacen("--rounds 25", "", 1),
        &players,
    );
    let starts = |name: &str| {
        let text = fs::read_to_string(place.path(name)).unwrap();
        text.lines()
            .filter(|line| line.ends_with(": started 0.5"))
            .count()
    };
    // One process a player and job.
    assert_eq!(starts("reused.log"), 4);
    assert_eq!(starts("new.log"), 20);
}

#[test]
fn wrong_requests_say_what_would_be_right() {
    let place = Place::new();
    let a = fake("a", "random");
    for (words, players, hint) in [
        ("", vec![a.clone()], "two players or more"),
        (
            "--shard 5/4",
            vec![a.clone(), a.clone()],
            "1/4, 2/4, 3/4 and 4/4",
        ),
        ("--time 0", vec![a.clone(), a.clone()], "not a time"),
        (
            "--sprt 0 5 --alpha 0.9",
            vec![a.clone(), a.clone()],
            "alpha is 0.9",
        ),
        (
            "",
            vec![a.clone(), "b='./x".into()],
            "quote that is not closed",
        ),
        ("--resume", vec![a.clone(), a.clone()], "--output"),
        (
            "--sprt 0 5 --shard 1/2",
            vec![a.clone(), a.clone()],
            "cannot be used with",
        ),
    ] {
        let output = place.run(words, &players);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(
            errors(&output).contains(hint),
            "{words}: {}",
            errors(&output)
        );
    }
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 0);
    let missing = place.run("merge", &["missing.jsonl".into()]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        errors(&missing).contains("missing.jsonl: No such file"),
        "{}",
        errors(&missing)
    );
}
