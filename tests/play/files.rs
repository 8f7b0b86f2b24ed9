//! Recorded and saved games.

use std::fs;

use super::{GAMES, boards, contains, play, said};
use crate::place::fake;
use crate::program::{Program, SANTORINI, errors, run, santorini};

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
    let svg = fs::read_to_string(&picture).unwrap();
    assert_eq!(svg.matches("class=\"sn-board\"").count(), 3);

    // Boards of another game are replaced only on request.
    let before = fs::read_to_string(&boards_file).unwrap();
    let forced = format!("save --force \"{boards_file}\"");
    let lines = ["b2 d4", "d2 b4", "b2-b3+b2", "undo", &saves[0]];
    let text = said(&["--against", "nobody"], &lines);
    contains(
        &text,
        &[&format!("{boards_file} exists; name another file")],
    );
    assert_eq!(fs::read_to_string(&boards_file).unwrap(), before);
    let text = said(
        &["--against", "nobody"],
        &[&lines[..4], &[&forced, "b2-b3+b2", &saves[0]]].concat(),
    );
    let written = text.matches("wrote ").count();
    contains(&text, &["wrote 1 board to", "wrote 2 boards to"]);
    assert_eq!(written, 2, "{text}");
}

#[test]
fn a_saved_game_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json").display().to_string();
    let arguments = [
        "--keep", &file, "--level", "1", "--seed", "4", "--second", "--size", "6",
    ];
    // The boards and the saved game show the new level.
    let begun = said(&arguments, &["a1 f6", "undo", "level 2", "show"]);
    contains(&begun, &["X level 1, O you", "X level 2, O you"]);
    let record = fs::read_to_string(&file).unwrap();
    contains(&record, &[r#""players":["level 2","you"]"#]);
    contains(
        &begun,
        &[
            "the game is saved in ",
            "; resume it with: ",
            &format!(" play --resume --keep {file}"),
        ],
    );
    let resumed = said(&["--resume", "--keep", &file], &["list"]);
    contains(&resumed, &["X level 2, O you"]);
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
        let found = errors(&output);
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
    let two = fs::read_to_string(&file).unwrap().repeat(2);
    fs::write(&games, &two).unwrap();
    wrong(&["--keep", games.to_str().unwrap()], "games.jsonl exists");
    assert_eq!(fs::read_to_string(&games).unwrap(), two);
    // To resume a game against a program, name the program again.
    let against = fs::read_to_string(&file).unwrap();
    fs::write(&file, against.replace("\"engine\"", "\"program\"")).unwrap();
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
    let error = errors(&refused);
    assert!(
        error.contains("must differ") && !error.contains("not finished"),
        "{error}"
    );
}

#[test]
fn a_saved_game_is_resumed_with_another_opponent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json").display().to_string();
    let kept = || fs::read_to_string(&file).unwrap();
    let keep = ["--keep", &file];
    let resume = |arguments: &[&str], requests: &[&str]| {
        said(&[&["--resume"], &keep[..], arguments].concat(), requests)
    };
    let begun = ["--level", "1", "--seed", "4"];
    said(&[&keep[..], &begun].concat(), &["b2 d4", "b2-a2+a1"]);
    assert!(kept().contains("\"level\":1"), "{}", kept());
    // It can be drawn as the first game of the file.
    let drawn = run(&["draw", "--game", "1", "--turn", "0", &file], "");
    assert!(drawn.status.success());
    assert!(!drawn.stdout.is_empty());

    // Only the built-in player has a level.
    let program = fake("Bob", "random");
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
fn a_new_game_keeps_the_unfinished_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (kept, first, second) = (file("game"), file("game.1"), file("game.2"));
    let play = |requests: &[&str]| {
        let arguments = ["--against", "nobody", "--keep", &kept];
        said(&arguments, requests)
    };
    play(&["b2 d4", "d2 b4"]);
    let text = play(&["b2 d4", "d2 b4", "b2-b3+b2"]);
    assert!(!text.contains("is kept"), "no turn was played: {text}");
    let begun = fs::read_to_string(&kept).unwrap();
    // A game is only replaced when the next one begins.
    play(&["quit"]);
    assert_eq!(fs::read_to_string(&kept).unwrap(), begun);
    let text = play(&["b2 d4", "d2 b4", "b2-a2+a1"]);
    contains(&text, &[&format!(" play --resume --keep {first}\n")]);
    assert_eq!(fs::read_to_string(&first).unwrap(), begun);
    play(&["b2 d4", "d2 b4"]);
    assert_eq!(fs::read_to_string(&first).unwrap(), begun);
    let resumed = said(&["--resume", "--keep", &second], &["list"]);
    contains(&resumed, &["X b2-a2+a1"]);
}

#[test]
fn two_games_at_once_are_both_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (kept, moved) = (file("game"), file("game.1"));
    let begin = || {
        let arguments = ["play", "--against", "nobody", "--keep", &kept];
        Program::start(santorini(&arguments))
    };
    let until = |program: &Program, text: &str| loop {
        let line = program.line();
        if line.contains(text) {
            break line;
        }
    };
    let listed = |file: &str| said(&["--resume", "--keep", file], &["list"]);
    let [mut first, mut second] = [begin(), begin()];
    first.send(b"b2 d4\nd2 b4\nb2-b3+b2\n");
    until(&first, "X played b2-b3+b2");
    second.send(b"a1 a2\ne4 e5\na1-b1+a1\n");
    until(&second, "is kept; resume it with");
    until(&second, "X played a1-b1+a1");
    // The first game continues in the file to which the second moved it.
    first.send(b"d2-d3+d2\n");
    let told = until(&first, "another game is saved in");
    assert!(told.ends_with(&format!("saved in {moved}")), "{told}");
    second.send(b"e4-d4+e4\n");
    until(&second, "O played e4-d4+e4");
    for (game, file) in [(first, &moved), (second, &kept)] {
        let ended = game.end().output.join("\n");
        contains(&ended, &[&format!("the game is saved in {file};")]);
    }
    contains(&listed(&moved), &["X b2-b3+b2", "O d2-d3+d2"]);
    contains(&listed(&kept), &["X a1-b1+a1", "O e4-d4+e4"]);

    // A game that another one has replaced is still there when it ends.
    let mut third = begin();
    third.send(b"b2 d4\nd2 b4\nb2-b3+b2\n");
    until(&third, "X played b2-b3+b2");
    said(
        &["--against", "nobody", "--keep", &kept],
        &["a1 a2", "e4 e5"],
    );
    let ended = third.end().output.join("\n");
    let other = file("game.3");
    contains(&ended, &[&format!("the game is saved in {other};")]);
    contains(&listed(&other), &["X b2-b3+b2"]);
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
