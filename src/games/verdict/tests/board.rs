//! Invalid answers: wrong players or turn numbers, games that are over, invalid positions.

use super::*;
use crate::rules::Card;

#[test]
fn the_frame_of_the_board() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10",
        &[
            (
                "00000/01230/00100/00000/00000 b5d5 b3d4 11",
                "legal: b4-b3+c3",
            ),
            (
                "00000/01230/00100/00000/00000 b5d5 b3d4 10",
                "\"turn\" must be 11, one more than before, and not 10",
            ),
            ("00000/01230/00100/00000/00000 b5d5 b3d4 12", "and not 12"),
            (
                "00000/01230/00100/00000/00000 b3d4 b5d5 11",
                "the players are not swapped",
            ),
            (
                "00000/01230/00100/00000/00000 b3d4 b5d5 10",
                "the players are not swapped",
            ),
            (
                "00000/01230/00000/00000/00000 b4d4 b5d5 10",
                "no turn was made",
            ),
            (
                "00000/01230/00000/00000/00000 b5d5 b4d4 11",
                "no turn was made",
            ),
            (
                "00000/01230/00100/00000/00000 b5d5 b3d4 11 Pan Atlas",
                "the players must change places and keep their cards: this game has no cards",
            ),
        ],
    );
    let cards = "00000/01230/00000/00000/00000 b4d4 b5d5 10 Pan Atlas";
    check(
        cards,
        &[
            (
                "00000/01230/00100/00000/00000 b5d5 b3d4 11 Atlas Pan",
                "legal",
            ),
            (
                "00000/01230/00100/00000/00000 b5d5 b3d4 11 Pan Atlas",
                "not swapped",
            ),
            (
                "00000/01230/00100/00000/00000 b3d4 b5d5 11 Pan Atlas",
                "not swapped",
            ),
            (
                "00000/01230/00100/00000/00000 b5d5 b3d4 11 Atlas Apollo",
                "Atlas comes first, then Pan",
            ),
            (
                "00000/01230/00100/00000/00000 b5d5 b3d4 11",
                "Atlas comes first, then Pan",
            ),
        ],
    );
}

#[test]
fn rows_and_columns_that_are_swapped_are_noticed() {
    // b4-b3+c3 is legal.
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10",
        &[
            (
                "00000/01000/02100/03000/00000 b5d5 b3d4 11",
                "the tower on c2 (2,3) went down from level 2 to 0; towers only grow; rows and \
                 columns are swapped in \"spaces\"",
            ),
            (
                "00000/01230/00100/00000/00000 e2e4 c2d4 11",
                "; rows and columns are swapped in \"players\"",
            ),
            (
                "00000/01000/02100/03000/00000 e2e4 c2d4 11",
                "; rows and columns are swapped in \"players\" and \"spaces\"",
            ),
        ],
    );
    let other = verdict(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10",
        "00000/01000/02100/03000/00000 e2e4 c2d4 12",
    );
    assert!(!other.contains("swapped in"), "{other}");
}

#[test]
fn the_game_is_over() {
    check(
        "00000/01230/00000/00000/00000 d2d4 b5d5 10",
        &[(
            "00000/01230/00100/00000/00000 b5d5 d2c4 11",
            "a worker stands on level 3 on d2 (2,4)",
        )],
    );
    check(
        "04000/44000/00000/00044/00040 a1e5 c3d3 10",
        &[(
            "04000/40100/00000/00044/00040 c3d3 b2e5 11",
            "the player to move has no legal turn",
        )],
    );
}

/// Boards that are not positions: only JSON can express them.
#[test]
fn invalid_positions() {
    let before: Position<5> = "00040/01230/00000/00000/00000 c2d4 b5d5 10"
        .parse()
        .unwrap();
    let with = |levels: &str, first: &str, second: &str| {
        let text = format!("{{\"players\":[{first},{second}],\"spaces\":{levels},\"turn\":11}}");
        let error = judge(&before, &serde_json::from_str(&text).unwrap()).unwrap_err();
        error.to_string()
    };
    let levels = "[[0,0,0,4,0],[0,1,2,3,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]";
    let other = "[[5,2],[5,4]]";
    for (levels, first, second, words) in [
        (
            levels,
            other,
            "[[1,4],[4,4]]",
            "a worker cannot move onto d1 (1,4), whose tower is capped",
        ),
        (
            "[[0,0,0,4,0],[0,1,2,3,0],[0,0,0,0,0],[0,0,0,0,0],[0,4,0,0,0]]",
            other,
            "[[2,2],[4,4]]",
            "no dome can be built on b5 (5,2), where a worker stands",
        ),
        (
            levels,
            other,
            "[[2,3],[5,4]]",
            "a worker cannot move onto d5 (5,4), where the opponent's worker stands",
        ),
        (
            levels,
            other,
            "[[4,4],[4,4]]",
            "two workers stand on space d4 (4,4)",
        ),
        (
            "[[0,0,0,4,0],[0,1,2,3,0],[0,0,0,0,0],[0,0,0,0,0],[0,5,0,0,0]]",
            other,
            "[[2,2],[4,4]]",
            "spaces, row 5, column 2: expected a level from 0 to 4, found 5",
        ),
        (levels, other, "[[2,2]]", "players[1]"),
    ] {
        let said = with(levels, first, second);
        assert!(said.contains(words), "{said}");
    }
    let [stays, shares] = [[[3, 3], [5, 5]], [[5, 5], [5, 5]]];
    for (card, pushed, words) in [
        (Card::Apollo, stays, "change places"),
        (Card::Minotaur, stays, "push it on"),
        (
            Card::Minotaur,
            shares,
            "two workers stand on space e5 (5,5)",
        ),
    ] {
        let before = Position::<5>::start(
            [
                [Square::new(0), Square::new(6)],
                [Square::new(12), Square::new(24)],
            ],
            [Some(card), Some(Card::Pan)],
        );
        let board = serde_json::json!({
            "players": [
                {"card": "Pan", "tokens": pushed},
                {"card": card, "tokens": [[1, 1], [3, 3]]},
            ],
            "spaces": vec![[0; 5]; 5],
            "turn": 1,
        });
        let said = judge(&before.unwrap(), &board).unwrap_err().to_string();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn the_larger_board() {
    let before: Position<6> = "000000/000000/000000/000000/000000/000000 f6a1 b2c3 0"
        .parse()
        .unwrap();
    let after: Position<6> = "000002/000000/000000/000000/000000/000000 b2c3 f5a1 1"
        .parse()
        .unwrap();
    let error = judge(&before, &write_board(&after)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tower on f1 (1,6) grew from level 0 to 2; a turn builds one level on one space"
    );
}
