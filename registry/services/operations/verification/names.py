"""Checks of names: every tag has one, folded and indexed for search."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Count

from registry.domain.name_folding import fold_name, trigrams
from registry.models import Gram, GramCount, Name, Tag
from registry.services.operations.verification.findings import (
    Finding,
    Progress,
    in_batches,
    mismatch,
)

TABLE = Name._meta.db_table


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of names. Two queries per 500 names, and three more."""
    for tag in Tag.objects.exclude(names__is_alias=False):
        row = f"{tag.pk} {tag}"
        yield Finding(Tag._meta.db_table, row, "the tag has no name of its own", str(tag))
    names = Name.objects.select_related("tag", "namespace").order_by("pk")
    for batch in in_batches(names, progress):
        grams: dict[int, set[str]] = defaultdict(set)
        for pk, text in Gram.objects.filter(name__in=batch).values_list("name", "text"):
            grams[pk].add(text)
        for name in batch:
            yield from _findings(name, grams[name.pk])
    yield from _counts()


def _findings(name: Name, grams: set[str]) -> Iterator[Finding]:
    row = f"{name.pk} {name}"
    if not name.is_alias and name.text != name.tag.text:
        yield mismatch(TABLE, row, "text", name.text, name.tag.text)
    if name.text.partition("/")[0] != name.namespace.name:
        yield mismatch(TABLE, row, "namespace", name.namespace.name, name.text.partition("/")[0])
    if name.folded != fold_name(name.text):
        yield mismatch(TABLE, row, "folded", name.folded, fold_name(name.text))
    if grams != trigrams(name.folded):
        wrong = sorted(grams ^ trigrams(name.folded))
        yield Finding(
            Gram._meta.db_table, row, f"grams {wrong} are missing or extra", "those of its name"
        )


def _counts() -> Iterator[Finding]:
    """Yield grams whose stored number of names is wrong."""
    stored = dict(GramCount.objects.values_list("text", "names"))
    grams = dict(Gram.objects.values_list("text").annotate(names=Count("pk")).order_by())
    for text in sorted(stored.keys() | grams.keys()):
        if stored.get(text, 0) != grams.get(text, 0):
            table = GramCount._meta.db_table
            yield mismatch(table, text, "names", stored.get(text, 0), grams.get(text, 0))
