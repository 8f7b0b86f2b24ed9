"""Converts docstrings to Markdown: examples become code, arguments a list."""

import re

import griffe

_ARGUMENT = re.compile(r"^(\w+): ")


def markdown(text: str) -> str:
    """The docstring as Markdown."""
    lines, fence = [], False
    for line in text.splitlines():
        if line.startswith(">>>") and not fence:
            lines += ["", "```pycon"]
            fence = True
        elif not line and fence:
            lines.append("```")
            fence = False
        elif not fence and (found := _ARGUMENT.match(line)):
            line = f"- `{found[1]}`: {line[found.end() :]}"
        lines.append(line)
    return "\n".join([*lines, "```"] if fence else lines)


class Docstrings(griffe.Extension):
    """For mkdocstrings."""

    def on_instance(self, *, obj: griffe.Object, **_: object) -> None:
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)
