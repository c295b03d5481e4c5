"""From references to the versions that answer to them: any number of them in one query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Selector, unknown_alias
from registry.models import Tag, Version
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.services.search import name_index

MAX_SUGGESTIONS = 5  # versions that an error names


@dataclass(frozen=True, slots=True)
class SelectedVersion:
    """The version that answers to a reference, light: its number, digest and state."""

    reference: Reference
    name: int  # primary key of the spelling
    tag: Tag
    version: Version
    is_alias: bool
    is_floating: bool  # another version could answer to the reference later

    @property
    def exact(self) -> str:
        """The reference that always names the version."""
        return f"{self.tag.text}@{self.version.number}"


@dataclass(slots=True)
class NamedTag:
    """A name with its tag, the version it fixes if any, and all versions, light."""

    pk: int
    tag: Tag
    is_alias: bool
    selector: Selector
    versions: list[Version] = field(default_factory=list)


_under_names: PreparedQuery[Any] = PreparedQuery(  # versions, once for each name of their tags
    lambda: (
        Version.objects.filter(tag__names__text__among=PLACEHOLDER)
        .candidates()
        .annotate(
            tag_text=F("tag__text"),
            name_pk=F("tag__names__pk"),
            name_text=F("tag__names__text"),
            name_is_alias=F("tag__names__is_alias"),
            name_major=F("tag__names__major"),
            name_minor=F("tag__names__minor"),
            name_patch=F("tag__names__patch"),
            name_digest=F("tag__names__digest"),
        )
    )
)


def find_names(texts: Collection[str]) -> dict[str, NamedTag]:
    """What names stand for, by their text; unknown ones are left out. One query."""
    found: dict[str, NamedTag] = {}
    for row in _under_names(texts):
        if row.name_text not in found:
            tag = Tag.from_row(row.tag_id, row.tag_text)
            parts = (row.name_major, row.name_minor, row.name_patch)
            numbers = tuple(part for part in parts if part is not None)
            selector = Selector(numbers, row.name_digest)
            found[row.name_text] = NamedTag(row.name_pk, tag, row.name_is_alias, selector)
        found[row.name_text].versions.append(row)
    return found


def select_all(
    references: Collection[Reference], coming: Mapping[int, Version] | None = None
) -> dict[str, SelectedVersion | Refused]:
    """For each reference, by its text, the version or why there is none. One query.

    Refusals carry no near names yet: who shows one asks `explained` for them. `coming` holds, by
    the tag's primary key, versions that are not published yet, to choose among as if they were.
    """
    if not references:
        return {}
    names = find_names({reference.text for reference in references})
    for found in names.values() if coming else ():
        if version := (coming or {}).get(found.tag.pk):
            found.versions.append(version)
    return {
        str(reference): _chosen(reference, names.get(reference.text)) for reference in references
    }


def select_one(reference: Reference) -> SelectedVersion:
    """The version that answers to one reference. Raises `Refused`, with near names."""
    answer = select_all([reference])[str(reference)]
    if isinstance(answer, Refused):
        raise with_suggestions(answer, reference)
    return answer


def with_suggestions(refusal: Refused, reference: Reference) -> Refused:
    """The same refusal with near tags, where it has no suggestions of its own."""
    near = refusal.suggestions or name_index.similar_tags(reference.text)
    return Refused(refusal.code, refusal.detail, faults=refusal.faults, suggestions=near)


def unknown_tag(reference: Reference) -> Refused:
    """The refusal of a name that nothing has."""
    if not reference.is_tag:
        return unknown_alias(reference)
    return Refused(Code.TAG_UNKNOWN, f"There is no tag {reference.text}.")


def _chosen(reference: Reference, name: NamedTag | None) -> SelectedVersion | Refused:
    if name is None:
        return unknown_tag(reference)
    selector = reference.selector
    if str(name.selector):
        if str(selector):
            return Refused(
                Code.REFERENCE_INVALID,
                f"{reference.text} is an alias of {name.tag}@{name.selector}: it already says "
                "which version, so nothing may stand behind an @.",
            )
        selector = name.selector
    version = selector.choose(name.versions)
    if version is None:
        return _no_version(name, selector)
    return SelectedVersion(
        reference, name.pk, name.tag, version, name.is_alias, selector.is_floating
    )


def _no_version(name: NamedTag, selector: Selector) -> Refused:
    kept = newest_first(version for version in name.versions if not version.yanked)
    there = [f"{name.tag}@{version.number}" for version in kept[:MAX_SUGGESTIONS]]
    wanted = f"version {selector} of {name.tag}" if str(selector) else f"version of {name.tag}"
    unless = " that is not yanked" if selector.is_floating else ""
    return Refused(Code.VERSION_UNKNOWN, f"There is no {wanted}{unless}.", suggestions=there)


def newest_first(versions: Iterable[Version]) -> list[Version]:
    """Versions of one tag by number, the highest first."""
    return sorted(versions, key=lambda version: version.number, reverse=True)
