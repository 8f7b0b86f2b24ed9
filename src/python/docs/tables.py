"""Generated parts of the documentation site. In a page, `<!-- table: NAME -->` is replaced by the
result of the function NAME, and `<!-- section: TITLE -->` by a section of the README."""

import importlib.metadata
import platform
import re
from pathlib import Path

import numpy as np

import santorini
from santorini import CARDS, DIRECTIONS, LevelPlayer, Position

README = Path(__file__).parent.parent / "README.md"


def _table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def readme():
    """The README."""
    return README.read_text()


def versions():
    """The versions that this site describes."""
    names = ["santorini", "numpy", "gymnasium", "pettingzoo", "open_spiel"]
    rows = [["Python", platform.python_version()]]
    for name in names:
        try:
            rows.append([name, importlib.metadata.version(name)])
        except importlib.metadata.PackageNotFoundError:
            rows.append([name, "not installed"])
    return _table(["package", "version"], rows)


def levels():
    """The levels with their Elo."""
    rows = []
    for level in range(1, LevelPlayer.highest + 1):
        player = LevelPlayer(level)
        low, high = player.elo_interval
        interval = f"{low} to {high}" if level > 1 else "the zero point"
        rows.append([f'`"level:{level}"`', player.elo, interval, player.about])
    return _table(["opponent", "Elo", "95% interval", "description"], rows)


def planes():
    """The planes by name."""
    levels = [f"the level is at least {level}" for level in range(1, 5)]
    workers = [f"worker {worker} of the player to move stands" for worker in range(2)]
    names = [*levels, *workers, "a worker of the other player stands"]
    for who in ("the player to move", "the other player"):
        names += [f"everywhere: {who} has {card}" for card in CARDS]
    return _table(["plane", "holds 1 where"], list(enumerate(names)))


def directions():
    """The directions by name."""
    offsets = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
    rows = [[number, name, *offset] for number, (name, offset) in enumerate(zip(DIRECTIONS, offsets))]
    return _table(["s or b", "direction", "rows", "columns"], rows)


def actions():
    """Some legal actions of one position with cards, one of each kind."""
    kinds = [
        (0, 128, "a step and a build"),
        (128, 256, "a step and a dome"),
        (256, 384, "a step and two levels"),
        (384, 834, "two steps and a build"),
        (834, 1858, "a step and two builds"),
        (1858, 2882, "a build, a step and a build"),
    ]
    rows = []
    for first, end, kind in kinds:
        for card in CARDS:
            other = CARDS[CARDS.index(card) - 1]
            position = Position.start(("b2", "d4"), ("c3", "a5"), cards=(card, other))
            legal = position.actions()
            inside = np.sort(legal[(legal >= first) & (legal < end)])
            if inside.size:
                number = int(inside[inside.size // 2])
                rows.append([f"{first} to {end - 1}", kind, number, f"`{position.turn_of(number)}`", card])
                break
    return _table(["actions", "kind", "such as", "the turn", "with"], rows)


def section(title):
    """A section of the README, its heading as the heading of a page."""
    found = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", README.read_text(), re.M | re.S)
    if found is None:
        raise ValueError(f"the README has no part {title!r}")
    return found[0].removeprefix("#")


def page(markdown):
    """A page with its tables and sections of the README filled in."""
    markdown = re.sub(r"<!-- table: (\w+) -->", lambda found: globals()[found[1]](), markdown)
    return re.sub(r"<!-- section: (.+) -->", lambda found: section(found[1]), markdown)


def on_page_markdown(markdown, **_):
    """For MkDocs."""
    return page(markdown)


def on_post_build(config, **_):
    """For MkDocs: the colours of code."""
    from pygments.formatters import HtmlFormatter

    Path(config.site_dir, "code.css").write_text(HtmlFormatter().get_style_defs(".highlight"))


def on_config(config):
    """For MkDocs: checks that the installed package is this one."""
    stub = Path("santorini", "_santorini.pyi")
    here = README.parent / "package" / stub
    if Path(santorini.__file__).parent.joinpath(stub.name).read_text() != here.read_text():
        raise SystemExit("docs: another version of the package is installed: build and install the wheel first")
    return config
