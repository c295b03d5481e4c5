"""Says which row is damaged when a command fails because of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db.models import Model

from registry.domain import document
from registry.domain.errors import Code, Refused
from registry.models import KindRevision, Version
from registry.models.versions import NUMBERS

BATCH_SIZE = 500  # rows in memory
# Reading a text raises these that is no JSON, or JSON of another form than services write.
SYMPTOMS = (ValueError, TypeError, LookupError, AttributeError, AssertionError)
DOCUMENTS: Mapping[type[Model], Mapping[str, type]] = {  # the form of JSON in each column
    Version: {
        **dict.fromkeys(("source", "target", "provenance", "tuning_keys"), dict),
        **dict.fromkeys(("lineage", "dependencies", "sources"), list),
    },
    KindRevision: {"source": dict},
}
REMEDY = "`manage.py verify` lists all damaged rows; restore the last backup that it finds none in"


@contextmanager
def naming_damaged_rows() -> Iterator[None]:
    """Raise an error that a damaged row explains as `Refused` (INTERNAL), which names the row.

    Any other error is raised as it is. Reads all versions after an error.
    """
    try:
        yield
    except SYMPTOMS as error:
        if (damage := next(damages(), None)) is None:
            raise
        raise Refused(Code.INTERNAL, f"{damage}. Nothing can be read from it: {REMEDY}.") from error


def damages() -> Iterator[str]:
    """Yield what is wrong with each damaged row, by table and key."""
    for model, documents in DOCUMENTS.items():
        related = "tag" if model is Version else "kind"
        rows = model._base_manager.select_related(related).order_by("pk")
        for row in rows.iterator(chunk_size=BATCH_SIZE):
            problems = (_problem(row, column, form) for column, form in documents.items())
            if problem := next(filter(None, (*problems, _other_problem(row))), ""):
                yield f"{model._meta.db_table} {row.pk} ({row}): {problem}"


def _problem(row: Any, column: str, form: type) -> str:
    """Return what is wrong with a JSON text that must have this form; empty if nothing is."""
    try:
        value = json.loads(getattr(row, column))
    except (ValueError, TypeError) as error:
        return f"{column} is not JSON ({error})"
    expected = "an object" if form is dict else "a list"
    return "" if isinstance(value, form) else f"{column} is JSON, but not {expected}"


def _other_problem(row: Any) -> str:
    """Return what is wrong with the numbers and the digest of a row; empty if nothing is."""
    numbers = NUMBERS if isinstance(row, Version) else ("number",)
    if wrong := [column for column in numbers if not isinstance(getattr(row, column), int)]:
        return f"{wrong[0]} is no number"
    if isinstance(row, Version) and document.digest(row.target.encode()) != row.digest:
        return "digest is not that of target"
    return ""
