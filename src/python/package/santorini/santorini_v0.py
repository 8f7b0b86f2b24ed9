"""Santorini as a PettingZoo environment (AEC): two players, on 5x5 or 6x6 spaces, with
or without god cards.

>>> from santorini import santorini_v0
>>> env = santorini_v0.env(render_mode="ansi")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     if termination or truncation:
...         action = None
...     else:
...         action = env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)

An observation is a dictionary:

| key | array |
|---|---|
| `observation` | 7 planes of 0 and 1, or 23 with cards; see `santorini.Batch` |
| `action_mask` | 1 for each legal action, else 0 |

The actions are the same as in `santorini.Batch`: whole turns (128 in the base game,
2,882 with cards) and placements. With `start="empty"` the players first place their
workers, one per action: `player_0` both, then `player_1` both. The rewards are 1
and -1 at the end of the game. Every game ends, since each turn that does not win
adds a level.
"""

from __future__ import annotations

import secrets
from typing import Any, Literal, SupportsIndex

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped, unused-ignore]

from . import _arguments, _pictures
from ._santorini import Batch, Position
from ._table import Cards
from ._values import Changing

__all__ = ["env", "raw_env"]

Observation = dict[str, NDArray[Any]]


def env(**options: Any) -> Any:
    """Returns the environment in PettingZoo's usual wrappers: an illegal action loses the
    game, and calls in the wrong order are errors. Takes the options of `raw_env`."""
    wrapped: Any = raw_env(**options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(Changing, AECEnv):  # type: ignore[misc, unused-ignore]
    """The environment without wrappers.

    size: 5 or 6 rows.
    cards: the cards of `player_0` and `player_1`, "random" to draw two for each game,
        or None for the base game.
    start: "empty": the players place their workers; or "random": games start after a
        random placement and `turns` random turns.
    render_mode: "ansi" returns text, "human" prints it, "svg" returns a picture, "rgb_array"
        returns pixels.

    `observe(agent)` is the view of that agent; only the agent to move has legal actions.
    `state()` is the view of `player_0`, and a plane of 1 if `player_1` is to move. Without a
    seed, each environment plays different games. Two environments are equal if the same
    actions will have the same results.
    """

    metadata: dict[str, Any] = {
        "name": "santorini_v0",
        "render_modes": ["human", "ansi", "svg", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    possible_agents: list[str]
    agents: list[str]
    agent_selection: str
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    state_space: spaces.Space[NDArray[np.uint8]]

    def __init__(
        self,
        size: SupportsIndex = 5,
        cards: Cards = None,
        start: Literal["empty", "random"] = "empty",
        turns: SupportsIndex = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode is {render_mode!r}; it should be one of {modes}")
        self.render_mode = render_mode
        self._options: dict[str, Any] = {
            "size": size,
            "cards": cards,
            "start": start,
            "turns": turns,
        }
        self._games = self._batch(secrets.randbits(64))
        self.possible_agents = ["player_0", "player_1"]
        planes = self._games.observations().shape[1:]
        actions = self._games.actions
        observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, planes, np.uint8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.state_space = spaces.Box(0, 1, (planes[0] + 1, *planes[1:]), np.uint8)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(
            self.possible_agents, observation_space
        )
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(actions) for agent in self.possible_agents
        }

    def _batch(self, seed: int) -> Batch:
        return Batch(1, seed=seed, restart=False, **self._options)

    def _parts(self) -> list[Any]:
        names = ("agents", "rewards", "_cumulative_rewards", "terminations", "agent_selection")
        state = [getattr(self, name, None) for name in names]
        return [self._games, self._options, self.render_mode, *state]

    def __repr__(self) -> str:
        options = {**self._options, "render_mode": self.render_mode}
        return f"raw_env({', '.join(f'{name}={value!r}' for name, value in options.items())})"

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the observations, the same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the actions, the same for both agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. The same seed gives the same games; without one, each game is
        different."""
        if seed is not None:
            self._games = self._batch(seed)
        else:
            self._games.reset()
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[int(self._games.to_move[0])]

    def observe(self, agent: str) -> Observation:
        """The view of an agent: `observation`, an array (planes, rows, columns) of uint8, and
        `action_mask`, an array (actions,) of int8."""
        if agent not in self.possible_agents:
            raise ValueError(f"agent is {agent!r}; it should be one of {self.possible_agents}")
        player = self.possible_agents.index(agent)
        mask = self._games.masks()[0].astype(np.int8)
        if player != self._games.to_move[0]:
            mask[:] = 0
        planes = self._games.observations(player=player)[0]
        return {"observation": planes, "action_mask": mask}

    def state(self) -> NDArray[np.uint8]:
        """The view of `player_0`, and a plane of 1 if `player_1` is to move: an array
        (planes + 1, rows, columns)."""
        planes = self._games.observations(player=0)[0]
        mover = np.full((1, *planes.shape[1:]), self._games.to_move[0], np.uint8)
        return np.concatenate([planes, mover])

    def step(self, action: int | None) -> None:
        """Plays an action of the agent to move; None after the end. Raises `IllegalTurn` if it
        is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self._games.step(_arguments.actions([action], 1))[0]:
            self.rewards = {other: 1 if other == agent else -1 for other in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    @property
    def position(self) -> Position | None:
        """The `santorini.Position`; None until all workers are placed."""
        return self._games.position(0)

    @property
    def cards(self) -> tuple[str, str] | None:
        """The cards of `player_0` and `player_1`; None in the base game."""
        return self._games.cards(0)

    def render(self) -> Any:
        """The board, by `render_mode`: a text, an SVG picture (None until all workers are
        placed), or an array (height, width, 3) of uint8."""
        if self.render_mode == "svg":
            return None if self.position is None else self.position.svg()
        if self.render_mode == "rgb_array":
            return _pictures.pixels(self._games)
        text = _pictures.text(self._games)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _repr_html_(self) -> str:
        return _pictures.notebook(self._games)

    def close(self) -> None:
        """Does nothing: there is no window."""
