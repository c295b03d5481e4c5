"""Recent news: versions published and yanked, tags deprecated, newest first.

News are read from the rows of versions and tags: finding one tag's events would mean reading all
of the log. Those of a namespace have an index, by action.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import accumulate, chain
from typing import Any

from registry.domain.reference import Reference
from registry.models import Deprecation, Event, Tag, User, Version, Withdrawal
from registry.models.combined_queries import rows_of_each
from registry.services.events.recent_changes import ACTIONS
from registry.services.namespaces.lookup import require_namespace
from registry.services.versions import selection
from ttag_rules.version_number import VersionNumber

MAX_NEWS = 50  # items of one feed
EPOCH = datetime.fromtimestamp(0, UTC)  # the creation of a registry without events


class NewsAction(StrEnum):
    """A change to a version or tag that is reported as news."""

    PUBLISHED = "published"
    YANKED = "yanked"
    UNYANKED = "unyanked"
    DEPRECATED = "deprecated"
    UNDEPRECATED = "undeprecated"


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One change, with its author and their message or reason."""

    action: NewsAction
    tag: str
    number: VersionNumber | None  # None if the tag as a whole changed
    time: datetime
    user: User
    message: str
    sequence: int = 1  # counts the yanks and unyanks of a version, the deprecations of a tag
    successor: str = ""

    @property
    def subject(self) -> str:
        """Return the exact reference of the version, or the tag."""
        return f"{self.tag}@{self.number}" if self.number else self.tag


@dataclass(frozen=True, slots=True)
class News:
    """The newest items of the registry, a namespace or a tag."""

    name: str  # of the namespace or tag; empty for the whole registry
    created: datetime  # when the registry, namespace or tag was created
    registry_id: str  # the time of the first event
    items: tuple[NewsItem, ...]


def registry_news() -> News:
    """Return the news of the whole registry. Four queries."""
    start = log_start()
    return News("", start, start.isoformat(), _newest_items())


def namespace_news(name: str) -> News:
    """Return a namespace's news. Six queries. Raises `Refused` (NAMESPACE_UNKNOWN)."""
    namespace = require_namespace(name)
    items = _newest_items(text__in=_changed_tags(namespace.name))
    return News(namespace.name, namespace.created, log_start().isoformat(), items)


def tag_news(reference: Reference) -> News:
    """Return the news of a tag, by its name or an alias; selectors do not matter. Six queries.

    Raises `Refused` (TAG_UNKNOWN) with similar tags.
    """
    name = selection.find_names([reference.text]).get(reference.text)
    if name is None:
        raise selection.no_such_tag(reference)
    tag = Tag.objects.get(pk=name.tag.pk)
    return News(tag.text, tag.created, log_start().isoformat(), _newest_items(pk=tag.pk))


def _changed_tags(namespace: str) -> set[str]:
    """Return the tags that the newest items of a namespace are about, and some more. One query.

    Finding them in the rows of versions would mean reading all of the namespace.
    """
    events = Event.objects.filter(namespace=namespace).order_by("-number")
    rows = rows_of_each(
        [events.filter(action=action).values_list("subject")[:MAX_NEWS] for action in ACTIONS]
    )
    return {subject.partition("@")[0] for (subject,) in chain.from_iterable(rows)}


def log_start() -> datetime:
    """Return the time of the first event, which identifies the registry. One query."""
    first = Event.objects.filter(number=1).values_list("created", flat=True)
    return next(iter(first), EPOCH)


def _newest_items(**tags: Any) -> tuple[NewsItem, ...]:
    """Return the newest items of all tags, or of those that match a filter. Three queries."""
    kinds = (_published(tags), _withdrawn(tags), _deprecated(tags))
    items = [pair for kind in kinds for pair in _with_ascending_times(list(kind))]
    items.sort(key=lambda pair: pair[0], reverse=True)
    return tuple(item for _, item in items[:MAX_NEWS])


def _with_ascending_times(newest_first: list[NewsItem]) -> list[tuple[datetime, NewsItem]]:
    """Return each item with its time, or that of an older item if the clock went back meanwhile."""
    oldest_first = list(reversed(newest_first))
    times = accumulate((item.time for item in oldest_first), max)
    return list(reversed(list(zip(times, oldest_first, strict=True))))


def _under(column: str, tags: dict[str, Any]) -> dict[str, Any]:
    return {f"{column}__{name}": value for name, value in tags.items()}


def _account_columns(account: str) -> tuple[str, ...]:
    return (f"{account}__username", f"{account}__is_active")


def _published(tags: dict[str, Any]) -> Iterator[NewsItem]:
    # Sort primary keys only: rows of versions are long.
    newest = Version.objects.filter(**_under("tag", tags)).order_by("-pk").values("pk")[:MAX_NEWS]
    versions = Version.objects.filter(pk__in=newest).select_related("tag", "publisher", "author")
    columns = ("major", "minor", "patch", "message", "published")
    accounts = [*_account_columns("publisher"), *_account_columns("author")]
    for version in versions.only(*columns, "tag__text", *accounts).order_by("-pk"):
        yield NewsItem(
            NewsAction.PUBLISHED,
            version.tag.text,
            version.number,
            version.published,
            version.author or version.publisher,
            version.message,
        )


def _withdrawn(tags: dict[str, Any]) -> Iterator[NewsItem]:
    withdrawals = Withdrawal.objects.filter(**_under("version__tag", tags)).order_by("-pk")
    version = ("version__major", "version__minor", "version__patch", "version__tag__text")
    columns = ("sequence", "yanked", "reason", "created")
    withdrawals = withdrawals.select_related("version__tag", "actor")
    accounts = _account_columns("actor")
    for withdrawal in withdrawals.only(*columns, *version, *accounts)[:MAX_NEWS]:
        yield NewsItem(
            NewsAction.YANKED if withdrawal.yanked else NewsAction.UNYANKED,
            withdrawal.version.tag.text,
            withdrawal.version.number,
            withdrawal.created,
            withdrawal.actor,
            withdrawal.reason,
            withdrawal.sequence,
        )


def _deprecated(tags: dict[str, Any]) -> Iterator[NewsItem]:
    deprecations = Deprecation.objects.filter(**_under("tag", tags)).order_by("-pk")
    for deprecation in deprecations.select_related("tag", "successor", "actor")[:MAX_NEWS]:
        yield NewsItem(
            NewsAction.DEPRECATED if deprecation.deprecated else NewsAction.UNDEPRECATED,
            deprecation.tag.text,
            None,
            deprecation.created,
            deprecation.actor,
            deprecation.reason,
            deprecation.sequence,
            deprecation.successor.text if deprecation.successor else "",
        )
