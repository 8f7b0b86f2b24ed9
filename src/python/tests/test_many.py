"""Evaluations and searches of many positions at once, compared with single ones."""

import threading
import time
import _thread

import numpy as np
import pytest

from santorini import Batch, Engine, IllegalTurn, Labels, Position, Stopped

SET = threading.Event()
SET.set()


def batches():
    """Batches with and without cards, on both boards, with placements and finished games."""
    for size, cards in [(5, None), (6, None), (5, "random"), (6, "random")]:
        for start in ("empty", "random"):
            batch = Batch(40, size, cards=cards, start=start, restart=False, seed=3)
            for _ in range(3):
                batch.step(batch.sample())
            if start == "random":
                half = np.arange(40) % 2 == 0
                while batch.masks()[half].any():
                    batch.step(batch.sample(), where=half)
            yield batch


@pytest.mark.parametrize("evaluation", ["network", "tuned"])
def test_evaluations_in_bulk_equal_single_ones(evaluation):
    one, many = Engine(evaluation), Engine(evaluation, threads=3)
    for batch in batches():
        positions = [batch.position(game) for game in range(len(batch))]
        single = [np.nan if each is None else one.evaluate(each) for each in positions]
        for given in (batch, positions, tuple(positions)):
            values = many.evaluate(given)
            assert values.dtype == np.float32
            np.testing.assert_array_equal(values, np.array(single, np.float32))


def test_boards_of_both_sizes_may_be_in_one_list():
    positions = [Position.random(4, seed=seed, size=5 + seed % 2) for seed in range(20)]
    engine = Engine(threads=2)
    assert list(engine.evaluate(positions)) == [engine.evaluate(each) for each in positions]
    labels = engine.label(positions, nodes=200)
    for position, action in zip(positions, labels.actions):
        assert position.mask()[action]


def test_many_evaluations_are_shared_by_threads():
    batch = Batch(20_000, start="random", turns=4, seed=1)
    values = Engine(threads=4).evaluate(batch)
    np.testing.assert_array_equal(values, Engine().evaluate(batch))
    sample = range(0, 20_000, 997)
    assert [values[game] for game in sample] == [Engine().evaluate(batch.position(game)) for game in sample]


@pytest.mark.parametrize("limits", [{"nodes": 300}, {"depth": 3}])
def test_labels_equal_the_searches_of_new_engines(limits):
    for batch in batches():
        labels = Engine("tuned", hash_mib=1, threads=3).label(batch, **limits)
        assert isinstance(labels, Labels)
        for game, (action, score, chance, depth, nodes) in enumerate(zip(*labels)):
            position = batch.position(game)
            if position is None or position.is_over:
                assert action == -1 and np.isnan([score, chance]).all() and depth == nodes == 0
                continue
            report = Engine("tuned", hash_mib=1).best(position, **limits)
            assert position.turn_of(action) == report.turn
            assert (score, depth, nodes) == (report.score, report.depth, report.nodes)
            assert chance == np.float32(report.chance)
            assert batch.masks()[game, action]


def test_the_score_without_an_iteration_is_the_evaluation():
    positions = [Position.random(8, seed=seed, cards=("Artemis", "Atlas")) for seed in range(20)]
    engine = Engine("tuned", hash_mib=1)
    labels = engine.label(positions, nodes=1)
    unknown = 0
    for position, score, chance, depth in zip(positions, labels.scores, labels.chances, labels.depths):
        report = Engine("tuned", hash_mib=1).best(position, nodes=1)
        assert (report.score, np.float32(report.chance), report.depth) == (score, chance, depth)
        if depth == 0 and not report.lines[0].is_proved:
            assert score == engine.evaluate(position) and (chance > 0.5) == (score > 0)
            unknown += 1
    assert unknown > 5


def test_labels_can_be_played():
    batch = Batch(30, start="random", turns=4, restart=False, seed=2)
    engine = Engine("tuned", threads=2)
    for _ in range(200):
        actions = engine.label(batch, nodes=50).actions
        if (actions < 0).all():
            break
        batch.step(actions, where=actions >= 0)
    assert not batch.masks().any()


def test_bulk_work_is_stopped():
    batch = Batch(50_000, start="random", seed=1)
    engine = Engine("tuned", hash_mib=1, threads=2)
    with pytest.raises(Stopped):
        engine.label(batch, nodes=1000, stop=SET)
    with pytest.raises(Stopped):
        engine.evaluate(batch, stop=SET)
    began = time.monotonic()
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        engine.label(batch, seconds=10)
    assert time.monotonic() - began < 10
    assert engine.label([], nodes=1).actions.shape == (0,) and engine.evaluate([]).shape == (0,)


def test_other_threads_of_python_go_on_meanwhile():
    batch, engine = Batch(300, start="random", seed=1), Engine("tuned", threads=1)
    counted = 0
    done = threading.Event()

    def work():
        engine.label(batch, nodes=5000)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        assert len(batch.masks()) == 300
        counted += 1
    thread.join()
    assert counted > 3


@pytest.mark.parametrize("given", [5, "x", [5], [Position.random(), "x"], None, range(2)])
def test_anything_but_positions_is_refused(given):
    with pytest.raises(TypeError, match=r"position.* is .*; it should be a"):
        Engine().evaluate(given)
    with pytest.raises(TypeError, match=r"positions.* is .*; it should be a"):
        Engine().label(given, nodes=1)
    with pytest.raises(ValueError, match="how long to search"):
        Engine().label([])


def test_all_turns_of_an_analysis_are_an_array():
    for options in ({}, {"size": 6}, {"cards": ("Demeter", "Pan")}):
        position = Position.random(6, seed=4, **options)
        report = Engine("tuned").analyze(position, position.count_turns(), nodes=3000)
        scores, chances = report.scores(position), report.chances(position)
        mask = position.mask()
        assert scores.shape == chances.shape == mask.shape and scores.dtype == np.float32
        assert (np.isfinite(scores) == mask).all() and (np.isfinite(chances) == mask).all()
        for line in report.lines:
            action = position.action_of(line.turn)
            assert scores[action] == line.score and chances[action] == np.float32(line.chance)
        assert np.nanmax(scores) == scores[position.action_of(report.turn)]
        few = Engine("tuned").analyze(position, 3, nodes=3000)
        assert np.isfinite(few.scores(position)).sum() == 3
    with pytest.raises(IllegalTurn):
        report.scores(Position.random(9, seed=5, cards=("Pan", "Atlas")))
    with pytest.raises(TypeError, match="position is 3; it should be a Position"):
        report.scores(3)
