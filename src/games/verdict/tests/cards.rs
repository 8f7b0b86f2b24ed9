//! What each god card allows and forbids.

use super::check;

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
                "nothing can be built on b4 (4,2), where the opponent's worker that was exchanged stands",
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
                "nothing can be built on e3 (3,5): it is not next to",
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
                "nothing can be built on c2 (2,3), where the worker that has moved",
            ),
            (
                "40000/00000/00100/00000/00000 b1d2 b4c2 11 Pan Minotaur",
                "legal: b2xc2+c3",
            ),
            (
                "40000/00010/00000/00000/00000 b1d2 b4c2 11 Pan Minotaur",
                "nothing can be built on d2 (2,4), where the opponent's worker that was pushed there stands",
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
                "it is not next to the worker that has moved to b3 (3,2)",
            ),
            (
                "10001/01230/00000/00000/00000 b5d5 b3d4 11 Pan Prometheus",
                "before the move, but is not next to where the worker stood, b4 (4,2)",
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
