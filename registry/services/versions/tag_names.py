"""Finds tags by their own names, for writing, and creates them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import F

from registry.domain.errors import Code, Refused
from registry.domain.names.name_folding import fold_name
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Name, Namespace, Tag
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.models.row_insertion import insert_instances, insert_rows
from registry.services.versions import selection

NAME_COLUMNS = ("text", "tag_id", "namespace_id", "folded", "is_alias", "digest")

_by_name: PreparedQuery[Any] = PreparedQuery(  # whether the name is an alias
    lambda: (
        Tag.objects.filter(names__text__among=PLACEHOLDER)
        .annotate(is_alias=F("names__is_alias"))
        .order_by()
    )
)


def find_tag(name: TagName | Reference) -> Tag | None:
    """Return the tag with this name, or None; the selector of a reference is ignored. One query.

    Raises `Refused` (CONFLICT) if the name is an alias, which cannot be written through.
    """
    text = name.text if isinstance(name, Reference) else str(name)
    for tag in _by_name([text]):
        return _own_tag(text, tag, is_alias=tag.is_alias)
    return None


def require_tag(name: TagName) -> Tag:
    """Return the tag with this name. Raises `Refused` as `find_tag`, or TAG_UNKNOWN."""
    tag = find_tag(name)
    if tag is None:
        raise selection.no_such_tag(name)
    return tag


def find_tags(names: Collection[TagName]) -> dict[str, Tag | Refused]:
    """Return the tags with these names by name, without unknown ones. One query.

    For an alias, the value is what `find_tag` raises.
    """
    rows = Name.objects.filter(text__in=[str(name) for name in names]).select_related("tag")
    tags: dict[str, Tag | Refused] = {}
    for row in rows:
        try:
            tags[row.text] = _own_tag(row.text, row.tag, is_alias=row.is_alias)
        except Refused as refusal:
            tags[row.text] = refusal
    return tags


def create_tags(names: Mapping[TagName, Namespace]) -> dict[str, Tag]:
    """Create tags with their names, by name. Call under the write lock."""
    tags = insert_instances(
        Tag(text=str(name), namespace=namespace) for name, namespace in names.items()
    )
    rows = ((tag.text, tag.pk, tag.namespace_id, fold_name(tag.text), False, "") for tag in tags)
    insert_rows(Name, NAME_COLUMNS, rows)
    return {tag.text: tag for tag in tags}


def _own_tag(name: str, tag: Tag, *, is_alias: bool) -> Tag:
    """Return the tag of a name. Raises `Refused` (CONFLICT) if the name is an alias."""
    if is_alias:
        raise Refused(
            Code.CONFLICT,
            f"{name} is an alias of {tag}; use the name of the tag itself.",
            suggestions=[tag.text],
        )
    return tag
