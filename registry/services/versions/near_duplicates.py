"""Near duplicates: tags of the same kind, whose targets differ from a body's in few leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from registry.domain.attributes import Attribute as Value, attributes, is_hardware
from registry.domain.diff import Change, diff_targets
from registry.domain.versioning import root_kinds
from registry.models import Attribute, Entry, Version
from registry.services.search.deadlines import time_limit
from registry.services.search.searching import MAX_SECONDS
from registry.services.versions.drafting import Draft

MAX_DIFFERING_LEAVES = (
    2  # that a near duplicate may differ in; facts about the hardware do not count
)
MAX_RESULTS = 5
MAX_RANKED_LEAVES = 24  # leaves whose values are counted to find the rarest
MAX_COUNTED_TAGS = 500  # tags up to which a value is counted; a value that more have is common
MAX_CANDIDATES = 200  # targets compared


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A tag that is nearly the same, by its newest version, and all that differs."""

    exact: str
    changes: tuple[Change, ...]


def find_near_duplicates(draft: Draft) -> tuple[NearDuplicate, ...]:
    """Up to five near duplicates of a body among other tags, the nearest first.

    A target that differs in at most two leaves has at least one of any three in common: so only
    those are compared that share one of the body's three rarest.
    """
    with time_limit(MAX_SECONDS):
        found = sorted(_differing(draft), key=lambda pair: (pair[0], pair[1].exact))[:MAX_RESULTS]
    return tuple(NearDuplicate(version.exact, _changes(version, draft)) for _, version in found)


def _differing(draft: Draft) -> Iterator[tuple[int, Version]]:
    """How many leaves differ, and the version, of each candidate that is near enough."""
    target = draft.resolution.target
    own = _leaves(target)
    rarest = _rarest(target)
    if not rarest:
        return
    shared = Q()
    for value in rarest:
        shared |= Q(name=value.name, text=value.text, pointer=value.pointer)
    alike = Entry.objects.filter(
        kind=target.get("kind", ""),
        leaves__range=(len(own) - MAX_DIFFERING_LEAVES, len(own) + MAX_DIFFERING_LEAVES),
        version__isnull=False,
    ).exclude(text=str(draft.tag))
    tags = (
        Attribute.objects.filter(shared, tag__in=alike.values("tag"))
        .values("tag")
        .annotate(shared=Count("pk"))
        .order_by("-shared", "tag")
        .values_list("tag", flat=True)[:MAX_CANDIDATES]
    )
    versions = Version.objects.filter(entry__tag__in=list(tags)).select_related("tag")
    for version in versions.only("tag__text", "major", "minor", "patch", "target", "provenance"):
        count = _difference(own, _leaves(json.loads(version.target)))
        if count <= MAX_DIFFERING_LEAVES:
            yield count, version


def _rarest(target: dict[str, Any]) -> list[Value]:
    """Of the leaves, one value each, the three that the fewest tags have."""
    values: dict[str, Value] = {}
    for value in attributes(target):
        if value.pointer != "/kind" and not is_hardware(value.pointer):
            values.setdefault(value.pointer, value)
    counted = []
    for value in list(values.values())[:MAX_RANKED_LEAVES]:
        there = Attribute.objects.filter(name=value.name, text=value.text, pointer=value.pointer)
        counted.append((there[:MAX_COUNTED_TAGS].count(), value.pointer, value))
    return [value for _, _, value in sorted(counted)[: MAX_DIFFERING_LEAVES + 1]]


def _leaves(target: dict[str, Any]) -> dict[str, frozenset[str]]:
    """Each leaf's values, less facts about the hardware."""
    found: dict[str, set[str]] = {}
    for value in attributes(target):
        if not is_hardware(value.pointer):
            found.setdefault(value.pointer, set()).add(value.text)
    return {pointer: frozenset(texts) for pointer, texts in found.items()}


def _difference(one: dict[str, frozenset[str]], other: dict[str, frozenset[str]]) -> int:
    return sum(one.get(leaf) != other.get(leaf) for leaf in one.keys() | other.keys())


def _changes(version: Version, draft: Draft) -> tuple[Change, ...]:
    """From the other tag's newest version to the body, facts about the hardware left out."""
    origins = json.loads(version.provenance)
    old, new, known = json.loads(version.target), draft.resolution.target, draft.current.kinds
    found = diff_targets(
        old,
        new,
        known,
        old_provenance={pointer: origin or version.exact for pointer, origin in origins.items()},
        new_provenance=draft.resolution.provenance,
        root_kinds=root_kinds(old, new, known),
    )
    return tuple(change for change in found if not is_hardware(change.pointer))
