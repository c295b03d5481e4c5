"""Upstream: every version that one was made from, with what each of them uses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models.functions import Length

from registry.domain.reference import Reference
from registry.models import Ancestry, Version
from registry.models.versions import DOCUMENT_COLUMNS
from registry.services.core.paging import PAGE, Page
from registry.services.versions import selection
from registry.services.versions.selection import SelectedVersion

MAX_USES = 1024 * 1024  # bytes of dependencies on a page, which ends before the row that passes it
OWN = -1  # the position of the version itself, before its ancestors'


@dataclass(frozen=True, slots=True)
class LineageMember:
    """One version of a lineage, with how far it is."""

    version: Version
    distance: int

    @property
    def uses(self) -> tuple[Mapping[str, str], ...]:
        """Its direct uses, as resolutions show them."""
        return tuple(json.loads(self.version.dependencies))


@dataclass(frozen=True, slots=True)
class Lineage:
    """A page of the lineage of a version."""

    choice: SelectedVersion
    page: Page[LineageMember]


def load_lineage(reference: Reference, *, after: Sequence[Any] | None = None) -> Lineage:
    """The version that answers to a reference, then every ancestor once, breadth first.

    Three queries. Further pages are of the version that the first was of. Raises `Refused` as
    resolving does.
    """
    exact, last = after or (None, OWN - 1)
    choice = selection.select_one(Reference.parse(exact) if exact else reference)
    places = _places(choice.version.pk, last)
    shown = places[: _fitting(places)]
    versions = _versions([pk for _, _, pk, _ in shown])
    members = tuple(LineageMember(versions[pk], distance) for _, distance, pk, _ in shown)
    following = [choice.exact, shown[-1][0]] if len(places) > len(shown) else None
    return Lineage(choice, Page(members, following))


def _places(version: int, last: int) -> list[tuple[int, int, int, int]]:
    """Position, distance, version and bytes of its dependencies, of a page and one row more."""
    rows = Ancestry.objects.filter(version=version, position__gt=last).order_by("position")
    size = Length("ancestor__dependencies")
    found = list(rows.values_list("position", "distance", "ancestor", size)[: PAGE + 1])
    return found if last >= OWN else [(OWN, 0, version, 0), *found[:PAGE]]


def _fitting(places: Sequence[tuple[int, int, int, int]]) -> int:
    """How many rows a page holds; at least one."""
    size = 0
    for index, (_, _, _, more) in enumerate(places[:PAGE]):
        size += more
        if index and size > MAX_USES:
            return index
    return min(PAGE, len(places))


def _versions(pks: Sequence[int]) -> dict[int, Version]:
    found = Version.objects.filter(pk__in=pks).with_withdrawal().select_related("tag")
    heavy = set(DOCUMENT_COLUMNS) - {"dependencies"}
    return {version.pk: version for version in found.defer(*heavy)}
