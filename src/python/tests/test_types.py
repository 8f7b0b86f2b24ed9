"""The types of the package, as mypy and pyright see them."""

import json
import shutil
import subprocess
import sys
import textwrap

import pytest

USER = """
import numpy as np
from numpy.typing import NDArray
import gymnasium
from typing import Any
from santorini import (
    Batch, Engine, ExactValue, Game, IllegalTurn, Labels, LevelPlayer, Line, Position, SmallBoard,
    read_games, symmetric_planes,
)
from santorini.gymnasium_v0 import SantoriniEnv, SantoriniVectorEnv

position = Position.random(3, seed=1)
planes: NDArray[np.uint8] = position.planes()
floats: NDArray[np.float32] = position.planes(np.float32, player=0)
turned: NDArray[np.float32] = symmetric_planes(floats, 3)
canonical, symmetry = position.canonical()
mirrored: NDArray[np.int64] = position.symmetric_actions(symmetry)
try:
    position.play(position.parse_turn("c3 to c4, build b4"))
except IllegalTurn as error:
    rule: str | None = error.rule
batch = Batch(16, seed=1, cards="random")
seen: NDArray[np.float32] = batch.observations(dtype="float32", player=1)
bytes_seen: NDArray[np.uint8] = batch.observations()
won: NDArray[np.bool_] = batch.step(batch.sample(), where=batch.masks().any(1))
batch.reset(won)
for game in batch.ended:
    last: Position | None = batch.final_position(game)
report = Engine("tuned").best(position, nodes=100)
line: Line = report.lines[0]
one: int = Engine().evaluate(position)
many: NDArray[np.float32] = Engine(threads=2).evaluate(batch)
labels: Labels = Engine().label([position, batch.position(0)], nodes=100)
actions: NDArray[np.int64] = labels.actions
targets: NDArray[np.float32] = report.chances(position)
small: Position = SmallBoard("3x3").start(["a1", "a2"], ["b1", "b2"])
better: bool = ExactValue(True, 3) > ExactValue(False, 2)
games: dict[Game, int] = {game: len(game) for game in read_games("games.jsonl")}
env = SantoriniEnv("level:3", cards=("Pan", "Atlas"))
observation, info = env.reset(seed=1)
mask: NDArray[np.bool_] = env.action_masks()
vector = SantoriniVectorEnv(8, LevelPlayer(2), autoreset_mode="SameStep")
made: gymnasium.Env[Any, Any] = gymnasium.make("Santorini-v0", opponent=env)
"""


def run(*arguments, **options):
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, **options)
    return done.returncode, done.stdout + done.stderr


def test_a_user_of_the_package_passes_mypy_strict(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "user.py"
    program.write_text(textwrap.dedent(USER))
    code, said = run("mypy", "--strict", str(program), cwd=tmp_path)
    assert code == 0, said
    program.write_text("from santorini import Position\nPosition(5).turns(3)\n")
    assert run("mypy", "--strict", str(program), cwd=tmp_path)[0] == 1


def test_the_package_passes_mypy_strict(tmp_path):
    pytest.importorskip("mypy")
    code, said = run("mypy", "--strict", "-p", "santorini", cwd=tmp_path)
    assert code == 0, said


def test_the_stub_is_complete(tmp_path):
    pytest.importorskip("mypy")
    code, said = run("mypy.stubtest", "santorini._santorini", cwd=tmp_path)
    assert code == 0, said


def pyright(folder, program):
    """The errors of pyright in a program, with its strict rules."""
    (folder / "user.py").write_text(program)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    said = run("pyright", "--pythonpath", sys.executable, "--outputjson", cwd=folder)[1]
    return json.loads(said[said.index("{") :])["generalDiagnostics"]


def test_a_user_of_the_package_passes_pyright_strict(tmp_path):
    pytest.importorskip("pyright")
    if shutil.which("node") is None or run("pyright", "--version", cwd=tmp_path)[0] != 0:
        pytest.skip("pyright cannot be installed")
    assert pyright(tmp_path, USER) == []
    assert pyright(tmp_path, "from santorini import Position\nPosition(5).turns(3)\n") != []
