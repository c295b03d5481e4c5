"""Published tags that come nearest to the builds of a baseline."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Q, QuerySet, When

from registry.domain.document import canonical, digest
from registry.domain.search.attributes import target_facts
from registry.models import Entry, Status
from registry.models.versions import NUMBERS
from registry.services.versions.relevant_parts import RELEVANT_PARTS
from ttag_rules.compatibility.baseline.nearest import least_losses

MAX_NEAREST = 5  # tags of a build
MAX_TAGS = 10_000  # that are compared: the first by name of the builds' kinds and architectures
COLUMNS = ("text", "kind", "arch", *(f"version__{name}" for name in (*NUMBERS, "digest")))

Target = Mapping[str, Any]
Facts = tuple[str, str]  # kind and architecture


@dataclass(frozen=True, slots=True)
class NearestTag:
    """A tag whose newest version runs on all machines of a build, by its exact reference.

    `loss` is what those machines lose by it; `is_equal` says that its target is that of the build.
    """

    reference: str
    loss: int
    is_equal: bool


@dataclass(frozen=True, slots=True)
class NearestTags:
    """The tags that come nearest to a build, and how many tags were not compared with it."""

    tags: tuple[NearestTag, ...]
    unseen: int


@dataclass(frozen=True, slots=True)
class _Version:
    reference: str
    digest: str


VersionsByPart = dict[str, list[_Version]]


def find_nearest(
    builds: Sequence[tuple[Target, Sequence[Target]]],
) -> list[NearestTags]:
    """Return for each build, with its machines, the tags that lose least: at most five.

    One query, one more if there are too many tags to compare, and those that read targets for the
    first time. Of equal loss, tags with the very target come first, then by name.
    """
    versions, unread = _versions([target for target, _ in builds])
    return [
        _nearest(target, machines, versions[_facts(target)], unread[_facts(target)])
        for target, machines in builds
    ]


def _versions(
    targets: Sequence[Target],
) -> tuple[Mapping[Facts, VersionsByPart], Counter[Facts]]:
    """Return the newest versions of tags of the same kinds and architectures, by part.

    Beside them, the number of tags beyond those that are compared.
    """
    alike = Q()
    for kind, arch in sorted(set(map(_facts, targets))):
        alike |= Q(kind=kind, arch=arch)
    is_other = Case(When(version__digest__in=list(map(_digest, targets)), then=0), default=1)
    entries = Entry.objects.filter(alike, status=Status.ACTIVE).order_by(is_other, "text")
    rows = list(entries.values_list(*COLUMNS)[: MAX_TAGS + 1])
    unread = _count(entries) if len(rows) > MAX_TAGS else Counter[Facts]()
    del rows[MAX_TAGS:]
    parts = RELEVANT_PARTS.of([row[-1] for row in rows])
    versions = defaultdict[Facts, VersionsByPart](dict)
    for (text, kind, arch, *numbers, name), part in zip(rows, parts, strict=True):
        reference = f"{text}@{'.'.join(map(str, numbers))}"
        versions[kind, arch].setdefault(part, []).append(_Version(reference, name))
        unread[kind, arch] -= 1
    return versions, +unread


def _count(entries: QuerySet[Entry]) -> Counter[Facts]:
    rows = entries.order_by().values_list("kind", "arch").annotate(number=Count("*"))
    return Counter({(kind, arch): number for kind, arch, number in rows})


def _nearest(
    target: Target, machines: Sequence[Target], versions: VersionsByPart, unread: int
) -> NearestTags:
    parts = list(versions)
    result = least_losses(target, machines, list(map(json.loads, parts)))
    losses = {parts[each.index]: each.loss for each in result.candidates}
    own = _digest(target)
    nearest = [
        NearestTag(version.reference, loss, version.digest == own)
        for part, loss in losses.items()
        for version in versions[part]
    ]
    nearest.sort(key=lambda tag: (not tag.is_equal, tag.reference))
    unseen = sum(len(versions[parts[index]]) for index in result.unseen)
    return NearestTags(tuple(nearest[:MAX_NEAREST]), unread + unseen)


def _facts(target: Target) -> Facts:
    facts = target_facts(dict(target))
    return facts.kind, facts.arch


def _digest(target: Target) -> str:
    return digest(canonical(dict(target)))
