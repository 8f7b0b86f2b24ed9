"""Equality, hashes, copies and pickles of values: two values are equal if their parts are."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

_T = TypeVar("_T")


def _frozen(part: object) -> object:
    return tuple(map(_frozen, part)) if isinstance(part, (list, tuple)) else part


def value(
    cls: type[_T],
    key: Callable[[_T], object],
    again: Callable[[_T], Callable[[], _T]],
    hashed: Callable[[_T], object] | None = None,
) -> None:
    """Makes a class a value class. `key` returns the parts of a value, `again` a function
    without arguments that recreates it, `hashed` the parts that never change."""

    def __eq__(self: _T, other: object) -> Any:
        return key(self) == key(other) if isinstance(other, cls) else NotImplemented

    def __hash__(self: _T) -> int:
        return hash((cls.__name__, (hashed or key)(self)))

    def __reduce__(self: _T) -> tuple[Callable[[], _T], tuple[()]]:
        return again(self), ()

    for method in (__eq__, __hash__, __reduce__):
        setattr(cls, method.__name__, method)


def made_of(cls: type, *fields: str, named: Sequence[str] = ()) -> None:
    """Makes a class a value class. Its parts are attributes with the names of the
    constructor's arguments: `fields` by position, `named` by keyword."""

    def again(self: object) -> Callable[[], Any]:
        arguments = (getattr(self, field) for field in fields)
        more = {field: getattr(self, field) for field in named}
        make: Callable[[], Any] = partial(cls, *arguments, **more)
        return make

    get = attrgetter(*fields, *named)
    value(cls, lambda self: _frozen(get(self)), again)


class Changing:
    """A class whose objects change. They are equal if their parts are, and have no hash."""

    def _parts(self) -> list[Any]:
        """Everything that determines how the object changes next."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._parts() == other._parts()

    def __copy__(self: _T) -> _T:
        return deepcopy(self)


def changing(
    cls: type[_T], state: Callable[[_T], str], again: Callable[[str], _T]
) -> None:
    """Makes a class a value class without a hash, for objects that change. `state` returns the
    whole state as text; `again` creates an object from it."""
    value(cls, state, lambda self: partial(again, state(self)))
    setattr(cls, "__hash__", None)
