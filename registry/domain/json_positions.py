"""Find the line and column of JSON pointers in a text."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from registry.domain.document import MAX_NESTING, TOKEN
from registry.domain.errors import TextPosition
from ttag_rules.pointer import PointerUnknown, split_pointer


@dataclass(slots=True)
class _Target:
    """A value to locate, and those inside it; `start` is its offset once it is found."""

    start: int | None = None
    inner: dict[str, _Target] = field(default_factory=dict)


@dataclass(slots=True)
class _Container:
    """An object or list being scanned; `target` is None if no value in it is to be located."""

    target: _Target | None
    is_object: bool
    name: str | None  # of the current member or item; None before a key

    @property
    def current(self) -> _Target | None:
        """The value to locate at the current member or item, if any."""
        return self.target.inner.get(self.name or "") if self.target else None

    def mark(self, start: int) -> None:
        """Record that the current member or item starts here."""
        if current := self.current:
            current.start = start

    def advance(self) -> None:
        """Move to the next member or item."""
        self.name = None if self.is_object else str(int(self.name or 0) + 1)


def find_positions(text: str, pointers: Collection[str]) -> dict[str, TextPosition]:
    """Return the position of each pointer: for a member its key, for an item its value.

    A pointer to a missing value gets the position of the nearest enclosing one. Invalid JSON is
    read as far as possible, and no deeper than a body may nest.
    """
    root = _Target()
    paths = {pointer: list(_path(pointer, root)) for pointer in pointers}
    _scan(text, root)
    starts = {
        pointer: [step.start for step in path if step.start is not None]
        for pointer, path in paths.items()
    }
    return {
        pointer: TextPosition.from_offset(text, offsets[-1] if offsets else 0)
        for pointer, offsets in starts.items()
    }


def _path(pointer: str, root: _Target) -> Iterator[_Target]:
    """Yield the values on the path to a pointer, outermost first; the root if it is malformed."""
    yield root
    try:
        names = split_pointer(pointer)
    except PointerUnknown:
        return
    for name in names:
        root = root.inner.setdefault(name, _Target())
        yield root


def _scan(text: str, root: _Target) -> None:
    """Record where each value starts; for a duplicate key, the last one counts."""
    stack = [_Container(_Target(inner={"0": root}), is_object=False, name="0")]  # the text itself
    for match in TOKEN.finditer(text):
        token, container = match.group(), stack[-1]
        if token in "}]":
            stack.pop()
        elif token == ",":
            container.advance()
        elif container.name is None:
            container.name = _key(token)
            container.mark(match.start())
        elif token != ":":
            if not container.is_object:
                container.mark(match.start())
            if token in "{[":
                name = None if token == "{" else "0"
                stack.append(_Container(container.current, token == "{", name))
        if not 0 < len(stack) <= MAX_NESTING + 1:
            return


def _key(token: str) -> str | None:
    """Return the key that a token contains, or None."""
    try:
        key = json.loads(token)
    except ValueError:
        return None
    return key if isinstance(key, str) else None
