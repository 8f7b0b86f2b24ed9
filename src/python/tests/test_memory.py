"""A lack of memory raises MemoryError, and Python keeps running."""

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limit is that of Linux")

# A script that limits the memory to this many more bytes, and prints the results of
# work.
LIMITED = """
import resource
import santorini
from santorini import Batch, Position

# Loaded once, before the limit.
Batch(8192, cards="random").masks()

def limit(left):
    pages = int(open("/proc/self/statm").read().split()[0])
    size = pages * resource.getpagesize() + left
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))

def try_it(name, work):
    try:
        work()
    except MemoryError as error:
        print(f"{name}: {error}")
    else:
        print(f"{name}: done")
"""


def run(program):
    text = LIMITED + textwrap.dedent(program)
    # Memory comes from the system, not from what other threads have reserved or freed.
    env = os.environ | {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "131072"}
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_batch_without_memory_is_a_memory_error():
    lines = run(
        """
        limit(256 << 20)
        for size in (5, 6):
            for count in (1 << 24, 1 << 23, 1 << 22):
                try_it(count, lambda: Batch(count, size))
        try_it("small", lambda: Batch(1000))
        """
    )
    assert lines[-1] == "small: done"
    for line in lines[:-1]:
        assert "there is no memory for" in line and "bytes" in line, line


def test_work_without_memory_is_a_memory_error():
    lines = run(
        """
        from santorini import Agent, Engine, LevelPlayer

        board = Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
        limit(8 << 20)
        try_it("engine", lambda: Engine().best(board, nodes=100))
        try_it("level", lambda: LevelPlayer(5).turn(board))
        try_it("count", lambda: board.perft(3))
        limit(64 << 20)
        try_it("learning", lambda: Agent("qlearning:episodes=5000000"))
        try_it("table", lambda: Engine(hash_mib=1 << 20).best(board, nodes=100))
        """
    )
    refused = "there is no memory left for this work: 16 MiB"
    assert lines[:3] == [f"{name}: {refused}" for name in ("engine", "level", "count")]
    assert lines[3].startswith("learning: no memory for a Q-table of more than ")
    assert lines[4] == "table: done"


def test_arrays_without_memory_are_memory_errors():
    lines = run(
        """
        batch = Batch(1 << 18, cards="random")
        large = Batch(1 << 21)
        actions = large.sample()
        limit(64 << 20)
        try_it("masks", batch.masks)
        try_it("observations", batch.observations)
        try_it("step", lambda: large.step(actions))
        try_it("small", lambda: Batch(1000).masks())
        """
    )
    assert lines[0].startswith("masks: there is no memory for an array") and "[262144, 2907]" in lines[0]
    assert lines[1].startswith("observations: there is no memory for an array")
    assert lines[2].startswith("step: there is no memory for 2097152 games: ")
    assert lines[3] == "small: done"
