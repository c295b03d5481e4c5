"""`lscpu`, as text or with `--json`: cores, caches and whether the machine is virtual."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from ttag_rules.probe.facts import number

UNITS = {"": 1, "B": 1, "K": 1 << 10, "KiB": 1 << 10, "M": 1 << 20, "MiB": 1 << 20, "GiB": 1 << 30}
CACHE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([KMG]?i?B?)(?: \(([0-9]+) instances?\))?")
LEVELS = ("Core(s) per socket", "Socket(s)")
CLUSTER_LEVELS = ("Core(s) per cluster", "Cluster(s)")  # of Arm's cores without sockets
MAINFRAME_LEVELS = ("Core(s) per socket", "Socket(s) per book", "Book(s) per drawer", "Drawer(s)")
MODEL = "Model name"  # begins the fields of each kind of core
MAX_DEPTH = 16  # of nested fields; lscpu nests three deep


@dataclass(frozen=True, slots=True)
class Lscpu:
    """The fields, by their names without the colon; the first of a name counts.

    `kinds` are those of each kind of core, where the machine has several.
    """

    fields: Mapping[str, str]
    kinds: tuple[Lscpu, ...] = ()

    def get(self, name: str) -> str:
        """Return a field, or an empty text if it is absent or a dash."""
        value = self.fields.get(name, "")
        return "" if value == "-" else value

    @property
    def models(self) -> tuple[str, ...]:
        """The name of each kind of core."""
        return tuple(kind.get(MODEL) for kind in self.kinds or (self,))

    @property
    def cores(self) -> int:
        """The number of physical cores, 0 if it is not stated.

        s390x counts sockets per book and books per drawer.
        """
        if self.kinds:
            counts = [kind.cores for kind in self.kinds]
            return sum(counts) if all(counts) else 0
        levels: tuple[str, ...] = LEVELS
        if self.get("Socket(s) per book"):
            levels = MAINFRAME_LEVELS
        elif not self.get(LEVELS[0]):
            levels = CLUSTER_LEVELS
        return prod(number(self.get(level)) for level in levels)

    @property
    def threads(self) -> int:
        """The number of logical processors, 0 if it is not stated."""
        return number(self.get("CPU(s)"))

    def cache_bytes(self, level: int) -> int:
        """Return the size of a level's caches together, 0 if it is not stated.

        Before version 2.37 `lscpu` stated the size of one cache and not how many there are.
        """
        match = CACHE.fullmatch(self.get(f"L{level} cache"))
        if not match or not match[3] or match[2] not in UNITS:
            return 0
        return int(float(match[1]) * UNITS[match[2]])


def parse(text: str) -> Lscpu:
    """Return the fields of either format. What is neither gives none."""
    fields: dict[str, str] = {}
    kinds: list[dict[str, str]] = []
    pairs = _json_pairs(text) if text.lstrip().startswith("{") else _text_pairs(text)
    for stated, value in pairs:
        name = stated.strip().rstrip(":")
        if name == MODEL:
            kinds.append({})
        for known in (fields, *kinds[-1:]):
            known.setdefault(name, value.strip())
    return Lscpu(fields, tuple(map(Lscpu, kinds)) if len(kinds) > 1 else ())


def _text_pairs(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, separator, value = line.partition(":")
        if separator:
            yield name, value


def _json_pairs(text: str) -> Iterator[tuple[str, str]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    yield from _fields(document.get("lscpu") if isinstance(document, dict) else None, MAX_DEPTH)


def _fields(items: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yield fields and those that newer versions nest below them."""
    for item in items if isinstance(items, list) and depth else ():
        if isinstance(item, dict) and isinstance(item.get("field"), str):
            yield item["field"], str(item.get("data") or "")
            yield from _fields(item.get("children"), depth - 1)
