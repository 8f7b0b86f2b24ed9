#!/usr/bin/env python3
"""Prints the licences of everything that is linked into the releases, with the texts that the
crates contain.

    licences.py                    of all releases
    licences.py --package NAME     of one package
    licences.py --target TARGET    as built for one machine
    licences.py --c-library FILE   with the C library, whose licence is in this file
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

# Only the Python package is built for it.
WINDOWS = "x86_64-pc-windows-gnu"

TARGETS = [
    f"{processor}-{system}"
    for processor in ("aarch64", "x86_64")
    for system in ("apple-darwin", "unknown-linux-gnu", "unknown-linux-musl")
] + ["wasm32-unknown-unknown", WINDOWS]

# Of several licences to choose from, the first of these is used.
PREFERRED = ["MIT", "BSD-2-Clause", "Apache-2.0"]

HEAD = """
LICENCES OF THE SOFTWARE IN SANTORINI
=====================================
Santorini has the MIT licence, see LICENSE. These crates are linked into it, each under
the licence that is named. The texts are below.

The standard library of Rust is linked in under the MIT licence:
https://github.com/rust-lang/rust
"""

C_LIBRARY = """
The programs for Linux, not the Python packages, also hold the GNU C Library, under the
GNU Lesser General Public License 2.1: https://www.gnu.org/software/libc. To link a
program with another version of it, build it from the source archive.
"""


def cargo(*arguments: str) -> str:
    return subprocess.run(["cargo", *arguments], check=True, text=True, stdout=subprocess.PIPE).stdout


def linked(package: str | None, targets: list[str]) -> set[tuple[str, str]]:
    """Names and versions of the crates that are linked in, for all these targets."""
    lines = set()
    for target in targets:
        named = package or ("santorini-python" if target == WINDOWS else None)
        which = ["--package", named] if named else ["--workspace"]
        tree = cargo(
            "tree", "--locked", *which, "--edges", "normal,no-proc-macro",
            "--target", target, "--prefix", "none", "--format", "{p}",
        )  # fmt: skip
        lines.update(tree.splitlines())
    # "name v1.2.3", then "(*)" for one that was listed before.
    crates = (line.split() for line in lines if line)
    return {(name, version[1:]) for name, version, *_ in crates}


def known(targets: list[str]) -> dict[tuple[str, str], dict]:
    """The metadata of each crate that these targets may need, without our own crates."""
    crates = {}
    for target in targets:
        about = cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target)
        for crate in json.loads(about)["packages"]:
            if crate["source"] is not None:
                crates[crate["name"], crate["version"]] = crate
    return crates


def chosen(expression: str) -> str:
    """The licence that we choose from an SPDX expression."""
    options = re.split(r" OR |/", expression)
    if len(options) == 1 or " AND " in expression:
        return expression
    return next((option for option in PREFERRED if option in options), expression)


def texts(folder: Path, licence: str) -> list[str]:
    """The texts of the licence in the folder of a crate, and its notices."""
    names = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE)", re.IGNORECASE)
    files = sorted(path for path in folder.iterdir() if path.is_file() and names.match(path.name))
    # A crate with a choice of licences has one file for each.
    short = licence.split("-")[0].upper()
    fitting = [path for path in files if short in path.name.upper() or "NOTICE" in path.name.upper()]
    return [path.read_text("utf-8").strip() for path in fitting or files]


def show(names: str, text: str) -> None:
    line = "-" * 78
    print(f"\n\n{line}\n{textwrap.fill(names, 78, break_on_hyphens=False)}\n{line}\n\n{text}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--package")
    parser.add_argument("--target")
    parser.add_argument("--c-library", type=Path)
    options = parser.parse_args()
    targets = [options.target] if options.target else TARGETS
    crates = known(targets)
    licences, users = {}, defaultdict(list)
    for key in linked(options.package, targets) & crates.keys():
        licences[key] = chosen(crates[key]["license"])
        found = texts(Path(crates[key]["manifest_path"]).parent, licences[key])
        if not found:
            sys.exit(f"{key[0]} {key[1]} has no file with its licence")
        for text in found:
            users[text].append(" ".join(key))
    print(HEAD.strip())
    if options.c_library:
        print(C_LIBRARY.rstrip())
    print()
    for (name, version), licence in sorted(licences.items()):
        print(f"  {name} {version}: {licence}")
    for names, text in sorted((sorted(names), text) for text, names in users.items()):
        show(", ".join(names), text)
    if options.c_library:
        show("GNU C Library", options.c_library.read_text("utf-8").strip())


if __name__ == "__main__":
    main()
