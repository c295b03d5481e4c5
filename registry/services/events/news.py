"""Recent news: versions published and yanked, tags deprecated; the newest first.

News are read from the rows of versions and tags: finding one tag's events in the log would mean
reading all of it.
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

MAX_NEWS = 50  # items of one feed
BEFORE_ALL = datetime.fromtimestamp(0, UTC)  # for a registry without events


class NewsAction(StrEnum):
    """A change of a version or a tag that makes news."""

    PUBLISHED = "published"
    YANKED = "yanked"
    UNYANKED = "unyanked"
    DEPRECATED = "deprecated"
    UNDEPRECATED = "undeprecated"


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One change, by whom, and the message or reason that they gave."""

    did: NewsAction
    tag: str
    number: VersionNumber | None  # None if the tag as a whole changed
    at: datetime
    by: str
    says: str
    turn: int = 1  # counts the times that it was yanked or unyanked
    successor: str = ""

    @property
    def subject(self) -> str:
        """Return the exact reference of the version, or the tag."""
        return f"{self.tag}@{self.number}" if self.number else self.tag


@dataclass(frozen=True, slots=True)
class News:
    """The newest items of the registry, a namespace or a tag."""

    about: str  # the namespace's or the tag's name; empty for all
    began: datetime  # when the registry, the namespace or the tag was made
    registry: str  # identifies the registry: the time of its first event
    happenings: tuple[NewsItem, ...]


def registry_news() -> News:
    """Return the news of the whole registry. Four queries."""
    began = log_began()
    return News("", began, began.isoformat(), _newest_items())


def namespace_news(name: str) -> News:
    """Return a namespace's news. Five queries. Raises `Refused` (NAMESPACE_UNKNOWN)."""
    namespace = known_namespace(name)
    happenings = _newest_items(namespace=namespace)
    return News(namespace.name, namespace.created, log_began().isoformat(), happenings)


def tag_news(reference: Reference) -> News:
    """Return the news of a tag, by its name or an alias; selectors do not matter. Six queries.

    Raises `Refused` (TAG_UNKNOWN) with similar tags.
    """
    name = selection.find_names([reference.text]).get(reference.text)
    if name is None:
        raise selection.with_suggestions(selection.unknown_tag(reference), reference)
    tag = Tag.objects.get(pk=name.tag.pk)
    return News(tag.text, tag.created, log_began().isoformat(), _newest_items(pk=tag.pk))


def log_began() -> datetime:
    """Return the time of the first event, which identifies the registry. One query."""
    first = Event.objects.filter(number=1).values_list("created", flat=True)
    return next(iter(first), BEFORE_ALL)


def _newest_items(**tags: Any) -> tuple[NewsItem, ...]:
    """Return the newest items of all tags, or of those that match a filter. Three queries."""
    found = [*_published(tags), *_withdrawn(tags), *_superseded(tags)]
    return tuple(islice(sorted(found, key=lambda item: item.at, reverse=True), MAX_NEWS))


def _under(column: str, tags: dict[str, Any]) -> dict[str, Any]:
    return {f"{column}__{name}": value for name, value in tags.items()}


def _published(tags: dict[str, Any]) -> Iterator[NewsItem]:
    # Sort primary keys only: rows of versions are long.
    newest = Version.objects.filter(**_under("tag", tags)).order_by("-pk").values("pk")[:MAX_NEWS]
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
    for withdrawal in shown.only(*columns, *version, "actor__username")[:MAX_NEWS]:
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
    for deprecation in found.select_related("tag", "successor", "actor")[:MAX_NEWS]:
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
