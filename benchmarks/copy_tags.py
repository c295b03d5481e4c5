"""Repeat the loaded catalogue under other names, up to a number of tags.

    python -m benchmarks.copy_tags 100000   in the database configured in the environment

The copies of `nvidia/l4` are `nvidia/l4-1b`, `nvidia/l4-2b` and so on, with the same targets, so
that words are as frequent, and in the same places, as in real tags. The database copies the rows;
only names and their terms are computed. Nothing was published: there are no events, lints and
withdrawals, so that `verify` misses them, but it finds the search index as it should be.
"""

from __future__ import annotations

import os
import sys
import time
from itertools import chain, count, islice
from typing import Any

from benchmarks.environments import print_line

BATCH = 5_000  # tags copied at a time


def main(total: int) -> None:
    """Fill the database up to this number of tags; if it has more, they stay."""
    import django  # noqa: PLC0415 - needs a database

    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    from django.db import connection  # noqa: PLC0415 - after django.setup()

    from registry.models import Tag  # noqa: PLC0415

    start = time.process_time()
    originals = list(Tag.objects.order_by("pk").values_list("pk", flat=True))
    missing = max(0, total - len(originals))
    batches = _Batches(originals if missing else [])
    copies = ((pk, number) for number in count(1) for pk in originals)
    while batch := list(islice(copies, min(BATCH, missing))):
        batches.insert(batch)
        missing -= len(batch)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # autovacuum would run it soon
    print_line(f"{total:,} tags after {time.process_time() - start:.0f} s of processor time")


class _Batches:
    """Inserts copies of tags, whose index is read once."""

    def __init__(self, originals: list[int]) -> None:
        from registry.models import Status, Tag  # noqa: PLC0415 - after django.setup()
        from registry.services.search import totals  # noqa: PLC0415

        self.tags = Tag.objects.in_bulk(originals)
        self.entries = {entry.pk: entry for entry in totals.stored_entries(originals)}
        for entry in self.entries.values():
            entry.status = Status.ACTIVE if entry.version_id else Status.YANKED
        self.values = totals.stored_values(originals)

    def insert(self, copies: list[tuple[int, int]]) -> None:
        """Copy tags, each with its newest version. A copy has the number of its round."""
        from registry.models import Attribute, Entry, Tag, Version  # noqa: PLC0415
        from registry.models.row_insertion import insert_instances  # noqa: PLC0415
        from registry.services.core.transactions import write_lock  # noqa: PLC0415

        with write_lock():
            tags = insert_instances(
                Tag(
                    text=f"{self.tags[pk].text}-{number}b",
                    namespace_id=self.tags[pk].namespace_id,
                    is_family=self.tags[pk].is_family,
                )
                for pk, number in copies
            )
            rows = [(pk, tag, self.entries[pk]) for (pk, _), tag in zip(copies, tags, strict=True)]
            _insert_names(tags)
            _list_copies([(pk, tag.pk, tag.text, entry.version_id) for pk, tag, entry in rows])
            _copy_rows(Version, "id", "version", tag_id="copy")
            version = "(SELECT id FROM registry_version WHERE tag_id = copy)"
            status = "CASE status WHEN 'yanked' THEN status ELSE 'active' END"
            entries = {"text": "name", "version_id": version, "status": status}
            _copy_rows(Entry, "tag_id", "original", tag_id="copy", **entries)
            _copy_rows(Attribute, "tag_id", "original", tag_id="copy")
            self._index(rows)

    def _index(self, rows: list[tuple[int, Any, Any]]) -> None:
        """Insert the terms of copies, and count them."""
        from registry.domain.search.search_terms import tag_terms  # noqa: PLC0415
        from registry.services.search import term_index, totals  # noqa: PLC0415

        values = {pk: list(self.values[pk].values()) for pk, *_ in rows}
        changes = totals.Changes()
        terms = {}
        for pk, tag, entry in rows:
            changes.count(entry, values[pk])
            terms[tag.pk] = tag_terms(tag.text, values[pk], vendor=entry.vendor, arch=entry.arch)
        changes.store()
        totals.add_versions(tag for _, tag, entry in rows if entry.version_id)
        term_index.insert_terms(terms)


def _insert_names(tags: list[Any]) -> None:
    from registry.domain.names.name_folding import fold_name  # noqa: PLC0415
    from registry.models import Name  # noqa: PLC0415
    from registry.models.row_insertion import insert_instances  # noqa: PLC0415

    insert_instances(
        Name(
            text=tag.text,
            tag=tag,
            namespace_id=tag.namespace_id,
            folded=fold_name(tag.text),
            is_alias=False,
        )
        for tag in tags
    )


def _list_copies(rows: list[tuple[Any, ...]]) -> None:
    """Say in a temporary table what `_copy_rows` copies."""
    from django.db import connection  # noqa: PLC0415

    columns = "original integer, copy integer, name text, version integer"
    places = ", ".join(["(%s, %s, %s, %s)"] * len(rows))
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE IF NOT EXISTS copies ({columns})")
        cursor.execute("DELETE FROM copies")
        cursor.execute(f"INSERT INTO copies VALUES {places}", list(chain.from_iterable(rows)))  # noqa: S608


def _copy_rows(model: Any, key: str, copied: str, **others: str) -> None:
    """Copy the rows whose column `key` is in a column of `copies`; but for the other columns."""
    from django.db import connection  # noqa: PLC0415

    table = model._meta.db_table
    fields = [field for field in model._meta.concrete_fields if field is not model._meta.auto_field]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(others.get(field.column, f'{table}."{field.column}"') for field in fields)
    source = f"{table} JOIN copies ON {table}.{key} = copies.{copied}"
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({columns}) SELECT {values} FROM {source}")  # noqa: S608


if __name__ == "__main__":
    main(int(sys.argv[1]))
