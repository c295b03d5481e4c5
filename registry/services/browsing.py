"""Reading for people and lists: tags with their newest versions, a tag with all of its versions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, OuterRef, QuerySet, Subquery

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.domain.reference import Tag as TagName
from registry.models import Deprecation, Name, Namespace, Tag, Version
from registry.services import choosing, searching
from registry.services.resolving import ACTIVE, DEPRECATED, YANKED

PAGE = 50  # rows of a list


@dataclass(frozen=True, slots=True)
class Listing:
    """A tag in a list. `version` is the newest unyanked one, light, with kind and date; or None."""

    tag: Tag
    version: Version | None

    @property
    def status(self) -> str:
        """`active`, `deprecated`, or `yanked` where every version is."""
        if self.version is None:
            return YANKED
        return DEPRECATED if self.tag.last_deprecated else ACTIVE


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a list, and the tag's text after which the next part begins; empty at the end."""

    listings: tuple[Listing, ...]
    next: str


@dataclass(frozen=True)
class Profile:
    """A tag with everything published under it, newest number first."""

    tag: Tag
    asked: str  # the name it was asked for by
    versions: tuple[Version, ...]
    aliases: tuple[str, ...]

    @property
    def name(self) -> TagName:
        """The tag's name in its parts."""
        return TagName.parse(self.tag.text)

    @cached_property
    def newest(self) -> Version | None:
        """The newest version that is not yanked."""
        return next((version for version in self.versions if not version.yanked), None)

    @property
    def last_published(self) -> Version:
        """The most recently published version: what a publisher says in `If-Match`."""
        return max(self.versions, key=lambda version: version.pk)

    @property
    def status(self) -> str:
        """`active`, `deprecated`, or `yanked` where every version is."""
        return Listing(self.tag, self.newest).status


def tags(*, query: str = "", after: str = "", namespace: str = "") -> Page:
    """A page of tags: all in order of their names, or the best matches of a query. Two queries."""
    found = with_deprecation(Tag.objects.all())
    if namespace:
        found = found.filter(namespace__name=namespace)
    if query.strip():
        chosen = list(_best(found, query))
        following = ""
    else:
        chosen = list(found.filter(text__gt=after).order_by("text")[: PAGE + 1])
        following = chosen[PAGE - 1].text if len(chosen) > PAGE else ""
    newest = choosing.newest([tag.pk for tag in chosen], "kind", "published")
    listings = tuple(Listing(tag, newest.get(tag.pk)) for tag in chosen[:PAGE])
    return Page(listings, following)


def _best(found: QuerySet[Tag], query: str) -> list[Tag]:
    """Exact matches first, then the shortest names; near ones where nothing matches."""
    matches = list(searching.matching(query).values_list("tag", flat=True)[:PAGE])
    by_pk = found.in_bulk(matches)
    if by_pk:
        return [by_pk[pk] for pk in dict.fromkeys(matches) if pk in by_pk]
    near = searching.near(query)
    by_text = {tag.text: tag for tag in found.filter(text__in=near)}
    return [by_text[text] for text in near if text in by_text]


def profile(text: str) -> Profile:
    """A tag, found by its name or an alias, with all versions. Three queries.

    Raises `Refused` (TAG_UNKNOWN) with near tags.
    """
    name = Name.objects.filter(text=text).select_related("tag__namespace").first()
    if name is None:
        unknown = Refused(Code.TAG_UNKNOWN, f"There is no tag {text}.")
        raise choosing.explained(unknown, Reference(text))
    tag = with_deprecation(Tag.objects.filter(pk=name.tag_id).select_related("namespace")).get()
    versions = (
        Version.objects.filter(tag=tag)
        .with_withdrawal()
        .select_related("publisher", "tag")
        .defer("target", "source", "provenance")
        .order_by("-major", "-minor", "-patch")
    )
    aliases = Name.objects.filter(tag=tag, is_alias=True).values_list("text", flat=True)
    return Profile(tag, text, tuple(versions), tuple(aliases))


def with_deprecation(found: QuerySet[Tag]) -> QuerySet[Tag]:
    """Annotate the last word on whether a tag is superseded, why and by what."""
    last = Deprecation.objects.filter(tag=OuterRef("pk")).order_by("-sequence")
    return found.annotate(
        last_deprecated=Subquery(last.values("deprecated")[:1]),
        last_deprecation=Subquery(last.values("reason")[:1]),
        last_successor=Subquery(last.values("successor__text")[:1]),
    )


def namespace_counts() -> list[Namespace]:
    """All namespaces by name, each with `count`, the number of its tags. One query."""
    return list(Namespace.objects.annotate(count=Count("tags")).order_by("name"))


def sources_of(version: Version) -> list[str]:
    """The URLs that vouch for a version."""
    found: list[str] = json.loads(version.sources)
    return found
