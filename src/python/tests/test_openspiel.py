"""The game of OpenSpiel, where OpenSpiel is installed."""

import copy
import pickle

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from absl import flags  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough, minimax  # noqa: E402

from santorini import IllegalTurn, Solved, openspiel_v0  # noqa: E402,F401

GAMES = [
    "python_santorini",
    "python_santorini(board=6x6,cards=Pan Atlas)",
    "python_santorini(board=3x4,workers=1)",
    "python_santorini(board=3x3,cards=Artemis Prometheus)",
]


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_test_passes(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=False, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_states_are_cloned_pickled_and_observed(name):
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    rng = np.random.default_rng(2)
    while not state.is_terminal():
        for again in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert str(again) == str(state) and again.legal_actions() == state.legal_actions()
            assert again.history() == state.history() and again._repr_html_() == state._repr_html_()
        planes = np.array(state.observation_tensor()).reshape(game.observation_tensor_shape())
        assert planes[4].sum() <= 2 and set(np.unique(planes)) <= {0, 1}
        action = rng.choice(state.legal_actions())
        assert state.action_to_string(action)
        state.apply_action(action)
    assert sorted(state.returns()) == [-1, 1]
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)


def test_search_of_openspiel_agrees_with_the_solver(tmp_path):
    game = pyspiel.load_game("python_santorini(board=2x2,workers=1)")
    value, _ = minimax.alpha_beta_search(game)
    solved = Solved.solve(tmp_path / "solved", "2x2", 1, threads=1)
    best = solved.placements()[0].value
    assert value == (1 if best.wins else -1)


@pytest.mark.parametrize("wrong", ["board=7x7", "workers=1", "board=3x3,workers=3", "cards=Pan"])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError):
        pyspiel.load_game(f"python_santorini({wrong})")


def test_a_playthrough_can_be_replayed(tmp_path):
    text = generate_playthrough.playthrough("python_santorini(board=2x3,workers=1)", None, seed=1)
    flags.FLAGS.mark_as_parsed()  # which OpenSpiel reads
    file = tmp_path / "playthrough.txt"
    file.write_text(text)
    written, again = generate_playthrough.replay(str(file))
    assert written == again and 'action: ' in text


@pytest.mark.parametrize("action", [0, 10**6, -1])
def test_an_illegal_placement_is_refused(action):
    state = pyspiel.load_game("python_santorini").new_initial_state()
    with pytest.raises(IllegalTurn, match=f"action {action} is not legal"):
        state._apply_action(action)
