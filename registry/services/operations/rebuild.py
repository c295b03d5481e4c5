"""Rebuilds the derived tables."""

from __future__ import annotations

from registry.models import Posting, Term, TermGram
from registry.services.core.transactions import write_lock
from registry.services.operations.backups import Report, no_progress
from registry.services.search import indexing


def rebuild_derived(report: Report = no_progress) -> int:
    """Rebuild the search index and its totals in one transaction; return the number of tags."""
    with write_lock():
        for model in (Posting, TermGram, Term):
            model.objects.all().delete()
        return indexing.rebuild_index(lambda done, total: report("search entries", done, total))
