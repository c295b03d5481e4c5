"""Writes the search index of published versions: entries, attributes and terms."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

from registry.domain.document import Json, canonical
from registry.domain.kinds.kinds import HARDWARE
from registry.domain.proofs import Compiler, building_compilers
from registry.domain.search.attributes import (
    IndexedValue as Value,
    attributes,
    compiler_attributes,
    is_hardware,
    searchable_attributes,
    target_facts,
)
from registry.domain.search.list_columns import place_of
from registry.domain.search.search_terms import Terms, name_terms, tag_terms, with_machine_names
from registry.models import Attribute, Entry, Name, Status, Tag, Version
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.models.row_insertion import delete_rows, insert_instances, insert_rows
from registry.models.search_index import MAX_NAME, MAX_POINTER, MAX_TEXT
from registry.services.core import shipped_facts
from registry.services.core.transactions import write_lock
from registry.services.kinds import kinds
from registry.services.kinds.kinds import CurrentKinds
from registry.services.search import term_index, totals
from registry.services.search.facets import CATEGORY_POINTER
from registry.services.search.totals import StoredValues

MAX_KNOWN = 4096  # targets of which it is known what builds them; the catalogue has 3,866

ATTRIBUTE_COLUMNS = ("tag_id", *Value._fields)

# By the tag's primary key; of a tag whose versions are all yanked, neither.
NewestTargets = Mapping[int, tuple[Version | None, dict[str, Any]]]
CompilersOf = Callable[[Mapping[str, Json]], Sequence[Compiler]]


@dataclass(frozen=True, slots=True)
class IndexedTag:
    """The search index rows of one tag."""

    entry: Entry
    attributes: tuple[Value, ...]
    terms: Terms


def index_versions(
    targets: Mapping[Version, dict[str, Any]], new_tags: Collection[int], current: CurrentKinds
) -> None:
    """Index versions that were just published, each of which is its tag's newest, with its target.

    `new_tags` holds the primary keys of tags that had no version before; for these it takes only
    the insertions. Call under the write lock, with the kinds in force.
    """
    compilers_of = _compilers_of(current)
    rows = [
        _row(version.tag, version, target, (), compilers_of, is_deprecated=False)
        for version, target in targets.items()
        if version.tag_id in new_tags
    ]
    insert_instances(row.entry for row in rows)
    insert_rows(Attribute, ATTRIBUTE_COLUMNS, _attribute_rows(rows))
    term_index.insert_terms({row.entry.pk: row.terms for row in rows})
    changes = totals.Changes()
    for row in rows:
        changes.count(row.entry, row.attributes)
    changes.store()
    others = {
        version.tag_id: (version, target)
        for version, target in targets.items()
        if version.tag_id not in new_tags
    }
    for batch in totals.batches(list(others)):
        _reindex({tag: others[tag] for tag in batch}, compilers_of)


def reindex_tags(tags: Collection[int]) -> None:
    """Recompute the index of some tags. Call under the write lock.

    A query, and for each 500 tags seven and the insertions, three more if terms change.
    """
    compilers_of = _compilers_of(kinds.current_kinds())
    for batch in totals.batches(list(tags)):
        _reindex(newest_targets(batch), compilers_of)


def _reindex(newest: NewestTargets, compilers_of: CompilersOf) -> None:
    """Recompute the index of some tags and their totals."""
    stored, changes = totals.stored_values(newest), totals.Changes()
    for entry in totals.stored_entries(newest):
        changes.count(entry, stored[entry.pk].values(), -1)
    for row in _replace(newest, stored, compilers_of):
        changes.count(row.entry, row.attributes)
    changes.store()


def _replace(
    newest: NewestTargets, stored: StoredValues, compilers_of: CompilersOf
) -> list[IndexedTag]:
    """Compute and store the index of some tags in place of what is stored, and return it."""
    rows = _compute_rows(newest, compilers_of)
    insert_instances((row.entry for row in rows), replacing_by="tag_id")
    _replace_attributes(rows, stored)
    term_index.replace_terms({row.entry.pk: row.terms for row in rows})
    return rows


def index_status(tags: Collection[int], *, is_deprecated: bool) -> None:
    """Store whether tags are deprecated; nothing else of their index depends on it.

    Three queries and those of the totals. Call under the write lock.
    """
    status, changes = _status(is_deprecated=is_deprecated), totals.Changes()
    stored = totals.stored_values(tags)
    for entry in totals.stored_entries(tags):
        if entry.version_id:
            changes.count(entry, stored[entry.pk].values(), -1)
            entry.status = status
            changes.count(entry, stored[entry.pk].values())
    Entry.objects.filter(tag__in=tags, version__isnull=False).update(status=status)
    changes.store()


def _status(*, is_deprecated: bool | None) -> Status:
    """Return the status of a tag that has a version to offer."""
    return Status.DEPRECATED if is_deprecated else Status.ACTIVE


def _attribute_rows(rows: Iterable[IndexedTag]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `ATTRIBUTE_COLUMNS` for each attribute."""
    for row in rows:
        for value in row.attributes:
            yield row.entry.pk, *value


def _replace_attributes(rows: Iterable[IndexedTag], stored: StoredValues) -> None:
    """Store the attributes of tags in place of others, of which a new version keeps most."""
    new = dict.fromkeys(_attribute_rows(rows))
    others = []
    for tag, values in stored.items():
        for pk, value in values.items():
            row = (tag, *value)
            if row in new:
                del new[row]
            else:
                others.append(pk)
    delete_rows(Attribute, others)
    insert_rows(Attribute, ATTRIBUTE_COLUMNS, new)


def compute_index(tags: Collection[int]) -> list[IndexedTag]:
    """Return the index rows of some tags, by their primary keys. Five queries."""
    return _compute_rows(newest_targets(tags), _compilers_of(kinds.current_kinds()))


def newest_targets(tags: Collection[int]) -> NewestTargets:
    """Return the newest version of tags with its target; of a tag that has none, None.

    Two queries.
    """
    newest = Version.objects.newest_of(tags, "kind", "published")
    pks = [version.pk for version in newest.values()]
    targets = dict(Version.objects.filter(pk__in=pks).values_list("tag", "target"))
    return {
        tag: (newest.get(tag), json.loads(targets[tag]) if tag in targets else {}) for tag in tags
    }


_tags: PreparedQuery[Tag] = PreparedQuery(
    lambda: Tag.objects.filter(pk__among=PLACEHOLDER).with_deprecation().order_by("pk")
)
_aliases: PreparedQuery[Name] = PreparedQuery(
    lambda: (
        Name.objects.filter(tag__among=PLACEHOLDER, is_alias=True).only("text", "tag").order_by()
    )
)


def _compute_rows(newest: NewestTargets, compilers_of: CompilersOf) -> list[IndexedTag]:
    """Return the index rows of some tags with the newest version of each. Two queries."""
    aliases: dict[int, list[str]] = defaultdict(list)
    for name in _aliases(newest):
        aliases[name.tag_id].append(name.text)
    return [
        _row(tag, *newest[tag.pk], aliases[tag.pk], compilers_of, is_deprecated=tag.last_deprecated)
        for tag in _tags(newest)
    ]


@lru_cache(maxsize=1)  # the kinds in force
def _compilers_of(current: CurrentKinds) -> CompilersOf:
    """Return the function from a target to the compilers that build it.

    It looks once at targets that differ only in facts of the hardware, which no compiler reads.
    """
    facts = shipped_facts.compiler_facts()

    @lru_cache(maxsize=MAX_KNOWN)
    def read(text: bytes) -> Sequence[Compiler]:
        return tuple(building_compilers(json.loads(text), current.kinds, facts))

    def compilers_of(target: Mapping[str, Json]) -> Sequence[Compiler]:
        return read(canonical({name: target[name] for name in target if name != HARDWARE}))

    return compilers_of


def is_complete() -> bool:
    """Return whether every tag has an entry. Two counts."""
    return Entry.objects.count() == Tag.objects.count()


def rebuild_index(report: Callable[[int, int], None] = lambda _done, _total: None) -> int:
    """Recompute the whole index in batches, then its totals, and return the number of tags.

    Other writes may happen between batches.
    """
    tags = list(Tag.objects.order_by("pk").values_list("pk", flat=True))
    compilers_of = _compilers_of(kinds.current_kinds())
    done = 0
    for batch in totals.batches(tags):
        with write_lock():
            _replace(newest_targets(batch), totals.stored_values(batch), compilers_of)
        done += len(batch)
        report(done, len(tags))
    totals.rebuild()
    return done


def _row(
    tag: Tag,
    version: Version | None,
    target: dict[str, Any],
    aliases: Iterable[str],
    compilers_of: CompilersOf,
    *,
    is_deprecated: bool | None,
) -> IndexedTag:
    facts, values = target_facts(target), attributes(target)
    category = next((value.text for value in values if value.pointer == CATEGORY_POINTER), "")
    entry = Entry(
        tag_id=tag.pk,
        text=tag.text,
        namespace_id=tag.namespace_id,
        version_id=version.pk if version else None,
        kind=facts.kind,
        vendor=facts.vendor[:MAX_NAME],
        arch=facts.arch[:MAX_NAME],
        family=facts.family[:MAX_NAME],
        place=place_of(category, is_family=tag.is_family),
        status=_status(is_deprecated=is_deprecated) if version else Status.YANKED,
        published=version.published.date() if version else None,
        leaves=len({value.pointer for value in values if not is_hardware(value.pointer)}),
    )
    rows = tuple(
        value
        for value in searchable_attributes(values)
        if len(value.pointer) <= MAX_POINTER
        and len(value.name) <= MAX_NAME
        and len(value.text) <= MAX_TEXT
    )
    terms = tag_terms(tag.text, rows, vendor=entry.vendor, arch=entry.arch)
    terms = with_machine_names(terms, shipped_facts.machine_names().names.get(tag.text, ()))
    for alias in aliases:
        terms = terms.union(name_terms(alias))
    return IndexedTag(entry, (*rows, *compiler_attributes(compilers_of(target))), terms)


def add_names(names: Iterable[Name]) -> None:
    """Add new aliases to the terms of their tags. Call under the write lock."""
    aliases: dict[int, list[Terms]] = defaultdict(list)
    for name in names:
        aliases[name.tag_id].append(name_terms(name.text))
    stored = term_index.stored_weights(aliases)
    term_index.replace_terms(
        {
            tag: reduce(Terms.union, added, Terms(stored[tag], frozenset()))
            for tag, added in aliases.items()
        }
    )
