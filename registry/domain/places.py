"""Where in a JSON text a value stands: line and column of a JSON pointer."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from registry.domain.document import MAX_NESTING, TOKEN
from registry.domain.errors import Place
from registry.domain.pointer import PointerUnknown, tokens


@dataclass(slots=True)
class _Wanted:
    """A value that is looked for, and those inside it; `start` is its character once found."""

    start: int | None = None
    inner: dict[str, _Wanted] = field(default_factory=dict)


@dataclass(slots=True)
class _Open:
    """An object or a list that the scan is in; `wanted` is None where nothing in it is."""

    wanted: _Wanted | None
    is_object: bool
    name: str | None  # of the member or item that is at hand; None before a key

    @property
    def inside(self) -> _Wanted | None:
        """What is wanted of the member or item at hand."""
        return self.wanted.inner.get(self.name or "") if self.wanted else None

    def mark(self, start: int) -> None:
        """Let the member or item at hand start here."""
        if inside := self.inside:
            inside.start = start

    def go_on(self) -> None:
        """Come to the next member or item."""
        self.name = None if self.is_object else str(int(self.name or 0) + 1)


def places(text: str, pointers: Collection[str]) -> dict[str, Place]:
    """Where each pointer leads: a member to its key, an item to its value.

    What the text does not hold leads to the nearest that encloses it. A text that is no JSON is
    read as far as it goes, and no deeper than a body may be.
    """
    root = _Wanted()
    paths = {pointer: list(_path(pointer, root)) for pointer in pointers}
    _scan(text, root)
    starts = {
        pointer: [step.start for step in path if step.start is not None]
        for pointer, path in paths.items()
    }
    return {pointer: Place.at(text, found[-1] if found else 0) for pointer, found in starts.items()}


def _path(pointer: str, root: _Wanted) -> Iterator[_Wanted]:
    """The values on the way to a pointer, the outermost first; just the root for none."""
    yield root
    try:
        names = tokens(pointer)
    except PointerUnknown:
        return
    for name in names:
        root = root.inner.setdefault(name, _Wanted())
        yield root


def _scan(text: str, root: _Wanted) -> None:
    """Let each that is wanted know where it starts; of a key that stands twice the last one."""
    stack = [_Open(_Wanted(inner={"0": root}), is_object=False, name="0")]  # the text itself
    for match in TOKEN.finditer(text):
        token, here = match.group(), stack[-1]
        if token in "}]":
            stack.pop()
        elif token == ",":
            here.go_on()
        elif here.name is None:
            here.name = _key(token)
            here.mark(match.start())
        elif token != ":":
            if not here.is_object:
                here.mark(match.start())
            if token in "{[":
                stack.append(_Open(here.inside, token == "{", None if token == "{" else "0"))
        if not 0 < len(stack) <= MAX_NESTING + 1:
            return


def _key(token: str) -> str | None:
    """The key that a token says; None where it says none."""
    try:
        key = json.loads(token)
    except ValueError:
        return None
    return key if isinstance(key, str) else None
