"""Finds a tag by its own name, and refuses to write through an alias."""

from __future__ import annotations

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Name, Tag
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery

_by_text: PreparedQuery[Name] = PreparedQuery(lambda: Name.objects.filter(text__among=PLACEHOLDER))


def find_tag(name: TagName | Reference) -> Tag | None:
    """Return the tag with this name, or None; the selector of a reference is ignored.

    Raises `Refused` (CONFLICT) if the name is an alias: nothing is written through one.
    """
    text = name.text if isinstance(name, Reference) else str(name)
    known = next(iter(_by_text([text])), None)
    if known and known.is_alias:
        raise Refused(
            Code.CONFLICT,
            f"{text} is an alias of {known.tag}, and nothing is written through an alias: "
            "write to the tag itself.",
            suggestions=[known.tag.text],
        )
    return known.tag if known else None
