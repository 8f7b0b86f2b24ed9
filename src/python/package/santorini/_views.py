"""Views of values for notebooks: tables, and pictures of boards."""

from collections.abc import Iterable, Sequence
from html import escape

from ._santorini import Batch, ExactValue, Game, Line, Probe, Report, SolvedPlacement

# The maximum number of boards shown of a batch.
_BOARDS = 8


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in HTML. The cells are escaped."""

    def row(cells: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>"


def _line_row(line: Line) -> Sequence[str]:
    return line.score_text, f"{100 * line.chance:.0f}%", " ".join(line.turns)


def line(line: Line) -> str:
    return table(("score", "chance", "line"), [_line_row(line)])


def report(report: Report) -> str:
    about = f"depth {report.depth}, {report.nodes:,} nodes, {report.seconds:.2f} s"
    return f"<p>{about}</p>" + table(("score", "chance", "line"), map(_line_row, report.lines))


def exact_value(value: ExactValue) -> str:
    return f"<b>{escape(str(value))}</b>"


def probe(probe: Probe) -> str:
    about = f"<p><code>{escape(probe.position)}</code>: {escape(str(probe.value))}</p>"
    return about + table(("turn", "value"), probe.turns)


def placement(placement: SolvedPlacement) -> str:
    head = ("first", "best reply", "value", "winning replies")
    winning = f"{placement.winning_replies} of {placement.replies}"
    squares = (" ".join(placement.first), " ".join(placement.reply))
    return table(head, [(*squares, placement.value, winning)])


def game(game: Game) -> str:
    """The players, the ending and the last board."""
    first, second = game.players
    about = f"<p>{escape(first)} - {escape(second)}: {len(game)} turns, {escape(game.ending)}</p>"
    try:
        return about + game.positions()[-1].svg()
    except ValueError:
        return about


def batch(batch: Batch) -> str:
    """The first boards."""
    positions = (batch.position(game) for game in range(min(len(batch), _BOARDS)))
    boards = (
        '<div style="width:12em">'
        + (position.svg() if position else "the workers are being placed")
        + "</div>"
        for position in positions
    )
    return (
        f"<p>{escape(repr(batch))}</p>"
        f'<div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(boards)}</div>'
    )


def maker(maker: object) -> str:
    """The `repr` of a player or an engine."""
    return f"<code>{escape(repr(maker))}</code>"
