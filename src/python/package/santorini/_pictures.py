"""Boards as arrays of pixels and as text, also while the workers are being placed."""

from html import escape

import numpy as np
from numpy.typing import NDArray

from ._santorini import Batch

_PIXELS = 48
_GROUND = (126, 170, 108)
_GRID = (88, 124, 78)
# The levels, each smaller than the one below; the last is a dome.
_LEVELS = ((226, 222, 210), (200, 194, 178), (172, 164, 146), (44, 92, 160))
_PLAYERS = ((214, 84, 56), (56, 60, 72))
_RIM = (250, 250, 250)


def _distances() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The distance of each pixel of a space from its centre: Chebyshev and Euclidean."""
    line = np.abs(np.arange(_PIXELS) - (_PIXELS - 1) / 2) / (_PIXELS / 2)
    return np.maximum.outer(line, line), np.hypot.outer(line, line)


def _space(level: int, player: int | None) -> NDArray[np.uint8]:
    square, circle = _distances()
    pixels = np.full((_PIXELS, _PIXELS, 3), _GROUND, np.uint8)
    for number in range(min(level, 3)):
        pixels[square < 0.88 - 0.14 * number] = _LEVELS[number]
    if level == 4:
        pixels[circle < 0.5] = _LEVELS[3]
    if player is not None:
        pixels[circle < 0.42] = _RIM
        pixels[circle < 0.36] = _PLAYERS[player]
    pixels[square > 0.96] = _GRID
    return pixels


def _spaces(batch: Batch) -> list[list[tuple[int, int | None]]]:
    """The level of each space, and the player whose worker is there."""
    planes = batch.observations(player=0)[0]
    levels, own, other = planes[:4].sum(0), planes[4:6].any(0), planes[6]

    def space(row: int, column: int) -> tuple[int, int | None]:
        player = 0 if own[row, column] else 1 if other[row, column] else None
        return int(levels[row, column]), player

    size = range(batch.size)
    return [[space(row, column) for column in size] for row in size]


def pixels(batch: Batch) -> NDArray[np.uint8]:
    """The first board of a batch: an array (height, width, 3)."""
    rows = [np.hstack([_space(*space) for space in row]) for row in _spaces(batch)]
    return np.vstack(rows)


def notebook(batch: Batch) -> str:
    """The first board of a batch in HTML."""
    position = batch.position(0)
    return f"<pre>{escape(text(batch))}</pre>" if position is None else position.svg()


def text(batch: Batch) -> str:
    """The first board of a batch as lines of text."""
    position = batch.position(0)
    if position is not None:
        return position.picture()
    head = "   " + "  ".join("abcdef"[: batch.size])
    names = {None: " ", 0: "A", 1: "B"}
    rows = (
        f"{number}  " + " ".join(f"{level}{names[player]}" for level, player in row).rstrip()
        for number, row in enumerate(_spaces(batch), 1)
    )
    player = int(batch.to_move[0])
    return "\n".join([head, *rows, f"player {player} ({names[player]}) places a worker"])
