"""A model of tags, in which versions mean what docs/promises.md says. It imports no rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

Number = tuple[int, int, int]


@dataclass(frozen=True)
class Rules:
    """A revision of the kind: whether the option `level` affects tuning, and its default."""

    level_matters: bool
    default: int | None


@dataclass(frozen=True)
class Leaf:
    """A device. Without a `board` the compiler looks at its own machine, so it has no key."""

    cpu: str
    board: str | None = "b1"
    level: int | None = None

    @property
    def body(self) -> dict[str, Any]:
        options = {"cpu": self.cpu, "board": self.board, "level": self.level}
        stated = {name: value for name, value in options.items() if value is not None}
        return {"kind": "acme-core", **stated}

    def preimage(self, rules: Rules) -> tuple[Any, ...]:
        level = rules.default if self.level is None else self.level
        return (self.cpu, self.board, level if rules.level_matters else None)


@dataclass(frozen=True)
class Body:
    """A composite of devices. The executor changes the build only, `cores` nothing."""

    leaves: tuple[Leaf, ...]
    executor: str | None = None
    cores: int | None = None
    parent: str | None = None  # the exact version that the body inherits from, and all else with it

    @property
    def target(self) -> dict[str, Any]:
        executor = {"executor": {"kind": self.executor}} if self.executor else {}
        hardware = {"hardware": {"cores": self.cores}} if self.cores else {}
        devices = [leaf.body for leaf in self.leaves]
        return {"kind": "composite", "devices": devices, **executor, **hardware}

    @property
    def build(self) -> tuple[Any, ...]:
        return self.leaves, self.executor

    def preimages(self, rules: Rules) -> Counter[tuple[Any, ...]]:
        return Counter(leaf.preimage(rules) for leaf in self.leaves)

    def keys(self, rules: Rules) -> tuple[tuple[Any, ...] | None, ...]:
        return tuple(leaf.preimage(rules) if leaf.board else None for leaf in self.leaves)


@dataclass(eq=False)
class ModelVersion:
    """A published version, with what was stored about it."""

    number: Number
    source: Any
    body: Body
    rules: Rules  # those of its publication
    revision: int
    stored: tuple[str, str, str] = ("", "", "")  # digest, target and tuning keys, once known
    is_yanked: bool = False

    @property
    def keys(self) -> Counter[Any]:
        return Counter(key for key in self.body.keys(self.rules) if key)

    def keeps_records_of(self, other: ModelVersion, rules: Rules) -> bool:
        return other.keys <= self.keys and other.body.preimages(rules) <= self.body.preimages(rules)


@dataclass
class ModelTag:
    """A tag with its versions in order of publication."""

    name: str
    versions: list[ModelVersion] = field(default_factory=list)
    is_deprecated: bool = False

    def active(self, *prefix: int) -> list[ModelVersion]:
        """Return the active versions whose numbers begin with these, by number."""
        active = (row for row in self.versions if not row.is_yanked)
        chosen = [row for row in active if row.number[: len(prefix)] == prefix]
        return sorted(chosen, key=lambda row: row.number)

    def next_number(self, source: Any, body: Body, rules: Rules) -> Number | None:
        """Return the number that the body would get; None if nothing would change."""
        if not self.versions:
            return (1, 0, 0)
        base = (self.active() or sorted(self.versions, key=lambda row: row.number))[-1]
        draft = ModelVersion((0, 0, 0), source, body, rules, 0)
        if (source, body) == (base.source, base.body) and (
            body.keys(rules) == base.body.keys(base.rules)
        ):
            return None
        major, minor, _ = base.number
        taken = [row.number for row in self.versions]
        if not draft.keeps_records_of(base, rules):
            return (max(number[0] for number in taken) + 1, 0, 0)
        if body.build != base.body.build:
            return (major, max(n[1] for n in taken if n[0] == major) + 1, 0)
        return (major, minor, max(n[2] for n in taken if n[:2] == (major, minor)) + 1)

    def can_return(self, version: ModelVersion, rules: Rules) -> bool:
        """Return whether a yank can be undone: neighbours by number keep each other's records."""
        line = self.active(version.number[0])
        below = [row for row in line if row.number < version.number][-1:]
        above = [row for row in line if row.number > version.number][:1]
        return all(version.keeps_records_of(row, rules) for row in below) and all(
            row.keeps_records_of(version, rules) for row in above
        )

    def selectors(self) -> Iterator[tuple[str, ModelVersion | None]]:
        """Yield each floating reference with the version that it must select."""
        prefixes: Iterable[tuple[int, ...]] = {
            row.number[:length] for row in self.versions for length in range(3)
        }
        for prefix in sorted(prefixes):
            selector = "@" * bool(prefix) + ".".join(map(str, prefix))
            yield f"{self.name}{selector}", next(reversed(self.active(*prefix)), None)

    def pairs(self) -> Iterator[tuple[ModelVersion, ModelVersion]]:
        """Yield the active versions of each MAJOR two by two, the lower first."""
        for lower, higher in combinations(self.active(), 2):
            if lower.number[0] == higher.number[0]:
                yield lower, higher
