"""The opponents of the environments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ._santorini import Agent, Engine, LevelPlayer, Position

# The nodes of an engine's search for a placement, which take about a tenth of a second. A
# limit of time would not repeat the same games.
_PLACING_NODES = 300_000


class Opponent(Protocol):
    """A player that chooses turns and placements."""

    def turn(self, position: Position) -> str: ...

    def place(
        self, first: Sequence[str] | None, cards: Sequence[str] | None, size: int
    ) -> Sequence[str] | None:
        """The squares of its workers, as in `Engine.place`; None for random squares."""
        ...


@dataclass(frozen=True)
class _Searching:
    limits: dict[str, Any]
    engine: Engine = field(default_factory=Engine)
    placed: dict[Any, Sequence[str]] = field(default_factory=dict, compare=False)

    def turn(self, position: Position) -> str:
        # Copies have other tables, and should play the same.
        self.engine.clear()
        turn = self.engine.best(position, **self.limits).turn
        assert turn is not None
        return turn

    def place(
        self, first: Sequence[str] | None, cards: Sequence[str] | None, size: int
    ) -> Sequence[str]:
        # Many games have the same question.
        question = (tuple(first or ()), tuple(cards or ()), size)
        if question not in self.placed:
            self.engine.clear()
            found = self.engine.place(first, cards, size, nodes=_PLACING_NODES)
            self.placed[question] = found
        return self.placed[question]


@dataclass(frozen=True)
class Level:
    """A level. It has another seed in each game: the same one would repeat the game."""

    player: LevelPlayer

    def in_game(self, seed: int) -> LevelPlayer:
        return self.player._seeded(seed)


@dataclass(frozen=True)
class _Laboratory:
    agent: Agent

    def turn(self, position: Position) -> str:
        return self.agent.turn(position)

    def place(
        self, first: Sequence[str] | None, cards: Sequence[str] | None, size: int
    ) -> Sequence[str]:
        return self.agent.place(first)


@dataclass(frozen=True)
class _Function:
    function: Callable[[Position], str]

    def turn(self, position: Position) -> str:
        return self.function(position)

    def place(
        self, first: Sequence[str] | None, cards: Sequence[str] | None, size: int
    ) -> None:
        return None


# The limits of an engine, with their types and largest values.
_LIMITS: dict[str, tuple[type, float]] = {
    "nodes": (int, 2**64 - 1),
    "depth": (int, 2**32 - 1),
    "seconds": (float, 1e9),
}


def _searching(text: str) -> _Searching:
    limits: dict[str, Any] = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        try:
            kind, most = _LIMITS[name]
            limit = kind(number)
        except (KeyError, ValueError):
            limit, most = 0, 0
        if name in limits or not 0 < limit <= most:
            raise ValueError(
                f'opponent is "engine:{text}"; it should be such as "engine:nodes=500", with '
                "nodes, depth or seconds, each once and greater than 0"
            )
        limits[name] = limit
    return _Searching(limits)


def _level(text: str) -> Level:
    highest = LevelPlayer.highest
    if not text.isdecimal() or not 1 <= int(text) <= highest:
        raise ValueError(f'opponent is "level:{text}"; it should be "level:1" to "level:{highest}"')
    return Level(LevelPlayer(int(text)))


def opponent(given: Any, rng: np.random.Generator, *, is_base: bool) -> Opponent | Level | None:
    """The opponent for the argument `opponent`: a name, a player, or a function from a
    `Position` to a turn. Returns None for random turns.

    is_base: whether the games are the base game on 5x5 spaces.
    """
    if isinstance(given, str):
        kind, _, rest = given.partition(":")
        if given == "random":
            return None
        if kind == "level":
            return _level(rest)
        if kind == "engine":
            return _searching(rest)
        try:
            given = Agent(given, int(rng.integers(2**32)))
        except ValueError as error:
            why = str(error).removeprefix("text: ")
            raise ValueError(
                f'opponent: {why}; other opponents are "random", "level:3" and "engine:nodes=500"'
            ) from None
    if isinstance(given, Agent):
        if not is_base:
            raise ValueError(
                f'opponent is "{given.text}"; agents of the laboratory play only the base game on '
                '5x5 spaces, so it should be such as "level:3" or "engine:nodes=500"'
            )
        # Its answers depend on how many it has given.
        return _Laboratory(copy(given))
    is_object = not isinstance(given, type)
    if is_object and hasattr(given, "turn") and hasattr(given, "place"):
        player: Opponent = given
        return player
    if is_object and callable(given):
        return _Function(given)
    raise TypeError(
        f"opponent is {given!r}; it should be a text, a player or a function of a Position"
    )
