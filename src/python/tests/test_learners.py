"""The libraries that wrap environments or learn in them, where they are installed."""

import warnings

import gymnasium
import numpy as np
import pytest

import santorini  # noqa: F401

pytest.importorskip("pettingzoo")
from santorini import santorini_v0  # noqa: E402


def test_supersuit_wraps_the_gymnasium_environment():
    supersuit = pytest.importorskip("supersuit")
    env = gymnasium.make("Santorini-v0")
    env = supersuit.frame_stack_v1(supersuit.dtype_v0(env, np.float32), 2)
    observation, info = env.reset(seed=1)
    assert observation.shape == (7, 5, 10) and observation.dtype == np.float32
    over = False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, over, _, info = env.step(action)
        assert env.observation_space.contains(observation)
    assert reward in (-1, 1)


def test_supersuit_wraps_the_pettingzoo_environment():
    supersuit = pytest.importorskip("supersuit")
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(supersuit.clip_reward_v0(santorini_v0.env(), -0.5, 0.5), num_cycles=100)
    planes = supersuit.observation_lambda_v0(
        santorini_v0.env(), lambda seen, space: seen["observation"], lambda space: space["observation"]
    )
    flat = supersuit.flatten_v0(supersuit.dtype_v0(planes, np.float32))
    flat.reset(seed=1)
    assert flat.observe("player_0").shape == flat.observation_space("player_0").shape == (175,)


def test_rllib_wraps_the_pettingzoo_environment():
    wrappers = pytest.importorskip("ray.rllib.env.wrappers.pettingzoo_env")
    env = wrappers.PettingZooEnv(santorini_v0.env(start="random"))
    seen, _ = env.reset(seed=1)
    ended = {"__all__": False}
    while not ended["__all__"]:
        (agent,) = seen
        action = np.flatnonzero(seen[agent]["action_mask"])[0]
        seen, rewards, ended, _, _ = env.step({agent: action})
    assert sorted(rewards.values()) == [-1, 1]


def test_rllib_learns_in_the_gymnasium_environment(monkeypatch):
    # Ray asks and keeps nothing.
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ppo = pytest.importorskip("ray.rllib.algorithms.ppo")
    pytest.importorskip("torch")
    from gymnasium import wrappers
    from ray.tune import register_env

    def flat(options):
        env = gymnasium.make("Santorini-v0", **options)
        return wrappers.DtypeObservation(wrappers.FlattenObservation(env), np.float32)

    register_env("santorini", flat)
    config = ppo.PPOConfig().environment("santorini", env_config={"opponent": "random"})
    config = config.env_runners(num_env_runners=0, num_envs_per_env_runner=4)
    algorithm = config.training(train_batch_size_per_learner=256, minibatch_size=64, num_epochs=1).build_algo()
    try:
        result = algorithm.train()
    finally:
        algorithm.stop()
    assert result["env_runners"]["num_episodes"] > 10
