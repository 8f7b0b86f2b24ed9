"""The board game Santorini: its rules, a strong engine, records of games, and
environments for learning.

>>> import santorini
>>> position = santorini.Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
>>> engine = santorini.Engine()
>>> report = engine.best(position, nodes=20_000)
>>> position = position.play(report.turn)

| to | use |
|---|---|
| play by the rules | `Position` |
| judge a turn, and name the rule it breaks | `Position.judge`, `IllegalTurn` |
| find the best turns, review a game | `Engine` |
| evaluate or search many positions on all cores | `Engine.evaluate`, `Engine.label` |
| read, replay and write records of games | `read_games`, `Game` |
| play against a level, or an agent of the laboratory | `LevelPlayer`, `Agent` |
| get exact results of small boards | `Solved` |
| play on small boards | `SmallBoard` |
| learn with many games at once, as arrays | `Batch` |
| learn from all eight symmetries of a position | `Position.symmetric`, `symmetric_planes` |
| learn in a Gymnasium environment | `gymnasium.make("Santorini-v0")` |
| learn in a PettingZoo environment | `santorini.santorini_v0` |
| learn with OpenSpiel | `santorini.openspiel_v0` |
| ask a language model | `Position.describe`, `Position.parse_turn` |

Values with equal parts are equal; the parts of an `Agent` include the number of its
answers. Values can be copied, pickled and used as keys of dictionaries; only `Batch` and
`Labels`, which hold arrays, cannot be keys.

Ctrl-C ends long work. To end it in other threads, pass an event as
`stop=threading.Event()` and call its `set()`. The work then raises `Stopped`, but
`Engine.best`, `Engine.analyze` and `Engine.place` return the best they have found.

Squares are written `a1` to `e5` (`f6` on the larger board), turns `c3-c4+b4`: the
worker on c3 moves to c4 and builds on b4; `c3-c4#` wins. Player 0 moves first,
player 1 second.
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

from ._labels import Labels
from ._register import register as _register
from .small import SmallBoard
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
"""The god cards."""

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The directions of actions in a `Batch`, clockwise; north is towards row 1."""


def read_games(path: str | PathLike[str]) -> Games:
    """Iterates over the games of a file of records.

    The file was written by `santorini tournament`, `serve` or `lab play`, or has a line
    of `Game.to_json` for each game. A truncated last line is skipped. Raises OSError,
    such as FileNotFoundError, if the file cannot be read, and ValueError at a line that
    is not a record.
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
    "Labels",
    "LevelPlayer",
    "Line",
    "Position",
    "Probe",
    "Report",
    "SmallBoard",
    "Solved",
    "SolvedPlacement",
    "Stopped",
    "__version__",
    "read_games",
    "symmetric_planes",
]
