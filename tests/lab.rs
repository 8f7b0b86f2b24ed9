//! The laboratory on the command line.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use santorini::record::read_games;

use crate::program::{SANTORINI, errors, run, run_words, stdout, success};

fn lab(words: &str) -> Output {
    run_words(&format!("lab {words}"))
}

/// Checks that the command is refused: exit code 2, a one-line error that contains
/// `said`, and no standard output.
fn refused(words: &str, said: &str) {
    ends_with(2, words, said);
}

fn ends_with(code: i32, words: &str, said: &str) {
    let output = lab(words);
    let error = errors(&output);
    assert_eq!(output.status.code(), Some(code), "{words}: {error}");
    assert!(output.stdout.is_empty());
    assert!(error.contains(said), "{words}: {error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// The lines of a summary without times.
fn results(text: &str) -> Vec<&str> {
    let timed = |line: &&str| {
        !["game ", "placement ", "turn "]
            .iter()
            .any(|start| line.starts_with(start))
    };
    text.lines().filter(timed).collect()
}

#[test]
fn the_same_seed_plays_the_same_games_for_any_jobs() {
    let play = |[first, second]: [&str; 2], jobs, seed| {
        let words = format!("play --first {first} --second {second} --games 12 --swap");
        success(&lab(&format!("{words} --jobs {jobs} --seed {seed}")))
    };
    for agents in [
        ["mc:episodes=50", "alphabeta:depth=1"],
        ["qlearning:episodes=500", "random"],
        ["engine:nodes=500", "minimax:depth=1"],
    ] {
        let one = play(agents, "1", "5");
        assert!(one.contains("games       12"), "{one}");
        assert_eq!(results(&one), results(&play(agents, "3", "5")));
        assert_ne!(results(&one), results(&play(agents, "3", "6")));
    }
}

#[test]
fn copies_of_games_are_mentioned() {
    let words = "play --first engine:nodes=1 --second engine:nodes=2 --games 20 --swap";
    let copies = "games are different, so the interval is too narrow";
    assert!(errors(&lab(words)).contains(copies));
    let output = lab(&format!("{words} --opening 2"));
    assert!(!errors(&output).contains(copies), "{}", errors(&output));
}

#[test]
fn records_of_a_match_replay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let words = format!(
        "play --first random --second alphabeta:depth=1 --games 6 --swap --opening 4 --record {}",
        path.display()
    );
    success(&lab(&words));
    let games = read_games(&path).unwrap();
    assert_eq!(games.len(), 6);
    for (number, game) in games.iter().enumerate() {
        assert_eq!(game.game, number as u64);
        assert_eq!(game.players[number % 2], "random");
        let replay = game.replay::<5>().unwrap();
        let last = replay.positions.last().unwrap();
        assert!(last.shows_win() || !last.has_turn());
    }
    // Both games of a pair start alike.
    assert_eq!(games[0].start, games[1].start);
    assert_ne!(games[0].start, games[2].start);
    refused(&words, "games.jsonl exists; name another file");
}

#[test]
fn a_saved_table_can_be_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.q");
    let save = format!("qlearning:episodes=300,save={}", path.display());
    let load = format!("qlearning:load={}", path.display());
    let play = |agent: &str| lab(&format!("play --first {agent} --second random --games 8"));
    let saved = success(&play(&save));
    let loaded = success(&play(&load));
    let lines = |text: &str| {
        results(text)
            .iter()
            .filter(|line| !line.starts_with("first"))
            .map(|line| line.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&saved), lines(&loaded));
    damaged_table_is_refused(&path, &load);
}

fn damaged_table_is_refused(path: &Path, load: &str) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[100] ^= 1;
    std::fs::write(path, bytes).unwrap();
    let record = path.with_extension("jsonl");
    let words = format!(
        "play --first {load} --second random --record {}",
        record.display()
    );
    refused(&words, "create a Q-table with qlearning:save=FILE");
    assert!(!record.exists(), "nothing half written");
}

#[test]
fn too_little_memory_to_load_a_table_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.q");
    let table = table.to_str().unwrap();
    let save = format!("qlearning:episodes=1000,save={table}");
    success(&lab(&format!(
        "play --first {save} --second random --games 1"
    )));
    let load = format!("qlearning:load={table}");
    let short = format!("santorini: {table}: out of memory\n");
    let is_reported = (8..40).any(|count| {
        let kib = (256 * count).to_string();
        let output = Command::new("sh")
            .args(["-c", r#"ulimit -d $0 && exec "$@""#, &kib, SANTORINI])
            .args(["lab", "player", &load])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let code = output.status.code();
        assert!([Some(0), Some(1)].contains(&code), "{kib} KiB: {output:?}");
        code == Some(1) && errors(&output) == short
    });
    assert!(is_reported, "none of these limits leaves too little memory");
}

#[test]
fn wrong_requests_are_refused() {
    let play = |first: &str, said: &str| {
        refused(&format!("play --second random --first {first}"), said);
    };
    play(
        "chess",
        "no agent is called \"chess\"; the agents are random, beginner, minimax",
    );
    play(
        "mc:games=5",
        "mc has no parameter \"games\"; it has episodes, pick",
    );
    play(
        "minimax:depth=0",
        "minimax: depth=0 must be a number from 1 to 20",
    );
    for (first, file) in [
        ("qlearning:load=/no/such/folder/b.q", "b.q"),
        ("qlearning:save=/no/such/folder/a.q", "a.q"),
        ("random --record /no/such/folder/a.jsonl", "a.jsonl"),
    ] {
        let words = format!("play --second random --first {first}");
        ends_with(1, &words, &format!("/no/such/folder/{file}: No such file"));
    }
    play("random --games 0", "0 is not in 1..");
    play("random --jobs 0", "0 is not in 1..");
}

#[test]
fn states_are_counted_and_compared_with_the_estimate() {
    let text = success(&lab("states"));
    assert!(
        text.contains("9,715,200  states by the study's estimate"),
        "{text}"
    );
    assert!(text.contains("75,900  boards after both placements"));
    assert!(text.contains("676,368  different boards after that turn"));
}

#[test]
fn levels_are_counted_from_the_first_that_is_measured() {
    let text = success(&lab("levels --from 2 --to 3 --games 20 --jobs 2"));
    let lines: Vec<&str> = text.lines().collect();
    let [head, rows @ .., "", _, second, third, measured] = &lines[..] else {
        panic!("{text}");
    };
    assert!(head.starts_with("level  against"), "{text}");
    // Both levels against four beginners.
    assert_eq!(rows.len(), 8, "{text}");
    assert!(rows.iter().all(|row| row.contains(" of 20 ")), "{text}");
    assert!(
        second.trim_start().starts_with("2 ") && second.ends_with(" 0"),
        "{text}"
    );
    assert!(
        third.trim_start().starts_with("3 ") && third.contains(" +- "),
        "{text}"
    );
    assert!(measured.starts_with("measured with bench "), "{text}");
}

#[test]
fn weights_are_fitted_and_the_gain_is_shown() {
    let tune = |jobs| {
        let words = "tune --depth 1 --steps 20 --pairs 4 --match-pairs 20";
        success(&lab(&format!("{words} --jobs {jobs}")))
    };
    let text = tune("2");
    assert!(
        text.contains("study     100     10      20        70        200"),
        "{text}"
    );
    assert!(text.contains("\nagent     alphabeta:depth=1,"), "{text}");
    assert_eq!(text.matches("of 40 games against").count(), 2, "{text}");
    assert_eq!(text, tune("1"));
    refused("tune --steps 5", "5 is not in 10..");
}

#[test]
fn programs_are_agents_and_agents_are_programs() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.jsonl");
    let program = format!("program:{SANTORINI} lab player alphabeta:depth=1 --seed 3");
    let words = "play --second random --games 6";
    let output = lab(&format!(
        "{words} --first '{program}' --swap --record {}",
        games.display()
    ));
    let text = success(&output);
    assert!(
        text.contains(&format!("first       {program} won ")),
        "{text}"
    );
    let games = read_games(&games).unwrap();
    assert_eq!(games.len(), 6);
    for game in games {
        game.replay::<5>().unwrap();
        assert_eq!(game.setup_seconds.len(), 2);
    }
    let fault = format!("program:{SANTORINI} fake-player illegal --after 2");
    let output = lab(&format!("{words} --first '{fault}'"));
    assert_eq!(output.status.code(), Some(1));
    let told = errors(&output);
    assert!(told.contains("game 1: Bad move by"), "{told}");
}

#[test]
fn an_agent_answers_like_a_player() {
    let output = run(
        &["lab", "player", "mc:episodes=20", "--seed", "1"],
        "[] [[[2,3],[4,3]]]\n7",
    );
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(
        text.lines().nth(1).unwrap().starts_with("[[[2,3],[4,3]],"),
        "{text}"
    );
    assert!(errors(&output).starts_with("santorini: "));
    let same = run(
        &["lab", "player", "mc:episodes=20", "--seed", "1"],
        "[] [[[2,3],[4,3]]]",
    );
    assert_eq!((same.status.code(), stdout(&same)), (Some(0), text));
}
