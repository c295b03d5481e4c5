"""Finds the members of a family, and the machines that a tag shares its family with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from registry.domain.search.attributes import Facts
from registry.domain.search.comparable_facts import COMPARABLE_FACTS
from registry.domain.search.peers import Peer
from registry.models import Ancestry, Attribute, Entry, Status, Tag, Version
from registry.models.search_index import EntryQuerySet
from registry.services.search.facets import CATEGORY_POINTER

MAX_PEERS = 500  # twice the largest shipped family
POINTERS = {fact.pointer: fact.name for fact in COMPARABLE_FACTS.values()}


@dataclass(frozen=True, slots=True)
class Peers:
    """Tags that share a family, by name, with their facts.

    `family` is the tag of the family, empty if only the facts name it. `has_more` if it has more
    than 500.
    """

    family: str
    tags: tuple[Peer, ...]
    has_more: bool = False


def find_peers(version: Version, facts: Facts, category: str) -> Peers:
    """Return the tags that a version's facts can be compared with; an active one is among them.

    Those are the members of a family: of the version's own tag, or of the nearest one that it
    inherits from. Without any, the tags of the same vendor and hardware family. Deprecated tags are
    left out. Only tags of the
    same category count; of a family without such members, those of the most frequent one. At most
    four queries; none if the category is unknown.
    """
    if not category:
        return Peers("", ())
    family = version.tag if version.tag.is_family else _nearest_family(version)
    if family:
        return _read(family.text, _members(family), category)
    if not (facts.family and facts.vendor):
        return Peers("", ())
    return _read("", _namesakes(facts), category)


def _nearest_family(version: Version) -> Tag | None:
    steps = Ancestry.objects.filter(version=version, ancestor__tag__is_family=True)
    nearest = steps.order_by("distance", "position").values("ancestor__tag")[:1]
    return Tag.objects.filter(pk__in=nearest).first()


def _members(family: Tag) -> EntryQuerySet:
    versions = Ancestry.objects.filter(ancestor__tag=family).values("version")
    return _listed().filter(version__in=versions, tag__is_family=False)


def _namesakes(facts: Facts) -> EntryQuerySet:
    return _listed().filter(
        family=facts.family, vendor=facts.vendor, tag__is_family=False, version__isnull=False
    )


def _listed() -> EntryQuerySet:
    return Entry.objects.exclude(status=Status.DEPRECATED)


def _read(family: str, entries: EntryQuerySet, category: str) -> Peers:
    """Read the first entries by name, without those of another category."""
    columns = entries.order_by("text").values_list("pk", "text", "arch", "family")
    names = {pk: columns for pk, *columns in columns[: MAX_PEERS + 1]}
    facts, categories = _facts(Attribute.objects.filter(tag__in=names))
    counts = Counter(sorted(categories.values()))
    if category not in counts and counts:
        category = counts.most_common(1)[0][0]
    tags = (
        Peer(text, facts.get(pk, {}), arch, family)
        for pk, (text, arch, family) in names.items()
        if categories.get(pk) == category
    )
    return Peers(family, tuple(tags)[:MAX_PEERS], has_more=len(names) > MAX_PEERS)


def _facts(
    attributes: QuerySet[Attribute],
) -> tuple[Mapping[int, Mapping[str, float]], Mapping[int, str]]:
    """Return the comparable facts of tags, and their categories. One query."""
    pointers = (CATEGORY_POINTER, *POINTERS)
    names = {pointer.rpartition("/")[2] for pointer in pointers}
    rows = attributes.filter(name__in=names, pointer__in=pointers)
    facts: dict[int, dict[str, float]] = defaultdict(dict)
    categories = {}
    for tag, pointer, text, number in rows.values_list("tag", "pointer", "text", "number"):
        if pointer == CATEGORY_POINTER:
            categories[tag] = text
        elif number is not None:
            facts[tag][POINTERS[pointer]] = number
    return facts, categories
