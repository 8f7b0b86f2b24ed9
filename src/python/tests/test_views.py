"""Positions as planes, masks and actions, rotated and mirrored, and in words."""

import random

import numpy as np
import plain
import pytest

import santorini
from santorini import Batch, IllegalTurn, Position, SmallBoard, symmetric_planes

POSITIONS = [
    *(Position.random(turns, seed=turns) for turns in range(0, 20, 3)),
    *(Position.random(8, seed=1, size=6), Position.random(14, seed=2, size=6)),
    *(
        Position.random(7, seed=1, cards=(card, "Pan" if card != "Pan" else "Atlas"))
        for card in santorini.CARDS
    ),
]


def batch_of(position, **options):
    batch = Batch(1, position.size, cards="random" if position.cards else None, **options)
    batch.set_position(0, position)
    return batch


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_a_position_has_the_arrays_of_a_batch(position):
    batch = batch_of(position)
    assert (position.planes() == batch.observations()[0]).all()
    assert (position.mask() == batch.masks()[0]).all()
    floats = position.planes(np.float32)
    assert floats.dtype == np.float32 and (floats == position.planes("uint8")).all()
    for player in (0, 1):
        assert (position.planes(player=player) == batch.observations(player=player)[0]).all()
    turns = position.turns()
    assert [position.turn_of(action) for action in position.actions()] == turns
    assert [position.action_of(turn) for turn in turns] == list(position.actions())
    assert sorted(position.actions()) == list(np.flatnonzero(position.mask()))


def plain_planes(board, size, idle):
    """The planes of a board for the player to move, and for the other player: an array (2, 7, size,
    size). `idle` are the squares of their workers beside a small board, which can never move."""
    levels = dict.fromkeys(np.ndindex(size, size), 4) | board[0] | dict.fromkeys(idle, 0)
    workers = [[*sorted(board[1]), *idle[:1]], [*sorted(board[2]), *idle[1:]]]
    planes = np.zeros((2, 7, size, size), np.uint8)
    for square, level in levels.items():
        planes[:, :level, *square] = 1
    for viewer in (0, 1):
        for worker, square in enumerate(workers[viewer]):
            planes[viewer, 4 + worker, *square] = 1
        for square in workers[1 - viewer]:
            planes[viewer, 6, *square] = 1
    return planes


SMALL = [(rows, columns, workers) for rows in (2, 3, 4) for columns in (2, 3, 4) for workers in (1, 2)]
# Four workers fill a board of 2x2 spaces.
BOARDS = [(5, 5, 2), (6, 6, 2), *(board for board in SMALL if board != (2, 2, 2))]


@pytest.mark.parametrize("rows, columns, workers", BOARDS)
def test_masks_and_planes_are_those_of_plain_python(rows, columns, workers):
    rules, rng, checked = plain.Rules(rows, columns, workers), random.Random(4), 0
    board_of = SmallBoard(f"{rows}x{columns}", workers) if rows < 5 else None
    # They are 10,000 positions in all.
    while checked < (250 if board_of else 3000):
        for number, (board, legal) in enumerate(rules.boards(rng)):
            text = rules.text(board)
            position = board_of.position(text, number) if board_of else Position(f"{text} {number}")
            names = [position.turn_of(int(action)) for action in np.flatnonzero(position.mask())]
            assert sorted(names) == sorted(map(plain.notation, legal))
            mover, idle = position.to_move, board_of.idle if board_of else ()
            idle = [plain.square(name) for name in (idle[::-1] if mover else idle)]
            seen = [position.planes(player=player) for player in (mover, 1 - mover)]
            assert (seen == plain_planes(board, position.size, idle)).all()
            checked += 1


def test_a_finished_game_has_no_action():
    won = Position("00000/01200/00320/00000/00000 c2d4 a1a5 6").play("c2-c3#")
    assert not won.mask().any() and len(won.actions()) == 0
    with pytest.raises(IllegalTurn, match="action 3 is not legal"):
        won.turn_of(3)


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_symmetric_positions_have_symmetric_turns(position):
    texts, canonical = set(), position.canonical()[0]
    for symmetry in santorini.SYMMETRIES:
        other = position.symmetric(symmetry)
        texts.add(str(other))
        assert other.canonical()[0] == canonical
        assert (symmetric_planes(position.planes(), symmetry) == other.planes()).all()
        numbers, mask = position.symmetric_actions(symmetry), position.mask()
        assert (numbers[~mask] == -1).all()
        assert sorted(numbers[mask]) == sorted(other.actions())
        for action in position.actions()[:40]:
            after = position.play(position.turn_of(action))
            mirrored = other.play(other.turn_of(numbers[action]))
            assert mirrored == after.symmetric(symmetry) and mirrored.winner == after.winner
            assert after.symmetric(symmetry).last_turn == mirrored.last_turn
    assert len(texts) == 8
    number = position.canonical()[1]
    assert position.symmetric(number) == canonical


def test_symmetries_of_a_batch_of_planes():
    batch = Batch(64, seed=1)
    for _ in range(12):
        batch.step(batch.sample())
    planes = batch.observations(dtype="float32")
    before = planes.copy()
    for symmetry in santorini.SYMMETRIES:
        turned = symmetric_planes(planes, symmetry)
        assert turned.dtype == np.float32
        for game in range(64):
            position = batch.position(game)
            if position is not None:
                assert (turned[game] == position.symmetric(symmetry).planes()).all()
    assert (planes == before).all()
    with pytest.raises(ValueError, match="symmetry is 8"):
        symmetric_planes(planes, 8)
    with pytest.raises(ValueError, match="planes has the shape"):
        symmetric_planes(planes[0, 0], 1)


PLAIN = Position("00000/01200/00320/00000/00000 c2d4 a1a5 6")


@pytest.mark.parametrize(
    "text, turn",
    [
        ("d4-d5+e5", "d4-d5+e5"),
        ("D4D5E5", "d4-d5+e5"),
        ("Move d4 to d5 and build on e5.", "d4-d5+e5"),
        ("d4 -> d5, build e5", "d4-d5+e5"),
        ("I move from d4 to d5; from d5 I build on e5", "d4-d5+e5"),
        ("c2 to c3 wins!", "c2-c3#"),
        ("c2-c3+b4", "c2-c3#"),
        ("c2–c3", "c2-c3#"),
        ("**D4-D5+E5**", "d4-d5+e5"),
        ("d4-d5+e5 because e5 is low and d4-d5 goes up", "d4-d5+e5"),
    ],
)
def test_turns_are_understood_however_they_are_written(text, turn):
    assert PLAIN.parse_turn(text) == turn


def test_turns_with_cards_are_understood():
    atlas = Position("00000/00000/00000/00000/00000 c3e5 a1a5 4 Atlas Pan")
    assert atlas.parse_turn("c3 to c4, build b4") == "c3-c4+b4"
    assert atlas.parse_turn("c3 to c4, dome on b4") == "c3-c4^b4"
    demeter = Position("00000/00000/00000/00000/00000 c3e5 a1a5 4 Demeter Pan")
    turn = demeter.parse_turn("c3 to c4, build b4 and c5")
    assert turn == demeter.parse_turn("c3 to c4, build c5 and b4") and turn in demeter.turns()


@pytest.mark.parametrize(
    "card, text, turn",
    [
        ("Atlas", "c3 to c4, build b4 (no dome)", "c3-c4+b4"),
        ("Atlas", "c3 to c4, build on b4 without a dome", "c3-c4+b4"),
        ("Hephastus", "c3 to c4, build on b4", "c3-c4+b4"),
        ("Hephastus", "c3 to c4, build twice on b4", "c3-c4+b4+b4"),
        ("Hephastus", "c3 to c4, build two levels on b4", "c3-c4+b4+b4"),
        ("Hephastus", "c3 to c4, double build b4", "c3-c4+b4+b4"),
        ("Hephastus", "c3 to c4, build b4 and b4 again", "c3-c4+b4+b4"),
        ("Hephastus", "c3 to c4, build b4, not twice", "c3-c4+b4"),
        ("Hephastus", "c3 to c4, build b4, a double threat", "c3-c4+b4"),
        ("Artemis", "**c3-c4+b4**", "c3-c4+b4"),
        ("Artemis", "I play c3-c4+b4.", "c3-c4+b4"),
        ("Artemis", "c3-c4+b4 because c4 is central", "c3-c4+b4"),
    ],
)
def test_the_words_of_cards_are_understood(card, text, turn):
    board = Position(f"00000/00000/00000/00000/00000 c3e5 a1a5 4 {card} Pan")
    assert board.parse_turn(text) == turn


def test_two_turns_in_a_text_are_refused():
    for text in ("d4-d5+e5 or d4-d5+d4", "not d4-d5+e5 but d4-d5+d4"):
        with pytest.raises(ValueError):
            PLAIN.parse_turn(text)


def test_text_that_is_not_a_turn_is_refused():
    for text in ("", "pass", "c3", "the worker"):
        with pytest.raises(ValueError, match="is not a turn"):
            PLAIN.parse_turn(text)
    with pytest.raises(IllegalTurn) as raised:
        PLAIN.parse_turn("move d4 to d2 and build d3")
    assert (raised.value.rule, raised.value.worker, raised.value.square) == ("too-far", "d4", "d2")
    for _, turn in zip(range(50), PLAIN.turns()):
        assert PLAIN.parse_turn(turn) == turn == PLAIN.parse_turn(turn.replace("-", " to ").replace("+", " build "))


@pytest.mark.parametrize(
    "text, turn, fields",
    [
        ("00000/00020/00000/00000/00000 b3d3 a1a5 4", "d3-d2+e2", ("too-high", "d3", "d2")),
        ("00000/00000/00000/00000/00000 b3d3 a1a5 4", "d3-d1+e1", ("too-far", "d3", "d1")),
        ("00000/00000/00000/00000/00000 b3d3 a1a5 4", "d3-d4+b2", ("not-beside", "d3", "b2")),
        ("00000/00000/00000/00000/00000 b3d3 c3a5 4", "d3-c3+c4", ("onto-opponent", "d3", "c3")),
        ("00000/00000/00000/00000/00000 b3d3 a1a5 4", "e5-e4+e5", ("no-worker", None, "e5")),
        ("00000/00000/00000/04000/00000 b3d3 a1a5 4", "b3-c3+b4", ("capped", "b3", "b4")),
        ("00000/00000/00000/00000/00000 b3d3 a1a5 4", "d3-d4", ("nothing-built", "d3", "d4")),
        ("04440/44444/44444/44444/00444 a1e1 a5b5 9", "a1-a2+a1", ("game-over", None, None)),
    ],
)
def test_an_illegal_turn_names_rule_worker_and_square(text, turn, fields):
    with pytest.raises(IllegalTurn) as raised:
        Position(text).play(turn)
    error = raised.value
    assert (error.rule, error.worker, error.square) == fields, str(error)
    again = __import__("pickle").loads(__import__("pickle").dumps(error))
    assert (again.rule, again.worker, again.square) == fields and str(again) == str(error)


def test_fields_of_other_illegal_turns():
    board = Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
    with pytest.raises(IllegalTurn) as raised:
        board.judge(board)
    assert raised.value.rule == "nothing-done"
    with pytest.raises(IllegalTurn) as raised:
        santorini.Game(board, ["b3-b5+b4"])
    assert raised.value.rule and "turns[0]" in str(raised.value)
    with pytest.raises(IllegalTurn) as raised:
        Batch(1).step([0])
    assert raised.value.rule == "illegal-action"
    assert IllegalTurn("x").rule is None


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_a_description_shows_the_board_and_the_turns(position):
    text = position.describe()
    rows = [line for line in text.splitlines() if line[:1].isdigit()]
    for number, (row, levels) in enumerate(zip(rows, position.levels), 1):
        cells = row.split()
        assert int(cells[0]) == number and [int(cell[0]) for cell in cells[1:]] == levels
        for column, cell in zip("abcdef", cells[1:]):
            for player, letter in enumerate("AB"):
                assert (letter in cell) == (f"{column}{number}" in position.workers[player])
    assert len(rows) == position.size
    assert all(turn in text for turn in position.turns()) and f"Player {position.to_move}" in text
    assert all(card in text for card in position.cards or ())
    assert "Legal turns" not in position.describe(turns=False)


def test_a_description_names_the_winner():
    assert "The game is over: player 0 has won." in PLAIN.play("c2-c3#").describe()
