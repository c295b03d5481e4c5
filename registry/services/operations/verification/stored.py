"""Loads versions with their related rows, in batches that fit into memory."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Sum

from registry.domain.kinds.kinds import Kinds
from registry.domain.resolution.merging import PublishedVersion
from registry.models import Ancestry, Dependency, KindRevision, Version, VersionKind
from registry.services.kinds import kinds
from registry.services.operations.verification import BATCH, Progress
from registry.services.versions import dependencies

MAX_BYTES = 32 * 1024 * 1024  # of targets in memory at a time; a larger version is loaded alone
NUMBERS = ("major", "minor", "patch")


@dataclass(slots=True)
class Stored:
    """A version with its rows in order.

    `library` maps references to resolved versions; `kinds` are those that the version was checked
    against, None if they cannot be read.
    """

    version: Version
    uses: list[Dependency] = field(default_factory=list)
    ancestry: list[Ancestry] = field(default_factory=list)
    library: dict[str, PublishedVersion] = field(default_factory=dict)
    is_checked: bool = False
    kinds: Kinds | None = None

    @property
    def row(self) -> str:
        return f"{self.version.pk} {self.version.exact}"


def stored(progress: Progress) -> Iterator[Stored]:
    """Yield every version. Eight queries per batch of up to 500."""
    for pks in version_batches(progress):
        yield from _load(pks)


def version_batches(progress: Progress) -> Iterator[list[int]]:
    """Yield primary keys of versions, and report each batch when it is done.

    A batch has at most 500, and 32 MiB with their parents.
    """
    done, total = 0, Version.objects.count()
    for pks in _batches():
        yield pks
        done += len(pks)
        progress(done, total)


def _batches() -> Iterator[list[int]]:
    last = 0
    sizes = Version.objects.annotate(used=Sum("uses__resolved__size")).order_by("pk")
    while rows := list(sizes.filter(pk__gt=last).values_list("pk", "size", "used")[:BATCH]):
        batch, weight = list[int](), 0
        for pk, size, used in rows:
            weight += size + (used or 0)
            if batch and weight > MAX_BYTES:
                yield batch
                batch, weight = [], size + (used or 0)
            batch.append(pk)
        yield batch
        last = rows[-1][0]


def _load(pks: Collection[int]) -> Iterator[Stored]:
    versions = Version.objects.filter(pk__in=pks).select_related("tag").order_by("pk")
    versions_by_key = {version.pk: Stored(version) for version in versions}
    uses = Dependency.objects.filter(version__in=pks).order_by("version", "position")
    uses = uses.select_related("name", "resolved__tag").only(
        *(column.name for column in Dependency._meta.concrete_fields),
        "name__text",
        "name__is_alias",
        "name__tag",
        "resolved__tag__text",
        "resolved__digest",
        *(f"resolved__{part}" for part in NUMBERS),
    )
    published = _load_published(set(uses.values_list("resolved", flat=True)))
    for use in uses:
        versions_by_key[use.version_id].uses.append(use)
        if use.resolved_id in published:
            versions_by_key[use.version_id].library[use.requested] = published[use.resolved_id]
    ancestry = Ancestry.objects.filter(version__in=pks).order_by("version", "position")
    for row in ancestry.select_related("ancestor__tag").only(
        "version_id",
        "position",
        "distance",
        "ancestor__tag__text",
        *(f"ancestor__{part}" for part in NUMBERS),
    ):
        versions_by_key[row.version_id].ancestry.append(row)
    checked = VersionKind.objects.filter(version__in=pks).values_list("version", flat=True)
    for pk in checked.distinct():
        versions_by_key[pk].is_checked = True
    for pk, version_kinds in _load_kinds(pks).items():
        versions_by_key[pk].kinds = version_kinds
    yield from versions_by_key.values()


def _load_kinds(pks: Collection[int]) -> Mapping[int, Kinds]:
    """Return the kinds of versions by primary key; none if a revision cannot be read."""
    try:
        return kinds.kinds_of_versions(pks)
    except (ValueError, KindRevision.DoesNotExist):
        return {}


def _load_published(pks: Collection[int]) -> Mapping[int, PublishedVersion]:
    """Return published versions by primary key, without those that cannot be read."""
    try:
        return dependencies.load_published(pks)
    except ValueError:
        return {pk: version for key in pks for pk, version in _load_if_readable(key).items()}


def _load_if_readable(pk: int) -> Mapping[int, Any]:
    try:
        return dependencies.load_published([pk])
    except json.JSONDecodeError:
        return {}
