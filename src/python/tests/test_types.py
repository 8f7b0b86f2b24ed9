"""The types of the package, as mypy and pyright see them."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

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
rng = np.random.default_rng(1)
drawn = Position.random(np.int64(3), seed=rng.integers(100), size=np.int8(5))
found = Engine(hash_mib=np.int64(1)).best(drawn, nodes=np.int64(3))
view = Batch(rng.integers(1, 9), seed=rng.integers(100)).observations(player=np.int8(1))
third = SantoriniEnv(LevelPlayer(np.int64(2), seed=rng.integers(9)), player=np.int8(1), size=np.int64(6))
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
    # Its classes have a metaclass of OpenSpiel, which has no types.
    allowed = tmp_path / "allowed"
    allowed.write_text("santorini.openspiel_v0.*\n")
    options = ["--allowlist", str(allowed), "--ignore-unused-allowlist"]
    code, said = run("mypy.stubtest", "santorini", *options, cwd=tmp_path)
    assert code == 0, said


def pyright(folder, *arguments):
    """What pyright finds in this folder, for this Python."""
    pytest.importorskip("pyright")
    if shutil.which("node") is None or run("pyright", "--version", cwd=folder)[0] != 0:
        pytest.skip("pyright cannot be installed")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    said = run("pyright", "--outputjson", *arguments, cwd=folder, env=os.environ | {"PATH": path})[1]
    return json.loads(said[said.index("{") :])


def test_a_user_of_the_package_passes_pyright_strict(tmp_path):
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')

    def errors(program):
        (tmp_path / "user.py").write_text(program)
        return pyright(tmp_path)["generalDiagnostics"]

    assert errors(USER) == []
    assert errors("from santorini import Position\nPosition(5).turns(3)\n") != []


def test_all_public_types_are_known(tmp_path):
    found = pyright(tmp_path, "--verifytypes", "santorini", "--ignoreexternal")["typeCompleteness"]
    public = [each for each in found["symbols"] if each["isExported"]]
    unknown = {each["name"].removeprefix("santorini.") for each in public if not each["isTypeKnown"]}
    # PettingZoo and OpenSpiel, from which these come, have no types for users.
    untyped = ("santorini_v0.raw_env", "openspiel_v0.")
    assert len(public) > 100 and not [name for name in unknown if not name.startswith(untyped)]
