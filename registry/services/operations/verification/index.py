"""Checks of the search index, its totals and its vocabulary against newly computed ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Count, Model

from registry.models import (
    Attribute,
    Counted,
    Entry,
    GroupTotal,
    Posting,
    Tag,
    Term,
    TermGram,
    Total,
    ValueTotal,
)
from registry.services.operations.verification import Finding, Progress, in_batches, mismatch
from registry.services.search import indexing, term_index, totals
from registry.services.search.indexing import IndexedTag
from registry.services.search.spelling import word_grams
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
    yield from _all_total_findings(counted)


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


def _all_total_findings(expected: Changes) -> Iterator[Finding]:
    """Yield the totals that differ from those of the index, and of versions. Four queries."""
    distinct = Counter(option for option, _ in expected.values)
    expected.totals.update({(Counted.VALUES, name): count for name, count in distinct.items()})
    expected.totals.update(totals.version_counts().totals)
    yield from _total_findings(Total, totals.TOTAL, expected.totals)
    yield from _total_findings(ValueTotal, totals.VALUE, expected.values)
    yield from _total_findings(GroupTotal, totals.GROUP, expected.groups)


def _total_findings(
    model: type[Model], columns: tuple[str, ...], expected: Mapping[Any, int]
) -> Iterator[Finding]:
    rows = model._base_manager.values_list(*columns, "number")
    stored: dict[tuple[Any, ...], int] = {tuple(key): number for *key, number in rows}
    for key in sorted(stored.keys() | expected.keys()):
        actual, number = stored.get(key, 0), expected.get(key, 0)
        if actual != number:
            name = " ".join(filter(None, key))
            yield mismatch(model._meta.db_table, name, "number", actual, number)


def vocabulary_findings(progress: Progress) -> Iterator[Finding]:
    """Yield terms with a wrong number of tags, and words with wrong trigrams. Four queries."""
    stored = dict(Term.objects.values_list("text", "tags"))
    progress(0, len(stored))
    counts = dict(Posting.objects.values_list("term").annotate(tags=Count("pk")).order_by())
    for term in sorted(stored.keys() | counts.keys()):
        if stored.get(term, 0) != counts.get(term, 0):
            table = Term._meta.db_table
            yield mismatch(table, term, "tags", stored.get(term, 0), counts.get(term, 0))
    grams: dict[str, set[str]] = defaultdict(set)
    for term, text in TermGram.objects.values_list("term", "text"):
        grams[term].add(text)
    words = Term.objects.filter(is_word=True).order_by("text").values_list("text", flat=True)
    for word in words:
        if wrong := sorted(grams[word].symmetric_difference(word_grams(word))):
            message = f"trigrams {wrong} are missing or extra"
            yield Finding(TermGram._meta.db_table, word, message, "those of the word")
    progress(len(stored), len(stored))
