"""Trains a small network by self-play on 3x3 spaces with one worker a player, and draws how
far it is from perfect play, which `Solved` knows.

    pip install matplotlib
    python distance_from_optimal.py FOLDER --seconds 120

writes the picture and the solved board to the folder.

An error is a turn that gives a win away: the network plays a losing turn although there is a
winning one. The test positions come from random games; positions in which all turns win or all
lose are left out.
"""

import argparse
import sys
import time
from collections import deque
from pathlib import Path

import numpy as np

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("distance_from_optimal.py draws a plot with matplotlib: pip install matplotlib")

from santorini import SmallBoard, Solved

BOARD = SmallBoard("3x3", workers=1)
HIDDEN = 128
RATE = 0.002
EXPLORATION = 0.2
# The number of positions remembered, and of positions in a learning step.
MEMORY = 20_000
LESSON = 256


class Network:
    """The value of a position for the player to move, from -1 to 1: one hidden layer, trained
    with Adam."""

    def __init__(self, rng):
        inputs = 6 * BOARD.rows * BOARD.columns
        self.parts = [
            rng.normal(0, inputs**-0.5, (inputs, HIDDEN)),
            np.zeros(HIDDEN),
            rng.normal(0, HIDDEN**-0.5, HIDDEN),
            np.zeros(1),
        ]
        self.moments = [(np.zeros_like(part), np.zeros_like(part)) for part in self.parts]
        self.steps = 0

    def values(self, planes):
        weights, bias, output, shift = self.parts
        self.hidden = np.maximum(planes @ weights + bias, 0)
        return np.tanh(self.hidden @ output + shift)

    def learn(self, planes, targets):
        """Takes a step towards these values."""
        values = self.values(planes)
        error = (values - targets) * (1 - values**2) / len(targets)
        back = np.outer(error, self.parts[2]) * (self.hidden > 0)
        slopes = [planes.T @ back, back.sum(0), self.hidden.T @ error, error.sum(keepdims=True)]
        self.steps += 1
        for part, slope, (mean, square) in zip(self.parts, slopes, self.moments):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            size = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            part -= RATE * mean / (1 - 0.9**self.steps) / size


def planes_of(positions):
    """The planes of the small board, one row a position: levels, own worker, other worker."""
    planes = np.array([position.planes() for position in positions], np.float64)
    planes = planes[:, :, : BOARD.rows, : BOARD.columns]
    own = planes[:, 4:5] + planes[:, 5:6]
    return np.concatenate([planes[:, :4], own, planes[:, 6:7]], 1).reshape(len(positions), -1)


def turn_values(network, positions):
    """The values of positions after a turn, for the player who played it."""
    over = np.array([position.is_over for position in positions])
    # The player of the last turn has won.
    return np.where(over, 1.0, -network.values(planes_of(positions)))


def self_play(network, rng):
    """Plays a game. Returns for each position its planes, the planes after each of its turns,
    and which of these turns end the game."""
    position, seen = BOARD.random_start(rng), []
    while not position.is_over:
        after = position.successors()
        planes = planes_of(after)
        over = np.array([next_.is_over for next_ in after])
        seen.append((planes_of([position])[0], planes, over))
        values = np.where(over, 1.0, -network.values(planes))
        explores = rng.random() < EXPLORATION
        position = after[rng.integers(len(after)) if explores else values.argmax()]
    return seen


def learn(network, memory, rng):
    """Learns that a position is worth as much as its best turn."""
    chosen = [memory[index] for index in rng.integers(len(memory), size=LESSON)]
    values = -network.values(np.concatenate([after for _, after, _ in chosen]))
    over = np.concatenate([over for _, _, over in chosen])
    begins = np.cumsum([0] + [len(after) for _, after, _ in chosen[:-1]])
    targets = np.maximum.reduceat(np.where(over, 1.0, values), begins)
    network.learn(np.array([planes for planes, _, _ in chosen]), targets)


def exam(solved, rng, count):
    """Positions in which some turns win and others lose: their successors, and which turns
    win."""
    questions = []
    while len(questions) < count:
        position = BOARD.random_start(rng)
        while not position.is_over:
            after = position.successors()
            wins = solved.values(after) <= 0
            if wins.any() and not wins.all():
                questions.append((after, wins))
            position = after[rng.integers(len(after))]
    return questions[:count]


def errors(network, questions):
    """The share of questions in which the network gives a win away."""
    chosen = [wins[turn_values(network, after).argmax()] for after, wins in questions]
    return 1 - np.mean(chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--seconds", type=float, default=120, help="time of training")
    parser.add_argument("--questions", type=int, default=1000, help="positions of the exam")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(options.seed)
    solved = Solved.solve(options.folder / "3x3.solved", BOARD.name, BOARD.workers)
    questions = exam(solved, rng, options.questions)
    at_random = 1 - np.mean([wins.mean() for _, wins in questions])
    print(f"random turns give a win away in {at_random:.1%} of {len(questions)} positions")
    network, memory, curve, games, spent = Network(rng), deque(maxlen=MEMORY), [], 0, 0.0
    while True:
        curve.append((games, errors(network, questions)))
        print(f"{games:6} games, {spent:4.0f} s: {curve[-1][1]:.1%}")
        if spent >= options.seconds:
            break
        begun = time.monotonic()
        while time.monotonic() - begun < options.seconds / 12:
            memory.extend(self_play(network, rng))
            games += 1
            for _ in range(2):
                learn(network, memory, rng)
        spent += time.monotonic() - begun
    draw(curve, at_random, options.folder / "distance.svg")


def draw(curve, at_random, path):
    games, shares = zip(*curve)
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.plot(games, np.multiply(shares, 100), marker="o", label="network")
    axes.axhline(at_random * 100, linestyle="--", color="gray", label="random turns")
    axes.set(xlabel="games of self-play", ylabel="wins given away (%)", ylim=(0, None))
    axes.set_title("Distance from perfect play on 3x3, one worker each")
    axes.legend()
    figure.savefig(path)


if __name__ == "__main__":
    main()
