"""The part of the package that is written in Rust."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from threading import Event
from typing import Any, ClassVar, Literal, SupportsIndex, final, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = [
    "Agent",
    "Batch",
    "Engine",
    "ExactValue",
    "Game",
    "Games",
    "IllegalTurn",
    "LevelPlayer",
    "Line",
    "Position",
    "Probe",
    "Report",
    "Solved",
    "SolvedPlacement",
    "Stopped",
    "__version__",
]

__version__: str

class IllegalTurn(ValueError):
    """A turn that breaks a rule. The message explains it. `rule` names the rule, such as
    "too-high"; `worker` is the square where the worker stood that breaks it, and
    `square` the one that it may not move to or build on. A field is None if there is
    nothing to name."""

    rule: str | None
    worker: str | None
    square: str | None

class Stopped(RuntimeError):
    """Work was ended by the event that was passed as `stop`."""

@final
class Position:
    """A position: levels, workers, cards, and whose turn it is. It never changes;
    `play` makes the next one.

    >>> Position("00000/00010/00000/00000/00000 b3d3 c2c4 1").to_move
    1

    A position that `play` made also knows the turn before it. In games with cards
    only that tells whether the game has been won. Two positions are equal if their
    boards are.

    In notebooks a position shows itself as a picture.

    It is made of one line of text, as `str` writes it: the levels row by row, the
    workers of the player to move and of the other one, the number of turns played, and
    the cards of the two if there are any. Raises ValueError if the text is none.
    """

    def __new__(cls, text: str) -> Position: ...

    @staticmethod
    def start(
        first: Sequence[str],
        second: Sequence[str],
        cards: Sequence[str] | None = None,
        size: int = 5,
    ) -> Position:
        """The start of a game, after both players have placed their workers.

        >>> Position.start(("b3", "d3"), ("c2", "c4"), cards=("Pan", "Atlas"))
        santorini.Position('00000/00000/00000/00000/00000 b3d3 c2c4 0 Pan Atlas')
        """

    @staticmethod
    def random(
        turns: int = 0,
        seed: int = 0,
        number: int = 0,
        cards: Sequence[str] | None = None,
        size: int = 5,
        *,
        stop: Event | None = None,
    ) -> Position:
        """A random placement and then random turns, none of which wins; the next
        two turns decide nothing either. Seed and number together decide it. If no game
        has so many turns there are fewer. Ctrl-C and the event `stop` end it."""

    @staticmethod
    def from_json(board: str | dict[str, Any]) -> Position:
        """The position of a board in JSON, as players and referees exchange it: a
        text, or what `json.loads` gives for it."""

    def to_json(self) -> str:
        """The board in JSON."""

    def to_dict(self) -> dict[str, Any]:
        """What `json.loads` gives for the board in JSON."""

    @property
    def size(self) -> int:
        """The number of rows: 5 or 6."""

    @property
    def turn(self) -> int:
        """The number of turns played."""

    @property
    def to_move(self) -> int:
        """The player to move: 0 or 1."""

    @property
    def levels(self) -> list[list[int]]:
        """The levels, 0 to 4, row by row; 4 is a dome."""

    @property
    def workers(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The squares of the workers of player 0 and of player 1."""

    @property
    def cards(self) -> tuple[str, str] | None:
        """The cards of player 0 and of player 1, if the game has cards."""

    @property
    def last_turn(self) -> str | None:
        """The turn that led here, if the position was made by `play`."""

    def turns(self) -> list[str]:
        """All legal turns, winning ones first; none if the game is over."""

    def count_turns(self) -> int:
        """The number of legal turns."""

    def successors(self) -> list[Position]:
        """The positions after the legal turns, in the order of `turns`."""

    def play(self, turn: str) -> Position:
        """The position after a turn, in any spelling. Raises `IllegalTurn` if it is not
        legal, and ValueError if it is no turn at all."""

    def is_legal(self, turn: str) -> bool:
        """Whether a turn is legal here, in any spelling."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over: won, or the player to move has no turn."""

    @overload
    def planes(
        self, dtype: type[np.uint8] | Literal["uint8"] | None = None, *, player: int | None = None
    ) -> NDArray[np.uint8]: ...
    @overload
    def planes(
        self, dtype: type[np.float32] | Literal["float32"], *, player: int | None = None
    ) -> NDArray[np.float32]: ...
    @overload
    def planes(self, dtype: DTypeLike, *, player: int | None = None) -> NDArray[Any]:
        """What a player sees, the one to move if `player` is None: the planes of `Batch`, an
        array (planes, rows, columns) of uint8, or of float32."""

    def mask(self) -> NDArray[np.bool_]:
        """Which actions of `Batch` are legal here."""

    def actions(self) -> NDArray[np.int64]:
        """The actions of the legal turns, in the order of `turns`."""

    def action_of(self, turn: str) -> int:
        """The action of a legal turn."""

    def turn_of(self, action: SupportsIndex) -> str:
        """The notation of the turn of a legal action."""

    def symmetric(self, symmetry: SupportsIndex) -> Position:
        """The position turned or mirrored. Symmetries are numbered 0 to 7: 0 changes nothing,
        1 mirrors the rows, 2 the columns, and 4 then exchanges rows and columns; the others
        are sums of these."""

    def symmetric_actions(self, symmetry: SupportsIndex) -> NDArray[np.int64]:
        """For each action: its number in `symmetric(symmetry)` if it is legal here, else -1.

        >>> legal = position.mask()
        >>> mirrored[position.symmetric_actions(1)[legal]] = policy[legal]
        """

    def canonical(self) -> tuple[Position, int]:
        """The same one of the eight symmetric positions for all eight, and the symmetry that
        leads to it."""

    def describe(self, turns: bool = True) -> str:
        """The board in words, with the legal turns unless `turns` is False: a prompt for a
        language model."""

    def parse_turn(self, turn: str) -> str:
        """The legal turn that a free text means, such as "c3 to c4, build on b4" or "C3C4B4".
        Raises `IllegalTurn` if it is not legal, and ValueError if it is no turn or may be
        one of several."""

    @property
    def winner(self) -> int | None:
        """The player who has won, if the game is over."""

    def result(self) -> tuple[float, float] | None:
        """The points of player 0 and player 1, if the game is over."""

    def judge(self, after: Position | str | dict[str, Any]) -> str:
        """The legal turn that leads from this position to another, given as a
        position or in JSON. Raises `IllegalTurn`, whose message names the rule that
        is broken, in the referee's words.

        >>> position.judge('{"players":...}')
        IllegalTurn: the worker moves from 3,2 to 3,4, which is not a neighbouring space
        """

    def perft(self, depth: int, *, stop: Event | None = None) -> int:
        """The number of lines of exactly `depth` turns. Ctrl-C ends the count, and the event
        `stop`, with `Stopped`."""

    def picture(self, ascii: bool = False) -> str:
        """The board as lines of text."""

    def svg(self) -> str:
        """The board as an SVG picture, the last turn marked."""

    def _repr_svg_(self) -> str: ...
    def __str__(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Line:
    """A line of play with its score."""

    def __new__(cls, score: int, chance: float, turns: Sequence[str]) -> Line: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def score(self) -> int:
        """For the player to move, in hundredths of a level of height."""

    @property
    def score_text(self) -> str:
        """The score in levels, or `win in 5`, `loss in 2`: a proved result and the
        number of turns to it."""

    @property
    def is_proved(self) -> bool:
        """Whether the score is a proved win or loss."""

    @property
    def chance(self) -> float:
        """The chance of winning of the player to move, from 0 to 1, between equal strong
        players."""

    @property
    def turn(self) -> str | None:
        """The first turn of the line."""

    @property
    def turns(self) -> list[str]:
        """The line: best play of both players, as far as it is known."""

@final
class Report:
    """The result of a search, or of one of its iterations."""

    def __new__(
        cls, lines: Sequence[Line], depth: int, nodes: int, seconds: float
    ) -> Report: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def lines(self) -> list[Line]:
        """The best turns, best first."""

    @property
    def turn(self) -> str | None:
        """The best turn."""

    @property
    def turns(self) -> list[str]:
        """The line of the best turn."""

    @property
    def score(self) -> int | None:
        """The score of the best turn, see `Line.score`."""

    @property
    def chance(self) -> float | None:
        """The chance of winning, see `Line.chance`."""

    @property
    def score_text(self) -> str:
        """The score of the best turn, see `Line.score_text`."""

    @property
    def depth(self) -> int:
        """The depth that was completed, in turns."""

    @property
    def nodes(self) -> int:
        """The positions that were searched."""

    @property
    def seconds(self) -> float:
        """The time that it took."""

@final
class Engine:
    """The search. It keeps what it has found for the next searches; with one thread
    and limits by nodes or depth a new engine gives the same results every time.

    Python's lock is not held while it searches, and Ctrl-C ends a search. So does the
    event that is passed as `stop`, once another thread sets it. Calls from several threads
    wait for each other: use an engine for each thread.

    eval: the evaluation: "network", "tuned", "paper", or the path of a file of
        `santorini train`.
    hash_mib: the size of its table in MiB.
    threads: the threads of a search.
    """

    def __new__(
        cls,
        eval: str | PathLike[str] = "network",
        *,
        hash_mib: int = 64,
        threads: int = 1,
    ) -> Engine: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def eval(self) -> str:
        """The name of the evaluation, or the path of its file."""

    @property
    def hash_mib(self) -> int:
        """The size of its table in MiB."""

    @property
    def threads(self) -> int:
        """The threads of a search."""

    def best(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        stop: Event | None = None,
    ) -> Report:
        """Searches for the best turn until a limit is reached, the result is proved, or the
        event `stop` is set: then the report is that of what was found. At least one
        limit must be passed. Raises ValueError if the game is over."""

    def analyze(
        self,
        position: Position,
        lines: int = 3,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        callback: Callable[[Report], object] | None = None,
        stop: Event | None = None,
    ) -> Report:
        """The same for the best turns, `lines` of them. `callback` is called after
        each iteration; an exception that it raises ends the search."""

    def review(
        self, game: Game, *, nodes: int = 20_000, stop: Event | None = None
    ) -> dict[str, Any]:
        """Reviews a game: each turn beside the best one, by the chance of winning that
        it gave away. Every position is searched for `nodes` nodes. Gives a
        dictionary: `chances` of player 0 at the start and after each turn, `turns` with
        the `judgement` ("best", "good", "inaccuracy", "mistake" or "blunder"), what it
        `lost`, the `best` turn and its `line`, and a `summary` for both players. The event
        `stop` ends it with `Stopped`."""

    def place(
        self,
        first: Sequence[str] | None = None,
        cards: Sequence[str] | None = None,
        size: int = 5,
        *,
        seconds: float = 1.0,
        stop: Event | None = None,
    ) -> tuple[str, str]:
        """Where to place the own workers: as the first player, or, if the workers of
        the `first` stand already, as the second. `cards` are the own one and that of
        the other player. The event `stop` ends the search with what was found."""

    def evaluate(self, position: Position) -> int:
        """The value of a position for the player to move, without any search, in
        hundredths of a level. It means little where a turn wins at once."""

    def clear(self) -> None:
        """Forgets all earlier searches."""

@final
class Game:
    """The record of a game: its start, its turns, its players. Raises `IllegalTurn` at a
    turn that is not legal.
    """

    def __new__(
        cls,
        start: Position,
        turns: Iterable[str],
        players: Sequence[str] = ("first", "second"),
        number: int = 0,
    ) -> Game: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @staticmethod
    def from_json(record: str | dict[str, Any]) -> Game:
        """The record in a line of a file."""

    def to_json(self) -> str:
        """The line of this record in a file. All tools of Santorini read such files:
        they can be drawn, counted and replayed."""

    def to_dict(self) -> dict[str, Any]:
        """What `json.loads` gives for that line, with all its keys."""

    @property
    def number(self) -> int:
        """The number of the game in its file."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of player 0 and player 1."""

    @property
    def cards(self) -> tuple[str, str] | None:
        """The cards of both players, if the game had cards."""

    @property
    def size(self) -> int | None:
        """The number of rows; None if the game ended before its start."""

    @property
    def turns(self) -> list[str]:
        """The turns, as the record has them."""

    @property
    def winner(self) -> int | None:
        """The player who won, if one did."""

    @property
    def ending(self) -> str:
        """How the game ended: `win`, `no-turn-left`, `time-out`, ..."""

    def positions(self) -> list[Position]:
        """The position at the start and after each turn: the game played again,
        every turn checked. Raises ValueError if one is not legal."""

    def __len__(self) -> int:
        """The number of turns."""

@final
class Games:
    """The games of a file, see `read_games`."""

    def __new__(cls, path: str | PathLike[str]) -> Games: ...
    def __iter__(self) -> Iterator[Game]: ...
    def __next__(self) -> Game: ...

@final
class LevelPlayer:
    """A player at a level of strength, from 1, a beginner, to 10, full strength; on both
    boards, with and without cards. It errs as people do, by plausible turns. The same
    level, seed and position give the same turn, unless the time is over sooner. Ctrl-C
    ends its search, and the event that is passed as `stop`, with `Stopped`.

    level: the level, 1 to 10.
    seed: that of its choices.
    seconds: the most time for an answer; level 10 takes all of it.

    >>> LevelPlayer(3).turn(position)
    """

    def __new__(cls, level: int, seed: int = 0, *, seconds: float = 1.0) -> LevelPlayer: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def seed(self) -> int:
        """The seed of its choices."""

    @property
    def seconds(self) -> float:
        """The most time for an answer."""

    @property
    def level(self) -> int:
        """The level."""

    @property
    def elo(self) -> int:
        """Its Elo above level 1 in the base game, measured in matches."""

    @property
    def about(self) -> str:
        """What it is like, in some words."""

    def turn(self, position: Position, *, stop: Event | None = None) -> str:
        """The turn that it plays."""

    def place(
        self,
        first: Sequence[str] | None = None,
        cards: Sequence[str] | None = None,
        size: int = 5,
        *,
        stop: Event | None = None,
    ) -> tuple[str, str]:
        """Where it places its workers, see `Engine.place`."""

@final
class Agent:
    """An agent of the laboratory, for the base game on 5x5 spaces: an opponent of
    any strength.

    >>> Agent("alphabeta:depth=2").turn(position)

    It is named with its parameters: `random`, `alphabeta:depth=2`, `mc:episodes=100`,
    `qlearning`, `engine:nodes=1000`. `santorini help lab play` lists them all.
    `qlearning` learns when it is made, which takes a while.

    stop: an event, such as `threading.Event()`: once it is set, learning ends with
        `Stopped`. Ctrl-C ends it too.
    """

    def __new__(cls, text: str, seed: int = 0, *, stop: Event | None = None) -> Agent: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def text(self) -> str:
        """The name with its parameters."""

    @property
    def seed(self) -> int:
        """The seed of its choices."""

    def place(
        self, first: Sequence[str] | None = None, *, stop: Event | None = None
    ) -> tuple[str, str]:
        """Where it places its workers, see `Engine.place`. Ctrl-C and `stop` end it."""

    def turn(self, position: Position, *, stop: Event | None = None) -> str:
        """The turn that it plays. Ctrl-C ends it, and so does the event `stop`, with
        `Stopped`."""

@final
class ExactValue:
    """Who wins a solved position, and in how many turns, for the player to move or who
    plays a turn. Of two values the greater one is better for that player: a win, the
    sooner the better, or a loss, the later the better."""

    def __new__(cls, wins: bool, plies: int) -> ExactValue: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def wins(self) -> bool:
        """Whether the player wins."""

    @property
    def plies(self) -> int:
        """The number of turns of both players to the end of the game: the winner plays
        as fast as possible, the loser as long."""

    def __lt__(self, other: ExactValue, /) -> bool: ...
    def __le__(self, other: ExactValue, /) -> bool: ...
    def __gt__(self, other: ExactValue, /) -> bool: ...
    def __ge__(self, other: ExactValue, /) -> bool: ...

@final
class Probe:
    """What is known of a position of a solved board."""

    def __new__(
        cls, position: str, value: ExactValue, turns: Sequence[tuple[str, ExactValue]]
    ) -> Probe: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def position(self) -> str:
        """The position as one line of text."""

    @property
    def value(self) -> ExactValue:
        """Its value for the player to move."""

    @property
    def turns(self) -> list[tuple[str, ExactValue]]:
        """The turns with what they lead to for that player, the best first. Of turns that
        lead to the same position one is given."""

    @property
    def best(self) -> list[str]:
        """The best turns: all that keep the value."""

@final
class SolvedPlacement:
    """A placement of the first player on a solved board, with the best reply."""

    def __new__(
        cls,
        first: Sequence[str],
        reply: Sequence[str],
        value: ExactValue,
        winning_replies: int,
        replies: int,
    ) -> SolvedPlacement: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def first(self) -> tuple[str, ...]:
        """The squares of the first player's workers."""

    @property
    def reply(self) -> tuple[str, ...]:
        """Those of the second player's in the reply that is best for it."""

    @property
    def value(self) -> ExactValue:
        """The value for the first player, who is to move then."""

    @property
    def winning_replies(self) -> int:
        """How many replies win for the second player."""

    @property
    def replies(self) -> int:
        """How many replies there are."""

@final
class Solved:
    """A small board that is solved: a file of `santorini solve`, or of `Solved.solve`.

    >>> solved = Solved("3x3.solved")
    >>> found = solved.probe("000/010/000 a1b1 c2c3")
    >>> print(found.value, found.best)

    A position is the levels row by row, the workers of the player to move, those of the
    other, and with cards the card of either, as in the text of a `Position`. Raises
    ValueError if it is none on this board, or if the game is over in it.

    Positions above the levels that the file keeps are solved again when they are asked
    for, which takes seconds; Ctrl-C ends it, and the event that is passed as `stop`, with
    `Stopped`.

    path: the file. Raises OSError if it cannot be read, and ValueError if it is
        something else, damaged, or not finished.
    threads: how many threads solve what the file does not hold; 0 is one on each core.
    """

    def __new__(cls, path: str | PathLike[str], *, threads: int = 0) -> Solved: ...

    @staticmethod
    def solve(
        path: str | PathLike[str],
        board: str,
        workers: int = 2,
        cards: Sequence[str] | None = None,
        *,
        memory: float = 4.0,
        keep: float = 1.0,
        check: int = 0,
        threads: int = 0,
        force: bool = False,
        progress: Callable[[int, int], object] | None = None,
        stop: Event | None = None,
    ) -> Solved:
        """Solves a board of 2x2 to 4x4 spaces into a file, or goes on with one that is
        not finished. Raises OSError if the file cannot be written, and ValueError if
        there is no such game, no room for it, or something else in the file.

        >>> Solved.solve("pan.solved", "2x3", workers=1, cards=("Pan", "Atlas"))

        board: its rows and columns, such as "3x3"; at most 16 spaces.
        workers: those of each player, 1 or 2.
        cards: those of the first and the second player.
        memory: the most gigabytes of memory. If the work needs more it takes place in
            the folder of the file.
        keep: the most gigabytes of the file. The boards of the highest levels are left
            out if they do not fit.
        check: look at every position of one board in this many by its turns, in another
            way than it was solved; of none if it is 0.
        threads: how many threads work; 0 is one on each core.
        force: solve anew, whatever is there. The file stays as it is until the new one,
            which ends in .unfinished, is whole.
        progress: called with the bytes that are solved, and those in all. An exception
            that it raises, and Ctrl-C, end the work; what was solved is kept.
        stop: an event, such as `threading.Event()`, that ends the work, too.
        """

    @property
    def board(self) -> str:
        """The rows and columns, such as `3x3`."""

    @property
    def workers(self) -> int:
        """The workers of each player."""

    @property
    def cards(self) -> tuple[str, str] | None:
        """The cards of the first and the second player, if the game has cards."""

    def value(self, position: str, *, stop: Event | None = None) -> ExactValue:
        """The value of a position for the player to move, without its turns."""

    def probe(self, position: str, *, stop: Event | None = None) -> Probe:
        """The value of a position, and its turns with theirs."""

    def best_game(
        self, position: str, *, stop: Event | None = None
    ) -> list[tuple[str, str, ExactValue]]:
        """A game of best turns from a position to its end: of each turn the position
        before it, the turn, and its value for the player who plays it."""

    def placements(self, *, stop: Event | None = None) -> list[SolvedPlacement]:
        """The placements of the first player on the empty board, up to symmetry, the best
        first."""

@final
class Batch:
    """Many games at once, as arrays: for learning.

    >>> batch = Batch(1024, seed=1)
    >>> actions = batch.sample()         # or of a network, among batch.masks()
    >>> won = batch.step(actions)        # in which games the action won
    >>> planes = batch.observations()    # what the next player to move sees

    An observation has planes of 0 and 1, seen by the player to move: 7, and 23 in games
    with cards.

    | plane | holds 1 where |
    |---|---|
    | 0 to 3 | the level is at least 1, 2, 3, 4 |
    | 4, 5 | worker 0 and worker 1 of the player to move stand |
    | 6 | a worker of the other player stands |
    | 7 to 14 | everywhere: the player to move has this one of `santorini.CARDS` |
    | 15 to 22 | everywhere: the other player has it |

    An action is a whole turn, or the placement of a worker. Its number means the same
    in every position.

    | action | is |
    |---|---|
    | `64*w + 8*s + b` | worker w steps in direction s and builds in direction b |
    | `64*w + 8*s` | the same without a build, if the step wins |
    | `T + i` | a worker is placed on the space with index i |

    T is 128 in the base game. In games with cards it is 2882, and these come before; a
    step onto a worker of the other player swaps with it or pushes it.

    | action | is |
    |---|---|
    | `128 + 64*w + 8*s + b` | the same with a dome on a tower lower than 3 |
    | `256 + 64*w + 8*s + b` | the same with two levels |
    | `384 + 225*w + 9*d + b` | worker w moves two steps to space d and builds b |
    | `384 + 225*w + 9*d + 8` | the same without a build, if the second step wins |
    | `834 + 512*w + 64*s + 8*b + c` | worker w steps s and builds on two spaces, b and c |
    | `1858 + 512*w + 64*a + 8*s + b` | worker w builds a, steps s and builds b |

    Space d is one of the 5x5 around the worker, numbered row by row.

    Worker 0 is the one on the space with the lower index; spaces are numbered row by
    row. The directions are `santorini.DIRECTIONS`. A player places both workers one
    after the other. Of turns that lead to the same board one is legal: the one that
    `Position.turns` gives.

    Who makes the last turn wins: it wins by itself, or leaves the other player none.

    count: the number of games.
    size: the number of rows, 5 or 6.
    cards: the cards of the first and the second player, "random" for two that are drawn
        for each game, or None for the base game.
    start: "empty", so that the players place their workers, or "random", after a
        random placement and `turns` random turns.
    restart: whether a game that is over begins again at once. Else it stays as it is
        until `reset`: no action is legal in it, and steps leave it out. What the games
        of the last step ended with is kept in either case: see `ended`.
    seed: the same seed gives the same games, in a batch of any size.

    One thread may use a batch at a time, or several that only look at it. Another gets
    RuntimeError. Python's lock is not held while a batch works.

    Ctrl-C ends all that takes long. `stop` is an event, such as `threading.Event()`: once
    it is set, `Stopped` is raised. Raises MemoryError if there is no memory for so many
    games.
    """

    def __new__(
        cls,
        count: int,
        size: int = 5,
        *,
        cards: Sequence[str] | Literal["random"] | None = None,
        start: Literal["empty", "random"] = "empty",
        turns: int = 0,
        restart: bool = True,
        seed: int = 0,
        stop: Event | None = None,
    ) -> Batch: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def _repr_html_(self) -> str: ...
    def _state(self) -> str: ...
    @staticmethod
    def _of_state(state: str) -> Batch: ...

    @property
    def size(self) -> int:
        """The number of rows: 5 or 6."""

    @property
    def actions(self) -> int:
        """The number of actions: 153 or 164, with cards 2907 or 2918."""

    @property
    def to_move(self) -> NDArray[np.uint8]:
        """The player to move in each game: 0 or 1."""

    @overload
    def observations(
        self,
        out: NDArray[np.uint8] | None = None,
        *,
        dtype: type[np.uint8] | Literal["uint8"] | None = None,
        player: int | None = None,
    ) -> NDArray[np.uint8]: ...
    @overload
    def observations(
        self, out: NDArray[np.float32], *, player: int | None = None
    ) -> NDArray[np.float32]: ...
    @overload
    def observations(
        self,
        out: NDArray[np.float32] | None = None,
        *,
        dtype: type[np.float32] | Literal["float32"],
        player: int | None = None,
    ) -> NDArray[np.float32]: ...
    @overload
    def observations(
        self, out: NDArray[Any] | None = None, *, dtype: DTypeLike, player: int | None = None
    ) -> NDArray[Any]:
        """The observation of each game: an array (games, planes, rows, columns) of uint8, or of
        `dtype` float32, or the array `out`. It is what the player to move sees, or `player`
        in all games."""

    def masks(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which actions are legal in each game: an array (games, actions), or the one
        that is passed."""

    def step(
        self, actions: ArrayLike, where: ArrayLike | None = None
    ) -> NDArray[np.bool_]:
        """Plays an action in each game, or only where the mask `where` is True; gives in which
        games it won. Games that are over stay as they are, whatever their action. Raises
        `IllegalTurn` if an action is not legal, and then plays none."""

    @property
    def ended(self) -> NDArray[np.int64]:
        """The games that the last step ended, in order, whether they began again or not."""

    @property
    def final_winners(self) -> NDArray[np.int64]:
        """The winner of each game in `ended`."""

    @property
    def final_lengths(self) -> NDArray[np.int64]:
        """The number of actions that were played in each game in `ended`, since it began or a
        position was put into it."""

    @overload
    def final_observations(
        self,
        *,
        dtype: type[np.uint8] | Literal["uint8"] | None = None,
        player: int | None = None,
    ) -> NDArray[np.uint8]: ...
    @overload
    def final_observations(
        self, *, dtype: type[np.float32] | Literal["float32"], player: int | None = None
    ) -> NDArray[np.float32]: ...
    @overload
    def final_observations(
        self, *, dtype: DTypeLike, player: int | None = None
    ) -> NDArray[Any]:
        """The observation at the end of each game in `ended`, see `observations`."""

    def final_position(self, game: SupportsIndex) -> Position | None:
        """The position at the end of a game in `ended`; None if the last step did not end it."""

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What the last step gave to both players of each game: an array (games, 2) with 1 for
        the winner, -1 for the loser, and 0 where no game ended."""

    def sample(self) -> NDArray[np.int64]:
        """A legal action for each game, each as likely as any other; 0 where there is
        none."""

    def rollouts(
        self, games: int = 1, *, stop: Event | None = None
    ) -> NDArray[np.float32]:
        """The share of this many random games from each position that the player to
        move wins. The positions stay."""

    def position(self, game: SupportsIndex) -> Position | None:
        """The position of a game; None until all its workers are placed."""

    def cards(self, game: SupportsIndex) -> tuple[str, str] | None:
        """The cards of the first and the second player of a game, if it has cards."""

    def set_position(self, game: SupportsIndex, position: Position) -> None:
        """Puts a position into a game."""

    def set_positions(self, positions: Iterable[Position | None]) -> None:
        """Puts a position into each game, except where the list has None. If one does not fit
        none is put in."""

    def reset(self, game: SupportsIndex | ArrayLike | None = None) -> None:
        """Begins a game again, those of a mask with True or False for each game, or all."""

    def turn_of(self, game: SupportsIndex, action: SupportsIndex) -> str:
        """The notation of a legal action of a game: that of a turn, or a square."""

    def action_of(self, game: SupportsIndex, turn: str) -> int:
        """The action of a legal turn in a game."""

    def __len__(self) -> int:
        """The number of games."""
