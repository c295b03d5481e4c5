"""What happened lately: versions published and withdrawn, tags superseded; the newest first.

Read from what holds each, not from the event log: that is in the order of all writes, and finding
one tag's in it would mean reading it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from typing import Any

from registry.domain.reference import Reference
from registry.domain.version_number import VersionNumber
from registry.models import Deprecation, Event, Tag, Version, Withdrawal
from registry.services.namespaces.lookup import known_namespace
from registry.services.versions import selection

MOST = 50  # of one answer; who asks once a week misses none of an author's
BEFORE_ALL = datetime.fromtimestamp(0, UTC)  # of a registry that nobody has written to


class NewsAction(StrEnum):
    """What can happen to a version, or to a tag."""

    PUBLISHED = "published"
    YANKED = "yanked"
    UNYANKED = "unyanked"
    DEPRECATED = "deprecated"
    UNDEPRECATED = "undeprecated"


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One thing that somebody did, and what they said of it."""

    did: NewsAction
    tag: str
    number: VersionNumber | None  # None where it is about the tag as a whole
    at: datetime
    by: str
    says: str
    turn: int = 1  # a version can be yanked, taken back and yanked again
    successor: str = ""

    @property
    def subject(self) -> str:
        """The exact reference of the version, or the tag."""
        return f"{self.tag}@{self.number}" if self.number else self.tag


@dataclass(frozen=True, slots=True)
class News:
    """The newest happenings of the registry, a namespace or a tag."""

    about: str  # the namespace's or the tag's name; empty for all
    began: datetime  # when the registry, the namespace or the tag was made
    registry: str  # tells this registry's from another's: when its log began
    happenings: tuple[NewsItem, ...]


def registry_news() -> News:
    """Of the whole registry. Four queries."""
    began = log_began()
    return News("", began, began.isoformat(), _lately())


def namespace_news(name: str) -> News:
    """Of a namespace. Five queries. Raises `Refused` (NAMESPACE_UNKNOWN) with near names."""
    namespace = known_namespace(name)
    happenings = _lately(namespace=namespace)
    return News(namespace.name, namespace.created, log_began().isoformat(), happenings)


def tag_news(reference: Reference) -> News:
    """Of a tag, found by its name or an alias, whatever the selector. Six queries.

    Raises `Refused` (TAG_UNKNOWN) with near tags.
    """
    known = selection.find_names([reference.text]).get(reference.text)
    if known is None:
        raise selection.with_suggestions(selection.unknown_tag(reference), reference)
    tag = Tag.objects.get(pk=known.tag.pk)
    return News(tag.text, tag.created, log_began().isoformat(), _lately(pk=tag.pk))


def log_began() -> datetime:
    """When the log began: it tells this registry's from another's. One query."""
    first = Event.objects.filter(number=1).values_list("created", flat=True)
    return next(iter(first), BEFORE_ALL)


def _lately(**tags: Any) -> tuple[NewsItem, ...]:
    """The newest of all tags, or of those that have something in common. Three queries."""
    found = [*_published(tags), *_withdrawn(tags), *_superseded(tags)]
    return tuple(islice(sorted(found, key=lambda each: each.at, reverse=True), MOST))


def _under(column: str, tags: dict[str, Any]) -> dict[str, Any]:
    return {f"{column}__{name}": value for name, value in tags.items()}


def _published(tags: dict[str, Any]) -> Iterator[NewsItem]:
    # Keys first: a version's row is long, and those of a whole namespace may have to be sorted.
    newest = Version.objects.filter(**_under("tag", tags)).order_by("-pk").values("pk")[:MOST]
    shown = Version.objects.filter(pk__in=newest).select_related("tag", "publisher", "author")
    columns = ("major", "minor", "patch", "message", "published")
    for version in shown.only(
        *columns, "tag__text", "publisher__username", "author__username"
    ).order_by("-pk"):
        yield NewsItem(
            NewsAction.PUBLISHED,
            version.tag.text,
            version.number,
            version.published,
            (version.author or version.publisher).username,
            version.message,
        )


def _withdrawn(tags: dict[str, Any]) -> Iterator[NewsItem]:
    found = Withdrawal.objects.filter(**_under("version__tag", tags)).order_by("-pk")
    version = ("version__major", "version__minor", "version__patch", "version__tag__text")
    columns = ("sequence", "yanked", "reason", "created")
    shown = found.select_related("version__tag", "actor")
    for withdrawal in shown.only(*columns, *version, "actor__username")[:MOST]:
        yield NewsItem(
            NewsAction.YANKED if withdrawal.yanked else NewsAction.UNYANKED,
            withdrawal.version.tag.text,
            withdrawal.version.number,
            withdrawal.created,
            withdrawal.actor.username,
            withdrawal.reason,
            withdrawal.sequence,
        )


def _superseded(tags: dict[str, Any]) -> Iterator[NewsItem]:
    found = Deprecation.objects.filter(**_under("tag", tags)).order_by("-pk")
    for deprecation in found.select_related("tag", "successor", "actor")[:MOST]:
        yield NewsItem(
            NewsAction.DEPRECATED if deprecation.deprecated else NewsAction.UNDEPRECATED,
            deprecation.tag.text,
            None,
            deprecation.created,
            deprecation.actor.username,
            deprecation.reason,
            deprecation.sequence,
            deprecation.successor.text if deprecation.successor else "",
        )
