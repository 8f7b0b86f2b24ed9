#!/usr/bin/env python3
# A bot for the Santorini server: it climbs if it can, and builds anywhere (santorini help protocol).
#   bot.py HOST PORT NAME
import json, random, socket, sys

def near(x, y):
    around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
    return [(a, b) for a, b in around if 0 <= a <= 5 and 0 <= b <= 5]

def place(workers):
    free = [(x, y) for x in range(6) for y in range(6) if (x, y) not in workers]
    return random.choice(free)

def move(floors, mine, workers):  # the number of a worker, and where it goes
    moves = []
    for number, (x, y) in enumerate(mine, start=1):
        for a, b in near(x, y):
            if (a, b) not in workers and floors[b][a] <= min(floors[y][x] + 1, 3):
                moves.append((floors[b][a], random.random(), number, a, b))
    return max(moves)[2:]  # a random one of the highest spaces

def build(floors, worker, workers):
    return random.choice([(a, b) for a, b in near(*worker)
                          if (a, b) not in workers and floors[b][a] < 4])

if len(sys.argv) != 4:
    sys.exit("usage: bot.py HOST PORT NAME")
host, port, name = sys.argv[1:]
over = False
moved = 1  # the worker that moved last, which is the one that builds
with socket.create_connection((host, int(port))) as connection:
    server = connection.makefile("rw", encoding="utf-8", newline="\n")
    print(name, file=server, flush=True)
    for line in server:
        message = json.loads(line)
        if isinstance(message, str):  # a remark to people
            print(message, flush=True)
            over = message.startswith("final table: ")
            continue
        status, turn, floors, *bots = message
        if turn != name or status == "gameOver":
            continue
        spots = {bot: list(zip(xy[0::2], xy[1::2])) for bot, xy in bots}
        workers = [spot for bot in spots.values() for spot in bot]
        if status == "placeWorker":
            answer = place(workers)
        elif status == "moveWorker":
            answer = move(floors, spots[name], workers)
            moved = answer[0]
        else:
            answer = build(floors, spots[name][moved - 1], workers)
        print(*answer, file=server, flush=True)
if not over:
    sys.exit("the connection ended before the final table")
