"""The eight symmetries of the board for planes: eight samples from each position.

>>> planes = symmetric_planes(position.planes(), 3)
>>> bool((planes == position.symmetric(3).planes()).all())
True

Symmetries are numbered as in `Position.symmetric`. `Position.symmetric_actions` maps the
actions.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["SYMMETRIES", "symmetric_planes"]

SYMMETRIES = range(8)
"""The numbers of the symmetries; 0 changes nothing."""

# The planes of the viewer's workers.
_FIRST, _SECOND = 4, 5

_Value = TypeVar("_Value", bound=np.generic)


def _turned(planes: NDArray[_Value], symmetry: int) -> NDArray[_Value]:
    if symmetry & 1:
        planes = np.flip(planes, -2)
    if symmetry & 2:
        planes = np.flip(planes, -1)
    if symmetry & 4:
        planes = np.swapaxes(planes, -2, -1)
    return planes


def symmetric_planes(planes: NDArray[_Value], symmetry: int) -> NDArray[_Value]:
    """The planes of a position or a batch after a symmetry: an array (..., planes, rows,
    columns) like the argument. Worker 0 is again the one with the lower index."""
    planes = np.asarray(planes)
    if planes.ndim < 3 or planes.shape[-1] != planes.shape[-2] or planes.shape[-3] <= _SECOND:
        raise ValueError(
            f"planes has the shape {planes.shape}; it should be (..., planes, rows, columns)"
        )
    if symmetry not in SYMMETRIES:
        raise ValueError(f"symmetry is {symmetry!r}; it should be a whole number from 0 to 7")
    turned = np.array(_turned(planes, int(symmetry)), order="C")
    flat = turned.reshape(*turned.shape[:-2], -1)
    first, second = flat[..., _FIRST, :], flat[..., _SECOND, :]
    wrong = second.any(-1) & (second.argmax(-1) < first.argmax(-1))
    workers = flat[..., [_FIRST, _SECOND], :]
    flat[..., [_FIRST, _SECOND], :] = np.where(
        wrong[..., None, None], workers[..., ::-1, :], workers
    )
    return turned
