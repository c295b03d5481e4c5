"""Finds near duplicates: tags of the same kind whose targets differ from a draft in few leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from registry.domain.diff import Change, diff_targets
from registry.domain.search.attributes import IndexedValue as Value, attributes, is_hardware
from registry.models import Attribute, Entry, Status, Version
from registry.services.search.deadlines import time_limit
from registry.services.versions.drafting import Draft

MAX_DIFFERING_LEAVES = 2  # of a near duplicate, without hardware facts
MAX_RESULTS = 5
MAX_RANKED_LEAVES = 24  # leaves whose tags are counted to find the rarest values
MAX_COUNTED_TAGS = 500  # tags at which counting stops, because the value is common
MAX_CANDIDATES = 200  # targets compared


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """The newest version of a nearly equal tag, and the differences."""

    exact: str
    changes: tuple[Change, ...]


def find_near_duplicates(draft: Draft) -> tuple[NearDuplicate, ...]:
    """Return up to five near duplicates of a draft among other tags, the nearest first.

    A target that differs in at most two leaves shares at least one of any three. So only targets
    that share one of the draft's three rarest leaves are compared.
    """
    with time_limit():
        pairs = sorted(_candidates(draft), key=lambda pair: (pair[0], pair[1].exact))[:MAX_RESULTS]
    return tuple(NearDuplicate(version.exact, _changes(version, draft)) for _, version in pairs)


def _candidates(draft: Draft) -> Iterator[tuple[int, Version]]:
    """Yield near duplicates, each with the number of differing leaves."""
    target = draft.resolution.target
    leaves = _leaves(target)
    rarest = _rarest(target)
    if not rarest:
        return
    shared = Q()
    for value in rarest:
        shared |= Q(name=value.name, text=value.text, pointer=value.pointer)
    alike = Entry.objects.filter(
        kind=target.get("kind", ""),
        leaves__range=(len(leaves) - MAX_DIFFERING_LEAVES, len(leaves) + MAX_DIFFERING_LEAVES),
        status=Status.ACTIVE,
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
        count = _difference(leaves, _leaves(json.loads(version.target)))
        if count <= MAX_DIFFERING_LEAVES:
            yield count, version


def _rarest(target: dict[str, Any]) -> list[Value]:
    """Return the values of the three leaves that the fewest tags share, one value per leaf."""
    values: dict[str, Value] = {}
    for value in attributes(target):
        if value.pointer != "/kind" and not is_hardware(value.pointer):
            values.setdefault(value.pointer, value)
    counts = []
    for value in list(values.values())[:MAX_RANKED_LEAVES]:
        equal = Attribute.objects.filter(name=value.name, text=value.text, pointer=value.pointer)
        counts.append((equal[:MAX_COUNTED_TAGS].count(), value.pointer, value))
    return [value for _, _, value in sorted(counts)[: MAX_DIFFERING_LEAVES + 1]]


def _leaves(target: dict[str, Any]) -> dict[str, frozenset[str]]:
    """Return the values of each leaf, without hardware facts."""
    leaves: dict[str, set[str]] = {}
    for value in attributes(target):
        if not is_hardware(value.pointer):
            leaves.setdefault(value.pointer, set()).add(value.text)
    return {pointer: frozenset(texts) for pointer, texts in leaves.items()}


def _difference(one: dict[str, frozenset[str]], other: dict[str, frozenset[str]]) -> int:
    return sum(one.get(leaf) != other.get(leaf) for leaf in one.keys() | other.keys())


def _changes(version: Version, draft: Draft) -> tuple[Change, ...]:
    """Return the changes from a version to the draft, without hardware facts."""
    old, new = json.loads(version.target), draft.resolution.target
    changes = diff_targets(
        old,
        new,
        draft.current.kinds,
        old_provenance=version.origins,
        new_provenance=draft.resolution.provenance,
    )
    return tuple(change for change in changes if not is_hardware(change.pointer))
