"""The rules of the base game in plain Python, to compare the package with. A board is (levels,
workers of the player to move, workers of the opponent); a square is a pair of row and column."""

import random


class Rules:
    """The rules on a board of this many spaces."""

    def __init__(self, rows=5, columns=5, workers=2):
        self.rows, self.columns, self.workers = rows, columns, workers
        self.squares = [(row, column) for row in range(rows) for column in range(columns)]
        self.near = {
            (row, column): [
                (r, c)
                for r in range(max(row - 1, 0), min(row + 2, rows))
                for c in range(max(column - 1, 0), min(column + 2, columns))
                if (r, c) != (row, column)
            ]
            for row, column in self.squares
        }

    def turns(self, board):
        """All legal turns as (from, to, build); the build is None if the turn wins."""
        levels, mine, theirs = board
        near, found = self.near, []
        for old in mine:
            taken = {*mine, *theirs} - {old}
            for new in near[old]:
                if new in taken or levels[new] > min(levels[old] + 1, 3):
                    continue
                if levels[new] == 3 and levels[old] < 3:
                    found.append((old, new, None))
                    continue
                for build in near[new]:
                    if build not in taken and levels[build] < 4:
                        found.append((old, new, build))
        return found

    def start(self, rng):
        """A random placement."""
        placed = rng.sample(self.squares, 2 * self.workers)
        first, second = placed[: self.workers], placed[self.workers :]
        return dict.fromkeys(self.squares, 0), tuple(first), tuple(second)

    def boards(self, rng=random):
        """The boards of a random game, each with its legal turns."""
        board = self.start(rng)
        while legal := self.turns(board):
            yield board, legal
            turn = rng.choice(legal)
            if turn[2] is None:
                break
            board = play(board, turn)

    def text(self, board):
        """A board as the package reads it, but for the number of turns."""
        levels, mine, theirs = board
        rows = "/".join(
            "".join(str(levels[row, column]) for column in range(self.columns))
            for row in range(self.rows)
        )
        return " ".join([rows, *("".join(map(name, sorted(workers))) for workers in (mine, theirs))])


def play(board, turn):
    """The board after a turn that does not win."""
    levels, mine, theirs = board
    old, new, build = turn
    levels = dict(levels)
    levels[build] += 1
    return levels, theirs, tuple(new if worker == old else worker for worker in mine)


def name(square):
    """The name of a square."""
    row, column = square
    return "abcdef"[column] + str(row + 1)


def square(name):
    """The square with this name."""
    return int(name[1]) - 1, "abcdef".index(name[0])


def notation(turn):
    """A turn as the package writes it."""
    old, new, build = turn
    return f"{name(old)}-{name(new)}" + ("#" if build is None else f"+{name(build)}")
