#!/usr/bin/env python3
# A player for Santorini with god cards: it wins if it can, and otherwise plays any legal turn.
# The rules, the cards and the JSON: santorini help rules
import json, random, sys

SPACES = [(row, column) for row in range(1, 6) for column in range(1, 6)]

NEAR = {a: [b for b in SPACES if b != a and abs(a[0] - b[0]) < 2 and abs(a[1] - b[1]) < 2] for a in SPACES}

class Board:  # a set of workers each, and the level of each space
    def __init__(self, card, mine, theirs, levels):
        self.card, self.mine, self.theirs, self.levels = card, mine, theirs, levels

    def built(self, space, level):
        return Board(self.card, self.mine, self.theirs, {**self.levels, space: level})

    def moves(self, old, climb=1):  # each new space, whether the move wins, and the board after it
        for new in NEAR[old]:
            low, high, theirs = self.levels[old], self.levels[new], self.theirs
            if new in self.mine or high > min(low + climb, 3):
                continue
            if new in theirs:
                behind = (2 * new[0] - old[0], 2 * new[1] - old[1])
                free = behind in SPACES and behind not in self.mine | theirs and self.levels[behind] < 4
                if self.card == "Apollo" or self.card == "Minotaur" and free:
                    theirs = theirs - {new} | {old if self.card == "Apollo" else behind}
                else:
                    continue
            wins = high == 3 > low or self.card == "Pan" and low - high > 1
            yield new, wins, Board(self.card, self.mine - {old} | {new}, theirs, self.levels)

    def builds(self, worker):  # each space, and the board after one more level there
        taken = self.mine | self.theirs
        for space in NEAR[worker]:
            if space not in taken and self.levels[space] < 4:
                yield space, self.built(space, self.levels[space] + 1)

    def turns(self):  # each legal turn: whether it wins, and the board after it
        for old in self.mine:
            starts = list(self.moves(old))
            if self.card == "Artemis":
                starts += [more for new, wins, after in starts if not wins
                           for more in after.moves(new) if more[0] != old]
            if self.card == "Prometheus":
                starts += [move for _, first in self.builds(old) for move in first.moves(old, 0)]
            for new, wins, after in starts:
                if wins:
                    yield True, after
                    continue
                for space, built in after.builds(new):
                    yield False, built
                    level = built.levels[space]
                    if self.card == "Atlas" and level < 4:
                        yield False, built.built(space, 4)
                    if self.card == "Hephastus" and level < 3:
                        yield False, built.built(space, level + 1)
                    if self.card == "Demeter":
                        yield from ((False, more) for other, more in built.builds(new) if other != space)

for line in sys.stdin:
    question = json.loads(line)
    if isinstance(question, list):  # place both workers
        me, other = question
        free = [space for space in SPACES if list(space) not in other.get("tokens", [])]
        answer = [other, {"card": me["card"], "tokens": random.sample(free, 2)}]
    else:
        me, other = question["players"]
        workers = [{tuple(token) for token in player["tokens"]} for player in (me, other)]
        levels = {(r, c): question["spaces"][r - 1][c - 1] for r, c in SPACES}
        turns = Board(me["card"], *workers, levels).turns()
        board = max(turns, key=lambda turn: (turn[0], random.random()))[1]
        players = [{"card": other["card"], "tokens": sorted(board.theirs)},
                   {"card": me["card"], "tokens": sorted(board.mine)}]
        rows = [[board.levels[r, c] for c in range(1, 6)] for r in range(1, 6)]
        answer = {"players": players, "spaces": rows, "turn": question["turn"] + 1}
    print(json.dumps(answer), flush=True)
