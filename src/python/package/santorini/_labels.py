"""The results of `Engine.label`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _views

# The maximum number of labels shown in notebooks.
_SHOWN = 10


class Labels(NamedTuple):
    """The results of searches of many positions: arrays with one item for each.

    Where the game is over, or the workers are not placed yet, the action is -1, the score
    and the chance are NaN, and the depth and the nodes are 0. Where a search ended before its
    first iteration, the depth is 0, the score is the static evaluation, see `Engine.evaluate`,
    and the action was not searched.
    """

    actions: NDArray[np.int64]
    """The best actions, see `Batch`."""
    scores: NDArray[np.float32]
    """The scores for the player to move, see `Line.score`."""
    chances: NDArray[np.float32]
    """The player to move's chances of winning, see `Line.chance`."""
    depths: NDArray[np.int64]
    """The completed depths in turns."""
    nodes: NDArray[np.int64]
    """The numbers of positions searched."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Labels):
            return False
        ours: tuple[NDArray[Any], ...] = self
        theirs: tuple[NDArray[Any], ...] = other
        return all(np.array_equal(*pair, equal_nan=True) for pair in zip(ours, theirs))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError("Labels hold arrays, which have no hash")

    def _repr_html_(self) -> str:
        rows = zip(*(array[:_SHOWN] for array in self))
        return f"<p>{len(self.actions)} labels</p>" + _views.table(self._fields, rows)
