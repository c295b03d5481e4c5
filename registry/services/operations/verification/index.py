"""Checks of the search index against a newly computed one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from registry.models import Attribute, Entry, Tag
from registry.services.operations.verification.findings import (
    Finding,
    Progress,
    in_batches,
    mismatch,
)
from registry.services.search import indexing
from registry.services.search.indexing import IndexedTag

TABLE = Entry._meta.db_table
COLUMNS = [field.attname for field in Entry._meta.concrete_fields if not field.primary_key]

VALUE = ("pointer", "name", "text", "number")


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of the search index. Six queries per 500 tags."""
    for tags in in_batches(Tag.objects.order_by("pk").values_list("pk", flat=True), progress):
        entries = Entry.objects.in_bulk(tags)
        values: dict[int, Counter[tuple[Any, ...]]] = defaultdict(Counter)
        stored = Attribute.objects.filter(tag__in=tags)
        for pk, *value in stored.values_list("tag", *VALUE):
            values[pk][tuple(value)] += 1
        for row in indexing.compute_index(tags):
            yield from _findings(row, entries.get(row.entry.pk), values[row.entry.pk])


def _findings(
    row: IndexedTag, entry: Entry | None, values: Counter[tuple[Any, ...]]
) -> Iterator[Finding]:
    name = f"{row.entry.pk} {row.entry}"
    if entry is None:
        yield Finding(TABLE, name, "the tag has no entry", "one for each tag")
        return
    for column in COLUMNS:
        actual, expected = getattr(entry, column), getattr(row.entry, column)
        if actual != expected:
            yield mismatch(TABLE, name, column, actual, expected)
    expected_values = Counter(
        tuple(getattr(attribute, name) for name in VALUE) for attribute in row.attributes
    )
    wrong = (values - expected_values) | (expected_values - values)
    if wrong:
        pointers = sorted({pointer for pointer, *_ in wrong})
        yield Finding(
            Attribute._meta.db_table,
            name,
            f"values at {pointers} are missing, wrong or extra",
            "those of its newest version",
        )
