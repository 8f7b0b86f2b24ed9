"""Measures the package: turns a second, the speed-up over plain Python (tests/plain.py), and
the parts of a learning loop with a batch of 1,024 games.

    python speed.py
"""

import os
import random
import sys
import time
from pathlib import Path

import numpy as np

import santorini

sys.path.insert(0, str(Path(__file__).parent / "tests"))
import plain


def rate(work, seconds=1.0):
    """Returns the rate of `work` per second: the best of three runs."""
    best = 0.0
    for _ in range(3):
        done, began = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - began) < seconds / 3:
            done += work()
        best = max(best, done / elapsed)
    return best


def package_game():
    position = santorini.Position.start(*random.choice(STARTS))
    count = 0
    while turns := position.turns():
        position = position.play(random.choice(turns))
        count += 1
    return count


STARTS = [
    ((a, b), (c, d))
    for a, b, c, d in (
        random.sample([column + row for column in "abcde" for row in "12345"], 4)
        for _ in range(100)
    )
]


def main():
    rng = random.Random(1)
    rules = plain.Rules()
    boards = [board for _ in range(20) for board, _ in rules.boards(rng)]
    positions = [santorini.Position(f"{rules.text(board)} 0") for board in boards]

    def plain_turns():
        for board in boards:
            rules.turns(board)
        return len(boards)

    def package_turns():
        for position in positions:
            position.turns()
        return len(positions)

    batch = santorini.Batch(1024, seed=1)

    turns, package = rate(plain_turns), rate(package_turns)
    print(f"legal turns    plain {turns:12,.0f} boards/s   package {package:12,.0f}   {package / turns:6.1f} times")
    games, package = rate(lambda: len(list(rules.boards()))), rate(package_game)
    batched = rate(lambda: steps(batch))
    print(f"random games   plain {games:12,.0f} turns/s    package {package:12,.0f}   {package / games:6.1f} times")
    print(f"               in batches of 1,024               {batched:12,.0f}   {batched / games:6.1f} times")
    print_searches()
    for name, options in [
        ("base game", {}),
        ("6x6", {"size": 6}),
        ("cards", {"cards": "random"}),
        ("cards on 6x6", {"cards": "random", "size": 6}),
    ]:
        print_batch(name, santorini.Batch(1024, seed=1, **options))


def steps(batch):
    for _ in range(10):
        batch.step(batch.sample())
    return 10 * len(batch)


def print_searches():
    """Prints the rates of evaluations and searches of many positions at once, and of single
    calls, on one thread and on all cores."""
    batch = santorini.Batch(20_000, start="random", turns=8, seed=1)
    positions = [batch.position(game) for game in range(2_000)]
    some = positions[:200]
    cores = os.cpu_count() or 1
    for threads in sorted({1, cores}):
        engine = santorini.Engine(hash_mib=16, threads=threads)
        values = rate(lambda: len(engine.evaluate(batch)))
        labels = rate(lambda: len(engine.label(some, nodes=1000).actions))
        print(f"{threads:3} threads    evaluations {values:12,.0f}/s   searches of 1,000 nodes {labels:8,.0f}/s")
    engine = santorini.Engine(hash_mib=16)
    values = rate(lambda: len([engine.evaluate(position) for position in positions]))
    print(f"single calls   evaluations {values:12,.0f}/s")


def print_batch(name, batch):
    """Prints the rates of the parts of a learning loop: each alone, and the first three
    together."""
    planes, masks = batch.observations(), batch.masks()

    def arrays(work, out):
        for _ in range(10):
            work(out)
        return 10 * len(batch)

    def loop():
        for _ in range(10):
            batch.step(batch.sample())
            batch.observations(planes)
            batch.masks(masks)
        return 10 * len(batch)

    def playouts():
        np.sum(batch.rollouts(4))
        return 4 * len(batch)

    rates = {
        "turns": rate(lambda: steps(batch)),
        "planes": rate(lambda: arrays(batch.observations, planes)),
        "masks": rate(lambda: arrays(batch.masks, masks)),
        "all three": rate(loop),
        "random games": rate(playouts),
    }
    print(f"{name:14}" + "   ".join(f"{part} {value:12,.0f}/s" for part, value in rates.items()))


if __name__ == "__main__":
    main()
