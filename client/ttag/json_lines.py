"""JSON that people have written: strictly parsed, with the line of each value."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A JSON value, and the line of each value inside it by its JSON pointer."""

    value: Any
    lines: Mapping[str, int]

    @classmethod
    def parse(cls, text: str) -> JsonDocument:
        """Parse JSON. Raises `ValueError` with a sentence, also for a key that is repeated."""
        try:
            value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
        except RecursionError:
            raise ValueError("the brackets are nested too deeply") from None
        return cls(value, dict(_lines(text)))

    def line_of(self, pointer: str) -> int | None:
        """Return the line of a value, or of the nearest one around it; None if it has none."""
        while pointer not in self.lines and pointer:
            pointer = pointer.rpartition("/")[0]
        return self.lines.get(pointer)


@dataclass(slots=True)
class _Container:
    """An object or a list that has been opened: its pointer, and where the next value stands."""

    pointer: str
    is_object: bool
    index: int = 0
    key: str | None = field(default=None)

    @property
    def next_pointer(self) -> str:
        part = self.key if self.is_object else str(self.index)
        return f"{self.pointer}/{part}"

    def advance(self) -> None:
        self.index += 1
        self.key = None


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield pointer and line of each value of valid JSON. A member stands where its key does."""
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
    open_containers: list[_Container] = []
    for token in TOKEN.finditer(text):
        line = bisect_right(starts, token.start())
        container = open_containers[-1] if open_containers else None
        match token[0]:
            case ":":
                pass
            case "," if container:
                container.advance()
            case "}" | "]":
                open_containers.pop()
            case key if container and container.is_object and container.key is None:
                container.key = json.loads(key).replace("~", "~0").replace("/", "~1")
                yield container.next_pointer, line
            case value:
                pointer = container.next_pointer if container else ""
                if not (container and container.is_object):
                    yield pointer, line
                if value in "{[":
                    open_containers.append(_Container(pointer, value == "{"))


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    if len(value) < len(members):
        keys = [key for key, _ in members]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {repeated!r} stands twice in one object")
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")
