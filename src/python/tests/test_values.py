"""Equality, hashes, copies, pickles and views of all classes that are values."""

import copy
import pickle

import numpy as np
import pytest

from santorini import (
    Agent,
    Batch,
    Engine,
    ExactValue,
    Game,
    LevelPlayer,
    Line,
    Position,
    Probe,
    Report,
    SolvedPlacement,
    santorini_v0,
)

BOARD = Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
WIN = ExactValue(True, 3)
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
]


@pytest.mark.parametrize("make, other", VALUES)
def test_values_of_the_same_parts_are_equal(make, other):
    one, same = make(), make()
    assert one == same and hash(one) == hash(same) and len({one, same}) == 1
    assert one != other() and not one == 5 and one != "x"
    for again in (copy.copy(one), copy.deepcopy([one])[0]):
        assert again == one and type(again) is type(one)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(one, protocol))
        assert again == one and repr(again) == repr(one)


@pytest.mark.parametrize("make, other", VALUES)
def test_values_show_themselves(make, other):
    for value in (make(), other()):
        assert type(value).__name__ in repr(value)
        picture = value._repr_svg_() if isinstance(value, Position) else value._repr_html_()
        assert picture.startswith("<") and picture.count("<table") == picture.count("</table")


def test_names_in_views_are_escaped():
    game = Game(BOARD, [], players=("<script>", "B"))
    assert "<script>" not in game._repr_html_() and "&lt;script&gt;" in game._repr_html_()


def test_values_are_ordered_by_what_is_better():
    values = [ExactValue(True, 1), ExactValue(True, 5), ExactValue(False, 6), ExactValue(False, 0)]
    assert sorted(values, reverse=True) == values
    with pytest.raises(ValueError, match="plies is even"):
        ExactValue(True, 2)


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
        with pytest.raises(TypeError, match="unhashable"):
            hash(batch)
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
    for broken in ("", "{}", state.replace("null", "77"), state.replace('"games":', '"lost":')):
        with pytest.raises(ValueError):
            Batch._of_state(broken)


def test_environments_are_copied_with_their_phase():
    for options in ({}, {"cards": "random"}):
        env = santorini_v0.raw_env(**options)
        env.reset(seed=1)
        rng = np.random.default_rng(2)
        for _ in range(12):
            again = pickle.loads(pickle.dumps(env))
            assert again == env == copy.deepcopy(env) and again.agent_selection == env.agent_selection
            action = rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))
            for one in (env, again):
                one.step(action)
            assert again == env
        assert env != santorini_v0.raw_env(**options) and env._repr_html_().startswith("<")
