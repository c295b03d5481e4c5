"""Everything that is computed from what is stored: derived anew, after restoring or on request."""

from __future__ import annotations

from itertools import islice

from registry.domain.names import grams
from registry.models import Gram, Name
from registry.services.operation.archiving import BATCH, Report, silent
from registry.services.search import indexing, spelling
from registry.services.writing import exclusive


def derive(report: Report = silent) -> int:
    """Compute what search looks at anew, all of it in one write; how many tags there are."""
    with exclusive():
        _index_names(report)
        return indexing.rebuild(lambda done, total: report("search entries", done, total))


def _index_names(report: Report) -> None:
    """Enter every name into the index, 500 with one query."""
    Gram.objects.all().delete()
    done, total = 0, Name.objects.count()
    names = Name.objects.order_by("pk").iterator(chunk_size=BATCH)
    while batch := list(islice(names, BATCH)):
        Gram.objects.bulk_create(
            Gram(name=name, text=text) for name in batch for text in sorted(grams(name.folded))
        )
        done += len(batch)
        report("names", done, total)
    spelling.count_anew()
