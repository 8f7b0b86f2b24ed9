//! The move and the build of the base game.

use super::check;

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
                "nothing can be built on e4 (4,5): it is not next to the worker that has moved to b3 (3,2)",
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
                "nothing can be built on b3 (3,2), where the worker that has moved stands",
            ),
            (
                "00000/01230/00000/00010/00000 b5d5 b3d4 11",
                "nothing can be built on d4 (4,4), where the player's other worker stands",
            ),
            (
                "00000/01230/00000/00000/00010 b5d5 c4d4 11",
                "nothing can be built on d5 (5,4), where the opponent's worker stands",
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
