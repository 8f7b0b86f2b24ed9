//! Which games are played, by which players, and their results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use santorini::openings::random_opening;
use santorini::protocol::exchange::write_board;
use santorini::rules::Card;
use serde_json::Value;

use super::{Place, assert_whole, errors, fake};
use crate::program::{SANTORINI, santorini, success, write_program};

#[test]
fn games_are_played_without_extra_threads() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random --seed 2")];
    let mut command = place.tournament("--rounds 2 --jobs 2 --output games.jsonl", &players);
    // There are no stacks of that size.
    let output = command.env("RUST_MIN_STACK", (1u64 << 46).to_string());
    let output = output.output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    assert_whole(&place.games("games.jsonl"), 4);
}

/// The players of the outcome by name.
fn by_name(outcome: &Value) -> BTreeMap<String, Value> {
    let players = outcome["players"].as_array().unwrap().iter();
    players
        .map(|player| (player["name"].as_str().unwrap().to_string(), player.clone()))
        .collect()
}

#[test]
fn six_of_eight_players_misbehave() {
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
        "--rounds 1 --time 5 --jobs 4 --keep-going --output games.jsonl",
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
        // It never beats those two.
        for better in ["winner", "random"] {
            assert!(player["points"].as_f64() < by_name[better]["points"].as_f64());
        }
    }
    assert_eq!(
        by_name["random"]["lost"].as_u64().unwrap() + by_name["winner"]["lost"].as_u64().unwrap(),
        2
    );
    // The results of all pairings add up.
    let sum: u64 = by_name
        .values()
        .map(|player| player["won"].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 56);
    // The record of a faulty game holds its log.
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

    // The other way round; the test of a finished file is decided at once.
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
    let pairs: BTreeSet<_> = games.iter().map(|game| game.cards).collect();
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
fn openings_from_a_file_are_played_in_both_seats() {
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
    let drawn = santorini(&["draw", "games.jsonl", "--game", "3"])
        .current_dir(place.folder())
        .output()
        .unwrap();
    assert!(success(&drawn).contains("turn 3: "));
    fs::write(place.path("bad.jsonl"), "{\"players\":1}\n").unwrap();
    let bad = place.run("--openings-file bad.jsonl", &players);
    assert_eq!(bad.status.code(), Some(2));
    assert!(
        errors(&bad).contains("bad.jsonl: line 1"),
        "{}",
        errors(&bad)
    );
    // A tournament cannot be resumed with a changed book.
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
fn built_in_even_openings_do_not_repeat() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random --seed 2")];
    let starts = |seed: u32| {
        let output = format!("games{seed}.jsonl");
        place.json(
            &format!("--openings even --rounds 20 --time 5 --seed {seed} --output {output}"),
            &players,
        );
        let games = place.games(&output);
        let mut starts = BTreeMap::new();
        for game in games {
            let start = game.start.as_ref().unwrap().to_string();
            let seats: &mut Vec<_> = starts.entry(start).or_default();
            seats.push(game.players.clone());
        }
        starts
    };
    let first = starts(1);
    assert_eq!(first.len(), 20);
    for seats in first.values() {
        assert_eq!(seats.len(), 2);
        assert_ne!(seats[0], seats[1]);
    }
    assert!(!starts(2).keys().eq(first.keys()));
}

#[test]
fn even_openings_with_cards_match_the_pair() {
    let place = Place::new();
    let players = [fake("a", "random"), fake("b", "random --seed 2")];
    let play = |options: &str, output: &str| {
        let options = format!("--openings even {options} --time 5 --reuse --output {output}");
        place.json(&options, &players);
        let games = place.games(output);
        let starts: BTreeSet<String> = (games.iter())
            .map(|game| {
                let start = game.start.as_ref().unwrap();
                assert_eq!(
                    game.replay::<5>().unwrap().positions[0].first_cards(),
                    game.cards.unwrap().map(Some)
                );
                start.to_string()
            })
            .collect();
        assert_eq!(2 * starts.len(), games.len());
        games
    };
    let all = play("--all-cards --rounds 2", "all.jsonl");
    let pairs: BTreeSet<_> = all.iter().map(|game| game.cards).collect();
    assert_eq!((all.len(), pairs.len()), (224, 56));
    let one = play("--cards Pan Atlas --rounds 10", "one.jsonl");
    let cards = Some([Card::Pan, Card::Atlas]);
    assert!(one.iter().all(|game| game.cards == cards));

    // A file of boards without cards cannot be used with cards.
    let board = "00000/00010/00000/00000/00000 b3d3 c2c4 1";
    std::fs::write(place.path("base.txt"), board).unwrap();
    let refused = place.run("--openings-file base.txt --all-cards", &players);
    assert_eq!(refused.status.code(), Some(2));
    let told = "base.txt: it has no board with Apollo against Artemis";
    assert!(errors(&refused).contains(told), "{}", errors(&refused));
}

#[test]
fn reused_players_start_once_and_know_the_time() {
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
    // One process for each player and job.
    assert_eq!(starts("reused.log"), 4);
    assert_eq!(starts("new.log"), 20);
}

#[test]
fn usage_errors_suggest_a_correction() {
    let place = Place::new();
    let a = fake("a", "random");
    for (words, players, hint) in [
        (
            "--shard 5/4",
            vec![a.clone(), a.clone()],
            "1/4, 2/4, 3/4 and 4/4",
        ),
        (
            "--sprt 0 5 --alpha 0.9",
            vec![a.clone(), a.clone()],
            "alpha is 0.9",
        ),
        ("", vec![a.clone(), "b='./x".into()], "unclosed quote"),
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
    assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 0);
    let missing = place.run("merge", &["missing.jsonl".into()]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        errors(&missing).contains("missing.jsonl: No such file"),
        "{}",
        errors(&missing)
    );
}

/// Stands in for ssh: runs the command of a host in its own folder, without the caller's
/// environment.
const SSH: &str = "#!/bin/sh
host=$1
shift
echo \"$host: $*\" >>ssh.log
cd \"$host\" && exec env -i PATH=\"$PATH\" sh -c \"$*\"
";

#[test]
fn players_are_started_on_other_machines() {
    let place = Place::new();
    let ssh = place.path("bin/ssh");
    fs::create_dir_all(place.path("bin")).unwrap();
    write_program(&ssh, SSH);
    for (host, kind) in [("one", "random --wins"), ("two", "random")] {
        fs::create_dir(place.path(host)).unwrap();
        let player = place.path(&format!("{host}/player"));
        // It prints its SANTORINI_TIME.
        let script = format!(
            "#!/bin/sh\necho \"time $SANTORINI_TIME\" >>told\nexec {SANTORINI} fake-player {kind}\n"
        );
        write_program(&player, script);
    }
    let path = format!(
        "{}:{}",
        place.path("bin").display(),
        std::env::var("PATH").unwrap()
    );
    let players =
        ["one", "two"].map(|host| format!("{host}=ssh {host} SANTORINI_TIME=7 exec ./player"));
    let mut command = place.tournament(
        "--rounds 2 --time 7 --jobs 2 --output g.jsonl --json",
        &players,
    );
    let output = command.env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let games = place.games("g.jsonl");
    assert_whole(&games, 4);
    assert!(games.iter().all(|game| game.why.is_none()));
    for host in ["one", "two"] {
        let told = fs::read_to_string(place.path(&format!("{host}/told"))).unwrap();
        assert!(
            told.lines().count() >= 4 && told.lines().all(|line| line == "time 7"),
            "{told}"
        );
    }
}
