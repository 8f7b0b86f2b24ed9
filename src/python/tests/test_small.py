"""Small boards, as corners of larger ones: compared with the solver."""

import numpy as np
import pytest

from santorini import Position, SmallBoard, Solved

GAMES = [
    ("2x3", 1, None),
    ("3x3", 1, None),
    ("2x3", 2, None),
    ("2x3", 1, ("Pan", "Atlas")),
    ("2x3", 1, ("Minotaur", "Artemis")),
    ("2x3", 1, ("Prometheus", "Apollo")),
    ("2x2", 1, ("Demeter", "Hephastus")),
]
PAN = SmallBoard("3x3", 1, ("Pan", "Atlas"))


@pytest.mark.parametrize("name, workers, cards", GAMES)
def test_its_rules_are_those_of_the_solver(name, workers, cards, tmp_path):
    board = SmallBoard(name, workers, cards)
    solved = Solved.solve(tmp_path / "solved", name, workers, cards, threads=2)
    rng = np.random.default_rng(1)
    checked = 0
    for _ in range(30):
        position = board.random_start(rng)
        while not position.is_over:
            text = board.text(position)
            assert board.position(text, position.turn) == position
            found = solved.probe(text)
            after = position.successors()
            values = [-value + (value <= 0) - (value > 0) for value in solved.values(after)]
            best = max(values, key=_rank) if values else 0
            assert best == solved.values([text])[0] == solved.values([position])[0], text
            assert solved.probe(position).turns == found.turns
            for next_ in after:
                if next_.last_turn.endswith("#"):
                    assert str(solved.value(next_)) == "loss in 0" and solved.best_game(next_) == []
                    assert solved.probe(next_).turns == []
                    with pytest.raises(ValueError, match="which no text says; pass the Position"):
                        board.text(next_)
            assert len(found.turns) <= len(after)
            checked += 1
            position = after[rng.integers(len(after))]
    assert checked > 100


def _rank(value):
    """Orders values, best last: a loss is better if it comes later."""
    return 1000 - value if value > 0 else -1000 - value


def test_values_in_bulk_are_single_values(tmp_path):
    board = SmallBoard("3x3", 1)
    solved = Solved.solve(tmp_path / "solved", "3x3", 1, threads=2)
    texts = [board.text(start) for start in board.starts()]
    assert len(texts) == 72
    values = solved.values(texts)
    assert values.dtype == np.int16
    for text, value in zip(texts, values, strict=True):
        one = solved.value(text)
        assert (one.wins, one.plies) == (value > 0, abs(value))
    with pytest.raises(ValueError, match=r"positions\[1\]"):
        solved.values([texts[0], "000/000 a1 b2"])
    for other in (Position.random(), SmallBoard("3x3").starts()[0], SmallBoard("3x4", 1).starts()[0]):
        with pytest.raises(ValueError, match="position: it is not a position on 3x3 with 1 worker each"):
            solved.value(other)
    with pytest.raises(TypeError, match="position is 5; it should be a text or a Position"):
        solved.value(5)
    with pytest.raises(TypeError, match="positions is .*; it should be a list of positions"):
        solved.values(texts[0])


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: SmallBoard("5x5"), "name is '5x5'; it should be 2x2 to 4x4"),
        (lambda: SmallBoard("3x3", 3), "workers is 3; a player has 1 or 2"),
        (lambda: SmallBoard("3x3", 1.0), "workers is 1.0; a player has 1 or 2"),
        (lambda: SmallBoard("3x3", 1, ("Pan", "Zeus")), "Zeus"),
        (lambda: SmallBoard("3x3", 1, ("Pan", "Pan")), "both players have the card Pan"),
        (lambda: SmallBoard("3x3", 1).start(["d1"], ["a1"]), "on 3x3 spaces"),
        (lambda: SmallBoard("3x3", 1).start(["a1", "b1"], ["c1"]), "there should be 1"),
        (lambda: SmallBoard("3x3", 1).position("000/000 a1 b2"), "3 rows of 3 levels"),
        (lambda: SmallBoard("3x3", 1).position("000/000/000 a1"), "workers of both players"),
        (lambda: SmallBoard("3x3", 1).position(""), "3 rows of 3 levels"),
        (lambda: SmallBoard("3x3", 1).position("000/000/000 a1x b2"), r"\['a1', 'x'\]"),
        (lambda: SmallBoard("3x3", 1).position("000/000/000 a1 b2 7"), "should have nothing after the workers"),
        (lambda: SmallBoard("3x3", 1).position("000/000/000 a1 b2 Pan Atlas"), "should have nothing"),
        (lambda: PAN.position("000/000/000 a1 b2"), "should have Pan Atlas after the workers, with turn=0"),
        (lambda: PAN.position("000/000/000 a1 b2 Atlas Pan"), "should have Pan Atlas .*turn=0"),
        (lambda: PAN.position("000/000/000 a1 b2 Pan Atlas", 1), "should have Atlas Pan .*turn=1"),
        (lambda: SmallBoard("3x3", 1).text(Position.random()), "position: it is not a position on SmallBoard"),
        (lambda: SmallBoard("3x3", 1).text(SmallBoard("3x3").starts()[0]), "it is not a position on"),
        (lambda: SmallBoard("3x3", 1).text(PAN.starts()[0]), "it is not a position on"),
    ],
)
def test_wrong_boards_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
    with pytest.raises(TypeError, match="cards is"):
        SmallBoard("3x3", 1, {"a": 1})
    with pytest.raises(TypeError, match="name is 3"):
        SmallBoard(3)
    with pytest.raises(TypeError, match="turn is '1'; it should be a whole number"):
        SmallBoard("3x3", 1).position("000/000/000 a1 b2", "1")
    assert hash(SmallBoard("3x3", 1, ["Pan", "Atlas"])) == hash(SmallBoard("3x3", 1, ("Pan", "Atlas")))
