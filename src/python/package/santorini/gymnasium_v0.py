"""Santorini as an environment of Gymnasium: one player learns against an opponent.

>>> import gymnasium
>>> env = gymnasium.make("Santorini-v0", opponent="level:3")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

Observations and actions are the same as in `santorini.Batch`; the learner sees the board from
its own side. `info["action_mask"]` has the legal actions, and so has `action_masks()`, for
MaskablePPO of sb3-contrib. An illegal action loses the game; then
`info["illegal_action"]` is True. The reward is 1 for a win and -1 for a loss. After an error in
the opponent, or Ctrl-C, the next `step` completes the interrupted one and ignores its action.

| `opponent` | plays |
|---|---|
| "random" | random turns |
| "level:3" | like `LevelPlayer(3)` with another seed in each game, levels 1 to `LevelPlayer.highest` |
| "engine:nodes=500" | like `Engine`, also with `depth=` and `seconds=` |
| "alphabeta:depth=2", ... | like this `Agent`: the base game on 5x5 spaces |
| an `Agent` | like a copy of it, new with each seed |
| another player with `turn` and `place` | what these return, such as a `LevelPlayer` |
| a function | the turn it returns for a `Position`; its workers are placed at random |

An engine limited by nodes or depth, and a `LevelPlayer`, always answer a position in the same
way: to meet other games, start at random or vary your own play.

`gymnasium.make_vec("Santorini-v0", num_envs=256, vectorization_mode="vector_entry_point")`
plays many games at once in a `Batch`.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _arguments, _pictures, _views
from ._santorini import Position
from ._table import Cards, Table
from ._values import Changing

__all__ = ["SantoriniEnv", "SantoriniVectorEnv"]

# The maximum number of games in a `Batch`.
_MOST_GAMES = 2**24

Observations = NDArray[np.uint8]
Info = dict[str, Any]


def _spaces(table: Table) -> tuple[spaces.Space[Observations], spaces.Discrete]:
    planes = table.games.observations().shape[1:]
    observations: Any = spaces.Box(0, 1, planes, np.uint8)
    return observations, spaces.Discrete(table.games.actions)


class SantoriniEnv(Changing, gymnasium.Env[Observations, np.int64]):
    """Games against an opponent, one after the other.

    opponent: see the table of this module.
    size: 5 or 6 rows.
    cards: the cards of the first and the second player, "random", or None for the base game.
    start: "empty": the players place their workers; or "random": games start after a random
        placement and `turns` random turns.
    player: the number of the learner, 0 or 1; None draws it for each game.
    render_mode: "ansi" for a text, "human" to print it, "rgb_array" for pixels.

    Two environments are equal if the same actions will have the same results. The first `reset`
    without a seed is an exception: its random choices are new.
    """

    observation_space: spaces.Space[Observations]
    action_space: spaces.Discrete

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        opponent: Any = "random",
        *,
        size: SupportsIndex = 5,
        cards: Cards = None,
        start: Literal["empty", "random"] = "empty",
        turns: SupportsIndex = 0,
        player: SupportsIndex | None = None,
        render_mode: str | None = None,
    ) -> None:
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode is {render_mode!r}; it should be one of {modes}")
        self.render_mode = render_mode
        self._table = Table(
            1, opponent, player, size=size, cards=cards, start=start, turns=turns
        )
        self._is_over = True
        self.observation_space, self.action_space = _spaces(self._table)

    def _parts(self) -> list[Any]:
        return [self._table, self._is_over, self.render_mode]

    def __repr__(self) -> str:
        return f"SantoriniEnv({self._table!r}, render_mode={self.render_mode!r})"

    def _repr_html_(self) -> str:
        return _pictures.notebook(self._table.games)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: none after the end."""
        masks: NDArray[np.bool_] = self._table.games.masks()[0]
        return masks & (not self._is_over)

    def _info(self) -> Info:
        return {"action_mask": self.action_masks().astype(np.int8), "player": self.player}

    @property
    def player(self) -> int:
        """The number of the learner in this game."""
        return int(self._table.players[0])

    @property
    def position(self) -> Position | None:
        """The `santorini.Position`; None until all workers are placed."""
        return self._table.games.position(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Starts a game. The same seed gives the same games; without one, the random choices are
        new in each game."""
        super().reset(seed=seed)
        self._table.use(self.np_random)
        self._is_over = True
        self._table.begin(np.ones(1, np.bool_))
        self._table.open()
        self._is_over = False
        self._show()
        return self._table.observations()[0], self._info()

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, Info]:
        """Plays an action and the opponent's answer."""
        if self._is_over:
            raise RuntimeError("the game is over: call reset() first")
        rewards, illegal = self._table.play(_arguments.actions([action], 1), np.ones(1, np.bool_))
        self._is_over = bool(rewards[0])
        self._show()
        info = self._info()
        if illegal[0]:
            info["illegal_action"] = True
        return self._table.observations()[0], float(rewards[0]), self._is_over, False, info

    def _show(self) -> None:
        if self.render_mode == "human":
            print(_pictures.text(self._table.games))

    def render(self) -> Any:
        """The board: a text, or an array (height, width, 3)."""
        if self.render_mode == "rgb_array":
            return _pictures.pixels(self._table.games)
        if self.render_mode == "ansi":
            return _pictures.text(self._table.games)
        return None


@dataclass
class _Played:
    """A step whose actions are played. Finished games may still have to restart.

    rewards: of each game.
    illegal: where the learner's action was illegal.
    players: the numbers of the learner.
    last: the observations, if games that end restart at once.
    """

    rewards: NDArray[np.float64]
    illegal: NDArray[np.bool_]
    players: NDArray[np.uint8]
    last: Observations | None

    def info(self) -> Info:
        """The keys that a step adds to the `info` of the present games."""
        extra: Info = {}
        if self.illegal.any():
            extra = {"illegal_action": self.illegal, "_illegal_action": self.illegal.copy()}
        ended = self.rewards != 0
        if self.last is None or not ended.any():
            return extra
        final = np.full(len(ended), None, object)
        for game in np.flatnonzero(ended):
            final[game] = self.last[game].copy()
        player = {"player": self.players, "_player": ended.copy()}
        return extra | {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": player | {name: value.copy() for name, value in extra.items()},
            "_final_info": ended,
        }


class SantoriniVectorEnv(Changing, VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many games at once, all in one `santorini.Batch`. It takes the options of `SantoriniEnv`
    and these:

    num_envs: the number of games.
    render_mode: None: many games are not shown.
    autoreset_mode: when a finished game restarts: "NextStep", in the next step, whose action
        is ignored; "SameStep", at once, with the last observation in `info["final_obs"]`, and
        `player` and `illegal_action` of the finished game in `info["final_info"]`; or
        "Disabled", by `reset(options={"reset_mask": mask})`.
    """

    single_observation_space: spaces.Space[Observations]
    single_action_space: spaces.Discrete
    observation_space: spaces.Space[Observations]
    action_space: spaces.Space[NDArray[np.int64]]
    num_envs: int
    render_mode: None

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        opponent: Any = "random",
        *,
        size: SupportsIndex = 5,
        cards: Cards = None,
        start: Literal["empty", "random"] = "empty",
        turns: SupportsIndex = 0,
        player: SupportsIndex | None = None,
        render_mode: None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        if not _arguments.is_whole(num_envs) or not 1 <= num_envs <= _MOST_GAMES:
            raise ValueError(f"num_envs is {num_envs!r}; it should be 1 to {_MOST_GAMES}")
        if render_mode is not None:
            raise ValueError(f"render_mode is {render_mode!r}; it should be None")
        self.num_envs = int(num_envs)
        self.render_mode = render_mode
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._table = Table(
            num_envs, opponent, player, size=size, cards=cards, start=start, turns=turns
        )
        self._over = np.zeros(num_envs, np.bool_)
        # The games that were never reset.
        self._new = np.ones(num_envs, np.bool_)
        # The step to complete after an error.
        self._played: _Played | None = None
        self.single_observation_space, self.single_action_space = _spaces(self._table)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _parts(self) -> list[Any]:
        games = [self._over.tolist(), self._new.tolist()]
        played = self._played and [self._played.rewards.tolist(), self._played.illegal.tolist()]
        return [self._table, *games, self._mode, played]

    def __repr__(self) -> str:
        mode = f"autoreset_mode={self._mode.value!r}"
        return f"SantoriniVectorEnv({self.num_envs}, {self._table!r}, {mode})"

    def _repr_html_(self) -> str:
        return _views.batch(self._table.games)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal in each game: none after its end."""
        return self._table.games.masks() & ~self._over[:, None]

    def _info(self) -> Info:
        every = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.action_masks().astype(np.int8),
            "_action_mask": every,
            "player": self._table.players.copy(),
            "_player": every.copy(),
        }

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, Info]:
        """Starts all games, or only the games that `options["reset_mask"]` selects; the others
        stay as they are.

        seed: the same one gives the same games. A list has a seed for each game, but each game
            depends on all of them; with a None in it, the games differ each time. After a
            list, `np_random_seed` is -1.
        """
        where = self._chosen(options)
        if seed is not None:
            self._seed(seed)
        self._table.use(self.np_random)
        if where.all():
            self._played = None
        elif self._played is not None:
            self._played.rewards[where] = 0
            self._played.illegal[where] = False
        # If the opponent fails, the games have yet to restart.
        self._over |= where
        self._table.begin(where)
        self._table.open()
        self._over &= ~where
        self._new &= ~where
        return self._table.observations(), self._info()

    def _chosen(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        """The games that `reset` starts."""
        if not isinstance(options, (dict, type(None))):
            raise TypeError(f"options is {options!r}; it should be a dict")
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = np.asarray(options["reset_mask"])
        if mask.dtype != np.bool_:
            raise TypeError(f"reset_mask has the type {mask.dtype}; it should be bool")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask has the shape {mask.shape}; it should be ({self.num_envs},)")
        return mask

    def _seed(self, seed: int | Sequence[int | None]) -> None:
        """Makes the random numbers of a seed. The seeds of single games are one seed together."""
        if isinstance(seed, np.ndarray):
            seed = seed.tolist()
        if _arguments.is_whole(seed):
            super().reset(seed=int(seed))
            return
        if isinstance(seed, (str, bytes)) or not isinstance(seed, Sequence):
            right = f"a whole number, or a list of {self.num_envs}, one for each game"
            raise TypeError(f"seed is {seed!r}; it should be {right}")
        if len(seed) != self.num_envs:
            raise ValueError(f"seed has {len(seed)} items; it should have {self.num_envs}")
        numbers = [secrets.randbits(64) if number is None else number for number in seed]
        for number in numbers:
            if not _arguments.is_whole(number) or number < 0:
                raise ValueError(f"seed has {number!r}; seeds are whole numbers, at least 0, or None")
        self.np_random = np.random.default_rng(numbers)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info
    ]:
        """Plays an action in each game, and the opponent's answers."""
        if self._new.any():
            raise ResetNeeded("call reset() before step()")
        numbers = _arguments.actions(actions, self.num_envs)
        self._played = self._played or self._play(numbers)
        played = self._played
        ended = played.rewards != 0
        self._restart(ended)
        self._played = None
        truncated = np.zeros(self.num_envs, np.bool_)
        info = self._info() | played.info()
        return self._table.observations(), played.rewards, ended, truncated, info

    def _play(self, numbers: NDArray[np.int64]) -> _Played:
        """Plays the actions and the answers."""
        playing = ~self._over
        if self._mode is AutoresetMode.DISABLED and not playing.all():
            raise RuntimeError(
                'a game is over: call reset(options={"reset_mask": mask}) first'
            )
        rewards, illegal = self._table.play(numbers, playing)
        self._over |= rewards != 0
        is_last = self._mode is AutoresetMode.SAME_STEP and rewards.any()
        last = self._table.observations() if is_last else None
        return _Played(rewards, illegal, self._table.players.copy(), last)

    def _restart(self, ended: NDArray[np.bool_]) -> None:
        """Restarts finished games, by the mode. After an error in the opponent, the next call
        completes this one."""
        if self._mode is not AutoresetMode.DISABLED:
            restarting = self._over & ~ended if self._mode is AutoresetMode.NEXT_STEP else self._over
            self._table.begin(restarting)
            self._over = self._over & ~restarting
        self._table.open()
