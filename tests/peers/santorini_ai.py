#!/usr/bin/env python3
"""Lets the engine `santorini-ai` play in our tournaments, to measure our player against it.

It is a player program for `santorini referee` and `santorini tournament`: it reads set-up
arrays and boards in JSON and answers each with one line. The turns are chosen by the engine's
own search, through its own text protocol (described in its uci/README.md). The engine searches
with one thread. It keeps its table from turn to turn, as in its own matches, and does not think
in the opponent's time. Base game only, no god cards.

Tried with https://github.com/JPricey/santorini-ai at commit e7a8c92 (2025-11-22) and the
network that this commit embeds, models/matchup_bit_only.bin (git blob d00f048); newer networks
were not at hand. The search was taken from commit 4e76fe8 (2026-02-27): the older one checks
the whole position at every node and is slower for it (430 against 690 thousand nodes a second).
Little else differs between the two.

To get the engine ready (it needs a nightly Rust; its .cargo/config.toml sets target-cpu=native):

    git clone https://github.com/JPricey/santorini-ai && cd santorini-ai
    git checkout e7a8c92
    git checkout 4e76fe8 -- santorini_core/src/search.rs
    cargo +nightly build --release -p uci

To play a match, one thread for each side and half a second a turn:

    ./santorini tournament --openings even --rounds 50 --seed 1 --reuse --time 5 --grace 1 \\
        'ours=./santorini player --threads 1 --time 0.5' \\
        'peer=python3 tests/peers/santorini_ai.py santorini-ai/target/release/uci --time 0.5'

With --verbose it says on standard error how deep and how long each search was.
"""
import argparse
import json
import os
import select
import subprocess
import sys
import time

SIZE = 5
COLUMNS = "ABCDE"
MARGIN = 0.005  # seconds kept back for stopping the search, checking and sending the answer
STOP_WAIT = 5.0  # seconds to wait for the last word of a search that was told to stop
START_WAIT = 60.0  # seconds to wait for a starting engine


class PeerError(Exception):
    """The engine is missing, ended, or answered what we cannot use."""


# --- the engine ---------------------------------------------------------------------------


class Engine:
    """The running engine: one process, one search at a time."""

    def __init__(self, path):
        path = os.path.abspath(path)
        try:
            self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, bufsize=0)
        except OSError as error:
            raise PeerError(f"cannot start the engine {path}: {error.strerror}; "
                            "how to build it is told at the head of this file") from None
        self.unread = b""
        self.warm_up()

    def warm_up(self):
        """Waits until the engine is ready. It makes its table with the first search."""
        deadline = time.monotonic() + START_WAIT
        if self.message(deadline)["type"] != "started":
            raise PeerError("the engine did not begin with a message of the type 'started'")
        fen = fen_of([[0] * SIZE] * SIZE, [[], []], 0)
        self.send(f"set_position {fen}")
        self.message(deadline)
        self.stop(fen)

    def search(self, fen, deadline):
        """The last result of a search that ends at the deadline, or earlier if it is sure."""
        self.send(f"set_position {fen}")
        best = None
        while (message := self.message(deadline, required=False)) is not None:
            if message.get("original_str") == fen:
                best = message
                if is_last(best):
                    return best
        return self.stop(fen) or best

    def stop(self, fen):
        """Stops the search and waits until the engine is idle: the other player is next."""
        self.send("stop")
        deadline = time.monotonic() + STOP_WAIT
        while True:
            message = self.message(deadline)
            if message.get("original_str") == fen and is_last(message):
                return message

    def send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
        except OSError:
            raise PeerError(self.ended()) from None

    def message(self, deadline, required=True):
        """The next message, or None if the deadline comes first and none is required."""
        output = self.process.stdout
        while b"\n" not in self.unread:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([output], [], [], left)[0]:
                if required:
                    raise PeerError("the engine does not answer")
                return None
            chunk = os.read(output.fileno(), 1 << 16)
            if not chunk:
                raise PeerError(self.ended())
            self.unread += chunk
        line, self.unread = self.unread.split(b"\n", 1)
        return json.loads(line)

    def ended(self):
        return f"the engine ended, exit code {self.process.wait()}"

    def close(self):
        self.process.kill()
        self.process.wait()


def is_last(message):
    """After these the engine's search has nothing better to tell."""
    return message.get("trigger") in ("stop_flag", "end_of_line")


# --- positions in the engine's notation ---------------------------------------------------
# Its squares are A1 to E5. Our [row, column] is column letter and row digit, as in our own
# notation. It writes the levels from row 5 down to row 1.


def fen_of(spaces, players, turn):
    """A position for the engine; the players in the order in which they placed."""
    levels = "".join(str(level) for row in reversed(spaces) for level in row)
    names = [":".join(filter(None, ["mortal", ",".join(map(square_name, tokens))]))
             for tokens in players]
    return f"{levels}/{turn % 2 + 1}/{names[0]}/{names[1]}"


def fen_of_board(board):
    """The same for a board, which names the player to move first."""
    players = board["players"]
    return fen_of(board["spaces"], players[::-1] if board["turn"] % 2 else players, board["turn"])


def read_fen(fen):
    """Levels and workers of both players, in the order in which they placed."""
    levels, _, *players = fen.split("/")
    rows = [[int(level) for level in levels[i:i + SIZE]] for i in range(0, SIZE * SIZE, SIZE)]
    names = [player.partition(":")[2] for player in players]
    return rows[::-1], [[read_square(name) for name in list_.split(",") if name]
                        for list_ in names]


def square_name(space):
    row, column = space
    return f"{COLUMNS[column - 1]}{row}"


def read_square(name):
    return [int(name[1]), COLUMNS.index(name[0]) + 1]


# --- the rules, to check the engine's answers ---------------------------------------------


def neighbours(space):
    row, column = space
    return [[r, c] for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)
            if [r, c] != space and 1 <= r <= SIZE and 1 <= c <= SIZE]


def legal_results(board):
    """Levels and own workers after each legal turn."""
    spaces = board["spaces"]
    mine, others = board["players"]

    def level(space):
        return spaces[space[0] - 1][space[1] - 1]

    for index, start in enumerate(mine):
        taken = others + [mine[1 - index]]
        for target in neighbours(start):
            if target in taken or level(target) > min(level(start) + 1, 3):
                continue
            workers = [target if worker == start else worker for worker in mine]
            if level(target) == 3 and level(start) < 3:
                yield spaces, workers
                continue
            for built in neighbours(target):
                if built not in taken and level(built) < 4:
                    yield with_one_more(spaces, built), workers


def with_one_more(spaces, built):
    after = [row[:] for row in spaces]
    after[built[0] - 1][built[1] - 1] += 1
    return after


# --- the answers --------------------------------------------------------------------------


class Player:
    def __init__(self, engine, seconds, verbose):
        self.engine = engine
        self.seconds = seconds
        self.verbose = verbose

    def answer(self, question):
        """The answer to a question that has just been read."""
        deadline = time.monotonic() + self.seconds - MARGIN
        if isinstance(question, list):
            return self.place(question, deadline)
        return self.play(question, deadline)

    def place(self, placed, deadline):
        players = placed + [[]] * (2 - len(placed))
        fen = fen_of([[0] * SIZE] * SIZE, players, len(placed))
        _, after = read_fen(self.ask(fen, deadline))
        mine = after[len(placed)]
        if len(mine) != 2 or mine[0] == mine[1] or any(space in mine for space in sum(placed, [])):
            raise PeerError(f"illegal placement by the engine at {fen}: {mine}")
        return placed + [mine]

    def play(self, board, deadline):
        fen = fen_of_board(board)
        spaces, players = read_fen(self.ask(fen, deadline))
        mine, others = players[::-1] if board["turn"] % 2 else players
        for legal_spaces, workers in legal_results(board):
            if legal_spaces == spaces and sorted(workers) == sorted(mine):
                if sorted(others) == sorted(board["players"][1]):
                    return {"players": [board["players"][1], workers], "spaces": spaces,
                            "turn": board["turn"] + 1}
        raise PeerError(f"illegal turn by the engine at {fen}: {spaces} {mine}")

    def ask(self, fen, deadline):
        begin = time.monotonic()
        result = self.engine.search(fen, deadline)
        if self.verbose:
            told = result["meta"]
            print(f"{fen} {told['action_str']} depth {told['calculated_depth']} "
                  f"score {told['score']} nodes {told['nodes_visited']} {result['trigger']} "
                  f"{time.monotonic() - begin:.4f} s", file=sys.stderr, flush=True)
        return result["next_state"]


def values(stream):
    """The JSON values of a stream, each as soon as its last bracket is there."""
    decoder = json.JSONDecoder()
    text = ""
    while chunk := os.read(stream.fileno(), 1 << 16):
        text = (text + chunk.decode()).lstrip()
        while text:
            try:
                value, end = decoder.raw_decode(text)
            except json.JSONDecodeError:
                break  # not yet complete
            text = text[end:].lstrip()
            yield value
    if text:
        raise PeerError(f"the input ends within a JSON value: {text[:60]!r}")


def check_question(question):
    """This adapter plays the base game only."""
    players = question if isinstance(question, list) else question["players"]
    if any(isinstance(player, dict) for player in players):
        raise PeerError("this adapter plays without god cards only")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engine", help="the engine's program target/release/uci")
    parser.add_argument("--time", type=float, metavar="SECONDS",
                        help="the time for an answer; without it the environment variable "
                             "SANTORINI_TIME says, or else it is 1")
    parser.add_argument("--verbose", action="store_true",
                        help="say on standard error how each search went")
    chosen = parser.parse_args()
    if chosen.time is None:
        chosen.time = float(os.environ.get("SANTORINI_TIME", 1))
    return chosen


def main():
    chosen = arguments()
    engine = Engine(chosen.engine)
    try:
        player = Player(engine, chosen.time, chosen.verbose)
        for question in values(sys.stdin):
            check_question(question)
            print(json.dumps(player.answer(question), separators=(",", ":")), flush=True)
    finally:
        engine.close()


if __name__ == "__main__":
    try:
        main()
    except PeerError as error:
        sys.exit(f"santorini_ai.py: {error}")
