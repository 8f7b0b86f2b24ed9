"""The board game Santorini: its rules, a strong engine, records of games, and
environments for learning.

>>> import santorini
>>> position = santorini.Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
>>> engine = santorini.Engine()
>>> report = engine.best(position, nodes=20_000)
>>> position = position.play(report.turn)

| to | use |
|---|---|
| know the rules | `Position` |
| judge a turn, and know which rule it breaks | `Position.judge`, `IllegalTurn` |
| find the best turns, review a game | `Engine` |
| read, replay and write records of games | `read_games`, `Game` |
| play against a level, or an agent of the laboratory | `LevelPlayer`, `Agent` |
| know the truth: small boards solved | `Solved` |
| learn: many games at once, as arrays | `Batch` |
| learn from each position eight times | `Position.symmetric`, `symmetric_planes` |
| learn: an environment of Gymnasium | `gymnasium.make("Santorini-v0")` |
| learn: an environment of PettingZoo | `santorini.santorini_v0` |
| ask a language model | `Position.describe`, `Position.parse_turn` |

What is made of the same is equal, can be copied and pickled, and is a key of dictionaries,
except a `Batch`, which changes.

What takes long is ended by Ctrl-C, and in other threads by an event: pass
`stop=threading.Event()`, and `set()` it elsewhere. Then `Stopped` is raised.

Squares are written `a1` to `e5` (`f6` on the larger board), turns `c3-c4+b4`: the
worker on c3 moves to c4 and builds on b4; `c3-c4#` wins. Players have the numbers
0, who moves first, and 1.
"""

from os import PathLike

from . import _classes as _classes
from ._santorini import (
    Agent,
    Batch,
    Engine,
    ExactValue,
    Game,
    Games,
    IllegalTurn,
    LevelPlayer,
    Line,
    Position,
    Probe,
    Report,
    Solved,
    SolvedPlacement,
    Stopped,
    __version__,
)

from ._register import register as _register
from .symmetry import SYMMETRIES, symmetric_planes

_register()

CARDS = (
    "Apollo",
    "Artemis",
    "Atlas",
    "Demeter",
    "Hephastus",
    "Minotaur",
    "Pan",
    "Prometheus",
)
"""The god cards that a game can be played with."""

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The directions of actions in a `Batch`, clockwise; north is towards row 1."""


def read_games(path: str | PathLike[str]) -> Games:
    """The games of a file of records, one after the other.

    The file is one that `santorini tournament`, `serve` or `lab play` wrote, or
    that has a line of `Game.to_json` for each game. A last line that was cut short
    is left out. Raises OSError, such as FileNotFoundError, if the file cannot be read,
    and ValueError where a line is no record.
    """
    return Games(path)


__all__ = [
    "CARDS",
    "DIRECTIONS",
    "SYMMETRIES",
    "Agent",
    "Batch",
    "Engine",
    "ExactValue",
    "Game",
    "Games",
    "IllegalTurn",
    "LevelPlayer",
    "Line",
    "Position",
    "Probe",
    "Report",
    "Solved",
    "SolvedPlacement",
    "Stopped",
    "__version__",
    "read_games",
    "symmetric_planes",
]
