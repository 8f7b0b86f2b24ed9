"""The part of the package that is written in Rust."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from threading import Event
from typing import Any, ClassVar, Final, Literal, SupportsIndex, final, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._labels import Labels

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
    "too-high"; `worker` is the space of the worker that breaks it. `square` is the
    space it may not move to or build on, or where the player has no worker. A field
    that does not apply is None."""

    rule: str | None
    worker: str | None
    square: str | None

class Stopped(RuntimeError):
    """The event passed as `stop` was set while work was in progress."""

@final
class Position:
    """A position: levels, workers, cards and the player to move. It is immutable; `play`
    returns the next one.

    >>> Position("00000/00010/00000/00000/00000 b3d3 c2c4 1").to_move
    1

    A position made by `play` also knows the turn that led to it. In games with cards,
    only that turn shows whether the game is won. Two positions are equal if their
    boards are equal; the last turn does not count.

    Notebooks show a position as a picture.

    The text is one line, as `str` writes it: the levels row by row, the workers of the
    player to move and of the opponent, the number of turns played, and both cards if
    there are any. Raises ValueError if the text is not a position.
    """

    def __new__(cls, text: str) -> Position: ...

    @staticmethod
    def start(
        first: Sequence[str],
        second: Sequence[str],
        cards: Sequence[str] | None = None,
        size: SupportsIndex = 5,
    ) -> Position:
        """The start of a game, after both players have placed their workers.

        >>> Position.start(("b3", "d3"), ("c2", "c4"), cards=("Pan", "Atlas"))
        santorini.Position('00000/00000/00000/00000/00000 b3d3 c2c4 0 Pan Atlas')
        """

    @staticmethod
    def random(
        turns: SupportsIndex = 0,
        seed: SupportsIndex = 0,
        number: SupportsIndex = 0,
        cards: Sequence[str] | None = None,
        size: SupportsIndex = 5,
        *,
        stop: Event | None = None,
    ) -> Position:
        """A position after a random placement and `turns` random turns. None of these turns
        wins. The player to move has no winning turn, but at least one turn that leaves the
        opponent without one. Seed and number together determine the position. If few games
        are that long, there may be fewer turns. Ctrl-C and the event `stop` end the work."""

    @staticmethod
    def from_json(board: str | dict[str, Any]) -> Position:
        """Reads a board in JSON, as players and referees exchange it: a string, or the dict
        that `json.loads` returns for it."""

    def to_json(self) -> str:
        """The board in JSON."""

    def to_dict(self) -> dict[str, Any]:
        """The dict that `json.loads` returns for the board in JSON."""

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
        """The spaces of the workers of player 0 and of player 1."""

    @property
    def cards(self) -> tuple[str, str] | None:
        """The cards of player 0 and of player 1, if the game has cards."""

    @property
    def last_turn(self) -> str | None:
        """The turn that led here, if `play` made the position."""

    def turns(self) -> list[str]:
        """All legal turns, winning turns first; empty if the game is over."""

    def count_turns(self) -> int:
        """The number of legal turns."""

    def successors(self) -> list[Position]:
        """The positions after the legal turns, in the order of `turns`."""

    def play(self, turn: str) -> Position:
        """The position after a turn, in any spelling. Raises `IllegalTurn` if the turn is
        illegal, and ValueError if the text is not a turn."""

    def is_legal(self, turn: str) -> bool:
        """Whether a turn, in any spelling, is legal here."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over: won, or no legal turns left."""

    @overload
    def planes(
        self,
        dtype: type[np.uint8] | Literal["uint8"] | None = None,
        *,
        player: SupportsIndex | None = None,
    ) -> NDArray[np.uint8]: ...
    @overload
    def planes(
        self,
        dtype: type[np.float32] | Literal["float32"],
        *,
        player: SupportsIndex | None = None,
    ) -> NDArray[np.float32]: ...
    @overload
    def planes(self, dtype: DTypeLike, *, player: SupportsIndex | None = None) -> NDArray[Any]:
        """The view of `player`, or of the player to move, as in `Batch`: an array (planes, rows,
        columns) of uint8, or of float32."""

    def mask(self) -> NDArray[np.bool_]:
        """Which actions of `Batch` are legal here."""

    def actions(self) -> NDArray[np.int64]:
        """The actions of the legal turns, in the order of `turns`."""

    def action_of(self, turn: str) -> int:
        """The action of a legal turn."""

    def turn_of(self, action: SupportsIndex) -> str:
        """The notation of the turn of a legal action."""

    def symmetric(self, symmetry: SupportsIndex) -> Position:
        """The position rotated or mirrored. Symmetries are numbered 0 to 7: 0 changes nothing,
        1 mirrors the rows, 2 the columns, and 4 then exchanges rows and columns; the others
        are sums of these."""

    def symmetric_actions(self, symmetry: SupportsIndex) -> NDArray[np.int64]:
        """For each action: its number in `symmetric(symmetry)` if it is legal here, else -1.

        >>> legal = position.mask()
        >>> policy = legal / legal.sum()
        >>> mirrored = numpy.zeros_like(policy)
        >>> mirrored[position.symmetric_actions(1)[legal]] = policy[legal]
        """

    def canonical(self) -> tuple[Position, int]:
        """The representative of the eight symmetric positions, the same for all of them, and the
        symmetry that leads to it."""

    def describe(self, turns: bool = True) -> str:
        """The board in words, with the legal turns unless `turns` is False: a prompt for a
        language model."""

    def parse_turn(self, turn: str) -> str:
        """The legal turn that a free text means, such as "c3 to c4, build on b4" or "C3C4B4".
        Raises `IllegalTurn` if it is not legal, and ValueError if it is not a turn or is
        ambiguous."""

    @property
    def winner(self) -> int | None:
        """The player who has won, if the game is over."""

    def result(self) -> tuple[float, float] | None:
        """The points of player 0 and player 1, if the game is over."""

    def judge(self, after: Position | str | dict[str, Any]) -> str:
        """The legal turn that leads from this position to another, which is a position or a
        board in JSON. Raises `IllegalTurn` with the referee's message, which names the
        broken rule.

        >>> position.judge(position.to_json())
        Traceback (most recent call last):
        santorini.IllegalTurn: no turn was made: no worker has moved and nothing was built
        """

    def perft(self, depth: SupportsIndex, *, stop: Event | None = None) -> int:
        """The number of lines of exactly `depth` turns. Ctrl-C ends the count; the event
        `stop` ends it with `Stopped`."""

    def picture(self, ascii: bool = False) -> str:
        """The board as lines of text."""

    def svg(self) -> str:
        """The board as an SVG picture with the last turn marked."""

    def _small_text(
        self, name: str, workers: SupportsIndex, cards: Sequence[str] | None
    ) -> str | None:
        """The text on the `SmallBoard` with these attributes; None if it is another board."""

    def _repr_svg_(self) -> str: ...
    def __str__(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Line:
    """A line of play with its score."""

    def __new__(cls, score: SupportsIndex, chance: float, turns: Sequence[str]) -> Line: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def score(self) -> int:
        """The score for the player to move, in hundredths of a level."""

    @property
    def score_text(self) -> str:
        """The score in levels, or a proved result with the number of turns to it: `win in 5`,
        `loss in 2`."""

    @property
    def is_proved(self) -> bool:
        """Whether the score is a proved win or loss."""

    @property
    def chance(self) -> float:
        """The player to move's chance of winning, 0 to 1, between equally strong players."""

    @property
    def turn(self) -> str | None:
        """The first turn of the line."""

    @property
    def turns(self) -> list[str]:
        """The principal variation: best play of both players, as far as known."""

@final
class Report:
    """The result of a search, or of one of its iterations."""

    def __new__(
        cls, lines: Sequence[Line], depth: SupportsIndex, nodes: SupportsIndex, seconds: float
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
        """The principal variation, which starts with the best turn."""

    @property
    def score(self) -> int | None:
        """The score of the best turn, see `Line.score`."""

    @property
    def chance(self) -> float | None:
        """The chance of winning, see `Line.chance`."""

    @property
    def score_text(self) -> str:
        """The score of the best turn, see `Line.score_text`."""

    def scores(self, position: Position) -> NDArray[np.float32]:
        """The scores of the lines as an array over all actions of `Batch`, NaN for the others.
        `position` is the one that was searched. `analyze` with `position.count_turns()`
        lines has a score for each legal action."""

    def chances(self, position: Position) -> NDArray[np.float32]:
        """The chances of winning of the lines as an array over all actions, as in `scores`."""

    @property
    def depth(self) -> int:
        """The completed depth in turns."""

    @property
    def nodes(self) -> int:
        """The number of positions searched."""

    @property
    def seconds(self) -> float:
        """The time of the search in seconds."""

@final
class Engine:
    """The search engine. It keeps its transposition table between searches. A new engine
    with one thread, limited by nodes or depth, always gives the same results.

    A search releases Python's GIL. It ends at Ctrl-C, or once another thread sets the
    event passed as `stop`. Calls from several threads wait for each other: use one
    engine per thread. Do not fork while another thread searches: the child would wait
    for that search forever.

    eval: the evaluation: "network", "tuned", "paper", or the path of a network written
        by `santorini train`.
    hash_mib: the size of the transposition table in MiB. Issues a `RuntimeWarning` if
        memory suffices only for a smaller one.
    threads: the number of search threads.
    """

    def __new__(
        cls,
        eval: str | PathLike[str] = "network",
        *,
        hash_mib: SupportsIndex = 64,
        threads: SupportsIndex = 1,
    ) -> Engine: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def eval(self) -> str:
        """The name of the evaluation, or the path of its file."""

    @property
    def hash_mib(self) -> int:
        """The size of its table in MiB, as passed."""

    @property
    def threads(self) -> int:
        """The threads of a search."""

    def best(
        self,
        position: Position,
        *,
        nodes: SupportsIndex | None = None,
        seconds: float | None = None,
        depth: SupportsIndex | None = None,
        stop: Event | None = None,
    ) -> Report:
        """Searches for the best turn until a limit is reached, the result is proved, or the
        event `stop` is set. A stopped search reports what it has found. If it ends before
        its first iteration, the depth is 0, the score is the static evaluation, see
        `evaluate`, and the turn was not searched. Pass at least one limit. Raises
        ValueError if the game is over."""

    def analyze(
        self,
        position: Position,
        lines: SupportsIndex = 3,
        *,
        nodes: SupportsIndex | None = None,
        seconds: float | None = None,
        depth: SupportsIndex | None = None,
        callback: Callable[[Report], object] | None = None,
        stop: Event | None = None,
    ) -> Report:
        """Like `best`, for the best `lines` turns. `callback` is called with a report after
        each iteration; the search waits for a slow one. An exception raised in it ends the
        search."""

    def review(
        self, game: Game, *, nodes: SupportsIndex = 20_000, stop: Event | None = None
    ) -> dict[str, Any]:
        """Reviews a game: judges each turn by the chance of winning it lost against the best
        turn. Searches every position for `nodes` nodes. Returns a dict: the `chances` of
        player 0 at the start and after each turn; `turns`, each with its `judgement`
        ("best", "good", "inaccuracy", "mistake" or "blunder"), the chance `lost`, the
        `best` turn and its `line`; and a `summary` for each player. The event `stop` ends
        the review with `Stopped`."""

    def place(
        self,
        first: Sequence[str] | None = None,
        cards: Sequence[str] | None = None,
        size: SupportsIndex = 5,
        *,
        nodes: SupportsIndex | None = None,
        seconds: float | None = None,
        depth: SupportsIndex | None = None,
        stop: Event | None = None,
    ) -> tuple[str, str]:
        """The best spaces for the workers of the player who places next: the first player, or
        the second if `first` gives the spaces of the first player's workers. `cards` are
        this player's card and the opponent's. The limits are for all searches together; the
        default is one second. A search ended by the event `stop` returns the best found so
        far."""

    @overload
    def evaluate(self, position: Position, *, stop: Event | None = None) -> int: ...
    @overload
    def evaluate(
        self, position: Batch | Sequence[Position | None], *, stop: Event | None = None
    ) -> NDArray[np.float32]:
        """The static evaluation of a position for the player to move, in hundredths of a
        level. It means little if a turn wins at once.

        For a `Batch` or a list of positions: an array of all evaluations, computed on the
        threads of the engine; NaN where the workers are not placed yet."""

    def label(
        self,
        positions: Batch | Sequence[Position | None],
        *,
        nodes: SupportsIndex | None = None,
        seconds: float | None = None,
        depth: SupportsIndex | None = None,
        stop: Event | None = None,
    ) -> Labels:
        """Searches each position of a `Batch` or of a list for the best action, and returns
        `Labels`. The threads of the engine share the positions: each is searched by one
        thread that starts with an empty table. So a label is what `best` of a new engine
        with one thread finds. Pass at least one limit; it is the limit for each position.
        The event `stop` ends the work with `Stopped`."""

    def clear(self) -> None:
        """Clears the transposition table."""

@final
class Game:
    """The record of a game: its start, turns and players. Raises `IllegalTurn` if a turn
    is illegal.
    """

    def __new__(
        cls,
        start: Position,
        turns: Iterable[str],
        players: Sequence[str] = ("first", "second"),
        number: SupportsIndex = 0,
    ) -> Game: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @staticmethod
    def from_json(record: str | dict[str, Any]) -> Game:
        """Reads a record from a line of a file."""

    def to_json(self) -> str:
        """The record as a line of a file. All tools of Santorini read such files, to draw,
        count and replay the games."""

    def to_dict(self) -> dict[str, Any]:
        """The dict that `json.loads` returns for that line, with all its keys."""

    @property
    def number(self) -> int:
        """The number of the game in its file."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of player 0 and player 1."""

    @property
    def cards(self) -> tuple[str, str] | None:
        """The cards of player 0 and player 1, if the game had cards."""

    @property
    def size(self) -> int | None:
        """The number of rows; None if the game ended before both placements."""

    @property
    def turns(self) -> list[str]:
        """The turns as written in the record."""

    @property
    def winner(self) -> int | None:
        """The winner, 0 or 1, if there is one."""

    @property
    def ending(self) -> str:
        """How the game ended: `win`, `no-turn-left`, `time-out`, ..."""

    def positions(self) -> list[Position]:
        """The positions at the start and after each turn. Replays the game by the rules;
        raises ValueError if a turn is illegal."""

    def __len__(self) -> int:
        """The number of turns."""

@final
class Games:
    """An iterator over the games of a file, see `read_games`."""

    def __new__(cls, path: str | PathLike[str]) -> Games: ...
    def __iter__(self) -> Iterator[Game]: ...
    def _repr_html_(self) -> str: ...
    def __next__(self) -> Game: ...

@final
class LevelPlayer:
    """A player of limited strength, from level 1 (beginner) to full strength, for both
    boards, with and without cards. It errs as people do, with plausible turns. The
    same level, seed and position give the same turn unless time runs out. Ctrl-C ends
    its search; the event passed as `stop` ends it with `Stopped`.

    level: the level, 1 to `LevelPlayer.highest`.
    seed: the seed of its random choices.
    seconds: the maximum time for an answer; the highest level uses all of it.

    >>> turn = LevelPlayer(3).turn(position)
    """

    highest: Final[int]
    """The highest level, which plays at full strength."""
    measured_with: Final[str]
    """The engine and the levels with which `elo` was measured."""

    def __new__(
        cls, level: SupportsIndex, seed: SupportsIndex = 0, *, seconds: float = 1.0
    ) -> LevelPlayer: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    def _seeded(self, seed: SupportsIndex) -> LevelPlayer:
        """The same player with another seed. They share their memory."""

    @property
    def seed(self) -> int:
        """The seed of its choices."""

    @property
    def seconds(self) -> float:
        """The maximum time for an answer."""

    @property
    def level(self) -> int:
        """The level."""

    @property
    def elo(self) -> int:
        """Its Elo above level 1 in the base game, measured in matches."""

    @property
    def elo_interval(self) -> tuple[int, int]:
        """The 95% interval of `elo`."""

    @property
    def about(self) -> str:
        """A short description of the level."""

    def turn(self, position: Position, *, stop: Event | None = None) -> str:
        """The turn the player chooses."""

    def place(
        self,
        first: Sequence[str] | None = None,
        cards: Sequence[str] | None = None,
        size: SupportsIndex = 5,
        *,
        stop: Event | None = None,
    ) -> tuple[str, str]:
        """The spaces where the player places its workers, see `Engine.place`."""

@final
class Agent:
    """An agent of the laboratory: an opponent for the base game on 5x5 spaces.

    >>> turn = Agent("alphabeta:depth=2").turn(position)

    The text names the agent and its parameters: `random`, `alphabeta:depth=2`,
    `mc:episodes=100`, `qlearning`, `engine:nodes=1000`. `santorini help lab play` lists
    them all. `qlearning` learns when it is created, which takes a while.

    stop: an event such as `threading.Event()`. Setting it ends learning with `Stopped`.
        Ctrl-C ends learning too.
    """

    def __new__(cls, text: str, seed: SupportsIndex = 0, *, stop: Event | None = None) -> Agent: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    def __copy__(self) -> Agent: ...
    def __deepcopy__(self, _memo: dict[int, Any], /) -> Agent: ...
    @property
    def _asked(self) -> int:
        """The number of answers so far."""

    @staticmethod
    def _again(text: str, seed: SupportsIndex, asked: int) -> Agent:
        """Recreates an agent that has given some answers."""

    @property
    def text(self) -> str:
        """The name with its parameters."""

    @property
    def seed(self) -> int:
        """The seed of its choices."""

    def place(
        self, first: Sequence[str] | None = None, *, stop: Event | None = None
    ) -> tuple[str, str]:
        """The spaces where the agent places its workers, see `Engine.place`. Ctrl-C and
        `stop` end its search."""

    def turn(self, position: Position, *, stop: Event | None = None) -> str:
        """The turn the agent plays. Ctrl-C ends its search; the event `stop` ends it with
        `Stopped`."""

@final
class ExactValue:
    """The exact value of a position for the player to move, or of a turn for the player
    who plays it: win or loss, and in how many turns. Values are ordered: a win beats a
    loss, a faster win a slower one, and a slower loss a faster one."""

    def __new__(cls, wins: bool, plies: SupportsIndex) -> ExactValue: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def wins(self) -> bool:
        """Whether the player wins."""

    @property
    def plies(self) -> int:
        """The number of turns of both players to the end of the game with best play: the
        winner wins as fast as possible, the loser holds out as long as possible."""

    def __lt__(self, other: ExactValue, /) -> bool: ...
    def __le__(self, other: ExactValue, /) -> bool: ...
    def __gt__(self, other: ExactValue, /) -> bool: ...
    def __ge__(self, other: ExactValue, /) -> bool: ...

@final
class Probe:
    """The value of a position on a solved board, and of its turns."""

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
        """The turns with their values for the player to move, best first. Of turns that lead
        to the same position, only one is listed."""

    @property
    def best(self) -> list[str]:
        """The best turns: all that preserve the value."""

@final
class SolvedPlacement:
    """A placement of the first player on a solved board, with the best reply."""

    def __new__(
        cls,
        first: Sequence[str],
        reply: Sequence[str],
        value: ExactValue,
        winning_replies: SupportsIndex,
        replies: SupportsIndex,
    ) -> SolvedPlacement: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @property
    def first(self) -> tuple[str, ...]:
        """The spaces of the first player's workers."""

    @property
    def reply(self) -> tuple[str, ...]:
        """The spaces of the second player's workers in its best reply."""

    @property
    def value(self) -> ExactValue:
        """The value for the first player, who then moves first."""

    @property
    def winning_replies(self) -> int:
        """The number of replies that win for the second player."""

    @property
    def replies(self) -> int:
        """The number of replies."""

@final
class Solved:
    """A solved small board: a file written by `santorini solve` or `Solved.solve`.

    >>> solved = Solved.solve("2x3.solved", "2x3")
    >>> found = solved.probe("000/010 a1b1 c1c2")
    >>> print(found.value, found.best)
    win in 1 ['a1-a2+b2', 'a1-b2+a1', 'a1-b2+a2']

    A position is a `Position` of a `SmallBoard`, or a text like that of a `Position`
    without the number of turns: the levels row by row, the workers of the player to
    move, the opponent's workers, and both cards if there are any. Raises ValueError if
    it is not on this board, or if a text shows a won game. A `Position` may be won: the
    player to move has lost it in 0 turns. With cards, no text can say that.

    Positions of the highest levels may be missing from the file. They are solved again
    on request, which takes seconds. Ctrl-C ends that; the event passed as `stop` ends
    it with `Stopped`.

    path: the file. Raises OSError if it cannot be read, and ValueError if it is not a
        solved board, damaged or unfinished.
    threads: the threads that solve positions missing from the file; 0 means one per
        core.
    """

    def __new__(cls, path: str | PathLike[str], *, threads: SupportsIndex = 0) -> Solved: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

    @staticmethod
    def solve(
        path: str | PathLike[str],
        board: str,
        workers: SupportsIndex = 2,
        cards: Sequence[str] | None = None,
        *,
        memory: float = 4.0,
        keep: float = 1.0,
        check: SupportsIndex = 0,
        threads: SupportsIndex = 0,
        force: bool = False,
        progress: Callable[[int, int], object] | None = None,
        stop: Event | None = None,
    ) -> Solved:
        """Solves a board of up to 16 spaces and writes the file, or resumes an unfinished
        file. Raises OSError if the file cannot be written, and ValueError if there is no
        such game, it needs more memory or disk space than there is, or the file holds
        something else.

        >>> pan = Solved.solve("pan.solved", "2x3", workers=1, cards=("Pan", "Atlas"))

        board: its rows and columns, from 2 to 6 each, such as "3x3".
        workers: the workers of each player, 1 or 2.
        cards: the cards of the first and the second player.
        memory: the maximum memory in gigabytes. Work that needs more uses temporary files
            in the folder of the file.
        keep: the maximum size of the file in gigabytes. Boards of the highest levels are
            left out if they do not fit.
        check: verify one board in this many, turn by turn, independently of how it was
            solved; 0 verifies none.
        threads: the number of threads; 0 means one per core.
        force: solve again and overwrite the file. The old file stays until the new one,
            whose name ends in .unfinished, is complete.
        progress: called with the number of bytes solved and the total; a slow function is
            called less often. An exception raised in it, or Ctrl-C, ends the work; the part
            solved so far is kept.
        stop: an event such as `threading.Event()`. Setting it ends the work.
        """

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def threads(self) -> int:
        """The number of threads that solve positions missing from the file."""

    @property
    def board(self) -> str:
        """The rows and columns, such as `3x3`."""

    @property
    def workers(self) -> int:
        """The number of workers of each player."""

    @property
    def cards(self) -> tuple[str, str] | None:
        """The cards of the first and the second player, if the game has cards."""

    def value(self, position: Position | str, *, stop: Event | None = None) -> ExactValue:
        """The value of a position for the player to move, without its turns."""

    def values(
        self, positions: Sequence[Position | str], *, stop: Event | None = None
    ) -> NDArray[np.int16]:
        """The values of many positions for the player to move, as an array of int16: the
        number of turns of both players to the end, negative where the player to move
        loses, 0 where it has already lost."""

    def probe(self, position: Position | str, *, stop: Event | None = None) -> Probe:
        """The value of a position, and the values of its turns."""

    def best_game(
        self, position: Position | str, *, stop: Event | None = None
    ) -> list[tuple[str, str, ExactValue]]:
        """A game of best play from a position to its end. Each item holds the position before
        the turn, the turn, and its value for the player who plays it."""

    def placements(self, *, stop: Event | None = None) -> list[SolvedPlacement]:
        """The placements of the first player on the empty board, up to symmetry, best first."""

@final
class Batch:
    """Many games at once, as arrays, for learning.

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

    T is 128 in the base game and 2882 in games with cards, which also have the actions
    below. A step onto an opponent's worker swaps with it or pushes it.

    | action | is |
    |---|---|
    | `128 + 64*w + 8*s + b` | the same with a dome on a tower lower than 3 |
    | `256 + 64*w + 8*s + b` | the same with two levels |
    | `384 + 225*w + 9*d + b` | worker w moves two steps to space d and builds b |
    | `384 + 225*w + 9*d + 8` | the same without a build, if the second step wins |
    | `834 + 512*w + 64*s + 8*b + c` | worker w steps s and builds on two spaces, b and c |
    | `1858 + 512*w + 64*a + 8*s + b` | worker w builds a, steps s and builds b |

    Space d is one of the 5x5 spaces around the worker, numbered row by row.

    Worker 0 is the one on the space with the lower index; spaces are numbered row by
    row. The directions are `santorini.DIRECTIONS`. A player places both workers one
    after the other. Of turns that lead to the same board, only the one in
    `Position.turns` is legal.

    The player of the last turn wins: the turn wins by itself, or leaves the opponent
    without a legal turn.

    count: the number of games.
    size: the number of rows, 5 or 6.
    cards: the cards of the first and the second player, "random" to draw two for each
        game, or None for the base game.
    start: "empty": the players place their workers; or "random": games start after a
        random placement and `turns` random turns.
    restart: whether a finished game starts again at once. If not, it has no legal
        action, and `step` skips it until `reset` starts the game again. Either way the
        results of the games that the last step ended are kept: see `ended`.
    seed: the same seed gives the same games, in a batch of any size.

    Use a batch in one thread at a time. A thread that changes it while another one
    uses it gets a RuntimeError, and so does one that reads it during a change. The GIL
    is released while a batch works.

    Ctrl-C ends long work. `stop` is an event such as `threading.Event()`; setting it
    raises `Stopped`. Raises MemoryError if there is not enough memory for the games.
    """

    def __new__(
        cls,
        count: SupportsIndex,
        size: SupportsIndex = 5,
        *,
        cards: Sequence[str] | Literal["random"] | None = None,
        start: Literal["empty", "random"] = "empty",
        turns: SupportsIndex = 0,
        restart: bool = True,
        seed: SupportsIndex = 0,
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
        player: SupportsIndex | None = None,
    ) -> NDArray[np.uint8]: ...
    @overload
    def observations(
        self, out: NDArray[np.float32], *, player: SupportsIndex | None = None
    ) -> NDArray[np.float32]: ...
    @overload
    def observations(
        self,
        out: NDArray[np.float32] | None = None,
        *,
        dtype: type[np.float32] | Literal["float32"],
        player: SupportsIndex | None = None,
    ) -> NDArray[np.float32]: ...
    @overload
    def observations(
        self,
        out: NDArray[Any] | None = None,
        *,
        dtype: DTypeLike,
        player: SupportsIndex | None = None,
    ) -> NDArray[Any]:
        """The observation of each game: an array of shape (games, planes, rows, columns), of
        uint8 or `dtype` float32. Writes to `out` and returns it, if passed. Shows the view of
        the player to move, or of `player` in all games."""

    def masks(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """The legal actions of each game: an array of shape (games, actions). Writes to `out`
        and returns it, if passed."""

    def step(
        self, actions: ArrayLike, where: ArrayLike | None = None
    ) -> NDArray[np.bool_]:
        """Plays one action in each game, or only where the mask `where` is True, and returns
        which of them won. Finished games stay as they are, whatever their action. Raises
        `IllegalTurn` if any action is illegal; then none is played."""

    @property
    def ended(self) -> NDArray[np.int64]:
        """The games that the last step ended, in order, restarted or not."""

    @property
    def final_winners(self) -> NDArray[np.int64]:
        """The winner of each game in `ended`."""

    @property
    def final_lengths(self) -> NDArray[np.int64]:
        """The number of actions played in each game in `ended`, since it began or its position
        was set."""

    @overload
    def final_observations(
        self,
        *,
        dtype: type[np.uint8] | Literal["uint8"] | None = None,
        player: SupportsIndex | None = None,
    ) -> NDArray[np.uint8]: ...
    @overload
    def final_observations(
        self, *, dtype: type[np.float32] | Literal["float32"], player: SupportsIndex | None = None
    ) -> NDArray[np.float32]: ...
    @overload
    def final_observations(
        self, *, dtype: DTypeLike, player: SupportsIndex | None = None
    ) -> NDArray[Any]:
        """The observation at the end of each game in `ended`, see `observations`."""

    def final_position(self, game: SupportsIndex) -> Position | None:
        """The position at the end of a game in `ended`; None if the last step did not end it."""

    @property
    def rewards(self) -> NDArray[np.float32]:
        """The rewards of both players of each game in the last step: an array (games, 2) with 1
        for the winner, -1 for the loser, and 0 where no game ended."""

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for each game, all equally likely; 0 if there is none."""

    def rollouts(
        self, games: SupportsIndex = 1, *, stop: Event | None = None
    ) -> NDArray[np.float32]:
        """The share of `games` random games from each position that the player to move wins.
        The positions do not change."""

    def position(self, game: SupportsIndex) -> Position | None:
        """The position of a game; None until all workers are placed."""

    def cards(self, game: SupportsIndex) -> tuple[str, str] | None:
        """The cards of the first and the second player of a game, if it has cards."""

    def set_position(self, game: SupportsIndex, position: Position) -> None:
        """Sets the position of a game."""

    def set_positions(self, positions: Iterable[Position | None]) -> None:
        """Sets the position of each game, except where the list has None. If one does not fit,
        none is set."""

    def reset(self, game: SupportsIndex | ArrayLike | None = None) -> None:
        """Starts a game again, or the games of a mask (True or False for each game), or all."""

    def turn_of(self, game: SupportsIndex, action: SupportsIndex) -> str:
        """The notation of a legal action of a game: a turn, or a space for a placement."""

    def action_of(self, game: SupportsIndex, turn: str) -> int:
        """The action of a legal turn in a game, or of a space for a placement."""

    def _reseed(self, seed: SupportsIndex) -> None:
        """Continues with the random numbers of another seed. Games that are reset then start as
        in a new batch; the others stay as they are."""

    def __len__(self) -> int:
        """The number of games."""
