"""The PettingZoo environment, tested with PettingZoo's own tests."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import santorini
from santorini import santorini_v0

OPTIONS = [
    {},
    {"size": 6},
    {"start": "random", "turns": 3},
    {"cards": ("Artemis", "Prometheus")},
    {"cards": "random"},
    {"cards": "random", "size": 6, "start": "random", "turns": 2},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_api(options):
    api_test(santorini_v0.env(**options), num_cycles=300)
    api_test(santorini_v0.raw_env(**options), num_cycles=300)


@pytest.mark.parametrize("options", OPTIONS)
def test_seed(options):
    seed_test(lambda: santorini_v0.env(**options), num_cycles=200)


def random_game(env, seed):
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    rewards = {agent: 0 for agent in env.possible_agents}
    movers = []
    for agent in env.agent_iter(max_iter=200):
        observation, reward, termination, truncation, _ = env.last()
        rewards[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        movers.append(agent)
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return rewards, movers


def test_games_end_with_a_winner():
    env = santorini_v0.env()
    winners = set()
    for seed in range(20):
        rewards, movers = random_game(env, seed)
        assert sorted(rewards.values()) == [-1, 1]
        winner = max(rewards, key=rewards.get)
        assert movers[-1] == winner
        assert movers[:4] == ["player_0", "player_0", "player_1", "player_1"]
        winners.add(winner)
    assert len(winners) == 2


def test_games_with_cards():
    drawn = set()
    env = santorini_v0.env(cards="random")
    for seed in range(40):
        rewards, movers = random_game(env, seed)
        winner = max(rewards, key=rewards.get)
        assert sorted(rewards.values()) == [-1, 1] and movers[-1] == winner
        position = env.unwrapped.position
        assert position.is_over and f"player_{position.winner}" == winner
        assert position.cards == env.unwrapped.cards
        drawn.add(position.cards)
    assert len(drawn) > 20
    assert {card for pair in drawn for card in pair} == set(santorini.CARDS)


def test_an_illegal_action_loses():
    env = santorini_v0.env()
    env.reset(seed=1)
    env.step(0)
    assert env.rewards["player_0"] == -1
    assert all(env.terminations.values()) or all(env.truncations.values())


def test_wrong_arguments_are_named():
    env = santorini_v0.raw_env()
    env.reset(seed=1)
    for action in (None, 1.5, "a"):
        with pytest.raises(TypeError, match=f"actions has {action!r}; actions are whole numbers"):
            env.step(action)
    with pytest.raises(ValueError, match="agent is 'x'; it should be one of"):
        env.observe("x")


def test_each_agent_sees_its_own_side():
    for options in ({}, {"cards": "random"}):
        env = santorini_v0.raw_env(**options)
        env.reset(seed=3)
        rng = np.random.default_rng(1)
        while not any(env.terminations.values()):
            mover = env.agent_selection
            seen = {agent: env.observe(agent) for agent in env.possible_agents}
            for agent in env.possible_agents:
                assert env.observation_space(agent).contains(seen[agent])
                assert seen[agent]["action_mask"].any() == (agent == mover)
                if env.position is not None:
                    player = env.possible_agents.index(agent)
                    planes = env.position.planes(player=player)
                    assert (seen[agent]["observation"] == planes).all()
            own, other = (seen[agent]["observation"] for agent in env.possible_agents)
            assert (own[4:6].any(0) == other[6]).all() and (other[4:6].any(0) == own[6]).all()
            state = env.state()
            assert env.state_space.contains(state) and (state[:-1] == own).all()
            assert (state[-1] == env.possible_agents.index(mover)).all()
            env.step(int(rng.choice(np.flatnonzero(seen[mover]["action_mask"]))))
        for player, agent in enumerate(env.possible_agents):
            last = env.observe(agent)
            assert (last["observation"] == env.position.planes(player=player)).all()
            assert not last["action_mask"].any()


def test_without_a_seed_games_differ():
    def start():
        env = santorini_v0.env(start="random", turns=3)
        env.reset()
        first = str(env.unwrapped.position)
        env.reset()
        return first, str(env.unwrapped.position)

    starts = [position for _ in range(5) for position in start()]
    assert len(set(starts)) == 10


def test_pictures():
    env = santorini_v0.env(render_mode="ansi", start="random")
    env.reset(seed=1)
    assert "to move" in env.render()
    env = santorini_v0.env(render_mode="svg", start="random")
    env.reset(seed=1)
    assert env.render().startswith("<svg")
    env = santorini_v0.env(render_mode="rgb_array", size=6)
    env.reset(seed=1)
    assert env.render().shape == (288, 288, 3)
    with pytest.raises(ValueError, match="render_mode"):
        santorini_v0.raw_env(render_mode="hologram")
