"""Finds the people behind a tag, and the tags that it replaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from registry.models import Deprecation, Tag, User, Version
from registry.services.namespaces.directory import curator_names

MAX_NAMES = 5  # of contributors, maintainers and predecessors each


@dataclass(frozen=True, slots=True)
class Credits:
    """The accounts that wrote the newest versions of a tag, and who maintains its namespace.

    At most five of each, by name; a namespace without members has no maintainers.
    """

    contributors: tuple[User, ...]
    maintainers: tuple[str, ...]  # names of open accounts


def find_credits(tag: Tag, versions: Iterable[Version]) -> Credits:
    """Return who wrote some versions of a tag and who maintains its namespace. One query.

    The versions have their authors and publishers.
    """
    writers = {version.author or version.publisher for version in versions}
    by_name = sorted(writers, key=lambda writer: writer.username)
    return Credits(tuple(by_name[:MAX_NAMES]), curator_names(tag.namespace_id, MAX_NAMES))


def find_predecessors(tag: Tag) -> tuple[str, ...]:
    """Return up to five tags that are deprecated in favour of a tag, by name. One query."""
    candidates = Deprecation.objects.filter(successor=tag).values("tag")
    rows = Tag.objects.with_deprecation().filter(
        pk__in=candidates, last_deprecated=True, last_successor=tag.text
    )
    return tuple(rows.order_by("text").values_list("text", flat=True)[:MAX_NAMES])
