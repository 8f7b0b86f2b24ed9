//! The words for every broken rule; and that exactly the boards that the
//! rules module refuses break one.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::protocol::exchange::write_board;
use crate::rules::{Card, Cards, Geometry};

/// The verdict on a board after another, both in the notation of positions.
fn verdict(before: &str, after: &str) -> String {
    let read = |text: &str| -> Position<5> {
        text.parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    match judge(&read(before), &write_board(&read(after))) {
        Ok((turn, _)) => format!("legal: {}", turn.text::<5>()),
        Err(rule) => rule.to_string(),
    }
}

/// Checks boards that follow `before` against the words expected for them.
fn check(before: &str, table: &[(&str, &str)]) {
    for (after, words) in table {
        let verdict = verdict(before, after);
        assert!(verdict.contains(words), "{after}: {verdict}");
    }
}

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
                "the players must keep their cards and be swapped: this game has no cards",
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

#[test]
fn which_worker_moves() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10",
        &[
            (
                "00000/01230/00100/00000/00000 b5d5 b4d4 11",
                "no worker has moved; a turn must move one",
            ),
            (
                "00000/01230/00100/00000/00000 b5d5 b3d3 11",
                "both workers have moved, from b4 (4,2) and d4 (4,4) to b3 (3,2) and d3 (3,4); a turn moves one",
            ),
            (
                "00000/01230/00100/00000/00000 a5d5 b3d4 11",
                "the opponent's worker on b5 (5,2) was moved to a5 (5,1); a turn moves one of the player's own",
            ),
            (
                "00000/01230/00100/00000/00000 a5d5 b4d4 11",
                "the opponent's worker on b5 (5,2) was moved to a5 (5,1)",
            ),
            (
                "00000/01230/00100/00000/00000 a5e5 b3d4 11",
                "both of the opponent's workers were moved, from b5 (5,2) and d5 (5,4) to a5 (5,1) and e5 (5,5)",
            ),
        ],
    );
}

#[test]
fn where_it_moves() {
    check(
        "00000/01230/00200/00000/00000 b3d4 b5d5 10",
        &[
            (
                "00000/11230/00200/00000/00000 b5d5 b1d4 11",
                "the worker on b3 (3,2) cannot move to b1 (1,2): that is not one of the spaces around it",
            ),
            (
                "00000/01330/00200/00000/00000 b5d5 c3d4 11",
                "the worker on b3 (3,2) cannot step to",
            ),
            (
                "00000/11230/00200/00000/00000 b5d5 b2d4 11",
                "legal: b3-b2+a2",
            ),
        ],
    );
}

#[test]
fn what_it_builds() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10",
        &[
            (
                "00000/01230/00000/00001/00000 b5d5 b3d4 11",
                "e4 (4,5) was built on, which is not next to the worker that has moved to b3 (3,2)",
            ),
            (
                "00000/01230/00200/00000/00000 b5d5 b3d4 11",
                "the tower on c3 (3,3) grew from level 0 to 2; a turn builds one level on one space",
            ),
            (
                "00000/01230/10100/00000/00000 b5d5 b3d4 11",
                "a3 (3,1) and c3 (3,3) were built on; a turn builds one level",
            ),
            (
                "10000/01230/10100/00000/00000 b5d5 b3d4 11",
                "a1 (1,1), a3 (3,1) and c3 (3,3) were built on",
            ),
            (
                "00000/01230/00000/00000/00000 b5d5 b3d4 11",
                "nothing was built after the move to b3 (3,2), which does not win",
            ),
            (
                "00000/00230/00000/00000/00000 b5d5 b3d4 11",
                "the tower on b2 (2,2) went down from level 1 to 0; towers only grow",
            ),
            (
                "00000/01230/01000/00000/00000 b5d5 b3d4 11",
                "b3 (3,2) was built on, where the worker that has moved stands",
            ),
            (
                "00000/01230/00000/00010/00000 b5d5 b3d4 11",
                "d4 (4,4) was built on, where the player's other worker stands",
            ),
            (
                "00000/01230/00000/00000/00010 b5d5 c4d4 11",
                "d5 (5,4) was built on, where the opponent's worker stands",
            ),
        ],
    );
    check(
        "00000/01230/00000/00000/00000 c2d4 b5d5 10",
        &[
            (
                "00000/01230/00000/00000/00000 b5d5 d2d4 11",
                "legal: c2-d2#",
            ),
            (
                "00000/01330/00000/00000/00000 b5d5 d2d4 11",
                "c2 (2,3) was built on after a win: the move up to level 3 on d2 (2,4) wins, and the turn ends there",
            ),
        ],
    );
}

/// Boards that are no positions: they can only be written in JSON.
#[test]
fn what_is_no_position() {
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
            "a worker was moved onto d1 (1,4), whose tower is capped",
        ),
        (
            "[[0,0,0,4,0],[0,1,2,3,0],[0,0,0,0,0],[0,0,0,0,0],[0,4,0,0,0]]",
            other,
            "[[2,2],[4,4]]",
            "a dome was built on b5 (5,2), where a worker stands",
        ),
        (
            levels,
            other,
            "[[2,3],[5,4]]",
            "a worker was moved onto d5 (5,4), where the opponent's worker stands",
        ),
        (
            levels,
            other,
            "[[4,4],[4,4]]",
            "two workers stand on d4 (4,4)",
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
    for (card, words) in [
        (Card::Apollo, "change places"),
        (Card::Minotaur, "push it on"),
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
                {"card": "Pan", "tokens": [[3, 3], [5, 5]]},
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
fn apollo() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10 Apollo Pan",
        &[
            (
                "00000/01230/00000/10000/00000 b4d5 b5d4 11 Pan Apollo",
                "legal: b4xb5+a4",
            ),
            (
                "00000/01230/00000/10000/00000 b3d5 b5d4 11 Pan Apollo",
                "Apollo's worker from b4 (4,2) must change places with the worker on b5 (5,2), but that one is on b3 (3,2) now",
            ),
            (
                "00000/01230/00000/10000/00000 a5d5 b3d4 11 Pan Apollo",
                "b5 (5,2) was moved to a5 (5,1); Apollo moves only one that it changes places with",
            ),
            (
                "00000/01230/00000/01000/00000 b4d5 b5d4 11 Pan Apollo",
                "b4 (4,2) was built on, where the opponent's worker that was exchanged stands",
            ),
        ],
    );
    check(
        "00000/01230/00000/00000/02000 b4d4 b5d5 10 Apollo Pan",
        &[(
            "00000/01230/00000/10000/02000 b4d5 b5d4 11 Pan Apollo",
            "the worker on b4 (4,2) cannot step to",
        )],
    );
}

#[test]
fn artemis() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10 Artemis Pan",
        &[
            (
                "00000/11230/00000/00000/00000 b5d5 b2d4 11 Pan Artemis",
                "legal: b4-",
            ),
            (
                "00000/11230/00000/00000/00000 b5d5 b4d4 11 Pan Artemis",
                "Artemis's second move may not lead back",
            ),
            (
                "10000/01230/00000/00000/00000 b5d5 b1d4 11 Pan Artemis",
                "cannot get to b1 (1,2) in two moves: that is too far",
            ),
            (
                "00000/11230/00000/00000/00000 b5d5 b2c4 11 Pan Artemis",
                "both workers have moved",
            ),
        ],
    );
    check(
        "00000/03300/02400/00200/00000 b4b5 c4d5 10 Artemis Pan",
        &[(
            "00000/03300/02400/01200/00000 c4d5 b5d3 11 Pan Artemis",
            "the worker on b4 (4,2) cannot get to d3 (3,4) in two moves: over c3 (3,3) the tower there is capped; \
             over c4 (4,3) a worker stands there",
        )],
    );
    check(
        "00000/00000/02000/00000/00000 b4d5 d1e5 10 Artemis Pan",
        &[(
            "00000/01000/02000/00000/00000 d1e5 b3d5 11 Pan Artemis",
            "directly its first move would climb from level 0 to 2; over a3 (3,1) its second move \
             would climb from level 0 to 2",
        )],
    );
    check(
        "00000/03000/02000/00000/00000 b3d5 d1e5 10 Artemis Pan",
        &[
            (
                "00000/03000/02000/00000/00000 d1e5 b2d5 11 Pan Artemis",
                "legal: b3-b2#",
            ),
            (
                "00000/13000/02000/00000/00000 d1e5 b2d5 11 Pan Artemis",
                "a2 (2,1) was built on after a win: the move up to level 3 on b2 (2,2) wins",
            ),
            (
                "10000/03000/02000/00000/00000 d1e5 b1d5 11 Pan Artemis",
                "legal",
            ),
        ],
    );
}

#[test]
fn atlas() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10 Atlas Pan",
        &[
            (
                "00000/01230/00400/00000/00000 b5d5 b3d4 11 Pan Atlas",
                "legal: b4-b3^c3",
            ),
            (
                "00000/01230/00200/00000/00000 b5d5 b3d4 11 Pan Atlas",
                "grew from level 0 to 2; Atlas builds one level, or a dome (level 4), on one space",
            ),
            (
                "00000/01230/10400/00000/00000 b5d5 b3d4 11 Pan Atlas",
                "a3 (3,1) and c3 (3,3) were built on; Atlas builds",
            ),
        ],
    );
}

#[test]
fn demeter() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10 Demeter Pan",
        &[
            (
                "00000/01230/10100/00000/00000 b5d5 b3d4 11 Pan Demeter",
                "legal: b4-b3+a3+c3",
            ),
            (
                "00000/01230/00200/00000/00000 b5d5 b3d4 11 Pan Demeter",
                "grew from level 0 to 2; Demeter builds one level, or one each on two spaces",
            ),
            (
                "00000/11230/10100/00000/00000 b5d5 b3d4 11 Pan Demeter",
                "a2 (2,1), a3 (3,1) and c3 (3,3) were built on; Demeter",
            ),
            (
                "00000/01230/00101/00000/00000 b5d5 b3d4 11 Pan Demeter",
                "e3 (3,5) was built on, which is not next to",
            ),
        ],
    );
}

#[test]
fn hephastus() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10 Hephastus Pan",
        &[
            (
                "00000/01230/00200/00000/00000 b5d5 b3d4 11 Pan Hephastus",
                "legal: b4-b3+c3+c3",
            ),
            (
                "00000/01230/10100/00000/00000 b5d5 b3d4 11 Pan Hephastus",
                "a3 (3,1) and c3 (3,3) were built on; Hephastus",
            ),
            (
                "00000/01430/00000/00000/00000 b5d5 b3d4 11 Pan Hephastus",
                "the tower on c2 (2,3) grew from level 2 to 4; Hephastus builds one level, or two on the same \
                 space, the second not a dome",
            ),
            (
                "00000/01230/00300/00000/00000 b5d5 b3d4 11 Pan Hephastus",
                "grew from level 0 to 3",
            ),
        ],
    );
}

#[test]
fn minotaur() {
    let before = "40000/00000/00000/00000/00000 b2b4 b1c2 10 Minotaur Pan";
    check(
        before,
        &[
            (
                "40000/00100/00000/00000/00000 b1d2 b4c2 11 Pan Minotaur",
                "c2 (2,3) was built on, where the worker that has moved",
            ),
            (
                "40000/00000/00100/00000/00000 b1d2 b4c2 11 Pan Minotaur",
                "legal: b2xc2+c3",
            ),
            (
                "40000/00010/00000/00000/00000 b1d2 b4c2 11 Pan Minotaur",
                "d2 (2,4) was built on, where the opponent's worker that was pushed there stands",
            ),
            (
                "40000/00000/00100/00000/00000 b1d3 b4c2 11 Pan Minotaur",
                "Minotaur's worker from b2 (2,2) must push the worker on c2 (2,3) straight on to d2 (2,4), but that one is on d3 (3,4) now",
            ),
            (
                "40000/00000/00100/00000/00000 a2c2 b4b1 11 Pan Minotaur",
                "Minotaur's worker from b2 (2,2) cannot push the worker on b1 (1,2): the board ends behind it",
            ),
            (
                "40000/00000/00100/00000/00000 a2c2 b3b4 11 Pan Minotaur",
                "Minotaur moves only one whose space it moves to",
            ),
        ],
    );
    check(
        "00000/00040/00000/00000/00000 b2b4 c2b3 10 Minotaur Pan",
        &[
            (
                "00000/00040/00100/00000/00000 d3b3 b4c2 11 Pan Minotaur",
                "cannot push the worker on c2 (2,3) to d2 (2,4): the tower there is capped",
            ),
            (
                "00000/00040/00100/00000/00000 c2a4 b3b4 11 Pan Minotaur",
                "cannot push the worker on b3 (3,2) to b4 (4,2): a worker stands there",
            ),
        ],
    );
}

#[test]
fn pan() {
    check(
        "00000/01230/00000/00000/00000 c2d4 b5d5 10 Pan Atlas",
        &[
            (
                "00000/01230/00000/00000/00000 b5d5 c3d4 11 Atlas Pan",
                "legal: c2-c3#",
            ),
            (
                "00000/01230/00010/00000/00000 b5d5 c3d4 11 Atlas Pan",
                "d3 (3,4) was built on after a win: Pan's move down two levels or more to c3 (3,3) wins",
            ),
            (
                "00000/01230/00000/00000/00000 b5d5 b2d4 11 Atlas Pan",
                "nothing was built after the move to b2 (2,2)",
            ),
        ],
    );
}

#[test]
fn prometheus() {
    check(
        "00000/01230/00000/00000/00000 b4d4 b5d5 10 Prometheus Pan",
        &[
            (
                "00000/01230/10100/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "legal: b4+",
            ),
            (
                "00000/01230/00200/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "legal: b4+c3-b3+c3",
            ),
            (
                "00000/01230/00000/00000/00100 b5d5 b3d4 11 Pan Prometheus",
                "c5 (5,3) was built on before the move, but nothing after it",
            ),
            (
                "00000/01230/01100/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "the worker on b4 (4,2) was moved up to",
            ),
            (
                "00000/01230/00000/00000/10100 b5d5 b3d4 11 Pan Prometheus",
                "which is not next to the worker that has moved to b3 (3,2)",
            ),
            (
                "10001/01230/00000/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "before the move, which is not next to where the worker stood, b4 (4,2)",
            ),
            (
                "00000/01230/00300/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "grew from level 0 to 3; Prometheus builds",
            ),
            (
                "00000/01231/10100/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "e2 (2,5), a3 (3,1) and c3 (3,3) were built on; Prometheus",
            ),
            (
                "00000/01230/00000/02000/00000 b5d5 b3d4 11 Pan Prometheus",
                "b4 (4,2) was built on before the move, when a worker stood there",
            ),
        ],
    );
    check(
        "00000/01230/01000/00000/00000 b4d4 b5d5 10 Prometheus Pan",
        &[
            (
                "00000/01230/01100/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "legal: b4-b3+c3",
            ),
            (
                "00000/01230/11100/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "may not move up after building before the move",
            ),
        ],
    );
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

/// A board like one that a wrong player sends: a legal turn of some card's,
/// then a few small changes.
fn nearly_right<const N: usize>(before: &Position<N>, rng: &mut impl Rng) -> Option<Position<N>> {
    let mut levels = [[0; N]; N];
    let mut workers =
        [Side::Mover, Side::Other].map(|side| before.workers(side).collect::<Vec<_>>());
    let mut cards = before.cards();
    let mut turn = before.turn();
    let changes = if rng.random_bool(0.8) {
        let card = cards[0].and_then(|_| Card::ALL.get(rng.random_range(0..8)).copied());
        let other = cards[1].filter(|&other| Some(other) != card);
        let other = card.and_then(|card| other.or(Card::ALL.into_iter().find(|&c| c != card)));
        let as_played: Position<N> = with_cards(before, [card, other]);
        let turns = as_played.turns();
        let next = as_played.play(*turns.get(rng.random_range(0..turns.len().max(1)))?);
        workers = [Side::Mover, Side::Other].map(|side| next.workers(side).collect());
        fill(&mut levels, &next);
        turn = next.turn();
        cards.swap(0, 1);
        rng.random_range(0..3)
    } else {
        fill(&mut levels, before);
        rng.random_range(0..6)
    };
    for _ in 0..changes {
        let square = Square::new(rng.random_range(0..N * N));
        let level = &mut levels[square.row::<N>()][square.column::<N>()];
        match rng.random_range(0..8) {
            0..3 => *level = (*level + 1).min(CAP),
            3 => *level = level.saturating_sub(1),
            4..6 => {
                let worker = &mut workers[rng.random_range(0..2)][rng.random_range(0..2)];
                let near = Geometry::<N>::NEIGHBOURS[worker.index()];
                *worker = near
                    .into_iter()
                    .nth(rng.random_range(0..near.count() as usize))?;
            }
            6 => workers.swap(0, 1),
            _ => turn = rng.random_range(0..turn + 2),
        }
    }
    let workers = workers.map(|pair| [pair[0], pair[1]]);
    Position::new(&levels, workers, cards, turn).ok()
}

fn fill<const N: usize>(levels: &mut [[u8; N]; N], position: &Position<N>) {
    for square in Geometry::<N>::BOARD {
        levels[square.row::<N>()][square.column::<N>()] = position.level(square);
    }
}

fn with_cards<const N: usize>(position: &Position<N>, cards: Cards) -> Position<N> {
    let mut levels = [[0; N]; N];
    fill(&mut levels, position);
    let workers = [Side::Mover, Side::Other].map(|side| {
        let mut squares = position.workers(side);
        [squares.next().unwrap(), squares.next().unwrap()]
    });
    Position::new(&levels, workers, cards, position.turn()).unwrap()
}

/// Goes through positions of random games with the cards and judges boards
/// that are right or nearly so. Returns how many were legal and how many not.
fn agree<const N: usize>(cards: Cards, games: usize, rng: &mut impl Rng) -> [usize; 2] {
    let mut counts = [0; 2];
    for _ in 0..games {
        let mut squares: Vec<Square> = Geometry::<N>::BOARD.collect();
        let mut place = || squares.swap_remove(rng.random_range(0..squares.len()));
        let workers = [[place(), place()], [place(), place()]];
        let mut position = Position::<N>::start(workers, cards).unwrap();
        while let Some(turn) = position.random_turn(rng) {
            for _ in 0..20 {
                let Some(after) = nearly_right(&position, rng) else {
                    continue;
                };
                let legal = position.turn_to(&after).is_some();
                let rules = check_rules(&position, &after);
                assert_eq!(rules.is_ok(), legal, "{position} -> {after}: {rules:?}");
                counts[usize::from(!legal)] += 1;
            }
            if turn.wins() {
                break;
            }
            position = position.play(turn);
        }
    }
    counts
}

/// Two opinions on every turn: the generator's, and that of the rules as they
/// are explained here.
#[test]
fn a_rule_is_broken_exactly_where_the_turn_is_illegal() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut counts = [0; 2];
    let pairs = Card::pairs().map(|pair| pair.map(Some));
    for cards in pairs.chain([[None, None]; 20]) {
        let five = agree::<5>(cards, 12, &mut rng);
        let six = agree::<6>(cards, 2, &mut rng);
        counts = [0, 1].map(|i| counts[i] + five[i] + six[i]);
    }
    assert!(counts[0] > 20_000 && counts[1] > 100_000, "{counts:?}");
}
