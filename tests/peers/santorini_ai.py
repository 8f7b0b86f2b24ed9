#!/usr/bin/env python3
"""Lets the engine `santorini-ai` play in our tournaments, to measure our player against it.

It is a player program for `santorini referee` and `santorini tournament`: it reads set-up
arrays and boards in JSON and answers each with one line. The engine's own search chooses the
turns; this program talks to it by its text protocol (described in its uci/README.md). The engine
searches with one thread, keeps its table from turn to turn, as in its own matches, and does not
ponder. This program places the workers, so matches should start from openings.

It plays with god cards, too. The engine reads some card rules differently and may choose a turn
that our rules do not allow. Then the nearest legal turn is played, and standard error counts these
turns (`tournament --stderr FILE` keeps the messages). Two differences are known. A worker of
Artemis on level 3 wins by stepping down to level 2 and up again; if the second space is adjacent,
the engine steps there at once, which does not win. If Minotaur wins by a push, the engine leaves
the pushed worker where it was.

Tried with https://github.com/JPricey/santorini-ai at two commits:

- 0510470 (2025-07-27), the last one with a network for the base game only,
  models/gen_2_1024-100/quantised.bin (git blob 6616e4f).
- e7a8c92 (2025-11-22) with its network for all god cards, models/matchup_bit_only.bin (git blob
  d00f048); newer networks were not at hand. The search was taken from commit 4e76fe8
  (2026-02-27), which visits 690 rather than 430 thousand nodes a second: the older search checks
  the whole position at every node. Little else differs between the two.

In the base game the older one is stronger: it won 18 of 23 games at 0.1 s a turn. Only the newer
one plays with cards.

The README of that project explains how to build its program `uci`. The search is in the file
santorini_core/src/search.rs.

To play a match, one thread for each side and half a second a turn:

    ./santorini tournament --openings even --rounds 50 --seed 1 --reuse --time 5 --grace 1 \\
        'ours=./santorini player --threads 1 --time 0.5 --overhead 0.002' \\
        'peer=python3 tests/peers/santorini_ai.py santorini-ai/target/release/uci --time 0.5'

Add --all-cards to play all pairs of cards. With --verbose, standard error shows the depth and time
of each search.
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
PLACES = [[3, 3], [2, 4], [4, 2], [2, 2]]  # where this program places workers
WARM_UP = "0000000000000000000000000/1/mortal:B3,D3/mortal:C2,C4"
WITHOUT_CARD = "mortal"
NAMES = {"Hephastus": "hephaestus"}  # cards whose name there is not ours in small letters


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
        self.send(f"set_position {WARM_UP}")
        self.message(deadline)
        self.stop(read_fen(WARM_UP))

    def search(self, fen, deadline):
        """The last result of a search that ends at the deadline, or earlier if it has finished."""
        self.send(f"set_position {fen}")
        position = read_fen(fen)
        while (message := self.message(deadline, required=False)) is not None:
            if is_last(message, position):
                return message
        return self.stop(position)

    def stop(self, position):
        """Stops the search and waits until the engine is idle: the other player is next."""
        self.send("stop")
        deadline = time.monotonic() + STOP_WAIT
        while True:
            message = self.message(deadline)
            if is_last(message, position):
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


def is_last(message, position):
    """Whether the message is the last one of the search of this position."""
    if message.get("trigger") not in ("stop_flag", "end_of_line"):
        return False
    return read_fen(message["start_state"]) == position


# --- positions in the engine's notation ---------------------------------------------------
# Its squares are A1 to E5. Our [row, column] is column letter and row digit, as in our own
# notation. It writes the levels from row 5 down to row 1.


def fen_of(board):
    """A board in the engine's notation, with the players in the order in which they placed."""
    levels = "".join(str(level) for row in reversed(board["spaces"]) for level in row)
    first, second = (f"{peer_name(card_of(player))}:{','.join(map(square_name, tokens_of(player)))}"
                     for player in by_seat(board))
    return f"{levels}/{board['turn'] % 2 + 1}/{first}/{second}"


def by_seat(board):
    """The player who placed first, and the other; a board has the mover first."""
    return board["players"][::-1] if board["turn"] % 2 else board["players"]


def card_of(player):
    """The card of a player, or None."""
    return player["card"] if isinstance(player, dict) else None


def tokens_of(player):
    return player["tokens"] if isinstance(player, dict) else player


def peer_name(card):
    return NAMES.get(card, card.lower()) if card else WITHOUT_CARD


def read_fen(fen):
    """Levels, who is to move, and the workers of the first and the second player, sorted."""
    levels, to_move, *players = fen.split("/")
    rows = [[int(level) for level in levels[i:i + SIZE]] for i in range(0, SIZE * SIZE, SIZE)]
    workers = [sorted(map(read_square, player.partition(":")[2].split(","))) for player in players]
    return rows[::-1], to_move, *workers


def square_name(space):
    row, column = space
    return f"{COLUMNS[column - 1]}{row}"


def read_square(name):
    return [int(name[1]), COLUMNS.index(name[0]) + 1]


# --- the rules, to check the engine's answers ---------------------------------------------
# Each function yields the levels and the workers of both players after part of a turn.


def neighbours(space):
    row, column = space
    return [[r, c] for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)
            if [r, c] != space and is_space([r, c])]


def is_space(space):
    return all(1 <= number <= SIZE for number in space)


def level_at(spaces, space):
    return spaces[space[0] - 1][space[1] - 1]


def legal_boards(board):
    """The board after each legal turn."""
    mover, other = board["players"]
    turns = legal_turns(card_of(mover), board["spaces"], tokens_of(mover), tokens_of(other))
    for spaces, mine, others in turns:
        yield {"players": [with_tokens(other, others), with_tokens(mover, mine)],
               "spaces": spaces, "turn": board["turn"] + 1}


def with_tokens(player, tokens):
    return {**player, "tokens": tokens} if isinstance(player, dict) else tokens


def legal_turns(card, spaces, mine, others):
    """The levels and workers after each legal turn of a player with this card."""
    for worker, start in enumerate(mine):
        for before, climb in starts(card, spaces, start, mine + others):
            for mine_then, others_then, wins in moves(card, before, mine, others, worker, climb):
                if wins:
                    yield before, mine_then, others_then
                    continue
                for after in builds(card, before, mine_then[worker], mine_then + others_then):
                    yield after, mine_then, others_then


def starts(card, spaces, start, taken):
    """The levels before the move, and how many levels it may climb: Prometheus may build first."""
    yield spaces, 1
    if card == "Prometheus":
        for after in single_builds(spaces, start, taken):
            yield after, 0


def moves(card, spaces, mine, others, worker, climb):
    """The workers of both players after each move of this worker, and whether it wins."""
    start = mine[worker]
    for moved in steps(card, spaces, mine, others, worker, climb):
        yield moved
        mine_then, others_then, wins = moved
        if card == "Artemis" and not wins:
            for again in steps(card, spaces, mine_then, others_then, worker, climb):
                if again[0][worker] != start:
                    yield again


def steps(card, spaces, mine, others, worker, climb):
    """Like `moves`, for a single step."""
    start = mine[worker]
    old = level_at(spaces, start)
    for target in neighbours(start):
        new = level_at(spaces, target)
        if new > min(old + climb, 3) or target in mine:
            continue
        others_then = others
        if target in others:
            place = displaced(card, spaces, start, target, mine + others)
            if place is None:
                continue
            others_then = [place if other == target else other for other in others]
        wins = old < 3 == new or card == "Pan" and old - new >= 2
        yield [target if own == start else own for own in mine], others_then, wins


def displaced(card, spaces, start, target, taken):
    """The space to which the opponent's worker on `target` is displaced, or None."""
    if card == "Apollo":
        return start
    if card == "Minotaur":
        behind = [2 * there - here for here, there in zip(start, target)]
        if is_space(behind) and behind not in taken and level_at(spaces, behind) < 4:
            return behind
    return None


def builds(card, spaces, space, taken):
    """The levels after each build of the worker on this space."""
    for built in neighbours(space):
        level = level_at(spaces, built)
        if built in taken or level == 4:
            continue
        once = with_level(spaces, built, level + 1)
        yield once
        if card == "Atlas" and level < 3:
            yield with_level(spaces, built, 4)
        elif card == "Hephastus" and level < 2:
            yield with_level(spaces, built, level + 2)
        elif card == "Demeter":
            yield from single_builds(once, space, taken + [built])


def single_builds(spaces, space, taken):
    for built in neighbours(space):
        level = level_at(spaces, built)
        if built not in taken and level < 4:
            yield with_level(spaces, built, level + 1)


def with_level(spaces, built, level):
    after = [row[:] for row in spaces]
    after[built[0] - 1][built[1] - 1] = level
    return after


def difference(a, b):
    """The distance of two boards: a worker elsewhere counts more than levels."""
    levels = sum(abs(x - y) for rows in zip(a[0], b[0]) for x, y in zip(*rows))
    workers = sum(one != other for side in (2, 3) for one, other in zip(a[side], b[side]))
    return 10 * workers + levels


# --- the answers --------------------------------------------------------------------------


def place(players):
    """Places two workers. Not every version of the engine can, and matches from openings never ask."""
    taken = [token for player in players for token in (
        player.get("tokens", []) if isinstance(player, dict) else player)]
    tokens = [space for space in PLACES if space not in taken][:2]
    if players and isinstance(players[0], dict):
        mover, other = players
        return [other, {**mover, "tokens": tokens}]
    return players + [tokens]


class Player:
    """Answers with the turns of the engine."""

    def __init__(self, engine, seconds, verbose):
        self.engine = engine
        self.seconds = seconds
        self.verbose = verbose
        self.replaced = 0  # turns of the engine that our rules do not allow

    def answer(self, question):
        """The answer to a question that has just been read."""
        deadline = time.monotonic() + self.seconds - MARGIN
        if isinstance(question, list):
            return place(question)
        return self.play(question, deadline)

    def play(self, board, deadline):
        fen = fen_of(board)
        chosen = read_fen(self.ask(fen, deadline))
        boards = [(read_fen(fen_of(after)), after) for after in legal_boards(board)]
        nearest, after = min(boards, key=lambda legal: difference(legal[0], chosen))
        if nearest != chosen:
            self.replaced += 1
            print(f"illegal turn at {fen}: {chosen}; turns replaced so far: {self.replaced}",
                  file=sys.stderr, flush=True)
        return after

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
    """The JSON values of a stream, each as soon as its last bracket arrives."""
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


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engine", help="the engine's program target/release/uci")
    parser.add_argument("--time", type=float, metavar="SECONDS",
                        help="the time for an answer "
                             "(default: SANTORINI_TIME, or else 1)")
    parser.add_argument("--verbose", action="store_true",
                        help="report each search on standard error")
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
            print(json.dumps(player.answer(question), separators=(",", ":")), flush=True)
    finally:
        engine.close()


if __name__ == "__main__":
    try:
        main()
    except PeerError as error:
        sys.exit(f"santorini_ai.py: {error}")
