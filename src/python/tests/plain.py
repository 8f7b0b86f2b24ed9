"""The rules of the base game in plain Python, to compare the package with. A board is
(levels, workers of the player to move, workers of the opponent); a square is a pair
of row and column."""

import random

SIZE = 5
SQUARES = [(row, column) for row in range(SIZE) for column in range(SIZE)]
NEAR = {
    (row, column): [
        (r, c)
        for r in range(max(row - 1, 0), min(row + 2, SIZE))
        for c in range(max(column - 1, 0), min(column + 2, SIZE))
        if (r, c) != (row, column)
    ]
    for row, column in SQUARES
}


def turns(board):
    """All legal turns as (from, to, build); the build is None if the turn wins."""
    levels, mine, theirs = board
    found = []
    for old in mine:
        taken = {*mine, *theirs} - {old}
        for new in NEAR[old]:
            if new in taken or levels[new] > min(levels[old] + 1, 3):
                continue
            if levels[new] == 3 and levels[old] < 3:
                found.append((old, new, None))
                continue
            for build in NEAR[new]:
                if build not in taken and levels[build] < 4:
                    found.append((old, new, build))
    return found


def play(board, turn):
    """The board after a turn that does not win."""
    levels, mine, theirs = board
    old, new, build = turn
    levels = dict(levels)
    levels[build] += 1
    return levels, theirs, tuple(new if worker == old else worker for worker in mine)


def start(rng):
    """A random placement."""
    a, b, c, d = rng.sample(SQUARES, 4)
    return dict.fromkeys(SQUARES, 0), (a, b), (c, d)


def game(rng=random):
    """Plays a random game and returns its number of turns."""
    board = start(rng)
    count = 0
    while legal := turns(board):
        turn = rng.choice(legal)
        count += 1
        if turn[2] is None:
            break
        board = play(board, turn)
    return count


def notation(turn):
    """A turn as the package writes it."""
    old, new, build = (
        "" if square is None else "abcde"[square[1]] + str(square[0] + 1) for square in turn
    )
    return f"{old}-{new}#" if not build else f"{old}-{new}+{build}"


def text(board, turn):
    """A board as the package reads it."""
    levels, mine, theirs = board
    rows = "/".join(
        "".join(str(levels[row, column]) for column in range(SIZE)) for row in range(SIZE)
    )
    names = [
        "".join("abcde"[column] + str(row + 1) for row, column in sorted(workers))
        for workers in (mine, theirs)
    ]
    return f"{rows} {names[0]} {names[1]} {turn}"
