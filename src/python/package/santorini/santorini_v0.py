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

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._santorini import Batch

__all__ = ["env", "raw_env"]


def env(**options):
    """Returns the environment in PettingZoo's usual wrappers: an illegal action loses the
    game, and calls in the wrong order are errors. Takes the options of `raw_env`."""
    wrapped = raw_env(**options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):
    """The environment without wrappers.

    size: 5 or 6 rows.
    cards: the cards of `player_0` and `player_1`, "random" to draw two for each game,
        or None for the base game.
    start: "empty": the players place their workers; or "random": games start after a
        random placement and `turns` random turns.
    render_mode: "ansi" returns text, "human" prints it, "svg" returns a picture.
    """

    metadata = {
        "name": "santorini_v0",
        "render_modes": ["human", "ansi", "svg"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, size=5, cards=None, start="empty", turns=0, render_mode=None):
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(
                f"render_mode is {render_mode!r}; it is one of {self.metadata['render_modes']}"
            )
        self.render_mode = render_mode
        self._options = {"cards": cards, "start": start, "turns": turns, "restart": False}
        self._size = size
        self._games = self._batch(0)
        self.possible_agents = ["player_0", "player_1"]
        planes = self._games.observations().shape[1:]
        actions = self._games.actions
        observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, planes, np.uint8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def _batch(self, seed):
        return Batch(1, self._size, seed=seed, **self._options)

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        if seed is not None:
            self._games = self._batch(seed)
        else:
            self._games.reset(0)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._select()

    def _select(self):
        self.agent_selection = self.possible_agents[int(self._games.to_move[0])]

    def observe(self, agent):
        mask = self._games.masks()[0].astype(np.int8)
        if agent != self.agent_selection:
            mask[:] = 0
        return {"observation": self._games.observations()[0], "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self._games.step([action])[0]:
            self.rewards = {other: 1 if other == agent else -1 for other in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    @property
    def position(self):
        """The `santorini.Position`; None until all workers are placed."""
        return self._games.position(0)

    @property
    def cards(self):
        """The cards of `player_0` and `player_1`; None in the base game."""
        return self._games.cards(0)

    def render(self):
        position = self.position
        if self.render_mode == "svg":
            return None if position is None else position.svg()
        text = "the workers are being placed" if position is None else position.picture()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self):
        pass
