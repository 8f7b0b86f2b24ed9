#!/usr/bin/env python3
"""Prints the licences of everything that is linked into what is released.

`licences.py LGPL`, where LGPL is the file with the licence of the C library. The texts
of crates are those that the crates bring along.
"""

import json
import re
import subprocess
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

TARGETS = [
    f"{processor}-{system}"
    for processor in ("aarch64", "x86_64")
    for system in ("apple-darwin", "unknown-linux-gnu", "unknown-linux-musl")
] + ["wasm32-unknown-unknown"]

# Of several licences to choose from, the first of these.
PREFERRED = ["MIT", "BSD-2-Clause", "Apache-2.0"]

HEAD = """\
LICENCES OF THE SOFTWARE IN SANTORINI
=====================================
Santorini has the MIT licence, see LICENSE. These crates are linked into it, each under
the licence that is named. The texts are below.

The standard library of Rust is linked in under the MIT licence:
https://github.com/rust-lang/rust

The programs for Linux, not the Python packages, also hold the GNU C Library, under the
GNU Lesser General Public License 2.1: https://www.gnu.org/software/libc. To link a
program with another version of it, build it from the source archive.
"""


def cargo(*arguments: str) -> str:
    return subprocess.run(["cargo", *arguments], check=True, text=True, stdout=subprocess.PIPE).stdout


def linked() -> set[tuple[str, str]]:
    """Names and versions of the crates that are linked in, for all targets."""
    lines = set()
    for target in TARGETS:
        tree = cargo(
            "tree", "--locked", "--workspace", "--edges", "normal,no-proc-macro",
            "--target", target, "--prefix", "none", "--format", "{p}",
        )  # fmt: skip
        lines.update(tree.splitlines())
    # "name v1.2.3", then "(*)" for one that was listed before.
    crates = (line.split() for line in lines if line)
    return {(name, version[1:]) for name, version, *_ in crates}


def chosen(expression: str) -> str:
    """The licence that is used of those in an SPDX expression."""
    options = re.split(r" OR |/", expression)
    if len(options) == 1 or " AND " in expression:
        return expression
    return next((option for option in PREFERRED if option in options), expression)


def texts(folder: Path, licence: str) -> list[str]:
    """The licence's texts in the folder of a crate, and its notices."""
    names = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE)", re.IGNORECASE)
    files = sorted(path for path in folder.iterdir() if path.is_file() and names.match(path.name))
    # A crate with a choice of licences has one file for each.
    short = licence.split("-")[0].upper()
    fitting = [path for path in files if short in path.name.upper() or "NOTICE" in path.name.upper()]
    return [path.read_text("utf-8").strip() for path in fitting or files]


def show(names: str, text: str) -> None:
    line = "-" * 78
    print(f"\n\n{line}\n{textwrap.fill(names, 78)}\n{line}\n\n{text}")


def main() -> None:
    packages = json.loads(cargo("metadata", "--locked", "--format-version", "1"))["packages"]
    crates = linked()
    licences, users = {}, defaultdict(list)
    for package in packages:
        key = package["name"], package["version"]
        if key not in crates or package["source"] is None:
            continue
        licences[key] = chosen(package["license"])
        found = texts(Path(package["manifest_path"]).parent, licences[key])
        if not found:
            sys.exit(f"{key[0]} {key[1]} has no file with its licence")
        for text in found:
            users[text].append(" ".join(key))
    print(HEAD)
    for (name, version), licence in sorted(licences.items()):
        print(f"  {name} {version}: {licence}")
    for text, names in sorted(users.items(), key=lambda item: item[1]):
        show(", ".join(sorted(names)), text)
    show("GNU C Library", Path(sys.argv[1]).read_text("utf-8").strip())


if __name__ == "__main__":
    main()
