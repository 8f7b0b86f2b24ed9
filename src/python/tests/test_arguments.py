"""Errors of functions with wrong arguments."""

import errno
import itertools
import json
import os
import random
import re
import threading

import numpy as np
import pytest

from santorini import (
    Agent,
    Batch,
    Engine,
    ExactValue,
    Game,
    IllegalTurn,
    LevelPlayer,
    Line,
    Position,
    Probe,
    Report,
    Solved,
    SolvedPlacement,
    Stopped,
    read_games,
)

BOARD = Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
SET = threading.Event()
SET.set()


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: Position(5), TypeError, "text is 5; it should be a text"),
        (lambda: Position("\ud800"), ValueError, "text is .* surrogates"),
        (lambda: Position.start("b3", ("c2", "c4")), TypeError, 'first is "b3"; it should be two names'),
        (lambda: Position.start(("b3", 3), ("c2", "c4")), TypeError, r"first\[1\] is 3; it should be a text"),
        (lambda: Position.start(("b3",), ("c2", "c4")), ValueError, "first has 1 items"),
        (lambda: Position.random(-1), ValueError, "turns is -1; it should be a whole number from 0 to 4294967295"),
        (lambda: Position.random(seed=2**64), ValueError, "seed is 18446744073709551616; it should be"),
        (lambda: Position.random(1.5), TypeError, "turns is 1.5; it should be a whole number"),
        (lambda: Position.random(size="5"), TypeError, 'size is "5"; it should be a whole number from 5 to 6'),
        (lambda: Position.random(size=10**5000), ValueError, "size is an object of type int"),
        (lambda: BOARD.perft("2"), TypeError, 'depth is "2"; it should be a whole number'),
        (lambda: BOARD.picture(ascii=1), TypeError, "ascii is 1; it should be True or False"),
        (lambda: BOARD.judge(5), TypeError, "after is 5; it should be a Position, a board in JSON"),
        (lambda: BOARD.judge([BOARD]), TypeError, "after is an object of type list; it should be"),
        (lambda: BOARD.judge({"turn": {1}}), TypeError, "after cannot be written as JSON"),
        (lambda: Position.from_json(None), TypeError, "board is None; it should be a board in JSON"),
        (lambda: Game.from_json(b"{}"), TypeError, "record is an object of type bytes; it should be a game"),
        (lambda: Game(BOARD, "b3-b2+b3"), TypeError, "turns is .*; it should be a list of turns"),
        (lambda: Game(BOARD, [3]), TypeError, r"turns\[0\] is 3; it should be a text"),
        (lambda: Game(BOARD, ["x"]), ValueError, r'turns\[0\]: "x" is not a turn'),
        (lambda: Game(BOARD, ["a1-a2+a1"]), IllegalTurn, r"turns\[0\]: a1-a2\+a1 is not legal"),
        (lambda: Game(BOARD, [], ("a",)), ValueError, r'players has 1 items; .* two names, such as \("Ann", "Ben"\)'),
        (lambda: Game("x", []), TypeError, 'start is "x"; it should be a Position'),
        (lambda: Engine(hash_mib=-5), ValueError, "hash_mib is -5; it should be a whole number from 1"),
        (lambda: Engine(5), TypeError, "eval is 5; it should be a path"),
        (lambda: Engine().best(BOARD, nodes=-1), ValueError, "nodes is -1; it should be a whole number from 1"),
        (lambda: Engine().best(BOARD, seconds="1"), TypeError, 'seconds is "1"; it should be a number'),
        (lambda: Engine().best(BOARD, depth=1, stop=5), TypeError, "stop is 5; it should be an event"),
        (lambda: Engine().analyze(BOARD, depth=1, callback=5), TypeError, "callback is 5; it should be a function"),
        (lambda: Engine().evaluate("x"), TypeError, "position is .*; it should be a Position"),
        (lambda: LevelPlayer(3.5), TypeError, "level is 3.5; it should be a whole number"),
        (lambda: Agent("program"), ValueError, 'no agent is called "program"; the agents are .* engine and level$'),
        (lambda: Agent("program:cat"), ValueError, "no agent is called"),
        (lambda: Batch(-1), ValueError, "count is -1; it should be a whole number from 1 to 16777216"),
        (lambda: Batch(1, cards=3), TypeError, 'cards is 3; it should be two names, "random" or None'),
        (lambda: Batch(1).turn_of(-1, 3), IndexError, "game is -1; it should be 0 to 0"),
        (lambda: Batch(1).turn_of(0, 2.5), TypeError, "action is 2.5; it should be a whole number"),
        (lambda: Batch(1).turn_of(0, -1), IllegalTurn, "action -1 is not legal in game 0"),
        (lambda: Batch(1).rollouts(0), ValueError, "games is 0; it should be a whole number from 1"),
        (lambda: Batch(2).step([128.9, 129]), TypeError, "actions is an array of float64; it should be whole"),
        (lambda: Batch(2).step(["a", "b"]), TypeError, "actions is an array of <U1; it should be whole"),
        (lambda: Batch(2).step(5), ValueError, r"actions has the shape \[\]"),
        (lambda: Batch(2).step([[1], [1, 2]]), TypeError, "actions is .* should be whole numbers"),
        (lambda: Batch(2).masks(np.zeros((2, 153))), TypeError, r"out is an array of float64 with the shape \[2, 153\]; it should be an array of bool"),
        (lambda: Batch(2).masks(np.zeros(2, bool)), TypeError, r"out is an array of bool with the shape \[2\]; it should"),
        (lambda: Batch(2).masks([True]), TypeError, "out is an object of type list; it should be an array of bool"),
        (lambda: Solved.solve("x", "2x2", "1"), TypeError, 'workers is "1"; it should be a whole number from 1 to 2'),
        (lambda: Solved.solve("x", "2x2", 1, memory="1"), TypeError, 'memory is "1"; it should be a number'),
    ],
)
def test_an_error_names_the_argument_and_valid_values(call, error, words):
    with pytest.raises(error, match=words) as raised:
        call()
    assert type(raised.value) is error


def test_a_missing_file_is_named_with_its_number(tmp_path):
    missing = tmp_path / "none"
    for call in (
        lambda: read_games(missing),
        lambda: read_games(str(missing)),
        lambda: Solved(missing),
        lambda: Engine(str(missing)),
        lambda: Agent(f"qlearning:load={missing}"),
    ):
        with pytest.raises(FileNotFoundError, match=r"\[Errno 2\]") as raised:
            call()
        assert (raised.value.errno, raised.value.filename) == (errno.ENOENT, str(missing))
    with pytest.raises(OSError) as raised:
        list(read_games(tmp_path))
    # Windows refuses access to a folder.
    assert raised.value.errno == (errno.EACCES if os.name == "nt" else errno.EISDIR)
    with pytest.raises(ValueError, match="path is .*; it should be a path without null"):
        read_games("a\0b")


def test_lists_are_accepted_like_tuples():
    start = Position.start(["b3", "d3"], ["c2", "c4"], cards=["Pan", "Atlas"])
    assert start == Position.start(("b3", "d3"), ("c2", "c4"), cards=("Pan", "Atlas"))
    assert Game(start, (start.turns()[0],), players=["A", "B"]).players == ("A", "B")
    assert Batch(1, cards=["Pan", "Atlas"]).cards(0) == ("Pan", "Atlas")
    assert Agent("random").place(["a1", "b1"]) and LevelPlayer(1).place(list(LevelPlayer(1).place()))
    assert Position.random(np.int64(3), seed=np.uint8(1)) == Position.random(3, seed=1)


def test_actions_may_be_any_whole_number_type():
    for dtype in (np.uint8, np.int16, np.int32, np.int64, np.uint64, ">i4"):
        batch = Batch(2)
        assert not batch.step(np.array([128, 129], dtype)).any()
        assert not batch.step(np.array([130, 0, 131, 0], dtype)[::2]).any()
    assert not Batch(2).step([128, 129]).any() and not Batch(2).step((128, 129)).any()


class Odd:
    """An object that raises an error for every operation."""

    def fail(self, *arguments):
        raise ZeroDivisionError("odd")

    __index__ = __float__ = __fspath__ = __repr__ = __bool__ = __len__ = __iter__ = is_set = fail


def odd_arguments():
    circle = []
    circle.append(circle)
    knot = {}
    knot["knot"] = knot
    return [
        *(None, True, -1, 0, 2**31, 2**63, 2**64, -(2**70), 10**400, 10**5000, 1.5, -0.0, 1e300),
        *(float("nan"), float("inf"), 1j, "", "x", "a1", "Pan", "random", "\ud800", "\0", "é" * 5000),
        *("{", "[" * 10_000, "{}", '{"turn": NaN}', b"x", bytearray(3), [], (), [1, 2], ("a1",)),
        *(["a1", "b2"], ("a1", "a1"), ("Pan", "Zeus"), ("a1", "\ud800"), circle, knot, {}, {"a": {1}}),
        *(set(), object(), int, Odd(), lambda *arguments: 0, range(2), np.int64(3), np.float32(2.5)),
        *(np.array([1, 2]), np.array(["a1", "b1"]), np.zeros((2, 153)), np.zeros((3, 153), bool)),
        *(np.array(3), np.array([None, None]), memoryview(b"ab"), BOARD, type(BOARD)),
    ]


def calls(solved):
    """Each public function with valid arguments; work that can be stopped is stopped."""
    engine, batch, stop = Engine("tuned", hash_mib=1), Batch(2, start="random"), {"stop": SET}
    level, agent, six = LevelPlayer(1), Agent("random"), Position.random(size=6)
    turn, pair = BOARD.turns()[0], ("a1", "b2")
    record, value = Game(BOARD, [turn]), ExactValue(True, 3)
    best = {"nodes": 50, "seconds": 0.01, "depth": 1} | stop
    place = {"first": pair, "cards": ("Pan", "Atlas"), "size": 6} | stop
    return [
        (Position, {"text": str(BOARD)}),
        (Position.start, {"first": pair, "second": ("c1", "c2"), "cards": ("Pan", "Atlas"), "size": 5}),
        (Position.random, {"turns": 3, "seed": 1, "number": 1, "cards": ("Pan", "Atlas"), "size": 5} | stop),
        (Position.from_json, {"board": BOARD.to_json()}),
        (BOARD.play, {"turn": turn}),
        (BOARD.is_legal, {"turn": turn}),
        (BOARD.judge, {"after": BOARD.play(turn)}),
        (BOARD.perft, {"depth": 1} | stop),
        (BOARD.picture, {"ascii": True}),
        (BOARD.planes, {"dtype": "float32", "player": 1}),
        (BOARD.action_of, {"turn": turn}),
        (BOARD.turn_of, {"action": BOARD.action_of(turn)}),
        (BOARD.symmetric, {"symmetry": 3}),
        (BOARD.symmetric_actions, {"symmetry": 3}),
        (BOARD.describe, {"turns": False}),
        (BOARD.parse_turn, {"turn": turn}),
        (Line, {"score": 1, "chance": 0.5, "turns": [turn]}),
        (Report, {"lines": [], "depth": 1, "nodes": 1, "seconds": 0.5}),
        (ExactValue, {"wins": True, "plies": 3}),
        (Probe, {"position": "x", "value": value, "turns": [("x", value)]}),
        (SolvedPlacement, {"first": ("a1",), "reply": ["b2"], "value": value, "winning_replies": 1, "replies": 2}),
        (Engine, {"eval": "paper", "hash_mib": 1, "threads": 1}),
        (engine.best, {"position": BOARD} | best),
        (engine.analyze, {"position": BOARD, "lines": 2, "callback": id} | best),
        (engine.review, {"game": record, "nodes": 10} | stop),
        (engine.place, place | {"seconds": 0.01}),
        (engine.evaluate, {"position": BOARD}),
        (Game, {"start": BOARD, "turns": [turn], "players": ("A", "B"), "number": 1}),
        (Game.from_json, {"record": record.to_json()}),
        (read_games, {"path": "games.jsonl"}),
        (LevelPlayer, {"level": 1, "seed": 1, "seconds": 0.01}),
        (level.turn, {"position": six} | stop),
        (level.place, place),
        (Agent, {"text": "random", "seed": 1} | stop),
        (agent.turn, {"position": BOARD} | stop),
        (agent.place, {"first": pair} | stop),
        (Batch, {"count": 2, "size": 5, "cards": "random", "start": "random", "turns": 2, "restart": True, "seed": 1} | stop),
        (batch.observations, {"out": np.zeros((2, 7, 5, 5), np.uint8), "player": 0}),
        (batch.observations, {"dtype": "uint8", "player": 0}),
        (batch.final_observations, {"dtype": "float32", "player": 1}),
        (batch.final_position, {"game": 1}),
        (batch.set_positions, {"positions": [BOARD, None]}),
        (batch.masks, {"out": np.zeros((2, 153), bool)}),
        (batch.step, {"actions": [0, 0], "where": [True, False]}),
        (batch.rollouts, {"games": 500} | stop),
        (batch.position, {"game": 1}),
        (batch.cards, {"game": 1}),
        (batch.set_position, {"game": 1, "position": BOARD}),
        (batch.reset, {"game": 1}),
        (batch.turn_of, {"game": 1, "action": 3}),
        (batch.action_of, {"game": 0, "turn": turn}),
        (Solved, {"path": "2x2.solved", "threads": 1}),
        (
            Solved.solve,
            {"path": "new", "board": "2x2", "workers": 1, "cards": None, "memory": 0.1, "keep": 0.1, "check": 1}
            | {"threads": 1, "force": True, "progress": max}
            | stop,
        ),
        (solved.value, {"position": "00/00 a1 b2"} | stop),
        (solved.probe, {"position": "00/00 a1 b2"} | stop),
        (solved.best_game, {"position": "00/00 a1 b2"} | stop),
        (solved.placements, stop),
    ]


EXPECTED = (TypeError, ValueError, IndexError, OSError, Stopped)


def check(function, arguments, odd_names):
    """Calls a function. An error must be of an expected type and name an argument."""
    try:
        function(**arguments)
    except EXPECTED as error:
        assert type(error) is not UnicodeEncodeError, (function, arguments)
        if isinstance(error, (OSError, Stopped, IllegalTurn)):
            return
        names = odd_names if len(odd_names) == 1 else arguments
        said = str(error)
        assert any(re.search(rf"\b{name}\b", said) for name in names), (function, odd_names, said)
    except ZeroDivisionError as error:
        assert str(error) == "odd", (function, arguments)


def test_odd_arguments_are_refused_with_their_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    solved = Solved.solve("2x2.solved", "2x2", workers=1)
    everything, odd = calls(solved), odd_arguments()
    count = 0
    for function, right in everything:
        for name, value in itertools.product(right, odd):
            check(function, right | {name: value}, [name])
            count += 1
    rng = random.Random(1)
    for _ in range(2000):
        function, right = rng.choice(everything)
        names = rng.sample(list(right), rng.randint(1, len(right)))
        check(function, right | {name: rng.choice(odd) for name in names}, names)
    assert count > 4000


def test_json_of_too_many_parts_is_refused():
    for call in (Position.from_json, BOARD.judge, Game.from_json):
        with pytest.raises(ValueError, match="has more than 100000 numbers"):
            call("[" + "0," * 200_000 + "0]")
    deep = json.loads("[" * 500 + "]" * 500)
    with pytest.raises(ValueError, match="board is not JSON"):
        Position.from_json({"spaces": deep})
