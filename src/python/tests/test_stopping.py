"""Ctrl-C ends long work; an event ends it in other threads."""

import _thread
import threading
import time

import pytest

from santorini import Agent, Batch, Engine, Game, LevelPlayer, Position, Solved, Stopped

BOARD = Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
CARDS = Position.random(seed=1, cards=("Artemis", "Demeter"))

# Seconds: longer than any delay of the machine, much shorter than the work.
SOON = 30


def turn(agent):
    return lambda stop: Agent(agent).turn(BOARD, stop=stop)


ENDLESS = {
    "minimax": turn("minimax:depth=20"),
    "alphabeta": turn("alphabeta:depth=20"),
    "mc": turn("mc:episodes=100000000"),
    "engine for a time": turn("engine:time=3600"),
    "engine for nodes": turn("engine:nodes=1000000000"),
    "level": turn("level:number=10,nodes=1000000000"),
    "placing": lambda stop: Agent("minimax:depth=20,setup=20").place(stop=stop),
    "learning": lambda stop: Agent("qlearning:episodes=5000000", stop=stop),
    "perft": lambda stop: BOARD.perft(100, stop=stop),
    "perft with cards": lambda stop: CARDS.perft(100, stop=stop),
    "rollouts": lambda stop: Batch(8).rollouts(2**32 - 1, stop=stop),
    "starts": lambda stop: Batch(100_000, start="random", turns=2**32 - 1, stop=stop),
    "starts with cards": lambda stop: Batch(2**24, 6, cards="random", start="random", turns=20, stop=stop),
    "level player": lambda stop: LevelPlayer(LevelPlayer.highest, seconds=3600).turn(BOARD, stop=stop),
    "level player with cards": lambda stop: LevelPlayer(LevelPlayer.highest, seconds=3600).turn(CARDS, stop=stop),
    "level player places": lambda stop: LevelPlayer(LevelPlayer.highest, seconds=3600).place(size=6, stop=stop),
    "review": lambda stop: Engine(hash_mib=1).review(Game(BOARD, BOARD.turns()[:1]), nodes=2**60, stop=stop),
}

FOUND = {
    "best": lambda stop: Engine(hash_mib=1).best(BOARD, seconds=3600, stop=stop),
    "analyze": lambda stop: Engine(hash_mib=1).analyze(CARDS, 3, nodes=2**60, stop=stop),
    "place": lambda stop: Engine(hash_mib=1).place(cards=("Pan", "Atlas"), seconds=3600, stop=stop),
}


def interrupted(work):
    """Returns the seconds between Ctrl-C and the end of `work`."""
    pressed = []

    def press():
        pressed.append(time.monotonic())
        _thread.interrupt_main()

    timer = threading.Timer(0.3, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work(None)
    finally:
        timer.join()
    return time.monotonic() - pressed[0]


def stopped(work):
    """Runs `work` in another thread and sets its event. Returns what it returns or raises,
    and the seconds until then."""
    event, results = threading.Event(), []

    def run():
        try:
            results.append(work(event))
        except Stopped as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.3)
    assert not results
    began = time.monotonic()
    event.set()
    thread.join()
    return results[0], time.monotonic() - began


@pytest.mark.parametrize("name", [*ENDLESS, *FOUND])
def test_ctrl_c_ends_it(name):
    seconds = interrupted((ENDLESS | FOUND)[name])
    print(f"{name}: ended {seconds:.3f} s after Ctrl-C")
    assert seconds < SOON


@pytest.mark.parametrize("name", ENDLESS)
def test_an_event_ends_it_in_another_thread(name):
    result, seconds = stopped(ENDLESS[name])
    print(f"{name}: ended {seconds:.3f} s after the event")
    assert isinstance(result, Stopped) and seconds < SOON


@pytest.mark.parametrize("name", FOUND)
def test_a_search_that_an_event_ends_gives_what_it_found(name):
    result, seconds = stopped(FOUND[name])
    print(f"{name}: ended {seconds:.3f} s after the event")
    assert result and not isinstance(result, Stopped) and seconds < SOON


def test_an_event_that_is_set_before_ends_work_at_once():
    event = threading.Event()
    event.set()
    for work in ENDLESS.values():
        with pytest.raises(Stopped):
            work(event)
    with pytest.raises(Stopped):
        Position.random(2**32 - 1, stop=event)


def test_waiting_for_a_busy_engine_can_be_stopped():
    engine, event = Engine(hash_mib=1), threading.Event()
    thread = threading.Thread(target=lambda: engine.best(BOARD, seconds=3600, stop=event))
    thread.start()
    time.sleep(0.3)
    try:
        for work in (lambda stop: engine.best(BOARD, nodes=1), lambda stop: engine.clear()):
            assert interrupted(work) < SOON
    finally:
        event.set()
        thread.join()
    assert engine.best(BOARD, nodes=1000).turn in BOARD.turns()


def test_a_batch_continues_after_a_stop():
    batch = Batch(4, start="random", turns=3, seed=1)
    before = [batch.position(game) for game in range(4)]
    assert interrupted(lambda stop: batch.rollouts(2**32 - 1)) < SOON
    assert [batch.position(game) for game in range(4)] == before
    assert not batch.step(batch.sample()).all()


def test_an_error_of_the_event_is_raised():
    class Broken:
        def is_set(self):
            raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        BOARD.perft(100, stop=Broken())


def test_solving_is_stopped_by_an_event(tmp_path):
    path = tmp_path / "3x4.solved"
    result, seconds = stopped(lambda stop: Solved.solve(path, "3x4", workers=2, memory=8, stop=stop))
    print(f"solving: ended {seconds:.3f} s after the event")
    assert isinstance(result, Stopped) and seconds < SOON
