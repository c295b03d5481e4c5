"""Rebuilds the derived tables, and gives the space of deleted rows back."""

from __future__ import annotations

from django.db import connection

from registry.models import Attribute, Entry, GroupTotal, Posting, Term, TermGram, Total, ValueTotal
from registry.services.core.transactions import write_lock
from registry.services.operations.backups import Report, no_progress
from registry.services.search import indexing

REBUILT = (Attribute, Entry, Posting, Term, TermGram, Total, ValueTotal, GroupTotal)


def rebuild_derived(report: Report = no_progress) -> int:
    """Rebuild the search index and its totals in one transaction; return the number of tags."""
    with write_lock():
        for model in (Posting, TermGram, Term):
            model.objects.all().delete()
        return indexing.rebuild_index(lambda done, total: report("search entries", done, total))


def rewrite_file() -> bool:
    """Write SQLite's database file again without deleted rows; return whether readers delay that.

    Call outside any transaction. Other writes wait meanwhile.
    """
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        is_busy, *_ = cursor.fetchone()
    return bool(is_busy)


def release_rebuilt() -> None:
    """Give back the space of the derived rows before a rebuild. Call outside any transaction.

    PostgreSQL keeps it for later rows: giving it to the file system would block all readers, so
    the operator chooses the time.
    """
    if connection.vendor != "postgresql":
        rewrite_file()
        return
    tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in REBUILT)
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {tables}")
