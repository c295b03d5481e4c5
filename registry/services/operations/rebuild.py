"""Rebuilds the derived tables."""

from __future__ import annotations

from itertools import islice

from registry.domain.name_folding import trigrams
from registry.models import Gram, Name
from registry.services.core.transactions import write_lock
from registry.services.operations.backups import BATCH_SIZE, Report, no_progress
from registry.services.search import indexing, name_index


def rebuild_derived(report: Report = no_progress) -> int:
    """Rebuild the search index in one transaction; return the number of tags."""
    with write_lock():
        _index_names(report)
        return indexing.rebuild_index(lambda done, total: report("search entries", done, total))


def _index_names(report: Report) -> None:
    """Index every name, 500 per query."""
    Gram.objects.all().delete()
    done, total = 0, Name.objects.count()
    names = Name.objects.order_by("pk").iterator(chunk_size=BATCH_SIZE)
    while batch := list(islice(names, BATCH_SIZE)):
        Gram.objects.bulk_create(
            Gram(name=name, text=text) for name in batch for text in sorted(trigrams(name.folded))
        )
        done += len(batch)
        report("names", done, total)
    name_index.rebuild_counts()
