"""The results of `Engine.label`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Labels(NamedTuple):
    """What searches found in many positions: arrays with one item for each.

    Where the game is over, or the workers are not placed yet, the action is -1, the score
    and the chance are NaN, and the depth and the nodes are 0.
    """

    actions: NDArray[np.int64]
    """The best actions, see `Batch`."""
    scores: NDArray[np.float32]
    """The scores for the player to move, see `Line.score`."""
    chances: NDArray[np.float32]
    """The chances of winning of the player to move, see `Line.chance`."""
    depths: NDArray[np.int64]
    """The completed depths in turns."""
    nodes: NDArray[np.int64]
    """The numbers of positions searched."""
