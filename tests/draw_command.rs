//! Tests of `santorini draw`.

use std::process::Output;

use crate::browser::Browser;
use crate::program::{errors, run, success};

const GAMES: &str = "tests/data/card-games.jsonl";
const BOARD: &str = r#"{"players":[[[2,3],[4,4]],[[2,5],[3,5]]],
 "spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]],"turn":18}"#;
const NEXT: &str = r#"{"players":[[[2,5],[3,5]],[[3,3],[4,4]]],
 "spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,4,0,0],[0,0,0,1,4]],"turn":19}"#;

const RECORD: &str = r#"{"game":7,"players":["ann","bob"],"start":{"players":[[[2,3],[4,4]],[[2,5],[3,5]]],
  "spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]],"turn":18},
  "turns":["c2-c3+c4"],"seconds":[0.1],"winner":0,"ending":"crashed","why":"bob: exit code 3"}"#;

fn draw(arguments: &[&str], input: &str) -> Output {
    run(&[&["draw"], arguments].concat(), input)
}

fn drawn(arguments: &[&str], input: &str) -> String {
    success(&draw(arguments, input))
}

/// The error message of a command that must fail.
fn refused(arguments: &[&str], input: &str) -> String {
    let output = draw(arguments, input);
    assert_eq!(output.status.code(), Some(2));
    errors(&output)
}

fn headlines(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("turn "))
        .collect()
}

#[test]
fn piped_boards_are_ascii_and_the_turn_between_is_found() {
    let text = drawn(&[], &format!("[[[2,3],[4,3]]]{BOARD}{NEXT}"));
    assert!(text.is_ascii());
    assert_eq!(
        headlines(&text),
        [
            "turn 18: X to move",
            "turn 19: O to move; X played c2-c3+c4"
        ]
    );
    assert!(text.contains(" 4 |      |      |(4)+  |   X  |      |"));
}

#[test]
fn styles_can_be_chosen() {
    assert!(drawn(&["--style", "unicode"], BOARD).contains("│▒2▒●▒▒│"));
    assert!(drawn(&["--style", "colour"], BOARD).contains("\u{1b}["));
    let small = drawn(&["--style", "colour"], BOARD).lines().count();
    assert_eq!(
        drawn(&["--style", "large"], BOARD).lines().count(),
        small + 10
    );
    assert_eq!(drawn(&["--ascii"], BOARD), drawn(&[], BOARD));
}

#[test]
fn games_and_turns_can_be_chosen() {
    let all = drawn(&[GAMES, "--game", "157"], "");
    assert_eq!(headlines(&all).len(), 45);
    assert!(all.starts_with("game 157\nturn 0: X to move\nX first player (Minotaur)"));
    let some = drawn(&[GAMES, "--game", "157", "--turn", "37-39"], "");
    assert_eq!(
        headlines(&some),
        [
            "turn 37: O to move; X played d4-d5+c5",
            "turn 38: X to move; O played c4-d4+c5",
            "turn 39: O to move; no legal turn leads here",
        ]
    );
    let last = drawn(&[GAMES, "--game", "157", "--turn", "last"], "");
    assert_eq!(headlines(&last), ["turn 44: O wins; O played d4-e3#"]);
    let ends = drawn(&[GAMES, "--turn", "last"], "");
    assert_eq!(headlines(&ends).len(), 282);
}

#[test]
fn a_record_shows_the_players_and_the_ending() {
    let text = drawn(&[], RECORD);
    assert!(text.starts_with("game 8\n"));
    assert!(text.contains("X ann, O bob\n"));
    let end = "turn 19: O to move; X played c2-c3+c4; ann wins, crashed: bob: exit code 3";
    assert_eq!(headlines(&text)[1], end);
    let illegal = RECORD.replace("c2-c3+c4", "c2-c4+c3");
    let message = refused(&[], &illegal);
    assert!(
        message.contains("standard input: line 1, column 1: game 8: turn 0: c2-c4+c3 is not legal"),
        "{message}"
    );
}

#[test]
fn boards_of_6x6_are_drawn() {
    let rows = ["[0,0,0,0,0,0]"; 6].join(",");
    let board =
        format!(r#"{{"players":[[[1,1],[6,6]],[[3,3],[4,4]]],"spaces":[{rows}],"turn":0}}"#);
    let text = drawn(&[], &board);
    assert!(text.contains(" 6 |      |      |      |      |      |   X  |"));
    let svg = drawn(&["--svg", "-"], &board);
    assert_eq!(svg.matches("href=\"#sn-grass").count(), 36);
}

#[test]
fn one_board_is_a_picture_and_a_game_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    let file = file.to_str().unwrap();
    assert_eq!(drawn(&["--svg", file], BOARD), "");
    let picture = std::fs::read_to_string(file).unwrap();
    assert_eq!(picture.matches("class=\"sn-board\"").count(), 1);
    drawn(&[GAMES, "--game", "5", "--svg", file], "");
    let sheet = std::fs::read_to_string(file).unwrap();
    let boards = headlines(&drawn(&[GAMES, "--game", "5"], "")).len();
    assert!(boards > 5);
    assert_eq!(sheet.matches("class=\"sn-board\"").count(), boards);
    let many = refused(&[GAMES, "--svg", file], "");
    assert!(
        many.contains("more than one game; choose one with --game N"),
        "{many}"
    );
    let unwritable = draw(&["--svg", "/nonexistent/picture.svg"], BOARD);
    assert_eq!(unwritable.status.code(), Some(1));
    assert!(errors(&unwritable).contains("/nonexistent/picture.svg: "));
}

#[test]
fn pictures_can_be_flat_and_have_the_columns_of_the_json() {
    let picture = drawn(&["--svg", "-"], BOARD);
    assert!(picture.contains("#sn-grass") && !picture.contains("#sn-flat-grass"));
    assert!(!picture.contains("<tspan"));
    let flat = drawn(&["--svg", "-", "--flat", "--json-columns"], BOARD);
    assert!(flat.contains("#sn-flat-grass") && !flat.contains("#sn-grass"));
    assert_eq!(flat.matches("<tspan").count(), 5);
    let page = drawn(&["--html", "-", "--flat"], BOARD);
    let flag = "<div id=\"game\" data-flat>";
    assert!(page.contains(flag));
    assert!(!drawn(&["--html", "-"], BOARD).contains(flag));
    // Text is flat anyway.
    let message = refused(&["--flat"], BOARD);
    assert!(message.contains("--svg"), "{message}");
}

#[test]
fn games_become_a_page_that_needs_nothing_else() {
    let page = drawn(&[GAMES, "--turn", "0-40", "--html", "-"], "");
    assert_eq!(page.matches("<script").count(), 3);
    assert!(!page.contains("src="), "nothing is loaded");
    let data = |page: &str| -> serde_json::Value {
        let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
        let end = start + page[start..].find("</script>").unwrap();
        serde_json::from_str(&page[start..end]).unwrap()
    };
    let games = data(&page);
    assert_eq!(games.as_array().unwrap().len(), 282);
    let game = &games[156];
    assert_eq!(
        game["title"],
        "157: first player (Minotaur) - second player (Atlas)"
    );
    assert_eq!(game["scenes"].as_array().unwrap().len(), 41);
    assert_eq!(game["scenes"][38]["played"], "c4-d4+c5");
    let last = serde_json::json!({"path": [[3, 2], [3, 3]], "built": [[4, 2]], "displaced": null});
    assert_eq!(game["scenes"][38]["last"], last);
    let caption = "turn 39: second player to move; no legal turn leads here";
    assert_eq!(game["scenes"][39]["caption"], caption);

    let record = RECORD.replace("ann", "</script><script>");
    let page = drawn(&["--html", "-"], &record);
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(data(&page)[0]["names"][0], "</script><script>");
}

#[test]
fn a_page_of_games_opens_at_its_top_and_has_names() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.html");
    drawn(
        &[GAMES, "--turn", "0-2", "--html", file.to_str().unwrap()],
        "",
    );
    browser.resize(640, 400);
    browser.open(&format!("file://{}", file.display()));
    browser.wait_for("document.activeElement.className === 'sn-replay'");
    let ring = "getComputedStyle(document.activeElement).outlineStyle";
    browser.see(ring, "none");
    browser.key("ArrowRight");
    browser.see(ring, "solid");
    browser.see("document.querySelector('.sn-now').textContent[0]", "1");
    // Long names do not make the page wider.
    browser.evaluate(
        "document.querySelectorAll('h1, .sn-players span, .sn-caption').forEach(name => {
           name.textContent = 'x'.repeat(99); })",
    );
    browser.see("document.documentElement.scrollWidth", 640);
    browser.see("scrollY", 0);
    browser.see("document.querySelectorAll('h1').length", 1);
    browser.see(
        "document.querySelector('.sn-replay svg').getAttribute('aria-label')",
        "Board",
    );
    assert_eq!(browser.complaints(), [""; 0], "errors in the page");
}

#[test]
fn bad_input_is_named_with_its_position() {
    let seven = BOARD.replace("[1,1,2,0,0]", "[1,7,2,0,0]");
    for (input, message) in [
        (
            format!("{BOARD}\n  {seven}"),
            "standard input: line 3, column 3: spaces, row 2, column 2: expected a level from 0 to 4, found 7",
        ),
        (
            "{\"turn\":1}".into(),
            "expected a board, a list of boards, {\"boards\":[…]}, a game record or a set-up array, found {\"turn\":1}",
        ),
        ("[1,2,3]".into(), "found [1,2,3]"),
        ("board".into(), "standard input: line 1, column 1: not JSON"),
        (
            BOARD[..100].into(),
            "not JSON: the input ends inside a value",
        ),
        (
            format!("[{BOARD},[]]"),
            "board 2 of the list: the value: expected a board",
        ),
        (
            "{\"spaces\":[[0]],\"players\":[],\"turn\":0}".into(),
            "a board of 1 rows; boards have 5 or 6",
        ),
        (
            "{\"turns\":[],\"start\":null}".into(),
            "not a game record: missing field",
        ),
        (String::new(), "standard input: there is no board to draw"),
        ("[]".into(), "there is no board to draw"),
    ] {
        let found = refused(&[], &input);
        assert!(found.contains(message), "{input}\ngives: {found}");
    }
    let turns = refused(&[GAMES, "--game", "157", "--turn", "90"], "");
    let there = "game 157: no board of turn 90; the boards are of turns 0 to 44";
    assert!(turns.contains(there), "{turns}");
    let missing = draw(&["no-such-file.json"], "");
    assert_eq!(missing.status.code(), Some(1));
    assert!(errors(&missing).contains("no-such-file.json: "));
    for turns in ["5-3", "x", "", "1-2-3"] {
        assert!(
            refused(&["--turn", turns], BOARD).contains("--turn"),
            "{turns}"
        );
    }
}
