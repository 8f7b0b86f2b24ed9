#!/usr/bin/env python3
"""The AlphaZero network of another project as a player, for matches against it.

It is a player program for `santorini referee` and `santorini tournament` (base
game, without cards). The network and the tree search of
https://github.com/cestpasphoto/alpha-zero-general choose its turns, on one thread.
This file contains nothing of that project; it imports its modules.

Tried with commit 5d6d1f129b76659837f6afd6fb082e8da57e5428 and its network without
gods, santorini/pretrained.pt (git blob ae4796db, network version 89), Python 3.11,
torch 2.5.1, onnxruntime 1.31.1, numba 0.68.1, with NB_GODS = 1 in
santorini/SantoriniConstants.py. Its README explains how to install what it needs.

The match, on one core. The tournament allows more time than the players use,
because this player needs half a minute before its first answer:

    taskset -c 1 ./santorini tournament --openings even --seed 1 --rounds 50 --reuse --time 120 \\
        'ours=./santorini player --threads 1 --time 1 --overhead 0.002' \\
        'peer=venv/bin/python tests/peers/alpha_zero.py --peer az --time 1'

The search runs until its time is used up, with the settings saved in the network's
file (cpuct, fpu). Forced playouts and noise, which are for training, are off. The
most visited turn is played. As in the other project's own games, the tree is kept
from turn to turn. That project places workers at random, so this program places
them itself, by the network's values.
"""
import argparse
import contextlib
import itertools
import json
import os
import sys
import tempfile
import time

SIZE = 5
WIN_LEVEL = 3
CAPPED = 4
ACTIONS_WITHOUT_GODS = 2 * 9 * 9
# Simulations per call of the tree search.
SIMULATIONS = 20
# Subtracted from the time for an answer, in seconds.
RESERVE = 0.01
BOARD_KEYS = {"players", "spaces", "turn"}
FIRST_PLACEMENT = [[2, 3], [4, 3]]


def fail(why):
    sys.exit(f"alpha_zero.py: {why}")


def report(line):
    print(line, file=sys.stderr, flush=True)


def import_peer(folder):
    """The other project's classes for the game, the network, the search and its settings."""
    if not os.path.isfile(os.path.join(folder, "MCTS.py")):
        fail(f"no alpha-zero-general in {folder}")
    os.environ["OMP_NUM_THREADS"] = os.environ["NUMBA_NUM_THREADS"] = "1"
    sys.path.insert(0, folder)
    try:
        from GameSwitcher import import_game
        from MCTS import MCTS
        from utils import dotdict

        game_class, network_class, _, _ = import_game("santorini")
    except ImportError as error:
        fail(f"{error}; is this the Python that has the packages of the peer?")
    return game_class, network_class, MCTS, dotdict


def search_settings(saved):
    """The search settings saved with the network, without those for training."""
    cpuct = saved["cpuct"]
    return {
        "numMCTSSims": SIMULATIONS,
        "cpuct": float(cpuct[0] if isinstance(cpuct, list) else cpuct),
        "fpu": saved.get("fpu", 0.0),
        "universes": saved.get("universes", 1),
        "prob_fullMCTS": 1.0,
        "forced_playouts": False,
        "no_mem_optim": False,
    }


class Peer:
    """The network and the tree search of the other project."""

    def __init__(self, folder, network):
        game_class, network_class, search_class, dotdict = import_peer(os.path.abspath(folder))
        self.game = game_class()
        if self.game.getActionSize() != ACTIONS_WITHOUT_GODS:
            fail("gods are on; set NB_GODS = 1 in santorini/SantoriniConstants.py")
        architecture = {"lr": None, "dropout": 0.0, "epochs": None, "batch_size": None, "nn_version": -1}
        self.network = network_class(self.game, architecture)
        saved = self.network.load_checkpoint(*os.path.split(os.path.abspath(network)))
        if saved is None:
            fail(f"the network {network} cannot be loaded")
        self.search = search_class(self.game, self.network, dotdict(search_settings(saved)))
        report(f"network version {saved.get('nn_version')}, {search_settings(saved)}")

    def forget(self):
        """Empties the search tree: another game begins."""
        self.search.nodes_data = {}
        self.search.last_cleaning = 0

    def known_state(self, states):
        """The first of these states that is in the search tree, or else the first."""
        known = (s for s in states if self.game.stringRepresentation(s) in self.search.nodes_data)
        return next(known, states[0])

    def value(self, state):
        """The network's value for the player to move, -1 to 1."""
        return float(self.network.predict(state, self.game.getValidMoves(state, 0))[1][0])

    def best_action(self, state, end):
        """The action chosen by searching until `end`, and the number of simulations."""
        simulations, longest = 0, 0.0
        while True:
            start = time.monotonic()
            chances, _, _ = self.search.getActionProb(state, temp=0, force_full_search=True)
            simulations += SIMULATIONS
            now = time.monotonic()
            longest = max(longest, now - start)
            if now + min(longest, 0.05) > end:
                return max(range(len(chances)), key=chances.__getitem__), simulations


def new_state(levels, mover, other, turn):
    """A position in the other project's format: three planes of 5x5 numbers.

    Workers are 1 and 2 for the player to move and -1 and -2 for the other. The
    third plane begins with "no god" for each player and the number of the turn.
    """
    import numpy

    state = numpy.zeros((SIZE, SIZE, 3), dtype=numpy.int8)
    for name, (row, column) in zip((1, 2, -1, -2), [*mover, *other]):
        state[row - 1, column - 1, 0] = name
    state[:, :, 1] = levels
    state[0, 0, 2] = state[0, 1, 2] = 64
    state[0, 2, 2] = min(turn, 127)
    return state


def all_states(board):
    """All states of a board: each player's workers can be numbered either way."""
    orders = itertools.product(*(itertools.permutations(player) for player in board["players"]))
    return [new_state(board["spaces"], mover, other, board["turn"]) for mover, other in orders]


def step(space, direction):
    """The neighbour of a space; directions go from 0, up and left, to 8, down and right."""
    return [space[0] + direction // 3 - 1, space[1] + direction % 3 - 1]


def worker_space(state, name):
    """The space of the worker with this number: row and column, from 1."""
    for row, column in itertools.product(range(SIZE), repeat=2):
        if state[row, column, 0] == name:
            return [row + 1, column + 1]
    raise ValueError(f"no worker {name}")


def decode(state, action):
    """Decodes an action: the spaces its worker starts from, moves to and builds on."""
    worker, directions = divmod(action, 81)
    start = worker_space(state, worker + 1)
    target = step(start, directions // 9)
    return start, target, step(target, directions % 9)


def level(board, space):
    """The level of a space, or None outside the board."""
    row, column = space
    if not (1 <= row <= SIZE and 1 <= column <= SIZE):
        return None
    return board["spaces"][row - 1][column - 1]


def check_turn(board, start, target, build):
    """Raises ValueError if the turn breaks a rule."""
    others = [worker for player in board["players"] for worker in player if worker != start]
    from_level, to_level, build_level = (level(board, space) for space in (start, target, build))
    if start not in board["players"][0]:
        raise ValueError(f"{start} has no worker of the player to move")
    if to_level is None or target in others or target == start:
        raise ValueError(f"{target} is not free")
    if to_level > min(from_level + 1, WIN_LEVEL):
        raise ValueError(f"{target} is too high")
    if to_level == WIN_LEVEL and from_level < WIN_LEVEL:
        return
    if build_level is None or build in others or build == target or build_level >= CAPPED:
        raise ValueError(f"nothing can be built on {build}")


def board_after(board, start, target, build):
    """The board after a turn. A winning move builds nothing."""
    mine = [target if worker == start else worker for worker in board["players"][0]]
    spaces = [list(row) for row in board["spaces"]]
    if level(board, target) < WIN_LEVEL:
        spaces[build[0] - 1][build[1] - 1] += 1
    return {"players": [board["players"][1], mine], "spaces": spaces, "turn": board["turn"] + 1}


class Player:
    """Answers set-up arrays and boards."""

    def __init__(self, peer, seconds):
        self.peer = peer
        self.seconds = seconds
        self.last_turn = -1

    def warm_up(self):
        """Runs a short search, so that code compiled on first use is compiled before the game."""
        levels = [[0] * SIZE for _ in range(SIZE)]
        state = new_state(levels, [[2, 2], [4, 4]], [[2, 4], [4, 2]], 0)
        _, simulations = self.peer.best_action(state, time.monotonic() + 0.5)
        self.peer.forget()
        report(f"ready; {simulations} simulations to warm up")

    def answer(self, question):
        if isinstance(question, dict) and BOARD_KEYS <= question.keys():
            return self.play(question)
        if question == []:
            return [FIRST_PLACEMENT]
        if isinstance(question, list) and len(question) == 1:
            return [question[0], self.second_placement(question[0])]
        raise ValueError(f"neither a board nor a set-up array without cards: {question}")

    def play(self, board):
        start = time.monotonic()
        if board["turn"] <= self.last_turn:
            self.peer.forget()
        self.last_turn = board["turn"]
        state = self.peer.known_state(all_states(board))
        action, simulations = self.peer.best_action(state, start + self.seconds - RESERVE)
        turn = decode(state, action)
        check_turn(board, *turn)
        used = time.monotonic() - start
        report(f"turn {board['turn']}: {simulations} simulations in {used:.3f} s")
        return board_after(board, *turn)

    def second_placement(self, first):
        """The placement with the lowest value for the first player."""
        levels = [[0] * SIZE for _ in range(SIZE)]
        spaces = [[row, column] for row in range(1, SIZE + 1) for column in range(1, SIZE + 1)]
        free = [space for space in spaces if space not in first]
        placements = itertools.combinations(free, 2)
        return list(min(placements, key=lambda own: self.peer.value(new_state(levels, first, own, 0))))


def values(text):
    """The complete JSON values in a text, and the rest of the text."""
    decoder, found = json.JSONDecoder(), []
    while text := text.lstrip():
        try:
            value, end = decoder.raw_decode(text)
        except ValueError:
            break
        found.append(value)
        text = text[end:]
    return found, text


def options():
    parser = argparse.ArgumentParser(description="The AlphaZero network of another project as a player.")
    parser.add_argument("--peer", required=True, metavar="FOLDER", help="alpha-zero-general")
    parser.add_argument("--network", metavar="FILE", help="default: santorini/pretrained.pt in FOLDER")
    parser.add_argument(
        "--time",
        type=float,
        default=float(os.environ.get("SANTORINI_TIME", "2")),
        metavar="SECONDS",
        help="for an answer; default: SANTORINI_TIME, or else 2",
    )
    chosen = parser.parse_args()
    if chosen.network is None:
        chosen.network = os.path.join(chosen.peer, "santorini", "pretrained.pt")
    return chosen


def main():
    chosen = options()
    # The other project prints to standard output, which is for the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    peer = Peer(chosen.peer, chosen.network)
    player = Player(peer, chosen.time)
    # The other project writes a file into the working folder and removes it.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        player.warm_up()
    text = ""
    for line in sys.stdin:
        found, text = values(text + line)
        for question in found:
            try:
                answer = player.answer(question)
            except ValueError as error:
                fail(error)
            print(json.dumps(answer, separators=(",", ":")), file=answers, flush=True)
    if text:
        fail(f"not JSON: {text[:60]!r}")


if __name__ == "__main__":
    main()
