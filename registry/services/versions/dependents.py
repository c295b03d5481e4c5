"""Lists the dependents of versions: versions of other tags with them in their lineage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Min, OuterRef, Prefetch, Q, QuerySet

from registry.domain.errors import Refused
from registry.domain.reference import Reference
from registry.models import Ancestry, Dependency, Tag, Version
from registry.models.versions import DOCUMENT_COLUMNS, NUMBERS, below, documents_of
from registry.services.core.paging import Page, paginate
from registry.services.versions import selection
from registry.services.versions.resolving import ACTIVE, DEPRECATED, YANKED
from registry.services.versions.selection import SelectedVersion
from ttag_rules.selectors import Selector
from ttag_rules.version_number import VersionNumber


@dataclass(frozen=True, slots=True)
class Dependent:
    """A version that has another one in its lineage.

    `distance` is the length of the shortest path. `use` is its first direct use, None if all are
    indirect; `is_outdated` if that reference now resolves to another version or to none.
    """

    version: Version
    distance: int
    use: Dependency | None
    is_outdated: bool | None

    @property
    def status(self) -> str:
        """Return `yanked` (the version), `deprecated` (its tag) or `active`."""
        if self.version.yanked:
            return YANKED
        return DEPRECATED if self.version.tag.last_deprecated else ACTIVE


@dataclass(frozen=True, slots=True)
class DependentsPage(Page[Dependent]):
    """A page of dependents, and the reference they depend on, without alias."""

    reference: Reference


@dataclass(frozen=True, slots=True)
class _MatchedTag:
    """A tag and the selector of its matched versions, yanked ones included."""

    tag: Tag
    selector: Selector

    @property
    def reference(self) -> Reference:
        return Reference(self.tag.text, self.selector)

    @property
    def versions(self) -> QuerySet[Version, Any]:
        """Return the primary keys of the matched versions."""
        matches = Version.objects.filter(tag=self.tag)
        if self.selector.digest:
            matches = matches.filter(digest=self.selector.digest)
        parts = zip(NUMBERS, self.selector.numbers, strict=False)
        return matches.filter(**dict(parts)).order_by().values("pk")


def find_dependents(
    reference: Reference,
    *,
    is_all: bool = False,
    after: Sequence[Any] | None = None,
    limit: int | None = None,
) -> DependentsPage:
    """Return a page of dependents of any version that matches, by name, highest number first.

    Of each other tag only the newest unyanked version counts; with `is_all`, all versions. Takes
    six queries. Later pages keep to the versions that matched on the first. Raises `Refused` as
    resolving does, except that yanked versions match too.
    """
    first, *last = after or (None,)
    match = _match(Reference.parse(first) if first else reference)
    page = paginate(
        _rows(match, is_all=is_all, last=last),
        key=lambda row: [str(match.reference), *row[2:]],
        limit=limit,
    )
    distances = {row[0]: row[1] for row in page.rows}
    versions = _versions(distances)
    uses = _uses(distances, match)
    outdated = _outdated(uses)
    rows = tuple(
        Dependent(versions[pk], distance, uses.get(pk), outdated.get(pk))
        for pk, distance in distances.items()
    )
    return DependentsPage(rows, page.next_key, match.reference)


def _match(reference: Reference) -> _MatchedTag:
    name = selection.find_names([reference.text]).get(reference.text)
    if name and not (str(name.selector) and str(reference.selector)):
        selector = name.selector if str(name.selector) else reference.selector
        if any(_admits(selector, version) for version in name.versions):
            return _MatchedTag(name.tag, selector)
    refusal = selection.select_all([reference])[str(reference)]
    assert isinstance(refusal, Refused)  # noqa: S101 - no version matches
    raise selection.with_suggestions(refusal, reference)


def _admits(selector: Selector, version: Version) -> bool:
    if selector.digest:
        return version.digest == selector.digest
    return selector.admits(version.number)


def _rows(match: _MatchedTag, *, is_all: bool, last: Sequence[Any]) -> QuerySet[Ancestry, Any]:
    """Select the version, its distance and the sort key: the tag's name and the number."""
    rows = Ancestry.objects.filter(ancestor__in=match.versions).exclude(version__tag=match.tag)
    if not is_all:
        rows = rows.filter(version__entry__isnull=False)
    if last:
        text, *parts = last
        lower = below(VersionNumber(*parts), "version__")
        rows = rows.filter(Q(version__tag__text__gt=text) | Q(version__tag__text=text) & lower)
    key = [f"version__{column}" for column in ("tag__text", "major", "minor", "patch")]
    selected: QuerySet[Ancestry, Any] = (
        rows.order_by(key[0], *(f"-{part}" for part in key[1:]))
        .values("version", *key)
        .annotate(nearest=Min("distance"))
        .values_list("version", "nearest", *key)
    )
    return selected


def _versions(pks: Mapping[int, int]) -> dict[int, Version]:
    """Load versions without documents, with the state of version and tag. Two queries."""
    versions = Version.objects.filter(pk__in=pks).with_withdrawal().defer(*DOCUMENT_COLUMNS)
    tags = Prefetch("tag", Tag.objects.with_deprecation())
    return {version.pk: version for version in versions.prefetch_related(tags)}


def _uses(pks: Mapping[int, int], match: _MatchedTag) -> dict[int, Dependency]:
    """Return the first direct use of a matched version, by the version that uses it. One query."""
    direct = Dependency.objects.filter(resolved__in=match.versions)
    earlier = direct.filter(version=OuterRef("version"), position__lt=OuterRef("position"))
    uses = direct.filter(~Exists(earlier), version__in=pks).select_related("resolved__tag")
    return {use.version_id: use for use in uses.defer(*documents_of("resolved"))}


def _outdated(uses: Mapping[int, Dependency]) -> dict[int, bool]:
    """Return whether each use now resolves to another version, by the user. One query."""
    references = {use.requested: Reference.parse(use.requested) for use in uses.values()}
    answers = selection.select_all(references.values())
    current = {
        text: answer.version.pk
        for text, answer in answers.items()
        if isinstance(answer, SelectedVersion)
    }
    return {pk: current.get(use.requested) != use.resolved_id for pk, use in uses.items()}
