//! Players that lose by a fault, and the messages.

use std::fs;

use super::{fake, loses, referee};
use crate::program::write_program;

#[test]
fn a_program_that_cannot_start_loses() {
    loses(
        &[],
        "/nowhere/player",
        "cannot start Ada: /nowhere/player does not exist",
    );
    loses(&[], "/etc", "cannot start Ada: /etc is a folder");
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, "exit 0\n").unwrap();
    let path = script.to_str().unwrap();
    loses(&[], path, "is not executable; run chmod +x");
    write_program(&script, "exit 0\n");
    loses(&[], path, "a script needs a first line such as #!");
    write_program(&script, "#!/nowhere/python\n");
    loses(&[], path, "the interpreter");
    write_program(&script, "#!/usr/bin/env sh\r\n");
    let windows = "exit code 127; its first line ends like on Windows (CR LF); end it with LF";
    loses(&[], path, windows);
    write_program(&script, "#!/usr/bin/env nosuch\n");
    let game = referee(&[], path, &fake("random"));
    assert!(
        !game.commentary.contains("it ran in the folder"),
        "{}",
        game.commentary
    );
}

#[test]
fn there_is_no_winner_if_no_program_can_start() {
    let game = referee(&[], "/nowhere/a", "/nowhere/b");
    assert_eq!(game.code, Some(1));
    assert_eq!(
        game.last_line(),
        "Error: cannot start Ada: /nowhere/a does not exist; \
         cannot start Bob: /nowhere/b does not exist"
    );
}

#[test]
fn a_process_that_exits_has_crashed() {
    loses(
        &[],
        &fake("exit"),
        "Error: Ada exited without an answer: exit code 0",
    );
    loses(
        &[],
        &fake("crash"),
        "Error: Ada exited without an answer: exit code 3",
    );
    loses(&[], &fake("crash --after 4"), "exit code 3");
    loses(
        &[],
        &fake("crash"),
        "standard error   fake player: crashing on purpose",
    );
    loses(&[], &fake("abort"), "killed by signal 6 (SIGABRT)");
    loses(
        &[],
        &fake("orphan"),
        "Error: Ada exited without an answer: exit code 0",
    );
    loses(&[], "/bin/false", "exit code 1");
}

#[test]
fn a_process_that_closes_its_output_has_not_crashed() {
    loses(
        &[],
        &fake("close-output"),
        "Error: Ada closed its standard output",
    );
}

#[test]
fn invalid_json_is_named() {
    let not_json = "Error: the answer of Ada is not one JSON array or object: ";
    loses(&[], &fake("garbage"), not_json);
    loses(
        &[],
        &fake("garbage"),
        "it wrote         \"I move to the left and build to the right\"",
    );
    loses(&[], &fake("flood"), not_json);
    loses(&[], &fake("huge"), not_json);
}

#[test]
fn unasked_output_is_shown_with_the_last_question() {
    let random = fake("random");
    for (first, second, said) in [
        (
            &*fake("extra"),
            &*random,
            [
                "Ada is not one JSON array or object: it wrote more than its answer",
                "it was asked     []\n",
                "]]]\\nMy best turn yet!\"",
            ],
        ),
        // While the first player is thinking.
        (
            &fake("late --seconds 0.5"),
            "sh -c 'echo hello; sleep 100'",
            [
                "Bob is not one JSON array or object: it wrote output before the first question",
                "it was asked     nothing yet\n",
                "it wrote         \"hello\"",
            ],
        ),
    ] {
        let game = referee(&[], first, second);
        for said in said {
            assert!(
                game.commentary.contains(said),
                "{said}: {}",
                game.commentary
            );
        }
        assert_eq!(game.code, Some(0));
    }
}

#[test]
fn illegal_turns_lose() {
    loses(&[], &fake("illegal --after 1"), "Bad move by Ada: ");
    let won_by_c3 = "{\"players\":[[[2,3],[5,5]],[[1,1],[1,2]]],\"spaces\":[[0,0,0,0,0],\
[0,0,2,0,0],[0,0,3,0,0],[0,0,0,0,0],[0,0,0,0,0]],\"turn\":8}";
    loses(
        &["--start", won_by_c3],
        &fake("build-after-win"),
        "Bad move by Ada: ",
    );
    let game = referee(
        &["--start", won_by_c3],
        &fake("random --wins"),
        &fake("random"),
    );
    assert_eq!(game.last_line(), "Win by Ada");
    assert_eq!(game.boards.len(), 2);
}

#[test]
fn illegal_placements_lose() {
    for (answer, words) in [
        ("[]", "no workers are placed"),
        ("[[[1,1],[1,1]]]", "two workers stand on space a1 (1,1)"),
        ("[[[1,1],[1,6]]]", "each from 1 to 5"),
        ("{}", "a set-up array"),
        (
            "[{\"card\":\"Pan\"},{\"card\":\"Atlas\",\"tokens\":[[1,1],[2,2]]}]",
            "the answer has cards, but none are played",
        ),
    ] {
        is_wrong(&[], answer, words);
    }
}

#[test]
fn a_placement_without_cards_is_told_their_form() {
    let cards = ["--cards", "Pan", "Atlas"];
    let form = r#"[{"card":"Atlas"},{"card":"Pan","tokens":[[row,column],[row,column]]}]"#;
    is_wrong(&cards, "[[[3,1],[1,2]]]", &format!("has the form {form}"));
    is_wrong(&cards, "[[[3,1],[1,2]]]", "it has no cards; the answer to ");
    let swapped = r#"[{"card":"Pan"},{"card":"Atlas","tokens":[[1,1],[2,2]]}]"#;
    is_wrong(&cards, swapped, "must be swapped and keep their cards");
}

/// Checks that Ada loses with this message if she answers the first question so.
fn is_wrong(options: &[&str], answer: &str, words: &str) {
    let command = format!("sh -c 'read x; echo '\"'\"'{answer}'\"'\"'; sleep 100'");
    let game = referee(options, &command, &fake("random"));
    assert!(
        game.commentary.contains("the placement is wrong: ") && game.commentary.contains(words),
        "{answer}: {}",
        game.commentary
    );
}
