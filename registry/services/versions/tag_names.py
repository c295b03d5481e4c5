"""Finds a tag by its own name, for writing."""

from __future__ import annotations

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Name, Tag
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery

_by_text: PreparedQuery[Name] = PreparedQuery(lambda: Name.objects.filter(text__among=PLACEHOLDER))


def find_tag(name: TagName | Reference) -> Tag | None:
    """Return the tag with this name, or None; the selector of a reference is ignored.

    Raises `Refused` (CONFLICT) if the name is an alias, which cannot be written through.
    """
    text = name.text if isinstance(name, Reference) else str(name)
    row = next(iter(_by_text([text])), None)
    if row and row.is_alias:
        raise Refused(
            Code.CONFLICT,
            f"{text} is an alias of {row.tag}; use the name of the tag itself.",
            suggestions=[row.tag.text],
        )
    return row.tag if row else None
