//! Example players: created, built and tested as a student would do it.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::spawn;

use santorini::protocol::tcp::{Answer, State, Status};
use santorini::record::{GameRecord, read_games};
use santorini::rules::Square;
use tempfile::TempDir;

use crate::installed::{installed, works};
use crate::place::is_regular;
use crate::program::{HANG, SANTORINI, errors, run, santorini, stdout, wait_until, write_program};

fn new_bot(folder: &Path, words: &[&str]) -> Output {
    let mut command = santorini(&["new-bot"]);
    command.args(words).current_dir(folder).output().unwrap()
}

/// Runs the test script of a new player, which plays 20 games.
fn test(folder: &Path) -> Output {
    let mut command = Command::new(folder.join("test.sh"));
    command.env("SANTORINI", SANTORINI).stdin(Stdio::null());
    command.output().unwrap()
}

#[test]
fn a_bots_test_ends_even_if_the_bot_exits_early_or_late() {
    if installed(&["python3"]).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let output = new_bot(place.path(), &["python", "bot", "--tcp"]);
    assert!(output.status.success(), "{}", errors(&output));
    let folder = place.path().join("bot");
    let file = folder.join("bot.py");
    let program = fs::read_to_string(&file).unwrap();

    fs::write(&file, format!("{program}\nimport time\ntime.sleep(1000)\n")).unwrap();
    let output = test(&folder);
    let said = stdout(&output);
    assert!(said.contains("20 games without a fault"), "{output:?}");

    fs::write(&file, "import time\ntime.sleep(1)\n").unwrap();
    let output = test(&folder);
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("the bot ended before the tournament"),
        "{told}"
    );
}

/// Creates a player and runs its test, in both protocols.
fn plays(language: &str) {
    let place = tempfile::tempdir().unwrap();
    for protocol in [&[][..], &["--tcp"]] {
        let folder = format!("a {language} bot{}", protocol.len());
        let words = [&[language, &folder], protocol].concat();
        let made = new_bot(place.path(), &words);
        assert!(made.status.success(), "{}", errors(&made));
        let output = test(&place.path().join(&folder));
        let (said, told) = (stdout(&output), errors(&output));
        let whole = said.contains("20 games without a fault");
        assert!(whole && output.status.success(), "{words:?}: {said}{told}");
        if !protocol.is_empty() {
            says_why_it_ends(place.path(), &stdout(&made));
        }
    }
}

/// The connection of a bot, which may fail to connect.
fn accepted(listener: &TcpListener) -> TcpStream {
    listener.set_nonblocking(true).unwrap();
    let mut stream = None;
    wait_until("a connection", || {
        stream = listener.accept().ok();
        stream.is_some()
    });
    let (stream, _) = stream.unwrap();
    stream.set_nonblocking(false).unwrap();
    stream
}

/// A name of the maximum length, with characters that JSON escapes.
const NAME: &str = "\\\"🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛🏛";

/// Checks that a bot with the longest name answers, that it reports an early end of its
/// connection and, without arguments, its usage. `made` is the output of the command that
/// created it, with the command to run it.
fn says_why_it_ends(folder: &Path, made: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = spawn(move || {
        let mut stream = accepted(&listener);
        stream.set_read_timeout(Some(HANG)).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{NAME}\n"));
        let state = State {
            status: Status::PlaceWorker,
            turn: NAME,
            floors: [[0; 6]; 6],
            names: ["\"]", NAME],
            workers: [[Some(Square::at::<6>(1, 1)), None], [None; 2]],
        };
        stream.write_all(state.line().as_bytes()).unwrap();
        line.clear();
        lines.read_line(&mut line).unwrap();
        assert!(
            Answer::parse(state.status, line.trim_end().as_bytes()).is_ok(),
            "{line:?}"
        );
        stream.write_all(b"\"the name is taken\"\n").unwrap();
    });
    let words = " HOST PORT NAME";
    let command = made.lines().find(|line| line.ends_with(words)).unwrap();
    let run = |arguments: &str| {
        let mut sh = Command::new("sh");
        sh.args(["-c", &command.replace(words, arguments)]);
        // Java reads the arguments in the encoding of the locale.
        sh.env("LC_ALL", "C.UTF-8");
        let output = sh.current_dir(folder).stdin(Stdio::null()).output();
        output.unwrap()
    };
    let output = run(&format!(" 127.0.0.1 {port} '{NAME}'"));
    server.join().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stdout(&output).contains("the name is taken"), "{output:?}");
    let told = errors(&output);
    assert!(
        told.contains("the connection ended before the final table"),
        "{told}"
    );
    let output = run("");
    assert!(!output.status.success(), "{output:?}");
    let told = errors(&output);
    assert!(told.contains("usage: ") && told.contains(words), "{told}");
}

#[test]
fn python_plays() {
    if installed(&["python3"]).is_some() {
        plays("python");
    }
}

#[test]
fn the_python_player_of_new_bot_plays_and_takes_wins() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/contest/new_bot/templates/player.py"
    );
    let Some(python) = installed(&["python3"]) else {
        return;
    };
    let mut won = 0;
    for seed in ["1", "2", "3", "4"] {
        // The seed makes its random choices repeatable.
        let seeded = format!(
            "import random, runpy; random.seed({seed}); runpy.run_path({file:?}, run_name='__main__')"
        );
        let ours = shlex::try_join([python, "-c", &seeded]).unwrap();
        let random = shlex::try_join([SANTORINI, "fake-player", "random", "--seed", seed]).unwrap();
        let (ours, random) = (format!("ours={ours}"), format!("random={random}"));
        for [first, second] in [[&ours, &random], [&random, &ours]] {
            let output = run(&["referee", first, second], "");
            let commentary = errors(&output);
            let end = commentary.lines().last().unwrap();
            assert!(is_regular(end) && output.status.success(), "{commentary}");
            won += u32::from(["Win by ours", "No move possible for random"].contains(&end));
        }
    }
    // It takes every win in one; the other player only by chance.
    assert!(won >= 6, "{won} of 8");
}

#[test]
fn javascript_plays() {
    if installed(&["node"]).is_some() {
        plays("javascript");
        plays_with_cards("javascript");
    }
}

#[test]
fn java_plays() {
    if works(&["javac", "--version"]) {
        plays("java");
        plays_with_cards("java");
    }
}

#[test]
fn c_plays() {
    if works(&["cc", "--version"]) {
        plays("c");
        plays_with_cards("c");
    }
}

#[test]
fn rust_plays() {
    if works(&["rustc", "--version"]) {
        plays("rust");
        plays_with_cards("rust");
    }
}

#[test]
fn haskell_plays() {
    if works(&["ghc", "-package", "network", "-e", "()"]) {
        plays("haskell");
    }
}

#[test]
fn a_players_test_finds_the_program_from_anywhere() {
    if installed(&["python3"]).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("it's \"here\"/santorini");
    fs::create_dir(program.parent().unwrap()).unwrap();
    write_program(&program, fs::read(SANTORINI).unwrap());
    let made = Command::new(&program)
        .args(["new-bot", "python", "bot"])
        .current_dir(place.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", errors(&made));
    let relative = "./it's \"here\"/santorini";
    for named in [None, Some(relative), Some(program.to_str().unwrap())] {
        let mut command = Command::new("bot/test.sh");
        command.current_dir(place.path()).stdin(Stdio::null());
        match named {
            None => command.env_remove("SANTORINI"),
            Some(name) => command.env("SANTORINI", name),
        };
        let output = command.output().unwrap();
        let told = errors(&output);
        assert!(output.status.success(), "{named:?}: {told}");
        let said = stdout(&output);
        assert!(said.contains("20 games without a fault"), "{said}");
        assert!(!said.contains("/./"), "{said}");
    }
    // The program was moved, to a folder in PATH or elsewhere.
    let moved = place.path().join("santorini");
    fs::rename(&program, &moved).unwrap();
    let path = std::env::var("PATH").unwrap();
    let test = |path: &str| {
        let mut command = Command::new("bot/test.sh");
        command.current_dir(place.path()).stdin(Stdio::null());
        command.env_remove("SANTORINI").env("PATH", path);
        command.output().unwrap()
    };
    let found = test(&format!("{}:{path}", place.path().display()));
    assert!(found.status.success(), "{}", errors(&found));
    let lost = test(&path);
    assert_eq!(lost.status.code(), Some(127));
    let told = errors(&lost);
    assert!(told.contains("run SANTORINI=/path/to/santorini"), "{told}");
}

#[test]
fn a_player_that_breaks_the_rules_fails_its_test() {
    if installed(&["python3"]).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    for (protocol, file, right, wrong, why) in [
        (
            &[][..],
            "player.py",
            "levels[space[0] - 1]",
            "levels[space[0] - 2]",
            "",
        ),
        (
            &["--tcp"],
            "bot.py",
            "return max(moves)[2:]",
            "return 4, 0, 0",
            "got \"4 0 0\"",
        ),
    ] {
        let output = new_bot(place.path(), &[&["python", file], protocol].concat());
        assert!(output.status.success(), "{}", errors(&output));
        let folder = place.path().join(file);
        let path = folder.join(file);
        let code = fs::read_to_string(&path).unwrap();
        assert!(code.contains(right));
        fs::write(&path, code.replace(right, wrong)).unwrap();
        let output = test(&folder);
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        let told = errors(&output);
        assert!(told.contains("games were lost by a fault"), "{told}");
        assert!(told.contains(why), "{told}");
        let faults = fs::read_to_string(folder.join("test-faults.txt")).unwrap();
        assert!(faults.contains("\"why\""), "{faults}");
    }
}

#[test]
fn a_player_that_crashes_is_to_be_tested_again() {
    if installed(&["python3"]).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let output = new_bot(place.path(), &["python", "."]);
    assert!(output.status.success(), "{}", errors(&output));
    let file = place.path().join("player.py");
    let crash = "    elif question[\"turn\"] > 4:\n        sys.exit(3)\n    else:\n";
    let program = fs::read_to_string(&file).unwrap();
    fs::write(&file, program.replace("    else:\n", crash)).unwrap();
    let output = test(place.path());
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("me lost 10 of 10 games by faults"), "{told}");
    assert!(told.contains("run test.sh again"), "{told}");
    // Its games are played anew, not resumed.
    assert!(!told.contains("--resume"), "{told}");
}

#[test]
fn a_bot_that_does_not_flush_is_told_so_after_one_game() {
    if installed(&["python3"]).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let output = new_bot(place.path(), &["python", ".", "--tcp"]);
    assert!(output.status.success(), "{}", errors(&output));
    let file = place.path().join("bot.py");
    let program = fs::read_to_string(&file).unwrap();
    let flushed = "print(*answer, file=server, flush=True)";
    assert!(program.contains(flushed));
    let unflushed = program.replace(flushed, "print(*answer, file=server)");
    fs::write(&file, unflushed).unwrap();
    let output = test(place.path());
    assert_eq!(output.status.code(), Some(1));
    let told = errors(&output);
    let hint = "a bot must flush its output after each answer";
    assert_eq!(told.matches(hint).count(), 1, "{told}");
}

#[test]
fn nothing_is_overwritten_without_force() {
    let place = tempfile::tempdir().unwrap();
    let mine = place.path().join("player.py");
    fs::write(&mine, "mine").unwrap();
    let output = new_bot(place.path(), &["python", "."]);
    assert_eq!(output.status.code(), Some(2));
    let told = errors(&output);
    assert!(told.contains("player.py exists; name another"), "{told}");
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    let output = new_bot(place.path(), &["python", ".", "--force"]);
    assert!(output.status.success());
    assert!(
        fs::read_to_string(&mine)
            .unwrap()
            .starts_with("#!/usr/bin/env python3")
    );
    let output = new_bot(place.path(), &["python", "player.py"]);
    assert_eq!(output.status.code(), Some(2));
    let told = errors(&output);
    assert!(
        told.contains("player.py is a file; name a folder"),
        "{told}"
    );
    let output = new_bot(place.path(), &["python", "player.py/deep"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("player.py/deep"), "{output:?}");
    let output = new_bot(place.path(), &["cobol", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("python"), "{output:?}");
}

/// Creates a player with cards and runs its test: games with all pairs of cards, most of
/// which it wins. Returns its folder.
fn plays_with_cards(language: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let output = new_bot(place.path(), &[language, ".", "--cards"]);
    assert!(output.status.success(), "{}", errors(&output));
    let output = test(place.path());
    let said = stdout(&output);
    assert!(said.contains("112 games without a fault"), "{output:?}");
    let games = read_games(&place.path().join("test-games.jsonl")).unwrap();
    let pairs: HashSet<_> = games
        .iter()
        .map(|game| (game.cards, &game.players))
        .collect();
    assert_eq!(pairs.len(), 112);
    let won = |game: &&GameRecord| {
        let winner = game
            .winner
            .map(|seat| game.players[usize::from(seat)].as_str());
        winner == Some("me")
    };
    let won = games.iter().filter(won).count();
    assert!(won > 70, "{language}: {won} of 112 games won");
    place
}

#[test]
fn haskell_plays_with_cards() {
    if works(&["ghc", "--version"]) {
        plays_with_cards("haskell");
    }
}

#[test]
fn python_plays_with_cards_and_faults_are_explained() {
    if installed(&["python3"]).is_none() {
        return;
    }
    let place = plays_with_cards("python");
    let folder = place.path();
    // A fault is explained, with what the player wrote to its standard error.
    let file = folder.join("card_player.py");
    let program = fs::read_to_string(&file).unwrap();
    let broken = program.replace("question[\"turn\"] + 1}", "question[\"turn\"] + 1.0}");
    let broken = broken.replace(
        "import json",
        "import json, os; os.write(2, b'hello\\n'); import json",
    );
    fs::write(&file, broken).unwrap();
    let output = test(folder);
    assert_eq!(output.status.code(), Some(1));
    let said = errors(&output);
    assert!(said.contains("turn: expected a whole number"), "{said}");
    assert!(
        said.contains("write 1, without a sign, a point or an exponent"),
        "{said}"
    );
    assert!(said.contains("standard error   hello"), "{said}");
}
