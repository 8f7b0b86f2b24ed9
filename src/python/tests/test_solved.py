"""Solved small boards."""

import _thread
import random
import threading
import time

import pytest

from santorini import ExactValue, Solved


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    """2x3 with one worker each, solved and verified turn by turn."""
    path = tmp_path_factory.mktemp("solved") / "2x3.solved"
    seen = []
    Solved.solve(path, "2x3", workers=1, check=1, progress=lambda *done: seen.append(done))
    done, whole = zip(*seen)
    assert list(done) == sorted(done) and done[-1] == whole[-1] == max(whole)
    return path


def test_solving_does_not_wait_for_slow_progress(tmp_path):
    seen = []

    def slow(done, whole):
        seen.append((done, whole))
        time.sleep(0.2)

    Solved.solve(tmp_path / "2x3.solved", "2x3", workers=1, progress=slow)
    # The boards of each of 24 sums of levels are solved in milliseconds.
    assert len(seen) <= 12 and seen[-1][0] == seen[-1][1]


def test_a_value_is_that_of_its_best_turn(board):
    solved = Solved(board)
    assert (solved.board, solved.workers, solved.cards) == ("2x3", 1, None)
    rng, decided = random.Random(1), set()
    squares = [column + row for row in "12" for column in "abc"]
    for _ in range(300):
        levels = [rng.choice("0011223") for _ in range(6)]
        low = [square for square, level in zip(squares, levels) if level < "3"]
        if len(low) < 2:
            continue
        mover, other = rng.sample(low, 2)
        levels = "".join(levels)
        found = solved.probe(f"{levels[:3]}/{levels[3:]} {mover} {other}")
        assert found.value == solved.value(found.position)
        values = [value for _, value in found.turns]
        assert values == sorted(values, reverse=True)
        assert [turn for turn, value in found.turns if value == found.value] == found.best
        if found.turns:
            assert found.value == values[0]
        else:
            assert str(found.value) == "loss in 0"
        assert found.value.wins == (found.value.plies % 2 == 1)
        decided.add(found.value)
    assert len(decided) > 5


def test_better_values_are_greater(board):
    solved = Solved(board)
    at_once = solved.probe("030/020 b2 a1")
    assert str(at_once.value) == "win in 1" and "b2-b1#" in at_once.best
    # The only turn is b2-c2+b2, after which the opponent wins.
    lost = solved.value("440/400 b2 c1")
    assert isinstance(lost, ExactValue) and lost < at_once.value and not lost > at_once.value
    assert len({lost, solved.value("440/400 b2 c1"), at_once.value}) == 2


def test_a_best_game_is_as_long_as_its_value(board):
    solved = Solved(board)
    for placement in solved.placements():
        start = f"000/000 {placement.first[0]} {placement.reply[0]}"
        game = solved.best_game(start)
        assert game[0][0] == start and game[0][2] == placement.value
        assert len(game) == placement.value.plies
        for (position, turn, value), (after, _, reply) in zip(game, game[1:]):
            assert (value.wins, value.plies) == (not reply.wins, reply.plies + 1)
            assert turn in solved.probe(position).best and position != after
        assert 0 <= placement.winning_replies <= placement.replies == 5


def test_what_the_file_does_not_keep_is_solved_again(board, tmp_path):
    whole, part = Solved(board), Solved.solve(tmp_path / "part", "2x3", 1, keep=0.001)
    least = Solved.solve(tmp_path / "cards", "2x2", 1, cards=("Pan", "Atlas"))
    for position in ("000/000 a1 c2", "221/120 c2 a1", "333/200 b2 c2"):
        assert whole.probe(position).turns == part.probe(position).turns
    assert least.cards == ("Pan", "Atlas")
    assert least.probe("00/00 a1 b2 Pan Atlas").value == least.placements()[-1].value


def test_errors_name_what_is_wrong(board, tmp_path):
    solved = Solved(board)
    for position, words in [
        ("", "is not a position on 2x3 with 1 worker each; one looks like"),
        ("000/000 a1b1 c1c2", "is not a position"),
        ("000/000 a1 a1", "two workers stand on a1"),
        ("000/005 a1 b1", "level 5"),
        ("300/000 a1 b1", "the game is over"),
    ]:
        with pytest.raises(ValueError, match=words):
            solved.probe(position)
    spaced = "000/000" + " " * 60 + "a1 b1"
    assert solved.value(spaced) == solved.value("000/000 a1 b1")
    with pytest.raises(OSError, match="no-such-file"):
        Solved(tmp_path / "no-such-file")
    other = tmp_path / "other"
    other.write_text("a letter")
    for call in (lambda: Solved(other), lambda: Solved.solve(other, "2x2", 1)):
        with pytest.raises(ValueError, match="not a file of `santorini solve`"):
            call()
    with pytest.raises(ValueError, match="or pass force=True to overwrite it"):
        Solved.solve(other, "2x2", 1)
    with pytest.raises(ValueError, match="name another file$"):
        Solved(other)
    assert other.read_text() == "a letter"
    damaged = tmp_path / "damaged"
    damaged.write_bytes(board.read_bytes()[:-100] + bytes(100))
    with pytest.raises(ValueError, match="damaged|not finished"):
        Solved(damaged).value("000/000 a1 c2")
    for arguments, words in [
        (("1x4",), "1x4"),
        (("2x2",), "no space left"),
        (("2x3", 3), "from 1 to 2"),
        (("2x3", 1, ("Pan", "Pan")), "must differ"),
        (("2x3", 1, ("Pan", "Zeus")), "Zeus"),
    ]:
        with pytest.raises(ValueError, match=words):
            Solved.solve(tmp_path / "new", *arguments)
    assert not (tmp_path / "new").exists()
    with pytest.raises(ValueError, match=r"1\.0 MB\) .* use a larger `memory`$"):
        Solved.solve(tmp_path / "new", "4x4", 2, memory=0.001)
    with pytest.raises(FileNotFoundError) as raised:
        Solved.solve(tmp_path / "none" / "2x3.solved", "2x3", 1)
    assert raised.value.filename == str(tmp_path / "none")


def test_ctrl_c_stops_solving_and_the_same_call_goes_on(tmp_path):
    path = tmp_path / "3x3.solved"

    def press():
        time.sleep(0.5)
        _thread.interrupt_main()

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        Solved.solve(path, "3x4", workers=2, memory=8)
    with pytest.raises(ValueError, match="not finished"):
        Solved(path)
    with pytest.raises(ZeroDivisionError):
        Solved.solve(path, "2x4", workers=1, force=True, progress=lambda *_: 1 / 0)
    with pytest.raises(ValueError, match="it holds 3x4"):
        Solved.solve(path, "2x4", workers=1)
    assert Solved.solve(path, "2x4", workers=1, force=True).board == "2x4"
