"""Adds equality, hashes, copies, pickles and views for notebooks to the classes written in Rust."""

from collections.abc import Callable
from functools import partial
from typing import Any

from . import _santorini as rust
from . import _values, _views

_values.made_of(rust.Line, "score", "chance", "turns")
_values.made_of(rust.Report, "lines", "depth", "nodes", "seconds")
_values.made_of(rust.Probe, "position", "value", "turns")
_values.made_of(rust.ExactValue, "wins", "plies")
_values.made_of(
    rust.SolvedPlacement, "first", "reply", "value", "winning_replies", "replies"
)
_values.made_of(rust.LevelPlayer, "level", "seed", named=["seconds"])
_values.made_of(rust.Engine, "eval", named=["hash_mib", "threads"])
_values.made_of(rust.Solved, "path", named=["threads"])
_values.value(
    rust.Game,
    key=rust.Game.to_json,
    again=lambda game: partial(rust.Game.from_json, game.to_json()),
)
_values.value(
    rust.Agent,
    # Each answer has its own random numbers. The hash stays the same.
    key=lambda agent: (agent.text, agent.seed, agent._asked),
    hashed=lambda agent: (agent.text, agent.seed),
    again=lambda agent: partial(rust.Agent._again, agent.text, agent.seed, agent._asked),
)
_values.changing(rust.Batch, state=rust.Batch._state, again=rust.Batch._of_state)


def _show(cls: type, view: Callable[[Any], str]) -> None:
    def _repr_html_(self: Any) -> str:
        return view(self)

    setattr(cls, "_repr_html_", _repr_html_)


_show(rust.Line, _views.line)
_show(rust.Report, _views.report)
_show(rust.ExactValue, _views.exact_value)
_show(rust.Probe, _views.probe)
_show(rust.SolvedPlacement, _views.placement)
_show(rust.Game, _views.game)
_show(rust.Batch, _views.batch)
for _made in (rust.LevelPlayer, rust.Engine, rust.Agent, rust.Solved, rust.Games):
    _show(_made, _views.maker)
