"""What new revisions of kinds would do to newest versions, read before any is made."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.db.models import Exists, OuterRef

from registry.domain.checks import check_target
from registry.domain.errors import Code, Fault, Refused
from registry.domain.kind_revisions import OptionChange
from registry.domain.kinds import Kind, Kinds
from registry.domain.pointer import natural_key
from registry.domain.tuning import tuning_keys
from registry.models import Version, VersionKind

MOST_NAMED = 20  # versions of each sort that a preview names
BATCH = 500  # newest versions looked at in one query

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BrokenVersion:
    """A newest version that would be invalid, and its first fault."""

    exact: str
    fault: Fault

    def __str__(self) -> str:
        return f"{self.exact} would be invalid: {self.fault.message}"


@dataclass(frozen=True, slots=True)
class ChangedKeys:
    """A newest version of which some leaves would have other tuning keys than it is stored with."""

    exact: str
    leaves: tuple[str, ...]  # their JSON pointers


@dataclass(frozen=True, slots=True)
class NarrowedMixin:
    """A newest version of a mixin that would no longer fit some of the kinds, but others still."""

    exact: str
    kinds: tuple[str, ...]


@dataclass(slots=True)
class _Seen(Generic[T]):
    examples: list[T] = field(default_factory=list)
    count: int = 0

    def add(self, example: T) -> None:
        self.count += 1
        if self.count <= MOST_NAMED:
            self.examples.append(example)

    @property
    def found(self) -> Examples[T]:
        return Examples(tuple(self.examples), self.count)


@dataclass(frozen=True, slots=True)
class Examples(Generic[T]):
    """How many newest versions there are of a sort, and up to 20 of them, by name."""

    examples: tuple[T, ...] = ()
    count: int = 0

    @property
    def more(self) -> int:
        """How many are not among the examples."""
        return self.count - len(self.examples)


@dataclass(frozen=True, slots=True)
class RevisionEffects:
    """What revisions, put in force together, would do to newest versions.

    Those that are `broken` forbid the revision. Of those `rekeyed` nothing changes at once: they
    keep the keys that they are stored with, and the next version of such a tag gets others, without
    a MAJOR that says so.
    """

    broken: Examples[BrokenVersion] = Examples()
    rekeyed: Examples[ChangedKeys] = Examples()
    narrowed: Examples[NarrowedMixin] = Examples()


@dataclass(frozen=True, slots=True)
class RevisionPreview:
    """What putting a schema in force would do.

    Kinds that are previewed together share their `effects`. A schema with `problems` is not looked
    at further; nor is one that `is_same`, the schema in force to the letter.
    """

    name: str
    number: int  # the revision that it would be
    in_force: int  # the revision that it would follow, 0 for a new kind
    is_same: bool = False
    problems: tuple[str, ...] = ()
    changes: tuple[OptionChange, ...] = ()
    effects: RevisionEffects = RevisionEffects()

    @property
    def is_possible(self) -> bool:
        """Whether `kinds.revise` would make it."""
        return not (self.is_same or self.problems or self.effects.broken.count)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of it in words, a line each: what is wrong, what changes, what would become of it."""
        broken, rekeyed, narrowed = (
            self.effects.broken,
            self.effects.rekeyed,
            self.effects.narrowed,
        )
        lines = [*self.problems, *map(str, self.changes)]
        if broken.count:
            one = broken.examples[0]
            lines.append(
                f"{newest(broken.count)} would be invalid, first {one.exact}: {one.fault.message}"
            )
        if rekeyed.count:
            first = rekeyed.examples[0].exact
            lines.append(
                f"{newest(rekeyed.count)} would have other tuning keys, first {first}: what is "
                "published keeps its own, the tag's next version gets the new ones"
            )
        if narrowed.count:
            lost = narrowed.examples[0]
            lines.append(
                f"{newest(narrowed.count)} of mixins would fit fewer kinds, first {lost.exact} no "
                f"longer {', '.join(lost.kinds)}"
            )
        return tuple(lines)


def newest(count: int) -> str:
    """So many newest versions, in words."""
    return f"{count} newest version{'s' if count > 1 else ''}"


def effects(before: Kinds, revised: Collection[Kind]) -> RevisionEffects:
    """What revisions would do, judged together. One query for each 500 newest versions using them.

    Reads a version at a time; some 10,000 a second.
    """
    names = {kind.name for kind in revised if kind.name in before}
    after = Kinds([*before.values(), *revised])
    broken: _Seen[BrokenVersion] = _Seen()
    rekeyed: _Seen[ChangedKeys] = _Seen()
    narrowed: _Seen[NarrowedMixin] = _Seen()
    for version in _using(names) if names else ():
        target = json.loads(version.target)
        fits = _fits(target, after)
        if isinstance(fits, Fault):
            broken.add(BrokenVersion(version.exact, fits))
        elif version.is_mixin:
            fitted = _fits(target, before)
            if not isinstance(fitted, Fault) and (lost := fitted - fits):
                narrowed.add(NarrowedMixin(version.exact, tuple(sorted(lost))))
        elif leaves := _moved(version, target, before, after):
            rekeyed.add(ChangedKeys(version.exact, leaves))
    return RevisionEffects(broken.found, rekeyed.found, narrowed.found)


def _using(names: Collection[str]) -> Iterator[Version]:
    """The newest version of every tag, if some of the kinds were asked about it; by name."""
    asked = VersionKind.objects.filter(version=OuterRef("pk"), revision__kind__name__in=names)
    found = Version.objects.filter(Exists(asked)).select_related("tag").order_by("entry__text")
    light = found.only("target", "tuning_keys", "kind", "major", "minor", "patch", "tag__text")
    last = ""
    while True:
        batch = list(light.filter(entry__text__gt=last)[:BATCH])
        yield from batch
        if len(batch) < BATCH:
            return
        last = batch[-1].tag.text


def _fits(target: Any, kinds: Kinds) -> frozenset[str] | Fault:
    try:
        return check_target(target, kinds)
    except Refused as refusal:
        nothing_said = Fault("", Code.BODY_INVALID, refusal.detail)
        return next(iter(refusal.faults), nothing_said)


def _moved(version: Version, target: Any, before: Kinds, after: Kinds) -> tuple[str, ...]:
    """The leaves whose keys would be neither the stored ones nor those of the kinds in force.

    Those that an earlier revision has moved already are not this one's doing; those that come back
    to what is stored are as they should be.
    """
    stored, coming = json.loads(version.tuning_keys), tuning_keys(target, after)
    if coming == stored:
        return ()
    today = tuning_keys(target, before)
    return tuple(
        sorted(
            (
                leaf
                for leaf in stored.keys() | coming.keys()
                if coming.get(leaf) not in (stored.get(leaf), today.get(leaf))
            ),
            key=natural_key,
        )
    )
