"""Checks of arguments of the classes written in Python."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number of Python or NumPy, and not a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def actions(given: Any, count: int) -> NDArray[np.int64]:
    """The actions as an array, one for each game. Numbers beyond int64 become negative, which is
    illegal."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu":
        # Python's integers may be beyond int64.
        numbers = np.asarray(given, object)
        for action in numbers.flat:
            if not is_whole(action):
                raise TypeError(f"actions has {action!r}; actions are whole numbers (int)")
        numbers = np.where(abs(numbers) < 2**63, numbers, -1)
    numbers = numbers.astype(np.int64)
    if numbers.shape != (count,):
        raise ValueError(f"actions has the shape {numbers.shape}; it should be ({count},)")
    return numbers
