//! Placements, turns, undo, wrong requests and advice.

use super::{GAMES, boards, contains, play, said};
use crate::program::errors;

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
fn a_placement_can_be_taken_back() {
    let text = said(
        &["--against", "nobody"],
        &[
            "undo", "save x", "  ", "b2 d4", "undo", "a1 a2", "D2 B4", "A1-B1+A1", "undo", "json",
        ],
    );
    contains(
        &text,
        &[
            "you have no placement to take back",
            "\"save x\" is not possible yet",
            "O to move; X played a1-b1+a1",
            "[[[1,1],[2,1]],[[2,4],[4,2]]]",
        ],
    );
    assert_eq!(text.matches("is not possible yet").count(), 1, "{text}");
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
            "Stepping up from level 2 to level 3 wins",
            "This game has no cards",
            "level 2 places its workers on",
            "there is no turn to judge",
            "best turn: ",
            "% chance of winning)\nexpected line: ",
            "The chance of winning for X you, by",
            "lost/turn",
            "Pan\n  You also win",
            "the opponent now plays at level 4",
            "\"100\" is not a level; levels run from 1 (beginner) to 18 (full strength)",
        ],
    );
    let refused = play(&["--level", "2", "--against", "nobody"], &[]);
    assert_eq!(refused.status.code(), Some(2));
    let nobody = said(&["--against", "nobody"], &["b2 d4", "d2 b4", "level 3"]);
    contains(&nobody, &["only the built-in player has levels"]);
}

#[test]
fn a_review_judges_the_whole_game_from_any_board() {
    let text = said(
        &["--against", "nobody"],
        &[
            "b2 d4", "d2 b4", "b2-b3+b2", "json", "start", "json", "review",
        ],
    );
    contains(&text, &["turn    played", "   1  X b2-b3+b2 "]);

    // The last board does not follow: its levels are gone.
    let boards: Vec<&str> = text.lines().filter(|it| it.starts_with('{')).collect();
    let [second, first] = boards.try_into().unwrap();
    let third = first.replace("\"turn\":0", "\"turn\":2");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, [first, second, &third].join("\n")).unwrap();
    let text = said(&["--from", file.path().to_str().unwrap()], &["review"]);
    contains(
        &text,
        &[
            "no legal turn leads to the board of turn 2; only the turns before it are judged",
            "   1  X b2-b3+b2 ",
        ],
    );
}

#[test]
fn names_of_cards_may_have_any_case() {
    let text = said(
        &["--against", "nobody", "--cards", "pan", "ATLAS"],
        &["cards"],
    );
    contains(&text, &["who has Pan", "Atlas\n"]);
}

#[test]
fn usage_errors_are_refused() {
    for (arguments, message) in [
        (
            &["--cards", "Pan", "Pan"][..],
            "--cards Pan Pan: both players have the card Pan; their cards must differ",
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
        let found = errors(&output);
        assert!(found.contains(message), "{arguments:?}: {found}");
    }
    let missing = play(&["--from", "no-such-file"], &[]);
    assert_eq!(missing.status.code(), Some(1));
}

#[test]
fn control_characters_in_requests_are_escaped() {
    let lines = ["next \x1b[2J", "b2 d4", "b3 d3", "save no/\x1b[2J", "quit"];
    let text = said(&["--against", "nobody"], &lines);
    assert!(!text.contains('\x1b'), "{text:?}");
    contains(&text, &[r"next \u{1b}[2J: expected", r"no/\u{1b}[2J: "]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("\x1b[2J");
    let keep = ["--against", "nobody", "--keep", file.to_str().unwrap()];
    let text = said(&keep, &["b2 d4", "b3 d3", "quit"]);
    assert!(!text.contains('\x1b'), "{text:?}");
    contains(&text, &["play --resume --keep ", r"\u{1b}[2J"]);
}
