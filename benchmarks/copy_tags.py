"""Repeat the loaded catalogue under other names, up to a number of tags.

    python -m benchmarks.copy_tags 100000   in the database configured in the environment

The copies of `nvidia/l4` are `nvidia/l4-1b`, `nvidia/l4-2b` and so on, with the same targets, so
that words are as frequent, and in the same places, as in real tags. Rows are inserted through
the models without validation; the services index them.
"""

from __future__ import annotations

import os
import sys
import time
from itertools import count, islice

from benchmarks.environments import print_line

BATCH = 2_000  # tags copied at a time


def main(total: int) -> None:
    """Fill the database up to this number of tags; if it has more, they stay."""
    import django  # noqa: PLC0415 - needs a database

    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    from django.db import connection  # noqa: PLC0415 - after django.setup()

    from registry.models import Tag  # noqa: PLC0415
    from registry.services.search import indexing  # noqa: PLC0415

    start = time.process_time()
    originals = list(Tag.objects.order_by("pk").values_list("pk", flat=True))
    missing = max(0, total - len(originals))
    copies = ((pk, number) for number in count(1) for pk in originals)
    while batch := list(islice(copies, min(BATCH, missing))):
        _insert(batch)
        missing -= len(batch)
    indexing.rebuild_index()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # autovacuum would run it soon
    print_line(f"{total:,} tags after {time.process_time() - start:.0f} s of processor time")


def _insert(copies: list[tuple[int, int]]) -> None:
    """Copy tags, each with its name and its newest version. A copy has the number of its round."""
    from django.db import transaction  # noqa: PLC0415 - after django.setup()

    from registry.domain.names.name_folding import fold_name  # noqa: PLC0415
    from registry.models import Name, Tag, Version  # noqa: PLC0415

    originals = Tag.objects.in_bulk({pk for pk, _ in copies})
    newest = Version.objects.newest_of(originals)
    versions = Version.objects.in_bulk([version.pk for version in newest.values()])
    by_tag = {version.tag_id: version for version in versions.values()}
    with transaction.atomic():
        tags = Tag.objects.bulk_create(
            Tag(
                text=f"{originals[pk].text}-{number}b",
                namespace_id=originals[pk].namespace_id,
                is_family=originals[pk].is_family,
            )
            for pk, number in copies
        )
        Name.objects.bulk_create(
            Name(
                text=tag.text,
                tag=tag,
                namespace_id=tag.namespace_id,
                folded=fold_name(tag.text),
                is_alias=False,
            )
            for tag in tags
        )
        rows = []
        for tag, (pk, _) in zip(tags, copies, strict=True):
            if version := by_tag.get(pk):
                fields = {
                    field.attname: getattr(version, field.attname)
                    for field in Version._meta.concrete_fields
                    if not field.primary_key
                }
                rows.append(Version(**fields | {"tag_id": tag.pk}))
        Version.objects.bulk_create(rows)


if __name__ == "__main__":
    main(int(sys.argv[1]))
