"""Games of a learner against an opponent, many at once, for the Gymnasium environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._opponents import Opponent, opponent
from ._santorini import Batch
from ._values import Changing

Cards = Sequence[str] | Literal["random"] | None


class Table(Changing):
    """Games in which the learner is to move, or which are over.

    opponent: see `opponent`.
    player: the number of the learner, 0 or 1; None draws it for each game.
    """

    def __init__(self, count: int, given: Any, player: int | None, **options: Any) -> None:
        if player not in (0, 1, None):
            raise ValueError(f"player is {player!r}; it should be 0, 1 or None")
        self._given, self._player, self._options = given, player, options
        self.players = np.zeros(count, np.uint8)
        self.seed(np.random.default_rng(0))

    def _parts(self) -> list[Any]:
        state = self._rng.bit_generator.state
        return [self.games, self._opponent, self.players.tolist(), self._player, self._options, state]

    def __repr__(self) -> str:
        """The arguments except the number of games."""
        arguments = {"opponent": self._given, **self._options, "player": self._player}
        return ", ".join(f"{name}={value!r}" for name, value in arguments.items())

    def seed(self, rng: np.random.Generator) -> None:
        """Recreates the games and the opponent with these random numbers."""
        seed = int(rng.integers(2**63))
        self.games = Batch(len(self.players), restart=False, seed=seed, **self._options)
        self._opponent: Opponent | None = opponent(self._given, rng)
        self._rng = rng

    def begin(self, where: NDArray[np.bool_]) -> None:
        """Restarts these games. The opponent plays where it moves first."""
        self.games.reset(where)
        count = int(where.sum())
        drawn = self._rng.integers(2, size=count)
        self.players[where] = drawn if self._player is None else self._player
        self._answer(where)

    def play(
        self, actions: NDArray[np.int64], where: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Plays the learner's actions and the opponent's answers in these games. Returns the
        rewards, and the games in which the learner's action was illegal, which loses."""
        numbers = np.arange(len(actions))
        possible = (actions >= 0) & (actions < self.games.actions)
        legal = possible & self.games.masks()[numbers, np.where(possible, actions, 0)]
        illegal = where & ~legal
        won = self.games.step(actions, where & legal)
        lost = self._answer(where & legal & ~won)
        rewards = won.astype(np.float64)
        rewards[lost | illegal] = -1
        return rewards, illegal

    def _answer(self, where: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Lets the opponent play in these games until the learner is to move. Returns the games
        that the opponent won."""
        lost = np.zeros(len(where), np.bool_)
        while (asked := where & ~lost & (self.games.to_move != self.players)).any():
            lost |= self.games.step(self._actions(asked), asked)
        return lost

    def _actions(self, asked: NDArray[np.bool_]) -> NDArray[np.int64]:
        actions = self.games.sample()
        if self._opponent is None:
            return actions
        # The views of both players, for games in which workers are placed; computed once.
        sides: list[NDArray[np.uint8]] = []
        for game in map(int, np.flatnonzero(asked)):
            position = self.games.position(game)
            if position is not None:
                actions[game] = position.action_of(self._opponent.turn(position))
                continue
            sides = sides or [self.games.observations(player=player) for player in (0, 1)]
            placed = [_squares(side[game]) for side in sides]
            square = self._square(self._opponent, game, placed)
            if square is not None:
                actions[game] = self._placing(square)
        return actions

    def _square(self, player: Opponent, game: int, placed: list[list[str]]) -> str | None:
        """The square of the opponent's next worker; None for a random one."""
        learner = int(self.players[game])
        cards = self.games.cards(game)
        if cards is not None and learner == 0:
            cards = cards[::-1]
        first = placed[0] if learner == 0 else None
        names = player.place(first, cards, self.games.size)
        if names is None:
            return None
        return next(name for name in names if name not in placed[1 - learner])

    def _placing(self, square: str) -> int:
        """The action that places a worker."""
        size = self.games.size
        return self.games.actions - size**2 + (int(square[1]) - 1) * size + ord(square[0]) - ord("a")

    def observations(self) -> NDArray[np.uint8]:
        """The learner's view of each game."""
        seen = self.games.observations()
        for player in (0, 1):
            other = (self.games.to_move != self.players) & (self.players == player)
            if other.any():
                seen[other] = self.games.observations(player=player)[other]
        return seen


def _squares(planes: NDArray[np.uint8]) -> list[str]:
    """The squares of the workers of the player who sees these planes."""
    return ["abcdef"[column] + str(row + 1) for row, column in np.argwhere(planes[4:6].any(0))]
