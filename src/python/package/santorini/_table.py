"""Games of a learner against an opponent, many at once, for the Gymnasium environments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ._arguments import is_whole
from ._opponents import Level, Opponent, opponent
from ._santorini import Batch
from ._values import Changing

Cards = Sequence[str] | Literal["random"] | None
Mask = NDArray[np.bool_]


@dataclass
class _Step:
    """A step of some games. After an error in the opponent it is not complete.

    illegal: where the learner's action was illegal.
    won: where the learner's action won.
    asked: where the opponent answers.
    lost: where the answer won.
    """

    illegal: Mask
    won: Mask
    asked: Mask
    lost: Mask


class Table(Changing):
    """Games in which the learner is to move, or which are over. After an error in the opponent
    it may still have to open or answer.

    opponent: see `opponent`.
    player: the number of the learner, 0 or 1; None draws it for each game.
    """

    def __init__(self, count: int, given: Any, player: SupportsIndex | None, **options: Any) -> None:
        if player is not None and not (is_whole(player) and player in (0, 1)):
            raise ValueError(f"player is {player!r}; it should be 0, 1 or None")
        self._given, self._options = given, options
        self._player = None if player is None else int(player)
        self.games = Batch(count, restart=False, **options)
        self.players = np.zeros(count, np.uint8)
        # The seeds of a level.
        self._seeds = np.zeros(count, np.uint32)
        # The squares that the opponent has chosen for its workers; None for random ones.
        self._placements: dict[int, list[str] | None] = {}
        self._begun: _Step | None = None
        # The games that have begun, in which the opponent may have to move first.
        self._opening = np.zeros(count, np.bool_)
        self._seed(np.random.default_rng(0))

    def _parts(self) -> list[Any]:
        state = self._rng.bit_generator.state
        begun = None if self._begun is None else [mask.tolist() for mask in vars(self._begun).values()]
        games = [self.players.tolist(), self._seeds.tolist(), self._placements, self._opening.tolist()]
        return [self.games, self._opponent, *games, self._player, self._options, state, begun]

    def __repr__(self) -> str:
        """The arguments except the number of games."""
        arguments = {"opponent": self._given, **self._options, "player": self._player}
        return ", ".join(f"{name}={value!r}" for name, value in arguments.items())

    def use(self, rng: np.random.Generator) -> None:
        """Takes its random numbers from `rng`. Games stay as they are until they begin."""
        if rng is not self._rng:
            self._seed(rng)

    def _seed(self, rng: np.random.Generator) -> None:
        self.games._reseed(int(rng.integers(2**63)))
        is_base = self.games.size == 5 and self.games.cards(0) is None
        self._opponent: Opponent | Level | None = opponent(self._given, rng, is_base=is_base)
        self._rng = rng

    def begin(self, where: Mask) -> None:
        """Restarts these games. `open` has to be called next."""
        if where.all():
            self._begun = None
        elif self._begun is not None:
            for mask in vars(self._begun).values():
                mask &= ~where
        self.games.reset(where)
        count = int(where.sum())
        drawn = self._rng.integers(2, size=count)
        self.players[where] = drawn if self._player is None else self._player
        self._seeds[where] = self._rng.integers(2**32, size=count)
        for game in map(int, np.flatnonzero(where)):
            self._placements.pop(game, None)
        self._opening |= where

    def open(self) -> None:
        """Lets the opponent play in the games that have begun, where it moves first. After an
        error in it, the next call completes this one."""
        self._answer(self._opening, np.zeros(len(self._opening), np.bool_))
        self._opening[:] = False

    def play(self, actions: NDArray[np.int64], where: Mask) -> tuple[NDArray[np.float64], Mask]:
        """Plays the learner's actions and the opponent's answers in these games. Returns the
        rewards, and the games in which the learner's action was illegal, which loses.

        After an error in the opponent, the next call completes this one and ignores its own
        arguments."""
        step = self._begun or self._act(actions, where)
        self._begun = step
        self._answer(step.asked, step.lost)
        self._begun = None
        rewards = step.won.astype(np.float64)
        rewards[step.lost | step.illegal] = -1
        return rewards, step.illegal

    def _act(self, actions: NDArray[np.int64], where: Mask) -> _Step:
        """Plays the learner's actions in these games."""
        numbers = np.arange(len(actions))
        possible = (actions >= 0) & (actions < self.games.actions)
        legal = possible & self.games.masks()[numbers, np.where(possible, actions, 0)]
        illegal = where & ~legal
        won = self.games.step(actions, where & legal)
        return _Step(illegal, won, where & legal & ~won, np.zeros(len(where), np.bool_))

    def _answer(self, where: Mask, lost: Mask) -> None:
        """Lets the opponent play in these games until the learner is to move. Marks in `lost` the
        games that the opponent wins."""
        while (asked := where & ~lost & (self.games.to_move != self.players)).any():
            lost |= self.games.step(self._actions(asked), asked)

    def _actions(self, asked: Mask) -> NDArray[np.int64]:
        """The opponent's actions in these games."""
        chosen = {} if self._opponent is None else self._chosen(self._opponent, asked)
        # Drawn last, so that an error in the opponent leaves the random numbers as they are.
        actions = self.games.sample()
        for game, action in chosen.items():
            actions[game] = action
        return actions

    def _chosen(self, opponent: Opponent | Level, asked: Mask) -> dict[int, int]:
        """The actions that the opponent chooses; none where it places a worker at random."""
        chosen: dict[int, int] = {}
        # The views of both players, for games in which workers are placed; computed once.
        sides: list[NDArray[np.uint8]] = []
        for game in map(int, np.flatnonzero(asked)):
            player = self._in_game(opponent, game)
            position = self.games.position(game)
            if position is not None:
                chosen[game] = position.action_of(player.turn(position))
                continue
            sides = sides or [self.games.observations(player=player) for player in (0, 1)]
            placed = [_squares(side[game]) for side in sides]
            square = self._square(player, game, placed)
            if square is not None:
                chosen[game] = self.games.action_of(game, square)
        return chosen

    def _in_game(self, player: Opponent | Level, game: int) -> Opponent:
        return player.in_game(int(self._seeds[game])) if isinstance(player, Level) else player

    def _square(self, player: Opponent, game: int, placed: list[list[str]]) -> str | None:
        """The square of the opponent's next worker; None for a random one."""
        if game not in self._placements:
            self._placements[game] = self._placement(player, game, placed)
        squares = self._placements[game]
        if squares is None:
            return None
        return next(square for square in squares if square not in placed[1 - self.players[game]])

    def _placement(self, player: Opponent, game: int, placed: list[list[str]]) -> list[str] | None:
        """The squares of the opponent's workers; None for random ones."""
        learner = int(self.players[game])
        cards = self.games.cards(game)
        if cards is not None and learner == 0:
            cards = cards[::-1]
        first = placed[0] if learner == 0 else None
        names = player.place(first, cards, self.games.size)
        if names is None:
            return None
        squares = list(names) if isinstance(names, Iterable) else []
        free = [name for name in self._names if name not in placed[learner]]
        is_right = len(squares) == 2 and squares[0] != squares[1]
        if not is_right or not all(square in free for square in squares):
            raise ValueError(
                f"opponent: place() returned {names!r}; it should be two different free spaces, "
                'such as ("b3", "d3")'
            )
        return squares

    @property
    def _names(self) -> list[str]:
        """The names of all squares, row by row."""
        size = self.games.size
        return [letter + str(row + 1) for row in range(size) for letter in "abcdef"[:size]]

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
