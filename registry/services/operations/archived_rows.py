"""The form of the rows of an archive: the members of each model, and their types.

Databases do not check all of it: SQLite stores a number as a text, and a member that is missing
would get its default.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from django.apps import apps
from django.db import models

from registry.domain.errors import echo
from registry.services.operations.archive import Row

MAX_INTEGER = 2**63  # beyond it, neither database has a column
Field: TypeAlias = "models.Field[Any, Any]"

# By the first class of a field that is listed: the type of its values, in words, too.
TYPES: dict[type[Field], tuple[type, str]] = {
    models.JSONField: (object, "JSON"),
    models.BooleanField: (bool, "true or false"),
    models.IntegerField: (int, "a whole number"),
    models.ManyToManyField: (list, "a list"),
    models.Field: (str, "a text"),  # times and bytes, too
}


def problem(row: Row, *, is_complete: bool) -> str:
    """Return what is wrong with a row of a model that is backed up; empty if nothing is.

    One that an older release wrote need not be complete.
    """
    stated, fields = row["fields"], _fields(row["model"])
    subject = f"{row['model']} {echo(row['pk'])}"
    if other := min(stated.keys() - fields.keys(), default=""):
        return f"{subject} has the member {echo(other)}, which is unknown"
    if missing := min(fields.keys() - stated.keys() if is_complete else (), default=""):
        return f"{subject} lacks the member {missing}"
    values = [(_key(row["model"]), row["pk"])] + [(fields[name], stated[name]) for name in stated]
    for field, value in values:
        expected = _expected(field, value)
        if expected:
            return f"{subject} has {echo(value)} as {field.name}; expected {expected}"
    return ""


@cache
def _key(label: str) -> Field:
    key: Field = apps.get_model(label)._meta.pk
    return key


@cache
def _fields(label: str) -> dict[str, Field]:
    """Return the fields of a model that are archived, by name."""
    meta = apps.get_model(label)._meta
    fields = (*meta.local_fields, *meta.local_many_to_many)
    return {field.name: field for field in fields if field.serialize}


@cache
def _type(field: Field) -> tuple[type, str]:
    if isinstance(field, models.ForeignKey):
        return _type(field.target_field)
    return next(kind for base, kind in TYPES.items() if isinstance(field, base))


def _expected(field: Field, value: object) -> str:
    """Return what a field has instead of such a value; empty if it may have it."""
    if value is None and field.null:
        return ""
    kind, expected = _type(field)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return expected
    if isinstance(value, int) and not -MAX_INTEGER <= value < MAX_INTEGER:
        return f"{expected} of 64 bits"
    return f"{expected} of Unicode" if isinstance(value, str) and not _is_unicode(value) else ""


def _is_unicode(text: str) -> bool:
    """Return whether a text has no half of a surrogate pair, which JSON can state."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
