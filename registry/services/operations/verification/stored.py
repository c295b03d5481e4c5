"""Versions with all that belongs to them, loaded in portions that fit into memory."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Sum

from registry.domain.merging import PublishedVersion
from registry.models import Ancestry, Dependency, Version, VersionKind
from registry.services.operations.verification.findings import BATCH, Progress
from registry.services.versions import dependencies

MAX_BYTES = 32 * 1024 * 1024  # of targets that are in memory at a time, or one version and its own
NUMBERS = ("major", "minor", "patch")


@dataclass(slots=True)
class Stored:
    """A version and its rows, each in its order; `library` has what its references stand for."""

    version: Version
    uses: list[Dependency] = field(default_factory=list)
    ancestry: list[Ancestry] = field(default_factory=list)
    library: dict[str, PublishedVersion] = field(default_factory=dict)
    is_checked: bool = False

    @property
    def row(self) -> str:
        """How findings name it."""
        return f"{self.version.pk} {self.version.exact}"


def stored(progress: Progress) -> Iterator[Stored]:
    """Every version. Seven queries for 500 of usual size."""
    done, total = 0, Version.objects.count()
    for pks in _portions():
        yield from _loaded(pks)
        done += len(pks)
        progress(done, total)


def _portions() -> Iterator[list[int]]:
    """The primary keys of all versions, at most 500 and 32 MiB at a time, parents' included."""
    last = 0
    sizes = Version.objects.annotate(used=Sum("uses__resolved__size")).order_by("pk")
    while rows := list(sizes.filter(pk__gt=last).values_list("pk", "size", "used")[:BATCH]):
        portion, weight = list[int](), 0
        for pk, size, used in rows:
            weight += size + (used or 0)
            if portion and weight > MAX_BYTES:
                yield portion
                portion, weight = [], size + (used or 0)
            portion.append(pk)
        yield portion
        last = rows[-1][0]


def _loaded(pks: Collection[int]) -> Iterator[Stored]:
    versions = Version.objects.filter(pk__in=pks).select_related("tag").order_by("pk")
    found = {version.pk: Stored(version) for version in versions}
    uses = Dependency.objects.filter(version__in=pks).order_by("version", "position")
    uses = uses.select_related("name", "resolved__tag").only(
        *(each.name for each in Dependency._meta.concrete_fields),
        *("name__text", "name__is_alias", "name__tag", "resolved__tag__text", "resolved__digest"),
        *(f"resolved__{part}" for part in NUMBERS),
    )
    published = _published(set(uses.values_list("resolved", flat=True)))
    for use in uses:
        found[use.version_id].uses.append(use)
        if use.resolved_id in published:
            found[use.version_id].library[use.requested] = published[use.resolved_id]
    ancestry = Ancestry.objects.filter(version__in=pks).order_by("version", "position")
    for row in ancestry.select_related("ancestor__tag").only(
        *("version_id", "position", "distance", "ancestor__tag__text"),
        *(f"ancestor__{part}" for part in NUMBERS),
    ):
        found[row.version_id].ancestry.append(row)
    checked = VersionKind.objects.filter(version__in=pks).values_list("version", flat=True)
    for pk in checked.distinct():
        found[pk].is_checked = True
    yield from found.values()


def _published(pks: Collection[int]) -> Mapping[int, PublishedVersion]:
    """What versions are made from, as the pass needs it; one that cannot be read is left out."""
    try:
        return dependencies.load_published(pks)
    except ValueError:
        return {pk: each for one in pks for pk, each in _readable(one).items()}


def _readable(pk: int) -> Mapping[int, Any]:
    try:
        return dependencies.load_published([pk])
    except json.JSONDecodeError:
        return {}
