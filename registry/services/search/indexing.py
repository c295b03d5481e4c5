"""What search looks at, computed from what is published: entries and attributes of tags."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from registry.domain.attributes import attributes, is_hardware, searchable_attributes, target_facts
from registry.models import Attribute, Entry, Status, Tag, Version
from registry.models.search_index import MAX_NAME, MAX_POINTER, MAX_TEXT
from registry.services.core.transactions import write_lock

BATCH = 500  # tags computed at a time: some 10,000 attributes
ROWS = 5000  # attributes written at a time

COLUMNS = ("version", "kind", "vendor", "arch", "family", "status", "leaves")


@dataclass(frozen=True, slots=True)
class IndexedTag:
    """What search should look at for one tag."""

    entry: Entry
    attributes: tuple[Attribute, ...]


def index_version(version: Version, target: dict[str, Any], *, is_first: bool) -> None:
    """Enter what has just been published: a new version is always its tag's newest.

    Two queries for a tag's first version. Call inside `exclusive`.
    """
    if not is_first:
        reindex_tags([version.tag_id])
        return
    row = _row(version.tag, version, target, is_deprecated=False)
    row.entry.save(force_insert=True)
    Attribute.objects.bulk_create(row.attributes, batch_size=ROWS)


def reindex_tags(tags: Collection[int]) -> None:
    """Write anew what search looks at for some tags. Call inside `exclusive`.

    Four queries and the insertions for each 500 tags.
    """
    for batch in _batches(list(tags)):
        rows = compute_index(batch)
        Attribute.objects.filter(tag__in=batch).delete()
        Entry.objects.bulk_create(
            (row.entry for row in rows),
            update_conflicts=True,
            unique_fields=["tag"],
            update_fields=COLUMNS,
        )
        found = [attribute for row in rows for attribute in row.attributes]
        Attribute.objects.bulk_create(found, batch_size=ROWS)


def compute_index(tags: Collection[int]) -> list[IndexedTag]:
    """What search should look at for some tags, by their primary keys. Three queries."""
    newest = Version.objects.newest_of(tags, "kind")
    pks = [version.pk for version in newest.values()]
    targets = dict(Version.objects.filter(pk__in=pks).values_list("tag", "target"))
    known = Tag.objects.with_deprecation().filter(pk__in=tags).order_by("pk")
    return [
        _row(
            tag,
            newest.get(tag.pk),
            json.loads(targets.get(tag.pk, "{}")),
            is_deprecated=bool(tag.last_deprecated),
        )
        for tag in known
    ]


def is_complete() -> bool:
    """Whether every tag has its entry. Two counts."""
    return Entry.objects.count() == Tag.objects.count()


def rebuild_index(report: Callable[[int, int], None] = lambda _done, _total: None) -> int:
    """Compute everything anew, a batch at a time; how many tags there are.

    Other writes go on between the batches: each batch is right when it is written.
    """
    tags = list(Tag.objects.order_by("pk").values_list("pk", flat=True))
    done = 0
    for batch in _batches(tags):
        with write_lock():
            reindex_tags(batch)
        done += len(batch)
        report(done, len(tags))
    return done


def _batches(tags: list[int]) -> Iterator[list[int]]:
    for at in range(0, len(tags), BATCH):
        yield tags[at : at + BATCH]


def _row(
    tag: Tag, version: Version | None, target: dict[str, Any], *, is_deprecated: bool
) -> IndexedTag:
    known, values = target_facts(target), attributes(target)
    status = Status.DEPRECATED if is_deprecated else Status.ACTIVE
    entry = Entry(
        tag=tag,
        text=tag.text,
        namespace_id=tag.namespace_id,
        version=version,
        kind=known.kind,
        vendor=known.vendor[:MAX_NAME],
        arch=known.arch[:MAX_NAME],
        family=known.family[:MAX_NAME],
        status=status if version else Status.YANKED,
        leaves=len({each.pointer for each in values if not is_hardware(each.pointer)}),
    )
    kept = tuple(
        Attribute(
            tag_id=tag.pk,
            pointer=each.pointer,
            name=each.name,
            text=each.text,
            number=each.number,
        )
        for each in searchable_attributes(values)
        if len(each.pointer) <= MAX_POINTER
        and len(each.name) <= MAX_NAME
        and len(each.text) <= MAX_TEXT
    )
    return IndexedTag(entry, kept)
