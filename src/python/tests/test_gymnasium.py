"""The environments of Gymnasium, by Gymnasium's own tests and by the rules."""

import copy
import itertools
import subprocess
import sys
import time

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from santorini import Agent, LevelPlayer, Position
from santorini.gymnasium_v0 import SantoriniEnv, SantoriniVectorEnv

OPTIONS = [
    {},
    {"opponent": "level:2", "player": 1},
    {"cards": "random", "size": 6},
    {"start": "random", "turns": 4, "opponent": lambda position: position.turns()[0]},
    {"opponent": "engine:nodes=50", "start": "random"},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.filterwarnings("error")
def test_the_environment_passes_the_checker(options):
    check_env(gymnasium.make("Santorini-v0", **options).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_rendering_passes_the_checker(mode, capsys):
    check_env(gymnasium.make("Santorini-v0", render_mode=mode).unwrapped)
    assert mode != "human" or "places a worker" in capsys.readouterr().out


@pytest.mark.parametrize("imports", ["import santorini, gymnasium", "import gymnasium, santorini", "import gymnasium"])
def test_the_environment_is_registered(imports):
    name = "Santorini-v0" if "santorini" in imports else "santorini:Santorini-v0"
    program = f"{imports}\nprint(gymnasium.make({name!r}).reset(seed=1)[0].shape)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "(7, 5, 5)\n", done.stderr


def play(env, seed, choose):
    """A game; gives the rewards and the last position."""
    observation, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    rewards = []
    while True:
        assert observation in env.observation_space
        assert (info["action_mask"] == env.action_masks()).all()
        position = env.position
        if position is not None:
            assert position.to_move == env.player == info["player"]
            assert (observation == position.planes(player=env.player)).all()
        observation, reward, terminated, truncated, info = env.step(choose(rng, env))
        rewards.append(reward)
        assert not truncated
        if terminated:
            return rewards, env.position


def at_random(rng, env):
    return rng.choice(np.flatnonzero(env.action_masks()))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("cards", [None, "random"])
def test_the_winner_gets_the_reward(player, cards):
    env = SantoriniEnv(player=player, cards=cards)
    results = []
    for seed in range(15):
        rewards, last = play(env, seed, at_random)
        assert last.is_over and rewards[-1] == (1 if last.winner == player else -1)
        assert not any(rewards[:-1])
        results.append(rewards[-1])
        with pytest.raises(RuntimeError, match="reset"):
            env.step(0)
    assert {1, -1} == set(results)


def test_a_seed_decides_and_without_one_games_differ():
    env = SantoriniEnv()
    assert play(env, 3, at_random) == play(SantoriniEnv(), 3, at_random)
    envs = [SantoriniEnv(start="random", turns=2) for _ in range(10)]
    vectors = [SantoriniVectorEnv(1, start="random", turns=2) for _ in range(10)]
    # Reading the generator or its seed makes it.
    for made in (envs[:3], vectors[:3]):
        assert len({one.np_random.bit_generator.state["state"]["state"] for one in made}) == 3
    assert len({one.np_random_seed for one in (*envs[3:6], *vectors[3:6])}) == 6
    assert len({one.reset()[0].tobytes() for one in (*envs, *vectors)}) == 20
    env.reset(seed=1)
    assert len({env.reset()[1]["player"] for _ in range(30)}) == 2


@pytest.mark.parametrize("make", [SantoriniEnv, lambda **options: SantoriniVectorEnv(3, **options)])
def test_the_generator_can_be_read_and_set(make):
    env = make(start="random", turns=2, player=0)
    first = env.reset(seed=5)[0]
    assert env.np_random_seed == 5
    state = env.np_random.bit_generator.state
    assert env.np_random_seed == 5 and env.np_random.bit_generator.state == state
    second = env.reset()[0]
    for seed, seen in ((5, first), (6, make(start="random", turns=2, player=0).reset(seed=6)[0])):
        env.np_random = np.random.default_rng(seed)
        assert (env.reset()[0] == seen).all() and env.np_random_seed == -1
    env.reset(seed=5)
    assert (copy.deepcopy(env).reset()[0] == second).all() and (env.reset()[0] == second).all()


def test_an_illegal_action_loses():
    env = SantoriniEnv(player=0)
    env.reset(seed=1)
    observation, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal_action"]) == (-1, True, True)
    assert not info["action_mask"].any() and not env.action_masks().any()


OPPONENTS = ["random", "level:1", "engine:depth=1", "alphabeta:depth=1", LevelPlayer(1), Agent("random")]


@pytest.mark.parametrize("opponent", OPPONENTS, ids=str)
def test_opponents_play_and_place_for_both_players(opponent):
    for player in (0, 1):
        env = SantoriniEnv(opponent, player=player)
        _, last = play(env, 1, at_random)
        assert last.is_over


def test_a_function_is_an_opponent():
    asked = []

    def first(position: Position) -> str:
        asked.append(position)
        return position.turns()[0]

    _, last = play(SantoriniEnv(first, player=1), 1, at_random)
    assert asked and all(position.to_move == 0 for position in asked) and last.is_over


class Placing:
    """An opponent that places its workers on fixed squares."""

    def __init__(self, squares):
        self.squares = squares

    def turn(self, position):
        return position.turns()[0]

    def place(self, first, cards, size):
        return self.squares


@pytest.mark.parametrize("squares", [("a1", "a1"), ("a1",), (), 5, "a1", ("a1", "f1"), ("a1", None), ("a1", "b3")])
def test_a_wrong_placement_of_the_opponent_is_named(squares):
    env = SantoriniEnv(Placing(squares), player=0)
    env.reset(seed=1)
    env.step(128 + env.unwrapped._table._names.index("b3"))
    with pytest.raises(ValueError, match=r"place\(\) returned .*; it should be two different free spaces"):
        env.step(128)
    assert play(SantoriniEnv(Placing(["e5", "e4"]), player=1), 1, at_random)[1].is_over


def some_turn(position):
    """A turn that depends only on the position."""
    turns = position.turns()
    return turns[sum(map(ord, str(position))) % len(turns)]


def failing(every, only_first=False):
    """Plays like `some_turn`, but raises an error on the first and on each `every`-th call after it.
    With `only_first`, only calls for the first turn of a game count."""
    asked = itertools.count()

    def turn(position):
        if (position.turn == 0 or not only_first) and next(asked) % every == 0:
            raise OSError("busy")
        return some_turn(position)

    return turn


def insist(call, *arguments, **options):
    """The result of a call that is repeated while it fails."""
    while True:
        try:
            return call(*arguments, **options)
        except OSError:
            pass


@pytest.mark.parametrize("player", [0, 1])
def test_a_step_is_completed_after_an_error_in_the_opponent(player):
    options = {"start": "random", "turns": 4, "player": player}
    sure, unsure = SantoriniEnv(some_turn, **options), SantoriniEnv(failing(2), **options)
    rng, ends = np.random.default_rng(1), []
    for seed in range(8):
        sure.reset(seed=seed)
        insist(unsure.reset, seed=seed)
        over = False
        while not over:
            action = at_random(rng, sure)
            observation, *results, info = sure.step(action)
            again, *others, _ = insist(unsure.step, action)
            assert (again == observation).all() and others == results
            over = results[1]
        ends.append(results[0])
    assert {1, -1} == set(ends)


def test_a_failed_reset_has_to_be_repeated():
    env = SantoriniEnv(failing(2), start="random", player=1)
    for _ in range(2):
        with pytest.raises(OSError):
            env.reset(seed=1)
        with pytest.raises(RuntimeError, match="reset"):
            env.step(0)
        env.reset(seed=1)


@pytest.mark.parametrize("options, only_first", [
    ({"start": "random", "turns": 4, "player": 0}, False),
    ({"start": "random", "player": 1}, True),
    ({"player": 0}, False),
    ({"player": 1}, True),
])
@pytest.mark.parametrize("mode", AutoresetMode)
def test_steps_of_many_games_are_completed_after_errors(mode, options, only_first):
    opponents = some_turn, failing(8, only_first)
    sure, unsure = (SantoriniVectorEnv(5, one, autoreset_mode=mode, **options) for one in opponents)
    sure.reset(seed=3)
    insist(unsure.reset, seed=3)
    rng, over, ended = np.random.default_rng(1), np.zeros(5, bool), 0
    for _ in range(60):
        if mode is AutoresetMode.DISABLED and over.any():
            for env in (sure, unsure):
                insist(env.reset, seed=int(ended), options={"reset_mask": over})
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in sure.action_masks()]
        observations, rewards, over, _, info = sure.step(np.array(actions))
        first = iter([np.array(actions)])
        # Later calls complete the step and ignore their actions.
        other, others, ends, _, again = insist(lambda: unsure.step(next(first, np.full(5, -1))))
        assert (other == observations).all() and (others == rewards).all() and (ends == over).all()
        assert sorted(again) == sorted(info)
        ended += over.sum()
    assert ended > 5


def test_games_begin_again_after_an_error_in_the_opponent():
    opponent = failing(7, only_first=True)
    env = SantoriniVectorEnv(5, opponent, start="random", player=1, autoreset_mode="SameStep")
    insist(env.reset, seed=3)
    games = env._table.games
    turns = [1] * 5
    rng, ended = np.random.default_rng(1), 0
    for _ in range(60):
        actions = [rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()]
        _, rewards, over, _, info = insist(env.step, np.array(actions))
        assert (games.to_move == 1).all() and ((rewards != 0) == over).all()
        assert "illegal_action" not in info
        assert not over.any() or (info["_final_obs"] == over).all()
        turns = [1 if is_over else turn + 2 for turn, is_over in zip(turns, over)]
        assert [games.position(game).turn for game in range(5)] == turns
        ended += over.sum()
    assert ended > 5


def test_a_result_outlasts_an_error_and_the_reset_of_another_game():
    fails = False

    def opponent(position):
        if fails:
            raise OSError("busy")
        return some_turn(position)

    env = SantoriniVectorEnv(3, opponent, start="random", player=1, autoreset_mode="SameStep")
    env.reset(seed=1)
    fails = True
    with pytest.raises(OSError):
        # All games end, and the opponent cannot open the next ones.
        env.step([-1, -1, -1])
    fails = False
    env.reset(options={"reset_mask": np.array([False, True, False])})
    _, rewards, ended, _, info = env.step([-1, -1, -1])
    assert rewards.tolist() == [-1, 0, -1] and ended.tolist() == [True, False, True]
    for said in (info, info["final_info"]):
        assert said["illegal_action"].tolist() == said["_illegal_action"].tolist() == [True, False, True]
    assert [seen is None for seen in info["final_obs"]] == [False, True, False]
    assert env.action_masks().any(1).all() and (env._table.games.to_move == 1).all()


def test_a_copy_with_an_engine_plays_the_same():
    env = SantoriniEnv("engine:nodes=500", start="random", turns=2, player=0)
    rng = np.random.default_rng(1)
    for seed in range(4):
        env.reset(seed=seed)
        over = False
        while not over:
            twin = copy.deepcopy(env)
            action = at_random(rng, env)
            observation, _, over, _, _ = env.step(action)
            assert (twin.step(action)[0] == observation).all()


@pytest.mark.parametrize("action", [130.9, 130.0, "1", True, None, [130], np.nan, np.float32(130)])
def test_actions_are_whole_numbers(action):
    env, many = SantoriniEnv(player=0), SantoriniVectorEnv(2, player=0)
    for one in (env, many):
        one.reset(seed=1)
    for call in (lambda: env.step(action), lambda: many.step([action, action])):
        with pytest.raises((TypeError, ValueError), match="actions has"):
            call()
    for number in (130, np.int8(100), np.array(130), 10**30, -(10**30), 2**63):
        env.reset(seed=1)
        assert ("illegal_action" in env.step(number)[-1]) == (number != 130)


class Undecided(Placing):
    """Chooses other squares at each question."""

    def place(self, first, cards, size):
        self.squares.reverse()
        return self.squares[0]


def test_the_opponent_is_asked_once_for_its_placement():
    env = SantoriniEnv(Undecided([("a1", "b1"), ("d5", "e5")]), player=1)
    placed = []
    for _ in range(4):
        env.reset(seed=1)
        planes = env.unwrapped._table.games.observations(player=0)[0]
        placed.append(np.argwhere(planes[4:6].any(0)).tolist())
    assert placed == [[[4, 3], [4, 4]], [[0, 0], [0, 1]]] * 2


def first_boards(env):
    """The boards of all games after three turns of both players, with the first legal actions."""
    for _ in range(5):
        env.step(env.action_masks().argmax(1))
    return [str(env._table.games.position(game)) for game in range(env.num_envs)]


def test_a_level_plays_other_games_each_time():
    env = SantoriniVectorEnv(8, "level:3", player=0)
    env.reset(seed=1)
    boards = first_boards(env)
    env.reset()
    assert len({*boards, *first_boards(env)}) > 8
    env.reset(seed=1)
    assert first_boards(env) == boards


def test_a_given_agent_stays_as_it_is():
    agent = Agent("random")
    env = SantoriniEnv(agent, player=1)
    games = [play(env, 5, at_random) for _ in range(2)]
    assert games[0] == games[1] and agent == Agent("random")


def test_a_strong_opponent_beats_random_play():
    results = [play(SantoriniEnv("level:6"), seed, at_random)[0][-1] for seed in range(6)]
    assert sum(results) <= -4


@pytest.mark.parametrize(
    "options, words",
    [
        ({"opponent": "level:100"}, "level:1"),
        ({"opponent": "engine:hours=1"}, "nodes, depth or seconds"),
        ({"opponent": "nobody"}, "opponent: "),
        ({"opponent": "Level:3"}, 'opponent: no agent is called "Level".*; other opponents are "random", "level:3"'),
        ({"turns": 5}, 'turns is 5; it should be 0 unless start is "random"'),
        ({"opponent": "engine:nodes=0"}, 'opponent is "engine:nodes=0"; .* greater than 0'),
        ({"opponent": "engine:seconds=nan"}, "greater than 0"),
        ({"opponent": "engine:nodes=5,nodes=7"}, "each once"),
        ({"opponent": "alphabeta:depth=1", "cards": "random"}, "only the base game on 5x5"),
        ({"opponent": Agent("random"), "size": 6}, 'opponent is "random"; agents .* only the base game'),
        ({"player": 2}, "player is 2"),
        ({"player": 1.0}, "player is 1.0"),
        ({"player": True}, "player is True"),
        ({"render_mode": "hologram"}, "render_mode"),
        ({"size": 7}, "size is 7; it should be a whole number from 5 to 6"),
    ],
)
def test_wrong_options_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        SantoriniEnv(**options)
    for opponent in (5, LevelPlayer, Placing):
        with pytest.raises(TypeError, match="opponent is "):
            SantoriniEnv(opponent)
    for number in (0, -1, 10**12, "3", True, 2.0):
        with pytest.raises(ValueError, match=f"num_envs is {number!r}; it should be 1 to"):
            SantoriniVectorEnv(number)
    with pytest.raises(ValueError, match="render_mode is 'ansi'; it should be None"):
        SantoriniVectorEnv(2, render_mode="ansi")


@pytest.mark.parametrize(
    "seed, error, words",
    [
        (1.5, TypeError, "seed is 1.5; it should be a whole number, or a list of 2"),
        ("a", TypeError, "seed is 'a'; it should be a whole number"),
        ([1], ValueError, "seed has 1 items; it should have 2"),
        ([1, "a"], ValueError, "seed has 'a'; seeds are whole numbers"),
        ([1, -1], ValueError, "seed has -1; seeds are whole numbers"),
    ],
)
def test_wrong_seeds_are_refused(seed, error, words):
    with pytest.raises(error, match=words):
        SantoriniVectorEnv(2).reset(seed=seed)


def test_pixels_show_the_board():
    env = SantoriniEnv(render_mode="rgb_array", player=0)
    env.reset(seed=1)
    empty = env.render()
    assert empty.dtype == np.uint8 and empty.shape == (240, 240, 3)
    env.step(128 + 7)
    placed = env.render()
    changed = (empty != placed).any(-1).reshape(5, 48, 5, 48).any((1, 3))
    assert changed[1, 2] and changed.sum() == 1
    env = SantoriniEnv(render_mode="ansi", player=0)
    env.reset(seed=1)
    env.step(128 + 7)
    assert "0A" in env.render() and "player 0 (A) places" in env.render()


VECTORS = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]


@pytest.mark.parametrize("mode", VECTORS)
@pytest.mark.parametrize("options", [{}, {"cards": "random"}, {"cards": "random", "opponent": "level:1"}])
def test_a_vector_environment_begins_games_again(mode, options):
    env = gymnasium.make_vec(
        "Santorini-v0",
        num_envs=6,
        vectorization_mode="vector_entry_point",
        autoreset_mode=mode,
        **options,
    )
    assert env.metadata["autoreset_mode"] is mode
    observations, info = env.reset(seed=2)
    rng, over, ended, wins = np.random.default_rng(1), np.zeros(6, bool), 0, 0
    for _ in range(90):
        assert observations in env.observation_space
        mask = info["action_mask"]
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(RuntimeError, match="reset_mask"):
                env.step(np.zeros(6, int))
            observations, info = env.reset(options={"reset_mask": over})
            mask = info["action_mask"]
            over[:] = False
        actions = np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])
        before = over
        observations, rewards, over, truncated, info = env.step(actions)
        assert (over == (rewards != 0)).all() and not truncated.any()
        assert "illegal_action" not in info
        if mode is AutoresetMode.NEXT_STEP:
            assert not rewards[before].any()
            assert (observations[before][:, :4] == 0).all()
        if mode is AutoresetMode.SAME_STEP:
            assert (info["action_mask"].any(1)).all()
            if over.any():
                assert (info["_final_obs"] == over).all()
                for game in np.flatnonzero(over):
                    assert info["final_obs"][game][:4].any()
                assert (observations[over][:, :4] == 0).all()
        else:
            assert (info["action_mask"].any(1) == ~over).all()
        ended, wins = ended + over.sum(), wins + (rewards > 0).sum()
    # Random turns win 14 games of 1,000 against the first level.
    least, most = (0, 0.2) if "opponent" in options else (0.2, 0.8)
    assert ended > 10 and least <= wins / ended <= most


def test_an_engine_searches_each_placement_once():
    env = SantoriniVectorEnv(300, "engine:nodes=20", player=1)
    began = time.monotonic()
    env.reset(seed=1)
    # A search takes 0.1 s.
    assert time.monotonic() - began < 10
    assert (env.action_masks().sum(1) == 23).all()


def test_a_vector_environment_is_decided_by_its_seed():
    def games(seed):
        env = SantoriniVectorEnv(4, start="random")
        observations, _ = env.reset(seed=seed)
        for _ in range(20):
            actions = env.action_masks().argmax(1)
            observations = env.step(actions)[0]
        return observations

    assert (games(1) == games(1)).all() and (games(1) != games(2)).any()
    assert (games([1, 2, 3, 4]) == games([1, 2, 3, 4])).all()
    assert (games(np.array([1, 2, 3, 4])) == games([1, 2, 3, 4])).all()
    assert (games([None] * 4) != games([None] * 4)).any()
    illegal = SantoriniVectorEnv(2, player=0)
    illegal.reset(seed=1)
    _, rewards, over, _, info = illegal.step(np.array([0, 128]))
    assert rewards.tolist() == [-1, 0] and over.tolist() == [True, False]
    assert info["illegal_action"].tolist() == [True, False]
    assert info["action_mask"].any(1).tolist() == [False, True]


def test_a_masked_reset_keeps_the_other_games():
    env = SantoriniVectorEnv(4, "level:1", start="random", turns=2)
    env.reset(seed=1)
    env.step(env.action_masks().argmax(1))
    games = env._table.games
    before, players = [games.position(game) for game in range(4)], env._table.players.copy()
    mask = np.array([True, False, False, True])
    info = env.reset(seed=2, options={"reset_mask": mask})[1]
    assert [games.position(game) == before[game] for game in range(4)] == [False, True, True, False]
    assert (info["player"] == games.to_move).all() and (info["player"] == players)[~mask].all()
    begun = [games.position(game) for game in range(4)]
    for wrong, error in [([0, 2, 0, 7], TypeError), ([True], ValueError)]:
        with pytest.raises(error, match="reset_mask has the"):
            env.reset(seed=3, options={"reset_mask": np.array(wrong)})
    assert [games.position(game) for game in range(4)] == begun


@pytest.mark.parametrize("mode", VECTORS)
def test_many_games_have_to_be_reset_first(mode):
    env = SantoriniVectorEnv(2, player=1, autoreset_mode=mode)
    for _ in range(2):
        with pytest.raises(ResetNeeded):
            env.step([128, 129])
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset()
    env.step(env.action_masks().argmax(1))
