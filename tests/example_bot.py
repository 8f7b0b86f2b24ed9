#!/usr/bin/env python3
"""A small bot for the Santorini tournament server, as an example to start from.

    python3 example_bot.py HOST PORT NAME

It needs nothing but Python. It climbs where it can and builds beside itself.
"""
import json
import random
import socket
import sys


def neighbours(x, y):
    around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
    return [(a, b) for a, b in around if 0 <= a <= 5 and 0 <= b <= 5]


def answer(status, floors, mine, workers, moved):
    """The answer to a state that names us, and the worker that moves in it."""
    if status == "placeWorker":
        free = [(x, y) for x in range(6) for y in range(6) if (x, y) not in workers]
        x, y = random.choice(free)
        return f"{x} {y}", moved
    if status == "moveWorker":
        moves = []
        for number, (x, y) in enumerate(mine, start=1):
            for a, b in neighbours(x, y):
                if (a, b) not in workers and floors[b][a] <= min(floors[y][x] + 1, 3):
                    moves.append((floors[b][a], random.random(), number, a, b))
        _, _, number, x, y = max(moves)
        return f"{number} {x} {y}", number
    builds = [(a, b) for a, b in neighbours(*mine[moved - 1])
              if (a, b) not in workers and floors[b][a] < 4]
    x, y = random.choice(builds)
    return f"{x} {y}", moved


def main(host, port, name):
    moved = None
    with socket.create_connection((host, int(port))) as connection:
        server = connection.makefile("rw", encoding="utf-8", newline="\n")

        def send(line):
            server.write(line + "\n")
            server.flush()

        send(name)
        for line in server:
            message = json.loads(line)
            if isinstance(message, str):  # a remark to people
                print(message, flush=True)
                continue
            status, turn, floors, *bots = message
            if turn != name or status == "gameOver":
                continue
            spots = {bot: list(zip(xy[0::2], xy[1::2])) for bot, xy in bots}
            workers = [spot for bot in spots.values() for spot in bot]
            text, moved = answer(status, floors, spots[name], workers, moved)
            send(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
