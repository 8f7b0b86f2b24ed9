"""Types, documentation, examples and wheel of the package."""

import ast
import importlib.metadata
import inspect
import json
import platform
import re
import runpy
import sys
from pathlib import Path

import pytest

import santorini
from santorini import _santorini

FOLDER = Path(__file__).parent.parent
STUB = Path(_santorini.__file__).parent / "_santorini.pyi"


def documented():
    """Yields each class and method of the stub: name, docstring in the stub, runtime
    object."""
    for declared in ast.parse(STUB.read_text()).body:
        if not isinstance(declared, ast.ClassDef):
            continue
        here = getattr(_santorini, declared.name)
        yield declared.name, ast.get_docstring(declared), here
        for member in declared.body:
            if isinstance(member, ast.FunctionDef):
                name = f"{declared.name}.{member.name}"
                yield name, ast.get_docstring(member), getattr(here, member.name)
            elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                # A constant; at run time it has no docstring.
                yield f"{declared.name}.{member.target.id}", None, getattr(here, member.target.id)


def test_the_stub_matches_the_package():
    names = set()
    for name, documentation, here in documented():
        names.add(name)
        if documentation is not None and not name.split(".")[-1].startswith("__"):
            assert documentation == inspect.getdoc(here), name
    classes = [getattr(_santorini, name) for name in dir(_santorini) if name[0].isupper()]
    assert len(classes) == 15
    for here in classes:
        assert here.__name__ in names
        for member in vars(here):
            if not member.startswith("_") and not issubclass(here, Exception):
                assert f"{here.__name__}.{member}" in names


def test_everything_public_is_documented():
    for name in santorini.__all__:
        if name not in ("__version__", "CARDS", "DIRECTIONS"):
            assert inspect.getdoc(getattr(santorini, name)), name
    assert (Path(santorini.__file__).parent / "py.typed").exists()


# Of examples that take minutes.
SHORTER = {"distance_from_optimal": ["--seconds", "3", "--questions", "50"]}


@pytest.mark.parametrize("example", sorted((FOLDER / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_run(example, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("svg")
    here, named = tmp_path / "here", tmp_path / "named"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr("sys.argv", [str(example), str(named), *SHORTER.get(example.stem, [])])
    runpy.run_path(str(example), run_name="__main__")
    assert list(named.iterdir()) and not list(here.iterdir())


@pytest.mark.parametrize("example", sorted((FOLDER / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_say_what_they_need(example, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setattr("sys.argv", [str(example), str(tmp_path)])
    with pytest.raises(SystemExit, match="pip install matplotlib"):
        runpy.run_path(str(example), run_name="__main__")
    assert not list(tmp_path.iterdir())


@pytest.fixture
def wheel():
    """The package, if it was installed from a wheel."""
    package = importlib.metadata.distribution("santorini")
    origin = json.loads(package.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        pytest.skip("the package was not installed from a wheel")
    return package


def test_the_wheel_is_for_all_pythons_and_other_machines(wheel):
    tags = [line for line in wheel.read_text("WHEEL").splitlines() if line.startswith("Tag:")]
    assert tags and all(tag.startswith("Tag: cp310-abi3-") for tag in tags)
    if platform.libc_ver()[0] == "glibc":
        assert all("-manylinux" in tag for tag in tags)


def test_the_package_says_what_it_is():
    package = importlib.metadata.distribution("santorini")
    about = package.metadata
    assert about["Author"] == "The Santorini authors" and about["License-Expression"] == "MIT"
    assert about["Requires-Python"] == ">=3.10" and len(about["Keywords"].split(",")) > 5
    assert about.get_payload().lstrip().startswith("# Santorini for Python\n\n    pip install")


def test_the_wheel_has_the_licences_of_all_crates(wheel):
    licences = {file.name: file for file in wheel.files if "licenses" in file.parts}
    assert sorted(licences) == ["LICENSE", "LICENSE-THIRD-PARTY.txt"]
    assert "MIT License" in licences["LICENSE"].read_text()
    notices = licences["LICENSE-THIRD-PARTY.txt"].read_text()
    crates = re.findall(r"^  (\S+ [0-9.]+): ", notices, re.M)
    assert {"pyo3", "numpy", "serde_json", "memmap2"} <= {crate.split()[0] for crate in crates}
    # Each is in the list, and above a text.
    words = " ".join(notices.split())
    assert [crate for crate in crates if words.count(crate) < 2] == []
    assert "clap" not in notices and "GNU C Library" not in notices
