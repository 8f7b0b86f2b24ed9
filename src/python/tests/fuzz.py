"""Calls every public function of the package with random and hostile arguments.

    python fuzz.py --calls 200000 --seed 1

The functions are found in the package, so new ones are called too. Errors of arguments are
expected. A panic, a crash or any other exception is a fault and is shown with its call. The exit
code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import copy
import faulthandler
import importlib
import inspect
import io
import os
import pickle
import random
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

import santorini

# The exceptions that wrong arguments may raise.
EXPECTED = (TypeError, ValueError, IndexError, OSError, MemoryError, santorini.Stopped, StopIteration)
# Modules whose public names are called, where their libraries are installed.
MODULES = ("santorini", "santorini.gymnasium_v0", "santorini.santorini_v0", "santorini.openspiel_v0")
# Their classes keep to the errors of PettingZoo and OpenSpiel.
LIBRARIES = ("santorini.santorini_v0", "santorini.openspiel_v0")
# Special methods that Python calls for users.
SPECIAL = (
    *("__eq__", "__lt__", "__hash__", "__repr__", "__str__", "__len__", "__iter__", "__next__"),
    *("__contains__", "__getitem__", "_repr_html_", "_repr_svg_"),
)
# The seconds that a call may take before its `stop` is set.
PATIENCE = 0.05
# Objects kept of each class.
KEPT = 12


class Deadline:
    """An event that is set when a call has taken too long."""

    def __init__(self) -> None:
        self.end = 0.0

    def start(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def is_set(self) -> bool:
        return time.monotonic() > self.end


class Odd:
    """An object that raises an error for every operation."""

    def fail(self, *arguments):
        raise ZeroDivisionError("odd")

    __index__ = __float__ = __fspath__ = __repr__ = __bool__ = __len__ = __iter__ = is_set = fail
    __array__ = __call__ = __eq__ = __hash__ = fail


class Meddling:
    """An object that changes other objects while it is read."""

    def __init__(self, objects) -> None:
        self.objects = objects

    def meddle(self, *arguments):
        for batch in self.objects[santorini.Batch][:2]:
            batch.reset()
            batch.step(batch.sample())
        return 1

    __index__ = __len__ = __float__ = __call__ = is_set = meddle

    def __getitem__(self, index):
        self.meddle()
        if index > 1:
            raise IndexError(index)
        return "a1"


def nothing(*arguments):
    """A function that takes everything."""
    return 0


def hostile(objects):
    """Values that are wrong, or odd, for most arguments."""
    circle: list = []
    circle.append(circle)
    knot: dict = {}
    knot["knot"] = knot
    return [
        *(None, True, False, -1, 0, 1, 2, 5, 6, 7, 255, 2**31, 2**63, 2**64, -(2**70), 10**400, 10**5000),
        *(1.5, -0.0, 1e300, float("nan"), float("inf"), 1j, "", "x", "a1", "f6", "Pan", "random", "empty"),
        *("\ud800", "\0", "é" * 5000, "{", "[" * 10_000, "{}", '{"turn": NaN}', b"x", bytearray(3)),
        *([], (), [1, 2], ("a1",), ["a1", "b2"], ("a1", "a1"), ("Pan", "Zeus"), ("a1", "\ud800"), circle),
        *(knot, {}, {"a": {1}}, {"turn": -1, "spaces": [], "players": None}, set(), object(), int, Odd()),
        *(Meddling(objects), nothing, range(2), range(2**40), iter([1]), np.int64(3)),
        *(np.float32(2.5), np.array([1, 2]), np.array(["a1", "b1"]), np.zeros((2, 153), bool), np.array(3)),
        *(np.zeros((1, 7, 5, 5), np.float32), np.zeros((2, 23, 6, 6), np.uint8)[:, ::2], np.ones(3, bool)),
        *(np.array([None, None]), np.zeros(0), memoryview(b"ab"), santorini.Position, "nodes=1", "level:1"),
    ]


def first_turn(position):
    """An opponent."""
    return position.turns()[0]


def fitting(name, fuzz):
    """A value that probably fits the argument of this name."""
    rng = fuzz.rng
    position = fuzz.this if isinstance(fuzz.this, santorini.Position) else fuzz.any_of(santorini.Position)
    some = [fuzz.any_of(santorini.Position) for _ in range(rng.randrange(5))]
    batch = fuzz.this if isinstance(fuzz.this, santorini.Batch) else fuzz.any_of(santorini.Batch)
    squares = [column + row for column in "abcdef" for row in "123456"]
    game = fuzz.any_of(santorini.Game)
    cards = rng.choice([None, None, "random", tuple(rng.sample(santorini.CARDS, 2))])
    turns = position.turns() or ["a1-a2+a1"]
    small = rng.choice([0, 1, 2, 3, 5, 17, 100])
    values = {
        **dict.fromkeys(("text", "turn", "start", "state"), lambda: rng.choice(
            [str(position), rng.choice(turns), rng.choice(turns), batch._state(), position.to_json(), position.to_dict(), position, "random", "00/00 a1 b2",
             "minimax", "alphabeta:depth=1", "a1b1", "qlearning:episodes=10", "level:2", "engine:nodes=20"])),
        "after": lambda: rng.choice([*position.successors()[:2], position, position.to_json()]),
        **dict.fromkeys(("first", "second", "reply"), lambda: rng.choice([None, rng.sample(squares, 2), rng.sample(squares[:2], 1)])),
        "cards": lambda: cards,
        "size": lambda: rng.choice([5, 6]),
        "dtype": lambda: rng.choice([np.uint8, np.float32, "float32", None]),
        **dict.fromkeys(("player", "wins", "ascii", "restart", "force"), lambda: rng.choice([0, 1, True])),
        **dict.fromkeys(("position",), lambda: rng.choice([position, position, batch, some, "00/00 a1 b2"])),
        "positions": lambda: rng.choice([batch, some, [None], ["00/00 a1 b2"] * small]),
        "symmetry": lambda: rng.randrange(8),
        "planes": lambda: position.planes(),
        "actions": lambda: rng.choice([batch.sample(), np.zeros(len(batch), int), position.actions()]),
        "action": lambda: rng.choice([*position.actions(), 0, *batch.sample()]),
        **dict.fromkeys(("where", "game"), lambda: rng.choice([0, None, batch.masks().any(1), fuzz.any_of(santorini.Game)])),
        "out": lambda: rng.choice([None, batch.masks(), batch.observations()]),
        "opponent": lambda: rng.choice(["random", "level:1", "engine:nodes=20", first_turn]),
        "seconds": lambda: rng.choice([0.001, 0.01]),
        "depth": lambda: rng.choice([1, 2, 3, 100]),
        "level": lambda: rng.randint(1, santorini.LevelPlayer.highest),
        **dict.fromkeys(("lines",), lambda: rng.choice([2, 300, [fuzz.any_of(santorini.Line)]])),
        **dict.fromkeys(("value",), lambda: fuzz.any_of(santorini.ExactValue)),
        "path": lambda: rng.choice(["2x2.solved", "new", "games.jsonl", Path("none"), "."]),
        "name": lambda: rng.choice(["2x2", "3x4", "4x4"]),
        **dict.fromkeys(("callback", "progress"), lambda: rng.choice([None, nothing, Odd(), Meddling(fuzz.objects)])),
        "turns": lambda: rng.choice([0, 3, True, [], turns[:1]]),
        "players": lambda: rng.choice([("A", "B"), ["", "\n"]]),
        "eval": lambda: rng.choice(["network", "tuned", "paper"]),
        "hash_mib": lambda: rng.choice([1, 2, 2**20]),
        "threads": lambda: rng.choice([1, 2, 3, 1024]),
        "render_mode": lambda: rng.choice([None, "ansi", "svg", "rgb_array", "human"]),
        "options": lambda: {},
        "board": lambda: rng.choice(["2x2", position.to_json(), position.to_dict()]),
        "record": lambda: rng.choice([game.to_json(), game.to_dict()]),
        "other": lambda: fuzz.any_of(rng.choice(list(fuzz.objects))),
        "agent": lambda: rng.choice(["player_0", "player_1"]),
        "rng": lambda: np.random.default_rng(1),
        "autoreset_mode": lambda: rng.choice(["NextStep", "SameStep", "Disabled"]),
        "memory": lambda: 0.1,
        "count": lambda: rng.choice([1, 2, 3, 100, 5000]),
    }
    return values.get(name, lambda: small)()


# Arguments that must stay small: with larger ones, calls take long.
NEVER_LONGER = {"memory": 0.1, "keep": 0.1, "seconds": 0.01, "num_envs": 3, "turns": 12}
# The seconds that a call may take before the script gives up.
HANGING = 120


class Function:
    """A function that is called: of a module, of a class, or of an object of a class."""

    def __init__(self, name, owner, call, parameters) -> None:
        self.name, self.owner, self.call, self.parameters = name, owner, call, parameters


def parameters_of(function):
    """Its parameters without `self`; those that are optional have a default."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    return [each for each in found if each.name not in ("self", "cls")]


def members(cls, name):
    """The functions of a class: its constructor, methods and attributes."""
    yield Function(name, None, cls, parameters_of(cls) or [])
    yield Function(f"{name} copied", cls, copy.deepcopy, [])
    yield Function(f"{name} pickled", cls, lambda this: pickle.loads(pickle.dumps(this)), [])
    # A class that is written in Python inherits some from its library.
    for member in sorted({*vars(cls), *(each for each in SPECIAL if hasattr(cls, each))}):
        if member.startswith("_") and member not in SPECIAL and member not in ("_state", "_of_state", "_again"):
            continue
        static = isinstance(vars(cls).get(member), staticmethod)
        here = getattr(cls, member)
        full = f"{name}.{member}"
        if static:
            yield Function(full, None, here, parameters_of(here) or [])
        elif callable(here):
            yield Function(full, cls, lambda this, *a, m=member, **k: getattr(this, m)(*a, **k), parameters_of(here) or [])
        else:
            yield Function(full, cls, lambda this, m=member: getattr(this, m), [])


def public_functions():
    """All public functions of the package."""
    found, classes = {}, {}
    for module_name in MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            print(f"fuzz: {module_name} is not called: its library is not installed")
            continue
        names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        for name in names:
            here = getattr(module, name)
            full = f"{module_name}.{name}"
            if inspect.isclass(here) and issubclass(here, BaseException):
                continue
            if inspect.isclass(here):
                classes.setdefault(here, full)
            elif callable(here):
                found[full] = Function(full, None, here, parameters_of(here) or [])
    for cls, full in classes.items():
        for function in members(cls, full):
            found[function.name] = function
    return list(found.values()), list(classes)


class Fuzz:
    """Calls functions at random, and keeps what they return for later calls."""

    def __init__(self, seed, functions, classes, log) -> None:
        self.rng = random.Random(seed)
        self.functions, self.log = functions, log
        self.deadline = Deadline()
        self.objects = {cls: [] for cls in classes}
        self.faults: dict[str, str] = {}
        self.counts: collections.Counter[str] = collections.Counter()
        self.returned: collections.Counter[str] = collections.Counter()
        start = santorini.Position.random(3, seed=seed)
        line = santorini.Line(5, 0.5, start.turns()[:1])
        self.first = {
            santorini.Position: start,
            santorini.Batch: santorini.Batch(3, start="random", seed=seed),
            santorini.Line: line,
            santorini.ExactValue: santorini.ExactValue(True, 3),
            santorini.Game: santorini.Game(start, start.turns()[:1]),
            santorini.Report: santorini.Report([line], 1, 1, 1.0),
            santorini.Engine: santorini.Engine("tuned", hash_mib=1),
            santorini.LevelPlayer: santorini.LevelPlayer(1),
            santorini.Agent: santorini.Agent("random"),
            santorini.Solved: santorini.Solved.solve("2x2.solved", "2x2", 1, threads=1),
            santorini.SmallBoard: santorini.SmallBoard("2x2", 1),
            santorini.Labels: santorini.Engine("tuned", hash_mib=1).label([start], depth=1),
        }
        self.hostile = hostile(self.objects)
        for value in self.first.values():
            self.keep(value)

    def any_of(self, cls):
        kept = self.objects.get(cls)
        return self.rng.choice(kept) if kept else self.first.get(cls)

    def keep(self, value) -> None:
        """Keeps an object of a class of the package, and those in a list."""
        if type(value) in (list, tuple):
            for item in value[:3]:
                if type(item) not in (list, tuple):
                    self.keep(item)
            return
        kept = self.objects.get(type(value))
        if kept is not None and not (isinstance(value, santorini.Batch) and len(value) > 5000):
            if len(kept) < KEPT:
                kept.append(value)
            else:
                kept[self.rng.randrange(KEPT)] = value

    def argument(self, parameter, odd_share):
        name = parameter.name
        if name == "stop":
            return self.rng.choice([self.deadline] * 9 + [5])
        if self.rng.random() >= odd_share:
            return fitting(name, self)
        value = self.rng.choice(self.hostile)
        if name in NEVER_LONGER and isinstance(value, (int, float)):
            return NEVER_LONGER[name]
        return value

    def arguments(self, function):
        odd_share = self.rng.choice([0, 0.1, 0.3, 1])
        named, listed = {}, []
        for parameter in function.parameters:
            if parameter.kind is parameter.VAR_POSITIONAL:
                continue
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            needed = parameter.default is parameter.empty
            if needed or parameter.name in ("stop", *NEVER_LONGER) or self.rng.random() < 0.5:
                value = self.argument(parameter, odd_share)
                if parameter.kind is parameter.POSITIONAL_ONLY:
                    listed.append(value)
                else:
                    named[parameter.name] = value
        if self.rng.random() < 0.01:
            named[self.rng.choice(["unknown", "self", "stop"])] = self.rng.choice(self.hostile)
        return listed, named

    def once(self) -> None:
        function = self.rng.choice(self.functions)
        this = [] if function.owner is None else [self.any_of(function.owner)]
        if this and this[0] is None:
            return
        self.this = this[0] if this else None
        listed, named = self.arguments(function)
        call = f"{function.name}: {_shown(this)} {_shown(listed)} {_shown(named)}"
        self.log.seek(0)
        self.log.write(call.encode(errors="replace")[:4000].ljust(4000))
        self.counts[function.name] += 1
        began = time.monotonic()
        self.deadline.start(PATIENCE)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                value = function.call(*this, *listed, **named)
            self.returned[function.name] += 1
            self.keep(value)
        except EXPECTED as error:
            if not _said(error) and not isinstance(error, (StopIteration, MemoryError)):
                self.fault(function, call, error)
        except ZeroDivisionError as error:
            if _said(error) != "odd":
                self.fault(function, call, error)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            if not _is_right(function, error):
                self.fault(function, call, error)
        if (took := time.monotonic() - began) > 10:
            self.fault(function, call, TimeoutError(f"it took {took:.0f} s"))

    def fault(self, function, call, error) -> None:
        steps = traceback.extract_tb(error.__traceback__)
        kind = f"{function.name} {type(error).__name__} {steps[-1].lineno if steps else ''}"
        if kind not in self.faults:
            places = "".join(traceback.format_tb(error.__traceback__)[-2:])
            self.faults[kind] = f"{call}\n{places}{type(error).__name__}: {_said(error)}"


def _is_right(function, error):
    """Whether another error is expected: of a call at the wrong time, or of a library."""
    said = _said(error)
    if function.name.startswith(LIBRARIES):
        return isinstance(error, Exception) and not isinstance(error, SystemError) and "a fault of" not in said
    if type(error).__module__ == "gymnasium.error":
        return True
    at_wrong_time = "another thread is using" in said or "call reset(" in said
    return isinstance(error, RuntimeError) and at_wrong_time


def _said(error):
    try:
        return str(error)
    except Exception:
        # It shows a number that is too long.
        return f"{type(error).__name__} without a text"


def _shown(value):
    try:
        return repr(value)[:300]
    except Exception:
        return object.__repr__(value)


def run(calls, seed, memory_gib, folder):
    functions, classes = public_functions()
    faulthandler.enable()
    warnings.simplefilter("ignore")
    if sys.platform != "win32":
        import resource

        limit = memory_gib << 30
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    os.chdir(folder)
    print(f"fuzz: {len(functions)} functions, seed {seed}, the last call in {folder / 'last-call'}", flush=True)
    with open(folder / "last-call", "w+b", buffering=0) as log:
        fuzz = Fuzz(seed, functions, classes, log)
        began = time.monotonic()
        for _ in range(calls):
            faulthandler.dump_traceback_later(HANGING, exit=True)
            fuzz.once()
        faulthandler.cancel_dump_traceback_later()
    never = sorted(each.name for each in functions if not fuzz.counts[each.name])
    failing = sorted(name for name in fuzz.counts if not fuzz.returned[name])
    took = time.monotonic() - began
    print(f"fuzz: {sum(fuzz.counts.values())} calls in {took:.0f} s, {sum(fuzz.returned.values())} returned")
    print(f"fuzz: never called: {', '.join(never) or 'none'}")
    print(f"fuzz: never returned: {', '.join(failing) or 'none'}")
    for found in fuzz.faults.values():
        print(f"\nfault: {found}")
    print(f"fuzz: {len(fuzz.faults)} faults")
    return 1 if fuzz.faults else 0


def main() -> None:
    parser = argparse.ArgumentParser(description="calls the whole package with hostile arguments")
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where files are written; by default a new one")
    parser.add_argument("--memory-gib", type=int, default=8, help="the most memory")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="santorini-fuzz-"))
    sys.exit(run(options.calls, options.seed, options.memory_gib, folder))


if __name__ == "__main__":
    main()
