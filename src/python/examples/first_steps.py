# %% [markdown]
# # Santorini in Python: first steps
#
# A tour in cells: run it as a program, or open it as a notebook (VS Code, PyCharm, or
# Jupyter with jupytext). It needs matplotlib for the plot: `pip install matplotlib`.
#
#     python first_steps.py FOLDER
#
# writes a game, a plot and a solved board to the folder. Without FOLDER, and in a
# notebook, it creates a new folder and prints its name.

# %% Imports, and the folder for its files
import sys
import tempfile
from pathlib import Path

import numpy as np

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("first_steps.py draws a plot with matplotlib: pip install matplotlib")

named = sys.argv[1:] if "ipykernel" not in sys.modules else []
folder = Path(named[0] if named else tempfile.mkdtemp(prefix="santorini-"))
folder.mkdir(parents=True, exist_ok=True)
print("files go to", folder)

# %% A position and its legal turns

import santorini

position = santorini.Position.start(("b3", "d3"), ("c2", "c4"))
print(position.picture())
print(position.count_turns(), "turns, the first:", position.turns()[:3])
position  # in a notebook: a picture of the board

# %% A turn, and the referee's message about an illegal one
position = position.play("b3-b2+b3")
try:
    position.play("c2-b2+b1")
except santorini.IllegalTurn as error:
    print(error)

# %% The best turns, deeper and deeper
engine = santorini.Engine()
report = engine.analyze(position, 3, nodes=50_000, callback=print)
for line in report.lines:
    print(f"{line.score_text:>6}  {' '.join(line.turns[:4])}")

# %% A game: the engine against an agent that looks two turns ahead
opponent = santorini.Agent("alphabeta:depth=2", seed=1)
first = engine.place()
start = position = santorini.Position.start(first, opponent.place(first))
turns, chances = [], []
while not position.is_over:
    report = engine.best(position, nodes=20_000)
    # The chance of player 0.
    chances.append(report.chance if position.to_move == 0 else 1 - report.chance)
    turn = report.turn if position.to_move == 0 else opponent.turn(position)
    turns.append(turn)
    position = position.play(turn)
game = santorini.Game(start, turns, players=("engine", "alphabeta"))
print(f"{game.players[game.winner]} won after {len(game)} turns")
(folder / "game.jsonl").write_text(game.to_json() + "\n")
position

# %% The same positions judged by random play: 1,000 games from each
batch = santorini.Batch(len(turns), seed=1)
for number, before in enumerate(game.positions()[:-1]):
    batch.set_position(number, before)
shares = batch.rollouts(1000)
shares = np.where(batch.to_move == 0, shares, 1 - shares)

# %% Both together: the engine sees early what random play never shows
figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
axes.plot(chances, label="between strong players (the engine)")
axes.plot(shares, label="between random players (1,000 games)")
axes.axhline(0.5, color="gray", linewidth=0.5)
axes.set(xlabel="turn", ylabel="chance of player 0", ylim=(-0.02, 1.02))
axes.set_title("A game as two judges see it")
axes.legend()
figure.savefig(folder / "first_steps.svg")

# %% Learning: a thousand games at once
batch = santorini.Batch(1024, seed=1)
planes = batch.observations()  # the input of a network: (1024, 7, 5, 5)
masks = batch.masks()  # the legal actions: (1024, 153)
logits = np.random.default_rng(1).normal(size=masks.shape)  # in place of a network
actions = np.where(masks, logits, -np.inf).argmax(axis=1)
won = batch.step(actions)
print(planes.shape, masks.sum(axis=1).mean(), "actions on average,", won.sum(), "games won")

# %% The same with god cards, two drawn for each game
batch = santorini.Batch(1024, cards="random", start="random", turns=4, seed=1)
print(batch.observations().shape, batch.actions, "actions")
print(*batch.cards(0), "play", batch.turn_of(0, int(batch.sample()[0])))

# %% The exact result of a small board: who wins, and in how many turns
solved = santorini.Solved.solve(folder / "2x4.solved", "2x4", workers=1)
found = solved.probe("0000/0000 a1 d2")
print(found.value, "by", *found.best)
for position, turn, value in solved.best_game("0000/0000 a1 d2")[-3:]:
    print(position, turn, value)
