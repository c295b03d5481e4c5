"""Checks of names: every tag has one, folded for search."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.names.name_folding import fold_name
from registry.models import Name, Tag
from registry.services.operations.verification import Finding, Progress, in_batches, mismatch

TABLE = Name._meta.db_table


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of names. One query per 500 names, and one more."""
    for tag in Tag.objects.exclude(names__is_alias=False):
        row = f"{tag.pk} {tag}"
        yield Finding(Tag._meta.db_table, row, "the tag has no name of its own", str(tag))
    names = Name.objects.select_related("tag", "namespace").order_by("pk")
    for batch in in_batches(names, progress):
        for name in batch:
            yield from _findings(name)


def _findings(name: Name) -> Iterator[Finding]:
    row = f"{name.pk} {name}"
    if not name.is_alias and name.text != name.tag.text:
        yield mismatch(TABLE, row, "text", name.text, name.tag.text)
    if name.text.partition("/")[0] != name.namespace.name:
        yield mismatch(TABLE, row, "namespace", name.namespace.name, name.text.partition("/")[0])
    if name.folded != fold_name(name.text):
        yield mismatch(TABLE, row, "folded", name.folded, fold_name(name.text))
