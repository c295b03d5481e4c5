"""Published tags that come nearest to the builds of a baseline."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Q, When

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
class _Version:
    reference: str
    digest: str


VersionsByPart = dict[str, list[_Version]]


def find_nearest(
    builds: Sequence[tuple[Target, Sequence[Target]]],
) -> list[tuple[NearestTag, ...]]:
    """Return for each build, with its machines, the tags that lose least: at most five.

    One query, and those that read targets for the first time. Of equal loss, tags with the very
    target come first, then by name.
    """
    versions = _versions([target for target, _ in builds])
    return [
        tuple(_nearest(target, machines, versions[_facts(target)])) for target, machines in builds
    ]


def _versions(targets: Sequence[Target]) -> Mapping[Facts, VersionsByPart]:
    """Return the newest versions of tags of the same kinds and architectures, by part."""
    alike = Q()
    for kind, arch in sorted(set(map(_facts, targets))):
        alike |= Q(kind=kind, arch=arch)
    is_other = Case(When(version__digest__in=list(map(_digest, targets)), then=0), default=1)
    entries = Entry.objects.filter(alike, status=Status.ACTIVE).order_by(is_other, "text")
    rows = list(entries.values_list(*COLUMNS)[:MAX_TAGS])
    parts = RELEVANT_PARTS.of([row[-1] for row in rows])
    versions = defaultdict[Facts, VersionsByPart](dict)
    for (text, kind, arch, *numbers, name), part in zip(rows, parts, strict=True):
        reference = f"{text}@{'.'.join(map(str, numbers))}"
        versions[kind, arch].setdefault(part, []).append(_Version(reference, name))
    return versions


def _nearest(
    target: Target, machines: Sequence[Target], versions: VersionsByPart
) -> Iterator[NearestTag]:
    parts = list(versions)
    losses = {
        parts[each.index]: each.loss
        for each in least_losses(target, machines, list(map(json.loads, parts)))
    }
    own = _digest(target)
    nearest = [
        NearestTag(version.reference, loss, version.digest == own)
        for part, loss in losses.items()
        for version in versions[part]
    ]
    yield from sorted(nearest, key=lambda tag: (not tag.is_equal, tag.reference))[:MAX_NEAREST]


def _facts(target: Target) -> Facts:
    facts = target_facts(dict(target))
    return facts.kind, facts.arch


def _digest(target: Target) -> str:
    return digest(canonical(dict(target)))
