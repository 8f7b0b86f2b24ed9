"""Boards of 2x2 to 4x4 spaces, with one or two workers a player: small enough to be solved, so
a learner can be compared with exact values.

>>> board = SmallBoard("3x3", workers=1)
>>> position = board.start(["a1"], ["c3"])
>>> solved = Solved.solve("3x3.solved", board.name, board.workers)
>>> solved.value(position)
<ExactValue loss in 30>

A small board is the corner of a larger one whose other spaces have domes, where no worker can
move or build. With one worker a player, the second workers stand between domes in other
corners and can never move. So its positions are `Position` objects, which `Engine`, `LevelPlayer`
and a `Batch` of the size `SmallBoard.size` take. An `Agent` takes them if that size is 5 and
there are no cards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from . import _views
from ._arguments import is_whole
from ._santorini import Position

__all__ = ["SmallBoard"]

_DOME = 4
_LETTERS = "abcdef"


@dataclass(frozen=True)
class SmallBoard:
    """A small board.

    name: its rows and columns, from 2 to 4 each, such as "3x4".
    workers: the workers of each player, 1 or 2.
    cards: the cards of the first and the second player, or None.
    """

    name: str
    workers: int = 2
    cards: tuple[str, str] | None = None

    def _repr_html_(self) -> str:
        return _views.maker(self)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"name is {self.name!r}; it should be a text (str)")
        if not re.fullmatch("[2-4]x[2-4]", self.name):
            raise ValueError(f"name is {self.name!r}; it should be 2x2 to 4x4, such as 3x4")
        if not is_whole(self.workers) or self.workers not in (1, 2):
            raise ValueError(f"workers is {self.workers!r}; a player has 1 or 2")
        # This checks the names and normalises them.
        cards = Position.start(("a1", "b1"), ("c1", "d1"), self.cards).cards
        object.__setattr__(self, "cards", cards)

    @property
    def rows(self) -> int:
        """The number of its rows."""
        return int(self.name[0])

    @property
    def columns(self) -> int:
        """The number of its columns."""
        return int(self.name[2])

    @property
    def size(self) -> int:
        """The rows of the larger board."""
        # An idle worker needs a corner without neighbours on the small board.
        return 6 if self.workers == 1 and "4" in self.name else 5

    @property
    def idle(self) -> tuple[str, ...]:
        """The squares of the workers that can never move: the first player's and the second's."""
        return () if self.workers == 2 else (f"a{self.size}", f"{_LETTERS[self.size - 1]}{self.size}")

    @property
    def squares(self) -> list[str]:
        """The names of its spaces, row by row."""
        letters = _LETTERS[: self.columns]
        return [f"{letter}{row + 1}" for row in range(self.rows) for letter in letters]

    def start(self, first: Sequence[str], second: Sequence[str]) -> Position:
        """The start of a game with the workers of both players on these squares."""
        levels = [[0] * self.columns] * self.rows
        return self._position(levels, list(first), list(second), 0)

    def random_start(self, rng: np.random.Generator) -> Position:
        """The start of a game with workers on random squares."""
        if not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng is {rng!r}; it should be numpy.random.default_rng()")
        squares = list(rng.choice(self.squares, 2 * self.workers, replace=False))
        return self.start(squares[: self.workers], squares[self.workers :])

    def starts(self) -> list[Position]:
        """All starts of a game."""
        groups = list(combinations(self.squares, self.workers))
        return [
            self.start(first, second)
            for first in groups
            for second in groups
            if not set(first) & set(second)
        ]

    def _position(
        self, levels: Sequence[Sequence[int]], mover: list[str], other: list[str], turn: int
    ) -> Position:
        for workers in (mover, other):
            if len(workers) != self.workers or not set(workers) <= set(self.squares):
                raise ValueError(
                    f"the workers of a player stand on {workers}; "
                    f"there should be {self.workers}, on {self.name} spaces"
                )
        whole = [[_DOME] * self.size for _ in range(self.size)]
        for row, heights in enumerate(levels):
            whole[row][: self.columns] = heights
        for square in self.idle:
            whole[int(square[1]) - 1][_LETTERS.index(square[0])] = 0
        if self.idle:
            first, second = self.idle
            idle = (second, first) if turn % 2 else (first, second)
            mover, other = [*mover, idle[0]], [*other, idle[1]]
        rows = "/".join("".join(map(str, row)) for row in whole)
        words = [rows, "".join(mover), "".join(other), str(turn)]
        cards = self.cards or ()
        return Position(" ".join([*words, *(cards[::-1] if turn % 2 else cards)]))

    def position(self, text: str, turn: int = 0) -> Position:
        """The position with this text of `Solved`: the levels row by row, the workers of the
        player to move, the opponent's workers. `turn` is the number of turns played."""
        if not isinstance(text, str):
            raise TypeError(f"text is {text!r}; it should be a text (str)")
        if not is_whole(turn):
            raise TypeError(f"turn is {turn!r}; it should be a whole number")
        words = text.split()
        rows = words[0].split("/") if words else []
        right = f"{self.rows} rows of {self.columns} levels"
        if [len(row) for row in rows] != [self.columns] * self.rows or not all(
            re.fullmatch("[0-4]+", row) for row in rows
        ):
            raise ValueError(f"{text!r} does not begin with {right} from 0 to 4")
        if len(words) < 3:
            raise ValueError(f"{text!r} should have the workers of both players after the levels")
        cards = list(self.cards or ())[:: -1 if turn % 2 else 1]
        if words[3:] != cards:
            right = " ".join(cards) or "nothing"
            raise ValueError(f"{text!r} should have {right} after the workers, with turn={turn}")
        mover, other = (re.findall("..?", word) for word in words[1:3])
        return self._position([list(map(int, row)) for row in rows], mover, other, turn)

    def text(self, position: Position) -> str:
        """The text of a position, as `Solved` reads it. Raises ValueError if it is not on this
        board, or if the last turn has won: no text says that, but `Solved` also takes the
        `Position`."""
        if not isinstance(position, Position):
            raise TypeError(f"position is {position!r}; it should be a Position")
        text = position._small_text(self.name, self.workers, self.cards)
        if text is None:
            raise ValueError(f"position: it is not a position on {self}")
        if (position.last_turn or "").endswith("#"):
            raise ValueError(
                f"position is won by {position.last_turn}, which no text says; "
                "pass the Position itself to Solved"
            )
        return text
