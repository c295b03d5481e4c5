"""Rows of tags that tests insert past Django, from connections of their own."""

from typing import Any

from registry.models import Tag


def insertion(text: str, placeholder: str) -> tuple[str, list[Any]]:
    """Return the statement that inserts a tag with the defaults of its model, and the values."""
    tag = Tag(text=text, namespace_id=1, created="2026-01-01")
    fields = [field for field in Tag._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(str(field.column) for field in fields)
    places = ", ".join([placeholder] * len(fields))
    values = [getattr(tag, field.attname) for field in fields]
    return f"INSERT INTO registry_tag ({columns}) VALUES ({places})", values  # noqa: S608 - no input
