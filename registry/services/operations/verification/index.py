"""Checks of the search index and its totals against a newly computed one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from registry.models import Attribute, Entry, Posting, Tag
from registry.services.operations.verification import totals
from registry.services.operations.verification.findings import (
    Finding,
    Progress,
    in_batches,
    mismatch,
)
from registry.services.search import indexing, term_index
from registry.services.search.indexing import IndexedTag
from registry.services.search.totals import Changes

TABLE = Entry._meta.db_table
COLUMNS = [field.attname for field in Entry._meta.concrete_fields if not field.primary_key]

VALUE = ("pointer", "name", "text", "number")


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of the search index. Eight queries per 500 tags, and four for totals."""
    counted = Changes()
    for tags in in_batches(Tag.objects.order_by("pk").values_list("pk", flat=True), progress):
        entries = Entry.objects.in_bulk(tags)
        values: dict[int, Counter[tuple[Any, ...]]] = defaultdict(Counter)
        stored = Attribute.objects.filter(tag__in=tags)
        for pk, *value in stored.values_list("tag", *VALUE):
            values[pk][tuple(value)] += 1
        terms = term_index.stored_weights(tags)
        for row in indexing.compute_index(tags):
            pk = row.entry.pk
            counted.count(row.entry, row.attributes)
            yield from _findings(row, entries.get(pk), values[pk])
            yield from _term_findings(row, terms[pk])
    yield from totals.findings(counted)


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


def _term_findings(row: IndexedTag, stored: Mapping[str, int]) -> Iterator[Finding]:
    computed = row.terms.weights
    if wrong := sorted(
        term for term in {*stored, *computed} if stored.get(term) != computed.get(term)
    ):
        yield Finding(
            Posting._meta.db_table,
            f"{row.entry.pk} {row.entry}",
            f"terms {wrong} are missing, wrong or extra",
            "those of its names and its newest version",
        )
