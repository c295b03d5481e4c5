"""Computes the search index, the entries and attributes of tags, from published versions."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from registry.domain.attributes import attributes, is_hardware, searchable_attributes, target_facts
from registry.models import Attribute, Entry, Status, Tag, Version
from registry.models.search_index import MAX_NAME, MAX_POINTER, MAX_TEXT
from registry.services.core.transactions import write_lock

BATCH = 500  # tags computed at a time, with about 10,000 attributes
INSERT_BATCH = 5000  # attributes inserted at a time

COLUMNS = ("version", "kind", "vendor", "arch", "family", "status", "leaves")


@dataclass(frozen=True, slots=True)
class IndexedTag:
    """The search index rows of one tag."""

    entry: Entry
    attributes: tuple[Attribute, ...]


def index_version(version: Version, target: dict[str, Any], *, is_first: bool) -> None:
    """Index a version that was just published, which is always its tag's newest.

    Two queries for a tag's first version. Call under the write lock.
    """
    if not is_first:
        reindex_tags([version.tag_id])
        return
    row = _row(version.tag, version, target, is_deprecated=False)
    row.entry.save(force_insert=True)
    Attribute.objects.bulk_create(row.attributes, batch_size=INSERT_BATCH)


def reindex_tags(tags: Collection[int]) -> None:
    """Recompute the index of some tags. Call under the write lock.

    Four queries and the insertions per 500 tags.
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
        attributes = [attribute for row in rows for attribute in row.attributes]
        Attribute.objects.bulk_create(attributes, batch_size=INSERT_BATCH)


def compute_index(tags: Collection[int]) -> list[IndexedTag]:
    """Return the index rows of some tags, by their primary keys. Three queries."""
    newest = Version.objects.newest_of(tags, "kind")
    pks = [version.pk for version in newest.values()]
    targets = dict(Version.objects.filter(pk__in=pks).values_list("tag", "target"))
    rows = Tag.objects.with_deprecation().filter(pk__in=tags).order_by("pk")
    return [
        _row(
            tag,
            newest.get(tag.pk),
            json.loads(targets.get(tag.pk, "{}")),
            is_deprecated=bool(tag.last_deprecated),
        )
        for tag in rows
    ]


def is_complete() -> bool:
    """Return whether every tag has an entry. Two counts."""
    return Entry.objects.count() == Tag.objects.count()


def rebuild_index(report: Callable[[int, int], None] = lambda _done, _total: None) -> int:
    """Recompute the whole index in batches, and return the number of tags.

    Other writes may happen between batches.
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
    for start in range(0, len(tags), BATCH):
        yield tags[start : start + BATCH]


def _row(
    tag: Tag, version: Version | None, target: dict[str, Any], *, is_deprecated: bool
) -> IndexedTag:
    facts, values = target_facts(target), attributes(target)
    status = Status.DEPRECATED if is_deprecated else Status.ACTIVE
    entry = Entry(
        tag=tag,
        text=tag.text,
        namespace_id=tag.namespace_id,
        version=version,
        kind=facts.kind,
        vendor=facts.vendor[:MAX_NAME],
        arch=facts.arch[:MAX_NAME],
        family=facts.family[:MAX_NAME],
        status=status if version else Status.YANKED,
        leaves=len({value.pointer for value in values if not is_hardware(value.pointer)}),
    )
    rows = tuple(
        Attribute(
            tag_id=tag.pk,
            pointer=value.pointer,
            name=value.name,
            text=value.text,
            number=value.number,
        )
        for value in searchable_attributes(values)
        if len(value.pointer) <= MAX_POINTER
        and len(value.name) <= MAX_NAME
        and len(value.text) <= MAX_TEXT
    )
    return IndexedTag(entry, rows)
