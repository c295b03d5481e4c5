"""Lists the lineage of a version: its ancestors and the direct uses of each."""

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

MAX_USES = 1024 * 1024  # bytes of dependencies on a page; the row beyond starts the next page
OWN_POSITION = -1  # of the version itself, before its ancestors


@dataclass(frozen=True, slots=True)
class LineageMember:
    """A version of a lineage, and its distance from the first."""

    version: Version
    distance: int

    @property
    def uses(self) -> tuple[Mapping[str, str], ...]:
        """Return the direct uses, as resolutions show them."""
        return tuple(json.loads(self.version.dependencies))


@dataclass(frozen=True, slots=True)
class Lineage:
    """A page of the lineage of a version."""

    choice: SelectedVersion
    page: Page[LineageMember]


def load_lineage(reference: Reference, *, after: Sequence[Any] | None = None) -> Lineage:
    """Return the version that a reference resolves to, then each ancestor once, breadth first.

    Takes three queries. Later pages keep to the version of the first. Raises `Refused` as resolving
    does.
    """
    exact, last = after or (None, OWN_POSITION - 1)
    choice = selection.select_one(Reference.parse(exact) if exact else reference)
    places = _places(choice.version.pk, last)
    rows = places[: _page_length(places)]
    versions = _versions([pk for _, _, pk, _ in rows])
    members = tuple(LineageMember(versions[pk], distance) for _, distance, pk, _ in rows)
    next_key = [choice.exact, rows[-1][0]] if len(places) > len(rows) else None
    return Lineage(choice, Page(members, next_key))


def _places(version: int, last: int) -> list[tuple[int, int, int, int]]:
    """Return position, distance, version and bytes of dependencies; one row more than a page."""
    rows = Ancestry.objects.filter(version=version, position__gt=last).order_by("position")
    size = Length("ancestor__dependencies")
    places = list(rows.values_list("position", "distance", "ancestor", size)[: PAGE + 1])
    return places if last >= OWN_POSITION else [(OWN_POSITION, 0, version, 0), *places[:PAGE]]


def _page_length(places: Sequence[tuple[int, int, int, int]]) -> int:
    """Return the number of rows that fit on a page, at least one."""
    size = 0
    for index, (_, _, _, row_size) in enumerate(places[:PAGE]):
        size += row_size
        if index and size > MAX_USES:
            return index
    return min(PAGE, len(places))


def _versions(pks: Sequence[int]) -> dict[int, Version]:
    versions = Version.objects.filter(pk__in=pks).with_withdrawal().select_related("tag")
    heavy = set(DOCUMENT_COLUMNS) - {"dependencies"}
    return {version.pk: version for version in versions.defer(*heavy)}
