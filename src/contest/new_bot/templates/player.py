#!/usr/bin/env python3
# A player for Santorini: it wins if it can, and otherwise plays any legal turn.
# The rules and the JSON: santorini help rules
import json, random, sys

SPACES = [[row, column] for row in range(1, 6) for column in range(1, 6)]

def near(a):
    return [b for b in SPACES if b != a and abs(a[0] - b[0]) < 2 and abs(a[1] - b[1]) < 2]

def turns(board):  # each legal turn: whether it wins, and the board after it
    (mine, theirs), levels = board["players"], board["spaces"]
    level = lambda space: levels[space[0] - 1][space[1] - 1]
    for old, new in [(old, new) for old in mine for new in near(old)]:
        if new in mine + theirs or level(new) > min(level(old) + 1, 3):
            continue
        workers = [new if worker == old else worker for worker in mine]
        after = {"players": [theirs, workers], "spaces": levels, "turn": board["turn"] + 1}
        if level(new) == 3:
            yield True, after
            continue
        for space in near(new):
            if level(space) < 4 and space not in workers + theirs:
                built = json.loads(json.dumps(after))
                built["spaces"][space[0] - 1][space[1] - 1] += 1
                yield False, built

for line in sys.stdin:
    question = json.loads(line)
    if isinstance(question, list):  # place both workers
        free = [space for space in SPACES if space not in sum(question, [])]
        answer = question + [random.sample(free, 2)]
    else:
        answer = max(turns(question), key=lambda turn: (turn[0], random.random()))[1]
    print(json.dumps(answer), flush=True)
