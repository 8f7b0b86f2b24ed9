"""Equality, hashes, copies, pickles and views of all public classes."""

import copy
import importlib
import inspect
import pickle
import pkgutil
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import santorini
from santorini import (
    Agent,
    Batch,
    Engine,
    ExactValue,
    Game,
    Games,
    LevelPlayer,
    Line,
    Position,
    Probe,
    Report,
    SmallBoard,
    Solved,
    SolvedPlacement,
    read_games,
    santorini_v0,
)
from santorini.gymnasium_v0 import SantoriniEnv, SantoriniVectorEnv

BOARD = Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
WIN = ExactValue(True, 3)


@cache
def solved_file():
    file = Path(tempfile.mkdtemp(prefix="santorini-test-")) / "2x2.solved"
    Solved.solve(file, "2x2", 1, threads=1)
    return file


def labels(nodes):
    # The second one has no label: its score is NaN.
    return Engine("tuned", hash_mib=1).label([BOARD, None], nodes=nodes)


VALUES = [
    (lambda: Line(120, 0.75, ["c2-c3+c4"]), lambda: Line(120, 0.75, ["c2-c3+c2"])),
    (lambda: Report([Line(1, 0.5, [])], 3, 100, 0.5), lambda: Report([], 3, 100, 0.5)),
    (lambda: Engine("tuned", hash_mib=1).best(BOARD, depth=2).lines[0], lambda: Line(0, 0.5, [])),
    (lambda: ExactValue(True, 3), lambda: ExactValue(False, 2)),
    (lambda: Probe("00/00 a1 b2", WIN, [("a1-a2+a1", WIN)]), lambda: Probe("00/00 a1 b2", WIN, [])),
    (
        lambda: SolvedPlacement(("a1",), ("b2",), WIN, 1, 3),
        lambda: SolvedPlacement(("a1",), ("b2",), WIN, 2, 3),
    ),
    (lambda: Game(BOARD, BOARD.turns()[:1]), lambda: Game(BOARD, BOARD.turns()[1:2])),
    (lambda: LevelPlayer(3, 2, seconds=0.5), lambda: LevelPlayer(3, 2)),
    (lambda: Engine("tuned", hash_mib=2), lambda: Engine("tuned", hash_mib=1)),
    (lambda: Agent("random", 2**63 + 1), lambda: Agent("random", 2)),
    (lambda: BOARD, lambda: BOARD.play(BOARD.turns()[0])),
    (lambda: SmallBoard("3x3", 1), lambda: SmallBoard("3x3", 2)),
    (lambda: Solved(solved_file(), threads=2), lambda: Solved(solved_file(), threads=1)),
]
UNHASHABLE = [(lambda: labels(50), lambda: labels(60)), (lambda: Batch(2), lambda: Batch(2, seed=1))]
ENVIRONMENTS = [
    lambda: santorini_v0.raw_env(),
    lambda: santorini_v0.raw_env(6, "random"),
    lambda: SantoriniEnv("level:1"),
    lambda: SantoriniEnv("engine:nodes=20", cards="random"),
    lambda: SantoriniEnv(Agent("random"), player=1),
    lambda: SantoriniVectorEnv(3),
    lambda: SantoriniVectorEnv(3, "level:1", autoreset_mode="SameStep"),
]
# Neither copied nor compared here: errors, a file being read, and classes that OpenSpiel copies.
OTHER = {"Games", "IllegalTurn", "Stopped", "SantoriniGame", "SantoriniState"}


def public_classes():
    """All public classes of the package whose libraries are installed."""
    names = (f"santorini.{module.name}" for module in pkgutil.iter_modules(santorini.__path__))
    for name in ["santorini", *(name for name in names if "._" not in name)]:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        yield from filter(inspect.isclass, (getattr(module, each) for each in module.__all__))


def test_every_public_class_is_tested_here():
    tested = {type(make()).__name__ for make, _ in [*VALUES, *UNHASHABLE]} | OTHER
    tested |= {type(make()).__name__ for make in ENVIRONMENTS}
    assert tested >= {cls.__name__ for cls in public_classes()} > {"Position", "SantoriniEnv", "raw_env"}


@pytest.mark.parametrize("cls", sorted({*public_classes()}, key=str), ids=lambda cls: cls.__name__)
def test_every_public_class_shows_itself(cls):
    assert cls.__repr__ is not object.__repr__
    assert issubclass(cls, Exception) or hasattr(cls, "_repr_html_") or hasattr(cls, "_repr_svg_")


@pytest.mark.parametrize("make, other", [*VALUES, *UNHASHABLE])
def test_values_of_the_same_parts_are_equal(make, other):
    one, same = make(), make()
    assert one == same and not one != same
    if (make, other) in UNHASHABLE:
        with pytest.raises(TypeError):
            hash(one)
    else:
        assert hash(one) == hash(same) and len({one, same}) == 1
    assert one != other() and not one == other() and not one == 5 and one != "x"
    for again in (copy.copy(one), copy.deepcopy([one])[0]):
        assert again == one and type(again) is type(one)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(one, protocol))
        assert again == one and repr(again) == repr(one)


@pytest.mark.parametrize("make, other", [*VALUES, *UNHASHABLE])
def test_values_show_themselves(make, other):
    for value in (make(), other()):
        assert type(value).__name__ in repr(value)
        picture = value._repr_svg_() if isinstance(value, Position) else value._repr_html_()
        assert picture.startswith("<") and picture.count("<table") == picture.count("</table")


def test_the_games_of_a_file_show_its_name(tmp_path):
    file = tmp_path / "a&b.jsonl"
    file.write_text(Game(BOARD, []).to_json() + "\n")
    games = read_games(file)
    assert isinstance(games, Games) and repr(games) == f"<Games of {file}>"
    assert "a&amp;b.jsonl" in games._repr_html_()


def test_a_solved_board_in_another_process_reads_the_same_file():
    solved = pickle.loads(pickle.dumps(Solved(solved_file(), threads=2)))
    assert (solved.path, solved.threads) == (solved_file(), 2)
    assert solved.value("00/00 a1 b2") == Solved(solved_file()).value("00/00 a1 b2")


def test_names_in_views_are_escaped():
    game = Game(BOARD, [], players=("<script>", "B"))
    assert "<script>" not in game._repr_html_() and "&lt;script&gt;" in game._repr_html_()


def test_values_are_ordered_by_what_is_better():
    values = [ExactValue(True, 1), ExactValue(True, 5), ExactValue(False, 6), ExactValue(False, 0)]
    assert sorted(values, reverse=True) == values
    with pytest.raises(ValueError, match="plies is even"):
        ExactValue(True, 2)
    assert ExactValue(False, 126).plies == 126
    with pytest.raises(ValueError, match="plies is 129; it should be a whole number from 0 to 127"):
        ExactValue(True, 129)


def test_an_agent_that_has_answered_is_another():
    agent, new = Agent("random"), Agent("random")
    known = {agent}
    agent.turn(BOARD)
    assert agent != new and agent in known
    for again in (copy.copy(agent), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert again == agent and again.turn(BOARD) == copy.copy(agent).turn(BOARD) and again != agent


def test_wrong_parts_are_refused_by_name():
    for call, words in [
        (lambda: Line("x", 0.5, []), "score is"),
        (lambda: Line(1, 0.5, "c2"), "turns is"),
        (lambda: Line(1, 0.5, [3]), r"turns\[0\] is 3"),
        (lambda: Report([5], 1, 1, 0.0), r"lines\[0\] is 5; it should be a Line"),
        (lambda: Probe("x", 5, []), "value is 5"),
        (lambda: Probe("x", WIN, [("a", 5)]), r"turns\[0\] is 5"),
        (lambda: SolvedPlacement("a1", (), WIN, 1, 1), "first is"),
    ]:
        with pytest.raises(TypeError, match=words):
            call()


@pytest.mark.parametrize("cards", [None, "random", ("Pan", "Atlas")])
@pytest.mark.parametrize("size", [5, 6])
@pytest.mark.parametrize("restart", [True, False])
def test_a_copy_of_a_batch_plays_the_same_games(cards, size, restart):
    batch = Batch(20, size, cards=cards, seed=3, restart=restart)
    for steps in (0, 2, 30, 60):
        for _ in range(steps):
            batch.step(batch.sample())
        again = pickle.loads(pickle.dumps(batch))
        twin = copy.deepcopy(batch)
        assert again == batch == twin and repr(again) == repr(batch)
        assert (again.ended == batch.ended).all()
        assert (again.final_observations() == batch.final_observations()).all()
        for _ in range(40):
            assert (again.sample() == (actions := twin.sample())).all()
            assert (again.step(actions) == twin.step(actions)).all()
        assert (again.observations() == twin.observations()).all() and again == twin
        assert again != batch and (again.rollouts(3) == twin.rollouts(3)).all()
    assert batch._repr_html_().startswith("<p>")


def test_a_broken_state_of_a_batch_is_refused():
    state = Batch(2)._state()
    doubled = state.replace("[null,null,null]", "[3,3,null]")
    ended = '"last":[[0,["00000/02000/00000/00000/00000 b2e5 a5e1 4 Pan Atlas","b2-b1#"],9]]'
    with_cards = state.replace('"last":[]', ended)
    assert with_cards != state
    others = state.replace("null", "77"), state.replace('"games":', '"lost":'), doubled, with_cards
    for broken in ("", "{}", *others):
        with pytest.raises(ValueError):
            Batch._of_state(broken)


def masks_of(env):
    """The legal actions of each game."""
    if isinstance(env, santorini_v0.raw_env):
        return env.observe(env.agent_selection)["action_mask"][None]
    return np.atleast_2d(env.action_masks())


@pytest.mark.parametrize("make", ENVIRONMENTS)
def test_environments_are_copied_with_their_phase(make):
    env = make()
    env.reset(seed=1)
    rng = np.random.default_rng(2)
    for _ in range(12):
        again = pickle.loads(pickle.dumps(env))
        twin = copy.copy(env)
        assert again == env == copy.deepcopy(env) == twin and repr(again) == repr(env)
        with pytest.raises(TypeError, match="unhashable"):
            hash(env)
        if not masks_of(env).any():
            break
        actions = [rng.choice(np.flatnonzero(mask)) for mask in masks_of(env)]
        for one in (env, again):
            one.step(np.array(actions) if isinstance(env, SantoriniVectorEnv) else actions[0])
            assert (again == env) == (one is again)
        assert twin != env
    for one in (env, again):
        one.reset()
    assert again == env
    assert env != make() and env != 5 and env._repr_html_().startswith("<")
    assert repr(env).startswith(type(env).__name__ + "(")


def test_environments_show_how_they_are_made():
    env = SantoriniEnv("level:3", cards="random", player=1, render_mode="ansi")
    assert env == eval(repr(env)) and env != SantoriniEnv("level:3", cards="random", player=1)
    raw = santorini_v0.raw_env(6, ("Pan", "Atlas"), render_mode="svg")
    assert repr(raw) == "raw_env(size=6, cards=('Pan', 'Atlas'), start='empty', turns=0, render_mode='svg')"
    vector = SantoriniVectorEnv(3, autoreset_mode="Disabled")
    assert vector == eval(repr(vector)) and vector != SantoriniVectorEnv(3)
