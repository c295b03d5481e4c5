"""Writes the search index of published versions: entries, attributes, terms, the vocabulary."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
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
from registry.domain.search.machine_order import place_of
from registry.domain.search.search_terms import (
    Terms,
    name_terms,
    tag_terms,
    with_machine_names,
)
from registry.models import Attribute, Entry, Name, Posting, Status, Tag, Term, TermGram, Version
from registry.models.planner_hints import OneOf
from registry.models.row_insertion import insert_instances, insert_rows
from registry.models.search_index import MAX_NAME, MAX_POINTER, MAX_TEXT
from registry.services.core import shipped_facts
from registry.services.core.transactions import write_lock
from registry.services.kinds import kinds
from registry.services.kinds.kinds import CurrentKinds
from registry.services.search import totals
from registry.services.search.facets import CATEGORY_POINTER
from registry.services.search.spelling import is_correctable, word_grams

BATCH = 500  # tags computed at a time, with about 10,000 attributes
MAX_KNOWN = 4096  # targets of which it is known what builds them; the catalogue has 3,866

ATTRIBUTE_COLUMNS = ("tag_id", *Value._fields)
POSTING_COLUMNS = ("tag_id", "term", "weight")

NewestTargets = Mapping[int, tuple[Version, dict[str, Any]]]  # by the tag's primary key


@dataclass(frozen=True, slots=True)
class IndexedTag:
    """The search index rows of one tag."""

    entry: Entry
    attributes: tuple[Value, ...]
    terms: Terms


def index_versions(targets: Mapping[Version, dict[str, Any]], new_tags: Collection[int]) -> None:
    """Index versions that were just published, each of which is its tag's newest, with its target.

    `new_tags` holds the primary keys of tags that had no version before; for these it takes only
    the insertions. One query for the kinds. Call under the write lock.
    """
    compilers_of = _building_compilers()
    rows = [
        _row(version.tag, version, target, (), compilers_of(target), is_deprecated=False)
        for version, target in targets.items()
        if version.tag_id in new_tags
    ]
    insert_instances(row.entry for row in rows)
    insert_rows(Attribute, ATTRIBUTE_COLUMNS, _attribute_rows(rows))
    insert_terms({row.entry.pk: row.terms for row in rows})
    changes = totals.Changes()
    for row in rows:
        changes.count(row.entry, row.attributes)
    changes.store()
    others = {
        version.tag_id: (version, target)
        for version, target in targets.items()
        if version.tag_id not in new_tags
    }
    for batch in _batches(list(others)):
        _reindex(batch, {tag: others[tag] for tag in batch})


def reindex_tags(tags: Collection[int]) -> None:
    """Recompute the index of some tags. Call under the write lock.

    Nine queries and the insertions per 500 tags, three more if terms change.
    """
    for batch in _batches(list(tags)):
        _reindex(batch, newest_targets(batch))


def _reindex(batch: Collection[int], newest: NewestTargets) -> None:
    """Recompute the index of some tags and their totals."""
    changes = totals.Changes()
    for entry, values in totals.indexed_values(batch):
        changes.count(entry, values, -1)
    for row in _replace(batch, newest):
        changes.count(row.entry, row.attributes)
    changes.store()


def _replace(batch: Collection[int], newest: NewestTargets) -> list[IndexedTag]:
    """Compute and store the index of some tags, and return it."""
    rows = compute_rows(batch, newest)
    insert_instances((row.entry for row in rows), replacing_by="tag_id")
    _replace_attributes(rows)
    replace_terms({row.entry.pk: row.terms for row in rows})
    return rows


def index_status(tags: Collection[int], *, is_deprecated: bool) -> None:
    """Store whether tags are deprecated; nothing else of their index depends on it.

    Three queries and those of the totals. Call under the write lock.
    """
    status, changes = _status(is_deprecated=is_deprecated), totals.Changes()
    for entry, values in totals.indexed_values(tags):
        if entry.version_id:
            changes.count(entry, values, -1)
            entry.status = status
            changes.count(entry, values)
    Entry.objects.filter(tag__in=tags, version__isnull=False).update(status=status)
    changes.store()


def _status(*, is_deprecated: bool) -> Status:
    """Return the status of a tag that has a version to offer."""
    return Status.DEPRECATED if is_deprecated else Status.ACTIVE


def _attribute_rows(rows: Iterable[IndexedTag]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `ATTRIBUTE_COLUMNS` for each attribute."""
    for row in rows:
        for value in row.attributes:
            yield row.entry.pk, *value


def _replace_attributes(rows: Collection[IndexedTag]) -> None:
    """Store the attributes of tags in place of others, of which a new version keeps most."""
    new = dict.fromkeys(_attribute_rows(rows))
    others = []
    stored = Attribute.objects.filter(OneOf("tag", [row.entry.pk for row in rows]))
    for pk, *values in stored.values_list("pk", *ATTRIBUTE_COLUMNS):
        if tuple(values) in new:
            del new[tuple(values)]
        else:
            others.append(pk)
    if others:
        Attribute.objects.filter(OneOf("pk", others)).delete()
    insert_rows(Attribute, ATTRIBUTE_COLUMNS, new)


def compute_index(tags: Collection[int]) -> list[IndexedTag]:
    """Return the index rows of some tags, by their primary keys. Five queries."""
    return compute_rows(tags, newest_targets(tags))


def newest_targets(tags: Collection[int]) -> NewestTargets:
    """Return the newest version of each tag that has one, with its target. Two queries."""
    newest = Version.objects.newest_of(tags, "kind", "published")
    pks = [version.pk for version in newest.values()]
    targets = dict(Version.objects.filter(pk__in=pks).values_list("tag", "target"))
    return {tag: (version, json.loads(targets[tag])) for tag, version in newest.items()}


def compute_rows(tags: Collection[int], newest: NewestTargets) -> list[IndexedTag]:
    """Return the index rows of some tags with the newest version of each. Three queries."""
    compilers_of = _building_compilers()
    rows = Tag.objects.with_deprecation().filter(pk__in=tags).order_by("pk")
    aliases: dict[int, list[str]] = defaultdict(list)
    names = Name.objects.filter(tag__in=tags, is_alias=True)
    for pk, text in names.values_list("tag", "text"):
        aliases[pk].append(text)
    indexed = []
    for tag in rows:
        version, target = newest.get(tag.pk, (None, {}))
        is_deprecated = bool(tag.last_deprecated)
        compilers = compilers_of(target)
        indexed.append(
            _row(tag, version, target, aliases[tag.pk], compilers, is_deprecated=is_deprecated)
        )
    return indexed


def _building_compilers() -> Callable[[Mapping[str, Json]], Sequence[Compiler]]:
    """Return the function from a target to the compilers that build it. One query.

    It looks once at targets that differ only in facts of the hardware, which no compiler reads.
    """
    compilers_of = _compilers_by_text(kinds.current_kinds())
    return lambda target: compilers_of(
        canonical({name: value for name, value in target.items() if name != HARDWARE})
    )


@lru_cache(maxsize=1)  # the kinds in force
def _compilers_by_text(current: CurrentKinds) -> Callable[[bytes], Sequence[Compiler]]:
    facts = shipped_facts.compiler_facts()

    @lru_cache(maxsize=MAX_KNOWN)
    def compilers_of(text: bytes) -> Sequence[Compiler]:
        return tuple(building_compilers(json.loads(text), current.kinds, facts))

    return compilers_of


def is_complete() -> bool:
    """Return whether every tag has an entry. Two counts."""
    return Entry.objects.count() == Tag.objects.count()


def rebuild_index(report: Callable[[int, int], None] = lambda _done, _total: None) -> int:
    """Recompute the whole index in batches, then its totals, and return the number of tags.

    Other writes may happen between batches.
    """
    tags = list(Tag.objects.order_by("pk").values_list("pk", flat=True))
    done = 0
    for batch in _batches(tags):
        with write_lock():
            _replace(batch, newest_targets(batch))
        done += len(batch)
        report(done, len(tags))
    totals.rebuild()
    return done


def _batches(tags: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(tags), BATCH):
        yield tags[start : start + BATCH]


def _row(
    tag: Tag,
    version: Version | None,
    target: dict[str, Any],
    aliases: Iterable[str],
    compilers: Iterable[Compiler],
    *,
    is_deprecated: bool,
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
    return IndexedTag(entry, (*rows, *compiler_attributes(compilers)), terms)


def add_names(names: Iterable[Name]) -> None:
    """Add new aliases to the terms of their tags. Call under the write lock."""
    aliases: dict[int, list[Terms]] = defaultdict(list)
    for name in names:
        aliases[name.tag_id].append(name_terms(name.text))
    stored = stored_weights(aliases)
    replace_terms(
        {
            tag: reduce(Terms.union, added, Terms(stored[tag], frozenset()))
            for tag, added in aliases.items()
        }
    )


def replace_terms(tags: Mapping[int, Terms]) -> None:
    """Store the terms of tags, by primary key, in place of others. Call under the write lock.

    Only writes those that differ. At most three queries and the insertions.
    """
    rows = Posting.objects.filter(OneOf("tag", tags)).values_list(*POSTING_COLUMNS, "pk")
    stored = {tuple(row): pk for *row, pk in rows}
    wanted = {(tag, *row) for tag, terms in tags.items() for row in terms.weights.items()}
    obsolete, new = stored.keys() - wanted, wanted - stored.keys()
    if obsolete:
        Posting.objects.filter(OneOf("pk", [stored[row] for row in obsolete])).delete()
    if obsolete or new:
        removed = Counter(term for _, term, _ in obsolete)
        changed = {tag for tag, _, _ in new}
        _insert_postings(sorted(new), removed, [tags[tag] for tag in sorted(changed)])


def insert_terms(tags: Mapping[int, Terms]) -> None:
    """Insert the terms of tags that have none, by primary key. Call under the write lock.

    A query and three insertions.
    """
    rows = [(tag, *row) for tag, terms in tags.items() for row in sorted(terms.weights.items())]
    _insert_postings(rows, {}, tags.values())


def _insert_postings(
    rows: Collection[tuple[int, str, int]], removed: Mapping[str, int], terms: Iterable[Terms]
) -> None:
    """Insert terms of tags, and count them; `removed` says how many tags have lost a term."""
    insert_rows(Posting, POSTING_COLUMNS, rows)
    counts = Counter(term for _, term, _ in rows)
    counts.subtract(removed)
    words = {word for each in terms for word in each.words if is_correctable(word)}
    _update_vocabulary({term: number for term, number in counts.items() if number}, words)


def stored_weights(tags: Collection[int]) -> Mapping[int, Mapping[str, int]]:
    """Return the stored terms of tags with their weights, by the tag's primary key. One query."""
    weights: dict[int, dict[str, int]] = defaultdict(dict)
    rows = Posting.objects.filter(tag__in=tags).values_list("tag", "term", "weight")
    for tag, term, number in rows:
        weights[tag][term] = number
    return weights


def _update_vocabulary(changes: Mapping[str, int], words: Collection[str]) -> None:
    """Change how many tags have each term, and add words and their trigrams."""
    known = {
        text: (tags, is_word)
        for text, tags, is_word in Term.objects.filter(text__in={*changes, *words}).values_list(
            "text", "tags", "is_word"
        )
    }
    rows, new_words = [], []
    for text in sorted({*changes, *words}):
        tags, is_word = known.get(text, (0, False))
        row = (tags + changes.get(text, 0), is_word or text in words)
        if row != known.get(text):
            rows.append((text, *row))
        if row[1] and not is_word:
            new_words.append(text)
    insert_rows(Term, ("text", "tags", "is_word"), rows, replacing_by="text")
    grams = ((gram, len(word), word) for word in new_words for gram in word_grams(word))
    insert_rows(TermGram, ("text", "length", "term"), grams)
