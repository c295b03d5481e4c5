"""Keeps the totals of the search index: of facts, options and their values, and of namespaces."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Sum

from registry.domain.search.attributes import IndexedValue
from registry.domain.search.comparable_facts import COMPARABLE_FACTS
from registry.domain.search.counted_options import FACTS, MIXINS, counted_values, kinds_of_nodes
from registry.domain.search.list_columns import FAMILY_PLACE
from registry.models import (
    Attribute,
    Counted,
    Entry,
    GroupTotal,
    Status,
    Tag,
    Total,
    ValueTotal,
    Version,
)
from registry.models.prepared_queries import PLACEHOLDER, PreparedQuery
from registry.models.row_insertion import add_to_rows
from registry.services.core.transactions import write_lock

BATCH = 500  # tags at a time, with about 10,000 attributes
MAX_KEPT = 200_000  # totals in memory before they are stored
CATEGORY = f"{FACTS}category"
NUMBERS = frozenset(fact.pointer for fact in COMPARABLE_FACTS.values())

# By the tag's primary key, and by those of their rows.
StoredValues = defaultdict[int, dict[int, IndexedValue]]

TOTAL, VALUE = ("counted", "name"), ("option", "text")
GROUP = ("fact", "namespace", "kind", "vendor", "arch", "family", "status")


@dataclass(slots=True)
class Changes:
    """Numbers to add to totals, by the keys of these."""

    totals: Counter[tuple[str, str]] = field(default_factory=Counter)
    values: Counter[tuple[str, str]] = field(default_factory=Counter)
    groups: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def count(self, entry: Entry, values: Collection[IndexedValue], number: int = 1) -> None:
        """Count a tag with its values; not any more, if the number is -1."""
        namespace = entry.text.partition("/")[0]
        facts = (namespace, entry.kind, entry.vendor, entry.arch, entry.family, str(entry.status))
        numbers = {value.pointer for value in values if value.number is not None}
        for fact in ("", *(numbers & NUMBERS)):
            self.groups[fact, *facts] += number
        self.totals[Counted.TAGS, namespace] += number
        if entry.status == Status.DEPRECATED:
            return
        self.totals[_part(entry), namespace] += number
        pairs = {(value.pointer, value.text) for value in values}
        kinds = kinds_of_nodes(entry.kind, pairs)
        counted = list(counted_values(kinds, pairs))
        for pair in counted:
            self.values[pair] += number
        nodes = (f"{kind}{pointer}" for pointer, kind in kinds.items())
        for name in {*nodes, *(option for option, _ in counted), *([] if entry.kind else [MIXINS])}:
            self.totals[Counted.OPTION, name] += number
        if _part(entry) == Counted.NAMES:
            for name in _stated_facts(pairs):
                self.totals[Counted.STATED, name] += number

    def store(self) -> None:
        """Add everything to the stored totals. Call under the write lock. At most six queries."""
        values = [(*key, number) for key, number in self.values.items() if number]
        for option, text, number in add_to_rows(ValueTotal, VALUE, values):
            is_new = number == self.values[option, text]
            self.totals[Counted.VALUES, option] += is_new - (not number)
        totals = [
            (str(what), name, number) for (what, name), number in self.totals.items() if number
        ]
        add_to_rows(Total, TOTAL, totals)
        groups = [(*key, number) for key, number in self.groups.items() if number]
        add_to_rows(GroupTotal, GROUP, groups)


def _part(entry: Entry) -> Counted:
    """Return as what a namespace counts a listed tag."""
    if entry.place == FAMILY_PLACE:
        return Counted.FAMILIES
    return Counted.VARIANTS if ":" in entry.text else Counted.NAMES


def _stated_facts(values: Collection[tuple[str, str]]) -> Iterator[str]:
    """Yield the facts that the hardware of a tag states, after its category."""
    category = next((text for pointer, text in values if pointer == CATEGORY), None)
    if category is not None:
        pointers = {pointer for pointer, _ in values if pointer.startswith(FACTS)}
        yield from (f"{category}{pointer}" for pointer in pointers)


stored_entries: PreparedQuery[Entry] = PreparedQuery(  # of tags, by their primary keys
    lambda: Entry.objects.filter(pk__among=PLACEHOLDER).order_by()
)
_attributes: PreparedQuery[Attribute] = PreparedQuery(
    lambda: Attribute.objects.filter(tag__among=PLACEHOLDER).order_by()
)


def stored_values(tags: Collection[int]) -> StoredValues:
    """Return the values of some tags. One query."""
    values: StoredValues = defaultdict(dict)
    for row in _attributes(tags):
        values[row.tag_id][row.pk] = IndexedValue(row.pointer, row.name, row.text, row.number)
    return values


def add_versions(tags: Iterable[Tag]) -> None:
    """Count new versions, of each of these tags one. Call under the write lock."""
    changes = Changes()
    for tag in tags:
        changes.totals[Counted.VERSIONS, tag.text.partition("/")[0]] += 1
    changes.store()


def batches(tags: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield primary keys, 500 at a time."""
    for start in range(0, len(tags), BATCH):
        yield tags[start : start + BATCH]


def is_complete() -> bool:
    """Return whether the totals count as many tags as there are. Two queries."""
    counted = Total.objects.filter(counted=Counted.TAGS).aggregate(number=Sum("number"))["number"]
    return (counted or 0) == Tag.objects.count()


def rebuild() -> None:
    """Compute all totals again from the search index. Other writes wait meanwhile."""
    with write_lock():
        for model in (Total, ValueTotal, GroupTotal):
            model.objects.all().delete()
        changes = version_counts()
        for batch in batches(list(Entry.objects.order_by("pk").values_list("pk", flat=True))):
            values = stored_values(batch)
            for entry in stored_entries(batch):
                changes.count(entry, values[entry.pk].values())
            if len(changes.values) > MAX_KEPT:
                changes.store()
                changes = Changes()
        changes.store()


def version_counts() -> Changes:
    """Return the numbers of versions by namespace. One query."""
    rows = Version.objects.order_by().values_list("tag__namespace__name")
    changes = Changes()
    for namespace, number in rows.annotate(versions=Count("pk")):
        changes.totals[Counted.VERSIONS, namespace] = number
    return changes
