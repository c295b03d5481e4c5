"""Finds the people behind a tag, and the tags that it replaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from registry.models import Deprecation, Tag, User, Version
from registry.services.core.paging import Page, paginate
from registry.services.namespaces.directory import curator_names

MAX_NAMES = 5  # of contributors, maintainers and predecessors each


@dataclass(frozen=True, slots=True)
class Credits:
    """The accounts that wrote the newest versions of a tag, and who maintains its namespace.

    A page of at most five of each, by name; a namespace without members has no maintainers.
    """

    contributors: Page[User]
    maintainers: Page[str]  # names of open accounts


def find_credits(tag: Tag, versions: Iterable[Version]) -> Credits:
    """Return who wrote some versions of a tag and who maintains its namespace. One query.

    The versions have their authors and publishers.
    """
    writers = {version.author or version.publisher for version in versions}
    by_name = sorted(writers, key=lambda writer: writer.username)
    curators = curator_names(tag.namespace_id, MAX_NAMES + 1)
    return Credits(
        paginate(by_name, key=lambda writer: [writer.username], limit=MAX_NAMES),
        paginate(curators, key=lambda name: [name], limit=MAX_NAMES),
    )


def find_predecessors(tag: Tag) -> Page[str]:
    """Return up to five tags that are deprecated in favour of a tag, by name. One query."""
    candidates = Deprecation.objects.filter(successor=tag).values("tag")
    rows = Tag.objects.with_deprecation().filter(
        pk__in=candidates, last_deprecated=True, last_successor=tag.text
    )
    names = rows.order_by("text").values_list("text", flat=True)
    return paginate(names, key=lambda name: [name], limit=MAX_NAMES)
