"""Computes the effects of new kind revisions on the newest versions of tags."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.db.models import Exists, OuterRef

from registry.domain.checks.checks import matching_kinds
from registry.domain.errors import Code, Fault, Refused
from registry.domain.keys.tuning import tuning_keys
from registry.domain.kinds.kind_revisions import OptionChange
from registry.domain.kinds.kinds import Kind, Kinds
from registry.models import Version, VersionKind
from ttag_rules.pointer import natural_key

MAX_EXAMPLES = 20  # versions that a preview names for each effect
BATCH = 500  # newest versions read in one query

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BrokenVersion:
    """A newest version that would become invalid, and its first fault."""

    exact: str
    fault: Fault

    def __str__(self) -> str:
        return f"{self.exact} would be invalid: {self.fault.message}"


@dataclass(frozen=True, slots=True)
class ChangedKeys:
    """A newest version, and the leaves whose tuning keys would change."""

    exact: str
    leaves: tuple[str, ...]  # their JSON pointers


@dataclass(frozen=True, slots=True)
class NarrowedMixin:
    """A newest version of a mixin, and the kinds that it would no longer fit."""

    exact: str
    kinds: tuple[str, ...]


@dataclass(slots=True)
class Examples(Generic[T]):
    """The number of newest versions affected in one way, and up to 20 of them, by name."""

    examples: list[T] = field(default_factory=list)
    count: int = 0

    def add(self, example: T) -> None:
        """Count an affected version."""
        self.count += 1
        if self.count <= MAX_EXAMPLES:
            self.examples.append(example)

    @property
    def more(self) -> int:
        """Return the number of versions that are not among the examples."""
        return self.count - len(self.examples)


@dataclass(frozen=True, slots=True)
class RevisionEffects:
    """The effects of simultaneous kind revisions on newest versions.

    Any `broken` version prevents the revisions. Versions in `rekeyed` keep their stored tuning
    keys; the tag's next version gets new ones, without a MAJOR change that announces them.
    """

    broken: Examples[BrokenVersion] = field(default_factory=Examples)
    rekeyed: Examples[ChangedKeys] = field(default_factory=Examples)
    narrowed: Examples[NarrowedMixin] = field(default_factory=Examples)


@dataclass(frozen=True, slots=True)
class RevisionPreview:
    """The effects of a new schema of a kind.

    Kinds previewed together share their `effects`, which are not computed for a schema that has
    `problems` or `is_unchanged`.
    """

    name: str
    number: int  # of the new revision
    current_number: int  # 0 for a new kind
    is_unchanged: bool = False
    problems: tuple[str, ...] = ()
    changes: tuple[OptionChange, ...] = ()
    effects: RevisionEffects = field(default_factory=RevisionEffects)

    @property
    def is_possible(self) -> bool:
        """Return whether `kinds.revise_kind` would accept the schema."""
        return not (self.is_unchanged or self.problems or self.effects.broken.count)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return problems, changes and effects as sentences."""
        effects = self.effects
        broken, rekeyed, narrowed = effects.broken, effects.rekeyed, effects.narrowed
        lines = [*self.problems, *map(str, self.changes)]
        if broken.count:
            first = broken.examples[0]
            lines.append(
                f"{_versions(broken.count)} would be invalid, first {first.exact}: "
                f"{first.fault.message}"
            )
        if rekeyed.count:
            lines.append(
                f"{_versions(rekeyed.count)} would get new tuning keys, first "
                f"{rekeyed.examples[0].exact}: published versions keep their keys, the tag's next "
                "version gets the new ones"
            )
        if narrowed.count:
            lost = narrowed.examples[0]
            lines.append(
                f"{_versions(narrowed.count)} of mixins would fit fewer kinds, first {lost.exact} "
                f"no longer {', '.join(lost.kinds)}"
            )
        return tuple(lines)


def _versions(count: int) -> str:
    return f"{count} newest version{'s' if count > 1 else ''}"


def compute_effects(before: Kinds, revised: Collection[Kind]) -> RevisionEffects:
    """Return the effects of several revisions together. One query per 500 newest versions.

    Reads the newest versions that use one of the kinds, some 10,000 a second.
    """
    names = {kind.name for kind in revised if kind.name in before}
    after = Kinds([*before.values(), *revised])
    effects = RevisionEffects()
    for version in _newest_using(names) if names else ():
        target = json.loads(version.target)
        kinds_after = _matching_kinds(target, after)
        if isinstance(kinds_after, Fault):
            effects.broken.add(BrokenVersion(version.exact, kinds_after))
        elif version.is_mixin:
            kinds_before = _matching_kinds(target, before)
            if not isinstance(kinds_before, Fault) and (lost := kinds_before - kinds_after):
                effects.narrowed.add(NarrowedMixin(version.exact, tuple(sorted(lost))))
        elif leaves := _rekeyed_leaves(version, target, before, after):
            effects.rekeyed.add(ChangedKeys(version.exact, leaves))
    return effects


def _newest_using(names: Collection[str]) -> Iterator[Version]:
    """Yield newest versions that were checked against one of the kinds, by name."""
    checks = VersionKind.objects.filter(version=OuterRef("pk"), revision__kind__name__in=names)
    rows = Version.objects.filter(Exists(checks)).select_related("tag").order_by("entry__text")
    rows = rows.only("target", "tuning_keys", "kind", "major", "minor", "patch", "tag__text")
    last = ""
    while True:
        batch = list(rows.filter(entry__text__gt=last)[:BATCH])
        yield from batch
        if len(batch) < BATCH:
            return
        last = batch[-1].tag.text


def _matching_kinds(target: Any, kinds: Kinds) -> frozenset[str] | Fault:
    try:
        return matching_kinds(target, kinds)
    except Refused as refusal:
        without_faults = Fault("", Code.BODY_INVALID, refusal.detail)
        return next(iter(refusal.faults), without_faults)


def _rekeyed_leaves(version: Version, target: Any, before: Kinds, after: Kinds) -> tuple[str, ...]:
    """Return the leaves whose keys would differ from the stored and the current ones.

    So leaves that an earlier revision changed are not counted again, nor leaves that return to the
    stored key.
    """
    stored, new = json.loads(version.tuning_keys), tuning_keys(target, after)
    if new == stored:
        return ()
    current = tuning_keys(target, before)
    changed = (
        leaf
        for leaf in stored.keys() | new.keys()
        if new.get(leaf) not in (stored.get(leaf), current.get(leaf))
    )
    return tuple(sorted(changed, key=natural_key))
