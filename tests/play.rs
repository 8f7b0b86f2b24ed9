//! `santorini play` through pipes: one request on each line.

use std::path::Path;
use std::process::Output;

use crate::program::{SANTORINI, run};

const GAMES: &str = "tests/data/card-games.jsonl";

fn play(arguments: &[&str], lines: &[&str]) -> Output {
    run(&[&["play"], arguments].concat(), &(lines.join("\n") + "\n"))
}

/// The output of a successful run.
fn said(arguments: &[&str], lines: &[&str]) -> String {
    let output = play(arguments, lines);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The first line of each board shown.
fn boards(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("turn "))
        .collect()
}

fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn a_game_by_hand_with_undo_and_another_turn() {
    let text = said(
        &["--against", "nobody"],
        &[
            "b2 d4", "b2d2", "D2 B4", // the second player's first try is taken
            "b2-b3+b2", "d2-d3+c3", "undo", "next", "back", "d2-c2+b2", "list", "start", "end",
        ],
    );
    contains(
        &text,
        &[
            "b2 is taken by a worker",
            "(this replaces the turn that was played here)",
            "board 2 of 3",
            "    0  start\n    1  X b2-b3+b2\n>   2  O d2-c2+b2\n",
        ],
    );
    assert_eq!(
        boards(&text),
        [
            "turn 0: X to move",
            "turn 1: O to move; X played b2-b3+b2",
            "turn 2: X to move; O played d2-d3+c3",
            "turn 1: O to move; X played b2-b3+b2",
            "turn 2: X to move; O played d2-d3+c3",
            "turn 1: O to move; X played b2-b3+b2",
            "turn 2: X to move; O played d2-c2+b2",
            "turn 0: X to move",
            "turn 2: X to move; O played d2-c2+b2",
        ]
    );
    assert!(text.contains(" 2 |      | 2+   |   O* |    - |      |"));
}

#[test]
fn illegal_turns_are_explained() {
    let text = said(
        &["--against", "nobody"],
        &[
            "b2 b2", "z9 a1", "nonsense", "help", "b2 d4", "d2 b4", "b2-b5+b4", "c3-c4+c5", "b2",
            "b2-b3", "turns", "dance", "back", "goto 7", "help",
        ],
    );
    contains(
        &text,
        &[
            "the two workers cannot share a space",
            "\"z9 a1\" is not two spaces; type two spaces such as b2 d4",
            "\"nonsense\" is not two spaces",
            "not legal: the worker on b2 (2,2) cannot move to b5 (5,2): that is not one of the spaces around it",
            "not legal: the player to move has no worker on c3 (3,3), but on b2 (2,2) and d4 (4,4)",
            "  b2-b3 +a2 +b2 +c2 +a3 +c3 +a4 +c4\n",
            "\"dance\" is neither a turn nor a request",
            "there are no more boards this way",
            "no board has the turn number 7",
            "undo         take back your last turn",
        ],
    );
    let lists = text.matches(" legal turns:\n").count();
    assert_eq!(lists, 3, "for b2, b2-b3 and all");
}

#[test]
fn the_built_in_player_answers_in_either_seat() {
    let first = said(
        &["--time", "0.05"],
        &["hint", "b2 d4", "turns", "hint", "b2-b3+b2", "undo", "quit"],
    );
    contains(
        &first,
        &["would place", "engine places its workers on", "best turn: "],
    );
    contains(&first, &["X you, O engine"]);
    let shown = boards(&first);
    assert!(
        shown[1].starts_with("turn 1: O to move; X played b2-b3+b2"),
        "{shown:?}"
    );
    assert!(
        shown[2].starts_with("turn 2: X to move; O played "),
        "{shown:?}"
    );
    assert_eq!(shown[3], "turn 0: X to move");

    let second = said(
        &["--time", "0.05", "--second", "--cards", "Pan", "Atlas"],
        &["a1 e5", "quit"],
    );
    contains(
        &second,
        &[
            "the second player, who has Atlas",
            "X engine (Pan), O you (Atlas)",
        ],
    );
    assert!(boards(&second)[1].starts_with("turn 1: O to move; X played "));

    let six = said(
        &["--time", "0.05", "--size", "6"],
        &["f6 g1", "f6 e5", "go 2"],
    );
    assert_eq!(boards(&six).len(), 3);
    assert!(six.contains("columns a to f, rows 1 to 6"));
}

#[test]
fn a_player_program_can_be_the_opponent() {
    let random = format!("random={SANTORINI} fake-player random --seed 3");
    let text = said(
        &["--against", &random, "--cards", "Artemis", "Demeter"],
        &["b2 d4", "go", "go 4"],
    );
    contains(
        &text,
        &[
            "random places its workers on",
            "X you (Artemis), O random (Demeter)",
        ],
    );
    assert_eq!(boards(&text).len(), 6);
    let second = said(&["--second", "--against", &random], &["c3 c4"]);
    // The random player may have taken the space.
    contains(&second, &["random places its workers on"]);
}

#[test]
fn a_programs_fault_is_shown_and_the_game_goes_on() {
    let game = said(&["--against", "nobody"], &["b2 d4", "d2 b4", "json"]);
    let board = game.lines().find(|line| line.starts_with('{')).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.json");
    std::fs::write(&file, board).unwrap();
    let file = file.to_str().unwrap();
    let text = said(
        &["--from", file, "--against", "echo=cat", "--time", "5"],
        &["b2-b3+b2", "json", "go", "d2-d3+d2"],
    );
    // The person plays the even turns, so the program is asked after them.
    contains(
        &text,
        &[
            "Bad move by echo: no turn was made",
            "(type go to ask it again)",
        ],
    );
    assert_eq!(text.matches("Bad move by echo").count(), 2);
    assert!(text.contains("turn 2: X to move; O played d2-d3+d2"));
    let missing = play(&["--against", "./no-such-program"], &["b2 d4"]);
    assert_eq!(missing.status.code(), Some(1));
    let message = String::from_utf8_lossy(&missing.stderr).to_string();
    assert!(message.contains("no-such-program"), "{message}");
}

#[test]
fn a_recorded_game_can_be_stepped_through_and_continued() {
    let from = ["--from", GAMES, "--game", "157", "--time", "0.05"];
    let text = said(
        &from,
        &[
            "", "next 2", "back", "goto 38", "next", "end", "c3-c4+b4", "goto 40", "go", "list",
        ],
    );
    let shown = boards(&text);
    let turns: Vec<&str> = shown
        .iter()
        .map(|line| line.split(':').next().unwrap())
        .collect();
    assert_eq!(
        turns,
        [
            "turn 0", "turn 1", "turn 3", "turn 2", "turn 38", "turn 39", "turn 44", "turn 40",
            "turn 41"
        ]
    );
    contains(
        &text,
        &[
            "board 2 of 45",
            "turn 39: O to move; no legal turn leads here",
            "turn 44: O wins; O played d4-e3#",
            "the game is over; to continue, go back to an earlier board",
            ">  41  X ",
        ],
    );
}

#[test]
fn games_can_be_saved_and_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (boards_file, picture) = (name("game.jsonl"), name("game.svg"));
    let saves = [
        format!("save {boards_file}"),
        format!("save {picture}"),
        "save /".to_string(),
    ];
    let text = said(
        &["--against", "nobody"],
        &[
            "b2 d4", "d2 b4", "b2-b3+b2", "d2-d3+d2", &saves[0], &saves[1], &saves[2],
        ],
    );
    contains(&text, &[&format!("wrote 3 boards to {boards_file}"), "/: "]);
    let again = said(&["--from", &boards_file], &["next", "next", "next"]);
    assert_eq!(boards(&again), boards(&text));
    let svg = std::fs::read_to_string(Path::new(&picture)).unwrap();
    assert_eq!(svg.matches("class=\"sn-board\"").count(), 3);

    // Boards of another game are replaced only on request.
    let before = std::fs::read_to_string(&boards_file).unwrap();
    let forced = format!("save --force \"{boards_file}\"");
    let lines = ["b2 d4", "d2 b4", "b2-b3+b2", "undo", &saves[0]];
    let text = said(&["--against", "nobody"], &lines);
    contains(
        &text,
        &[&format!("{boards_file} exists; name another file")],
    );
    assert_eq!(std::fs::read_to_string(&boards_file).unwrap(), before);
    let text = said(
        &["--against", "nobody"],
        &[&lines[..4], &[&forced, "b2-b3+b2", &saves[0]]].concat(),
    );
    let written = text.matches("wrote ").count();
    contains(&text, &["wrote 1 board to", "wrote 2 boards to"]);
    assert_eq!(written, 2, "{text}");
}

#[test]
fn a_program_that_crashes_says_why() {
    let crash = "sh -c 'echo it broke >&2; exit 3'";
    let output = play(&["--against", crash, "--time", "5"], &["b2 d4"]);
    let message = String::from_utf8_lossy(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(1), "{message}");
    contains(&message, &["exit code 3", "\n  standard error   it broke"]);
}

#[test]
fn a_placement_can_be_taken_back() {
    let text = said(
        &["--against", "nobody"],
        &["undo", "save x", "b2 d4", "undo", "a1 a2", "d2 b4", "json"],
    );
    contains(
        &text,
        &[
            "you have no placement to take back",
            "\"save x\" is not possible yet",
            "[[[1,1],[2,1]],[[2,4],[4,2]]]",
        ],
    );
}

#[test]
fn the_board_is_drawn_during_placement() {
    let text = said(&["--against", "nobody"], &["b2 d4", "quit"]);
    let [empty, first] = ["X to place", "O to place"].map(|head| text.find(head).unwrap());
    assert!(!text[empty..first].contains(" X  ") && text[first..].contains("|   X  |"));
    assert!(!text.contains("   O  |"), "{text}");
}

#[test]
fn advice_is_given_on_request() {
    let text = said(
        &["--level", "2", "--seed", "1", "--time", "0.5"],
        &[
            "rules",
            "cards",
            "b2 d4",
            "review",
            "hint",
            "b2-b3+b2",
            "b3-b2+b3",
            "review",
            "card pan",
            "level 4",
            "level 100",
            "level",
        ],
    );
    contains(
        &text,
        &[
            "Step up from the second to the third level",
            "This game has no cards",
            "level 2 places its workers on",
            "no turn has been played yet",
            "best turn: ",
            "% chance of winning)\nexpected line: ",
            "The chance that X you wins",
            "lost a turn",
            "Pan\n  You also win",
            "the opponent now plays at level 4",
            "\"100\" is not a level; levels are 1, a beginner, to 18, full strength",
        ],
    );
    let refused = play(&["--level", "2", "--against", "nobody"], &[]);
    assert_eq!(refused.status.code(), Some(2));
    let nobody = said(&["--against", "nobody"], &["b2 d4", "d2 b4", "level 3"]);
    contains(&nobody, &["only the built-in player has levels"]);
}

#[test]
fn a_saved_game_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json").display().to_string();
    let arguments = [
        "--keep", &file, "--level", "1", "--seed", "4", "--second", "--size", "6",
    ];
    let begun = said(&arguments, &["a1 f6", "undo"]);
    contains(
        &begun,
        &[
            "the game is saved in ",
            "; resume it with: ",
            &format!(" play --resume --keep {file}"),
        ],
    );
    let resumed = said(&["--resume", "--keep", &file], &["list"]);
    contains(&resumed, &["X level 1, O you"]);
    assert_eq!(
        boards(&resumed)[0],
        boards(&begun)
            .into_iter()
            .rfind(|it| it.contains("O to move"))
            .unwrap()
    );
    let reviewed = run(&["review", "--nodes", "500", &file], "");
    assert!(reviewed.status.success());

    let wrong = |arguments: &[&str], message: &str| {
        let output = play(arguments, &[]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let found = String::from_utf8_lossy(&output.stderr);
        assert!(found.contains(message), "{arguments:?}: {found}");
    };
    let missing = folder.path().join("none").display().to_string();
    wrong(
        &["--resume", "--keep", &missing],
        "there is no game to resume",
    );
    wrong(&["--resume", "--keep", GAMES], "there is no game to resume");
    wrong(&["--keep", "Cargo.toml"], "Cargo.toml");
    // Records of other games start alike.
    let games = folder.path().join("games.jsonl");
    let two = std::fs::read_to_string(&file).unwrap().repeat(2);
    std::fs::write(&games, &two).unwrap();
    wrong(&["--keep", games.to_str().unwrap()], "games.jsonl exists");
    assert_eq!(std::fs::read_to_string(&games).unwrap(), two);
    // To resume a game against a program, name the program again.
    std::fs::write(
        &file,
        std::fs::read_to_string(&file)
            .unwrap()
            .replace("\"engine\"", "\"program\""),
    )
    .unwrap();
    wrong(
        &["--resume", "--keep", &file],
        "name it again with --against",
    );
}

#[test]
fn the_command_that_resumes_keeps_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json").display().to_string();
    let random = format!("{SANTORINI} fake-player random");
    let against = ["--keep", &file, "--against", &random];
    let options = ["--time", "2.5", "--style", "ascii"];
    let text = said(&[against, options].concat(), &["b2 d4"]);
    let told = format!("play --resume --keep {file} --against '{random}' --time 2.5 --style ascii");
    contains(&text, &[&told]);
    // A refused command does not mention the game that it would replace.
    let refused = play(&["--keep", &file, "--cards", "Pan", "Pan"], &[]);
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        error.contains("must differ") && !error.contains("not finished"),
        "{error}"
    );
}

#[test]
fn a_saved_game_is_resumed_with_another_opponent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json").display().to_string();
    let kept = || std::fs::read_to_string(&file).unwrap();
    let keep = ["--keep", &file];
    let resume = |arguments: &[&str], requests: &[&str]| {
        said(&[&["--resume"], &keep[..], arguments].concat(), requests)
    };
    let begun = ["--level", "1", "--seed", "4"];
    said(&[&keep[..], &begun].concat(), &["b2 d4", "b2-a2+a1"]);
    assert!(kept().contains("\"level\":1"), "{}", kept());
    // The first game of the file.
    let drawn = run(&["draw", "--game", "1", "--turn", "0", &file], "");
    assert!(drawn.status.success());
    assert!(!drawn.stdout.is_empty());

    // Only the built-in player has a level.
    let program = format!("Bob={SANTORINI} fake-player random");
    contains(
        &resume(&["--against", &program], &["list"]),
        &["X you, O Bob"],
    );
    assert!(
        kept().contains("\"against\":\"program\",\"level\":null"),
        "{}",
        kept()
    );
    let alone = resume(&["--against", "nobody"], &["list"]);
    contains(&alone, &["X first player, O second player", "X b2-a2+a1"]);
    // The new opponent is saved too.
    let again = resume(&[], &["list"]);
    contains(&again, &["X first player, O second player"]);
}

#[test]
fn turns_taken_back_are_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json").display().to_string();
    let turns = |requests: &[&str]| {
        let arguments = ["--against", "nobody", "--keep", &file];
        let placed = ["b2 d4", "d2 b4", "b2-b3+b2", "d2-d3+d2"];
        said(&arguments, &[&placed, requests].concat());
        let resumed = said(&["--resume", "--keep", &file], &["list"]);
        let listed = resumed
            .lines()
            .filter(|line| line.contains("  X b2-b3") || line.contains("  O d2"));
        listed.count()
    };
    assert_eq!(turns(&["back 2"]), 2);
    assert_eq!(turns(&["undo"]), 1);
    assert_eq!(turns(&["undo", "undo"]), 0);
    assert_eq!(turns(&["undo", "undo", "next"]), 1);
    assert_eq!(turns(&["undo", "undo", "end"]), 2);
}

#[test]
fn usage_errors_are_refused() {
    for (arguments, message) in [
        (
            &["--cards", "Pan", "Pan"][..],
            "the players' cards must differ",
        ),
        (&["--cards", "Pan", "Zeus"], "no card is called \"Zeus\""),
        (
            &["--size", "6", "--against", "cat"],
            "player programs play on boards of 5x5 only",
        ),
        (&["--size", "7"], "--size"),
        (&["--second", "--against", "nobody"], "there is no opponent"),
        (
            &["--second", "--from", GAMES, "--game", "1"],
            "there is no opponent",
        ),
        (&["--against", "'"], "quote"),
        (
            &["--from", GAMES],
            "more than one game; choose one with --game N",
        ),
        (&["--from", GAMES, "--game", "999"], "no board"),
        (&["--game", "3"], "--from"),
    ] {
        let output = play(arguments, &[]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let found = String::from_utf8_lossy(&output.stderr);
        assert!(found.contains(message), "{arguments:?}: {found}");
    }
    let missing = play(&["--from", "no-such-file"], &[]);
    assert_eq!(missing.status.code(), Some(1));
}
