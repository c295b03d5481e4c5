"""Downstream: the versions of other tags that are made from a version, near or far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Min, OuterRef, Prefetch, Q, QuerySet

from registry.domain.errors import Refused
from registry.domain.reference import Reference, Selector
from registry.models import Ancestry, Dependency, Tag, Version
from registry.models.versions import DOCUMENT_COLUMNS
from registry.services.core.paging import Page, paginate
from registry.services.versions import selection
from registry.services.versions.resolving import ACTIVE, DEPRECATED, YANKED
from registry.services.versions.selection import SelectedVersion


@dataclass(frozen=True, slots=True)
class Dependent:
    """A version that is made from another one.

    `distance` is the length of the shortest way there. `use` is the first of its direct uses, None
    where there is no direct one; it `is_outdated` where another version, or none, would answer to
    it now.
    """

    version: Version
    distance: int
    use: Dependency | None
    is_outdated: bool | None

    @property
    def status(self) -> str:
        """`yanked` (the version), `deprecated` (its tag) or `active`."""
        if self.version.yanked:
            return YANKED
        return DEPRECATED if self.version.tag.last_deprecated else ACTIVE


@dataclass(frozen=True, slots=True)
class DependentsQuery(Page[Dependent]):
    """A page of dependents of what a reference means: a tag's own name, an alias followed."""

    reference: Reference


@dataclass(frozen=True, slots=True)
class _Asked:
    """The versions of a tag that a reference admits, yanked ones too."""

    tag: Tag
    selector: Selector

    @property
    def reference(self) -> Reference:
        return Reference(self.tag.text, self.selector)

    @property
    def versions(self) -> QuerySet[Version, Any]:
        """Their primary keys."""
        found = Version.objects.filter(tag=self.tag)
        if self.selector.digest:
            found = found.filter(digest=self.selector.digest)
        parts = zip(("major", "minor", "patch"), self.selector.numbers, strict=False)
        return found.filter(**dict(parts)).order_by().values("pk")


def find_dependents(
    reference: Reference, *, is_all: bool = False, after: Sequence[Any] | None = None
) -> DependentsQuery:
    """What is made from any version that a reference admits, by name, the highest number first.

    Of each other tag the newest unyanked version is looked at, or all with `is_all`. Six queries.
    Further pages are about what the first was about. Raises `Refused` as resolving does, except
    that yanked versions count: who is made from them needs to know.
    """
    first, *last = after or (None,)
    asked = _asked(Reference.parse(first) if first else reference)
    found = paginate(
        _rows(asked, is_all=is_all, last=last),
        key=lambda row: [str(asked.reference), *row[2:]],
    )
    distances = {row[0]: row[1] for row in found.rows}
    versions = _versions(distances)
    uses = _uses(distances, asked)
    outdated = _outdated(uses)
    rows = tuple(
        Dependent(versions[pk], distance, uses.get(pk), outdated.get(pk))
        for pk, distance in distances.items()
    )
    return DependentsQuery(rows, found.following, asked.reference)


def _asked(reference: Reference) -> _Asked:
    found = selection.find_names([reference.text]).get(reference.text)
    if found and not (str(found.selector) and str(reference.selector)):
        selector = found.selector if str(found.selector) else reference.selector
        if any(_admits(selector, version) for version in found.versions):
            return _Asked(found.tag, selector)
    refusal = selection.select_all([reference])[str(reference)]
    assert isinstance(refusal, Refused)  # noqa: S101 - what admits no version is answered by none
    raise selection.with_suggestions(refusal, reference)


def _admits(selector: Selector, version: Version) -> bool:
    if selector.digest:
        return version.digest == selector.digest
    return selector.admits(version.number)


def _rows(asked: _Asked, *, is_all: bool, last: Sequence[Any]) -> QuerySet[Ancestry, Any]:
    """Version, distance, then the sort key: the tag's name and the number."""
    found = Ancestry.objects.filter(ancestor__in=asked.versions).exclude(version__tag=asked.tag)
    if not is_all:
        found = found.filter(version__entry__isnull=False)
    if last:
        found = found.filter(_behind(*last))
    key = [f"version__{column}" for column in ("tag__text", "major", "minor", "patch")]
    return (
        found.order_by(key[0], *(f"-{part}" for part in key[1:]))
        .values("version", *key)
        .annotate(nearest=Min("distance"))
        .values_list("version", "nearest", *key)
    )


def _behind(text: str, major: int, minor: int, patch: int) -> Q:
    lower = (
        Q(version__major__lt=major)
        | Q(version__major=major, version__minor__lt=minor)
        | Q(version__major=major, version__minor=minor, version__patch__lt=patch)
    )
    return Q(version__tag__text__gt=text) | Q(version__tag__text=text) & lower


def _versions(pks: Mapping[int, int]) -> dict[int, Version]:
    """Light, with whether they are yanked and their tags deprecated. Two queries."""
    found = Version.objects.filter(pk__in=pks).with_withdrawal().defer(*DOCUMENT_COLUMNS)
    tags = Prefetch("tag", Tag.objects.with_deprecation())
    return {version.pk: version for version in found.prefetch_related(tags)}


def _uses(pks: Mapping[int, int], asked: _Asked) -> dict[int, Dependency]:
    """The first direct use of what was asked about, by the version that uses it. One query."""
    direct = Dependency.objects.filter(resolved__in=asked.versions)
    earlier = direct.filter(version=OuterRef("version"), position__lt=OuterRef("position"))
    found = direct.filter(~Exists(earlier), version__in=pks).select_related("resolved__tag")
    heavy = (f"resolved__{column}" for column in DOCUMENT_COLUMNS)
    return {use.version_id: use for use in found.defer(*heavy)}


def _outdated(uses: Mapping[int, Dependency]) -> dict[int, bool]:
    """Whether another version would answer now, by the version that uses it. One query."""
    references = {use.requested: Reference.parse(use.requested) for use in uses.values()}
    answers = selection.select_all(references.values())
    return {pk: not _is_still(answers[use.requested], use.resolved_id) for pk, use in uses.items()}


def _is_still(answer: SelectedVersion | Refused, version: int) -> bool:
    return isinstance(answer, SelectedVersion) and answer.version.pk == version
