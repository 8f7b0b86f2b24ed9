"""The README, the pages of the documentation site and the examples in docstrings, executed."""

import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import santorini
from santorini import _santorini

FOLDER = Path(__file__).parent.parent
PAGES = [FOLDER / "README.md", *sorted((FOLDER / "docs").glob("*.md"))]
# What takes minutes is run for seconds.
SHORTER = {"60_000": "4_000", "n_eval_episodes=400": "n_eval_episodes=10"}

sys.path.insert(0, str(FOLDER / "docs"))
import tables  # noqa: E402


def run(kind, code, here):
    """Executes a block of code of a page."""
    for long, short in SHORTER.items():
        code = code.replace(long, short)
    if kind == "python":
        exec(compile(code, "page", "exec"), here)
    else:
        example = doctest.DocTestParser().get_doctest(code, {}, "page", "page", 0)
        example.globs = here
        said = []
        runner = doctest.DocTestRunner()
        runner.run(example, out=said.append, clear_globs=False)
        assert runner.failures == 0 and runner.tries > 0, "".join(said)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_code_of_pages_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if path.stem == "index":
        assert path.read_text().strip() == "<!-- table: readme -->"
        return
    here = {"__name__": "page"}
    blocks = re.findall(r"^```(python|pycon)\n(.*?)^```", tables.page(path.read_text()), re.M | re.S)
    assert blocks or path.stem in ("reference", "environments")
    for kind, code in blocks:
        if "sb3_contrib" in code:
            pytest.importorskip("sb3_contrib")
        if "gymnasium" in code:
            pytest.importorskip("gymnasium")
        run(kind, code, here)


def test_the_tables_of_pages_are_whole():
    for name in ("versions", "levels", "planes", "directions", "actions"):
        rows = getattr(tables, name)().splitlines()
        assert len({row.count("|") for row in rows}) == 1, name
    assert len(tables.levels().splitlines()) == 2 + santorini.LevelPlayer.highest
    assert len(tables.actions().splitlines()) == 2 + 6
    assert tables.section("Build it").startswith("# Build it\n")


def test_the_directions_of_the_table_are_those_of_actions():
    position = santorini.Position.start(("c3", "a5"), ("a1", "e1"))
    for line in tables.directions().splitlines()[2:]:
        number, _, row, column = [part.strip() for part in line.split("|")[1:-1]]
        to = "abcde"[2 + int(column)] + str(3 + int(row))
        assert position.turn_of(8 * int(number)).startswith(f"c3-{to}+")


def documented():
    """Each docstring with an example, and its name."""
    for module in ("santorini", "santorini.small", "santorini.symmetry"):
        yield module, importlib.import_module(module)
    for module in ("gymnasium_v0", "santorini_v0", "openspiel_v0"):
        yield f"santorini.{module}", module
    for name in _santorini.__all__ if hasattr(_santorini, "__all__") else dir(_santorini):
        here = getattr(_santorini, name)
        if inspect.isclass(here):
            yield name, here
            for member, value in vars(here).items():
                if not member.startswith("_") and not isinstance(value, (str, int)):
                    yield f"{name}.{member}", getattr(here, member)


@pytest.mark.parametrize("name, here", list(documented()), ids=lambda part: part if isinstance(part, str) else "")
def test_the_examples_of_docstrings_run(name, here, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if isinstance(here, str):
        library = {"santorini_v0": "pettingzoo", "openspiel_v0": "pyspiel"}.get(here, "gymnasium")
        pytest.importorskip(library)
        here = importlib.import_module(name)
    documentation = inspect.getdoc(here) or ""
    if ">>>" not in documentation:
        return
    names = {name: getattr(santorini, name) for name in santorini.__all__}
    names["numpy"] = numpy
    names["position"] = santorini.Position("00000/00010/00000/00000/00000 b3d3 c2c4 1")
    run("pycon", documentation, names)


def test_the_site_is_built_and_asks_no_other_server(tmp_path):
    for library in ("mkdocs", "mkdocstrings_handlers.python", "gymnasium", "pettingzoo"):
        pytest.importorskip(library)
    command = [sys.executable, "-m", "mkdocs", "build", "-f", str(FOLDER / "mkdocs.yml"), "-d", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages = list(tmp_path.glob("*.html"))
    assert len(pages) == len(list((FOLDER / "docs").glob("*.md"))) + 1
    for page in pages:
        text = page.read_text()
        assert not re.findall(r'<(?:link|script|img|iframe)[^>]*(?:href|src)="?(?:https?:)?//[^"> ]*', text), page
        assert "<!-- table" not in text and "<!-- section" not in text
    for sheet in tmp_path.rglob("*.css"):
        assert not re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//", sheet.read_text()), sheet
    reference = (tmp_path / "reference.html").read_text()
    for name in ("Position.parse_turn", "Engine.label", "Batch.step", "Solved.values", "SmallBoard"):
        assert f'id="santorini.{name}"' in reference, name
