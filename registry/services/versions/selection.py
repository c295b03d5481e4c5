"""Selects the versions that references resolve to, for any number of references in one query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from django.db.models import F

from registry.domain.errors import Code, Refused, echo
from registry.domain.names.name_folding import usual_spellings
from registry.domain.reference import InvalidName, Reference, Tag as TagName, unknown_alias
from registry.models import Name, Tag, Version
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.models.versions import VersionQuerySet
from registry.services.search import near_names
from registry.services.search.absent_products import known_reasons
from ttag_rules.names import alias_problem
from ttag_rules.selectors import Selector

MAX_SUGGESTIONS = 5  # versions in an error


@dataclass(frozen=True, slots=True)
class SelectedVersion:
    """The version that a reference resolves to, without documents."""

    reference: Reference
    name: int  # primary key of the tag's name or alias
    tag: Tag
    version: Version
    is_alias: bool
    is_floating: bool  # later versions may match the reference

    @property
    def exact(self) -> str:
        """Return the exact reference of the version."""
        return f"{self.tag.text}@{self.version.number}"


class NoVersion(Refused):
    """A reference to a version that `tag` does not have."""

    def __init__(self, tag: str, detail: str, suggestions: Iterable[str]) -> None:
        super().__init__(Code.VERSION_UNKNOWN, detail, suggestions=suggestions)
        self.tag = tag


class SpelledOtherwise(Refused):
    """A `name` that no tag or alias has, but for its case or separators: that is the `spelling`."""

    def __init__(self, name: str, spelling: str, suggestions: Iterable[str]) -> None:
        detail = f"There is no tag {echo(name)}; it is spelled {spelling}."
        near = dict.fromkeys((spelling, *suggestions))
        super().__init__(Code.TAG_UNKNOWN, detail, suggestions=tuple(near)[:MAX_SUGGESTIONS])
        self.name = name
        self.spelling = spelling


@dataclass(slots=True)
class NamedTag:
    """A tag's name or alias, with the selector of the alias and all versions of the tag."""

    pk: int
    tag: Tag
    is_alias: bool
    selector: Selector
    versions: list[Version] = field(default_factory=list)

    @classmethod
    def from_row(cls, row: Any) -> Self:
        """Return the name in a row of `_versions_by_name`, without versions."""
        tag = Tag.from_row(row.tag_id, row.tag_text)
        parts = (row.name_major, row.name_minor, row.name_patch)
        numbers = tuple(part for part in parts if part is not None)
        return cls(row.name_pk, tag, row.name_is_alias, Selector(numbers, row.name_digest))


def _by_name() -> VersionQuerySet:
    """Return the versions of tags by a name or alias, once for each name that is asked for."""
    return Version.objects.filter(tag__names__text__among=PLACEHOLDER).annotate(
        tag_text=F("tag__text"),
        name_pk=F("tag__names__pk"),
        name_text=F("tag__names__text"),
        name_is_alias=F("tag__names__is_alias"),
        name_major=F("tag__names__major"),
        name_minor=F("tag__names__minor"),
        name_patch=F("tag__names__patch"),
        name_digest=F("tag__names__digest"),
    )


_versions_by_name: PreparedQuery[Any] = PreparedQuery(lambda: _by_name().candidates())
_newest_by_name: PreparedQuery[Any] = PreparedQuery(
    lambda: _by_name().not_yanked().as_resolved().order_by("-major", "-minor", "-patch")[:1]
)


def find_names(texts: Collection[str]) -> dict[str, NamedTag]:
    """Return the tags of names and aliases by text, without unknown ones. One query."""
    names: dict[str, NamedTag] = {}
    for row in _versions_by_name(texts):
        name = names.get(row.name_text) or NamedTag.from_row(row)
        names[row.name_text] = name
        name.versions.append(row)
    return names


def select_newest(reference: Reference) -> SelectedVersion | None:
    """Return the tag's newest version that is not yanked, as resolved, if the reference selects it.

    This saves most resolutions a query: no other version can then be the selected one.
    """
    for row in _newest_by_name([reference.text]):
        name = NamedTag.from_row(row)
        name.versions.append(row)
        choice = _select(reference, name)
        return choice if isinstance(choice, SelectedVersion) else None
    return None


def select_all(
    references: Collection[Reference], pending: Mapping[int, Version] | None = None
) -> dict[str, SelectedVersion | Refused]:
    """Return the version or the error of each reference, by its text. One query.

    `with_suggestions` adds similar tags to errors. `pending` holds versions, by the tag's primary
    key, that count as published.
    """
    if not references:
        return {}
    names = find_names({reference.text for reference in references})
    for name in names.values() if pending else ():
        if version := (pending or {}).get(name.tag.pk):
            name.versions.append(version)
    return {
        str(reference): _select(reference, names.get(reference.text)) for reference in references
    }


def select_one(reference: Reference) -> SelectedVersion:
    """Return the version that a reference resolves to. Raises `Refused`, with similar tags."""
    answer = select_all([reference])[str(reference)]
    if isinstance(answer, Refused):
        raise with_suggestions(answer, reference)
    return answer


def with_suggestions(refusal: Refused, reference: Reference) -> Refused:
    """Return an error with similar tags, unless it has suggestions of its own.

    A tag without a version to suggest is not suggested itself.
    """
    if refusal.suggestions:
        return refusal
    own = refusal.tag if isinstance(refusal, NoVersion) else ""
    return _with_similar(refusal, reference.text, without=own)


def with_similar_tags(refusal: Refused, *, is_read: bool = True) -> Refused:
    """Return the error of parsing a reference, with tags that resemble its name.

    A name that no person would type, with control characters or beyond ASCII, takes no query. Only
    what a request reads can be spelled otherwise: a write may name what is new.
    """
    if not isinstance(refusal, InvalidName):
        return refusal
    if not refusal.name.isascii() or not refusal.name.isprintable():
        return refusal
    answer = _with_similar(refusal, refusal.name)
    if is_read:
        return answer
    near = answer.suggestions
    return Refused(refusal.code, refusal.detail, faults=refusal.faults, suggestions=near)


def _with_similar(refusal: Refused, name: str, *, without: str = "") -> Refused:
    similar = near_names.similar_tags(name, without=without)
    is_unknown = isinstance(refusal, InvalidName) or refusal.code is Code.TAG_UNKNOWN
    if is_unknown and (spelling := _first_existing(usual_spellings(name))):
        return SpelledOtherwise(name, spelling, similar)
    reasons = known_reasons(name) if refusal.code is Code.TAG_UNKNOWN else ()
    detail = " ".join((refusal.detail, *reasons))
    return Refused(refusal.code, detail, faults=refusal.faults, suggestions=similar)


def existing_name(name: str) -> str | None:
    """Return the tag or alias of this name, or else of its usual spelling.

    One query, and none for what cannot be a name.
    """
    spellings = (name, *usual_spellings(name))
    return _first_existing([text for text in spellings if not alias_problem(text)])


def _first_existing(names: Sequence[str]) -> str | None:
    if not names:
        return None
    existing = set(Name.objects.filter(text__in=names).values_list("text", flat=True))
    return next((name for name in names if name in existing), None)


def no_such_tag(name: Reference | TagName | str) -> Refused:
    """Return the error for the name of no tag, with similar tags."""
    reference = name if isinstance(name, Reference) else Reference(str(name))
    return with_suggestions(_unknown_tag(reference), reference)


def _unknown_tag(reference: Reference) -> Refused:
    """Return the error for an unknown tag or alias."""
    # Decision 004: only the lookup can tell an invalid name from an unknown alias.
    if not reference.is_tag:
        return unknown_alias(reference)
    return Refused(Code.TAG_UNKNOWN, f"There is no tag {reference.text}.")


def _select(reference: Reference, name: NamedTag | None) -> SelectedVersion | Refused:
    if name is None:
        return _unknown_tag(reference)
    selector = reference.selector
    if str(name.selector):
        if str(selector):
            return Refused(
                Code.REFERENCE_INVALID,
                f"{reference.text} is an alias of {name.tag}@{name.selector}, which already "
                "selects a version; remove the @ and what follows it.",
            )
        selector = name.selector
    version = selector.choose(name.versions)
    if version is None:
        return _no_version(name, selector)
    return SelectedVersion(
        reference, name.pk, name.tag, version, name.is_alias, selector.is_floating
    )


def _no_version(name: NamedTag, selector: Selector) -> Refused:
    unyanked = newest_first(version for version in name.versions if not version.yanked)
    references = [f"{name.tag}@{version.number}" for version in unyanked[:MAX_SUGGESTIONS]]
    subject = f"version {selector} of {name.tag}" if str(selector) else f"version of {name.tag}"
    unless = " that is not yanked" if selector.is_floating else ""
    return NoVersion(name.tag.text, f"There is no {subject}{unless}.", references)


def newest_first(versions: Iterable[Version]) -> list[Version]:
    """Sort versions of one tag by number, the highest first."""
    return sorted(versions, key=lambda version: version.number, reverse=True)
