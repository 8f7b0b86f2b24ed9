"""Santorini as a game of OpenSpiel, on 5x5 and 6x6 spaces and on small boards.

>>> import pyspiel
>>> from santorini import openspiel_v0  # registers the game
>>> game = pyspiel.load_game("python_santorini")
>>> small = pyspiel.load_game("python_santorini(board=3x3,workers=1)")

| parameter | is |
|---|---|
| `board` | rows and columns: 5x5 (the default), 6x6, or 2x2 to 4x4 |
| `workers` | the workers of each player: 2 (the default), or 1 on a small board |
| `cards` | the cards of both players, such as "Pan Atlas"; "" for the base game |

The players first place their workers, one per action. Actions are numbered as in
`santorini.Batch`; a small board uses the numbers of its larger board (see
`santorini.SmallBoard`). An observation has planes of 0 and 1: spaces of at least level 1, 2, 3
and 4, the workers of the player to move, and the other player's workers.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found, unused-ignore]
from open_spiel.python.observation import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
    IIGObserverForPublicInfoGame,
)

from . import _views
from ._santorini import Batch, IllegalTurn, Position
from .small import SmallBoard

__all__ = ["SantoriniGame", "SantoriniState"]

_PLANES = 6

_DEFAULTS: dict[str, Any] = {"board": "5x5", "workers": 2, "cards": ""}

_TYPE = pyspiel.GameType(
    short_name="python_santorini",
    long_name="Santorini",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class _Whole:
    """A board of 5x5 or 6x6 spaces, with the attributes of a `SmallBoard`."""

    def __init__(self, size: int, cards: tuple[str, str] | None) -> None:
        self.size: int = size
        self.rows: int = size
        self.columns: int = size
        self.workers: int = 2
        self.cards: tuple[str, str] | None = cards
        self.squares: list[str] = [f"{letter}{row + 1}" for row in range(size) for letter in "abcdef"[:size]]

    def start(self, first: list[str], second: list[str]) -> Position:
        """The start of a game with the workers of both players on these squares."""
        return Position.start(first, second, self.cards, self.size)


def _board(name: str, workers: int, cards: str) -> _Whole | SmallBoard:
    names = cards.split()
    if len(names) not in (0, 2):
        raise ValueError(f"cards is {cards!r}; it should be two cards, such as 'Pan Atlas', or none")
    pair = (names[0], names[1]) if names else None
    if re.fullmatch("[2-4]x[2-4]", name):
        return SmallBoard(name, workers, pair)
    if name not in ("5x5", "6x6"):
        raise ValueError(f"board is {name!r}; it should be 5x5, 6x6, or 2x2 to 4x4")
    if workers != 2:
        raise ValueError(f"workers is {workers}; it should be 2 on {name} spaces")
    return _Whole(int(name[0]), pair)


def _parameters(params: dict[str, Any] | None) -> dict[str, Any]:
    """All parameters, checked: OpenSpiel crashes on some wrong ones."""
    given: dict[str, Any] = dict(_DEFAULTS)
    for name, value in (params or {}).items():
        if name not in given:
            raise ValueError(f"params has {name!r}; it should have only {', '.join(given)}")
        if type(value) is not type(given[name]):
            right = type(given[name]).__name__
            raise TypeError(f"params[{name!r}] is {value!r}; it should be of type {right}")
        given[name] = value
    return given


class SantoriniGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """The game as OpenSpiel uses it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = _parameters(params)
        self.board: _Whole | SmallBoard = _board(given["board"], given["workers"], given["cards"])
        cards = self.board.cards
        self.actions: int = Batch(1, self.board.size, cards=cards).actions
        spaces = self.board.rows * self.board.columns
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # Each turn but the last builds a level; each worker is placed by an action.
            max_game_length=4 * spaces + 1 + 2 * self.board.workers,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self, state: None = None) -> SantoriniState:
        """The start, with an empty board."""
        return SantoriniState(self)

    def _repr_html_(self) -> str:
        return _views.maker(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer, which makes the planes described in this module."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.board, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SantoriniState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A game being played: workers being placed, and then a `Position`."""

    def __init__(self, game: SantoriniGame) -> None:
        if not isinstance(game, SantoriniGame):
            # OpenSpiel crashes otherwise.
            raise TypeError(f"game is of type {type(game).__name__}; it should be a SantoriniGame")
        super().__init__(game)
        self.board: _Whole | SmallBoard = game.board
        self._first = game.actions - game.board.size**2
        self.placed: list[str] = []
        """The squares of the workers that were placed, in order."""
        self.position: Position | None = None
        """None until all workers are placed."""

    def _names(self) -> dict[int, str]:
        """The squares on which a worker can be placed, by their actions."""
        size = self.board.size
        index = {name: (int(name[1]) - 1) * size + ord(name[0]) - ord("a") for name in self.board.squares}
        return {self._first + index[name]: name for name in index if name not in self.placed}

    def _square(self, action: int) -> str:
        """The square on which an action places a worker."""
        names = self._names()
        if action not in names:
            error = IllegalTurn(f"action {action} is not legal: it places no worker")
            error.rule = "illegal-action"
            raise error
        return names[action]

    def current_player(self) -> int:
        """The player to move, 0 or 1, or `pyspiel.PlayerId.TERMINAL`."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.position is not None:
            return self.position.to_move
        return len(self.placed) // self.board.workers

    def _legal_actions(self, player: int) -> list[int]:
        if self.position is None:
            return sorted(self._names())
        return sorted(map(int, self.position.actions()))

    def _apply_action(self, action: int) -> None:
        if self.position is not None:
            self.position = self.position.play(self.position.turn_of(action))
            return
        self.placed.append(self._square(action))
        workers = self.board.workers
        if len(self.placed) == 2 * workers:
            self.position = self.board.start(self.placed[:workers], self.placed[workers:])

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None:
            return self._square(action)
        return self.position.turn_of(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and self.position.is_over

    def returns(self) -> list[float]:
        """The rewards of both players: 1 for the winner, -1 for the loser, 0 before the end."""
        winner = None if self.position is None else self.position.winner
        return [0.0, 0.0] if winner is None else [1.0 - 2 * winner, 2 * winner - 1.0]

    def __str__(self) -> str:
        if self.position is None:
            return "placed: " + " ".join(self.placed)
        return str(self.position)

    def _repr_html_(self) -> str:
        return f"<pre>{self}</pre>" if self.position is None else self.position.svg()


class _Observer:
    """Observes the whole state: nothing is hidden."""

    def __init__(self, board: _Whole | SmallBoard, params: Any) -> None:
        if params:
            raise ValueError(f"an observation has no parameters, but got {params}")
        self._board = board
        self.dict = {"observation": np.zeros((_PLANES, board.rows, board.columns), np.float32)}

    @property
    def tensor(self) -> Any:
        return self.dict["observation"].reshape(-1)

    def set_from(self, state: SantoriniState, player: int) -> None:
        planes = self.dict["observation"]
        planes.fill(0)
        workers: tuple[Any, Any]
        if state.position is not None:
            levels = np.array(state.position.levels)[: self._board.rows, : self._board.columns]
            planes[:4] = levels >= np.arange(1, 5)[:, None, None]
            workers, mover = state.position.workers, state.position.to_move
        else:
            count = self._board.workers
            workers = (state.placed[:count], state.placed[count:])
            mover = state.current_player()
        for plane, squares in ((4, workers[mover]), (5, workers[1 - mover])):
            for square in squares:
                if square in self._board.squares:
                    planes[plane, int(square[1]) - 1, ord(square[0]) - ord("a")] = 1

    def string_from(self, state: SantoriniState, player: int) -> str:
        return str(state)


pyspiel.register_game(_TYPE, SantoriniGame)
