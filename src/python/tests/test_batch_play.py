"""Batches in matches and in learning: parts of a batch, what games end with, threads."""

import sys
import threading
import time

import numpy as np
import pytest

from santorini import Batch, IllegalTurn, Position

WINS = "00000/01200/00320/00000/00000 c2d4 a1a5 6"
GOES_ON = "00000/00000/00000/00000/00000 c2d4 a1a5 6"


def two(**options):
    batch = Batch(2, **options)
    batch.set_positions([Position(WINS), Position(GOES_ON)])
    return batch


def test_steps_leave_out_games_that_are_over():
    batch = two(restart=False)
    turn = batch.action_of(1, "c2-c3+c2")
    won = batch.step([batch.action_of(0, "c2-c3#"), turn])
    assert won.tolist() == [True, False]
    last = batch.position(0)
    for action in (0, -5, 10**9):
        assert not batch.step([action, batch.sample()[1]])[0]
        assert batch.position(0) == last and len(batch.ended) == 0
    batch.reset([True, False])
    assert batch.position(0) is None and batch.position(1) is not None
    batch.reset()
    assert batch.position(1) is None


def test_only_chosen_games_are_played():
    batch = Batch(3, seed=1)
    assert not batch.step([128, 129, 130], where=[True, False, True]).any()
    assert batch.masks().sum(1).tolist() == [24, 25, 24]
    batch.step([-1, 129, -1], where=np.array([False, True, False]))
    assert batch.masks().sum(1).tolist() == [24, 24, 24]
    with pytest.raises(IllegalTurn, match="action -1 is not legal in game 0"):
        batch.step([-1, 129, -1], where=[True, False, False])
    for mask, error in [([1, 0, 1], TypeError), ([True], ValueError), ("x", TypeError), (5, (TypeError, ValueError))]:
        with pytest.raises(error, match="where"):
            batch.step([128] * 3, where=mask)
        if mask != 5:
            with pytest.raises(error, match="game"):
                batch.reset(mask)


@pytest.mark.parametrize("restart", [True, False])
def test_what_a_game_ended_with_is_kept(restart):
    batch = two(restart=restart)
    before = batch.position(0)
    batch.step([batch.action_of(0, "c2-c3#"), batch.action_of(1, "c2-c3+c2")])
    assert batch.ended.tolist() == [0] and batch.final_winners.tolist() == [0]
    assert batch.final_lengths.tolist() == [1]
    assert batch.rewards.tolist() == [[1, -1], [0, 0]]
    last = before.play("c2-c3#")
    assert batch.final_position(0) == last and batch.final_position(0).winner == 0
    assert batch.final_position(1) is None
    assert (batch.final_observations()[0] == last.planes()).all()
    assert (batch.final_observations(player=0)[0] == last.planes(player=0)).all()
    assert batch.final_observations(dtype="float32").dtype == np.float32
    assert (batch.position(0) is None) == restart


@pytest.mark.parametrize("cards", [None, "random"])
def test_lengths_winners_and_rewards_of_whole_games(cards):
    batch = Batch(40, cards=cards, seed=5)
    lengths, ended = np.zeros(40, int), 0
    for _ in range(150):
        movers = batch.to_move
        won = batch.step(batch.sample())
        lengths += 1
        assert (batch.ended == np.flatnonzero(won)).all()
        assert (batch.final_lengths == lengths[won]).all()
        assert (batch.final_winners == movers[won]).all()
        assert batch.final_observations().shape[0] == won.sum()
        for game, winner in zip(batch.ended, batch.final_winners):
            position = batch.final_position(game)
            assert position.is_over and position.winner == winner
            assert batch.rewards[game, winner] == 1 and batch.rewards[game].sum() == 0
        assert not batch.rewards[~won].any()
        lengths[won] = 0
        ended += won.sum()
    assert ended > 50


@pytest.mark.parametrize("options", [{}, {"cards": "random"}, {"start": "random", "turns": 3, "size": 6}])
def test_games_are_the_same_in_a_batch_of_any_size(options):
    small, large = Batch(3, seed=9, **options), Batch(50, seed=9, **options)
    for _ in range(120):
        assert (small.observations() == large.observations()[:3]).all()
        actions = large.sample()
        assert (small.sample() == actions[:3]).all()
        assert (small.step(actions[:3]) == large.step(actions)[:3]).all()
    assert (small.rollouts(2) == large.rollouts(2)[:3]).all()
    assert len({tuple(row.ravel()) for row in large.observations()}) > 20


def test_positions_are_set_together_or_not_at_all():
    batch = two()
    assert str(batch.position(0)) == WINS and str(batch.position(1)) == GOES_ON
    batch.set_positions([None, Position(WINS)])
    assert str(batch.position(1)) == WINS
    over = Position("04440/44444/44444/44444/00444 a1e1 a5b5 9")
    for positions, error, words in [
        ([Position(GOES_ON), over], ValueError, r"positions\[1\]: the game is over"),
        ([Position(GOES_ON), 5], TypeError, r"positions\[1\] is 5"),
        ([Position(GOES_ON)], ValueError, "positions has 1 items"),
        ([Position(GOES_ON)] * 3, ValueError, "positions has more items"),
        ([Position(GOES_ON), Position.random(size=6)], ValueError, r"positions\[1\]: .*another size"),
        (5, TypeError, "positions is 5"),
        ("ab", TypeError, "positions is"),
    ]:
        with pytest.raises(error, match=words):
            batch.set_positions(positions)
        assert str(batch.position(0)) == WINS


def test_planes_of_either_kind_and_either_side():
    batch = Batch(30, seed=2)
    for _ in range(25):
        planes = batch.observations()
        floats = batch.observations(dtype=np.float32)
        assert floats.dtype == np.float32 and (floats == planes).all()
        out = np.ones_like(floats)
        assert batch.observations(out) is out and (out == planes).all()
        both = [batch.observations(player=player) for player in (0, 1)]
        mover = batch.to_move
        for game in range(30):
            assert (both[mover[game]][game] == planes[game]).all()
            other = both[1 - mover[game]][game]
            assert (other[:4] == planes[game, :4]).all()
            assert (other[6] == planes[game, 4:6].any(0)).all()
            assert (other[4:6].any(0) == planes[game, 6]).all()
        batch.step(batch.sample())
    for wrong in ("int8", "x", 5):
        with pytest.raises((TypeError, ValueError), match="dtype"):
            batch.observations(dtype=wrong)
    with pytest.raises(ValueError, match="player is 2"):
        batch.observations(player=2)


def test_another_thread_is_told_that_the_batch_is_in_use():
    batch, stop = Batch(8, seed=1), threading.Event()
    thread = threading.Thread(target=lambda: pytest.raises(Exception, batch.rollouts, 2**32 - 1, stop=stop))
    thread.start()
    try:
        said = ""
        while not said:
            try:
                batch.observations()
            except RuntimeError as error:
                said = str(error)
        # What never changes can be read meanwhile.
        assert (batch.size, batch.actions, repr(batch)) == (5, 153, "<Batch of 8 games on 5x5>")
    finally:
        stop.set()
        thread.join()
    assert said.startswith("another thread is using this batch")
    assert batch.observations().shape[0] == 8


def test_threads_with_a_batch_each_run_side_by_side():
    counts = []

    def play(seed):
        batch = Batch(256, seed=seed)
        counts.append(sum(int(batch.step(batch.sample()).sum()) for _ in range(200)))

    threads = [threading.Thread(target=play, args=(1,)) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(set(counts)) == 1 and len(counts) == 4


@pytest.mark.parametrize(
    "work",
    [
        lambda batch: Batch(len(batch), cards="random"),
        lambda batch: batch.step(batch.sample()),
        lambda batch: batch.masks(),
        lambda batch: batch.observations(dtype="float32"),
    ],
)
def test_other_threads_run_while_a_batch_works(work):
    batch, rounds, over = Batch(20_000, cards="random", seed=1), [0], threading.Event()

    def go_round():
        while not over.is_set():
            rounds[0] += 1
            time.sleep(0.0002)

    thread = threading.Thread(target=go_round)
    thread.start()
    # Python itself then leaves this thread only where it waits.
    most, patience = 0, sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        for _ in range(20):
            before = rounds[0]
            work(batch)
            most = max(most, rounds[0] - before)
            if most >= 3:
                break
    finally:
        sys.setswitchinterval(patience)
        over.set()
        thread.join()
    assert most >= 3
